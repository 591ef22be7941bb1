// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/solver/changes.h"
#include "core/solver/fit_summary.h"

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace vramscope {

/// What vLLM's cache gains, which takes what its share of the device has left, or what is stated.
struct CacheGain
{
    Bytes bytes = 0;
    std::int64_t tokens = 0;
    double sequences = 0; ///< of the longest kind, more at once
};

/// One change to a plan that lowers what it needs, or leaves its cache more of the same memory,
/// with what it gives and what it costs.
struct WayToFit
{
    std::string title;                ///< "Checkpoint every block", "Context parallel 16 (now 8)"
    std::string price;                ///< what it costs, in a sentence for people
    std::vector<FieldSetting> fields; ///< what to put where; monostate: leave the field out
    Bytes saved = 0;                  ///< of the device's memory; below 0 it takes more
    std::optional<CacheGain> cache{}; ///< where vLLM serves, of what its cache changes
    FitSummary standing;              ///< with the change, and whether it fits then
    // What the change adds; below 0 it takes away.
    double recomputeShare = 0;
    double bubbleShare = 0;
    Bytes communicationBytes = 0; ///< per GPU and step
    Bytes hostBytes = 0;          ///< per GPU
    std::int64_t gpus = 0;
    bool changesResults = false; ///< number formats, batch or model: what is computed changes
    Toll toll = Toll::None;

    /// The device needs no less; what the change gives is room in the cache.
    [[nodiscard]] bool givesToCache() const { return cache && saved <= 0; }
};

/// Whether all that the ways of a plan give is room in its cache: no change lowers the peak.
[[nodiscard]] bool allGiveToCache(std::span<const WayToFit> ways);
/// Whether a way changes the room in a cache.
[[nodiscard]] bool anyChangesCache(std::span<const WayToFit> ways);

/// The single changes of a table (changes.h) that save more than a thousandth of the capacity, add
/// more than a thousandth of its tokens to vLLM's cache, make the plan fit, or remove a risk of its
/// run (Estimate::risk): those that make it fit first, before those that leave a risk, then those
/// with which it is tight, then those that may stop the learning (fp32 masters given up); of these
/// the cheapest (results unchanged, no more GPUs, least of the step lost to recomputation and
/// bubble, nothing on the host, least communication), then those that save most. Pure; empty where
/// the plan's figures or the capacity are not known.
[[nodiscard]] std::vector<WayToFit> waysToFit(const Plan &plan);

} // namespace vramscope
