// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/print/profile_report.h"

#include "core/base/format.h"
#include "core/base/text.h"
#include "core/print/cells.h"
#include "core/print/problems_text.h"
#include "core/print/profile_text_parts.h"
#include "core/print/tables_report.h"
#include "core/print/text_table.h"
#include "core/profile/profile_findings.h"
#include "core/profile/profile_times.h"

#include <algorithm>
#include <array>
#include <string>
#include <utility>
#include <vector>

namespace vramscope {

namespace {

constexpr std::size_t kNameWidth = 52;

std::string nameCell(std::string_view name)
{
    return elided(printable(name), kNameWidth);
}

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

std::string findingsText(std::span<const ProfileFinding> findings)
{
    if (findings.empty())
        return {};
    std::string text = "\nPotential savings (upper bounds; they overlap, so they do not add up):\n";
    for (const ProfileFinding &each : findings)
        text += wrapped("- " + formatNanoseconds(each.time) + ": " + each.text, kTableWidth) + "\n";
    return text;
}

std::string stepsText(const ProfileStudy &study, std::size_t most)
{
    const std::vector<ProfileStep> &steps = study.steps().steps;
    if (steps.empty())
        return {};
    TextTable table({Align::Left, Align::Right, Align::Right, Align::Right, Align::Right,
                     Align::Right, Align::Right, Align::Left});
    table.addRow(
        {"step", "time", "device span", "compute", "exp. comm.", "exp. copies", "idle", ""});
    for (std::size_t at = 0; at < shownRows(steps.size(), most); ++at) {
        const ProfileStep &step = steps[at];
        const TimeBreakdown times = step.device.value_or(TimeBreakdown());
        const bool isMedian = study.steps().hasMedian && study.steps().median == at;
        table.addRow({nameCell(study.profile().text(step.name)), formatNanoseconds(step.time),
                      step.device ? formatNanoseconds(times.span) : "no work",
                      formatNanoseconds(times.compute),
                      formatNanoseconds(times.exposedCommunication),
                      formatNanoseconds(times.exposedCopy), formatNanoseconds(times.idle),
                      step.isOutlier ? "outlier"
                      : isMedian     ? "median"
                                     : ""});
    }
    return "\nSteps, with the work that each called:\n" + table.text() +
           leftOut(steps.size(), most);
}

/// Of a kernel without any joined launch the cells stay empty.
void addCounters(std::vector<std::string> &cells, const CounterMeans &means)
{
    cells.push_back(means.joined() > 0 ? formatCount(means.joined()) : "");
    constexpr std::array kShown{KernelCounter::Occupancy, KernelCounter::SmThroughput,
                                KernelCounter::DramThroughput};
    for (const KernelCounter counter : kShown)
        cells.push_back(means.joined() > 0 ? counterText(means.mean(counter)) : "");
}

std::string kernelsText(const ProfileStudy &study, std::size_t most)
{
    const KernelTable &kernels = study.kernels();
    if (kernels.rows.empty())
        return {};
    const KernelCounters *counters = study.counters();
    std::vector<Align> aligns(4, Align::Right);
    std::vector<std::string> head{"total", "share", "calls", "mean"};
    const bool isJoined = counters && counters->joined > 0;
    if (isJoined) {
        aligns.insert(aligns.end(), 4, Align::Right);
        head.insert(head.end(), {"counted", "occupancy", "SM", "DRAM"});
    }
    aligns.insert(aligns.end(), 2, Align::Left);
    head.insert(head.end(), {"class", "kernel"});
    TextTable table(std::move(aligns));
    table.addRow(std::move(head));
    for (std::size_t at = 0; at < shownRows(kernels.rows.size(), most); ++at) {
        const KernelRow &row = kernels.rows[at];
        const bool hasFamily =
            row.workClass == WorkClass::Compute && row.family != WorkFamily::None;
        std::vector<std::string> cells{
            formatNanoseconds(row.total), formatTimeShare(row.total, kernels.total),
            formatCount(row.count), formatNanoseconds(row.total / row.count)};
        if (isJoined)
            addCounters(cells, row.counters);
        cells.emplace_back(hasFamily ? textOf(row.family) : textOf(row.workClass));
        cells.push_back(nameCell(study.profile().text(row.name)));
        table.addRow(std::move(cells));
    }
    std::string text = "\nDevice work by name (shares are of the sum of all durations):\n" +
                       table.text() + leftOut(kernels.rows.size(), most);
    for (const std::string &each : counters ? joinSentences(*counters) : std::vector<std::string>())
        text += wrapped("- " + each, kTableWidth) + "\n";
    return text;
}

std::string operatorText(const Profile &profile, const OperatorTable &operators, std::uint32_t at)
{
    const OperatorRow &row = operators.rows[at];
    switch (operators.grouping) {
    case OperatorGrouping::Shapes:
        return nameCell(profile.text(row.name)) + ' ' + printable(profile.text(row.shapes)) + ' ' +
               printable(profile.text(row.types));
    case OperatorGrouping::Path:
        return printable(pathText(profile, operators, at));
    case OperatorGrouping::Module:
        if (row.name == StringId::Empty)
            return "(no module recorded)";
        break;
    case OperatorGrouping::Name:
        break;
    }
    return nameCell(profile.text(row.name));
}

std::string operatorsText(const ProfileStudy &study, OperatorGrouping grouping, std::size_t most)
{
    OperatorTable some;
    if (grouping != OperatorGrouping::Name) {
        OperatorTableOptions options;
        options.grouping = grouping;
        options.belowForward = true;
        some = operatorTable(study.profile(), study.work(), options);
    }
    const OperatorTable &operators = grouping == OperatorGrouping::Name ? study.operators() : some;
    if (operators.rows.empty())
        return {};
    const std::vector<std::uint32_t> order = operators.sorted(study.profile());
    TextTable table({Align::Right, Align::Right, Align::Right, Align::Right, Align::Right,
                     Align::Right, Align::Left});
    table.addRow({"device", "device self", "host", "host self", "waiting", "calls", "operator"});
    const bool hasDevice = study.profile().work().count() > 0;
    const auto deviceTime = [hasDevice](std::int64_t time) {
        return hasDevice ? formatNanoseconds(time) : std::string("?");
    };
    for (std::size_t at = 0; at < shownRows(order.size(), most); ++at) {
        const OperatorRow &row = operators.rows[order[at]];
        table.addRow({deviceTime(row.deviceTotal), deviceTime(row.deviceSelf),
                      formatNanoseconds(row.hostTotal), formatNanoseconds(row.hostSelf),
                      row.waiting == 0 ? "" : formatNanoseconds(row.waiting),
                      formatCount(row.count), operatorText(study.profile(), operators, order[at])});
    }
    return "\nOperators (waiting: the part of host self spent waiting for the device):\n" +
           table.text() + leftOut(order.size(), most);
}

std::string collectivesText(const ProfileStudy &study, std::size_t most)
{
    const std::vector<CollectiveRow> &rows = study.collectiveTable();
    if (rows.empty())
        return {};
    TextTable table({Align::Left, Align::Right, Align::Left, Align::Left, Align::Right,
                     Align::Right, Align::Right, Align::Right, Align::Right});
    table.addRow({"collective", "size", "type", "group", "calls", "total", "exposed",
                  "bus GB/s, at least", "ranks"});
    const auto shownRate = [](const std::optional<double> &rate) {
        return rate ? formatNumber(*rate, 3) : "?";
    };
    for (std::size_t at = 0; at < shownRows(rows.size(), most); ++at) {
        const CollectiveRow &row = rows[at];
        const CollectiveCall &call = row.first;
        table.addRow({std::string(textOf(call.kind)), call.bytes ? formatBytes(*call.bytes) : "?",
                      printable(study.profile().text(call.dtype)),
                      printable(study.collectives().groups[call.group]), formatCount(row.count),
                      formatNanoseconds(row.total), formatTimeShare(row.exposed, row.total),
                      shownRate(row.atLeast.bus),
                      call.groupSize ? formatCount(*call.groupSize) : "?"});
    }
    return "\nCollectives (one rank's durations hold its wait for the others):\n" + table.text() +
           leftOut(rows.size(), most);
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
    TextTable table({Align::Right, Align::Right, Align::Right, Align::Left});
    table.addRow({"time", "calls", "longest", "blocking call"});
    for (std::size_t at = 0; at < shownRows(launches.blocking.size(), most); ++at) {
        const BlockingCalls &row = launches.blocking[at];
        table.addRow({formatNanoseconds(row.time), formatCount(row.count),
                      formatNanoseconds(row.longest), nameCell(study.profile().text(row.name))});
    }
    return text + table.text() + leftOut(launches.blocking.size(), most);
}

std::string idleText(const ProfileStudy &study, std::size_t most)
{
    const std::vector<LaneIdle> &lanes = study.laneIdle();
    if (lanes.empty())
        return {};
    TextTable table({Align::Left, Align::Right, Align::Right, Align::Right});
    table.addRow({"stream", "waiting for the host", "between kernels", "waiting for others"});
    for (std::size_t at = 0; at < shownRows(lanes.size(), most); ++at) {
        const ProfileLane &lane = study.profile().lanes()[lanes[at].lane];
        table.addRow({std::to_string(lane.device) + '/' + std::to_string(lane.stream),
                      formatNanoseconds(lanes[at].hostWait),
                      formatNanoseconds(lanes[at].kernelWait), formatNanoseconds(lanes[at].other)});
    }
    return "\nGaps of each stream, by cause:\n" + table.text() + leftOut(lanes.size(), most);
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
    text += stepsText(study, as.most);
    text += collectivesText(study, as.most);
    text += kernelsText(study, as.most);
    text += operatorsText(study, as.grouping, as.most);
    text += launchesText(study, as.most);
    text += idleText(study, as.most);
    return text;
}

} // namespace vramscope
