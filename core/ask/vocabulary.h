// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <span>
#include <string>
#include <string_view>

namespace vramscope {

// The words that a plan can be asked for in, beside the names of models and GPUs: constant data.

/// In which plans a word means something.
enum class AskedWhen { Always, Training, Serving, Diffusion };

/// Words, alternatives divided by '|', and what they set: assignments divided by blanks. One
/// without a value keeps the field's usual value, and no other word may set it.
struct AskedPhrase
{
    std::string_view words;
    AskedWhen when;
    std::string_view sets;
    std::string_view meaning{}; ///< empty: what it sets says it
};
[[nodiscard]] std::span<const AskedPhrase> askedPhrases();

/// Words beside a number, "seq 8192" or "8192 tokens", and the field that it is the value of.
struct AskedKeyword
{
    std::string_view words;
    AskedWhen when;
    std::string_view field;
};
[[nodiscard]] std::span<const AskedKeyword> askedKeywords();

/// The row for a key of keyOf(): the one of that kind of plan, else any; nullptr where there is
/// none.
[[nodiscard]] const AskedPhrase *findPhrase(std::string_view key, AskedWhen when);
[[nodiscard]] const AskedKeyword *findKeyword(std::string_view key, AskedWhen when);

/// Whether a number may follow without a blank: "tp8".
[[nodiscard]] bool isGluedKeyword(std::string_view word);

/// Words that say nothing about a plan: "on", "with".
[[nodiscard]] bool isFiller(std::string_view word);
/// Who makes GPUs, "nvidia", which says nothing beside the name of one.
[[nodiscard]] bool isMaker(std::string_view word);

/// What is like a word, in its own case, that means nothing: " (did you mean 'qlora'?)", or
/// nothing.
[[nodiscard]] std::string didYouMeanAsked(std::string_view word);

} // namespace vramscope
