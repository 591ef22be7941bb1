// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>

namespace vramscope {

/// A size in memory: exact, in bytes. Gibibytes and gigabytes exist only in text (format.h).
using Bytes = std::int64_t;

inline constexpr Bytes kKiB = Bytes(1) << 10;
inline constexpr Bytes kMiB = Bytes(1) << 20;
inline constexpr Bytes kGiB = Bytes(1) << 30;

/// a + b, wrapping on overflow: sums over the sizes of a hostile file are wrong then, but defined.
[[nodiscard]] constexpr Bytes wrappingSum(Bytes a, Bytes b)
{
    return static_cast<Bytes>(static_cast<std::uint64_t>(a) + static_cast<std::uint64_t>(b));
}

/// a - b, wrapping on overflow.
[[nodiscard]] constexpr Bytes wrappingDifference(Bytes a, Bytes b)
{
    return static_cast<Bytes>(static_cast<std::uint64_t>(a) - static_cast<std::uint64_t>(b));
}

} // namespace vramscope
