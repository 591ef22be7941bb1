// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/large_pages.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

// The rest of a file usually resembles its beginning. Room reserved at once is touched once, while
// columns that double are copied, and exist twice for a while; unused room costs nothing.

namespace vramscope {

/// The expected total if `count` came with the first `read` of `bytes` bytes; `count` if that is
/// too little for an estimate.
[[nodiscard]] inline std::size_t expectedInAll(std::size_t count, std::int64_t read,
                                               std::int64_t bytes)
{
    constexpr std::int64_t kEnough = std::int64_t(1) << 20;
    constexpr double kMargin = 1.02;
    if (read < kEnough || bytes <= read)
        return count;
    return static_cast<std::size_t>(static_cast<double>(count) * kMargin *
                                    static_cast<double>(bytes) / static_cast<double>(read));
}

/// Reserves room for `expected` rows in total, once the current capacity is full.
template<class T>
void reserveFor(std::vector<T> &rows, std::size_t expected)
{
    const bool isFull = rows.capacity() - rows.size() < rows.size() / 64;
    if (isFull && expected > rows.capacity())
        reserveLarge(rows, std::max(expected, rows.size() + rows.size() / 2));
}

} // namespace vramscope
