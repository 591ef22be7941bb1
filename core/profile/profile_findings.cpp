// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/profile/profile_findings.h"

#include "core/base/bytes.h"
#include "core/base/format.h"
#include "core/base/text.h"
#include "core/profile/profile_times.h"

#include <algorithm>

namespace vramscope {

namespace {

constexpr std::size_t kLongestName = 80;

std::string onDevice(const DeviceBreakdown &device)
{
    return "on device " + std::to_string(device.device);
}

std::string ofSpan(std::int64_t time, const DeviceBreakdown &device)
{
    return formatNanoseconds(time) + " (" + formatTimeShare(time, device.times.span) + " of " +
           formatNanoseconds(device.times.span) + ")";
}

std::string callCount(std::int64_t count)
{
    return formatCount(count) + (count == 1 ? " call" : " calls");
}

/// "allreduce of 5.44 MiB, 12 calls, 40.1 ms exposed", of the rows that are exposed most.
std::string collectivesBehind(const ProfileStudy &study)
{
    std::vector<const CollectiveRow *> rows;
    for (const CollectiveRow &each : study.collectiveTable()) {
        if (each.exposed > 0)
            rows.push_back(&each);
    }
    std::ranges::stable_sort(rows, std::ranges::greater(), &CollectiveRow::exposed);
    std::string text;
    constexpr std::size_t kNamed = 3;
    for (std::size_t at = 0; at < std::min(rows.size(), kNamed); ++at) {
        const CollectiveCall &call = rows[at]->first;
        text += at == 0 ? "" : "; ";
        text += call.kind == CollectiveKind::Unknown
                    ? excerpt(study.profile().text(study.profile().work().name[call.work]),
                              kLongestName)
                    : std::string(textOf(call.kind));
        if (call.bytes)
            text += " of " + formatBytes(*call.bytes);
        text += ", " + callCount(rows[at]->count) + ", " + formatNanoseconds(rows[at]->exposed) +
                " exposed";
    }
    return text;
}

ProfileFinding exposedCommunication(const ProfileStudy &study, const DeviceBreakdown &device)
{
    const TimeBreakdown &times = device.times;
    ProfileFinding finding{
        ProfileFinding::Kind::ExposedCommunication, times.exposedCommunication, {}, device.device};
    finding.text = "Nothing computes while " + ofSpan(times.exposedCommunication, device) +
                   " of communication runs " + onDevice(device);
    if (const auto overlap = times.overlap())
        finding.text += "; " + formatTimeShare(times.overlappedCommunication, times.communication) +
                        " of it is hidden";
    if (study.devices().size() == 1) {
        if (const std::string behind = collectivesBehind(study); !behind.empty())
            finding.text += ". Most exposed: " + behind;
    }
    finding.text += '.';
    return finding;
}

/// Communication on streams that also compute can hide behind nothing that they compute.
ProfileFinding sameStream(const ProfileStudy &study, const DeviceBreakdown &device)
{
    const WorkColumns &work = study.profile().work();
    const std::span<const ProfileLane> lanes = study.profile().lanes();
    std::vector<bool> isShared(lanes.size());
    constexpr auto kCompute = static_cast<std::size_t>(WorkClass::Compute);
    for (const LaneBreakdown &lane : study.lanes())
        isShared[lane.lane] =
            lane.times.counts[kCompute] > 0 && lanes[lane.lane].device == device.device;
    ProfileFinding finding{ProfileFinding::Kind::SameStream, 0, {}, device.device};
    std::int64_t count = 0;
    for (const CollectiveCall &call : study.collectives().calls) {
        if (!isShared[work.lane[call.work]])
            continue;
        ++count;
        finding.time = wrappingSum(finding.time, study.exposed()[call.work]);
    }
    finding.text = formatCount(count) + " pieces of communication run " + onDevice(device) +
                   " on a stream that also computes, " + ofSpan(finding.time, device) +
                   " of them exposed: what that stream computes can never hide them.";
    return finding;
}

ProfileFinding hostBound(const DeviceIdle &idle, const DeviceBreakdown &device)
{
    ProfileFinding finding{ProfileFinding::Kind::HostBound, idle.hostWait, {}, device.device};
    finding.text = "The host comes too late: in " + formatCount(idle.hostWaits) + " gaps, " +
                   ofSpan(idle.hostWait, device) + ", no stream had work queued " +
                   onDevice(device) + ".";
    return finding;
}

ProfileFinding exposedCopies(const DeviceBreakdown &device)
{
    ProfileFinding finding{
        ProfileFinding::Kind::ExposedCopies, device.times.exposedCopy, {}, device.device};
    finding.text = "Copies and fills run alone for " + ofSpan(finding.time, device) + ' ' +
                   onDevice(device) + ".";
    return finding;
}

/// What blocks the host costs no more than the device stood still for it.
ProfileFinding blockingFinding(const ProfileStudy &study, const DeviceIdle &idle,
                               const DeviceBreakdown &device)
{
    const LaunchSummary &launches = study.launches();
    ProfileFinding finding{ProfileFinding::Kind::BlockingCalls,
                           std::min(launches.blockingTime(), idle.hostWait),
                           {},
                           device.device};
    finding.text = "Calls hold up the host for " + formatNanoseconds(launches.blockingTime());
    constexpr std::size_t kNamed = 3;
    for (std::size_t at = 0; at < std::min(launches.blocking.size(), kNamed); ++at) {
        const BlockingCalls &calls = launches.blocking[at];
        finding.text += at == 0 ? ": " : "; ";
        finding.text += excerpt(study.profile().text(calls.name), kLongestName) + ", " +
                        callCount(calls.count) + ", " + formatNanoseconds(calls.time);
    }
    finding.text += ". Device " + std::to_string(device.device) +
                    " stood still for want of work for " + formatNanoseconds(idle.hostWait) + ".";
    return finding;
}

ProfileFinding smallLaunches(const ProfileStudy &study, const DeviceIdle &idle,
                             const DeviceBreakdown &device)
{
    const LaunchSummary &launches = study.launches();
    const std::int64_t lost = wrappingDifference(launches.shortCallTime, launches.shortWorkTime);
    ProfileFinding finding{
        ProfileFinding::Kind::SmallLaunches, std::min(lost, idle.hostWait), {}, device.device};
    finding.text = formatCount(launches.shortWork) +
                   " kernels run shorter than the call that launches them: " +
                   formatNanoseconds(launches.shortWorkTime) + " on devices, " +
                   formatNanoseconds(launches.shortCallTime) +
                   " on the host; fused or in a graph they would cost less.";
    return finding;
}

} // namespace

std::vector<ProfileFinding> profileFindings(const ProfileStudy &study)
{
    std::vector<ProfileFinding> all;
    const bool isOnlyDevice = study.devices().size() == 1;
    for (const DeviceBreakdown &device : study.devices()) {
        const auto idle = std::ranges::find(study.deviceIdle(), device.device, &DeviceIdle::device);
        std::vector<ProfileFinding> found{exposedCommunication(study, device),
                                          sameStream(study, device), exposedCopies(device)};
        if (idle != study.deviceIdle().end()) {
            found.push_back(hostBound(*idle, device));
            if (isOnlyDevice) { // calls are not told apart by device
                found.push_back(blockingFinding(study, *idle, device));
                found.push_back(smallLaunches(study, *idle, device));
            }
        }
        for (ProfileFinding &each : found) {
            if (each.time > device.times.span / 200)
                all.push_back(std::move(each));
        }
    }
    std::ranges::stable_sort(all, std::ranges::greater(), &ProfileFinding::time);
    return all;
}

} // namespace vramscope
