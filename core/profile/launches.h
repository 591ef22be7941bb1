// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/profile/profile.h"

#include <cstdint>
#include <optional>
#include <vector>

namespace vramscope {

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
