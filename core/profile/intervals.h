// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace vramscope {

/// From `start` up to but not including `end`, in nanoseconds.
struct TimeInterval
{
    std::int64_t start = 0;
    std::int64_t end = 0;
    bool operator==(const TimeInterval &) const = default;
};

/// The union, by start; intervals that touch become one.
[[nodiscard]] std::vector<TimeInterval> merged(std::vector<TimeInterval> intervals);

/// The sum of the lengths.
[[nodiscard]] std::int64_t lengthOf(std::span<const TimeInterval> intervals);

/// The time that lies in both of two unions, as merged() gives them.
[[nodiscard]] std::int64_t commonLength(std::span<const TimeInterval> a,
                                        std::span<const TimeInterval> b);

/// Answers how much of an interval a union covers, in the logarithm of its size.
class IntervalCoverage
{
public:
    /// `intervals` as merged() gives them.
    explicit IntervalCoverage(std::vector<TimeInterval> intervals);

    [[nodiscard]] std::int64_t covered(std::int64_t start, std::int64_t end) const
    {
        return end > start ? before(end) - before(start) : 0;
    }
    [[nodiscard]] const std::vector<TimeInterval> &intervals() const { return m_intervals; }

private:
    [[nodiscard]] std::int64_t before(std::int64_t time) const;

    std::vector<TimeInterval> m_intervals;
    std::vector<std::int64_t> m_before; ///< the length of all intervals before each
};

} // namespace vramscope
