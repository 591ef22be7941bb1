// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/print/run_report.h"

#include "core/base/counted.h"
#include "core/describe/ranks_story.h"
#include "core/describe/ranks_tables.h"
#include "core/print/cells.h"
#include "core/print/compare_report.h"
#include "core/print/profile_report.h"
#include "core/print/run_coverage_report.h"
#include "core/table/terminal_table.h"

#include <algorithm>
#include <set>
#include <utility>

namespace vramscope {

namespace {

constexpr std::size_t kMostRankRows = 64; ///< more ranks are no table that a person reads

std::string outliersText(const RunStudy &study, std::size_t most, ByteUnit unit)
{
    const DataTable table = outliersTable(study);
    return table.rows == 0
               ? std::string()
               : "\n" + terminalText(table, {.keys = {"title", "node", "figure", "value", "median",
                                                      "difference", "group"},
                                             .most = most,
                                             .unit = unit});
}

/// What a group is, where its ranks are not all similar.
std::string groupNote(const RunStudy &study, std::size_t at)
{
    const AlikeRanks &group = study.findings.groups[at];
    const std::string title = "  Group " + std::to_string(at + 1);
    if (!study.rank(group.typical).hasMemory)
        return title + ", " + rangesText(rankRangesOf(study.run, group.ranks)) +
               ", left no snapshot.\n";
    if (group.alike < kLeastAlike)
        return title + ": fewer than five similar ranks, so all are compared as one group.\n";
    if (group.alike < group.ranks.size())
        return title + ": " + formatCount(static_cast<std::int64_t>(group.alike)) +
               " are similar; the others are fewer than five of their kind, and most like these.\n";
    return {};
}

std::string groupsText(const RunStudy &study, ByteUnit unit)
{
    constexpr std::size_t kMostGroups = 40;
    const DataTable table = groupsTable(study);
    std::string text =
        table.title + "\n\n" +
        textTable(table, {.keys = {"group", "ranks", "least", "median", "most", "failed", "which"},
                          .most = kMostGroups,
                          .widest = TextTable::kWidestCell,
                          .unit = unit})
            .text();
    const std::size_t count = study.findings.groups.size();
    for (std::size_t at = 0; at < std::min(count, kMostGroups); ++at)
        text += groupNote(study, at);
    if (count > kMostGroups)
        text += "  (" + counted(static_cast<std::int64_t>(count - kMostGroups), "other group") +
                "; --json lists them)\n";
    return text;
}

std::string memoryTable(const RunStudy &study, ByteUnit unit)
{
    if (study.count() > kMostRankRows)
        return {};
    std::vector<RankRow> rows = rankRows(study);
    std::erase_if(rows, [&](const RankRow &row) { return !study.rank(row.rank).hasMemory; });
    return textTable(ranksTable(study, std::move(rows), unit),
                     {.keys = {"rank", "device", "peak_active", "to_median", "peak_reserved",
                               "failure", "file"},
                      .widest = TextTable::kWidestCell,
                      .unit = unit})
               .text() +
           "\n";
}

std::string contrastText(const RunStudy &study, const RankContrast &contrast, std::size_t most,
                         ByteUnit unit)
{
    return "\nRank " + std::to_string(study.number(contrast.rank)) + " (B) against rank " +
           std::to_string(study.number(contrast.typical)) +
           " (A), the typical one of its group, each at its peak\n\n" +
           differencesText(contrast.comparison,
                           {study.rank(contrast.typical).source.path, study.run.stacks},
                           {study.rank(contrast.rank).source.path, study.run.stacks}, most, unit);
}

/// Of all ranks, whatever group they are in.
std::string spreadText(const RankedRun &run, ByteUnit unit)
{
    std::string text;
    for (const RankFigure figure : {RankFigure::PeakActive, RankFigure::PeakReserved}) {
        const auto spread = spreadOf(run, figure);
        if (!spread)
            continue;
        text += std::string("  ") + nameOf(figure).title + " from " +
                formatBytes(spread->least, unit) + " to " + formatBytes(spread->most, unit) +
                ", median " + formatBytes(spread->median, unit) + ": skew " +
                formatPercent(spread->skew) + "\n";
    }
    return text + "  skew: the highest less the lowest, as a share of the median\n";
}

/// Ranks with a profiler trace: all, or of many those that the story names.
std::vector<std::size_t> tracedRanks(const RunFindings &findings)
{
    const RunActivity &activity = findings.activity;
    if (activity.ranks.size() <= kMostRankRows)
        return activity.ranks;
    std::set<std::size_t> named;
    if (const auto late = activity.late())
        named.insert(*late);
    for (const auto *highest : {&activity.slowestStep, &activity.mostIdle, &activity.mostExposed}) {
        if (*highest)
            named.insert((*highest)->rank);
    }
    for (const RankOutlier &each : findings.outliersByTime()) {
        if (named.size() < kMostRankRows)
            named.insert(each.rank);
    }
    return {named.begin(), named.end()};
}

/// The rows of some ranks: of profiler traces that are read whole each device has its own.
std::vector<RankRow> timeRows(const RunStudy &study, const std::vector<std::size_t> &ranks)
{
    std::vector<RankRow> rows = rankRows(study);
    if (study.traces) {
        const std::vector<ComparedDevice> devices = comparedDevices(study.traces->ranks);
        std::erase_if(rows, [&](const RankRow &row) {
            return std::ranges::find(devices, row.rank, &ComparedDevice::rank) != devices.end();
        });
        for (const ComparedDevice &each : devices)
            rows.push_back({each.rank, each.device, each.times});
        std::ranges::stable_sort(rows, {}, &RankRow::rank);
    }
    std::erase_if(rows,
                  [&](const RankRow &row) { return !std::ranges::binary_search(ranks, row.rank); });
    return rows;
}

std::string timesText(const RunStudy &study)
{
    const RunActivity &activity = study.findings.activity;
    if (activity.ranks.empty())
        return {};
    std::string text;
    const Story story = timeStory(study);
    text += paragraph(story.answer);
    for (const Finding &finding : story.findings)
        text += paragraph(finding.sentence);
    for (const std::string &remark : story.remarks)
        text += paragraph(remark);
    const std::vector<std::size_t> shown = tracedRanks(study.findings);
    std::vector<RankRow> rows = timeRows(study, shown);
    TerminalTable as{.keys = {"rank", "profile.span", "compute_share", "exposed_share",
                              "copy_share", "idle_share", "profile.wait", "profile.last_calls",
                              "profile.file"},
                     .widest = 40};
    if (study.traces) {
        if (rows.size() > shown.size()) // of several devices
            as.keys.insert(as.keys.begin() + 1, "device");
        if (!study.traces->ranks.isOneRecording())
            as.keys.insert(as.keys.end() - 1, {"clock", "clock_spread"});
    }
    const bool areAll = shown.size() == activity.ranks.size();
    return text +
           (areAll ? "\nWhere the time of each rank went "
                   : "\nWhere the time of these ranks went (--json lists all) ") +
           comparedText(activity.comparison) + ":\n" +
           terminalText(ranksTable(study, std::move(rows)), as);
}

} // namespace

std::string runText(const RunStudy &study, std::size_t most, ByteUnit unit)
{
    std::string text =
        runProblemsText(study.run) + coverageText(study.run, study.redo ? &*study.redo : nullptr);
    std::string times = timesText(study);
    if (!times.empty())
        times.insert(0, "\n");
    if (!study.hasMemory())
        return text + times;
    const Story story = runStory(study, unit);
    text += "\n" + paragraph(story.answer);
    for (const Finding &finding : story.findings) {
        if (finding.kind != kTimeFinding)
            text += paragraph(finding.sentence);
    }
    text += outliersText(study, most, unit) + "\n" + memoryTable(study, unit) +
            spreadText(study.run, unit) + "\n" + groupsText(study, unit);
    if (const std::size_t without = study.findings.contrastsWithoutSites; without > 0)
        text += "\n" + counted(static_cast<std::int64_t>(without), "rank") +
                " cannot be compared with the typical one: the sites at the peak were cut off.\n";
    for (const RankContrast &contrast : study.findings.contrasts)
        text += contrastText(study, contrast, most, unit);
    return text + times;
}

std::string profileFolderText(const RunStudy &study, const std::string &folder, std::size_t most)
{
    const RankProfiles &ranks = study.traces->ranks;
    const bool isOne = ranks.isOneRecording();
    std::string text;
    for (const std::string &each : ranks.problems)
        text += paragraph("Problem: " + each);
    if (!text.empty())
        text += "\n";
    text += printable(folder) + ": " + counted(std::ssize(ranks.ranks), isOne ? "GPU" : "profile") +
            (isOne ? ", each a rank; one recording on one clock" : "") + "\n\n" + timesText(study);
    if (ranks.collectives.empty())
        return text;
    return text + "\nCollectives matched over ranks (the shortest duration is the transfer):\n" +
           terminalText(collectivesTable(ranks),
                        {.keys = {"group", "collective", "index", "bytes", "transfer", "wait",
                                  "last_rank", "bus_bandwidth"},
                         .most = most});
}

} // namespace vramscope
