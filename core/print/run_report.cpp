// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/print/run_report.h"

#include "core/analysis/costs/frame_text.h"
#include "core/base/counted.h"
#include "core/base/json_text.h"
#include "core/base/text.h"
#include "core/print/cells.h"
#include "core/print/compare_report.h"
#include "core/print/json_parts.h"
#include "core/print/run_activity_report.h"
#include "core/ranks/summarize_folder.h"
#include "core/table/text_table.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <array>

namespace vramscope {

namespace {

using Json = nlohmann::ordered_json;

constexpr std::size_t kRangesNamed = 8;
constexpr std::size_t kFilesNamed = 5;

struct FigureName
{
    const char *key;
    const char *title;
};
constexpr std::array<FigureName, kRankFigureCount> kFigureNames{
    FigureName{"peak_active", "peak active"},
    FigureName{"peak_reserved", "peak reserved"},
    FigureName{"unused", "reserved but unused"},
    FigureName{"growth", "growth over the steps"},
};
const FigureName &figureNameOf(RankFigure figure)
{
    return kFigureNames[static_cast<std::size_t>(figure)];
}

std::int64_t rankNumberOf(const RankSummary &rank)
{
    return rank.source.rank.value_or(-1);
}

/// "Rank 1733 (node0216, device 5)"
std::string rankTitle(const RankSummary &rank)
{
    std::string text = "Rank " + std::to_string(rankNumberOf(rank)) + " (";
    if (!rank.source.node.empty())
        text += printable(rank.source.node) + ", ";
    return text + "device " + std::to_string(rank.device) + ")";
}

std::vector<RankRange> rankRangesOf(const RankedRun &run, const std::vector<std::size_t> &ranks)
{
    std::vector<RankRange> ranges;
    for (const std::size_t at : ranks) {
        const std::int64_t rank = rankNumberOf(run.ranks[at]);
        if (!ranges.empty() && ranges.back().last + 1 == rank)
            ranges.back().last = rank;
        else
            ranges.push_back({rank, rank});
    }
    return ranges;
}

std::int64_t ranksInRanges(const std::vector<RankRange> &ranges)
{
    std::int64_t count = 0;
    for (const RankRange &range : ranges)
        count += range.last - range.first + 1;
    return count;
}

std::string aboveOrBelow(Bytes value, Bytes from, ByteUnit unit)
{
    return value >= from ? formatBytes(value - from, unit) + " above"
                         : formatBytes(from - value, unit) + " below";
}

const RankContrast *contrastOf(const RunFindings &findings, std::size_t rank)
{
    const auto found = std::ranges::find(findings.contrasts, rank, &RankContrast::rank);
    return found == findings.contrasts.end() ? nullptr : &*found;
}

/// Where a rank stands among those that are alike, and what most of that is.
std::string standingText(const RankedRun &run, const RunFindings &findings, std::size_t rank,
                         FrameOrigins &origins, ByteUnit unit)
{
    const AlikeRanks &group = findings.groups[findings.groupOf[rank]];
    if (group.ranks.size() < 2)
        return {};
    const bool isOutlier = std::ranges::any_of(findings.outliers, [&](const OutlyingRank &each) {
        return each.rank == rank && each.figure == RankFigure::PeakActive;
    });
    const auto count = static_cast<std::int64_t>(group.ranks.size()) - 1;
    const bool areAlike = group.alike >= kLeastAlike && group.alike + 1 >= group.ranks.size();
    const std::string others =
        "the " + counted(count, "other rank") +
        (areAlike ? " that hold the same kinds of things" : " that it is judged with");
    const Bytes peak = run.ranks[rank].figures.peakActive;
    if (!isOutlier && group.ranks.size() < kLeastJudged)
        return {};
    if (!isOutlier)
        return " Its peak of " + formatBytes(peak, unit) + " is as usual among " + others + ".";
    std::string text = " Its peak stands " + aboveOrBelow(peak, group.active.median, unit) +
                       " the median of " + others;
    const RankContrast *contrast = contrastOf(findings, rank);
    if (contrast != nullptr && !contrast->comparison.sites.empty()) {
        const ComparedSite &site = contrast->comparison.sites.front();
        const StackId stack = site.countB > 0 ? site.stackB : site.stackA;
        text += ": " + formatChange(site.delta(), unit) + " in " +
                stackProse(*run.stacks, stack, origins) + ", against rank " +
                std::to_string(rankNumberOf(run.ranks[contrast->typical]));
    }
    return text + ".";
}

std::string firstFailureText(const RankedRun &run, const RunFindings &findings,
                             FrameOrigins &origins, ByteUnit unit)
{
    if (!findings.failure)
        return "No rank ran out of memory.";
    const FirstFailure &first = *findings.failure;
    const RankSummary &rank = run.ranks[first.rank];
    std::string text = rankTitle(rank);
    text += first.failed == 1 ? " alone ran out of memory"
            : first.isTimed
                ? " failed first of " + counted(static_cast<std::int64_t>(first.failed), "rank") +
                      " that ran out of memory"
                : " is the first of " + counted(static_cast<std::int64_t>(first.failed), "rank") +
                      " that ran out of memory by number: when they did is not recorded";
    if (!rank.failures.empty()) {
        const SummaryFailure &failure = rank.failures.front();
        text += ", asking for " + formatBytes(failure.requested, unit);
        if (failure.deviceFree >= 0)
            text += " with " + formatBytes(failure.deviceFree, unit) + " free on the device";
        if (failure.stack)
            text += ", in " + stackProse(*run.stacks, run.stack(*failure.stack), origins);
    }
    return text + ".";
}

/// What is to be said of the rank that failed first: how it stands among others, and whether it was
/// the first.
std::string firstFailureStanding(const RankedRun &run, const RunFindings &findings,
                                 FrameOrigins &origins, ByteUnit unit)
{
    if (!findings.failure)
        return {};
    const FirstFailure &first = *findings.failure;
    std::string text = standingText(run, findings, first.rank, origins, unit);
    if (first.isTimed && first.untimed > 0)
        text += " When " + counted(static_cast<std::int64_t>(first.untimed), "other rank") +
                " of them failed is not recorded: it may have been before.";
    if (!first.beside.empty())
        text += std::string(first.beside.size() == 1 ? " Rank " : " Ranks ") +
                rangesText(rankRangesOf(run, first.beside)) +
                " failed within the same second, by which the clocks of nodes may differ.";
    return text.empty() ? text : text.substr(1); // each sentence begins with a blank
}

std::vector<std::string> outlierSentences(const RankedRun &run, const RunFindings &findings,
                                          FrameOrigins &origins, ByteUnit unit)
{
    if (findings.outliers.empty())
        return {run.ranks.size() < 2 ? "There is no other rank to compare it with."
                : run.ranks.size() < kLeastJudged
                    ? "Two ranks do not tell which of them is unusual."
                : findings.activity.ranks.empty()
                    ? "No rank stands out from those that are alike."
                    : "No rank stands out by its memory from those that are alike."};
    std::vector<std::string> sentences;
    for (const RankContrast &contrast : findings.contrasts) {
        if (findings.failure && findings.failure->rank == contrast.rank)
            continue;
        sentences.push_back(rankTitle(run.ranks[contrast.rank]) + " stands out." +
                            standingText(run, findings, contrast.rank, origins, unit));
    }
    return sentences;
}

std::string outliersTable(const RankedRun &run, const RunFindings &findings, std::size_t most,
                          ByteUnit unit)
{
    if (findings.outliers.empty())
        return {};
    std::string text;
    TextTable table({Align::Left, Align::Left, Align::Left, Align::Right, Align::Right,
                     Align::Right, Align::Right});
    table.addRow({"stands out", "node", "by", "its own", "group's median", "to median", "group"});
    const std::size_t shown =
        most == 0 ? findings.outliers.size() : std::min(most, findings.outliers.size());
    for (std::size_t at = 0; at < shown; ++at) {
        const OutlyingRank &each = findings.outliers[at];
        const RankSummary &rank = run.ranks[each.rank];
        table.addRow({"rank " + std::to_string(rankNumberOf(rank)),
                      rank.source.node.empty() ? "-" : printable(rank.source.node),
                      figureNameOf(each.figure).title, formatBytes(each.value, unit),
                      formatBytes(each.median, unit),
                      formatChange(wrappingDifference(each.value, each.median), unit),
                      std::to_string(each.group + 1)});
    }
    text += "\n" + table.text();
    if (shown < findings.outliers.size())
        text +=
            "  " + othersText(static_cast<std::int64_t>(findings.outliers.size() - shown)) + "\n";
    return text;
}

std::string explainedText(const RunFindings &findings)
{
    if (findings.explanations.empty())
        return {};
    const SpreadExplanation &best = findings.explanations.front();
    constexpr double kWorthSaying = 0.5;
    if (best.share < kWorthSaying)
        return "No coordinate that is known explains how the peaks differ.";
    const std::string count = counted(static_cast<std::int64_t>(best.values), "value");
    const std::string name = best.name == "group" ? "What the ranks hold (their groups)"
                                                  : "Their " + best.name + " (" + count + ")";
    return name + " explains " + formatPercent(best.share) + " of how the peaks differ.";
}

std::string alikeRanksText(const RankedRun &run, const RunFindings &findings, ByteUnit unit)
{
    TextTable table({Align::Right, Align::Right, Align::Right, Align::Right, Align::Right,
                     Align::Right, Align::Left});
    table.addRow({"group", "ranks", "least", "median peak", "most", "out of memory", "which"});
    constexpr std::size_t kMostGroups = 40;
    for (std::size_t at = 0; at < std::min(findings.groups.size(), kMostGroups); ++at) {
        const AlikeRanks &group = findings.groups[at];
        if (!run.ranks[group.typical].hasMemory)
            continue;
        const auto failed = std::ranges::count_if(
            group.ranks, [&](std::size_t rank) { return run.ranks[rank].failureCount > 0; });
        table.addRow({std::to_string(at + 1), std::to_string(group.ranks.size()),
                      formatBytes(group.active.least, unit), formatBytes(group.active.median, unit),
                      formatBytes(group.active.most, unit),
                      failed > 0 ? std::to_string(failed) : "",
                      rangesText(rankRangesOf(run, group.ranks))});
    }
    std::string text =
        "Groups of ranks that hold the same kinds of things at their peak\n\n" + table.text();
    std::string mixed;
    for (std::size_t at = 0; at < std::min(findings.groups.size(), kMostGroups); ++at) {
        const AlikeRanks &group = findings.groups[at];
        if (!run.ranks[group.typical].hasMemory)
            mixed += "  Group " + std::to_string(at + 1) + ", " +
                     rangesText(rankRangesOf(run, group.ranks)) + ", left no snapshot.\n";
        else if (group.alike < kLeastAlike)
            mixed += "  Group " + std::to_string(at + 1) +
                     " is none: fewer than five ranks are alike, so all are judged together.\n";
        else if (group.alike < group.ranks.size())
            mixed += "  Of group " + std::to_string(at + 1) + " " +
                     formatCount(static_cast<std::int64_t>(group.alike)) +
                     " are alike; the others are fewer than five of their kind, and most like "
                     "these.\n";
    }
    text += mixed;
    if (findings.groups.size() > kMostGroups)
        text += "  (" +
                counted(static_cast<std::int64_t>(findings.groups.size() - kMostGroups),
                        "other group") +
                "; --json lists them)\n";
    return text;
}

/// A row a rank, where there are no more than a person reads.
std::string fewRanksTable(const RankedRun &run, const RunFindings &findings, ByteUnit unit)
{
    constexpr std::size_t kMostRows = 64;
    if (run.ranks.size() > kMostRows)
        return {};
    TextTable table({Align::Right, Align::Right, Align::Right, Align::Right, Align::Right,
                     Align::Left, Align::Left});
    table.addRow({"rank", "device", "peak active", "to median", "peak reserved", "", "file"});
    for (std::size_t at = 0; at < run.ranks.size(); ++at) {
        const RankSummary &rank = run.ranks[at];
        if (!rank.hasMemory)
            continue;
        const AlikeRanks &group = findings.groups[findings.groupOf[at]];
        const Bytes peak = rank.figures.peakActive;
        table.addRow({std::to_string(rankNumberOf(rank)), std::to_string(rank.device),
                      formatBytes(peak, unit),
                      formatChange(wrappingDifference(peak, group.active.median), unit),
                      formatKnown(rank.figures.peakReserved, rank.figures.isReservedKnown, unit),
                      rank.failureCount > 0 ? "ran out of memory" : "",
                      printable(rank.source.path)});
    }
    return table.text() + "\n";
}

std::string contrastText(const RankedRun &run, const RankContrast &contrast, std::size_t most,
                         ByteUnit unit)
{
    const RankSummary &a = run.ranks[contrast.typical];
    const RankSummary &b = run.ranks[contrast.rank];
    return "\nRank " + std::to_string(rankNumberOf(b)) + " (B) against rank " +
           std::to_string(rankNumberOf(a)) +
           " (A), the typical one of its group, each at its peak\n\n" +
           differencesText(contrast.comparison, {a.source.path, run.stacks},
                           {b.source.path, run.stacks}, most, unit);
}

std::string shellQuoted(const std::string &text)
{
    constexpr std::string_view kSafe =
        "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-+=./,:@%";
    if (!text.empty() && text.find_first_not_of(kSafe) == text.npos)
        return text;
    std::string result = "'";
    for (const char c : text) {
        if (c == '\'')
            result += "'\\''";
        else
            result += c;
    }
    return result + "'";
}

/// "2,5,7-9"
std::string arrayText(const std::vector<std::int64_t> &parts)
{
    std::string text;
    for (std::size_t at = 0; at < parts.size();) {
        std::size_t last = at;
        while (last + 1 < parts.size() && parts[last + 1] == parts[last] + 1)
            ++last;
        text += (text.empty() ? "" : ",") + std::to_string(parts[at]);
        if (last > at)
            text += (last == at + 1 ? "," : "-") + std::to_string(parts[last]);
        at = last + 1;
    }
    return text;
}

std::string partsSentence(const std::vector<std::int64_t> &parts, const SummaryPart &like,
                          const char *what)
{
    if (parts.empty())
        return {};
    std::vector<RankRange> ranges;
    for (const std::int64_t part : parts) {
        if (!ranges.empty() && ranges.back().last + 1 == part)
            ranges.back().last = part;
        else
            ranges.push_back({part, part});
    }
    return (parts.size() == 1 ? "Part " : "Parts ") + rangesText(ranges) + " of " +
           std::to_string(like.parts) + (parts.size() == 1 ? " is " : " are ") + what + ".\n";
}

/// Ranks without a summary: those of parts that are missing may have left a snapshot.
struct MissingRanks
{
    std::vector<RankRange> withoutSnapshot;
    std::vector<RankRange> notSummarized;
};

MissingRanks sortedOut(const RankedRun &run, const PartsToRedo *redo)
{
    MissingRanks sorted;
    if (redo == nullptr)
        return {run.missing, {}};
    if (!redo->like.ranks) // any part may have held any rank
        return redo->missing.empty() && redo->cutOff.empty() ? MissingRanks{run.missing, {}}
                                                             : MissingRanks{{}, run.missing};
    for (const RankRange &range : run.missing) {
        for (std::int64_t rank = range.first; rank <= range.last; ++rank) {
            const std::int64_t part = partOfRank(rank, *redo->like.ranks, redo->like.parts);
            const bool isOpen = std::ranges::binary_search(redo->missing, part) ||
                                std::ranges::binary_search(redo->cutOff, part);
            std::vector<RankRange> &to = isOpen ? sorted.notSummarized : sorted.withoutSnapshot;
            if (!to.empty() && to.back().last + 1 == rank)
                to.back().last = rank;
            else
                to.push_back({rank, rank});
        }
    }
    return sorted;
}

/// "Rank 77", "Ranks 77, 80 to 95 and 1 more"
std::string ranksTitle(const std::vector<RankRange> &ranges)
{
    return (ranksInRanges(ranges) == 1 ? "Rank " : "Ranks ") + rangesText(ranges);
}

Json rankRangesJson(const std::vector<RankRange> &ranges)
{
    Json json = Json::array();
    for (const RankRange &range : ranges)
        json.push_back({range.first, range.last});
    return json;
}

template<class T>
Json valueOrNull(const std::optional<T> &value)
{
    return value ? Json(*value) : Json();
}

Json firstFailureJson(const RankedRun &run, const RunFindings &findings)
{
    if (!findings.failure)
        return {};
    const FirstFailure &first = *findings.failure;
    const RankSummary &rank = run.ranks[first.rank];
    Json json{{"rank", rankNumberOf(rank)},
              {"node", rank.source.node.empty() ? Json() : Json(rank.source.node)},
              {"device", rank.device},
              {"file", rank.source.path}};
    if (!rank.failures.empty()) {
        const SummaryFailure &failure = rank.failures.front();
        json["time_us"] = valueOrNull(failure.time);
        json["requested"] = failure.requested;
        json["device_free"] = failure.deviceFree < 0 ? Json() : Json(failure.deviceFree);
        json["cause"] = failure.cause ? Json(outOfMemoryCauseName(*failure.cause)) : Json();
        json["remedy"] = failure.remedy ? Json(remedyName(*failure.remedy)) : Json();
        json["frames"] =
            failure.stack ? framesJson(*run.stacks, run.stack(*failure.stack)) : Json();
    }
    json["beside"] = Json::array();
    for (const std::size_t at : first.beside)
        json["beside"].push_back(rankNumberOf(run.ranks[at]));
    json["failed"] = first.failed;
    json["failed_untimed"] = first.untimed;
    return json;
}

/// How far a figure lies apart among the ranks that it is known of.
std::optional<Spread> spreadOfRun(const RankedRun &run, RankFigure figure)
{
    std::vector<Bytes> values;
    for (const RankSummary &rank : run.ranks) {
        if (const auto value = figureOf(rank, figure))
            values.push_back(*value);
    }
    return values.empty() ? std::nullopt : std::optional(spreadOf(values));
}

Json spreadJson(const RankedRun &run, RankFigure figure)
{
    const auto spread = spreadOfRun(run, figure);
    return spread ? Json{{"least", spread->least},
                         {"median", spread->median},
                         {"most", spread->most},
                         {"skew", spread->skew}}
                  : Json();
}

/// Of all ranks, whatever group they are in.
std::string spreadText(const RankedRun &run, ByteUnit unit)
{
    std::string text;
    for (const RankFigure figure : {RankFigure::PeakActive, RankFigure::PeakReserved}) {
        const auto spread = spreadOfRun(run, figure);
        if (!spread)
            continue;
        text += std::string("  ") + figureNameOf(figure).title + " from " +
                formatBytes(spread->least, unit) + " to " + formatBytes(spread->most, unit) +
                ", median " + formatBytes(spread->median, unit) + ": skew " +
                formatPercent(spread->skew) + "\n";
    }
    return text + "  skew: the highest less the lowest, as a share of the median\n";
}

const char *numberedByName(NumberedBy by)
{
    return by == NumberedBy::Names ? "names" : by == NumberedBy::Devices ? "devices" : "order";
}

} // namespace

std::string rangesText(const std::vector<RankRange> &ranges)
{
    std::vector<std::string> parts;
    std::int64_t named = 0;
    for (const RankRange &range : ranges) {
        if (parts.size() >= kRangesNamed)
            break;
        parts.push_back(std::to_string(range.first));
        if (range.last == range.first + 1)
            parts.push_back(std::to_string(range.last));
        else if (range.last > range.first)
            parts.back() += " to " + std::to_string(range.last);
        named += range.last - range.first + 1;
    }
    if (const std::int64_t more = ranksInRanges(ranges) - named; more > 0)
        parts.push_back(formatCount(more) + " more");
    std::string text;
    for (std::size_t at = 0; at < parts.size(); ++at)
        text += (at == 0 ? "" : at + 1 == parts.size() ? " and " : ", ") + parts[at];
    return text;
}

std::string runProblemsText(const RankedRun &run)
{
    std::string text;
    for (std::size_t at = 0; at < std::min(run.problems.size(), kFilesNamed); ++at)
        text += wrapped("Problem: " + printable(run.problems[at]), kTableWidth) + "\n";
    if (run.problems.size() > kFilesNamed)
        text +=
            counted(static_cast<std::int64_t>(run.problems.size() - kFilesNamed), "more problem") +
            "; --json lists all.\n";
    return text.empty() ? text : text + "\n";
}

std::string coverageText(const RankedRun &run, const PartsToRedo *redo)
{
    const auto count = static_cast<std::int64_t>(run.ranks.size());
    const bool isOfMemory = hasSnapshots(run);
    const bool isTold = run.isExpectedGiven || run.numberedBy == NumberedBy::Names;
    const bool isMore = isTold && run.expected > 0 && count > run.expected;
    std::string text = isTold && run.expected > 0 && !isMore
                           ? formatCount(count) + " of " + counted(run.expected, "rank")
                           : counted(count, "rank");
    if (isMore)
        text += ", more than the " + formatCount(run.expected) + " of the run";
    if (isTold && !run.isExpectedGiven && run.expected > 0)
        text += ", as many as the largest number tells (--ranks says how many there were)";
    text += ".\n";
    const MissingRanks missing = sortedOut(run, redo);
    if (!missing.withoutSnapshot.empty())
        text += ranksTitle(missing.withoutSnapshot) +
                (isOfMemory ? " left no snapshot.\n" : " left no profiler trace.\n");
    if (!missing.notSummarized.empty())
        text += ranksTitle(missing.notSummarized) +
                " may have left one: the parts that they belong to are missing.\n";
    for (std::size_t at = 0; at < std::min(run.unusable.size(), kFilesNamed); ++at) {
        const RankSummary &rank = run.unusable[at];
        text += (rank.source.rank ? "Rank " + std::to_string(*rank.source.rank) + "'s " : "") +
                printable(rank.source.path) + " cannot be used. " + printable(rank.error) + "\n";
    }
    if (run.unusable.size() > kFilesNamed)
        text += formatCount(static_cast<std::int64_t>(run.unusable.size() - kFilesNamed)) +
                " more cannot be used; --json lists them.\n";
    if (!run.earlier.empty())
        text += counted(static_cast<std::int64_t>(run.earlier.size()), "further recording") +
                " of the same ranks: the latest of each counts.\n";
    if (run.others > 0)
        text += counted(run.others, "file") + " in the folder " +
                (run.others == 1 ? "is no recording" : "are no recordings") + " of an allocator.\n";
    if (run.numberedBy == NumberedBy::Devices)
        text += "The ranks are numbered by their devices: names do not tell them.\n";
    if (run.numberedBy == NumberedBy::Order)
        text += "The ranks are numbered in the order of their files: names do not tell them.\n";
    return text;
}

namespace {

/// " 2 5 $(seq 7 99)": numbers for a loop of any shell.
std::string shellNumbers(const std::vector<std::int64_t> &numbers)
{
    constexpr std::size_t kListed = 8; // of a row without a gap
    std::string text;
    for (std::size_t at = 0; at < numbers.size();) {
        std::size_t last = at;
        while (last + 1 < numbers.size() && numbers[last + 1] == numbers[last] + 1)
            ++last;
        if (last - at < kListed) {
            text += ' ' + std::to_string(numbers[at++]);
            continue;
        }
        text += " $(seq " + std::to_string(numbers[at]) + ' ' + std::to_string(numbers[last]) + ')';
        at = last + 1;
    }
    return text;
}

} // namespace

std::vector<std::string> redoLines(const PartsToRedo &redo, const std::filesystem::path &out)
{
    constexpr std::int64_t kLargestIndex = 1000; // of Slurm's arrays, as it is installed
    const std::vector<std::int64_t> parts = redo.all();
    if (parts.empty())
        return {};
    const std::string folder =
        redo.like.folder.empty() ? "SNAPSHOTS" : shellQuoted(redo.like.folder);
    const auto command = [&](const std::string &part) {
        return "vramscope-cli summarize " + folder +
               (redo.like.ranks ? " --ranks " + std::to_string(*redo.like.ranks) : "") +
               " --part " + part + "/" + std::to_string(redo.like.parts) +
               (redo.like.isRedacted ? " --redact" : "") + " --out " + shellQuoted(out.string());
    };
    if (parts.size() == 1 && redo.like.parts == 1)
        return {command("0")};
    std::vector<std::string> lines;
    lines.push_back("for part in" + shellNumbers(parts) + "; do " + command("$part") + "; done");
    if (parts.back() <= kLargestIndex)
        lines.push_back("sbatch --array=" + arrayText(parts) + " --wrap " +
                        shellQuoted(command("$SLURM_ARRAY_TASK_ID")));
    return lines;
}

std::string redoText(const PartsToRedo &redo, const std::filesystem::path &out)
{
    std::string text =
        partsSentence(redo.missing, redo.like, "missing") +
        partsSentence(redo.cutOff, redo.like, "not complete") +
        partsSentence(redo.outdated, redo.like, "out of date: recordings changed since");
    const std::vector<std::string> lines = redoLines(redo, out);
    if (lines.empty())
        return text;
    text += redo.like.folder.empty()
                ? "To do what is missing (SNAPSHOTS: the folder of the recordings), then collect "
                  "again:\n"
                : "To do what is missing, then collect again:\n";
    text += "  " + lines.front() + "\n";
    if (lines.size() > 1)
        text += "or under Slurm:\n  " + lines[1] + "\n";
    return text;
}

bool hasSnapshots(const RankedRun &run)
{
    return std::ranges::any_of(run.ranks, &RankSummary::hasMemory);
}

RunStory runStory(const RankedRun &run, const RunFindings &findings, ByteUnit unit)
{
    if (!hasSnapshots(run))
        return {};
    FrameOrigins origins(*run.stacks);
    return {firstFailureText(run, findings, origins, unit),
            firstFailureStanding(run, findings, origins, unit),
            outlierSentences(run, findings, origins, unit), explainedText(findings)};
}

std::string runText(const RankedRun &run, const RunFindings &findings, const PartsToRedo *redo,
                    std::size_t most, ByteUnit unit)
{
    std::string text = runProblemsText(run) + coverageText(run, redo);
    std::string activity = activityText(run, findings.activity);
    if (!activity.empty())
        activity.insert(0, "\n");
    if (!hasSnapshots(run))
        return text + activity;
    const RunStory story = runStory(run, findings, unit);
    const auto paragraph = [](const std::string &sentences) {
        return sentences.empty() ? std::string() : wrapped(sentences, kTableWidth) + "\n";
    };
    text += "\n" + paragraph(story.standing.empty() ? story.failure
                                                    : story.failure + " " + story.standing);
    for (const std::string &each : story.outliers)
        text += paragraph(each);
    text += outliersTable(run, findings, most, unit) + paragraph(story.explained) + "\n" +
            fewRanksTable(run, findings, unit) + spreadText(run, unit) + "\n" +
            alikeRanksText(run, findings, unit);
    if (findings.contrastsWithoutSites > 0)
        text += "\n" + counted(static_cast<std::int64_t>(findings.contrastsWithoutSites), "rank") +
                " cannot be compared with the typical one: what they hold was cut off.\n";
    for (const RankContrast &contrast : findings.contrasts)
        text += contrastText(run, contrast, most, unit);
    return text + activity;
}

std::string runJson(const RankedRun &run, const RunFindings &findings, std::size_t most)
{
    Json json{{"problems", run.problems},
              {"ranks", run.ranks.size()},
              {"expected", run.expected},
              {"expected_given", run.isExpectedGiven},
              {"missing", rankRangesJson(run.missing)}};
    json["unusable"] = Json::array();
    for (const RankSummary &rank : run.unusable)
        json["unusable"].push_back({{"file", rank.source.path},
                                    {"rank", valueOrNull(rank.source.rank)},
                                    {"error", rank.error}});
    json["not_recordings"] = run.others;
    json["earlier"] = run.earlier.size();
    json["numbered_by"] = numberedByName(run.numberedBy);
    json["peak_active"] = spreadJson(run, RankFigure::PeakActive);
    json["peak_reserved"] = spreadJson(run, RankFigure::PeakReserved);
    json["groups"] = Json::array();
    for (const AlikeRanks &group : findings.groups)
        json["groups"].push_back({{"ranks", rankRangesJson(rankRangesOf(run, group.ranks))},
                                  {"alike", group.alike},
                                  {"typical", rankNumberOf(run.ranks[group.typical])},
                                  {"peak_active", run.ranks[group.typical].hasMemory
                                                      ? Json{{"least", group.active.least},
                                                             {"median", group.active.median},
                                                             {"most", group.active.most}}
                                                      : Json()}});
    json["explained"] = Json::array();
    for (const SpreadExplanation &each : findings.explanations)
        json["explained"].push_back(
            {{"by", each.name}, {"values", each.values}, {"share", each.share}});
    json["first_failure"] = firstFailureJson(run, findings);
    json["outliers"] = Json::array();
    for (const OutlyingRank &each : findings.outliers)
        json["outliers"].push_back({{"rank", rankNumberOf(run.ranks[each.rank])},
                                    {"figure", figureNameOf(each.figure).key},
                                    {"value", each.value},
                                    {"median", each.median},
                                    {"group", each.group}});
    json["differences"] = Json::array();
    for (const RankContrast &each : findings.contrasts) {
        const RankSummary &a = run.ranks[each.typical];
        const RankSummary &b = run.ranks[each.rank];
        json["differences"].push_back(
            {{"rank", rankNumberOf(b)},
             {"typical", rankNumberOf(a)},
             {"comparison", parsedJson(compareJson(each.comparison, {a.source.path, run.stacks},
                                                   {b.source.path, run.stacks}, most))}});
    }
    json["activity"] = activityJson(run, findings.activity);
    json["per_rank"] = Json::array();
    for (std::size_t at = 0; at < run.ranks.size(); ++at) {
        const RankSummary &rank = run.ranks[at];
        const DeviceSummary &figures = rank.figures;
        json["per_rank"].push_back(
            {{"rank", rankNumberOf(rank)},
             {"file", rank.source.path},
             {"device", rank.device},
             {"node", rank.source.node.empty() ? Json() : Json(rank.source.node)},
             {"group", findings.groupOf[at]},
             {"peak_active", rank.hasMemory ? Json(figures.peakActive) : Json()},
             {"peak_active_event", rank.hasMemory ? Json(figures.peakActiveEvent) : Json()},
             {"peak_reserved", figures.isReservedKnown ? Json(figures.peakReserved) : Json()},
             {"reserved_end", figures.isReservedKnown ? Json(figures.reservedEnd) : Json()},
             {"failures", rank.failureCount},
             {"profile", rankActivityJson(run, findings.activity, at)}});
    }
    return jsonText(json);
}

} // namespace vramscope
