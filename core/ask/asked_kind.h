// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/ask/asked.h"

namespace vramscope {

/// What a text is by its looks: the name of a file, a document, a command line, or else words.
[[nodiscard]] AskedKind askedKind(std::string_view text);

/// The command line in a text: words may stand before it, as in "2x H100: vllm serve qwen3-8b", and
/// behind it, as in "vllm serve qwen3-8b (one 4090)" and "sglang … ; 4x H20". What a shell runs
/// before or next belongs to it.
struct CommandPlace
{
    std::size_t begin = 0;
    std::size_t end = 0;
};
[[nodiscard]] CommandPlace commandIn(std::string_view text);
/// Whether that is one, or the text is one altogether.
[[nodiscard]] bool holdsCommand(std::string_view text);

} // namespace vramscope
