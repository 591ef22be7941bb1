// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace vramscope {

/// "qwen3-32b" and "Qwen3 32B" as "qwen3", "32b"; with `halves` "qwen" and "3" besides.
void addNameParts(std::vector<std::string> &parts, std::string_view name, bool halves);

/// "gemma" and "3" of "gemma3"; either may be empty.
[[nodiscard]] std::pair<std::string_view, std::string_view> lettersAndNumber(std::string_view part);

/// "8b", "0.5b", "360m", "8x7b": how large a model is.
[[nodiscard]] bool isModelSize(std::string_view part);

/// Whether a word in small letters has an owner or a size joined to a name: "foo/bar-2", "foo-8b".
[[nodiscard]] bool looksLikeModelName(std::string_view word);

/// "hexgrad/Kokoro-82M": an owner and a name, of which one has a digit or a dash, as words that are
/// joined by a slash ("prefill/decode") seldom do.
[[nodiscard]] bool isRepositoryName(std::string_view word);

/// A name as its words and its numbers, between which an error of spelling is told from another
/// model: "llama-3.1-8b" is "llama" and "3.1 8b".
struct SpeltName
{
    std::string name;
    std::vector<std::string> words;
    std::string numbers;
};
[[nodiscard]] SpeltName speltName(std::string_view name);

/// Letters that differ, one in a word of four or more and two in one of seven or more; nothing
/// where more do, where the names have not as many words, or where a word that differs is right in
/// the name of another model.
[[nodiscard]] std::optional<std::size_t> spellingErrors(const SpeltName &written,
                                                        const SpeltName &name);

/// The name of a family of models that a word is nearest to, within the same errors; empty where
/// none is, or the word is right in the name of a model.
[[nodiscard]] std::string_view nearestFamily(std::string_view word);

} // namespace vramscope
