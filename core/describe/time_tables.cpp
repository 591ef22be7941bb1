// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/text.h"
#include "core/describe/profile_table_parts.h"
#include "core/describe/profile_tables.h"
#include "core/profile/profile_findings.h"
#include "core/profile/timeline_rows.h"

// Where the time of a profile went: idle time, steps, the breakdown of each device.

namespace vramscope {

namespace {

using enum DataTable::Kind;
using Cell = DataTable::Cell;

std::string gpuName(std::int64_t device)
{
    return "GPU " + std::to_string(device);
}

std::string laneName(const Profile &profile, std::uint32_t at)
{
    const ProfileLane &lane = profile.lanes()[at];
    return gpuName(lane.device) + ", stream " + std::to_string(lane.stream);
}

struct IdleRow
{
    std::string where;
    std::int64_t idle = 0, hostWait = 0;
    std::optional<std::int64_t> kernelWait; ///< of a stream
    std::int64_t other = 0;
};

} // namespace

DataTable idleTable(const ProfileSubject &of)
{
    const Profile &profile = of.study->profile();
    std::vector<IdleRow> rows;
    for (const DeviceIdle &each : of.study->deviceIdle())
        rows.push_back({gpuName(each.device), each.idle, each.hostWait, {}, each.queued()});
    for (const LaneIdle &each : of.study->laneIdle())
        rows.push_back({laneName(profile, each.lane), each.hostWait + each.kernelWait + each.other,
                        each.hostWait, each.kernelWait, each.other});
    TableOf<IdleRow> table("Idle", std::move(rows));
    table.add({"where", "Where"}, &IdleRow::where)
        .add({"idle", "Idle", Time}, &IdleRow::idle)
        .add({"host_wait", "Host wait", Time,
              "For a stream: its next work was called only after it had run dry. For a device: "
              "nothing was queued on any stream when the gap began."},
             &IdleRow::hostWait)
        .add({"host_share", "Share", Share, "Host wait of idle"},
             [](const IdleRow &row) { return shareOf(row.hostWait, row.idle); })
        .add({"kernel_wait", "Kernel wait", Time, "Queued, and a gap of less than 1 µs"},
             &IdleRow::kernelWait)
        .add({"other", "Other", Time, "Queued: it waited for another stream, or the device"},
             &IdleRow::other)
        .noteIfEmpty(noDeviceText(profile));
    return std::move(table).table();
}

std::string markerName(const ProfileSubject &of, const StepMarker &marker)
{
    if (marker.kind == StepMarker::Kind::ProfilerStep)
        return "By ProfilerStep";
    const std::string name = of.nameOf(marker.name);
    return marker.kind == StepMarker::Kind::Kernel ? "By the kernel " + name + ", which recurs"
                                                   : "By " + name;
}

namespace {

std::string stepName(const ProfileSubject &of, const ProfileSteps &steps, std::size_t at,
                     const StepMarker &marker)
{
    const ProfileStep &step = steps.steps[at];
    std::string name = of.nameOf(step.name);
    if (marker.kind != StepMarker::Kind::ProfilerStep)
        name += ' ' + std::to_string(at + 1);
    if (steps.hasMedian && at == steps.median)
        return name + ", the median";
    return step.isOutlier ? name + ", an outlier" : name;
}

std::string stepsNote(const ProfileSubject &of, bool isEmpty, const StepMarker *marker)
{
    if (isEmpty)
        return "No steps were recorded: call step() of the profiler once an iteration.";
    if (marker->kind == StepMarker::Kind::Kernel)
        return "No steps were recorded; what the device runs repeats as this kernel does.";
    return marker->kind == StepMarker::Kind::ProfilerStep
               ? std::string()
               : "Divided " + lowered(markerName(of, *marker));
}

} // namespace

DataTable stepsTable(const ProfileSubject &of, const StepMarker *marker)
{
    const Profile &profile = of.study->profile();
    const bool hasDevice = profile.work().count() > 0;
    const ProfileSteps steps =
        marker ? profileSteps(profile, of.study->classes(), *marker) : ProfileSteps();
    std::vector<std::pair<std::string, ProfileStep>> rows;
    for (std::size_t at = 0; marker && at < steps.steps.size(); ++at)
        rows.emplace_back(stepName(of, steps, at, *marker), steps.steps[at]);
    using Row = std::pair<std::string, ProfileStep>;
    const auto onDevice = [](std::int64_t TimeBreakdown::*part) {
        return [part](const Row &row) {
            return row.second.device ? Cell((*row.second.device).*part) : Cell();
        };
    };
    TableOf<Row> table("Steps", std::move(rows));
    table.add({"name", "Step"}, &Row::first)
        .add({"time", "Time", Time,
              "From its start on the host to that of the next; of the last its own duration"},
             [](const Row &row) { return row.second.time; })
        .add({"span", "On devices", Time,
              "From the first start to the last end of what was called in it", "device span"},
             onDevice(&TimeBreakdown::span))
        .add({"compute", "Compute", Time}, onDevice(&TimeBreakdown::compute))
        .add({"exposed_communication", "Exposed communication", Time, {}, "exp. comm."},
             onDevice(&TimeBreakdown::exposedCommunication))
        .add({"exposed_copy", "Exposed copies", Time, {}, "exp. copies"},
             onDevice(&TimeBreakdown::exposedCopy))
        .add({"idle", "Idle", Time}, onDevice(&TimeBreakdown::idle))
        .add({"overlap", "Overlap", Share, "The part of communication that compute hid"},
             [](const Row &row) {
                 return row.second.device ? Cell(row.second.device->overlap()) : Cell();
             })
        .add({"events", "Work", Count, "Kernels, copies and fills that were called in it"},
             [hasDevice](const Row &row) { return recorded(hasDevice, row.second.work); })
        .note(stepsNote(of, steps.steps.empty(), marker));
    return std::move(table).table();
}

DataTable breakdownTable(const ProfileSubject &of)
{
    const ProfileStudy &study = *of.study;
    const Profile &profile = study.profile();
    using Row = std::pair<std::string, TimeBreakdown>;
    std::vector<Row> rows;
    const auto addAll = [&](const std::vector<DeviceBreakdown> &devices,
                            const std::vector<LaneBreakdown> &lanes) {
        for (const DeviceBreakdown &each : devices)
            rows.emplace_back(gpuName(each.device), each.times);
        for (const LaneBreakdown &each : lanes)
            rows.emplace_back(laneName(profile, each.lane), each.times);
    };
    if (of.within) {
        const auto some = workStartedWithin(profile, of.within->start, of.within->end);
        addAll(breakdownByDevice(profile, study.classes(), some),
               breakdownByLane(profile, study.classes(), some));
    } else {
        addAll(study.devices(), study.lanes());
    }
    TableOf<Row> table("Breakdown", std::move(rows));
    const auto addPart = [&table](const std::string &key, std::string title, std::string tip,
                                  std::int64_t TimeBreakdown::*part) {
        table
            .add({key, std::move(title), Time, std::move(tip)},
                 [part](const Row &row) { return row.second.*part; })
            .add({key + "_share", "%", Share, "Share of the span"},
                 [part](const Row &row) { return shareOf(row.second.*part, row.second.span); });
    };
    table.add({"where", "Where"}, &Row::first)
        .add({"span", "Span", Time,
              "From the first start to the last end; compute, exposed communication, exposed "
              "copies and idle add up to it"},
             [](const Row &row) { return row.second.span; });
    addPart("compute", "Compute", "While anything computed", &TimeBreakdown::compute);
    addPart("exposed_communication", "Exposed communication", "While nothing computed",
            &TimeBreakdown::exposedCommunication);
    addPart("exposed_copy", "Exposed copies",
            "Copies and fills while nothing computed or communicated", &TimeBreakdown::exposedCopy);
    addPart("idle", "Idle", "While nothing ran", &TimeBreakdown::idle);
    table
        .add({"communication", "All communication", Time, "Hidden and exposed"},
             [](const Row &row) {
                 const std::int64_t time = row.second.communication;
                 return time > 0 ? Cell(time) : Cell();
             })
        .add({"overlap", "Hidden", Share,
              "The part of communication during which something computed"},
             [](const Row &row) { return row.second.overlap(); })
        .noteIfEmpty(of.within ? "Nothing began on a device in this stretch."
                               : noDeviceText(profile));
    return std::move(table).table();
}

DataTable htaTable(const ProfileSubject &of)
{
    std::vector<HtaBreakdown> rows;
    if (const auto &hta = of.study->hta())
        rows.push_back(*hta);
    TableOf<HtaBreakdown> table("Breakdown", std::move(rows));
    table
        .add({"where", "As HolisticTraceAnalysis counts"},
             [](const HtaBreakdown &) { return "All streams of all devices"; })
        .add({"kernel_time", "Kernel time", Time, "Its name for the span, idle time included"},
             &HtaBreakdown::kernelTime)
        .add({"idle", "Idle", Time}, &HtaBreakdown::idle)
        .add({"compute", "Compute", Time}, &HtaBreakdown::compute)
        .add({"non_compute", "Non-compute", Time,
              "Kernel time − idle − compute: communication and copies that nothing hid"},
             &HtaBreakdown::nonCompute)
        .add({"communication", "Communication", Time}, &HtaBreakdown::communication)
        .add({"overlapped", "Overlapped", Time, "Communication while something computed"},
             &HtaBreakdown::overlapped)
        .add({"overlap", "Overlap", Share},
             [](const HtaBreakdown &row) { return shareOf(row.overlapped, row.communication); })
        .note("With its quirks: whole microseconds, its own list of names, and of several steps "
              "only what began before the last.")
        .noteIfEmpty("HolisticTraceAnalysis would count nothing in this recording.");
    return std::move(table).table();
}

} // namespace vramscope
