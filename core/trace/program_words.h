// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>
#include <string_view>

namespace vramscope {

/// Whether a word is of programs, models, devices or recordings, so that it says nothing of who ran
/// them: "torch", "train", "LlamaForCausalLM", "h100", "3". All others may be names.
[[nodiscard]] bool isProgramWord(std::string_view word);

/// Whether every word of a text is.
[[nodiscard]] bool holdsProgramWordsOnly(std::string_view text);

/// The text with "name" instead of each word that is not.
[[nodiscard]] std::string withProgramWordsOnly(std::string_view text);

} // namespace vramscope
