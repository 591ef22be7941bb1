// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/profiles/profiles_tables.h"

#include "core/base/counted.h"
#include "core/base/durations.h"
#include "core/print/run_table_report.h"
#include "ui/profiles/profiles_text.h"

#include <algorithm>
#include <array>

namespace vramscope {

using namespace Qt::StringLiterals;

namespace {

using enum DataTable::Kind;
using Cell = DataTable::Cell;

constexpr std::array<QStringView, kRanksTabCount> kNames = {u"ranks", u"collectives", u"matches",
                                                            u"runs"};

Cell number(const RankProfile &rank)
{
    Cell cell(rank.rank);
    const bool isPart = !rank.isStated && !rank.part.empty();
    cell.text = isPart ? rank.part : std::to_string(rank.rank) + (rank.isStated ? "" : "?");
    return cell;
}

using Rows = std::vector<std::vector<Cell>>;

DataTable ranks(const ProfileFolder &folder)
{
    const RankProfiles &all = folder.ranks;
    Rows rows;
    for (std::size_t at = 0; at < all.ranks.size(); ++at) {
        const RankProfile &rank = all.ranks[at];
        const bool waits = all.waitedCalls > 0 && all.isCompared(at);
        const bool clock = !all.isOneRecording() && all.clocks[at].calls > 0;
        const TimeBreakdown of = all.times[at].value_or(TimeBreakdown());
        const auto part = [&](std::int64_t time) { return all.times[at] ? Cell(time) : Cell(); };
        rows.push_back({rank.file, number(rank), waits ? Cell(all.waits[at]) : Cell(),
                        waits ? Cell(all.lastCalls[at]) : Cell(), part(of.span), part(of.compute),
                        part(of.exposedCommunication), part(of.exposedCopy), part(of.idle),
                        all.isOneRecording() ? Cell("the same")
                        : clock              ? Cell(all.clocks[at].offset)
                                             : Cell(),
                        clock ? Cell(all.clocks[at].spread) : Cell()});
    }
    DataTable table = madeTable(
        {},
        {{"file", "File"},
         {"rank", "Rank", Count,
          "With ? where neither the file nor its name states it; of one recording its GPUs and the "
          "processes that drove them"},
         {"waited", "Waited", Time,
          "In the collectives that all ranks wait for: its durations beyond the transfer. Who "
          "waits least comes last"},
         {"last", "Came last", Count, "In so many of these collectives"},
         {"span", "Span", Time, "As the parts: " + comparedText(all)},
         {"compute", "Compute", Time},
         {"exposed_communication", "Exposed comm.", Time, "Communication while nothing computed"},
         {"exposed_copy", "Exposed copies", Time, "While nothing computed or communicated"},
         {"idle", "Idle", Time},
         {"clock", "Clock", TimeChange,
          "Beside that of the first rank, by the ends of collectives"},
         {"spread", "±", Time, "Half of the ends lie within so much of it"}},
        std::move(rows));
    table.note = all.waitedCalls > 0 ? counted(all.waitedCalls, "collective") +
                                           " that all ranks wait for; Return opens a rank"
                                     : "No waits are known; Return opens a rank";
    return table;
}

DataTable collectives(const ProfileFolder &folder)
{
    const RankProfiles &all = folder.ranks;
    Rows rows;
    for (const MatchedCollective &each : all.collectives) {
        std::int64_t longest = 0;
        for (const MatchedCall &call : each.calls)
            longest = std::max(longest, call.wait);
        const std::string last = !each.allWait    ? "not known"
                                 : each.hasLast() ? rankTitle(all.ranks[each.last]).toStdString()
                                                  : "none alone";
        rows.push_back({textOf(each.kind), each.group, each.index, each.calls.size(), each.bytes,
                        each.transfer, longest, last, each.bandwidth.bus});
    }
    DataTable table =
        madeTable({},
                  {{"kind", "Collective"},
                   {"group", "Group"},
                   {"call", "Call", Count, "Of this group and kind"},
                   {"ranks", "Ranks", Count},
                   {"bytes", "Size", Size},
                   {"transfer", "Transfer", Time, "The shortest duration of all ranks"},
                   {"wait", "Longest wait", Time},
                   {"last", "Came last"},
                   {"bus", "Bus", LeastBandwidth, "By the transfer"}},
                  std::move(rows));
    table.note = table.rows == 0 ? "No collective was matched over ranks"
                                 : "The shortest duration is the transfer; the rest is waiting";
    return table;
}

std::string matchedBy(CollectiveMatch::By by)
{
    switch (by) {
    case CollectiveMatch::By::Order:
        return "order: equal counts";
    case CollectiveMatch::By::Number:
        return "sequence number";
    case CollectiveMatch::By::FromEnd:
        return "order from the end: sizes agree";
    case CollectiveMatch::By::FromStart:
        return "order from the start: sizes agree";
    case CollectiveMatch::By::Not:
        break;
    }
    return "not matched: left out";
}

DataTable matches(const ProfileFolder &folder)
{
    Rows rows;
    for (const CollectiveMatch &match : folder.ranks.matches)
        rows.push_back(
            {textOf(match.kind), match.group, matchedBy(match.by), match.fewest, match.most});
    DataTable table = madeTable({},
                                {{"kind", "Collective"},
                                 {"group", "Group"},
                                 {"by", "Matched by"},
                                 {"fewest", "Fewest calls", Count, "Of a rank"},
                                 {"most", "Most calls", Count, "Of a rank"}},
                                std::move(rows));
    if (table.rows == 0)
        table.note = "No rank recorded a collective";
    return table;
}

Cell judged(std::int64_t part, std::int64_t whole, std::optional<bool> reached)
{
    Cell cell(shareOf(part, whole));
    if (reached)
        cell.text = formatTimeShare(part, whole) + (*reached ? " ✓" : " ✗");
    return cell;
}

DataTable runs(const ProfileFolder &folder)
{
    Rows rows;
    for (const RankProfile &rank : folder.ranks.ranks) {
        const auto row = runRow(rank.file, *rank.study);
        if (!row)
            continue;
        const TimeBreakdown &of = row->times;
        rows.push_back(
            {rank.file, number(rank), row->isOfSteps ? counted(row->steps, "step") : "everything",
             of.span, judged(of.compute, of.span, row->reachesCompute()),
             shareOf(row->nonCompute(), of.span), shareOf(of.idle, of.span),
             of.communication > 0
                 ? judged(of.overlappedCommunication, of.communication, row->reachesOverlap())
                 : Cell(),
             of.exposedCommunication, row->peakAllocated});
    }
    DataTable table = madeTable(
        {},
        {{"file", "File"},
         {"rank", "Rank", Count},
         {"scope", "Of"},
         {"span", "Span", Time},
         {"compute", "Compute", Share, "Of the span; ✓ where it reaches its target"},
         {"non_compute", "Non-compute", Share, "Exposed communication and copies, of the span"},
         {"idle", "Idle", Share, "Of the span"},
         {"overlap", "Overlap", Share,
          "Hidden communication of all; ✓ where it reaches its target"},
         {"exposed_communication", "Exposed comm.", Time},
         {"peak", "Peak memory", Size, "Allocated, where it was recorded"}},
        std::move(rows));
    table.note = runTargetsText();
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

DataTable ranksTable(const ProfileFolder &folder, RanksTab tab)
{
    DataTable table = tab == RanksTab::Ranks         ? ranks(folder)
                      : tab == RanksTab::Collectives ? collectives(folder)
                      : tab == RanksTab::Matches     ? matches(folder)
                                                     : runs(folder);
    table.title = titleOf(tab).toStdString();
    return table;
}

} // namespace vramscope
