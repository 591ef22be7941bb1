// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/profile/idle.h"

#include "core/base/bytes.h"
#include "core/profile/intervals.h"

#include <algorithm>
#include <limits>
#include <optional>
#include <utility>

namespace vramscope {

namespace {

constexpr std::int64_t kBeforeAll = std::numeric_limits<std::int64_t>::min();

struct LaneState
{
    LaneIdle idle;
    std::int64_t end = 0;
    bool hasRun = false;
    bool hasGap = false;
};

std::int64_t calledAt(const Profile &profile, std::size_t row)
{
    const std::uint32_t call = profile.work().call[row];
    return call == kNoRow ? kBeforeAll : profile.calls().start[call];
}

/// Goes over the work of one device, given by start.
DeviceIdle idleOf(const Profile &profile, std::int64_t device,
                  const std::vector<std::uint32_t> &rows)
{
    const WorkColumns &work = profile.work();
    std::vector<std::int64_t> earliestCall(rows.size()); // of this work and all later
    std::int64_t earliest = std::numeric_limits<std::int64_t>::max();
    for (std::size_t at = rows.size(); at-- > 0;)
        earliestCall[at] = earliest = std::min(earliest, calledAt(profile, rows[at]));
    DeviceIdle result{device};
    std::int64_t end = work.start[rows.front()];
    for (std::size_t at = 0; at < rows.size(); ++at) {
        const std::int64_t start = work.start[rows[at]];
        if (start > end) {
            const std::int64_t gap = wrappingDifference(start, end);
            result.idle = wrappingSum(result.idle, gap);
            if (earliestCall[at] > end) {
                result.hostWait = wrappingSum(result.hostWait, gap);
                ++result.hostWaits;
            }
        }
        end = std::max(end, work.end[rows[at]]);
    }
    return result;
}

} // namespace

std::vector<LaneIdle> idleByLane(const Profile &profile, std::int64_t threshold)
{
    const WorkColumns &work = profile.work();
    std::vector<LaneState> lanes(profile.lanes().size());
    for (std::size_t row = 0; row < work.count(); ++row) {
        LaneState &lane = lanes[work.lane[row]];
        const std::int64_t start = work.start[row];
        if (lane.hasRun && start > lane.end) {
            const std::int64_t gap = wrappingDifference(start, lane.end);
            std::int64_t &cause = calledAt(profile, row) > lane.end ? lane.idle.hostWait
                                  : gap < threshold                 ? lane.idle.kernelWait
                                                                    : lane.idle.other;
            cause = wrappingSum(cause, gap);
            lane.hasGap = true;
        }
        lane.end = lane.hasRun ? std::max(lane.end, work.end[row]) : work.end[row];
        lane.hasRun = true;
    }
    std::vector<LaneIdle> result;
    for (std::uint32_t lane = 0; lane < lanes.size(); ++lane) {
        lanes[lane].idle.lane = lane;
        if (lanes[lane].hasGap)
            result.push_back(lanes[lane].idle);
    }
    return result;
}

std::int64_t idleBehindCalls(const Profile &profile, std::int64_t device,
                             std::span<const std::uint32_t> calls, bool withOwnWork)
{
    const WorkColumns &work = profile.work();
    std::vector<TimeInterval> busy;
    std::vector<std::pair<std::int64_t, std::int64_t>> launched; // when, and the start of the work
    for (std::size_t row = 0; row < work.count(); ++row) {
        if (profile.lanes()[work.lane[row]].device != device)
            continue;
        busy.push_back({work.start[row], work.end[row]});
        if (work.call[row] != kNoRow)
            launched.emplace_back(calledAt(profile, static_cast<std::uint32_t>(row)),
                                  work.start[row]);
    }
    if (busy.empty())
        return 0;
    std::ranges::sort(launched);
    std::vector<std::int64_t> nextStart(launched.size()); // of this launch and all later
    std::int64_t next = std::numeric_limits<std::int64_t>::max();
    for (std::size_t at = launched.size(); at-- > 0;)
        nextStart[at] = next = std::min(next, launched[at].second);
    std::vector<TimeInterval> waits;
    for (const std::uint32_t call : calls) {
        const std::int64_t start = profile.calls().start[call];
        const auto key = [](const auto &launch) { return launch.first; };
        const auto after = withOwnWork ? std::ranges::lower_bound(launched, start, {}, key)
                                       : std::ranges::upper_bound(launched, start, {}, key);
        if (after == launched.end())
            continue;
        const std::int64_t end = nextStart[static_cast<std::size_t>(after - launched.begin())];
        const std::int64_t begin = std::max(start, busy.front().start);
        if (begin < end)
            waits.push_back({begin, end});
    }
    const std::vector<TimeInterval> whole = merged(std::move(waits));
    return wrappingDifference(lengthOf(whole), commonLength(whole, merged(std::move(busy))));
}

std::vector<DeviceIdle> idleByDevice(const Profile &profile)
{
    const WorkColumns &work = profile.work();
    std::vector<std::int64_t> devices;
    std::vector<std::size_t> place;
    for (const ProfileLane &lane : profile.lanes()) { // by device
        if (devices.empty() || devices.back() != lane.device)
            devices.push_back(lane.device);
        place.push_back(devices.size() - 1);
    }
    std::vector<std::vector<std::uint32_t>> rows(devices.size());
    for (std::uint32_t row = 0; row < work.count(); ++row)
        rows[place[work.lane[row]]].push_back(row);
    std::vector<DeviceIdle> result;
    for (std::size_t at = 0; at < devices.size(); ++at) {
        if (!rows[at].empty())
            result.push_back(idleOf(profile, devices[at], rows[at]));
    }
    return result;
}

} // namespace vramscope
