// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>
#include <string_view>

namespace vramscope {

/// Whether a word belongs to programs, models, devices or recordings, so that it says nothing about
/// who ran them: "torch", "train", "LlamaForCausalLM", "h100", "3". All others may be names.
[[nodiscard]] bool isProgramWord(std::string_view word);

/// Whether every word of a text is a program word.
[[nodiscard]] bool holdsProgramWordsOnly(std::string_view text);

/// The text with "name" instead of each word that is not a program word.
[[nodiscard]] std::string withProgramWordsOnly(std::string_view text);

} // namespace vramscope
