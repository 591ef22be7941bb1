// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/profile/profile.h"

#include <cstdint>
#include <span>
#include <vector>

namespace vramscope {

/// Below this, in nanoseconds, a gap is what the device takes from one kernel to the next.
inline constexpr std::int64_t kKernelGap = 1000;

/// Why a stream ran nothing, in nanoseconds: the gaps between the latest end so far and the next
/// start, by what the next work shows.
struct LaneIdle
{
    std::uint32_t lane = 0;      ///< of Profile::lanes()
    std::int64_t hostWait = 0;   ///< it was called only after the stream had run dry
    std::int64_t kernelWait = 0; ///< it was queued, and the gap is shorter than the threshold
    std::int64_t other = 0;      ///< it was queued: it waited for another stream, or the device
};

/// Of each stream with a gap. Work without a recorded call counts as queued.
[[nodiscard]] std::vector<LaneIdle> idleByLane(const Profile &profile,
                                               std::int64_t threshold = kKernelGap);

/// Why a whole device ran nothing.
struct DeviceIdle
{
    std::int64_t device = -1;
    std::int64_t idle = 0;      ///< between its first start and last end
    std::int64_t hostWait = 0;  ///< gaps at whose beginning no stream had work queued
    std::int64_t hostWaits = 0; ///< how many gaps that are
    [[nodiscard]] std::int64_t queued() const { return idle - hostWait; }
};

/// Of each device with work.
[[nodiscard]] std::vector<DeviceIdle> idleByDevice(const Profile &profile);

/// How long a device ran nothing because of calls of the host, in nanoseconds: between its first
/// start and its last end, from the start of such a call until the next work starts that was
/// launched after it; what several calls share counts once. Nothing where nothing was launched
/// after it, as after the synchronization that ends a recording.
/// `calls`: rows of Profile::calls(). `withOwnWork`: what a call launches itself ends its time too.
[[nodiscard]] std::int64_t idleBehindCalls(const Profile &profile, std::int64_t device,
                                           std::span<const std::uint32_t> calls,
                                           bool withOwnWork = false);

} // namespace vramscope
