// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace vramscope {

// The words that a plan can be asked for in, beside the names of models, GPUs and tools: the tables
// of resources/words.

/// In which plans a word means something.
enum class AskedWhen { Always, Training, Serving, Diffusion };

/// Words, alternatives divided by '|', and what they set: assignments divided by blanks. One
/// without a value keeps the field's usual value, and no other word may set it; one behind '~'
/// gives way to any other word. '!' alone: it changes the memory and is not computed, as `meaning`
/// says.
struct AskedPhrase
{
    std::string words;
    AskedWhen when = AskedWhen::Always;
    std::string sets;
    std::string meaning; ///< empty: what it sets says it
};
[[nodiscard]] std::span<const AskedPhrase> askedPhrases();

/// Words beside a number, "seq 8192" or "8192 tokens", and the field that it is the value of.
struct AskedKeyword
{
    std::string words;
    AskedWhen when = AskedWhen::Always;
    std::string field; ///< empty: the number says nothing about memory
};
[[nodiscard]] std::span<const AskedKeyword> askedKeywords();

/// What a word of a question asks for: an end of a value, a count, one of several; or the noun that
/// one of these is of.
enum class AskedQuestion { None, Most, Least, Count, Which, Model, Format, Gpu, Memory };

/// The rows for a key of keyOf(), those of that kind of plan first; empty where there is none.
[[nodiscard]] std::span<const AskedPhrase *const> phrasesOf(std::string_view key);
[[nodiscard]] std::span<const AskedKeyword *const> keywordsOf(std::string_view key);

/// The rows of phrases for a key of their words without those that join them (joins()), where two
/// are left at least.
[[nodiscard]] std::span<const AskedPhrase *const> squeezedPhrasesOf(std::string_view key);

/// Of rows the one of that kind of plan, else any; nullptr of none.
[[nodiscard]] const AskedPhrase *rowFor(std::span<const AskedPhrase *const> rows, AskedWhen when);

/// The row for a key: the one of that kind of plan, else any; nullptr where there is none.
[[nodiscard]] const AskedKeyword *findKeyword(std::string_view key, AskedWhen when);
[[nodiscard]] AskedQuestion questionOf(std::string_view key);

/// How many a word says without a digit: "two", "dual", "acht".
[[nodiscard]] std::optional<std::int64_t> numberWord(std::string_view word);

/// Words that say nothing about memory: "on", "with", "bitte".
[[nodiscard]] bool isOrdinary(std::string_view word);
/// Of these one that joins others within a phrase: "the base stays in 8 bit".
[[nodiscard]] bool joins(std::string_view word);
/// Who makes GPUs, "nvidia", which says nothing beside the name of one.
[[nodiscard]] bool isMaker(std::string_view word);

/// From the radicals of CJK on, writing puts no blanks between words.
constexpr char32_t kFirstUnspacedCharacter = 0x2E80;

/// How many bytes of `text` the longest word of the tables takes that it begins with, among those
/// in scripts that put no blanks between words; 0: none.
[[nodiscard]] std::size_t unspacedWord(std::string_view text);

/// Whether a word stands in some row, alone or with others.
[[nodiscard]] bool isKnownWord(std::string_view word);
/// The one word of the tables that a word was meant to be, a letter off or two letters swapped;
/// empty where none or several are that near.
[[nodiscard]] std::string_view meantWord(std::string_view word);

/// What is like a word, in its own case, that means nothing: " (did you mean 'qlora'?)", or
/// nothing.
[[nodiscard]] std::string didYouMeanAsked(std::string_view word);

} // namespace vramscope
