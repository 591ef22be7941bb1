// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/profile/profile_findings.h"

#include "core/base/bytes.h"
#include "core/base/counted.h"
#include "core/base/durations.h"
#include "core/base/format.h"
#include "core/base/text.h"
#include "core/profile/call_kinds.h"

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
        text += ", " + counted(rows[at]->count, "call") + ", " +
                formatNanoseconds(rows[at]->exposed) + " exposed";
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
    finding.text = counted(count, "collective") + (count == 1 ? " runs " : " run ") +
                   onDevice(device) + " on a stream that also computes, exposed for " +
                   ofSpan(finding.time, device) + ": the work of that stream can never hide " +
                   (count == 1 ? "it." : "them.");
    return finding;
}

/// The first launches of kernels, in which the host does something else, are findings of their own.
ProfileFinding hostBound(const DeviceIdle &idle, std::int64_t behindSlow,
                         const DeviceBreakdown &device)
{
    ProfileFinding finding{ProfileFinding::Kind::HostBound,
                           std::max(std::int64_t(0), wrappingDifference(idle.hostWait, behindSlow)),
                           {},
                           device.device};
    finding.text = "The GPU waited for the CPU in " + counted(idle.hostWaits, "gap") + ", " +
                   ofSpan(idle.hostWait, device) + ": no stream had work queued " +
                   onDevice(device) + " (launch-bound)";
    if (behindSlow > 0)
        finding.text += "; " + formatNanoseconds(behindSlow) + " of it during slow launches";
    finding.text += '.';
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

/// Blocking calls cost no more than they take, and no more than the device was idle until the next
/// launch had come.
ProfileFinding blockingFinding(const ProfileStudy &study, const DeviceBreakdown &device)
{
    const Profile &profile = study.profile();
    const LaunchSummary &launches = study.launches();
    const std::vector<bool> blocks = callsThat(profile, mayBlock);
    std::vector<std::uint32_t> calls;
    for (std::uint32_t call = 0; call < blocks.size(); ++call) {
        if (blocks[call])
            calls.push_back(call);
    }
    const std::int64_t idle = idleBehindCalls(profile, device.device, calls);
    ProfileFinding finding{ProfileFinding::Kind::BlockingCalls,
                           std::min(launches.blockingTime(), idle),
                           {},
                           device.device};
    finding.text =
        "Blocking calls take " + formatNanoseconds(launches.blockingTime()) + " of the CPU's time";
    constexpr std::size_t kNamed = 3;
    for (std::size_t at = 0; at < std::min(launches.blocking.size(), kNamed); ++at) {
        const BlockingCalls &row = launches.blocking[at];
        finding.text += at == 0 ? ": " : "; ";
        finding.text += excerpt(profile.text(row.name), kLongestName) + ", " +
                        counted(row.count, "call") + ", " + formatNanoseconds(row.time);
    }
    finding.text += ". Between them and the next work launched after them, GPU " +
                    std::to_string(device.device) + " was idle for " + formatNanoseconds(idle) +
                    ".";
    return finding;
}

ProfileFinding smallLaunches(const ProfileStudy &study, const DeviceIdle &idle,
                             const DeviceBreakdown &device)
{
    const LaunchSummary &launches = study.launches();
    const std::int64_t lost = wrappingDifference(launches.shortCallTime, launches.shortWorkTime);
    ProfileFinding finding{
        ProfileFinding::Kind::SmallLaunches, std::min(lost, idle.hostWait), {}, device.device};
    const bool isOne = launches.shortLaunches == 1;
    finding.text =
        counted(launches.shortLaunches, "launch call") +
        (isOne ? " takes longer than its kernel runs: " : " take longer than their kernels run: ") +
        formatNanoseconds(launches.shortCallTime) + " on the CPU for " +
        formatNanoseconds(launches.shortWorkTime) +
        " on the GPU; fused kernels or a CUDA graph need fewer launches.";
    return finding;
}

ProfileFinding slowLaunches(const ProfileStudy &study, std::int64_t behind,
                            const DeviceBreakdown &device)
{
    const LaunchSummary &launches = study.launches();
    const auto count = static_cast<std::int64_t>(launches.slowLaunches.size());
    ProfileFinding finding{ProfileFinding::Kind::SlowLaunches, behind, {}, device.device};
    finding.text =
        counted(count, "launch") + (count == 1 ? " takes " : " take ") +
        formatNanoseconds(launches.slowLaunchTime) + " on the CPU, where the median launch takes " +
        formatNanoseconds(launches.medianLaunchTime) + ": the first launch of a kernel " +
        "loads its module. This happens once in a process, not in each step: warm up " +
        "before the recording begins.";
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
            const std::int64_t behindSlow = idleBehindCalls(study.profile(), device.device,
                                                            study.launches().slowLaunches, true);
            found.push_back(hostBound(*idle, behindSlow, device));
            if (isOnlyDevice) { // calls are not told apart by device
                found.push_back(blockingFinding(study, device));
                found.push_back(smallLaunches(study, *idle, device));
                found.push_back(slowLaunches(study, behindSlow, device));
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
