// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/ranks/ranks_text.h"

#include "core/analysis/costs/frame_text.h"
#include "core/base/durations.h"
#include "core/base/sentence.h"
#include "core/base/text.h"
#include "core/describe/ranks_story.h"
#include "core/describe/ranks_tables.h"
#include "core/print/run_coverage_report.h"
#include "ui/support/signed_text.h"
#include "ui/support/text.h"

#include <algorithm>
#include <vector>

namespace vramscope {

using namespace Qt::StringLiterals;

bool hasFailed(const RunStudy &study)
{
    return study.findings.failure.has_value();
}

QString headlineOf(const RunStudy &study, ByteUnit unit)
{
    return toQString(runStory(study, unit).answer);
}

QString spreadText(const RunStudy &study, ByteUnit unit)
{
    const Story story = runStory(study, unit);
    QStringList sentences;
    for (const Finding &finding : story.findings)
        sentences << toQString(finding.sentence);
    for (const std::string &remark : story.remarks)
        sentences << foreignText(remark);
    return sentences.join(u' ');
}

QString headingOf(const RunStudy &study, ByteUnit unit)
{
    return u"%1 %2"_s.arg(headlineOf(study, unit), spreadText(study, unit)).trimmed();
}

QStringList problemLines(const RunStudy &study)
{
    QStringList lines;
    for (const std::string &each : study.run.problems)
        lines << foreignText(each);
    return lines;
}

QStringList coverageLines(const RunStudy &study)
{
    QStringList lines =
        toQString(coverageText(study.run, study.redo ? &*study.redo : nullptr, false))
            .split(u'\n', Qt::SkipEmptyParts);
    if (study.traces && study.traces->ranks.isOneRecording())
        lines << u"They are the GPUs of one recording, on one clock."_s;
    for (const CollectedRuns::Trouble &trouble : study.troubles)
        lines << u"%1: %2"_s.arg(foreignText(trouble.file), foreignText(trouble.what));
    if (study.redo && !study.redo->all().empty())
        lines
            << u"Of %1 parts %2 are missing, cut off or out of date; vramscope-cli collect prints "
               "the line that does them again."_s.arg(
                   countText(study.redo->like.parts),
                   countText(static_cast<std::int64_t>(study.redo->all().size())));
    if (study.changedCount > 0)
        lines << u"%1 changed since being summarised."_s.arg(
            countedText(study.changedCount, "recording"));
    return lines;
}

bool isIncomplete(const RunStudy &study)
{
    return !study.run.missing.empty() || !study.run.unusable.empty() || !study.troubles.empty() ||
           !study.run.problems.empty() || study.redo || study.changedCount > 0;
}

QString rankTitleText(const RunStudy &study, std::size_t rank)
{
    const RankSummary &of = study.rank(rank);
    if (!of.hasMemory)
        return foreignText(capitalized(rankTitle(study, rank)));
    QStringList parts{u"Rank %1"_s.arg(study.number(rank))};
    if (!of.source.node.empty())
        parts << foreignText(of.source.node);
    parts << u"device %1"_s.arg(of.device);
    return parts.join(u", "_s);
}

namespace {

/// Where the time of a rank went; what is not known is left out.
QString timesAnswer(const RunStudy &study, std::size_t rank)
{
    const RunActivity &activity = study.findings.activity;
    const auto place = activity.placeOf(rank);
    if (!place || !activity.comparison.times[*place])
        return u"Where its time went is not known."_s;
    const TimeBreakdown &times = *activity.comparison.times[*place];
    const auto share = [&](std::int64_t part) {
        return toQString(formatTimeShare(part, times.span));
    };
    QString text = u"%1 %2: compute %3, exposed communication %4, exposed copies %5, idle %6"_s.arg(
        toQString(formatNanoseconds(times.span)), toQString(comparedText(activity.comparison)),
        share(times.compute), share(times.exposedCommunication), share(times.exposedCopy),
        share(times.idle));
    if (const auto waited = study.figure(rank, RankFigure::Wait))
        text += u"; it waited %1 and came last in %2 of %3"_s.arg(
            toQString(formatNanoseconds(*waited)), countText(activity.comparison.lastCalls[*place]),
            countedText(activity.comparison.waitedCalls, "collective"));
    return text + u'.';
}

} // namespace

QString rankAnswer(const RunStudy &study, std::size_t rank, ByteUnit unit)
{
    const RankSummary &of = study.rank(rank);
    if (!of.hasMemory)
        return timesAnswer(study, rank);
    const QString peak = u"%1 in use at its peak"_s.arg(bytesText(of.figures.peakActive, unit));
    const Bytes apart = study.deviation(rank);
    QString standing;
    if (study.groupOf(rank).ranks.size() > 1)
        standing = apart == 0  ? u", as much as the median of its group"_s
                   : apart > 0 ? u", %1 above the median of its group"_s.arg(bytesText(apart, unit))
                               : u", %1 below the median of its group"_s.arg(
                                     bytesText(wrappingDifference(0, apart), unit));
    if (!of.failures.empty()) {
        const SummaryFailure &first = of.failures.front();
        QString text = u"Out of memory: at event %1 it asked for %2"_s.arg(
            countText(first.event), bytesText(first.requested, unit));
        FrameOrigins origins(*study.run.stacks);
        if (first.stack)
            text += u" in %1"_s.arg(
                toQString(stackProse(*study.run.stacks, study.run.stack(*first.stack), origins)));
        if (first.deviceFree >= 0)
            text += u"; the device had %1 left"_s.arg(bytesText(first.deviceFree, unit));
        return text + u". "_s + peak + standing + u'.';
    }
    if (of.failureCount > 0)
        return u"Out of memory; the requests that failed are not in this file. "_s + peak +
               standing + u'.';
    QString text = peak + standing;
    if (of.figures.isReservedKnown)
        text += u"; %1 reserved at most"_s.arg(bytesText(of.figures.peakReserved, unit));
    return text + u'.';
}

QString whyNotCompared(const RunStudy &study, std::size_t rank)
{
    if (study.groupOf(rank).ranks.size() == 1)
        return u"There is no other rank to compare it with."_s;
    if (study.traces && study.traces->ranks.isOneRecording())
        return u"All ranks are parts of one recording: open it to compare them."_s;
    if (rank != study.typicalOf(rank))
        return {};
    return u"This is the typical rank of its group: choose another to compare with it."_s;
}

QString remarkText(const RunStudy &study, std::size_t rank, ByteUnit unit)
{
    return foreignText(remarkOf(study, rank, unit)).replace(u"outlier -"_s, u"outlier −"_s);
}

QString groupText(const RunStudy &study, std::size_t group, ByteUnit unit)
{
    const AlikeRanks &of = study.findings.groups[group];
    const auto count = static_cast<std::int64_t>(of.ranks.size());
    const QString least = bytesText(of.active.least, unit);
    const QString most = bytesText(of.active.most, unit);
    return (count == 1 ? u"group %1: %2 rank, %3"_s : u"group %1: %2 ranks, %3"_s)
        .arg(group + 1)
        .arg(countText(count), least == most ? least : u"%1 to %2"_s.arg(least, most));
}

} // namespace vramscope
