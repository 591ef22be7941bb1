// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace vramscope {

/// A name or a word that the beginning of one may become.
struct AskSuggestion
{
    std::string text;    ///< "Qwen3 32B", to be written in its place
    std::string meaning; ///< what kind of word it is: "model", "GPU, 80 GB"
};

/// What stands before a cursor, and what it may become; nothing where it is a whole word already.
struct AskSuggestions
{
    std::size_t begin = 0; ///< in bytes of the line
    std::size_t end = 0;
    std::vector<AskSuggestion> names;
};

/// Completes the words before `cursor`, a place in bytes at the end of a word: models by how often
/// they are downloaded, GPUs, tools, and words of the grammar. Blanks, dashes and case count for
/// nothing, and a name may begin at any of its words: "4090" is the beginning of "RTX 4090".
[[nodiscard]] AskSuggestions suggestionsAt(std::string_view line, std::size_t cursor);

} // namespace vramscope
