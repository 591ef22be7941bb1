// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/profile/intervals.h"

#include "core/base/bytes.h"

#include <algorithm>

namespace vramscope {

std::vector<TimeInterval> merged(std::vector<TimeInterval> intervals)
{
    if (!std::ranges::is_sorted(intervals, {}, &TimeInterval::start))
        std::ranges::sort(intervals, {}, &TimeInterval::start);
    std::vector<TimeInterval> all;
    for (const TimeInterval &each : intervals) {
        if (!all.empty() && each.start <= all.back().end)
            all.back().end = std::max(all.back().end, each.end);
        else
            all.push_back(each);
    }
    return all;
}

std::int64_t lengthOf(std::span<const TimeInterval> intervals)
{
    std::int64_t length = 0;
    for (const TimeInterval &each : intervals)
        length = wrappingSum(length, wrappingDifference(each.end, each.start));
    return length;
}

std::int64_t commonLength(std::span<const TimeInterval> a, std::span<const TimeInterval> b)
{
    std::int64_t common = 0;
    for (std::size_t i = 0, j = 0; i < a.size() && j < b.size();) {
        const std::int64_t start = std::max(a[i].start, b[j].start);
        const std::int64_t end = std::min(a[i].end, b[j].end);
        if (end > start)
            common = wrappingSum(common, wrappingDifference(end, start));
        if (a[i].end < b[j].end)
            ++i;
        else
            ++j;
    }
    return common;
}

IntervalCoverage::IntervalCoverage(std::vector<TimeInterval> intervals)
    : m_intervals(std::move(intervals))
{
    m_before.reserve(m_intervals.size());
    std::int64_t sum = 0;
    for (const TimeInterval &each : m_intervals) {
        m_before.push_back(sum);
        sum = wrappingSum(sum, wrappingDifference(each.end, each.start));
    }
}

std::int64_t IntervalCoverage::before(std::int64_t time) const
{
    const auto next = std::ranges::upper_bound(m_intervals, time, {}, &TimeInterval::start);
    if (next == m_intervals.begin())
        return 0;
    const auto at = static_cast<std::size_t>(next - m_intervals.begin()) - 1;
    const std::int64_t end = std::min(time, m_intervals[at].end);
    return wrappingSum(m_before[at], wrappingDifference(end, m_intervals[at].start));
}

} // namespace vramscope
