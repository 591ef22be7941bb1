// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/serving_logs/serving_log.h"

#include <string>
#include <string_view>

namespace vramscope {

/// What can be changed about a start. Each engine has its own option for it, or none.
enum class LogLever {
    Share,       ///< of the GPU or of the free memory that the engine may use
    Length,      ///< the longest sequence
    Sequences,   ///< at once
    BatchTokens, ///< of prompts in one step
    SmallBatch,  ///< llama.cpp: tokens that one graph computes
    Gpus,        ///< over which the weights are divided
    Bits,        ///< of the weights
    HostWeights, ///< weights that stay in the host's memory
    HostExperts, ///< experts that do
    GpuLayers,   ///< llama.cpp: layers on GPUs
    Graphs,      ///< the largest batch that is captured
    NoGraphs,    ///< none is
    CacheBits,   ///< of the cache
    CacheBytes,  ///< the cache, stated
    CacheTokens, ///< the cache, stated
    States,      ///< SGLang: sequences whose Mamba states are kept
    HostCache,   ///< the cache's tier in the host's memory
    FitMargin    ///< llama.cpp: what --fit leaves free
};

/// The engine's option for a change: "--max-model-len 4096"; empty where the engine has none.
/// Without a value the option by itself: "--max-model-len".
[[nodiscard]] std::string leverOption(LogEngine engine, LogLever lever,
                                      std::string_view value = {});
[[nodiscard]] bool hasLever(LogEngine engine, LogLever lever);

} // namespace vramscope
