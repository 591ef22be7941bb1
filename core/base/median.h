// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/bytes.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <numeric>
#include <vector>

namespace vramscope {

/// The middle value, for an even number the lower of the two: always a value that occurs. 0 without
/// values.
[[nodiscard]] inline std::int64_t lowerMedian(std::vector<std::int64_t> values)
{
    if (values.empty())
        return 0;
    const auto middle = values.begin() + static_cast<std::ptrdiff_t>((values.size() - 1) / 2);
    std::ranges::nth_element(values, middle);
    return *middle;
}

/// The middle value, for an even number the upper of the two: always a value that occurs. 0 without
/// values.
[[nodiscard]] inline double upperMedian(std::vector<double> values)
{
    if (values.empty())
        return 0;
    const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
    std::ranges::nth_element(values, middle);
    return *middle;
}

/// The middle value, for an even number halfway between the two, rounded towards the lower one.
/// There must be at least one.
[[nodiscard]] inline Bytes halfwayMedian(std::vector<Bytes> values)
{
    std::ranges::sort(values);
    const std::size_t middle = values.size() / 2;
    if (values.size() % 2 == 1)
        return values[middle];
    return std::midpoint(values[middle - 1], values[middle]);
}

} // namespace vramscope
