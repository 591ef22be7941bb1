// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/bytes.h"
#include "core/serving_logs/serving_log.h"

#include <cstdint>
#include <optional>

namespace vramscope {

/// What of the budget was taken by what, in bytes; nothing of what the log does not tell.
struct LogBudget
{
    std::optional<Bytes> total;     ///< of the GPU
    std::optional<Bytes> requested; ///< the budget: what the engine may use
    std::optional<Bytes> weights;
    std::optional<Bytes> nonTorch;
    std::optional<Bytes> consumed; ///< weights, non-torch and the estimate of graphs in one
    std::optional<Bytes> activations;
    std::optional<Bytes> graphs;
    bool graphsInside = false; ///< of the budget; before vLLM 0.21 they lie outside it
    std::optional<Bytes> cache;
    std::optional<Bytes> freeAtStart;   ///< SGLang: before weights, which its static fraction is of
    std::optional<Bytes> freeAfterPool; ///< SGLang: beside weights and cache
};
[[nodiscard]] LogBudget budgetOf(const ServingLog &log);

/// Tokens that the pool of SGLang or TensorRT-LLM holds; nothing where the log does not tell.
[[nodiscard]] std::optional<std::int64_t> pooledTokens(const ServingLog &log);

} // namespace vramscope
