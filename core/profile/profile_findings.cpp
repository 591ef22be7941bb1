// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/profile/profile_findings.h"

#include "core/base/bytes.h"
#include "core/base/counted.h"
#include "core/base/durations.h"
#include "core/base/format.h"
#include "core/base/text.h"
#include "core/profile/launches.h"

#include <algorithm>
#include <array>
#include <map>

namespace vramscope {

namespace {

constexpr std::size_t kLongestName = 80;

Finding findingOf(std::string_view kind, std::string_view title, std::int64_t time,
                  std::string sentence)
{
    return {std::string(kind), Tone::Warning, std::string(title) + ": " + formatNanoseconds(time),
            std::move(sentence), time};
}

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

Finding exposedCommunication(const ProfileStudy &study, const DeviceBreakdown &device)
{
    const TimeBreakdown &times = device.times;
    std::string text = "Nothing computes while " + ofSpan(times.exposedCommunication, device) +
                       " of communication runs " + onDevice(device);
    if (const auto overlap = times.overlap())
        text += "; " + formatTimeShare(times.overlappedCommunication, times.communication) +
                " of it is hidden";
    if (study.devices().size() == 1) {
        if (const std::string behind = collectivesBehind(study); !behind.empty())
            text += ". Most exposed: " + behind;
    }
    return findingOf(kExposedCommunication, "Exposed communication", times.exposedCommunication,
                     text + '.');
}

/// Communication on streams that also compute can hide behind nothing that they compute.
Finding sameStream(const ProfileStudy &study, const DeviceBreakdown &device)
{
    const WorkColumns &work = study.profile().work();
    const std::span<const ProfileLane> lanes = study.profile().lanes();
    std::vector<bool> isShared(lanes.size());
    constexpr auto kCompute = static_cast<std::size_t>(WorkClass::Compute);
    for (const LaneBreakdown &lane : study.lanes())
        isShared[lane.lane] =
            lane.times.counts[kCompute] > 0 && lanes[lane.lane].device == device.device;
    std::int64_t time = 0;
    std::int64_t count = 0;
    for (const CollectiveCall &call : study.collectives().calls) {
        if (!isShared[work.lane[call.work]])
            continue;
        ++count;
        time = wrappingSum(time, study.exposed()[call.work]);
    }
    return findingOf(kSameStream, "Communication where it computes", time,
                     counted(count, "collective") + (count == 1 ? " runs " : " run ") +
                         onDevice(device) + " on a stream that also computes, exposed for " +
                         ofSpan(time, device) + ": the work of that stream can never hide " +
                         (count == 1 ? "it." : "them."));
}

/// The first launches of kernels, in which the host does something else, are findings of their own.
Finding hostBound(const DeviceIdle &idle, std::int64_t behindSlow, const DeviceBreakdown &device)
{
    return findingOf(kHostBound, "Waits for the host",
                     std::max(std::int64_t(0), wrappingDifference(idle.hostWait, behindSlow)),
                     "The GPU waited for the CPU in " + counted(idle.hostWaits, "gap") + ", " +
                         ofSpan(idle.hostWait, device) + ": no stream had work queued " +
                         onDevice(device) + " (launch-bound)" +
                         (behindSlow > 0
                              ? "; " + formatNanoseconds(behindSlow) + " of it during slow launches"
                              : std::string()) +
                         '.');
}

Finding exposedCopies(const DeviceBreakdown &device)
{
    const std::int64_t time = device.times.exposedCopy;
    return findingOf(kExposedCopies, "Exposed copies", time,
                     "Copies and fills run alone for " + ofSpan(time, device) + ' ' +
                         onDevice(device) + ".");
}

/// Blocking calls cost no more than they take, and no more than the device was idle until the next
/// launch had come.
Finding blockingCalls(const ProfileStudy &study, const DeviceBreakdown &device)
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
    std::string text =
        "Blocking calls take " + formatNanoseconds(launches.blockingTime()) + " of the CPU's time";
    constexpr std::size_t kNamed = 3;
    for (std::size_t at = 0; at < std::min(launches.blocking.size(), kNamed); ++at) {
        const BlockingCalls &row = launches.blocking[at];
        text += at == 0 ? ": " : "; ";
        text += excerpt(profile.text(row.name), kLongestName) + ", " + counted(row.count, "call") +
                ", " + formatNanoseconds(row.time);
    }
    text += ". Between them and the next work launched after them, GPU " +
            std::to_string(device.device) + " was idle for " + formatNanoseconds(idle) + ".";
    return findingOf(kBlockingCalls, "Blocking calls", std::min(launches.blockingTime(), idle),
                     std::move(text));
}

Finding smallLaunches(const LaunchSummary &launches, const DeviceIdle &idle)
{
    const std::int64_t lost = wrappingDifference(launches.shortCallTime, launches.shortWorkTime);
    return findingOf(kSmallLaunches, "Short kernels", std::min(lost, idle.hostWait),
                     counted(launches.shortLaunches, "launch call") +
                         (launches.shortLaunches == 1 ? " takes longer than its kernel runs: "
                                                      : " take longer than their kernels run: ") +
                         formatNanoseconds(launches.shortCallTime) + " on the CPU for " +
                         formatNanoseconds(launches.shortWorkTime) +
                         " on the GPU; fused kernels or a CUDA graph need fewer launches.");
}

Finding slowLaunches(const LaunchSummary &launches, std::int64_t behind)
{
    const auto count = static_cast<std::int64_t>(launches.slowLaunches.size());
    return findingOf(kSlowLaunches, "Slow launches", behind,
                     counted(count, "launch") + (count == 1 ? " takes " : " take ") +
                         formatNanoseconds(launches.slowLaunchTime) +
                         " on the CPU, where the median launch takes " +
                         formatNanoseconds(launches.medianLaunchTime) +
                         ": the first launch of a kernel loads its module. This happens once in a "
                         "process, not in each step: warm up before the recording begins.");
}

} // namespace

std::vector<Finding> profileFindings(const ProfileStudy &study)
{
    std::vector<Finding> all;
    const bool isOnlyDevice = study.devices().size() == 1;
    for (const DeviceBreakdown &device : study.devices()) {
        const auto idle = std::ranges::find(study.deviceIdle(), device.device, &DeviceIdle::device);
        std::vector<Finding> found{exposedCommunication(study, device), sameStream(study, device),
                                   exposedCopies(device)};
        if (idle != study.deviceIdle().end()) {
            const LaunchSummary &launches = study.launches();
            const std::int64_t behindSlow =
                idleBehindCalls(study.profile(), device.device, launches.slowLaunches, true);
            found.push_back(hostBound(*idle, behindSlow, device));
            if (isOnlyDevice) { // a call does not say which device it is for
                found.push_back(blockingCalls(study, device));
                found.push_back(smallLaunches(launches, *idle));
                found.push_back(slowLaunches(launches, behindSlow));
            }
        }
        for (Finding &each : found) {
            if (each.cost > device.times.span / 200)
                all.push_back(std::move(each));
        }
    }
    std::ranges::stable_sort(all, std::ranges::greater(), &Finding::cost);
    return all;
}

namespace {

constexpr std::array<std::string_view, 4> kPurposes{"launch", "copy", "wait", "other call"};

/// "50 launches (cudaLaunchKernel), 1 wait (cudaDeviceSynchronize)": the calls by what they are
/// for, with the most frequent name of each; empty without calls.
std::string callsText(const Profile &profile)
{
    struct Calls
    {
        std::int64_t count = 0;
        std::map<StringId, std::int64_t> names{};
    };
    std::array<Calls, kPurposes.size()> all;
    for (const StringId name : profile.calls().name) {
        Calls &of = all[static_cast<std::size_t>(purposeOf(profile.text(name)))];
        ++of.count;
        ++of.names[name];
    }
    std::string text;
    for (std::size_t at = 0; at < all.size(); ++at) {
        if (all[at].count == 0)
            continue;
        constexpr std::size_t kLongestCall = 60;
        const auto most = std::ranges::max_element(all[at].names, {},
                                                   [](const auto &name) { return name.second; });
        text += (text.empty() ? "" : ", ") + counted(all[at].count, kPurposes[at]) + " (" +
                (all[at].names.size() > 1 ? "mostly " : "") +
                excerpt(profile.text(most->first), kLongestCall) + ")";
    }
    return text;
}

/// What a recording without device events has instead, and what that means.
std::string withoutDeviceText(const Profile &profile)
{
    const std::string calls = callsText(profile);
    const auto operators = static_cast<std::int64_t>(profile.operators().count());
    std::string text = noDeviceText(profile);
    if (!calls.empty())
        text += " It has calls of the GPU's runtime: " + calls + ".";
    if (profile.isCut())
        return text + " The missing end may have held the device events.";
    if (!calls.empty())
        return text + " So the GPU had work, and its events are missing: the profiler could not "
                      "record them (no permission, no support for this driver, or another "
                      "profiler), or it recorded calls alone.";
    if (operators > 0)
        return text + " It has " + counted(operators, "operator") +
               " and no call of a GPU's runtime: it was recorded for the CPU alone.";
    return text + " It has no call of a GPU's runtime and no operator either.";
}

std::string stepsWithoutWork(const ProfileStudy &study)
{
    const std::vector<ProfileStep> &steps = study.steps().steps;
    const auto without = std::ranges::count_if(
        steps, [](const ProfileStep &step) { return !step.device.has_value(); });
    const auto all = std::ssize(steps);
    if (without <= all / 2)
        return {};
    return formatCount(without) + " of " + counted(all, "step") +
           (without == 1 ? " has" : " have") +
           " no device event: figures of steps are those of the others.";
}

/// Work of most of the time that no recorded call launched, where calls were recorded.
std::string unlinkedWork(const ProfileStudy &study)
{
    const WorkColumns &work = study.profile().work();
    std::int64_t count = 0;
    std::int64_t time = 0;
    std::int64_t whole = 0;
    for (std::size_t row = 0; row < work.count(); ++row) {
        whole = wrappingSum(whole, work.duration(row));
        if (work.call[row] != kNoRow)
            continue;
        ++count;
        time = wrappingSum(time, work.duration(row));
    }
    if (count == static_cast<std::int64_t>(work.count()) || time <= whole / 2)
        return {};
    return counted(count, "device event") + (count == 1 ? " has" : " have") +
           " no recorded call, " + formatTimeShare(time, whole) +
           " of the device time: " + (count == 1 ? "it belongs" : "they belong") +
           " to no step and no operator.";
}

} // namespace

std::string noDeviceText(const Profile &profile)
{
    return profile.isCut() ? "No device event is in the part of the file that was read."
                           : "The recording has no device event.";
}

std::vector<Problem> profileProblems(const ProfileStudy &study)
{
    const Profile &profile = study.profile();
    std::vector<Problem> problems;
    if (profile.curves())
        problems.assign(profile.curves()->problems().begin(), profile.curves()->problems().end());
    const auto add = [&](std::string text) {
        if (!text.empty())
            problems.push_back({std::move(text), 1, -1});
    };
    if (profile.work().count() == 0) {
        add(withoutDeviceText(profile));
        return problems;
    }
    add(stepsWithoutWork(study));
    add(unlinkedWork(study));
    return problems;
}

} // namespace vramscope
