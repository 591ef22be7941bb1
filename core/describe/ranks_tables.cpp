// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/describe/ranks_tables.h"

#include "core/base/sentence.h"
#include "core/describe/ranks_story.h"

#include <algorithm>
#include <utility>

namespace vramscope {

namespace {

using enum DataTable::Kind;
using RankCell = DataTable::Cell;

RankCell wordOrNone(const std::string &word)
{
    return word.empty() ? RankCell() : RankCell(word);
}

RankCell withText(RankCell cell, std::string text)
{
    cell.text = std::move(text);
    return cell;
}

/// A number that no separator divides.
RankCell plainNumber(std::int64_t number)
{
    return withText(number, std::to_string(number));
}

/// The file, and which part of it, where it is of several ranks.
RankCell fileCell(const std::string &path, const std::string &part)
{
    return part.empty() ? RankCell(path) : withText(path, path + ", " + part);
}

/// Adds the columns of the profiler trace of a rank.
void addTimeColumns(TableOf<RankRow> &table, const RunStudy &study)
{
    const RunActivity &activity = study.findings.activity;
    const bool isOneRecording = study.traces && study.traces->ranks.isOneRecording();
    const auto time = [](std::int64_t TimeBreakdown::*part) {
        return [part](const RankRow &row) {
            return row.times ? RankCell((*row.times).*part) : RankCell();
        };
    };
    const auto share = [](std::int64_t TimeBreakdown::*part) {
        return [part](const RankRow &row) {
            return row.times ? RankCell(row.times->span == 0
                                            ? 0.0
                                            : *shareOf((*row.times).*part, row.times->span))
                             : RankCell();
        };
    };
    const auto figure = [&study](RankFigure of) {
        return [&study, of](const RankRow &row) { return study.figure(row.rank, of); };
    };
    const auto profile = [&study](auto get) {
        return [&study, get](const RankRow &row) {
            const auto &of = study.rank(row.rank).profile;
            return of ? RankCell(get(study.rank(row.rank), *of)) : RankCell();
        };
    };
    const auto clock = [&activity](auto get) {
        return [&activity, get](const RankRow &row) {
            const auto place = activity.placeOf(row.rank);
            return place && activity.comparison.clocks[*place].calls > 0
                       ? RankCell(get(activity.comparison.clocks[*place]))
                       : RankCell();
        };
    };
    const auto trace = [](const RankSummary &rank) {
        return rank.profileSource ? *rank.profileSource : rank.source;
    };
    table
        .add({"profile.file", "Trace", Text, {}, "file", false},
             profile([trace](const RankSummary &rank, const ProfileSummary &of) {
                 return fileCell(trace(rank).path, of.part);
             }))
        .add({"profile.device", "Device of the trace", Count, {}, {}, false},
             profile([](const RankSummary &rank, const ProfileSummary &) {
                 return rank.profileSource ? rank.profileDevice : rank.device;
             }))
        .add({"profile.part", "Part", Text, {}, {}, false},
             profile(
                 [](const RankSummary &, const ProfileSummary &of) { return wordOrNone(of.part); }))
        .add({"profile.median_step", "Step", Time,
              "The median time of a step, by the rank's profiler trace"},
             figure(RankFigure::StepTime))
        .add({"profile.span", "Span", Time, capitalized(comparedText(activity.comparison))},
             time(&TimeBreakdown::span))
        .add({"profile.compute", "Compute", Time,
              "While the first GPU of the profiler trace computed"},
             time(&TimeBreakdown::compute))
        .add({"compute_share", "Compute share", Share, {}, "compute", false},
             share(&TimeBreakdown::compute))
        .add({"profile.communication", "Communication", Time, {}, {}, false},
             time(&TimeBreakdown::communication))
        .add({"profile.exposed_communication", "Exposed comm.", Time,
              "Communication while nothing computed"},
             time(&TimeBreakdown::exposedCommunication))
        .add({"exposed_share", "Exposed share", Share, {}, "exp. comm.", false},
             share(&TimeBreakdown::exposedCommunication))
        .add({"profile.exposed_copy", "Exposed copies", Time,
              "Copies while nothing computed or communicated"},
             time(&TimeBreakdown::exposedCopy))
        .add({"copy_share", "Share of copies", Share, {}, "exp. copies", false},
             share(&TimeBreakdown::exposedCopy))
        .add({"profile.idle", "Idle", Time, "While the GPU did nothing"},
             time(&TimeBreakdown::idle))
        .add({"idle_share", "Idle share", Share, {}, "idle", false}, share(&TimeBreakdown::idle))
        .add({"profile.wait", "Waited", Time,
              "In collectives that all ranks wait for: the durations beyond the transfer. The rank "
              "that waits least comes last"},
             figure(RankFigure::Wait))
        .add({"profile.last_calls", "Came last", Count,
              "Number of collectives where this rank arrived last"},
             [&activity](const RankRow &row) {
                 const auto place = activity.placeOf(row.rank);
                 return place && activity.areWaitsKnown() && activity.comparison.isCompared(*place)
                            ? RankCell(activity.comparison.lastCalls[*place])
                            : RankCell();
             })
        .add({"profile.cut", "Cut", Count, {}, {}, false},
             profile([](const RankSummary &, const ProfileSummary &of) {
                 return static_cast<std::int64_t>(of.isCut);
             }))
        .add({"profile.steps", "Steps", Count, {}, {}, false},
             profile([](const RankSummary &, const ProfileSummary &of) { return of.stepCount; }))
        .add({"clock", "Clock", TimeChange,
              "Offset to the clock of the first rank, by the ends of collectives"},
             [clock, isOneRecording](const RankRow &row) {
                 return isOneRecording ? RankCell("the same")
                                       : clock([](const RankClock &of) { return of.offset; })(row);
             })
        .add({"clock_spread", "±", Time, "Median deviation of the ends"},
             [clock, isOneRecording](const RankRow &row) {
                 return isOneRecording ? RankCell()
                                       : clock([](const RankClock &of) { return of.spread; })(row);
             });
}

} // namespace

std::string remarkOf(const RunStudy &study, std::size_t rank, ByteUnit unit)
{
    const RankSummary &of = study.rank(rank);
    std::vector<std::string> remarks;
    if (of.failureCount > 0)
        remarks.emplace_back("out of memory");
    if (study.findings.activity.late() == rank)
        remarks.emplace_back("late");
    if (study.isOutlier(rank)) {
        remarks.push_back("outlier " + formatChange(study.deviation(rank), unit));
    } else if (study.isOutlier(rank, true)) {
        const bool isByItsMemory =
            std::ranges::any_of(study.findings.outliers, [rank](const RankOutlier &each) {
                return each.rank == rank && isOfMemory(each.figure);
            });
        remarks.emplace_back(isByItsMemory ? "outlier" : "outlier in time");
    }
    if (of.problemCount > 0)
        remarks.push_back(of.problems.empty() ? "incomplete" : of.problems.front().kind);
    std::string text;
    for (const std::string &each : remarks)
        text += (text.empty() ? "" : " · ") + each;
    return text;
}

std::vector<RankRow> rankRows(const RunStudy &study)
{
    std::vector<RankRow> rows;
    for (std::size_t rank = 0; rank < study.count(); ++rank) {
        const RunActivity &activity = study.findings.activity;
        const auto place = activity.placeOf(rank);
        rows.push_back({rank, study.rank(rank).device,
                        place ? activity.comparison.times[*place] : std::nullopt});
    }
    return rows;
}

DataTable ranksTable(const RunStudy &study, std::vector<RankRow> rows, ByteUnit unit)
{
    const auto summary = [&study](auto get) {
        return [&study, get](const RankRow &row) { return RankCell(get(study.rank(row.rank))); };
    };
    const auto memory = [&study](auto get) {
        return [&study, get](const RankRow &row) {
            const RankSummary &rank = study.rank(row.rank);
            return rank.hasMemory ? RankCell(get(row.rank, rank.figures)) : RankCell();
        };
    };
    const auto group = [&study](const RankRow &row) { return study.findings.groupOf[row.rank]; };
    const bool areGrouped = study.findings.groups.size() > 1;
    TableOf<RankRow> table("Ranks", std::move(rows));
    table
        .add({"rank", "Rank", Count,
              "With ? where neither the file nor its name states it; of one recording its GPUs and "
              "the processes that drove them"},
             [&study](const RankRow &row) {
                 const RankProfile *trace = study.trace(row.rank);
                 return withText(study.number(row.rank),
                                 trace ? numberText(*trace)
                                       : std::to_string(study.number(row.rank)));
             })
        .add({"peak_active", "Peak", Size, {}, "peak active"},
             memory([](std::size_t, const DeviceSummary &of) { return of.peakActive; }))
        .add({"to_median", "To median", SizeChange, "The peak less the median of the rank's group"},
             memory([&study](std::size_t rank, const DeviceSummary &) {
                 return study.deviation(rank);
             }))
        .add({"node", "Node"},
             summary([](const RankSummary &of) { return wordOrNone(of.source.node); }))
        .add({"remark", "Remark"},
             [&study, unit](const RankRow &row) {
                 return wordOrNone(remarkOf(study, row.rank, unit));
             })
        .add({"peak_reserved", "Reserved", Size, {}, "peak reserved"},
             [&study](const RankRow &row) {
                 return study.figure(row.rank, RankFigure::PeakReserved);
             })
        .add({"group", "Index of the group", Count, {}, {}, false}, group)
        .add({"group_number", "Group", Count, "Ranks with the same allocation sites at their peak",
              "group", areGrouped},
             [group](const RankRow &row) {
                 return plainNumber(static_cast<std::int64_t>(group(row)) + 1);
             })
        .add({"growth", "Growth", Size,
              "Active memory at the end of the last complete step, less that at the begin of the "
              "second one"},
             [&study](const RankRow &row) { return study.figure(row.rank, RankFigure::Growth); })
        .add({"peak_active_event", "Event of the peak", Count, {}, {}, false},
             memory([](std::size_t, const DeviceSummary &of) { return of.peakActiveEvent; }))
        .add({"reserved_end", "Reserved at the end", Size, {}, {}, false},
             [&study](const RankRow &row) {
                 const RankSummary &of = study.rank(row.rank);
                 return of.hasMemory && of.figures.isReservedKnown
                            ? RankCell(of.figures.reservedEnd)
                            : RankCell();
             })
        .add({"failures", "Failures", Count, {}, {}, false},
             summary([](const RankSummary &of) { return of.failureCount; }))
        .add({"failure", "Failure", Text, {}, {}, false}, summary([](const RankSummary &of) {
                 return of.failureCount > 0 ? RankCell("out of memory") : RankCell();
             }));
    addTimeColumns(table, study);
    table
        .add({"device", "Device", Count},
             [](const RankRow &row) { return plainNumber(row.device); })
        .add({"file", "File"}, summary([](const RankSummary &of) {
                 return fileCell(of.source.path, of.hasMemory ? "" : of.profile->part);
             }))
        .target([](const RankRow &row) { return DataTable::Target{.kind = 0, .at = row.rank}; });
    return std::move(table).table();
}

DataTable outliersTable(const RunStudy &study)
{
    std::vector<RankOutlier> outliers = study.findings.outliers;
    std::erase_if(outliers, [](const RankOutlier &each) { return !isOfMemory(each.figure); });
    TableOf<RankOutlier> table("Outliers", std::move(outliers));
    table
        .add({"title", "Outlier", Text},
             [&study](const RankOutlier &of) {
                 return "rank " + std::to_string(study.number(of.rank));
             })
        .add({"rank", "Rank", Count, {}, {}, false},
             [&study](const RankOutlier &of) { return study.number(of.rank); })
        .add(
            {"node", "Node"},
            [&study](const RankOutlier &of) { return wordOrNone(study.rank(of.rank).source.node); })
        .add({"figure", "By"},
             [](const RankOutlier &of) {
                 return withText(nameOf(of.figure).key, nameOf(of.figure).title);
             })
        .add({"value", "Its own", Size}, &RankOutlier::value)
        .add({"median", "Group's median", Size}, &RankOutlier::median)
        .add({"difference", "To median", SizeChange}, &RankOutlier::difference)
        .add({"group", "Group", Count}, [](const RankOutlier &of) {
            return withText(static_cast<std::int64_t>(of.group), std::to_string(of.group + 1));
        });
    return std::move(table).table();
}

DataTable groupsTable(const RunStudy &study)
{
    std::vector<std::size_t> groups;
    for (std::size_t at = 0; at < study.findings.groups.size(); ++at) {
        if (study.rank(study.findings.groups[at].typical).hasMemory)
            groups.push_back(at);
    }
    const auto of = [&study](auto get) {
        return [&study, get](std::size_t at) { return get(study.findings.groups[at]); };
    };
    TableOf<std::size_t> table("Groups of ranks with the same allocation sites at their peak",
                               std::move(groups));
    table
        .add({"group", "Group", Count},
             [](std::size_t at) { return plainNumber(static_cast<std::int64_t>(at) + 1); })
        .add({"ranks", "Ranks", Count},
             of([](const AlikeRanks &group) { return plainNumber(std::ssize(group.ranks)); }))
        .add({"least", "Least", Size},
             of([](const AlikeRanks &group) { return group.active.least; }))
        .add({"median", "Median peak", Size},
             of([](const AlikeRanks &group) { return group.active.median; }))
        .add({"most", "Most", Size}, of([](const AlikeRanks &group) { return group.active.most; }))
        .add({"failed", "Out of memory", Count}, of([&study](const AlikeRanks &group) {
                 return plainNumber(std::ranges::count_if(group.ranks, [&](std::size_t rank) {
                     return study.rank(rank).failureCount > 0;
                 }));
             }))
        .add({"which", "Which"}, of([&study](const AlikeRanks &group) {
                 return rangesText(rankRangesOf(study.run, group.ranks));
             }));
    return std::move(table).table();
}

} // namespace vramscope
