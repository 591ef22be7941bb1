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

/// The gain of vLLM's cache, which fills the rest of its share of the device, or a stated size.
struct CacheGain
{
    Bytes bytes = 0;
    std::int64_t tokens = 0;
    double sequences = 0; ///< of the longest kind, more at once
};

/// One change to a plan that lowers its memory, or leaves its cache more of the same memory, with
/// its gains and costs.
struct WayToFit
{
    std::string title;                ///< "Checkpoint every block", "Context parallel 16 (now 8)"
    std::string price;                ///< its cost, in a sentence for people
    std::vector<FieldSetting> fields; ///< the values to set; monostate: leave the field out
    Bytes saved = 0;                  ///< device memory; below 0 it uses more
    std::optional<CacheGain> cache{}; ///< if vLLM serves and its cache changes
    FitSummary standing;              ///< with the change, and whether it fits then
    // Additions by the change; below 0 reductions.
    double recomputeShare = 0;
    double bubbleShare = 0;
    Bytes communicationBytes = 0; ///< per GPU and step
    Bytes hostBytes = 0;          ///< per GPU
    std::int64_t gpus = 0;
    bool changesResults = false; ///< number formats, batch or model: results change
    Toll toll = Toll::None;

    /// The device needs no less; the gain is room in the cache.
    [[nodiscard]] bool givesToCache() const { return cache && saved <= 0; }
};

/// Whether the ways of a plan give only room in its cache: no change lowers the peak.
[[nodiscard]] bool allGiveToCache(std::span<const WayToFit> ways);
/// Whether a way changes the room in a cache.
[[nodiscard]] bool anyChangesCache(std::span<const WayToFit> ways);

/// The single changes of a table (changes.h) that save more than a thousandth of the capacity, add
/// more than a thousandth of its tokens to vLLM's cache, make the plan fit, or remove a risk of its
/// run (Estimate::risk): those that make it fit first, before those that leave a risk, then those
/// with which it is tight, then those that may stop the learning (fp32 masters given up), then
/// those that do another job; of these the cheapest (results unchanged, no more GPUs, least of the
/// step lost to recomputation and bubble, nothing on the host, least communication), then those
/// that save most. A number is lowered to the largest value that fits. Left out is what the plan's
/// tool does not offer (toolOffers()), and what goes further than a change that fits: a larger
/// degree, or more on the host. Pure; empty where the plan's figures or the capacity are not known.
[[nodiscard]] std::vector<WayToFit> waysToFit(const Plan &plan);

} // namespace vramscope
