// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/result.h"
#include "core/trace/series.h"

#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace vramscope {

/// How to convert the times of a log to those of a trace.
struct ClockOffset
{
    std::int64_t minutes = 0;  ///< east of UTC: how far the log's times are ahead
    bool isAssumed = false;    ///< the log names no time zone
    std::size_t otherFits = 0; ///< how many other offsets give the same overlap with the trace

    bool operator==(const ClockOffset &) const = default;
};

/// Aligns a device of a log with a trace. `traceTimes`: µs since 1970 of its events, ascending. For
/// a log in local time, every time zone offset is tried and the one with the longest overlap wins;
/// among equals whole hours before quarters, then the nearest to UTC. An Error says in one sentence
/// why the two cannot be overlaid.
[[nodiscard]] Result<ClockOffset> alignClock(const Series &log, const SeriesDevice &device,
                                             std::span<const std::int64_t> traceTimes);

/// "times in UTC", "local times taken as UTC+09:00": for people.
[[nodiscard]] std::string offsetText(const ClockOffset &offset);

/// The bytes from a moment until the next point.
struct OverlayPoint
{
    std::int64_t time = 0;  ///< µs since the first event of the trace
    Bytes bytes = kNoBytes; ///< kNoBytes: not known from here on
    bool operator==(const OverlayPoint &) const = default;
};

/// A log's readings for the device of a trace, on the trace's clock.
struct DeviceOverlay
{
    std::string label; ///< of the log's device: "GPU 0"
    ClockOffset offset;
    std::vector<OverlayPoint> points; ///< ascending; unknown while the log pauses

    /// Memory in use on the whole device; kNoBytes if the log does not have it.
    [[nodiscard]] Bytes usedAt(std::int64_t time) const;
    /// The most memory in use in [first, last]; 0 if the log does not have it.
    [[nodiscard]] Bytes highest(std::int64_t first, std::int64_t last) const;
};

/// memory.used of the GPU of a log with the trace's `ordinal`, or of its only GPU.
[[nodiscard]] Result<DeviceOverlay> deviceOverlay(const Series &log, int ordinal,
                                                  std::span<const std::int64_t> traceTimes);

/// Memory of the device outside the allocator (contexts, other processes): used − reserved.
/// kNoBytes if `used` is; negative if the log saw less than the allocator had, which means that it
/// lags behind or belongs to another device.
[[nodiscard]] constexpr Bytes outsideAllocator(Bytes used, Bytes reserved)
{
    return used == kNoBytes ? kNoBytes : wrappingDifference(used, reserved);
}

} // namespace vramscope
