// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

namespace vramscope {

constexpr std::int64_t kLongestSequence = 10'485'760; ///< of any model: Llama 4 Scout

// Numbers of tokens in a sentence: how long a sequence may be, and how many a run has.

/// "131k" as a length, 131,072 beside a model of that limit; `isOther`: not the 1,024 times that k
/// stands for.
struct MeantLength
{
    std::int64_t tokens = 0;
    bool isOther = false;
};
/// `limit`: the longest sequence of the model, 0 where it is not known. A "k" or "m" that goes
/// beyond it, while its thousands or millions are those of the limit, means the limit; one whose
/// thousands are those of a power of two means that. Nothing where the word is no count.
[[nodiscard]] std::optional<MeantLength> meantLength(std::string_view word, std::int64_t limit);

/// Whether a number without a unit or a word beside it can only be a length: "262144", not "4096".
[[nodiscard]] bool isPlainLength(std::string_view word);

/// "20B" and "500M", more tokens than a sequence of any model has; nothing where the word is not.
[[nodiscard]] std::optional<std::int64_t> tokensOfRun(std::string_view word);

} // namespace vramscope
