// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/profile/profile.h"

#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

namespace vramscope {

/// Whether a call of CUDA or HIP makes the host wait until the device is done: synchronizing calls
/// and copies that are not asynchronous.
[[nodiscard]] bool waitsForDevice(std::string_view call);

/// Whether a call may hold up the host: what waits for the device, and allocating or freeing memory
/// of the device.
[[nodiscard]] bool mayBlock(std::string_view call);

/// Whether a call launches a CUDA or HIP graph, however many kernels that has.
[[nodiscard]] bool launchesGraph(std::string_view call);

/// What a call of a device's runtime or driver is for.
enum class CallPurpose : std::uint8_t { Launch, Copy, Wait, Other };
/// By its name: launches of kernels and graphs; copies and fills; waits for the device, a stream or
/// an event. Of HIP, CUDA and their like.
[[nodiscard]] CallPurpose purposeOf(std::string_view call);

/// The calls whose names pass a test, which is made once for each name.
[[nodiscard]] std::vector<bool> callsThat(const Profile &profile, bool (*test)(std::string_view));

/// Delays in nanoseconds.
struct DelayFigures
{
    std::int64_t count = 0;
    std::int64_t median = 0; ///< of an even number the lower one
    std::int64_t most = 0;
    std::int64_t sum = 0;
    [[nodiscard]] double mean() const
    {
        return static_cast<double>(sum) / static_cast<double>(count);
    }
};

/// Calls of one name that may hold up the host.
struct BlockingCalls
{
    StringId name = StringId::Empty;
    std::int64_t count = 0;
    std::int64_t time = 0; ///< sum of their durations
    std::int64_t longest = 0;
    bool waits = false; ///< for the device; else it allocates or frees
};

/// How work came to the devices.
struct LaunchSummary
{
    std::int64_t linked = 0;   ///< work whose call was recorded
    std::int64_t unlinked = 0; ///< in all device times, but of no step and no operator
    std::int64_t negative = 0; ///< work that starts before its call: the clocks disagree
    std::optional<DelayFigures> fromCallStart; ///< start − start of the call
    std::optional<DelayFigures> afterCallEnd;  ///< start − end of the call, 0 at least
    /// Calls that launch kernels one by one and take longer than what they launch; each counts
    /// once. Launches of graphs, which already share one call, and slow launches are none of them.
    std::int64_t shortLaunches = 0;
    std::int64_t shortWorkTime = 0; ///< of their kernels on the device
    std::int64_t shortCallTime = 0; ///< and of the calls on the host
    /// Launches that take far longer than the median launch: the first launch of a kernel loads its
    /// module, and a launch waits where the queue is full.
    std::vector<std::uint32_t> slowLaunches; ///< calls
    std::int64_t slowLaunchTime = 0;         ///< of them on the host
    std::int64_t medianLaunchTime = 0;       ///< of all launches of single kernels
    std::vector<BlockingCalls> blocking;     ///< the longest time first

    [[nodiscard]] std::int64_t blockingTime() const;
};

[[nodiscard]] LaunchSummary summarizeLaunches(const Profile &profile);

} // namespace vramscope
