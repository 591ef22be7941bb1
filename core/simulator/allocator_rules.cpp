// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/simulator/allocator_rules.h"

#include "core/base/text.h"

#include <algorithm>
#include <bit>

namespace vramscope {

namespace {

constexpr Bytes kMostRounded = Bytes(1) << 60; // above: beyond any device, and sums would not fit

Bytes roundedUp(Bytes bytes, Bytes grain)
{
    return (bytes + grain - 1) / grain * grain;
}

} // namespace

std::size_t AllocatorRules::bucketOf(std::int64_t mebibytes)
{
    const auto number = static_cast<std::uint64_t>(std::max<std::int64_t>(mebibytes, 1));
    const auto log = static_cast<std::size_t>(std::bit_width(number)) - 1;
    return std::min(log, kRoundupBuckets - 1);
}

Bytes AllocatorRules::rounded(Bytes requested) const
{
    if (requested > kMostRounded)
        return requested;
    requested += requestPadding;
    if (requested < kSmallestBlock)
        return kSmallestBlock;
    const auto bits = static_cast<std::uint64_t>(requested);
    const std::int64_t divisions = roundupDivisions[bucketOf(requested / kMiB)];
    if (divisions > 1 && divisions <= kMostDivisions && requested > kSmallestBlock * divisions) {
        const auto power = static_cast<Bytes>(std::bit_floor(bits));
        if (power == requested)
            return requested;
        const Bytes step = power / divisions;
        return step == 0 ? power * 2 : roundedUp(requested, step);
    }
    return roundedUp(requested, kSmallestBlock);
}

bool AllocatorRules::splits(Bytes rounded, Bytes remaining, bool large, bool inExpandable) const
{
    if (!large || inExpandable)
        return remaining >= kSmallestBlock;
    return rounded < maxSplit && remaining > kLargestSmall;
}

Bytes AllocatorRules::segmentSize(Bytes rounded) const
{
    if (rounded <= kLargestSmall)
        return kSmallSegment;
    if (rounded < kLeastOwnSegment)
        return largeSegment;
    return roundedUp(rounded, kSegmentGrain);
}

std::vector<AllocatorOption> allocatorOptions(std::string_view configuration)
{
    std::vector<AllocatorOption> options;
    std::size_t start = 0;
    int depth = 0;
    for (std::size_t at = 0; at <= configuration.size(); ++at) {
        const char c = at < configuration.size() ? configuration[at] : ',';
        depth += c == '[' ? 1 : c == ']' ? -1 : 0;
        if (c != ',' || (depth > 0 && at < configuration.size()))
            continue;
        const std::string_view option = configuration.substr(start, at - start);
        start = at + 1;
        const std::size_t colon = option.find(':');
        if (colon != option.npos)
            options.push_back(
                {trimmed(option.substr(0, colon)), trimmed(option.substr(colon + 1))});
        else if (!trimmed(option).empty())
            options.push_back({trimmed(option), {}});
    }
    return options;
}

} // namespace vramscope
