// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/print/profile_report.h"

#include "core/base/durations.h"
#include "core/base/format.h"
#include "core/base/json_text.h"
#include "core/describe/profile_tables.h"
#include "core/describe/ranks_tables.h"
#include "core/print/cells.h"
#include "core/print/json_parts.h"
#include "core/print/problems_text.h"
#include "core/print/tables_report.h"
#include "core/profile/profile_findings.h"
#include "core/table/json_rows.h"
#include "core/table/terminal_table.h"
#include "core/table/text_table.h"

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

namespace vramscope {

namespace {

/// What was recorded, in a line or two.
std::string headText(const ProfileStudy &study, const std::string &file)
{
    const Profile &profile = study.profile();
    std::string text = printable(file) + ": " + counted(profile.eventCount(), "event") + ", " +
                       formatCount(static_cast<std::int64_t>(profile.work().count())) +
                       " on devices";
    if (profile.rank() != kNotStated) {
        text += "; rank " + std::to_string(profile.rank());
        if (profile.worldSize() != kNotStated)
            text += " of " + std::to_string(profile.worldSize());
    }
    return text + "\n";
}

std::string findingsText(std::span<const Finding> findings)
{
    if (findings.empty())
        return {};
    std::string text = "\nPotential savings (upper bounds; they overlap, so they do not add up):\n";
    for (const Finding &each : findings)
        text += paragraph("- " + formatNanoseconds(each.cost) + ": " + each.sentence);
    return text;
}

/// A table under its heading; nothing where it has no rows.
std::string tableText(std::string_view heading, const DataTable &table, const TerminalTable &as)
{
    return table.rows == 0 ? std::string()
                           : "\n" + std::string(heading) + ":\n" + terminalText(table, as);
}

std::string kernelsText(const ProfileSubject &of, std::size_t most)
{
    std::string text = tableText(
        "Device work by name (shares are of the sum of all durations)",
        shownColumns(kernelsTable(of)),
        {{"total", "share", "count", "mean", "counters.launches", "counters.achieved_occupancy",
          "counters.sm_throughput", "counters.dram_throughput", "family", "name"},
         most});
    const KernelCounters *counters = text.empty() ? nullptr : of.study->counters();
    for (const std::string &each : counters ? joinSentences(*counters) : std::vector<std::string>())
        text += paragraph("- " + each);
    return text;
}

std::string operatorsText(const ProfileSubject &of, OperatorGrouping grouping, std::size_t most)
{
    return tableText("Operators (waiting: the part of host self spent waiting for the device)",
                     shownColumns(operatorsTable(of, grouping)),
                     {{"device_total", "device_self", "host_total", "host_self", "waiting", "count",
                       "name", "shapes", "types"},
                      most});
}

std::string launchesText(const ProfileStudy &study, std::size_t most)
{
    const LaunchSummary &launches = study.launches();
    if (launches.linked + launches.unlinked == 0)
        return {};
    std::string text = "\nLaunches: " + formatCount(launches.linked) + " with a recorded call";
    if (launches.unlinked > 0)
        text += ", " + formatCount(launches.unlinked) +
                " without one (in all device times, but in no step and no operator)";
    if (launches.negative > 0)
        text += ", " + formatCount(launches.negative) + " that start before their call";
    if (launches.fromCallStart)
        text += "; from call to start " + formatNanoseconds(launches.fromCallStart->median) +
                " in the median, " + formatNanoseconds(launches.fromCallStart->most) + " at most";
    text = wrapped(text.substr(1), kTableWidth);
    text = "\n" + text + "\n";
    if (launches.blocking.empty())
        return text;
    return text + terminalText(blockingCallsTable(subjectOf(study)),
                               {{"total", "count", "longest", "name"}, most});
}

std::string htaText(const std::optional<HtaBreakdown> &hta)
{
    if (!hta)
        return "\nAs HTA: it would count nothing here.\n";
    TextTable table({Align::Left, Align::Right, Align::Right});
    const auto row = [&](const char *name, std::int64_t time) {
        table.addRow({name, formatNanoseconds(time), formatTimeShare(time, hta->kernelTime)});
    };
    row("compute", hta->compute);
    row("non-compute", hta->nonCompute);
    row("idle", hta->idle);
    row("kernel time", hta->kernelTime);
    return "\nAs HTA (its rounding, its list of names, whatever states a stream):\n" + table.text();
}

/// What a device is called: "GPU 0, NVIDIA A100-SXM4-80GB".
std::string deviceName(const Profile &profile, std::int64_t device)
{
    std::string name = "GPU " + std::to_string(device);
    const auto gpu = std::ranges::find(profile.gpus(), device, &ProfileGpu::id);
    if (gpu != profile.gpus().end() && gpu->name && !gpu->name->empty())
        name += ", " + printable(*gpu->name);
    return name;
}

/// Where the time of a device went: its four parts, which add up to its span, and what is hidden.
/// `heading` says of which work.
std::string barText(const DeviceBreakdown &device, const std::string &heading)
{
    const TimeBreakdown &times = device.times;
    TextTable table({Align::Left, Align::Right, Align::Right});
    const auto row = [&](const char *part, std::int64_t time) {
        table.addRow({part, formatNanoseconds(time), formatTimeShare(time, times.span)});
    };
    row("compute", times.compute);
    row("exposed communication", times.exposedCommunication);
    row("exposed copies and fills", times.exposedCopy);
    row("idle", times.idle);
    row("span", times.span);
    std::string text = "\n" + heading + ":\n" + table.text();
    if (times.communication > 0)
        text += "  " + formatNanoseconds(times.overlappedCommunication) + " of " +
                formatNanoseconds(times.communication) + " of communication is hidden (" +
                formatTimeShare(times.overlappedCommunication, times.communication) + ")\n";
    return text;
}

/// The bar of each device, and where there are two steps or more, without what they leave out.
std::string barsText(const ProfileStudy &study)
{
    const Profile &profile = study.profile();
    std::string text;
    for (const DeviceBreakdown &device : study.devices())
        text += barText(device, deviceName(profile, device.device) +
                                    ", all that was recorded: first start to last end");
    const std::size_t steps = profile.steps().size();
    if (steps < 2)
        return text;
    const std::vector<std::uint32_t> rows = workOfAllSteps(profile);
    for (const DeviceBreakdown &device : breakdownByDevice(profile, study.classes(), rows)) {
        if (device.times.count() < static_cast<std::int64_t>(profile.work().count()))
            text += barText(device, deviceName(profile, device.device) +
                                        ", only what was called in its " +
                                        counted(static_cast<std::int64_t>(steps), "step"));
    }
    return text;
}

} // namespace

std::string profileText(const ProfileStudy &study, const ProfilePrinting &as)
{
    std::string text = problemsText(study.problems()) + headText(study, as.file);
    text += barsText(study);
    if (as.asHta)
        text += htaText(study.hta());
    text += findingsText(study.findings());
    const ProfileSubject of = subjectOf(study);
    const StepMarker profilerSteps;
    text += tableText(
        "Steps, with the work that each called", stepsTable(of, &profilerSteps),
        {{"name", "time", "span", "compute", "exposed_communication", "exposed_copy", "idle"},
         as.most});
    text += tableText("Collectives (one rank's durations include its wait for the others)",
                      collectivesTable(of),
                      {{"collective", "bytes", "dtype", "group", "count", "total", "exposed",
                        "bus_bandwidth", "group_size"},
                       as.most});
    text += kernelsText(of, as.most);
    text += operatorsText(of, as.grouping, as.most);
    text += launchesText(study, as.most);
    text += tableText("Gaps of each stream, by cause", idleTable(of),
                      {{"where", "idle", "host_wait", "kernel_wait", "other"}, as.most});
    return text;
}

std::string runTableText(const std::vector<RunRow> &rows)
{
    std::string problems;
    for (const RunRow &row : rows)
        problems += problemsText(row.problems, row.name);
    return problems +
           terminalText(runsTable(rows), {.keys = {"file", "steps", "span", "compute_share",
                                                   "non_compute_share", "idle_share", "overlap",
                                                   "exposed_communication", "peak_allocated"},
                                          .widest = 40}) +
           runTargetsText() + "\n";
}

std::string runTableJson(const std::vector<RunRow> &rows)
{
    Json runs =
        rowsJson(runsTable(rows), {"file", "problems", "device", "steps", "span", "compute",
                                   "non_compute", "idle", "communication", "exposed_communication",
                                   "compute_share", "overlap", "peak_allocated"});
    for (std::size_t at = 0; at < rows.size(); ++at)
        runs[at]["problems"] = problemsJson(rows[at].problems);
    return jsonText(
        {{"runs", std::move(runs)},
         {"targets", {{"compute_share", kComputeTarget}, {"overlap", kOverlapTarget}}}});
}

} // namespace vramscope
