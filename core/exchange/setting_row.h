// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/plan/field.h"

#include <span>
#include <string_view>

namespace vramscope {

/// Words of another tool, separated by blanks, and the plan's word or number for the same choice.
/// Reading ignores case; an export writes the first of the first pair that is not `readOnly`.
/// "true" and "false" are those of a switch, which changes nothing without such a word.
struct WordPair
{
    std::string_view theirs;
    std::string_view ours;
    bool readOnly = false;
};

/// When an export writes a setting.
enum class Writes {
    Always,
    Stated,   ///< the plan sets the field
    AboveOne, ///< the count is above 1
};
using enum Writes; // rows name them unqualified

/// A setting of another tool and the field of the plan that it sets: an import reads the row, an
/// export writes it.
struct SettingRow
{
    std::string_view theirs; ///< its spellings, separated by blanks; an export writes the first
    FieldPath ours;
    Writes writes = Writes::Always;
    std::span<const WordPair> words{}; ///< if words represent choices
    std::string_view usual{};          ///< what an import sets by default; may be empty
};

/// When an import remarks on a setting that plans do not have.
enum class Remarks { Given, On, Positive };

/// A setting that plans do not have, and the note that it gets.
struct RemarkRow
{
    std::string_view theirs;
    Remarks when;
    std::string_view text;
};

/// The first of several words separated by blanks.
[[nodiscard]] constexpr std::string_view firstWord(std::string_view words)
{
    return words.substr(0, words.find(' '));
}
/// The pair with the tool's word, or nullptr.
[[nodiscard]] const WordPair *pairOfTheirs(std::span<const WordPair> words, std::string_view word);
/// The pair that an export writes for the plan's word, or nullptr.
[[nodiscard]] const WordPair *pairOfOurs(std::span<const WordPair> words, std::string_view word);

} // namespace vramscope
