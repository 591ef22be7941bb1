// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/readers/smi_rounds.h"

#include "core/base/bytes.h"

#include <algorithm>
#include <map>
#include <vector>

namespace vramscope::smi {

namespace {

constexpr std::size_t kMostDevices = 64;     // of one machine
constexpr std::int64_t kAsked = 100'000'000; // nanoseconds in which one device has answered

/// The longest time between rows of one round where rows have times of their own: much shorter
/// than the pause behind it. 0 where times fall into no two such kinds.
std::int64_t gapOf(std::span<const std::int64_t> times)
{
    constexpr std::int64_t kLeastPause = 5; // times the gap
    std::vector<std::int64_t> gaps;
    for (std::size_t at = 1; at < times.size(); ++at)
        gaps.push_back(wrappingDifference(times[at], times[at - 1]));
    std::ranges::sort(gaps);
    if (gaps.empty() || gaps.front() < 0)
        return 0;
    for (std::size_t at = gaps.size() - 1; at > 0; --at) {
        if (gaps[at - 1] < kAsked && gaps[at] / kLeastPause > gaps[at - 1])
            return gaps[at - 1];
    }
    return 0;
}

/// Rounds whose rows follow each other within `gap`.
Rounds roundsWithin(std::span<const std::int64_t> times, std::int64_t gap)
{
    std::vector<std::size_t> sizes;
    for (std::size_t at = 0; at < times.size(); ++at) {
        const std::int64_t passed = at == 0 ? -1 : wrappingDifference(times[at], times[at - 1]);
        if (passed < 0 || passed > gap)
            sizes.push_back(0);
        ++sizes.back();
    }
    constexpr std::size_t kLeastRounds = 3;
    constexpr std::size_t kEnoughRounds = 5; // to tell what is usual
    if (sizes.size() < kLeastRounds)
        return {};
    const bool regular = std::all_of(sizes.begin(), sizes.end() - 1,
                                     [&](std::size_t size) { return size == sizes[0]; });
    if (regular && sizes[0] >= 2 && sizes[0] <= kMostDevices && sizes.back() <= sizes[0])
        return {sizes[0], gap, false};
    std::map<std::size_t, std::size_t> counts;
    for (const std::size_t size : sizes)
        ++counts[size];
    const auto usual =
        std::ranges::max_element(counts, {}, [](const auto &entry) { return entry.second; });
    const bool unequal = sizes.size() >= kEnoughRounds && usual->first >= 2 &&
                         usual->first <= kMostDevices && usual->second * 5 >= sizes.size() * 3;
    return {0, gap, unequal};
}

} // namespace

Rounds roundsOf(std::span<const std::int64_t> times)
{
    const Rounds same = roundsWithin(times, 0);
    if (same.size > 0 || same.unequal)
        return same;
    const std::int64_t gap = gapOf(times);
    return gap > 0 ? roundsWithin(times, gap) : same;
}

} // namespace vramscope::smi
