// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/profile/exposure.h"

#include "core/base/bytes.h"
#include "core/profile/intervals.h"

namespace vramscope {

namespace {

/// What hides work of one device, each as a union that grows with work by start.
struct Cover
{
    std::vector<TimeInterval> compute;
    std::vector<TimeInterval> both; ///< compute or communication, from the first of that on
    bool communicates = false;

    static void add(std::vector<TimeInterval> &to, std::int64_t start, std::int64_t end)
    {
        if (!to.empty() && start <= to.back().end)
            to.back().end = std::max(to.back().end, end);
        else
            to.push_back({start, end});
    }
};

} // namespace

std::vector<std::int64_t> exposedTimes(const Profile &profile, const WorkClasses &classes)
{
    const WorkColumns &work = profile.work();
    std::vector<std::size_t> place; // of a lane's device
    std::vector<Cover> covers;
    const std::span<const ProfileLane> lanes = profile.lanes();
    for (std::size_t lane = 0; lane < lanes.size(); ++lane) {
        if (lane == 0 || lanes[lane].device != lanes[lane - 1].device)
            covers.emplace_back();
        place.push_back(covers.size() - 1);
    }
    for (std::size_t row = 0; row < work.count(); ++row) {
        Cover &cover = covers[place[work.lane[row]]];
        const bool computes = classes.workClass[row] == WorkClass::Compute;
        const bool communicates = classes.workClass[row] == WorkClass::Communication;
        if (communicates && !cover.communicates) {
            cover.communicates = true;
            cover.both = cover.compute;
        }
        if (computes)
            Cover::add(cover.compute, work.start[row], work.end[row]);
        if (cover.communicates && (computes || communicates))
            Cover::add(cover.both, work.start[row], work.end[row]);
    }
    std::vector<IntervalCoverage> compute;
    std::vector<IntervalCoverage> both;
    for (Cover &cover : covers) {
        compute.emplace_back(std::move(cover.compute));
        both.emplace_back(std::move(cover.both));
    }
    std::vector<std::int64_t> exposed(work.count());
    for (std::size_t row = 0; row < work.count(); ++row) {
        const std::size_t device = place[work.lane[row]];
        const auto hidden = [&](const IntervalCoverage &by) {
            return by.covered(work.start[row], work.end[row]);
        };
        exposed[row] = work.duration(row);
        if (classes.workClass[row] == WorkClass::Communication)
            exposed[row] -= hidden(compute[device]);
        else if (classes.workClass[row] != WorkClass::Compute)
            exposed[row] -= hidden(covers[device].communicates ? both[device] : compute[device]);
    }
    return exposed;
}

} // namespace vramscope
