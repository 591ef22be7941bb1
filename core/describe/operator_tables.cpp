// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/describe/profile_table_parts.h"
#include "core/describe/profile_tables.h"

#include <algorithm>
#include <iterator>

// What a profile calls: operators, collectives, launches.

namespace vramscope {

namespace {

using enum DataTable::Kind;
using Cell = DataTable::Cell;
using Target = DataTable::Target;

std::int64_t meanOf(std::int64_t total, std::int64_t count)
{
    return count > 0 ? total / count : 0;
}

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
        .add(
            {"device_self", "Device self", Time, "Work launched in it and in none of its children"},
            onDevice(&OperatorRow::deviceSelf))
        .add({"device_total", "Device total", Time,
              "Work launched in it and below; nested ones count once", "device"},
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
        .add({"exposed", "Exposed", Share, "Part of its total while nothing computed"},
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
                        std::ssize(launches.slowLaunches), launches.slowLaunchTime});
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

} // namespace vramscope
