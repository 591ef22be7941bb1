// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/llama_cpp/llama_split.h"

#include <string>
#include <vector>

namespace vramscope {

/// The arguments of --fit (common/common.h).
struct LlamaFitTargets
{
    Bytes margin = Bytes(1024) << 20; ///< --fit-target: left free on every device
    std::int64_t leastContext = 4096; ///< --fit-ctx: of a sequence
};

/// What --fit changes, and why.
struct LlamaFit
{
    LlamaSettings settings;
    bool fits = false;
    std::vector<std::string> steps; ///< sentences, in order
};

/// The result of --fit in llama.cpp (common/fit.cpp, common_params_fit_impl()), with splitModel()
/// in place of its dry loads, whose compute buffers are an estimate: a shorter context unless -c
/// was given; then, unless -ngl, -ts and -ot were, layers from the last device to the first, those
/// of a mixture of experts without their experts, which are then added from the front as far as
/// they fit, the last of a device in part.
[[nodiscard]] LlamaFit fitModel(const LlamaModel &model, const LlamaSettings &settings,
                                std::span<const LlamaDevice> devices,
                                const LlamaFitTargets &targets);

/// Puts the experts of one layer, or with -1 of all, on the host, like --n-cpu-moe and --cpu-moe.
[[nodiscard]] LlamaOverride expertsOnHost(std::int64_t layer);

} // namespace vramscope
