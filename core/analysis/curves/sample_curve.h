// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/max_tree.h"
#include "core/trace/series.h"

#include <optional>
#include <span>
#include <vector>

namespace vramscope {

/// A column of sizes with the highest and the lowest of any range in logarithmic time; samples
/// without a value are skipped. Keeps the span.
class SampleCurve
{
public:
    explicit SampleCurve(std::span<const Bytes> values);
    SampleCurve(const SampleCurve &) = delete;
    SampleCurve &operator=(const SampleCurve &) = delete;

    [[nodiscard]] std::size_t count() const { return m_values.size(); }
    /// kNoBytes if the sample has no value.
    [[nodiscard]] Bytes at(std::size_t sample) const { return m_values[sample]; }

    /// The sample in [first, last] with most bytes, the first of equals; nothing without values.
    [[nodiscard]] std::optional<std::size_t> highest(std::size_t first, std::size_t last) const;
    /// The sample in [first, last] with the fewest bytes; otherwise like highest().
    [[nodiscard]] std::optional<std::size_t> lowest(std::size_t first, std::size_t last) const;

private:
    // Orders the fewest bytes last and missing values first.
    struct Fewer
    {
        bool operator()(Bytes a, Bytes b) const
        {
            return b != kNoBytes && (a == kNoBytes || b < a);
        }
    };

    std::span<const Bytes> m_values;
    MaxTree<Bytes> m_highest;
    MaxTree<Bytes, Fewer> m_lowest;
};

/// Consecutive samples, both included.
struct SampleSpan
{
    std::size_t first = 0;
    std::size_t last = 0;
    bool operator==(const SampleSpan &) const = default;
};

/// When the samples of a device were taken and how long each is valid, in µs since `origin`. An
/// allocator's figure is valid until its next report; a log's reading until the next one too, but
/// only for the usual interval if the log pauses.
class SampleTimes
{
public:
    SampleTimes() = default;
    /// `origin`: nanoseconds, not after the first sample.
    SampleTimes(const SeriesDevice &device, std::int64_t origin);

    /// Ascending.
    [[nodiscard]] std::span<const std::int64_t> microseconds() const { return m_times; }
    /// The first moment at which the sample is no longer valid; the largest number if it has no
    /// end.
    [[nodiscard]] std::int64_t end(std::size_t sample) const;
    /// The sample valid at `time`; nothing before the first and while the log pauses.
    [[nodiscard]] std::optional<std::size_t> at(double time) const;
    /// The samples valid somewhere in [from, to).
    [[nodiscard]] std::optional<SampleSpan> within(double from, double to) const;

private:
    std::vector<std::int64_t> m_times;
    std::int64_t m_interval = 0; ///< the usual one between two readings; 0 without readings
};

} // namespace vramscope
