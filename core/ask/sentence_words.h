// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace vramscope {

/// A word of a sentence, in small letters and with plain dashes.
struct SentenceWord
{
    std::string text;
    std::size_t begin = 0; ///< in bytes of the sentence
    std::size_t end = 0;
    bool afterBreak = false; ///< a comma or the like stands before it: nothing reaches across
};

/// The model in a recipe's name, "llama3.1-8b" in "llama3_1/8B_full"; empty where there is none.
[[nodiscard]] std::string nameInRecipe(std::string_view recipe);

/// The words of a sentence. "8xH100" is three of them, "×" is "x", "tp8", "tp=8" and "8gpus" are
/// two, "131,072", "4.096" and "8 192" are one number; "单卡4090" is cut where the tables of words
/// have an end. "batch.micro_batch=4" stays one and keeps its letters.
[[nodiscard]] std::vector<SentenceWord> sentenceWords(std::string_view sentence);

/// "8", "8k", "eight", "dual" or "acht", as a count.
[[nodiscard]] std::optional<std::int64_t> countOf(const SentenceWord &word);

/// The first words as one key of nameKey(): those of ("full", "fine-tune") are "fullfinetune".
[[nodiscard]] std::string keyOf(std::span<const SentenceWord> words);

/// How many of the words stand together, with no break between them; `most` at most.
[[nodiscard]] std::size_t unbroken(std::span<const SentenceWord> words, std::size_t most);

} // namespace vramscope
