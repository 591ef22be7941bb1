// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/exchange/shell_words.h"
#include "core/exchange/translation.h"
#include "core/plan/choices.h"

#include <optional>

namespace vramscope {

/// A serving engine started by a command line.
struct EngineLaunch
{
    Engine engine = Engine::Vllm; ///< or SGLang, llama.cpp, TensorRT-LLM
    /// Only the engine's options, "--tensor-parallel-size" with its value; a model without an
    /// option is "--model", further words have their own text as the key. Also the environment
    /// variables that engines read, and "engine_version" if an image's tag or a pinned package
    /// gives it.
    std::vector<ForeignSetting> settings;
    std::size_t others = 0; ///< other engines that the text starts
};

/// The first engine that a script starts, by whatever means: a shell in quotes, nohup, uv, a module
/// of Python, the image of a container. Nothing if it starts none.
[[nodiscard]] std::optional<EngineLaunch> servingLaunch(const ShellScript &script);

} // namespace vramscope
