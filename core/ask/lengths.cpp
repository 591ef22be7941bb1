// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/ask/lengths.h"

#include "core/base/text.h"
#include "core/base/written_size.h"

#include <algorithm>
#include <bit>
#include <charconv>

namespace vramscope {

namespace {

bool isNumeral(std::string_view text)
{
    return !text.empty() && std::ranges::all_of(text, isDigit);
}

} // namespace

std::optional<MeantLength> meantLength(std::string_view word, std::int64_t limit)
{
    const auto count = writtenCount(word);
    if (!count)
        return std::nullopt;
    const MeantLength asWritten{*count, false};
    const std::string_view digits = word.substr(0, word.size() - 1);
    std::int64_t number = 0;
    if (isDigit(word.back()) || !isNumeral(digits) ||
        std::from_chars(digits.data(), digits.data() + digits.size(), number).ec != std::errc())
        return asWritten;
    const std::int64_t unit = word.back() == 'm' ? 1'000'000 : 1'000;
    const bool isLimit = number == limit / unit || number == (limit + unit / 2) / unit;
    if (limit > 0 && *count > limit && isLimit)
        return MeantLength{limit, true};
    // The one power of two from 131,000 to 131,999.
    const auto power =
        static_cast<std::int64_t>(std::bit_ceil(static_cast<std::uint64_t>(number * unit)));
    if (number > 0 && power < (number + 1) * unit)
        return MeantLength{power, power != *count};
    return asWritten;
}

bool isPlainLength(std::string_view word)
{
    constexpr std::int64_t kLeast = 32'768; // no batch, and no job's GPUs
    constexpr std::int64_t kStep = 256;
    const auto count = isNumeral(word) ? writtenCount(word) : std::nullopt;
    return count && *count >= kLeast && *count <= kLongestSequence && *count % kStep == 0;
}

std::optional<std::int64_t> tokensOfRun(std::string_view word)
{
    const auto tokens = writtenAmount(word);
    return tokens && *tokens > kLongestSequence ? tokens : std::nullopt;
}

} // namespace vramscope
