// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/estimate/estimate.h"
#include "core/estimate/formulas/inventory.h"
#include "core/estimate/formulas/ledger.h"

namespace vramscope {

/// What serving takes on one rank: weights, cache and the engine's working memory, in the
/// phases of servingSchedule(). Returns the figures that engines print themselves.
/// vLLM's budget follows vllm/v1/worker/gpu_worker.py.
[[nodiscard]] InferenceFigures addInference(const Settings &settings, const RankInventory &rank,
                                            Ledger &ledger);

/// Whether the cache that vLLM has left holds the longest sequence and the sequences asked for.
/// Others make their cache as large as asked.
[[nodiscard]] inline bool cacheSuffices(const std::optional<InferenceFigures> &figures)
{
    return !figures || (figures->startsServing && figures->servesLoad);
}

/// No context and no number of sequences is looked for beyond this.
inline constexpr std::int64_t kLongestContext = 1'000'000'000;

/// What vLLM typically finds outside PyTorch: context, communicators and libraries.
[[nodiscard]] const Empirical &vllmNonTorch(const Settings &settings);

} // namespace vramscope
