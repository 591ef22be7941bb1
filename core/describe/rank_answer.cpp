// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/describe/rank_answer.h"

#include "core/analysis/costs/frame_text.h"
#include "core/base/counted.h"
#include "core/base/durations.h"
#include "core/base/sentence.h"
#include "core/describe/ranks_story.h"

namespace vramscope {

namespace {

/// Where the time of a rank went; what is not known is left out.
std::string timesAnswer(const RunStudy &study, std::size_t rank)
{
    const RunActivity &activity = study.findings.activity;
    const auto place = activity.placeOf(rank);
    if (!place || !activity.comparison.times[*place])
        return "Where its time went is not known.";
    const TimeBreakdown &times = *activity.comparison.times[*place];
    const auto share = [&](std::int64_t part) { return formatTimeShare(part, times.span); };
    std::string text = formatNanoseconds(times.span) + " " + comparedText(activity.comparison) +
                       ": compute " + share(times.compute) + ", exposed communication " +
                       share(times.exposedCommunication) + ", exposed copies " +
                       share(times.exposedCopy) + ", idle " + share(times.idle);
    if (const auto waited = study.figure(rank, RankFigure::Wait))
        text += "; it waited " + formatNanoseconds(*waited) + " and came last in " +
                formatCount(activity.comparison.lastCalls[*place]) + " of " +
                counted(activity.comparison.waitedCalls, "collective");
    return text + ".";
}

/// ", 1.2 GiB above the median of its group"
std::string standingOf(const RunStudy &study, std::size_t rank, ByteUnit unit)
{
    if (study.groupOf(rank).ranks.size() == 1)
        return {};
    const Bytes apart = study.deviation(rank);
    if (apart == 0)
        return ", as much as the median of its group";
    return ", " + formatBytes(apart > 0 ? apart : wrappingDifference(0, apart), unit) +
           (apart > 0 ? " above" : " below") + " the median of its group";
}

} // namespace

std::string rankHeading(const RunStudy &study, std::size_t rank)
{
    const RankSummary &of = study.rank(rank);
    if (!of.hasMemory)
        return capitalized(rankTitle(study, rank));
    return "Rank " + std::to_string(study.number(rank)) +
           (of.source.node.empty() ? "" : ", " + of.source.node) + ", device " +
           std::to_string(of.device);
}

std::string rankAnswer(const RunStudy &study, std::size_t rank, ByteUnit unit)
{
    const RankSummary &of = study.rank(rank);
    if (!of.hasMemory)
        return timesAnswer(study, rank);
    const std::string peak = formatBytes(of.figures.peakActive, unit) + " in use at its peak" +
                             standingOf(study, rank, unit);
    if (!of.failures.empty()) {
        const SummaryFailure &first = of.failures.front();
        std::string text = "Out of memory: at event " + formatCount(first.event) +
                           " it asked for " + formatBytes(first.requested, unit);
        FrameOrigins origins(*study.run.stacks);
        if (first.stack)
            text += " in " + stackProse(*study.run.stacks, study.run.stack(*first.stack), origins);
        if (first.deviceFree >= 0)
            text += "; the device had " + formatBytes(first.deviceFree, unit) + " left";
        return text + ". " + peak + ".";
    }
    if (of.failureCount > 0)
        return "Out of memory; the requests that failed are not in this file. " + peak + ".";
    return peak + (of.figures.isReservedKnown
                       ? "; " + formatBytes(of.figures.peakReserved, unit) + " reserved at most."
                       : ".");
}

std::string whyNotCompared(const RunStudy &study, std::size_t rank)
{
    if (study.groupOf(rank).ranks.size() == 1)
        return "There is no other rank to compare it with.";
    if (study.traces && study.traces->ranks.isOneRecording())
        return "All ranks are parts of one recording: open it to compare them.";
    return rank != study.typicalOf(rank) ? std::string()
                                         : "This is the typical rank of its group: choose another "
                                           "to compare with it.";
}

std::string groupTitle(const RunStudy &study, std::size_t group, ByteUnit unit)
{
    const AlikeRanks &of = study.findings.groups[group];
    const std::string least = formatBytes(of.active.least, unit);
    const std::string most = formatBytes(of.active.most, unit);
    return "group " + std::to_string(group + 1) + ": " + counted(std::ssize(of.ranks), "rank") +
           ", " + (least == most ? least : least + " to " + most);
}

} // namespace vramscope
