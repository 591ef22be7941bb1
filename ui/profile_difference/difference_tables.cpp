// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/profile_difference/difference_tables.h"

#include "ui/profile/profile_cells.h"
#include "ui/profile/profile_text.h"
#include "ui/profile_difference/difference_text.h"
#include "ui/support/text.h"

#include <algorithm>

namespace vramscope {

using namespace Qt::StringLiterals;
using namespace cells;

namespace {

constexpr std::array<QStringView, kDifferenceTabCount> kNames = {u"parts", u"operators", u"work"};

constexpr double kTimes = 9; ///< from ten times as much on

/// A key without the mark of shapes that the file does not state.
QString shownKey(const ProfileDocument &side, std::string_view key)
{
    QString text = foreignText(side.shown(key));
    if (text.endsWith(u" | null"_s))
        text.chop(7);
    return text;
}

QString changeTip()
{
    return u"B less A; the changes of all rows add up to that of all device time"_s;
}

ProfileCell state(ChangeState of)
{
    return word(toQString(textOf(of)));
}

/// How much of A the change is; of what A has none of, nothing.
ProfileCell changeShare(std::int64_t change, std::int64_t before)
{
    if (before <= 0)
        return nothing();
    const double part = static_cast<double>(change) / static_cast<double>(before);
    if (part >= kTimes) // per cent are hard to read there
        return {u"× "_s + toQString(formatNumber(part + 1, 3)), part, {}, {}};
    QString text = timeShareText(std::abs(change), before);
    if (change != 0)
        text.prepend(change > 0 ? u'+' : u'−');
    return {text, part, {}, {}};
}

QString matchedText(int level)
{
    switch (level) {
    case 1:
        return u"call path and shapes"_s;
    case 2:
        return u"call path"_s;
    case 3:
        return u"name and shapes"_s;
    case 4:
        return u"name"_s;
    default:
        return u"–"_s;
    }
}

bool isShown(ChangeState state, const DifferenceFilter &filter)
{
    return !filter.state || *filter.state == state;
}

QString countsText(std::size_t shown, std::size_t all)
{
    return shown == all ? countedText(static_cast<std::int64_t>(all), "row")
                        : u"%1 of %2"_s.arg(countText(static_cast<std::int64_t>(shown)),
                                            countedText(static_cast<std::int64_t>(all), "row"));
}

ProfileTable parts(const ProfileDifferenceDocument &document)
{
    ProfileTable table;
    table.columns = {
        words(u"Part"_s), times(u"A"_s), times(u"B"_s),
        times(u"Change"_s, u"B less A; those of the four parts add up to the span's"_s),
        numbers(u"Of A"_s)};
    table.note = u"of %1; %2"_s.arg(sideText(document, 0), sideText(document, 1));
    const bool several = document.difference.devices.size() > 1;
    for (const BreakdownChange &device : document.difference.devices) {
        const DeviceBreakdown &a = device.sides[0];
        const DeviceBreakdown &b = device.sides[1];
        const auto row = [&](const QString &name, std::int64_t before, std::int64_t after) {
            const QString place = several ? u"GPU %1: %2"_s.arg(a.device).arg(name) : name;
            table.rows.push_back(
                {{word(place), time(before), time(after), timeChange(after - before),
                  changeShare(after - before, before)}});
        };
        row(u"Compute"_s, a.times.compute, b.times.compute);
        row(u"Exposed communication"_s, a.times.exposedCommunication, b.times.exposedCommunication);
        row(u"Exposed copies"_s, a.times.exposedCopy, b.times.exposedCopy);
        row(u"Idle"_s, a.times.idle, b.times.idle);
        row(u"Span"_s, a.times.span, b.times.span);
    }
    return table;
}

ProfileTable operators(const ProfileDifferenceDocument &document, const DifferenceFilter &filter)
{
    ProfileTable table;
    table.columns = {words(u"Operator"_s),
                     words(u"State"_s),
                     times(u"Change"_s, changeTip()),
                     numbers(u"Of A"_s),
                     times(u"Device, A"_s, u"Work that it launched itself, not its children"_s),
                     times(u"Device, B"_s, u"Work that it launched itself, not its children"_s),
                     numbers(u"Calls, A"_s),
                     numbers(u"Calls, B"_s),
                     times(u"Host, A"_s, u"On the host, without its children"_s),
                     times(u"Host, B"_s, u"On the host, without its children"_s),
                     words(u"Matched by"_s)};
    for (const OperatorChange &row : document.difference.operators) {
        if (!isShown(row.state, filter))
            continue;
        const QString name = shownKey(document.profile(row.count[1] > 0 ? 1 : 0), row.key);
        table.rows.push_back(
            {{word(name), state(row.state), timeChange(row.delta),
              changeShare(row.delta, row.device[0]), time(row.device[0]), time(row.device[1]),
              count(row.count[0]), count(row.count[1]), time(row.hostSelf[0]),
              time(row.hostSelf[1]), word(matchedText(row.level))}});
    }
    table.note = countsText(table.rows.size(), document.difference.operators.size());
    return table;
}

ProfileTable work(const ProfileDifferenceDocument &document, const DifferenceFilter &filter)
{
    ProfileTable table;
    table.columns = {words(u"Kernel or copy"_s),
                     words(u"Class"_s),
                     words(u"State"_s),
                     times(u"Change"_s, changeTip()),
                     numbers(u"Of A"_s),
                     times(u"Total, A"_s, u"Sum of its durations"_s),
                     times(u"Total, B"_s, u"Sum of its durations"_s),
                     numbers(u"Calls, A"_s),
                     numbers(u"Calls, B"_s),
                     words(u"Matched by"_s)};
    for (const KernelChange &row : document.difference.kernels) {
        if (!isShown(row.state, filter) || (filter.part && !belongsTo(row.workClass, *filter.part)))
            continue;
        const QString name =
            foreignText(document.profile(row.count[1] > 0 ? 1 : 0).shown(row.name));
        const QString matched = row.level == 1   ? u"full name"_s
                                : row.level == 2 ? u"name without variants"_s
                                                 : u"–"_s;
        table.rows.push_back(
            {{word(name), word(toQString(textOf(row.workClass))), state(row.state),
              timeChange(row.delta), changeShare(row.delta, row.total[0]), time(row.total[0]),
              time(row.total[1]), count(row.count[0]), count(row.count[1]), word(matched)}});
    }
    table.note = countsText(table.rows.size(), document.difference.kernels.size());
    return table;
}

} // namespace

QString nameOf(DifferenceTab tab)
{
    return kNames[static_cast<std::size_t>(tab)].toString();
}

std::optional<DifferenceTab> differenceTabNamed(QStringView name)
{
    const auto found = std::ranges::find(kNames, name);
    if (found == kNames.end())
        return std::nullopt;
    return static_cast<DifferenceTab>(found - kNames.begin());
}

QString titleOf(DifferenceTab tab)
{
    switch (tab) {
    case DifferenceTab::Parts:
        return u"Sum"_s;
    case DifferenceTab::Operators:
        return u"Operators"_s;
    case DifferenceTab::Work:
        break;
    }
    return u"Kernels and copies"_s;
}

ProfileTable differenceTable(const ProfileDifferenceDocument &document, DifferenceTab tab,
                             const DifferenceFilter &filter)
{
    ProfileTable table = tab == DifferenceTab::Parts       ? parts(document)
                         : tab == DifferenceTab::Operators ? operators(document, filter)
                                                           : work(document, filter);
    table.title = titleOf(tab);
    return table;
}

} // namespace vramscope
