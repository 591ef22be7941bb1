// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/profiles/profiles_tables.h"

#include "core/base/counted.h"
#include "core/print/run_table_report.h"
#include "ui/profile/profile_cells.h"
#include "ui/profile/profile_text.h"
#include "ui/profiles/profiles_text.h"
#include "ui/support/text.h"

#include <algorithm>
#include <array>

namespace vramscope {

using namespace Qt::StringLiterals;
using namespace cells;

namespace {

constexpr std::array<QStringView, kRanksTabCount> kNames = {u"ranks", u"collectives", u"matches",
                                                            u"runs"};

ProfileCell number(const RankProfile &rank)
{
    const bool isPart = !rank.isStated && !rank.part.empty();
    const QString text = isPart ? foreignText(rank.part)
                                : QString::number(rank.rank) + (rank.isStated ? QString() : u"?"_s);
    return {text,
            static_cast<double>(rank.rank),
            isPart ? std::nullopt : std::optional<qint64>(rank.rank),
            {}};
}

ProfileTable ranks(const ProfileFolder &folder)
{
    const RankProfiles &all = folder.ranks;
    ProfileTable table;
    table.columns = {
        words(u"File"_s),
        numbers(u"Rank"_s, u"With ? where neither the file nor its name states it; of one "
                           "recording its GPUs and the processes that drove them"_s),
        times(u"Waited"_s, u"In the collectives that all ranks wait for: its durations beyond the "
                           "transfer. Who waits least comes last"_s),
        numbers(u"Came last"_s, u"In so many of these collectives"_s),
        times(u"Span"_s, u"As the parts: %1"_s.arg(toQString(comparedText(all)))),
        times(u"Compute"_s),
        times(u"Exposed comm."_s, u"Communication while nothing computed"_s),
        times(u"Exposed copies"_s, u"While nothing computed or communicated"_s),
        times(u"Idle"_s),
        times(u"Clock"_s, u"Beside that of the first rank, by the ends of collectives"_s),
        times(u"±"_s, u"Half of the ends lie within so much of it"_s)};
    for (std::size_t at = 0; at < all.ranks.size(); ++at) {
        const RankProfile &rank = all.ranks[at];
        const bool waits = all.waitedCalls > 0 && all.isCompared(at);
        const bool clock = !all.isOneRecording() && all.clocks[at].calls > 0;
        const TimeBreakdown of = all.times[at].value_or(TimeBreakdown());
        const auto part = [&](std::int64_t time) {
            return all.times[at] ? cells::time(time) : nothing();
        };
        table.rows.push_back(
            {{word(foreignText(rank.file)), number(rank), waits ? time(all.waits[at]) : nothing(),
              waits ? count(all.lastCalls[at]) : nothing(), part(of.span), part(of.compute),
              part(of.exposedCommunication), part(of.exposedCopy), part(of.idle),
              all.isOneRecording() ? word(u"the same"_s)
              : clock              ? timeChange(all.clocks[at].offset)
                                   : nothing(),
              clock ? time(all.clocks[at].spread) : nothing()}});
    }
    table.note = all.waitedCalls > 0 ? u"%1 that all ranks wait for; Return opens a rank"_s.arg(
                                           toQString(counted(all.waitedCalls, "collective")))
                                     : u"No waits are known; Return opens a rank"_s;
    return table;
}

ProfileTable collectives(const ProfileFolder &folder, ByteUnit unit)
{
    const RankProfiles &all = folder.ranks;
    ProfileTable table;
    table.columns = {words(u"Collective"_s),
                     words(u"Group"_s),
                     numbers(u"Call"_s, u"Of this group and kind"_s),
                     numbers(u"Ranks"_s),
                     {u"Size"_s, {}, false, u"bytes"_s},
                     times(u"Transfer"_s, u"The shortest duration of all ranks"_s),
                     times(u"Longest wait"_s),
                     words(u"Came last"_s),
                     numbers(u"Bus"_s, u"By the transfer"_s)};
    for (const MatchedCollective &each : all.collectives) {
        std::int64_t longest = 0;
        for (const MatchedCall &call : each.calls)
            longest = std::max(longest, call.wait);
        const QString last = !each.allWait    ? u"not known"_s
                             : each.hasLast() ? rankTitle(all.ranks[each.last])
                                              : u"none alone"_s;
        table.rows.push_back(
            {{word(toQString(textOf(each.kind))), word(foreignText(each.group)), count(each.index),
              count(static_cast<std::int64_t>(each.calls.size())),
              each.bytes ? bytes(*each.bytes, unit) : nothing(), time(each.transfer), time(longest),
              word(last), rate(each.bandwidth.bus)}});
    }
    table.note = table.rows.empty()
                     ? u"No collective was matched over ranks"_s
                     : u"The shortest duration is the transfer; the rest is waiting"_s;
    return table;
}

QString matchedBy(CollectiveMatch::By by)
{
    switch (by) {
    case CollectiveMatch::By::Order:
        return u"order: equal counts"_s;
    case CollectiveMatch::By::Number:
        return u"sequence number"_s;
    case CollectiveMatch::By::FromEnd:
        return u"order from the end: sizes agree"_s;
    case CollectiveMatch::By::FromStart:
        return u"order from the start: sizes agree"_s;
    case CollectiveMatch::By::Not:
        break;
    }
    return u"not matched: left out"_s;
}

ProfileTable matches(const ProfileFolder &folder)
{
    ProfileTable table;
    table.columns = {words(u"Collective"_s), words(u"Group"_s), words(u"Matched by"_s),
                     numbers(u"Fewest calls"_s, u"Of a rank"_s),
                     numbers(u"Most calls"_s, u"Of a rank"_s)};
    for (const CollectiveMatch &match : folder.ranks.matches)
        table.rows.push_back({{word(toQString(textOf(match.kind))), word(foreignText(match.group)),
                               word(matchedBy(match.by)), count(match.fewest), count(match.most)}});
    if (table.rows.empty())
        table.note = u"No rank recorded a collective"_s;
    return table;
}

ProfileCell judged(std::int64_t part, std::int64_t whole, std::optional<bool> reached)
{
    ProfileCell cell = share(part, whole);
    if (reached)
        cell.text += *reached ? u" ✓"_s : u" ✗"_s;
    return cell;
}

ProfileTable runs(const ProfileFolder &folder, ByteUnit unit)
{
    ProfileTable table;
    table.columns = {
        words(u"File"_s),
        numbers(u"Rank"_s),
        words(u"Of"_s),
        times(u"Span"_s),
        numbers(u"Compute"_s, u"Of the span; ✓ where it reaches its target"_s),
        numbers(u"Non-compute"_s, u"Exposed communication and copies, of the span"_s),
        numbers(u"Idle"_s, u"Of the span"_s),
        numbers(u"Overlap"_s, u"Hidden communication of all; ✓ where it reaches its target"_s),
        times(u"Exposed comm."_s),
        {u"Peak memory"_s, u"Allocated, where it was recorded"_s, false, u"bytes"_s}};
    for (const RankProfile &rank : folder.ranks.ranks) {
        const auto row = runRow(rank.file, *rank.study);
        if (!row)
            continue;
        const TimeBreakdown &of = row->times;
        table.rows.push_back(
            {{word(foreignText(rank.file)), number(rank),
              word(row->isOfSteps ? toQString(counted(row->steps, "step")) : u"everything"_s),
              time(of.span), judged(of.compute, of.span, row->reachesCompute()),
              share(row->nonCompute(), of.span), share(of.idle, of.span),
              of.communication > 0
                  ? judged(of.overlappedCommunication, of.communication, row->reachesOverlap())
                  : nothing(),
              time(of.exposedCommunication),
              row->peakAllocated ? bytes(*row->peakAllocated, unit) : nothing()}});
    }
    table.note = toQString(runTargetsText());
    return table;
}

} // namespace

QString nameOf(RanksTab tab)
{
    return kNames[static_cast<std::size_t>(tab)].toString();
}

std::optional<RanksTab> ranksTabNamed(QStringView name)
{
    const auto found = std::ranges::find(kNames, name);
    if (found == kNames.end())
        return std::nullopt;
    return static_cast<RanksTab>(found - kNames.begin());
}

QString titleOf(RanksTab tab)
{
    switch (tab) {
    case RanksTab::Ranks:
        return u"Ranks"_s;
    case RanksTab::Collectives:
        return u"Collectives"_s;
    case RanksTab::Matches:
        return u"How matched"_s;
    case RanksTab::Runs:
        break;
    }
    return u"Targets"_s;
}

ProfileTable ranksTable(const ProfileFolder &folder, RanksTab tab, ByteUnit unit)
{
    ProfileTable table = tab == RanksTab::Ranks         ? ranks(folder)
                         : tab == RanksTab::Collectives ? collectives(folder, unit)
                         : tab == RanksTab::Matches     ? matches(folder)
                                                        : runs(folder, unit);
    table.title = titleOf(tab);
    return table;
}

} // namespace vramscope
