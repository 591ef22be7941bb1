// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/describe/ranks_story.h"

#include "core/analysis/comparison/ranks.h"
#include "core/analysis/costs/frame_text.h"
#include "core/base/counted.h"
#include "core/base/durations.h"
#include "core/base/sentence.h"

#include <algorithm>
#include <set>

namespace vramscope {

namespace {

std::int64_t rankNumberOf(const RankSummary &rank)
{
    return rank.source.rank.value_or(-1);
}

/// "Rank 1733 (node0216, device 5)"
std::string rankAndDevice(const RankSummary &rank)
{
    std::string text = "Rank " + std::to_string(rankNumberOf(rank)) + " (";
    if (!rank.source.node.empty())
        text += printable(rank.source.node) + ", ";
    return text + "device " + std::to_string(rank.device) + ")";
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

/// How the peak of a rank compares with its group, and the site that differs most.
std::string peakText(const RunStudy &study, std::size_t rank, FrameOrigins &origins, ByteUnit unit)
{
    const AlikeRanks &group = study.groupOf(rank);
    if (group.ranks.size() < 2)
        return {};
    const bool isOutlier = study.isOutlier(rank);
    const auto count = std::ssize(group.ranks) - 1;
    const bool areAlike = group.alike >= kLeastAlike && group.alike + 1 >= group.ranks.size();
    const std::string others =
        "the " + counted(count, "other rank") + (areAlike ? " with the same allocation sites" : "");
    const Bytes peak = study.run.ranks[rank].figures.peakActive;
    if (!isOutlier && group.ranks.size() < kLeastJudged)
        return {};
    if (!isOutlier)
        return "Its peak of " + formatBytes(peak, unit) + " is typical of " + others + ".";
    std::string text =
        "Its peak is " + aboveOrBelow(peak, group.active.median, unit) + " the median of " + others;
    const RankContrast *contrast = contrastOf(study.findings, rank);
    if (contrast != nullptr && !contrast->comparison.sites.empty()) {
        const ComparedSite &site = contrast->comparison.sites.front();
        const StackId stack = site.countB > 0 ? site.stackB : site.stackA;
        text += ": " + formatChange(site.delta(), unit) + " in " +
                stackProse(*study.run.stacks, stack, origins) + ", against rank " +
                std::to_string(rankNumberOf(study.run.ranks[contrast->typical]));
    }
    return text + ".";
}

std::string firstFailureText(const RunStudy &study, ByteUnit unit)
{
    const FirstFailure &first = *study.findings.failure;
    const RankSummary &rank = study.run.ranks[first.rank];
    std::string text = rankAndDevice(rank);
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
    }
    return text + ".";
}

/// Where the rank that failed first asked for the memory.
std::string failurePlace(const RunStudy &study, FrameOrigins &origins)
{
    const RankSummary &rank = study.run.ranks[study.findings.failure->rank];
    if (rank.failures.empty() || !rank.failures.front().stack)
        return {};
    const StackId stack = study.run.stack(*rank.failures.front().stack);
    return "It failed in " + stackProse(*study.run.stacks, stack, origins) + ".";
}

/// Whether others may have failed before the rank that failed first.
std::vector<std::string> failureDoubts(const RunStudy &study)
{
    const FirstFailure &first = *study.findings.failure;
    std::vector<std::string> doubts;
    if (first.isTimed && first.untimed > 0)
        doubts.push_back("When " + counted(static_cast<std::int64_t>(first.untimed), "other rank") +
                         " of them failed is not recorded: it may have been before.");
    if (!first.beside.empty())
        doubts.push_back(std::string(first.beside.size() == 1 ? "Rank " : "Ranks ") +
                         rangesText(rankRangesOf(study.run, first.beside)) +
                         " failed within the same second, by which the clocks of nodes may "
                         "differ.");
    return doubts;
}

/// Those with a contrast, and how many more there are.
std::vector<std::string> outlierSentences(const RunStudy &study, FrameOrigins &origins,
                                          ByteUnit unit)
{
    std::set<std::size_t> others;
    for (const RankOutlier &outlier : study.findings.outliersByMemory())
        others.insert(outlier.rank);
    if (others.empty())
        return {study.count() < 2 ? "There is no other rank to compare it with."
                : study.count() < kLeastJudged
                    ? "With two ranks there is no majority to compare against."
                : study.findings.activity.ranks.empty() ? "No outliers."
                                                        : "No outliers by memory."};
    const std::size_t failed =
        study.findings.failure ? study.findings.failure->rank : study.run.ranks.size();
    others.erase(failed);
    std::vector<std::string> sentences;
    for (const RankContrast &contrast : study.findings.contrasts) {
        others.erase(contrast.rank);
        if (contrast.rank == failed)
            continue;
        const std::string peak = peakText(study, contrast.rank, origins, unit);
        sentences.push_back(rankAndDevice(study.run.ranks[contrast.rank]) + " is an outlier." +
                            (peak.empty() ? "" : " " + peak));
    }
    if (others.size() == 1)
        sentences.push_back("Rank " + std::to_string(study.number(*others.begin())) +
                            " is an outlier by another figure or less far.");
    else if (!others.empty())
        sentences.push_back(formatCount(std::ssize(others)) +
                            " other ranks are outliers by another figure or less far.");
    return sentences;
}

/// How far the peaks lie apart.
std::string rangeText(const RunStudy &study, ByteUnit unit)
{
    std::vector<Bytes> peaks;
    for (const RankSummary &rank : study.run.ranks) {
        if (rank.hasMemory)
            peaks.push_back(rank.figures.peakActive);
    }
    const Spread spread = spreadOf(peaks);
    const std::string most = formatBytes(spread.most, unit);
    const std::string least = formatBytes(spread.least, unit);
    if (peaks.size() == 1)
        return "One rank alone peaks at " + most + " of active memory.";
    if (least == most)
        return "All " + formatCount(std::ssize(peaks)) + " ranks peak at " + most +
               " of active memory.";
    return formatCount(std::ssize(peaks)) + " ranks peak between " + least + " and " + most +
           " of active memory, the median is " + formatBytes(spread.median, unit) + ".";
}

std::string explainedText(const RunFindings &findings)
{
    if (findings.explanations.empty())
        return {};
    const SpreadExplanation &best = findings.explanations.front();
    constexpr double kWorthSaying = 0.5;
    if (best.share < kWorthSaying)
        return "No known coordinate explains how the peaks differ.";
    const std::string count = counted(static_cast<std::int64_t>(best.values), "value");
    const std::string name =
        best.name == "group" ? "The group of a rank" : "The " + best.name + " (" + count + ")";
    return name + " explains " + formatPercent(best.share) + " of how the peaks differ.";
}

using Highest = RunActivity::Highest;

constexpr std::size_t kMostOutliersTold = 3;

/// Nothing where it takes as long as half of its steps, as far as the text shows.
std::string slowestStepText(const RunStudy &study, const Highest &slowest)
{
    const std::string time = formatNanoseconds(slowest.value);
    const std::string median = formatNanoseconds(slowest.whole);
    if (time == median)
        return {};
    return "The slowest step is step " +
           std::to_string(study.rank(slowest.rank).profile->steps[*slowest.row].number) + " of " +
           rankTitle(study, slowest.rank) + ": " + time + ", where half of its steps take " +
           median + " or less.";
}

/// Nothing where another rank has the same share, as far as the text shows.
std::string highestShareText(const RunStudy &study, const Highest &highest,
                             std::int64_t TimeBreakdown::*part, const char *what)
{
    const RankComparison &comparison = study.findings.activity.comparison;
    const std::string share = formatTimeShare(highest.value, highest.whole);
    std::size_t same = 0;
    for (std::size_t place = 0; place < comparison.times.size(); ++place) {
        const auto &times = comparison.times[place];
        if (times && comparison.isCompared(place))
            same += formatTimeShare((*times).*part, times->span) == share ? 1U : 0U;
    }
    if (same > 1)
        return {};
    return capitalized(rankTitle(study, highest.rank)) + " has the largest share of " + what +
           ": " + formatNanoseconds(highest.value) + ", " + share + " of its time.";
}

std::ptrdiff_t comparedRanks(const RunActivity &activity)
{
    return std::ranges::count(activity.comparison.isCut, false);
}

std::string lateSentence(const RunStudy &study)
{
    const RunActivity &activity = study.findings.activity;
    if (activity.ranks.size() < 2)
        return "There is no other profiler trace to compare it with.";
    if (comparedRanks(activity) < 2)
        return "No two ranks have a complete profiler trace: which rank is late is not known.";
    if (const auto late = activity.late())
        return lateText(activity.comparison, rankTitle(study, *late));
    if (activity.areWaitsKnown())
        return "No rank is clearly later than the others, by the " +
               counted(activity.comparison.waitedCalls, "collective") + " that all ranks wait for.";
    return "No collective that all ranks wait for was matched on all of them: which rank is late, "
           "and what the others wait for it, is not known.";
}

std::vector<std::string> activityStory(const RunStudy &study)
{
    const RunActivity &activity = study.findings.activity;
    if (activity.ranks.empty())
        return {};
    std::vector<std::string> story{lateSentence(study)};
    if (activity.slowestStep)
        story.push_back(slowestStepText(study, *activity.slowestStep));
    const bool areSeveral = comparedRanks(activity) > 1;
    if (activity.mostIdle && areSeveral)
        story.push_back(
            highestShareText(study, *activity.mostIdle, &TimeBreakdown::idle, "idle time"));
    if (activity.mostExposed && areSeveral)
        story.push_back(highestShareText(study, *activity.mostExposed,
                                         &TimeBreakdown::exposedCommunication,
                                         "communication that nothing hides (exposed)"));
    const std::vector<RankOutlier> outliers = study.findings.outliersByTime();
    const std::size_t told = std::min(outliers.size(), kMostOutliersTold);
    for (std::size_t at = 0; at < told; ++at)
        story.push_back(outlierText(outliers[at], rankTitle(study, outliers[at].rank)));
    if (const std::size_t others = outliers.size() - told; others > 0)
        story.push_back(counted(static_cast<std::int64_t>(others), "other rank") +
                        (others == 1 ? " differs" : " differ") +
                        " from the rank in the middle by a part of their time.");
    return story;
}

std::vector<std::string> activityRemarks(const RunStudy &study)
{
    const RunActivity &activity = study.findings.activity;
    std::vector<std::string> remarks;
    if (activity.ranks.empty())
        return remarks;
    if (activity.ranks.size() < study.run.ranks.size())
        remarks.push_back(formatCount(std::ssize(activity.ranks)) + " of " +
                          counted(std::ssize(study.run.ranks), "rank") + " left a profiler trace.");
    if (const std::size_t others = activity.matched - activity.shared; others > 0)
        remarks.push_back("Waits in " + counted(static_cast<std::int64_t>(others), "collective") +
                          " that not all ranks take part in, or that do not make all wait, are not "
                          "known.");
    if (activity.cut > 0)
        remarks.push_back(
            "The summary of " + counted(static_cast<std::int64_t>(activity.cut), "rank") +
            " keeps the first " + formatCount(static_cast<std::int64_t>(kMostSummaryCalls)) +
            " calls of collectives: waits are those in them.");
    if (activity.withoutCalls > 0)
        remarks.push_back("The summary of " +
                          counted(static_cast<std::int64_t>(activity.withoutCalls), "rank") +
                          " lacks the calls of collectives: their waits are not known.");
    remarks.insert(remarks.end(), activity.problems.begin(), activity.problems.end());
    return remarks;
}

/// The first sentence of a story is its answer.
void add(Story &story, std::string_view kind, const std::vector<std::string> &sentences)
{
    for (const std::string &sentence : sentences) {
        if (sentence.empty())
            continue;
        if (story.answer.empty())
            story.answer = sentence;
        else
            story.findings.push_back({.kind = std::string(kind), .sentence = sentence});
    }
}

} // namespace

std::string rankTitle(const RunStudy &study, std::size_t rank)
{
    if (const RankProfile *trace = study.trace(rank))
        return printable(trace->title());
    const std::string &node = study.rank(rank).source.node;
    return "rank " + std::to_string(study.number(rank)) +
           (node.empty() ? "" : " (" + printable(node) + ")");
}

std::int64_t ranksInRanges(const std::vector<RankRange> &ranges)
{
    std::int64_t count = 0;
    for (const RankRange &range : ranges)
        count += range.last - range.first + 1;
    return count;
}

std::string rangesText(const std::vector<RankRange> &ranges)
{
    constexpr std::size_t kRangesNamed = 8;
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

Story timeStory(const RunStudy &study)
{
    Story story{.answer = {}, .remarks = activityRemarks(study)};
    add(story, kTimeFinding, activityStory(study));
    return story;
}

Story runStory(const RunStudy &study, ByteUnit unit)
{
    if (!study.hasMemory())
        return timeStory(study);
    Story story{.answer = {}, .remarks = activityRemarks(study)};
    FrameOrigins origins(*study.run.stacks);
    if (study.findings.failure) {
        story.answer = firstFailureText(study, unit);
        add(story, "failure", {failurePlace(study, origins)});
        add(story, "peak", {peakText(study, study.findings.failure->rank, origins, unit)});
        add(story, "failure", failureDoubts(study));
    } else if (study.findings.contrasts.empty()) {
        story.answer = rangeText(study, unit);
    }
    add(story, "outlier", outlierSentences(study, origins, unit));
    if (!study.findings.failure)
        add(story, "failure", {"No rank ran out of memory."});
    if (study.findings.failure || !study.findings.contrasts.empty())
        add(story, "range", {rangeText(study, unit)});
    add(story, "explained", {explainedText(study.findings)});
    add(story, kTimeFinding, activityStory(study));
    return story;
}

} // namespace vramscope
