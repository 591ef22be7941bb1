// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/ask/asked.h"

namespace vramscope {

/// What a text is by its looks: the name of a file, a document, a command line, or else words.
[[nodiscard]] AskedKind askedKind(std::string_view text);

/// Where a command line ends and words behind it begin, as in "vllm serve qwen3-8b (one 4090)" and
/// "sglang … ; 4x H20"; the size of the text where nothing is behind it, or another command.
[[nodiscard]] std::size_t commandEnd(std::string_view text);

} // namespace vramscope
