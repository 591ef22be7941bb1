// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/profile/profile_tables.h"

#include "core/profile/profile_study.h"
#include "ui/profile/profile_cells.h"
#include "ui/profile/profile_text.h"
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

QString laneName(const ProfileDocument &document, std::uint32_t at)
{
    const ProfileLane &lane = document.profile->lanes()[at];
    return u"GPU %1, stream %2"_s.arg(lane.device).arg(lane.stream);
}

/// Work that begins within a stretch.
std::vector<std::uint32_t> workWithin(const Profile &profile, const TimeSpan &within)
{
    const auto &starts = profile.work().start;
    const auto first = std::ranges::lower_bound(starts, within.from) - starts.begin();
    const auto last = std::ranges::lower_bound(starts, within.to) - starts.begin();
    std::vector<std::uint32_t> rows;
    for (auto at = first; at < last; ++at)
        rows.push_back(static_cast<std::uint32_t>(at));
    return rows;
}

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

ProfileTable kernels(const ProfileDocument &document, const std::optional<TimeSpan> &within,
                     ByteUnit unit)
{
    const ProfileStudy &study = *document.study;
    const Profile &profile = *document.profile;
    const KernelTable some = within ? kernelTable(profile, document.classes(),
                                                  workWithin(profile, *within), study.exposed())
                                    : KernelTable();
    const KernelTable &kernels = within ? some : study.kernels();
    const auto longest = longestWork(document, within);
    ProfileTable table;
    table.columns = {words(u"Kernel"_s),
                     words(u"Class"_s),
                     numbers(u"Calls"_s),
                     times(u"Total"_s, u"Sum of its durations; work that overlaps counts each"_s),
                     numbers(u"Share"_s, u"Of the sum of all durations"_s),
                     times(u"Mean"_s),
                     times(u"Shortest"_s),
                     times(u"Longest"_s),
                     numbers(u"Exposed"_s, u"Of its total: while nothing else hid it"_s),
                     numbers(u"Occupancy"_s, u"Mean of the profiler's estimates"_s),
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
    if (table.rows.empty())
        table.note = within ? u"Nothing began on a device in this stretch."_s
                            : u"Nothing ran on a device while this was recorded."_s;
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
        some = operatorTable(profile, study.operatorCosts(), options);
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
        times(u"of it waiting"_s, u"Of host self: in calls that wait for the device"_s),
        times(u"Host total"_s, u"Nested ones of the same name count once"_s),
        numbers(u"Launches"_s)};
    for (const std::uint32_t at : operators.sorted(profile)) {
        const OperatorRow &row = operators.rows[at];
        const QString shapes = foreignText(document.text(row.shapes));
        const QString types = foreignText(document.text(row.types));
        ProfileTableRow made;
        made.cells = {operatorCell(document, operators, at),
                      word(shapes, shapes),
                      word(types, types),
                      count(row.count),
                      time(row.deviceSelf),
                      time(row.deviceTotal),
                      time(row.hostSelf),
                      time(row.waiting),
                      time(row.hostTotal),
                      count(row.launches)};
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
    if (launches.shortWork > 0) {
        add(u"kernels that ran shorter than their call took"_s, count(launches.shortWork),
            time(launches.shortWorkTime), nothing(), nothing(), nothing());
        add(u"the calls of those kernels"_s, count(launches.shortWork),
            time(launches.shortCallTime), nothing(), nothing(), nothing());
    }
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

ProfileTable idle(const ProfileDocument &document)
{
    const ProfileStudy &study = *document.study;
    ProfileTable table;
    table.columns = {words(u"Where"_s),
                     times(u"Idle"_s),
                     times(u"Host wait"_s, u"Of a stream: its next work was called only after it "
                                           "had run dry. Of a device: nothing was queued on any "
                                           "stream when the gap began."_s),
                     numbers(u"Share"_s, u"Host wait of idle"_s),
                     times(u"Kernel wait"_s, u"Queued, and a gap of less than 1 µs"_s),
                     times(u"Other"_s, u"Queued: it waited for another stream, or the device"_s)};
    for (const DeviceIdle &of : study.deviceIdle()) {
        ProfileTableRow row;
        row.cells = {word(u"GPU %1"_s.arg(of.device)), time(of.idle), time(of.hostWait),
                     share(of.hostWait, of.idle),      nothing(),     time(of.queued())};
        table.rows.push_back(std::move(row));
    }
    for (const LaneIdle &of : study.laneIdle()) {
        const std::int64_t whole = of.hostWait + of.kernelWait + of.other;
        ProfileTableRow row;
        row.cells = {word(laneName(document, of.lane)), time(whole),         time(of.hostWait),
                     share(of.hostWait, whole),         time(of.kernelWait), time(of.other)};
        table.rows.push_back(std::move(row));
    }
    if (table.rows.empty())
        table.note = u"Nothing ran on a device while this was recorded."_s;
    return table;
}

/// A row of the breakdown: its parts in order of their columns.
ProfileTableRow breakdownRow(const QString &name, const TimeBreakdown &of)
{
    ProfileTableRow row;
    row.cells = {word(name),
                 time(of.span),
                 time(of.compute),
                 share(of.compute, of.span),
                 time(of.exposedCommunication),
                 share(of.exposedCommunication, of.span),
                 time(of.exposedCopy),
                 share(of.exposedCopy, of.span),
                 time(of.idle),
                 share(of.idle, of.span),
                 of.communication > 0 ? time(of.communication) : nothing(),
                 share(of.overlappedCommunication, of.communication)};
    return row;
}

ProfileTable breakdownTable(const ProfileDocument &document, const std::optional<TimeSpan> &within)
{
    const ProfileStudy &study = *document.study;
    ProfileTable table;
    const QString ofSpan = u"Of the span"_s;
    table.columns = {
        words(u"Where"_s),
        times(u"Span"_s, u"From the first start to the last end; compute, exposed communication, "
                         "exposed copies and idle add up to it"_s),
        times(u"Compute"_s, u"While anything computed"_s),
        numbers(u"%"_s, ofSpan),
        times(u"Exposed communication"_s, u"While nothing computed"_s),
        numbers(u"%"_s, ofSpan),
        times(u"Exposed copies"_s, u"Copies and fills while nothing computed or communicated"_s),
        numbers(u"%"_s, ofSpan),
        times(u"Idle"_s, u"While nothing ran"_s),
        numbers(u"%"_s, ofSpan),
        times(u"All communication"_s, u"Hidden and exposed"_s),
        numbers(u"Hidden"_s, u"The part of communication during which something computed"_s)};
    if (within) {
        const std::vector<std::uint32_t> rows = workWithin(*document.profile, *within);
        for (const DeviceBreakdown &of :
             breakdownByDevice(*document.profile, document.classes(), rows))
            table.rows.push_back(breakdownRow(u"GPU %1"_s.arg(of.device), of.times));
        for (const LaneBreakdown &of : breakdownByLane(*document.profile, document.classes(), rows))
            table.rows.push_back(breakdownRow(laneName(document, of.lane), of.times));
    } else {
        for (const DeviceBreakdown &of : study.devices())
            table.rows.push_back(breakdownRow(u"GPU %1"_s.arg(of.device), of.times));
        for (const LaneBreakdown &of : study.lanes())
            table.rows.push_back(breakdownRow(laneName(document, of.lane), of.times));
    }
    if (table.rows.empty())
        table.note = within ? u"Nothing began on a device in this stretch."_s
                            : u"Nothing ran on a device while this was recorded."_s;
    return table;
}

/// For people who compare with HolisticTraceAnalysis.
ProfileTable htaTable(const ProfileDocument &document)
{
    ProfileTable table;
    table.columns = {words(u"As HolisticTraceAnalysis counts"_s),
                     times(u"Kernel time"_s, u"Its name for the span, idle time included"_s),
                     times(u"Idle"_s),
                     times(u"Compute"_s),
                     times(u"Non-compute"_s, u"Kernel time − idle − compute: communication and "
                                             "copies that nothing hid"_s),
                     times(u"Communication"_s),
                     times(u"Overlapped"_s, u"Communication while something computed"_s),
                     numbers(u"Overlap"_s)};
    if (const auto &hta = document.study->hta()) {
        ProfileTableRow row;
        row.cells = {word(u"All streams of all devices"_s),
                     time(hta->kernelTime),
                     time(hta->idle),
                     time(hta->compute),
                     time(hta->nonCompute),
                     time(hta->communication),
                     time(hta->overlapped),
                     share(hta->overlapped, hta->communication)};
        table.rows.push_back(std::move(row));
        table.note = u"With its quirks: whole microseconds, its own list of names, and of several "
                     "steps only what began before the last."_s;
    } else {
        table.note = u"HolisticTraceAnalysis would count nothing in this recording."_s;
    }
    return table;
}

/// "by ProfilerStep", "by Optimizer.step#AdamW.step".
QString markerName(const ProfileDocument &document, const StepMarker &marker)
{
    switch (marker.kind) {
    case StepMarker::Kind::ProfilerStep:
        return u"By ProfilerStep"_s;
    case StepMarker::Kind::Kernel:
        return u"By the kernel %1, which recurs"_s.arg(foreignText(document.text(marker.name)));
    case StepMarker::Kind::Optimizer:
    case StepMarker::Kind::DataLoader:
    case StepMarker::Kind::Range:
        break;
    }
    return u"By %1"_s.arg(foreignText(document.text(marker.name)));
}

ProfileTable stepsOf(const ProfileDocument &document, std::size_t choice)
{
    const std::span<const StepMarker> markers = document.stepMarkers();
    const bool isMarked = choice < markers.size();
    const ProfileSteps steps =
        isMarked ? profileSteps(*document.profile, document.classes(), markers[choice])
                 : ProfileSteps();
    ProfileTable table;
    table.columns = {words(u"Step"_s),
                     times(u"Time"_s, u"From its start on the host to that of the next; of the "
                                      "last its own duration"_s),
                     times(u"On devices"_s, u"From the first start to the last end of what was "
                                            "called in it"_s),
                     times(u"Compute"_s),
                     times(u"Exposed communication"_s),
                     times(u"Exposed copies"_s),
                     times(u"Idle"_s),
                     numbers(u"Overlap"_s, u"The part of communication that compute hid"_s),
                     numbers(u"Work"_s)};
    for (std::size_t at = 0; at < steps.steps.size(); ++at) {
        const ProfileStep &step = steps.steps[at];
        QString name = foreignText(document.text(step.name));
        if (markers[choice].kind != StepMarker::Kind::ProfilerStep)
            name += u" %1"_s.arg(at + 1);
        if (steps.hasMedian && at == steps.median)
            name += u", the median"_s;
        else if (step.isOutlier)
            name += u", an outlier"_s;
        ProfileTableRow row;
        row.cells = {word(name), time(step.time)};
        if (step.device) {
            const TimeBreakdown &of = *step.device;
            row.cells.insert(row.cells.end(),
                             {time(of.span), time(of.compute), time(of.exposedCommunication),
                              time(of.exposedCopy), time(of.idle),
                              share(of.overlappedCommunication, of.communication)});
        } else {
            row.cells.insert(row.cells.end(), 6, nothing());
        }
        row.cells.push_back(count(step.work));
        table.rows.push_back(std::move(row));
    }
    if (table.rows.empty())
        table.note = u"No steps were recorded: call step() of the profiler once an iteration."_s;
    else if (markers[choice].kind == StepMarker::Kind::Kernel)
        table.note = u"No steps were recorded; what the device runs repeats as this kernel does."_s;
    else if (markers[choice].kind != StepMarker::Kind::ProfilerStep)
        table.note = u"Divided %1"_s.arg(markerName(document, markers[choice]).toLower());
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
        table = idle(document);
        knowsStretch = false;
        break;
    case ProfileTab::Steps:
        table = stepsOf(document, choice.choice);
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
