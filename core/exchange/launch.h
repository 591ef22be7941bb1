// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/exchange/shell_words.h"
#include "core/exchange/translation.h"

#include <optional>

namespace vramscope {

enum class ServingProgram { Vllm, Sglang, LlamaCpp, TrtLlm };

/// A serving engine as a command line starts it.
struct EngineLaunch
{
    ServingProgram program = ServingProgram::Vllm;
    /// The options of the engine alone, "--tensor-parallel-size" with its value; the model that
    /// stands without an option is "--model", further words stand under their own text. With them
    /// the variables of the environment that engines read, and "engine_version" where an image's
    /// tag or a pinned package says it.
    std::vector<ForeignSetting> settings;
    std::size_t others = 0; ///< engines that the text starts beside this one
};

/// The first engine that a script starts, whatever starts it there: a shell in quotes, nohup, uv,
/// a module of Python, the image of a container. Nothing where it starts none.
[[nodiscard]] std::optional<EngineLaunch> servingLaunch(const ShellScript &script);

} // namespace vramscope
