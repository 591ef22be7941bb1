// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/profile/breakdown.h"

#include "core/base/bytes.h"
#include "core/profile/intervals.h"

#include <algorithm>
#include <numeric>

namespace vramscope {

std::vector<std::uint32_t> everyWork(const Profile &profile)
{
    std::vector<std::uint32_t> rows(profile.work().count());
    std::iota(rows.begin(), rows.end(), 0U);
    return rows;
}

std::vector<std::uint32_t> workStartedWithin(const Profile &profile, std::int64_t from,
                                             std::int64_t to)
{
    const std::vector<std::int64_t> &starts = profile.work().start;
    const auto first = std::ranges::lower_bound(starts, from) - starts.begin();
    const auto last = std::ranges::lower_bound(starts, to) - starts.begin();
    std::vector<std::uint32_t> rows(
        static_cast<std::size_t>(std::max<std::ptrdiff_t>(last - first, 0)));
    std::iota(rows.begin(), rows.end(), static_cast<std::uint32_t>(first));
    return rows;
}

std::vector<std::uint32_t> workCalledWithin(const Profile &profile, std::int64_t from,
                                            std::int64_t to)
{
    const WorkColumns &work = profile.work();
    std::vector<std::uint32_t> rows;
    for (std::uint32_t row = 0; row < work.count(); ++row) {
        if (work.call[row] == kNoRow)
            continue;
        const std::int64_t called = profile.calls().start[work.call[row]];
        if (from <= called && called < to)
            rows.push_back(row);
    }
    return rows;
}

std::vector<std::uint32_t> workOfStep(const Profile &profile, std::string_view step)
{
    std::vector<std::uint32_t> all;
    std::size_t parts = 0;
    for (const ProfilerStep &each : profile.steps()) {
        if (profile.text(each.name) != step)
            continue;
        const auto rows = workCalledWithin(profile, each.start, each.end);
        all.insert(all.end(), rows.begin(), rows.end());
        ++parts;
    }
    if (parts > 1) { // several ranges of one name may overlap
        std::ranges::sort(all);
        // std::ranges::unique() does not compile with clang 14.
        all.erase(std::unique(all.begin(), all.end()), all.end());
    }
    return all;
}

std::vector<std::uint32_t> workOfAllSteps(const Profile &profile)
{
    std::vector<TimeInterval> within;
    for (const ProfilerStep &each : profile.steps())
        within.push_back({each.start, each.end});
    within = merged(std::move(within));
    const WorkColumns &work = profile.work();
    std::vector<std::uint32_t> rows;
    for (std::uint32_t row = 0; row < work.count(); ++row) {
        if (work.call[row] == kNoRow)
            continue;
        const std::int64_t called = profile.calls().start[work.call[row]];
        const auto next = std::ranges::upper_bound(within, called, {}, &TimeInterval::start);
        if (next != within.begin() && called < (next - 1)->end)
            rows.push_back(row);
    }
    return rows;
}

std::int64_t TimeBreakdown::count() const
{
    return std::accumulate(counts.begin(), counts.end(), std::int64_t(0));
}

std::optional<double> TimeBreakdown::overlap() const
{
    if (communication == 0)
        return std::nullopt;
    return static_cast<double>(overlappedCommunication) / static_cast<double>(communication);
}

std::optional<double> TimeBreakdown::computeEfficiency() const
{
    if (span == 0)
        return std::nullopt;
    return static_cast<double>(compute) / static_cast<double>(span);
}

void BreakdownSweep::Union::add(std::int64_t start, std::int64_t until)
{
    if (count++ == 0) {
        first = start;
        end = start;
    }
    if (until <= end)
        return;
    length = wrappingSum(length, wrappingDifference(until, std::max(start, end)));
    end = until;
}

void BreakdownSweep::add(std::int64_t start, std::int64_t end, WorkClass workClass)
{
    ++m_counts[static_cast<std::size_t>(workClass)];
    m_every.add(start, end);
    switch (workClass) {
    case WorkClass::Compute:
        m_compute.add(start, end);
        m_both.add(start, end);
        return;
    case WorkClass::Communication:
        m_communication.add(start, end);
        m_both.add(start, end);
        return;
    case WorkClass::Copy:
    case WorkClass::Fill:
        m_memory.add(start, end);
        return;
    }
}

/// What two unions have in common is what the union of both is shorter than their sum.
TimeBreakdown BreakdownSweep::finish() const
{
    TimeBreakdown result;
    result.start = m_every.first;
    result.span = wrappingDifference(m_every.end, m_every.first);
    result.compute = m_compute.length;
    result.communication = m_communication.length;
    result.memory = m_memory.length;
    result.busy = m_every.length;
    result.idle = wrappingDifference(result.span, result.busy);
    result.exposedCommunication = wrappingDifference(m_both.length, m_compute.length);
    result.overlappedCommunication =
        wrappingDifference(result.communication, result.exposedCommunication);
    result.exposedCopy = wrappingDifference(m_every.length, m_both.length);
    result.counts = m_counts;
    return result;
}

std::optional<TimeBreakdown> breakdown(const Profile &profile, const WorkClasses &classes,
                                       WorkRows rows)
{
    const WorkColumns &work = profile.work();
    BreakdownSweep sweep;
    for (const std::uint32_t row : rows)
        sweep.add(work.start[row], work.end[row], classes.workClass[row]);
    if (sweep.isEmpty())
        return std::nullopt;
    return sweep.finish();
}

std::vector<DeviceBreakdown> breakdownByDevice(const Profile &profile, const WorkClasses &classes,
                                               WorkRows rows)
{
    const WorkColumns &work = profile.work();
    const std::span<const ProfileLane> lanes = profile.lanes();
    std::vector<std::size_t> place(lanes.size()); // lanes are by device
    std::vector<std::int64_t> devices;
    for (std::size_t lane = 0; lane < lanes.size(); ++lane) {
        if (devices.empty() || devices.back() != lanes[lane].device)
            devices.push_back(lanes[lane].device);
        place[lane] = devices.size() - 1;
    }
    std::vector<BreakdownSweep> sweeps(devices.size());
    for (const std::uint32_t row : rows)
        sweeps[place[work.lane[row]]].add(work.start[row], work.end[row], classes.workClass[row]);
    std::vector<DeviceBreakdown> result;
    for (std::size_t at = 0; at < devices.size(); ++at) {
        if (!sweeps[at].isEmpty())
            result.push_back({devices[at], sweeps[at].finish()});
    }
    return result;
}

std::vector<LaneBreakdown> breakdownByLane(const Profile &profile, const WorkClasses &classes,
                                           WorkRows rows)
{
    const WorkColumns &work = profile.work();
    std::vector<BreakdownSweep> sweeps(profile.lanes().size());
    for (const std::uint32_t row : rows)
        sweeps[work.lane[row]].add(work.start[row], work.end[row], classes.workClass[row]);
    std::vector<LaneBreakdown> result;
    for (std::uint32_t lane = 0; lane < sweeps.size(); ++lane) {
        if (!sweeps[lane].isEmpty())
            result.push_back({lane, sweeps[lane].finish()});
    }
    return result;
}

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
