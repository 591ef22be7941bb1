// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/bytes.h"
#include "core/serving_logs/serving_log.h"
#include "core/settings/engines/engine_version.h"

#include <cstdint>
#include <optional>

namespace vramscope {

/// A version against one at which something changed.
enum class LogAge { Before, AtLeast, Unknown };

/// The age of the vLLM that wrote the log, by its version, or else by its words. Builds from source
/// have versions such as 0.1.dev20058, which say nothing.
[[nodiscard]] LogAge vllmAge(const ServingLog &log, const EngineVersion &change);

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
    std::optional<Bytes> hostCache;     ///< its tier in the host's memory, of one rank
    std::optional<Bytes> freeAtStart;   ///< SGLang: before weights, which its static fraction is of
    std::optional<Bytes> freeAfterPool; ///< SGLang: beside weights and cache
};
[[nodiscard]] LogBudget budgetOf(const ServingLog &log);

/// Tokens that the pool of SGLang or TensorRT-LLM holds; nothing where the log does not tell.
[[nodiscard]] std::optional<std::int64_t> pooledTokens(const ServingLog &log);

} // namespace vramscope
