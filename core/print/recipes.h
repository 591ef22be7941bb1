// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <span>
#include <string>
#include <string_view>

namespace vramscope {

/// How to record what VRAMscope reads with one program, or to summarise a run of many ranks by one
/// scheduler: lines to copy and what to know about them.
struct Recipe
{
    std::string_view topic;   ///< as the command line names it: "pytorch"
    std::string_view title;   ///< a half sentence
    std::string_view needs;   ///< versions that have what the lines use
    std::string_view notes;   ///< sentences, one a line
    std::string_view program; ///< what the lines are for: "python" or "sh"; empty: no lines
    std::string_view lines;   ///< each ends with a line feed
};

/// All recipes, from the general to the special.
[[nodiscard]] std::span<const Recipe> recipes();
/// Null where there is none of that topic.
[[nodiscard]] const Recipe *recipe(std::string_view topic);

/// The topics, one a line, with their titles.
[[nodiscard]] std::string recipeListText();
/// A recipe for people: notes as comments of the lines, so that all of it can be copied.
[[nodiscard]] std::string recipeText(const Recipe &recipe);
/// {"topic","title","needs","notes":[…],"program","lines"}.
[[nodiscard]] std::string recipeJson(const Recipe &recipe);
/// A list of all, in one line.
[[nodiscard]] std::string recipeListJson();

} // namespace vramscope
