// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/estimate/estimate.h"
#include "core/estimate/formulas/inventory.h"
#include "core/estimate/formulas/ledger.h"

namespace vramscope {

/// Memory of serving on one rank: weights, cache and the engine's working memory, in the phases of
/// servingSchedule(). Returns the figures that engines print themselves. vLLM's budget follows
/// vllm/v1/worker/gpu_worker.py.
[[nodiscard]] InferenceFigures addInference(const Settings &settings, const RankInventory &rank,
                                            Ledger &ledger);

/// The requested load does not fit the cache that is left, so the plan does not fit.
void refuseCache(const Settings &settings, Estimate &result);

/// Whether vLLM's cache has room for the longest sequence and the requested sequences. Other
/// engines make their cache as large as requested.
[[nodiscard]] inline bool cacheSuffices(const std::optional<InferenceFigures> &figures)
{
    return !figures || (figures->startsServing && figures->servesLoad);
}

/// Searches for a context or a number of sequences end here.
inline constexpr std::int64_t kLongestContext = 1'000'000'000;

/// Memory that vLLM typically finds outside PyTorch: context, communicators and libraries.
[[nodiscard]] const Empirical &vllmNonTorch(const Settings &settings);

} // namespace vramscope
