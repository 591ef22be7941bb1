// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>

namespace vramscope::pickle {

/// The longest text that is kept; a megabyte of source is a long one.
inline constexpr std::size_t kLongestText = std::size_t(16) << 20;

/// The longest number that is kept.
inline constexpr std::uint64_t kWordBytes = 8;

/// The number at `at` in a pickle's usual byte order.
template<class Number>
[[nodiscard]] Number littleEndian(const std::uint8_t *at)
{
    static_assert(std::endian::native == std::endian::little, "pickles are little endian");
    Number value = 0;
    std::memcpy(&value, at, sizeof value);
    return value;
}

/// The number in the first `length` bytes of a word, at most eight.
[[nodiscard]] inline std::uint64_t signedWord(std::uint64_t word, std::size_t length)
{
    if (length == 0)
        return 0;
    const std::size_t unused = 8 * (kWordBytes - length);
    return static_cast<std::uint64_t>(static_cast<std::int64_t>(word << unused) >> unused);
}

} // namespace vramscope::pickle
