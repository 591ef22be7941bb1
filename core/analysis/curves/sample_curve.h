// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/max_tree.h"
#include "core/trace/series.h"

#include <optional>
#include <span>
#include <vector>

namespace vramscope {

/// A column of sizes with the highest and the lowest of any stretch in logarithmic time; samples
/// without a value are passed over. Keeps the span it is given.
class SampleCurve
{
public:
    explicit SampleCurve(std::span<const Bytes> values);
    SampleCurve(const SampleCurve &) = delete;
    SampleCurve &operator=(const SampleCurve &) = delete;

    [[nodiscard]] std::size_t count() const { return m_values.size(); }
    /// kNoBytes where the sample has no value.
    [[nodiscard]] Bytes at(std::size_t sample) const { return m_values[sample]; }

    /// The sample in [first, last] with most bytes, the first of equals; none where none has a
    /// value.
    [[nodiscard]] std::optional<std::size_t> highest(std::size_t first, std::size_t last) const;
    /// The sample in [first, last] with the fewest bytes, likewise.
    [[nodiscard]] std::optional<std::size_t> lowest(std::size_t first, std::size_t last) const;

private:
    // Orders the fewest bytes last and what has no value first.
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

/// When the samples of a device were taken and until when each of them stands, in µs since
/// `origin`. What an allocator reports stands until it reports again; a reading of a log stands
/// until the next one too, but only for the usual interval where the log pauses.
class SampleTimes
{
public:
    SampleTimes() = default;
    /// `origin`: nanoseconds, not after the first sample.
    SampleTimes(const SeriesDevice &device, std::int64_t origin);

    /// Ascending.
    [[nodiscard]] std::span<const std::int64_t> microseconds() const { return m_times; }
    /// The first moment at which the sample no longer stands; the greatest number where it goes on.
    [[nodiscard]] std::int64_t end(std::size_t sample) const;
    /// The sample that stands at `time`; none before the first and where the log pauses.
    [[nodiscard]] std::optional<std::size_t> at(double time) const;
    /// The samples that stand somewhere in [from, to).
    [[nodiscard]] std::optional<SampleSpan> within(double from, double to) const;

private:
    std::vector<std::int64_t> m_times;
    std::int64_t m_interval = 0; ///< the usual one between two readings; 0: no readings
};

} // namespace vramscope
