// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/analysis/curves/device_overlay.h"

#include "core/analysis/curves/sample_curve.h"

#include <algorithm>
#include <array>
#include <cstdio>
#include <cstdlib>
#include <tuple>

namespace vramscope {

namespace {

constexpr std::int64_t kMinute = 60'000'000; // µs
/// µs of the year 2001: times of clocks with a start of their own are before it.
constexpr std::int64_t kWallClock = 1'000'000'000'000'000;
constexpr std::int64_t kFarFuture = 100 * kWallClock; // sums stay far from overflowing
constexpr std::int64_t kWestmost = -720;              // minutes: UTC-12:00
constexpr std::int64_t kEastmost = 840;               // UTC+14:00

struct Stretch
{
    std::int64_t first = 0; // µs
    std::int64_t last = 0;
};

bool isWallClock(const Stretch &stretch)
{
    return kWallClock <= stretch.first && stretch.last <= kFarFuture;
}

// The overlap of a log that is `minutes` ahead with the trace; negative if they are apart.
std::int64_t overlap(const Stretch &log, const Stretch &trace, std::int64_t minutes)
{
    const std::int64_t ahead = minutes * kMinute;
    return std::min(log.last - ahead, trace.last) - std::max(log.first - ahead, trace.first);
}

Error apart(const std::string &why)
{
    return {ErrorCode::OtherContent, why};
}

Result<ClockOffset> assumedOffset(const Stretch &log, const Stretch &trace)
{
    std::int64_t longest = -1;
    std::vector<std::int64_t> fits;
    for (std::int64_t minutes = kWestmost; minutes <= kEastmost; minutes += 15) {
        const std::int64_t common = overlap(log, trace, minutes);
        if (common < 0 || common < longest)
            continue;
        if (common > longest)
            fits.clear();
        longest = common;
        fits.push_back(minutes);
    }
    if (fits.empty())
        return apart("The log was taken at another time than the trace, whatever its time zone; "
                     "take a log of the same run.");
    const std::int64_t best = *std::ranges::min_element(fits, {}, [](std::int64_t minutes) {
        return std::tuple(minutes % 60 != 0, std::abs(minutes), minutes);
    });
    return ClockOffset{best, true, fits.size() - 1};
}

// The device of `log` that matches a trace's.
Result<const SeriesDevice *> sameDevice(const Series &log, int ordinal)
{
    std::vector<const SeriesDevice *> used;
    for (const SeriesDevice &device : log.devices()) {
        if (device.curve(CurveRole::DeviceUsed) && !device.time.empty())
            used.push_back(&device);
    }
    if (used.empty())
        return apart("The log does not say how much memory was in use; record it with nvidia-smi "
                     "--query-gpu=timestamp,index,memory.used,memory.total --format=csv -lms 100.");
    const auto same = std::ranges::find(used, ordinal, &SeriesDevice::ordinal);
    if (same != used.end())
        return *same;
    if (used.size() == 1)
        return used.front();
    return apart("The log has no GPU " + std::to_string(ordinal) + ", of which the trace is.");
}

} // namespace

Result<ClockOffset> alignClock(const Series &log, const SeriesDevice &device,
                               std::span<const std::int64_t> traceTimes)
{
    if (log.clock() == Clock::Relative || device.time.empty())
        return apart(
            "The log's times do not name the day; record them with --query-gpu=timestamp.");
    if (traceTimes.empty())
        return apart("The trace has no timestamps, so a log cannot be laid over it.");
    const Stretch trace{traceTimes.front(), traceTimes.back()};
    const Stretch logged{device.time.front() / 1000, device.time.back() / 1000};
    if (!isWallClock(trace))
        return apart("The trace's timestamps do not count from 1970, so a log cannot be laid over "
                     "it.");
    if (!isWallClock(logged))
        return apart("The log's times are not of this century, so it cannot be laid over a trace.");
    if (log.clock() == Clock::LocalTime)
        return assumedOffset(logged, trace);
    if (overlap(logged, trace, 0) < 0)
        return apart("The log was taken at another time than the trace; take a log of the same "
                     "run.");
    return ClockOffset{};
}

std::string offsetText(const ClockOffset &offset)
{
    if (!offset.isAssumed)
        return "times in UTC";
    std::array<char, 16> zone{};
    const auto minutes = static_cast<int>(std::abs(offset.minutes));
    std::snprintf(zone.data(), zone.size(), "%c%02d:%02d", offset.minutes < 0 ? '-' : '+',
                  minutes / 60, minutes % 60);
    std::string text = std::string("local times taken as UTC") + zone.data();
    if (offset.otherFits > 0)
        text += " (" + std::to_string(offset.otherFits) + " other offset" +
                (offset.otherFits > 1 ? "s fit" : " fits") + " as well)";
    return text;
}

Bytes DeviceOverlay::usedAt(std::int64_t time) const
{
    const auto after = std::ranges::upper_bound(points, time, {}, &OverlayPoint::time);
    return after == points.begin() ? kNoBytes : (after - 1)->bytes;
}

Bytes DeviceOverlay::highest(std::int64_t first, std::int64_t last) const
{
    Bytes most = std::max(usedAt(first), Bytes(0));
    for (const OverlayPoint &point : points) {
        if (first <= point.time && point.time <= last)
            most = std::max(most, point.bytes);
    }
    return most;
}

Result<DeviceOverlay> deviceOverlay(const Series &log, int ordinal,
                                    std::span<const std::int64_t> traceTimes)
{
    const auto device = sameDevice(log, ordinal);
    if (!device)
        return device.error();
    const auto offset = alignClock(log, **device, traceTimes);
    if (!offset)
        return offset.error();
    const std::int64_t start =
        (*device)->time.front() / 1000 - offset->minutes * kMinute - traceTimes.front();
    const SampleTimes times(**device, (*device)->time.front());
    const std::vector<Bytes> &used = (*device)->curve(CurveRole::DeviceUsed)->values;
    DeviceOverlay overlay{(*device)->label, *offset, {}};
    for (std::size_t at = 0; at < used.size(); ++at) {
        const std::int64_t taken = times.microseconds()[at];
        overlay.points.push_back({start + taken, used[at]});
        const std::int64_t end = times.end(at);
        if (at + 1 == used.size() || end < times.microseconds()[at + 1])
            overlay.points.push_back({start + end, kNoBytes});
    }
    return overlay;
}

} // namespace vramscope
