// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/plan/field.h"

#include <span>
#include <string_view>

namespace vramscope {

/// Words of another tool, divided by blanks, and the plan's word or number for the same choice.
/// Case does not count where they are read; an export writes the first of the first pair that is
/// not `readOnly`. "true" and "false" are those of a switch, which changes nothing where it has no
/// word.
struct WordPair
{
    std::string_view theirs;
    std::string_view ours;
    bool readOnly = false;
};

/// When an export writes a setting.
enum class Writes {
    Always,
    Stated,   ///< the plan states the field
    AboveOne, ///< the count is above 1
};
using enum Writes; // rows name them alone

/// A setting of another tool and the field of the plan that it sets: an import reads the row, an
/// export writes it.
struct SettingRow
{
    std::string_view theirs; ///< its spellings, divided by blanks; an export writes the first
    FieldPath ours;
    Writes writes = Writes::Always;
    std::span<const WordPair> words{}; ///< where a word stands for a choice
    std::string_view usual{};          ///< what an import sets where it is not stated; may be empty
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

/// The first of several words that are divided by blanks.
[[nodiscard]] constexpr std::string_view firstWord(std::string_view words)
{
    return words.substr(0, words.find(' '));
}
/// The pair of the tool's word, or nullptr.
[[nodiscard]] const WordPair *pairOfTheirs(std::span<const WordPair> words, std::string_view word);
/// The pair that an export writes for the plan's word, or nullptr.
[[nodiscard]] const WordPair *pairOfOurs(std::span<const WordPair> words, std::string_view word);

} // namespace vramscope
