// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/solver/standing.h"

#include <cstdint>
#include <string>
#include <vector>

namespace vramscope {

/// One change to a plan that lowers what it needs, with what it gives and what it costs.
struct WayToFit
{
    std::string title;                ///< "Checkpoint every block"
    std::string price;                ///< what it costs, in a sentence for people
    std::vector<FieldSetting> fields; ///< what to put where; monostate: leave the field out
    Bytes saved = 0;   ///< of the device's memory; of a cache that takes what is left, its growth
    Standing standing; ///< with the change, and whether it fits then
    // What the change adds; below 0 it takes away.
    double recomputeShare = 0;
    double bubbleShare = 0;
    Bytes communicationBytes = 0; ///< per GPU and step
    Bytes hostBytes = 0;          ///< per GPU
    std::int64_t gpus = 0;
    bool changesResults = false; ///< number formats, batch or model: what is computed changes
};

/// The single changes of a table (changes.h) that save more than a thousandth of the capacity:
/// those that make it fit first, then those with
/// which it is tight; of these the cheapest (results unchanged, no more GPUs, least of the
/// step lost to recomputation and bubble, nothing on the host, least communication), then those
/// that save most. Pure; empty where the plan's figures or the capacity are not known.
[[nodiscard]] std::vector<WayToFit> waysToFit(const Plan &plan);

} // namespace vramscope
