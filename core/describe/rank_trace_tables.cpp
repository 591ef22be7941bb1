// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/counted.h"
#include "core/describe/ranks_tables.h"

#include <algorithm>
#include <utility>

namespace vramscope {

namespace {

using enum DataTable::Kind;
using TraceCell = DataTable::Cell;

TraceCell withWords(TraceCell cell, std::string text)
{
    cell.text = std::move(text);
    return cell;
}

TraceCell judged(std::int64_t part, std::int64_t whole, std::optional<bool> reached)
{
    const auto share = shareOf(part, whole);
    return reached && share ? withWords(share, formatFraction(*share) + (*reached ? " ok" : " low"))
                            : TraceCell(share);
}

} // namespace

std::string numberText(const RankProfile &rank)
{
    if (!rank.isStated && !rank.part.empty())
        return rank.part;
    return std::to_string(rank.rank) + (rank.isStated ? "" : "?");
}

DataTable collectivesTable(const RankProfiles &ranks)
{
    using Each = MatchedCollective;
    TableOf<Each> table("Collectives", std::span(ranks.collectives));
    table.add({"group", "Group"}, &Each::group)
        .add({"collective", "Collective"}, [](const Each &of) { return textOf(of.kind); })
        .add({"index", "Call", Count, "Number within this group and kind"}, &Each::index)
        .add({"ranks", "Ranks", Count}, [](const Each &of) { return std::ssize(of.calls); })
        .add({"bytes", "Size", Size}, &Each::bytes)
        .add({"transfer", "Transfer", Time, "The shortest duration of all ranks"}, &Each::transfer)
        .add({"wait", "Longest wait", Time},
             [](const Each &of) { return std::ranges::max(of.calls, {}, &MatchedCall::wait).wait; })
        .add({"last_rank", "Last rank", Count},
             [&ranks](const Each &of) {
                 const RankProfile &last = ranks.ranks[of.last];
                 return !of.allWait    ? TraceCell()
                        : of.hasLast() ? withWords(last.rank, numberText(last))
                                       : withWords(TraceCell(std::int64_t(-1)), "several");
             })
        .add({"bus_bandwidth", "Bus", DataTable::Kind::Bandwidth, "By the transfer", "bus"},
             [](const Each &of) { return of.bandwidth.bus; });
    DataTable made = std::move(table).table();
    made.note = made.rows == 0 ? "No collective was matched over ranks"
                               : "The shortest duration is the transfer; the rest is waiting";
    return made;
}

namespace {

const char *matchedBy(CollectiveMatch::By by)
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

} // namespace

DataTable matchesTable(const RankProfiles &ranks)
{
    TableOf<CollectiveMatch> table("How matched", std::span(ranks.matches));
    table
        .add({"collective", "Collective"},
             [](const CollectiveMatch &of) { return textOf(of.kind); })
        .add({"group", "Group"}, &CollectiveMatch::group)
        .add({"by", "Matched by"}, [](const CollectiveMatch &of) { return matchedBy(of.by); })
        .add({"fewest", "Fewest calls", Count, "By one rank"}, &CollectiveMatch::fewest)
        .add({"most", "Most calls", Count, "By one rank"}, &CollectiveMatch::most)
        .noteIfEmpty("No rank recorded a collective");
    return std::move(table).table();
}

std::string runTargetsText()
{
    return "Compute should be more than " + formatPercent(kComputeTarget) +
           " of the span, and overlap more than " + formatPercent(kOverlapTarget) +
           " of communication.";
}

DataTable runsTable(std::vector<RunRow> rows)
{
    const auto time = [](std::int64_t TimeBreakdown::*part) {
        return [part](const RunRow &row) { return row.times.*part; };
    };
    TableOf<RunRow> table("Targets", std::move(rows));
    table.add({"file", "Run"}, &RunRow::name)
        .add({"problems", "Problems", Text, {}, {}, false},
             [](const RunRow &) { return TraceCell(); })
        .add({"device", "Device", Count, {}, {}, false}, &RunRow::device)
        .add({"steps", "Of", Text},
             [](const RunRow &row) {
                 return withWords(row.steps,
                                  row.isOfSteps ? counted(row.steps, "step") : "everything");
             })
        .add({"span", "Span", Time}, time(&TimeBreakdown::span))
        .add({"compute", "Compute", Time, {}, {}, false}, time(&TimeBreakdown::compute))
        .add({"compute_share", "Compute", Share,
              "As a share of the span; ok if it reaches its target"},
             [](const RunRow &row) {
                 return judged(row.times.compute, row.times.span, row.reachesCompute());
             })
        .add({"non_compute", "Non-compute time", Time, {}, {}, false}, &RunRow::nonCompute)
        .add({"non_compute_share", "Non-compute", Share,
              "Exposed communication and copies, of the span"},
             [](const RunRow &row) { return shareOf(row.nonCompute(), row.times.span); })
        .add({"idle", "Idle time", Time, {}, {}, false}, time(&TimeBreakdown::idle))
        .add({"idle_share", "Idle", Share, "As a share of the span"},
             [](const RunRow &row) { return shareOf(row.times.idle, row.times.span); })
        .add({"communication", "Communication", Time, {}, {}, false},
             time(&TimeBreakdown::communication))
        .add({"overlap", "Overlap", Share,
              "Hidden communication as a share of all; ok if it reaches its target"},
             [](const RunRow &row) {
                 return judged(row.times.overlappedCommunication, row.times.communication,
                               row.reachesOverlap());
             })
        .add({"exposed_communication", "Exposed comm.", Time, {}, "exp. comm."},
             time(&TimeBreakdown::exposedCommunication))
        .add({"peak_allocated", "Peak memory", Size, "Allocated, where it was recorded"},
             &RunRow::peakAllocated)
        .note(runTargetsText());
    return std::move(table).table();
}

} // namespace vramscope
