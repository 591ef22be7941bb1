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

/// How the times of a log lead to those of a trace.
struct ClockOffset
{
    std::int64_t minutes = 0;  ///< east of UTC: what the log's times are ahead by
    bool isAssumed = false;    ///< the log names no time zone
    std::size_t otherFits = 0; ///< how many other offsets overlap with the trace as long

    bool operator==(const ClockOffset &) const = default;
};

/// Where a device of a log stands against a trace. `traceTimes`: µs since 1970 of its events,
/// ascending. A log in local time is tried with every offset that a time zone has, and the one with
/// the longest overlap taken; among equals whole hours before quarters, then the nearest to UTC. An
/// Error says in one sentence why the two cannot be laid over each other.
[[nodiscard]] Result<ClockOffset> alignClock(const Series &log, const SeriesDevice &device,
                                             std::span<const std::int64_t> traceTimes);

/// "times in UTC", "local times taken as UTC+09:00": for people.
[[nodiscard]] std::string offsetText(const ClockOffset &offset);

/// Bytes from a moment on, until the next point.
struct OverlayPoint
{
    std::int64_t time = 0;  ///< µs since the first event of the trace
    Bytes bytes = kNoBytes; ///< kNoBytes: not known from here on
    bool operator==(const OverlayPoint &) const = default;
};

/// What a log says of the device of a trace, on the trace's clock.
struct DeviceOverlay
{
    std::string label; ///< of the log's device: "GPU 0"
    ClockOffset offset;
    std::vector<OverlayPoint> points; ///< ascending; not known where the log pauses

    /// What the whole device had in use; kNoBytes where the log does not say.
    [[nodiscard]] Bytes usedAt(std::int64_t time) const;
    /// The most that was in use in [first, last]; 0 where the log does not say.
    [[nodiscard]] Bytes highest(std::int64_t first, std::int64_t last) const;
};

/// memory.used of the GPU of a log with the trace's `ordinal`, or of the only one in it.
[[nodiscard]] Result<DeviceOverlay> deviceOverlay(const Series &log, int ordinal,
                                                  std::span<const std::int64_t> traceTimes);

/// What the device holds outside the allocator (contexts, other processes): used − reserved.
/// kNoBytes where `used` is; negative where the log saw less than the allocator had, which means
/// that it lags behind or is of another device.
[[nodiscard]] constexpr Bytes outsideAllocator(Bytes used, Bytes reserved)
{
    return used == kNoBytes ? kNoBytes : wrappingDifference(used, reserved);
}

} // namespace vramscope
