// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/describe/profile_tables.h"

#include "core/base/counted.h"
#include "core/base/durations.h"
#include "core/base/text.h"
#include "core/profile/profile_problems.h"
#include "core/profile/timeline_rows.h"

#include <algorithm>
#include <array>
#include <unordered_map>

namespace vramscope {

namespace {

using enum DataTable::Kind;
using Cell = DataTable::Cell;
using Target = DataTable::Target;

/// A value that was not recorded is not 0, though documents have it so.
Cell recorded(bool isRecorded, std::int64_t value)
{
    Cell cell(value);
    cell.isKnown = isRecorded;
    return cell;
}

std::int64_t meanOf(std::int64_t total, std::int64_t count)
{
    return count > 0 ? total / count : 0;
}

Target eventTarget(EventKind kind, std::uint32_t at)
{
    return {.kind = at == kNoRow ? -1 : static_cast<int>(kind), .at = at};
}

Target nameTarget(Target target, EventKind kind, StringId name)
{
    target.named = static_cast<int>(kind);
    target.name = static_cast<std::uint64_t>(name);
    return target;
}

std::string gpuName(std::int64_t device)
{
    return "GPU " + std::to_string(device);
}

std::string laneName(const Profile &profile, std::uint32_t at)
{
    const ProfileLane &lane = profile.lanes()[at];
    return gpuName(lane.device) + ", stream " + std::to_string(lane.stream);
}

/// Of each name the piece of work that ran longest: where its row leads to.
std::unordered_map<StringId, std::uint32_t> longestWork(const ProfileSubject &of)
{
    const WorkColumns &work = of.study->profile().work();
    std::unordered_map<StringId, std::uint32_t> longest;
    for (std::uint32_t at = 0; at < work.count(); ++at) {
        if (of.within && (work.start[at] < of.within->start || work.start[at] >= of.within->end))
            continue;
        const auto [known, isNew] = longest.try_emplace(work.name[at], at);
        if (!isNew && work.duration(at) > work.duration(known->second))
            known->second = at;
    }
    return longest;
}

/// How many kernels have counters of Nsight Compute; the event panel says why not all.
std::string joinNote(const KernelCounters &counters, const std::optional<TimeInterval> &within)
{
    const std::string launches =
        counted(static_cast<std::int64_t>(counters.tables->launches.size()), "launch");
    std::string note = counters.joined == 0
                           ? "Nothing of Nsight Compute's " + launches + " is joined"
                           : "Counters of " + formatCount(counters.joined) + " of " + launches +
                                 ", on as many of " + counted(counters.kernels, "kernel");
    if (!within)
        return note;
    note.front() = static_cast<char>(note.front() - 'A' + 'a');
    return "What began in the chosen " + formatNanoseconds(within->end - within->start) + "; " +
           note;
}

struct CounterColumn
{
    KernelCounter counter;
    std::string_view key, title, brief, tip;
};

constexpr auto kCounterColumns = std::to_array<CounterColumn>(
    {{KernelCounter::Occupancy, "counters.achieved_occupancy", "Achieved occ.", "occupancy",
      "Achieved occupancy: active warps of those that fit a multiprocessor, as Nsight Compute "
      "counted"},
     {KernelCounter::SmThroughput, "counters.sm_throughput", "SM", "SM",
      "SM throughput: the busiest unit of the multiprocessors, of its peak, as Nsight Compute "
      "counted"},
     {KernelCounter::DramThroughput, "counters.dram_throughput", "DRAM", "DRAM",
      "DRAM throughput: of the peak of the device's memory, as Nsight Compute counted"}});

/// Adds the means of the counters that `means` gives of a row.
template<class Row, class Means>
void addCounters(TableOf<Row> &table, Means means)
{
    for (const CounterColumn &column : kCounterColumns)
        table.add({std::string(column.key), std::string(column.title), Percent,
                   std::string(column.tip), std::string(column.brief)},
                  [means, counter = column.counter](const Row &row) {
                      return std::invoke(means, row).mean(counter);
                  });
}

struct KernelsState
{
    ProfileSubject of;
    KernelTable some; ///< of a stretch of time
    std::unordered_map<StringId, std::uint32_t> longest;
};

} // namespace

ProfileSubject subjectOf(const ProfileStudy &study)
{
    return {.study = std::shared_ptr<const ProfileStudy>(std::shared_ptr<void>(), &study)};
}

DataTable kernelsTable(const ProfileSubject &of)
{
    const ProfileStudy &study = *of.study;
    const Profile &profile = study.profile();
    const auto state = std::make_shared<KernelsState>(KernelsState{of, {}, longestWork(of)});
    if (of.within)
        state->some = kernelTable(profile, study.classes(),
                                  workStartedWithin(profile, of.within->start, of.within->end),
                                  study.exposed(), study.counters());
    const KernelTable &kernels = of.within ? state->some : study.kernels();
    const KernelCounters *counters = study.counters();
    const auto &s = *state;
    TableOf<KernelRow> table("Kernels", std::span(kernels.rows), state);
    table.add({"name", "Kernel"}, [&s](const KernelRow &row) { return s.of.nameOf(row.name); })
        .add({"family", "Class"},
             [](const KernelRow &row) {
                 return row.family == WorkFamily::None ? textOf(row.workClass) : textOf(row.family);
             })
        .add({"class", "Class", Text, {}, {}, false},
             [](const KernelRow &row) { return textOf(row.workClass); })
        .add({"count", "Calls", Count}, &KernelRow::count)
        .add({"total", "Total", Time, "Sum of its durations; work that overlaps counts each"},
             &KernelRow::total)
        .add({"share", "Share", Share, "Of the sum of all durations"},
             [total = kernels.total](const KernelRow &row) { return shareOf(row.total, total); });
    if (counters) {
        addCounters(table, &KernelRow::counters);
        table.add({"counters.launches", "Counted", Count,
                   "Launches that Nsight Compute's counters are joined to; the means are of these"},
                  [](const KernelRow &row) {
                      return recorded(row.counters.joined() > 0, row.counters.joined());
                  });
    }
    table.add({"mean", "Mean", Time}, &KernelRow::mean)
        .add({"min", "Shortest", Time}, &KernelRow::shortest)
        .add({"max", "Longest", Time}, &KernelRow::longest)
        .add({"exposed", "Exposed", Share, "Of its total: while nothing else hid it"},
             [](const KernelRow &row) { return shareOf(row.exposed, row.total); })
        .add({"occupancy", counters && counters->joined > 0 ? "Estimated occ." : "Occupancy",
              Percent, "Mean of the profiler's estimates"},
             [](const KernelRow &row) {
                 return shareOf(100 * row.occupancySum, 100 * row.occupancyCount);
             })
        .add({"bytes", "Bytes", Size, "Of copies and fills"},
             [](const KernelRow &row) { return row.bytes > 0 ? Cell(row.bytes) : Cell(); })
        .target([&s](const KernelRow &row) {
            const auto event = s.longest.find(row.name);
            return nameTarget(
                eventTarget(EventKind::Work, event == s.longest.end() ? kNoRow : event->second),
                EventKind::Work, row.name);
        });
    if (kernels.rows.empty())
        table.note(of.within ? "Nothing began on a device in this stretch."
                             : noDeviceText(profile));
    else if (counters)
        table.note(joinNote(*counters, of.within));
    DataTable made = std::move(table).table();
    if (counters && !kernels.rows.empty())
        for (const std::string &sentence : joinSentences(*counters))
            made.noteTip += (made.noteTip.empty() ? "" : " ") + sentence;
    return made;
}

namespace {

struct OperatorsState
{
    ProfileSubject of;
    OperatorTable some; ///< by another grouping than the name, or of a stretch of time
    std::vector<std::uint32_t> order;
    std::vector<std::uint32_t> longest; ///< of each row the operator that took longest
};

std::vector<std::uint32_t> longestOperators(const Profile &profile, const OperatorTable &operators)
{
    std::vector<std::uint32_t> longest(operators.rows.size(), kNoRow);
    const OperatorColumns &columns = profile.operators();
    const auto duration = [&](std::uint32_t at) { return columns.end[at] - columns.start[at]; };
    for (std::uint32_t at = 0; at < operators.row.size(); ++at) {
        if (operators.row[at] == kNoRow)
            continue;
        std::uint32_t &known = longest[operators.row[at]];
        if (known == kNoRow || duration(at) > duration(known))
            known = at;
    }
    return longest;
}

/// What a row of operators is called; by path with those around it.
Cell operatorCell(const ProfileSubject &of, const OperatorTable &operators, std::uint32_t at)
{
    const std::string name = of.nameOf(operators.rows[at].name);
    if (operators.grouping == OperatorGrouping::Module && name.empty())
        return "(no module recorded)";
    if (operators.grouping != OperatorGrouping::Path)
        return name;
    std::string path = name;
    std::string lines = name;
    for (std::uint32_t up = operators.rows[at].parent; up != kNoRow;
         up = operators.rows[up].parent) {
        const std::string around = of.nameOf(operators.rows[up].name);
        path.insert(0, around + " › ");
        lines.insert(0, around + '\n');
    }
    return {path, lines};
}

} // namespace

DataTable operatorsTable(const ProfileSubject &of, OperatorGrouping grouping)
{
    const ProfileStudy &study = *of.study;
    const Profile &profile = study.profile();
    const auto state = std::make_shared<OperatorsState>();
    state->of = of;
    const bool isMade = !of.within && grouping == OperatorGrouping::Name;
    if (!isMade) {
        OperatorTableOptions options;
        options.grouping = grouping;
        options.belowForward = true;
        if (of.within)
            options.within = std::span(&*of.within, 1);
        state->some = operatorTable(profile, study.work(), options);
    }
    const OperatorTable &operators = isMade ? study.operators() : state->some;
    state->order = operators.sorted(profile);
    state->longest = longestOperators(profile, operators);
    const auto &s = *state;
    // A time that was not recorded is not 0.
    const auto onDevice = [&operators, hasDevice = profile.work().count() >
                                                   0](std::int64_t OperatorRow::*figure) {
        return [&operators, hasDevice, figure](std::uint32_t at) {
            return recorded(hasDevice, operators.rows[at].*figure);
        };
    };
    const auto onHost = [&operators](std::int64_t OperatorRow::*figure) {
        return [&operators, figure](std::uint32_t at) { return operators.rows[at].*figure; };
    };
    const auto text = [&s, &operators](StringId OperatorRow::*name) {
        return [&s, &operators, name](std::uint32_t at) {
            return s.of.nameOf(operators.rows[at].*name);
        };
    };
    TableOf<std::uint32_t> table("Operators", std::span(state->order), state);
    table
        .add({"name", grouping == OperatorGrouping::Module ? "Module" : "Operator"},
             [&s, &operators](std::uint32_t at) { return operatorCell(s.of, operators, at); })
        .add({"shapes", "Shapes"}, text(&OperatorRow::shapes))
        .add({"types", "Types"}, text(&OperatorRow::types))
        .add({"count", "Calls", Count}, onHost(&OperatorRow::count))
        .add({"device_self", "Device self", Time,
              "Of work launched in it and in none of its children"},
             onDevice(&OperatorRow::deviceSelf))
        .add({"device_total", "Device total", Time,
              "Of work launched in it and below; nested ones count once", "device"},
             onDevice(&OperatorRow::deviceTotal))
        .add({"host_self", "Host self", Time, "Its duration without that of its children"},
             onHost(&OperatorRow::hostSelf))
        .add({"waiting", "Waiting", Time, "Part of host self: in calls that wait for the device"},
             onHost(&OperatorRow::waiting))
        .add({"host_total", "Host total", Time, "Nested ones of the same name count once", "host"},
             onHost(&OperatorRow::hostTotal))
        .add({"launches", "Launches", Count}, onDevice(&OperatorRow::launches))
        .target([&s, &operators](std::uint32_t at) {
            const Target event = eventTarget(EventKind::Operator, s.longest[at]);
            return operators.grouping == OperatorGrouping::Module // a module is no event
                       ? event
                       : nameTarget(event, EventKind::Operator, operators.rows[at].name);
        })
        .noteIfEmpty(of.within ? "No operator began in this stretch."
                               : "No operators were recorded.");
    return std::move(table).table();
}

DataTable collectivesTable(const ProfileSubject &of)
{
    const ProfileStudy &study = *of.study;
    const Profile &profile = study.profile();
    const auto rows = std::make_shared<std::vector<CollectiveRow>>();
    if (of.within) {
        Collectives some = study.collectives();
        std::erase_if(some.calls, [&](const CollectiveCall &call) {
            const std::int64_t start = profile.work().start[call.work];
            return start < of.within->start || start >= of.within->end;
        });
        *rows = collectiveTable(profile, some, study.exposed());
    } else {
        *rows = study.collectiveTable();
    }
    TableOf<CollectiveRow> table("Collectives", std::span<const CollectiveRow>(*rows), rows);
    const auto nameOf = [of](StringId id) { return of.nameOf(id); };
    table
        .add({"collective", "Collective"},
             [of](const CollectiveRow &row) {
                 const WorkColumns &work = of.study->profile().work();
                 return Cell(std::string(textOf(row.first.kind)),
                             of.nameOf(work.name[row.first.work]));
             })
        .add({"dtype", "Type"},
             [nameOf](const CollectiveRow &row) {
                 const StringId type = row.first.dtype;
                 return type == StringId::Empty ? Cell() : Cell(nameOf(type));
             })
        .add({"bytes", "Message", Size, "Bytes of one call", "size"},
             [](const CollectiveRow &row) { return row.first.bytes; })
        .add({"group", "Group"},
             [of](const CollectiveRow &row) {
                 return Cell(of.shown(of.study->collectives().groups[row.first.group]),
                             of.nameOf(row.first.ranks));
             })
        .add({"group_size", "Ranks", Count},
             [](const CollectiveRow &row) { return row.first.groupSize; })
        .add({"count", "Calls", Count}, &CollectiveRow::count)
        .add({"total", "Total", Time}, &CollectiveRow::total)
        .add({"mean", "Mean", Time},
             [](const CollectiveRow &row) { return meanOf(row.total, row.count); })
        .add({"min", "Shortest", Time}, &CollectiveRow::shortest)
        .add({"max", "Longest", Time}, &CollectiveRow::longest)
        .add({"exposed", "Exposed", Share, "Of its total: while nothing computed"},
             [](const CollectiveRow &row) { return shareOf(row.exposed, row.total); })
        .add({"algorithm_bandwidth", "Algorithm", LeastBandwidth,
              "Message bytes over time. A duration includes the wait for other ranks: a lower "
              "bound."},
             [](const CollectiveRow &row) { return row.atLeast.algorithm; })
        .add({"bus_bandwidth", "Bus", LeastBandwidth,
              "What the links carry, as nccl-tests count; a lower bound for the same reason."},
             [](const CollectiveRow &row) { return row.atLeast.bus; })
        .target(
            [](const CollectiveRow &row) { return eventTarget(EventKind::Work, row.first.work); })
        .noteIfEmpty(of.within ? "No collective began in this stretch."
                               : "No collectives ran: this process communicated with no other "
                                 "while it was recorded.");
    return std::move(table).table();
}

namespace {

/// Delays, or calls, of one kind.
struct LaunchRow
{
    std::string what;
    std::optional<std::int64_t> count = {}, total = {}, median = {}, longest = {};
    StringId call = StringId::Empty;
};

DataTable launchRows(std::string title, std::string of, std::vector<LaunchRow> rows)
{
    TableOf<LaunchRow> table(std::move(title), std::move(rows));
    table.add({"name", std::move(of)}, &LaunchRow::what)
        .add({"count", "Count", Count, {}, "calls"}, &LaunchRow::count)
        .add({"total", "Total", Time, {}, "time"}, &LaunchRow::total)
        .add({"median", "Median", Time}, &LaunchRow::median)
        .add({"mean", "Mean", Time},
             [](const LaunchRow &row) {
                 return row.longest && row.total ? Cell(meanOf(*row.total, row.count.value_or(0)))
                                                 : Cell();
             })
        .add({"longest", "Longest", Time}, &LaunchRow::longest)
        .target([](const LaunchRow &row) {
            return row.call == StringId::Empty ? Target()
                                               : nameTarget({}, EventKind::Call, row.call);
        })
        .noteIfEmpty("No calls of the device's runtime were recorded.");
    return std::move(table).table();
}

std::vector<LaunchRow> blockingRows(const ProfileSubject &of, bool saysWhy)
{
    std::vector<LaunchRow> rows;
    for (const BlockingCalls &calls : of.study->launches().blocking)
        rows.push_back({.what = of.nameOf(calls.name) + (!saysWhy      ? ""
                                                         : calls.waits ? ", waits for the device"
                                                                       : ", allocates or frees"),
                        .count = calls.count,
                        .total = calls.time,
                        .longest = calls.longest,
                        .call = calls.name});
    return rows;
}

} // namespace

DataTable launchesTable(const ProfileSubject &of)
{
    const LaunchSummary &launches = of.study->launches();
    std::vector<LaunchRow> rows;
    const auto addDelay = [&](const char *what, const std::optional<DelayFigures> &delay) {
        if (delay)
            rows.push_back({what, delay->count, delay->sum, delay->median, delay->most});
    };
    addDelay("from the start of a call to the start of its work", launches.fromCallStart);
    addDelay("from the end of a call to the start of its work", launches.afterCallEnd);
    if (launches.shortLaunches > 0) {
        rows.push_back({"launch calls that take longer than their kernels", launches.shortLaunches,
                        launches.shortCallTime});
        rows.push_back({.what = "the kernels of those calls", .total = launches.shortWorkTime});
    }
    if (!launches.slowLaunches.empty())
        rows.push_back({"slow launches: first launches load a module",
                        static_cast<std::int64_t>(launches.slowLaunches.size()),
                        launches.slowLaunchTime});
    if (launches.unlinked > 0)
        rows.push_back({"work without a recorded call", launches.unlinked});
    if (launches.negative > 0)
        rows.push_back({"work that starts before its call: clocks disagree", launches.negative});
    std::ranges::move(blockingRows(of, true), std::back_inserter(rows));
    return launchRows("Launches", "Launches and calls that block", std::move(rows));
}

DataTable blockingCallsTable(const ProfileSubject &of)
{
    return launchRows("Blocking calls", "Blocking call", blockingRows(of, false));
}

namespace {

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
              "Of a stream: its next work was called only after it had run dry. Of a device: "
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
            .add({key + "_share", "%", Share, "Of the span"},
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

DataTable countedKernelsTable(const ProfilerTables &tables)
{
    TableOf<CountedKernel> table("Kernels", countedKernels(tables));
    table.add({"name", "Kernel"}, &CountedKernel::name)
        .add({"launches", "Launches", Count},
             [](const CountedKernel &row) { return row.means.joined(); })
        .add({"time", "Time", Time, std::string(kCounterTimes)},
             [](const CountedKernel &row) { return row.hasTime ? Cell(row.time) : Cell(); });
    addCounters(table, &CountedKernel::means);
    table.note("Means weighted by the time of each launch");
    return std::move(table).table();
}

} // namespace vramscope
