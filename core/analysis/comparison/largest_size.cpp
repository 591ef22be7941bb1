// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/analysis/comparison/largest_size.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace vramscope {

namespace {

struct Sized
{
    std::int64_t size = 0;
    Bytes active = 0; ///< at the peak
    Bytes reserved = 0;
};

/// The size at which a line through two others reaches `room`, rounded down.
std::int64_t sizeAt(const Sized &small, const Sized &large, Bytes Sized::*bytes, Bytes room)
{
    constexpr long double kMost = 1e15L; // sizes and bytes come from the file
    const auto first = static_cast<long double>(small.*bytes);
    const long double each =
        (static_cast<long double>(large.*bytes) - first) /
        (static_cast<long double>(large.size) - static_cast<long double>(small.size));
    if (each <= 0)
        return large.*bytes <= room ? static_cast<std::int64_t>(kMost) : 0;
    const long double size =
        static_cast<long double>(small.size) + (static_cast<long double>(room) - first) / each;
    return static_cast<std::int64_t>(std::clamp(std::floor(size), 0.0L, kMost));
}

} // namespace

std::optional<LargestSize> largestSize(const Trace &a, const DeviceSummary &ofA, const Trace &b,
                                       const DeviceSummary &ofB)
{
    const auto first = rehearsalOf(a);
    const auto second = rehearsalOf(b);
    if (!first || !second || first->sizeName.empty() || first->sizeName != second->sizeName ||
        first->gpu != second->gpu || first->allocatorBytes != second->allocatorBytes ||
        first->rank != second->rank || first->worldSize != second->worldSize ||
        !first->ended.empty() || !second->ended.empty() || first->allocatorBytes < 0 ||
        !ofA.isReservedKnown || !ofB.isReservedKnown)
        return {};
    Sized small{first->size, ofA.peakActive, ofA.peakReserved};
    Sized large{second->size, ofB.peakActive, ofB.peakReserved};
    if (large.size < small.size)
        std::swap(small, large);
    if (small.size <= 0 || small.size == large.size || large.active <= small.active)
        return {};
    LargestSize result{first->sizeName,       first->gpu, small.size, large.size, 0,
                       first->allocatorBytes, 0,          0};
    result.each = std::max<Bytes>(1, wrappingDifference(large.active, small.active) /
                                         (large.size - small.size));
    result.most = sizeAt(small, large, &Sized::active, result.room);
    result.expected = std::min(result.most, sizeAt(small, large, &Sized::reserved, result.room));
    return result;
}

} // namespace vramscope
