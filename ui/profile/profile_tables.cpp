// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/profile/profile_tables.h"

#include "core/profile/profile_problems.h"
#include "core/profile/profile_study.h"
#include "ui/profile/profile_cells.h"
#include "ui/profile/profile_text.h"
#include "ui/profile/time_tables.h"
#include "ui/support/text.h"

#include <algorithm>
#include <array>
#include <unordered_map>

namespace vramscope {

using namespace Qt::StringLiterals;
using namespace cells;

namespace {

constexpr std::array<QStringView, kProfileTabCount> kNames = {
    u"kernels", u"operators", u"collectives", u"launches", u"idle", u"steps", u"breakdown"};

/// Of each name the piece of work that ran longest: where its row leads to.
std::unordered_map<std::uint64_t, std::uint32_t> longestWork(const ProfileDocument &document,
                                                             const std::optional<TimeSpan> &within)
{
    const WorkColumns &work = document.profile->work();
    std::unordered_map<std::uint64_t, std::uint32_t> longest;
    for (std::uint32_t at = 0; at < work.count(); ++at) {
        if (within && (work.start[at] < within->from || work.start[at] >= within->to))
            continue;
        const auto [known, isNew] =
            longest.try_emplace(static_cast<std::uint64_t>(work.name[at]), at);
        if (!isNew && work.duration(at) > work.duration(known->second))
            known->second = at;
    }
    return longest;
}

ProfileCell occupancy(std::int64_t percent)
{
    return {u"%1 %"_s.arg(percent), static_cast<double>(percent), {}, {}};
}

/// Of how many kernels counters of Nsight Compute are known; the event panel says why of no more.
QString joinNote(const KernelCounters &counters, const std::optional<TimeSpan> &within)
{
    const QString launches = countedText(std::ssize(counters.tables->launches), "launch");
    const QString note =
        counters.joined == 0
            ? u"Nothing of Nsight Compute's %1 is joined"_s.arg(launches)
            : u"Counters of %1 of %2, on as many of %3"_s.arg(
                  countText(counters.joined), launches, countedText(counters.kernels, "kernel"));
    return within ? u"What began in the chosen %1; %2"_s.arg(
                        durationText(within->to - within->from), note.at(0).toLower() + note.mid(1))
                  : note;
}

ProfileTable kernels(const ProfileDocument &document, const std::optional<TimeSpan> &within,
                     ByteUnit unit)
{
    const ProfileStudy &study = *document.study;
    const Profile &profile = *document.profile;
    const KernelTable some = within
                                 ? kernelTable(profile, document.classes(),
                                               workStartedWithin(profile, within->from, within->to),
                                               study.exposed(), study.counters())
                                 : KernelTable();
    const KernelTable &kernels = within ? some : study.kernels();
    const auto longest = longestWork(document, within);
    const KernelCounters *counters = study.counters();
    const bool isJoined = counters && counters->joined > 0;
    ProfileTable table;
    table.columns = {words(u"Kernel"_s),
                     words(u"Class"_s),
                     numbers(u"Calls"_s),
                     times(u"Total"_s, u"Sum of its durations; work that overlaps counts each"_s),
                     numbers(u"Share"_s, u"Of the sum of all durations"_s),
                     counterColumn(KernelCounter::Occupancy),
                     counterColumn(KernelCounter::SmThroughput),
                     counterColumn(KernelCounter::DramThroughput),
                     numbers(u"Counted"_s, u"Launches that Nsight Compute's counters are joined "
                                           "to; the means are of these"_s),
                     times(u"Mean"_s),
                     times(u"Shortest"_s),
                     times(u"Longest"_s),
                     numbers(u"Exposed"_s, u"Of its total: while nothing else hid it"_s),
                     numbers(isJoined ? u"Estimated occ."_s : u"Occupancy"_s,
                             u"Mean of the profiler's estimates"_s),
                     {u"Bytes"_s, u"Of copies and fills"_s, false, u"bytes"_s}};
    for (const KernelRow &row : kernels.rows) {
        const QString name = foreignText(document.text(row.name));
        ProfileTableRow made;
        made.cells = {word(name),
                      word(row.family == WorkFamily::None ? toQString(textOf(row.workClass))
                                                          : toQString(textOf(row.family))),
                      count(row.count),
                      time(row.total),
                      share(row.total, kernels.total),
                      percent(row.counters.mean(KernelCounter::Occupancy)),
                      percent(row.counters.mean(KernelCounter::SmThroughput)),
                      percent(row.counters.mean(KernelCounter::DramThroughput)),
                      row.counters.joined() > 0 ? count(row.counters.joined()) : nothing(),
                      time(row.count > 0 ? row.total / row.count : 0),
                      time(row.shortest),
                      time(row.longest),
                      share(row.exposed, row.total),
                      row.occupancyCount > 0 ? occupancy(row.occupancySum / row.occupancyCount)
                                             : nothing(),
                      row.bytes > 0 ? bytes(row.bytes, unit) : nothing()};
        const auto event = longest.find(static_cast<std::uint64_t>(row.name));
        if (event != longest.end())
            made.event = {EventKind::Work, event->second};
        made.named = EventKind::Work;
        made.name = row.name;
        table.rows.push_back(std::move(made));
    }
    if (table.rows.empty()) {
        table.note = within ? u"Nothing began on a device in this stretch."_s
                            : toQString(noDeviceText(*document.profile));
    } else if (counters) {
        table.note = joinNote(*counters, within);
        table.noteTip = joinText(*counters);
    }
    return table;
}

/// What a row of operators is called.
ProfileCell operatorCell(const ProfileDocument &document, const OperatorTable &operators,
                         std::uint32_t at)
{
    const OperatorRow &row = operators.rows[at];
    const QString name = foreignText(document.text(row.name));
    if (operators.grouping == OperatorGrouping::Module && name.isEmpty())
        return word(u"(no module recorded)"_s);
    if (operators.grouping != OperatorGrouping::Path)
        return word(name);
    QStringList path{name};
    for (std::uint32_t up = row.parent; up != kNoRow; up = operators.rows[up].parent)
        path.prepend(foreignText(document.text(operators.rows[up].name)));
    return word(path.join(u" › "_s), path.join(u"\n"_s));
}

/// Of each row of a table the operator that took longest: where the row leads to.
std::vector<std::uint32_t> longestOperators(const Profile &profile, const OperatorTable &operators)
{
    std::vector<std::uint32_t> longest(operators.rows.size(), kNoRow);
    const OperatorColumns &columns = profile.operators();
    for (std::uint32_t at = 0; at < operators.row.size(); ++at) {
        if (operators.row[at] == kNoRow)
            continue;
        std::uint32_t &known = longest[operators.row[at]];
        if (known == kNoRow ||
            columns.end[at] - columns.start[at] > columns.end[known] - columns.start[known])
            known = at;
    }
    return longest;
}

ProfileTable operators(const ProfileDocument &document, OperatorGrouping grouping,
                       const std::optional<TimeSpan> &within)
{
    const ProfileStudy &study = *document.study;
    const Profile &profile = *document.profile;
    const bool isMade = !within && grouping == OperatorGrouping::Name;
    OperatorTable some;
    if (!isMade) {
        const TimeInterval interval =
            within ? TimeInterval{within->from, within->to} : TimeInterval{};
        OperatorTableOptions options;
        options.grouping = grouping;
        options.belowForward = true;
        if (within)
            options.within = std::span(&interval, 1);
        some = operatorTable(profile, study.work(), options);
    }
    const OperatorTable &operators = isMade ? study.operators() : some;
    const std::vector<std::uint32_t> longest = longestOperators(profile, operators);
    ProfileTable table;
    table.columns = {
        words(grouping == OperatorGrouping::Module ? u"Module"_s : u"Operator"_s),
        words(u"Shapes"_s),
        words(u"Types"_s),
        numbers(u"Calls"_s),
        times(u"Device self"_s, u"Of work launched in it and in none of its children"_s),
        times(u"Device total"_s, u"Of work launched in it and below; nested ones count once"_s),
        times(u"Host self"_s, u"Its duration without that of its children"_s),
        times(u"Waiting"_s, u"Part of host self: in calls that wait for the device"_s),
        times(u"Host total"_s, u"Nested ones of the same name count once"_s),
        numbers(u"Launches"_s)};
    // A time that was not recorded is not 0.
    const bool hasDevice = profile.work().count() > 0;
    const auto deviceTime = [hasDevice](std::int64_t of) {
        return hasDevice ? time(of) : nothing();
    };
    for (const std::uint32_t at : operators.sorted(profile)) {
        const OperatorRow &row = operators.rows[at];
        const QString shapes = foreignText(document.text(row.shapes));
        const QString types = foreignText(document.text(row.types));
        ProfileTableRow made;
        made.cells = {operatorCell(document, operators, at),
                      word(shapes, shapes),
                      word(types, types),
                      count(row.count),
                      deviceTime(row.deviceSelf),
                      deviceTime(row.deviceTotal),
                      time(row.hostSelf),
                      time(row.waiting),
                      time(row.hostTotal),
                      hasDevice ? count(row.launches) : nothing()};
        made.event = {EventKind::Operator, longest[at]};
        if (grouping != OperatorGrouping::Module) { // a module is no event
            made.named = EventKind::Operator;
            made.name = row.name;
        }
        table.rows.push_back(std::move(made));
    }
    if (table.rows.empty())
        table.note =
            within ? u"No operator began in this stretch."_s : u"No operators were recorded."_s;
    return table;
}

ProfileTable collectivesOf(const ProfileDocument &document, const std::optional<TimeSpan> &within,
                           ByteUnit unit)
{
    const ProfileStudy &study = *document.study;
    const Profile &profile = *document.profile;
    Collectives some;
    if (within) {
        some = study.collectives();
        std::erase_if(some.calls, [&](const CollectiveCall &call) {
            const std::int64_t start = profile.work().start[call.work];
            return start < within->from || start >= within->to;
        });
    }
    const std::vector<CollectiveRow> rows =
        within ? collectiveTable(profile, some, study.exposed()) : study.collectiveTable();
    ProfileTable table;
    table.columns = {words(u"Collective"_s),
                     words(u"Type"_s),
                     {u"Message"_s, u"Bytes of one call"_s, false, u"bytes"_s},
                     words(u"Group"_s),
                     numbers(u"Ranks"_s),
                     numbers(u"Calls"_s),
                     times(u"Total"_s),
                     times(u"Mean"_s),
                     times(u"Shortest"_s),
                     times(u"Longest"_s),
                     numbers(u"Exposed"_s, u"Of its total: while nothing computed"_s),
                     numbers(u"Algorithm"_s,
                             u"Message bytes over time. A duration holds the wait for other "
                             "ranks: a lower bound."_s),
                     numbers(u"Bus"_s, u"What the links carry, as nccl-tests count; a lower "
                                       "bound for the same reason."_s)};
    for (const CollectiveRow &row : rows) {
        const CollectiveCall &call = row.first;
        ProfileTableRow made;
        const QString group = foreignText(document.shown(study.collectives().groups[call.group]));
        made.cells = {word(toQString(textOf(call.kind)),
                           foreignText(document.text(profile.work().name[call.work]))),
                      word(foreignText(document.text(call.dtype))),
                      call.bytes ? bytes(*call.bytes, unit) : nothing(),
                      word(group, foreignText(document.text(call.ranks))),
                      call.groupSize ? count(*call.groupSize) : nothing(),
                      count(row.count),
                      time(row.total),
                      time(row.count > 0 ? row.total / row.count : 0),
                      time(row.shortest),
                      time(row.longest),
                      share(row.exposed, row.total),
                      rate(row.atLeast.algorithm),
                      rate(row.atLeast.bus)};
        made.event = {EventKind::Work, call.work};
        table.rows.push_back(std::move(made));
    }
    if (table.rows.empty())
        table.note = within ? u"No collective began in this stretch."_s
                            : u"No collectives ran: this process communicated with no other "
                              "while it was recorded."_s;
    return table;
}

ProfileTable launches(const ProfileDocument &document)
{
    const LaunchSummary &launches = document.study->launches();
    ProfileTable table;
    table.columns = {words(u"Launches and calls that block"_s),
                     numbers(u"Count"_s),
                     times(u"Total"_s),
                     times(u"Median"_s),
                     times(u"Mean"_s),
                     times(u"Longest"_s)};
    const auto add = [&](const QString &name, ProfileCell number, ProfileCell total,
                         ProfileCell median, ProfileCell mean, ProfileCell longest) {
        ProfileTableRow row;
        row.cells = {word(name),        std::move(number), std::move(total),
                     std::move(median), std::move(mean),   std::move(longest)};
        table.rows.push_back(std::move(row));
    };
    const auto addDelay = [&](const QString &name, const std::optional<DelayFigures> &delay) {
        if (delay)
            add(name, count(delay->count), time(delay->sum), time(delay->median),
                time(delay->count > 0 ? delay->sum / delay->count : 0), time(delay->most));
    };
    addDelay(u"from the start of a call to the start of its work"_s, launches.fromCallStart);
    addDelay(u"from the end of a call to the start of its work"_s, launches.afterCallEnd);
    if (launches.shortLaunches > 0) {
        add(u"launch calls that take longer than their kernels"_s, count(launches.shortLaunches),
            time(launches.shortCallTime), nothing(), nothing(), nothing());
        add(u"the kernels of those calls"_s, nothing(), time(launches.shortWorkTime), nothing(),
            nothing(), nothing());
    }
    if (!launches.slowLaunches.empty())
        add(u"slow launches: first launches load a module"_s,
            count(static_cast<std::int64_t>(launches.slowLaunches.size())),
            time(launches.slowLaunchTime), nothing(), nothing(), nothing());
    if (launches.unlinked > 0)
        add(u"work without a recorded call"_s, count(launches.unlinked), nothing(), nothing(),
            nothing(), nothing());
    if (launches.negative > 0)
        add(u"work that starts before its call: clocks disagree"_s, count(launches.negative),
            nothing(), nothing(), nothing(), nothing());
    for (const BlockingCalls &calls : launches.blocking) {
        add(u"%1, %2"_s.arg(foreignText(document.text(calls.name)),
                            calls.waits ? u"waits for the device"_s : u"allocates or frees"_s),
            count(calls.count), time(calls.time), nothing(),
            time(calls.count > 0 ? calls.time / calls.count : 0), time(calls.longest));
        table.rows.back().named = EventKind::Call;
        table.rows.back().name = calls.name;
    }
    table.note =
        table.rows.empty() ? u"No calls of the device's runtime were recorded."_s : QString();
    return table;
}

/// Columns of which no row has anything to say are left out.
void dropEmptyColumns(ProfileTable &table)
{
    for (std::size_t column = table.columns.size(); column-- > 1 && !table.rows.empty();) {
        const bool empty = std::ranges::all_of(table.rows, [column](const ProfileTableRow &row) {
            return row.cells[column].text.isEmpty() || row.cells[column].text == u"–"_s;
        });
        if (!empty)
            continue;
        const auto at = static_cast<std::ptrdiff_t>(column);
        table.columns.erase(table.columns.begin() + at);
        for (ProfileTableRow &row : table.rows)
            row.cells.erase(row.cells.begin() + at);
    }
}

} // namespace

QString nameOf(ProfileTab tab)
{
    return kNames[static_cast<std::size_t>(tab)].toString();
}

std::optional<ProfileTab> profileTabNamed(QStringView name)
{
    const auto found = std::ranges::find(kNames, name);
    return found == kNames.end() ? std::nullopt
                                 : std::optional(static_cast<ProfileTab>(found - kNames.begin()));
}

QString titleOf(ProfileTab tab)
{
    switch (tab) {
    case ProfileTab::Kernels:
        return u"Kernels"_s;
    case ProfileTab::Operators:
        return u"Operators"_s;
    case ProfileTab::Collectives:
        return u"Collectives"_s;
    case ProfileTab::Launches:
        return u"Launches"_s;
    case ProfileTab::Idle:
        return u"Idle"_s;
    case ProfileTab::Steps:
        return u"Steps"_s;
    case ProfileTab::Breakdown:
        break;
    }
    return u"Breakdown"_s;
}

QStringList choicesOf(const ProfileDocument &document, ProfileTab tab)
{
    if (tab == ProfileTab::Operators) // as OperatorGrouping
        return {u"By name"_s, u"By name and shapes"_s, u"By call path"_s, u"By module"_s};
    if (tab == ProfileTab::Breakdown)
        return {u"Parts that add up"_s, u"As HTA counts"_s};
    QStringList choices;
    if (tab == ProfileTab::Steps) {
        for (const StepMarker &marker : document.stepMarkers())
            choices << markerName(document, marker);
    }
    return choices.size() > 1 ? choices : QStringList();
}

ProfileTable profileTable(const ProfileDocument &document, const ProfileTableChoice &choice,
                          const std::optional<TimeSpan> &within, ByteUnit unit)
{
    ProfileTable table;
    bool knowsStretch = true;
    switch (choice.tab) {
    case ProfileTab::Kernels:
        table = kernels(document, within, unit);
        break;
    case ProfileTab::Operators:
        table = operators(document, static_cast<OperatorGrouping>(choice.choice), within);
        break;
    case ProfileTab::Collectives:
        table = collectivesOf(document, within, unit);
        break;
    case ProfileTab::Launches:
        table = launches(document);
        knowsStretch = false;
        break;
    case ProfileTab::Idle:
        table = idleTable(document);
        knowsStretch = false;
        break;
    case ProfileTab::Steps:
        table = stepsTable(document, choice.choice);
        knowsStretch = false;
        break;
    case ProfileTab::Breakdown:
        knowsStretch = choice.choice == 0;
        table = knowsStretch ? breakdownTable(document, within) : htaTable(document);
        break;
    }
    dropEmptyColumns(table);
    table.title = titleOf(choice.tab);
    if (table.note.isEmpty() && within)
        table.note =
            knowsStretch
                ? u"What began in the chosen %1"_s.arg(durationText(within->to - within->from))
                : u"Of the whole recording, whatever stretch is chosen"_s;
    return table;
}

} // namespace vramscope
