// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/analysis/curves/sample_curve.h"

#include <limits>

namespace vramscope {

namespace {

constexpr std::int64_t kForever = std::numeric_limits<std::int64_t>::max();
/// A log pauses if it is silent for more than this many of its usual intervals.
constexpr std::int64_t kPause = 4;

// The median nonzero interval between neighbours; at least 1.
std::int64_t usualInterval(std::span<const std::int64_t> times)
{
    std::vector<std::int64_t> steps;
    for (std::size_t at = 1; at < times.size(); ++at) {
        if (times[at] > times[at - 1])
            steps.push_back(times[at] - times[at - 1]);
    }
    if (steps.empty())
        return 1;
    const auto middle = steps.begin() + static_cast<std::ptrdiff_t>(steps.size() / 2);
    std::ranges::nth_element(steps, middle);
    return *middle;
}

} // namespace

SampleCurve::SampleCurve(std::span<const Bytes> values)
    : m_values(values)
    , m_highest(values)
    , m_lowest(values)
{
}

std::optional<std::size_t> SampleCurve::highest(std::size_t first, std::size_t last) const
{
    const std::size_t sample = m_highest.argMax(first, last + 1);
    return m_values[sample] == kNoBytes ? std::nullopt : std::optional(sample);
}

std::optional<std::size_t> SampleCurve::lowest(std::size_t first, std::size_t last) const
{
    const std::size_t sample = m_lowest.argMax(first, last + 1);
    return m_values[sample] == kNoBytes ? std::nullopt : std::optional(sample);
}

SampleTimes::SampleTimes(const SeriesDevice &device, std::int64_t origin)
{
    m_times.reserve(device.time.size());
    for (const std::int64_t time : device.time) {
        const std::int64_t since = wrappingDifference(time, origin);
        m_times.push_back(since < 0 ? kForever / 1000 : since / 1000); // further than 292 years
    }
    if (!device.curve(CurveRole::Allocated))
        m_interval = usualInterval(m_times);
}

std::int64_t SampleTimes::end(std::size_t sample) const
{
    const bool last = sample + 1 == m_times.size();
    const std::int64_t next = last ? kForever : m_times[sample + 1];
    if (m_interval == 0 || (!last && (next - m_times[sample]) / kPause < m_interval))
        return next;
    return m_times[sample] + m_interval;
}

std::optional<std::size_t> SampleTimes::at(double time) const
{
    const auto after = std::ranges::upper_bound(
        m_times, time, {}, [](std::int64_t value) { return static_cast<double>(value); });
    if (after == m_times.begin())
        return std::nullopt;
    const auto sample = static_cast<std::size_t>(after - m_times.begin()) - 1;
    return time < static_cast<double>(end(sample)) ? std::optional(sample) : std::nullopt;
}

std::optional<SampleSpan> SampleTimes::within(double from, double to) const
{
    const auto asDouble = [](std::int64_t value) { return static_cast<double>(value); };
    // The last of several samples at one instant is in effect, but all are considered: none is
    // lost.
    const auto onward = std::ranges::lower_bound(m_times, from, {}, asDouble);
    auto first = static_cast<std::size_t>(onward - m_times.begin());
    if (onward == m_times.end() || asDouble(*onward) > from)
        first = at(from).value_or(first);
    const auto end = std::ranges::lower_bound(m_times, to, {}, asDouble) - m_times.begin();
    if (first >= static_cast<std::size_t>(end))
        return std::nullopt;
    return SampleSpan{first, static_cast<std::size_t>(end) - 1};
}

} // namespace vramscope
