// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/compare/rank_text.h"

#include "ui/support/text.h"

#include <QStringList>

#include <algorithm>
#include <vector>

namespace vramscope {

using namespace Qt::StringLiterals;

namespace {

/// What matters more than any spread; empty where no rank ran out of memory.
QString failedText(const RankFolder &folder, ByteUnit unit)
{
    std::vector<const Rank *> failed;
    for (const Rank &rank : folder.ranks) {
        if (!rank.summary.outOfMemory.empty())
            failed.push_back(&rank);
    }
    if (failed.empty())
        return {};
    const auto asked = [](const Rank *rank) { return rank->summary.outOfMemory.front().requested; };
    const bool same = std::ranges::all_of(
        failed, [&](const Rank *rank) { return asked(rank) == asked(failed[0]); });
    QString text;
    if (folder.ranks.size() == 1)
        text = u"The rank ran out of memory"_s;
    else if (failed.size() == folder.ranks.size())
        text = u"All %1 ranks ran out of memory"_s.arg(failed.size());
    else if (failed.size() == 1)
        text = u"Rank %1 of %2 ranks ran out of memory"_s.arg(failed[0]->number)
                   .arg(folder.ranks.size());
    else
        text = u"%1 of %2 ranks ran out of memory"_s.arg(failed.size()).arg(folder.ranks.size());
    if (same)
        text += (failed.size() == 1 ? u" when it asked for %1"_s : u" when they asked for %1"_s)
                    .arg(bytesText(asked(failed[0]), unit));
    return text + u'.';
}

QString rangeText(const RankFolder &folder, ByteUnit unit)
{
    const Spread &spread = folder.active;
    if (folder.ranks.size() == 1)
        return u"One rank alone peaks at %1 of active memory."_s.arg(bytesText(spread.most, unit));
    if (spread.least == spread.most)
        return u"All %1 ranks peak at %2 of active memory."_s.arg(folder.ranks.size())
            .arg(bytesText(spread.most, unit));
    return u"%1 ranks peak between %2 and %3 of active memory, the median is %4."_s
        .arg(folder.ranks.size())
        .arg(bytesText(spread.least, unit), bytesText(spread.most, unit),
             bytesText(spread.median, unit));
}

QString outliersText(const RankFolder &folder, ByteUnit unit)
{
    const std::vector<std::size_t> &outliers = folder.active.outliers;
    if (outliers.empty())
        return folder.ranks.size() == 1 ? QString() : u"None stands out."_s;
    const Bytes apart = folder.deviation(outliers.front());
    QString text =
        (apart > 0 ? u"Rank %1 stands out with %2 more."_s : u"Rank %1 stands out with %2 less."_s)
            .arg(folder.ranks[outliers.front()].number)
            .arg(bytesText(apart < 0 ? wrappingDifference(0, apart) : apart, unit));
    const std::size_t others = outliers.size() - 1;
    if (others == 0)
        return text;
    return text + (others == 1 ? u" So does one other."_s : u" So do %1 others."_s.arg(others));
}

} // namespace

bool hasFailed(const RankFolder &folder)
{
    return std::ranges::any_of(folder.ranks,
                               [](const Rank &rank) { return !rank.summary.outOfMemory.empty(); });
}

QString headlineOf(const RankFolder &folder, ByteUnit unit)
{
    if (QString failed = failedText(folder, unit); !failed.isEmpty())
        return failed;
    return folder.active.outliers.empty() ? rangeText(folder, unit) : outliersText(folder, unit);
}

QString spreadText(const RankFolder &folder, ByteUnit unit)
{
    const bool failed = hasFailed(folder);
    QStringList sentences;
    if (failed || !folder.active.outliers.empty())
        sentences << rangeText(folder, unit);
    if (failed || folder.active.outliers.empty())
        sentences << outliersText(folder, unit);
    sentences.removeAll(QString());
    return sentences.join(u' ');
}

QString headingOf(const RankFolder &folder, ByteUnit unit)
{
    return u"%1 %2"_s.arg(headlineOf(folder, unit), spreadText(folder, unit)).trimmed();
}

QString rankAnswer(const RankFolder &folder, std::size_t rank, ByteUnit unit)
{
    const Rank &of = folder.ranks[rank];
    const QString peak = u"%1 in use at its peak"_s.arg(bytesText(of.summary.peakActive, unit));
    if (!of.summary.outOfMemory.empty()) {
        const OutOfMemoryEvent &first = of.summary.outOfMemory.front();
        QString text = u"Out of memory: at event %1 it asked for %2"_s.arg(
            countText(first.event), bytesText(first.requested, unit));
        if (!of.failedIn.empty())
            text += u" in %1"_s.arg(foreignText(of.failedIn));
        if (first.deviceFree >= 0)
            text += u"; the device had %1 left"_s.arg(bytesText(first.deviceFree, unit));
        return text + u". "_s + peak + u'.';
    }
    QString text = peak;
    if (of.summary.isReservedKnown)
        text += u", %1 reserved at most"_s.arg(bytesText(of.summary.peakReserved, unit));
    const Bytes apart = folder.deviation(rank);
    if (folder.ranks.size() == 1)
        return text + u'.';
    if (apart == 0)
        return text + u": as much as the median."_s;
    return text + (apart > 0 ? u": %1 above the median."_s : u": %1 below the median."_s)
                      .arg(bytesText(apart > 0 ? apart : wrappingDifference(0, apart), unit));
}

QString whyNotCompared(const RankFolder &folder, std::size_t rank)
{
    if (folder.ranks.size() == 1)
        return u"There is no other rank to compare it with."_s;
    if (rank != folder.active.typical)
        return {};
    return u"This is the typical rank: choose another to compare with it."_s;
}

QString leftOutText(const RankFolder &folder)
{
    QStringList lines;
    for (const RankFolder::Unread &file : folder.unread)
        lines << u"%1 cannot be used: %2"_s.arg(toQString(file.name), toQString(file.why));
    if (folder.skipped == 1)
        lines << u"1 other file is no recording."_s;
    else if (folder.skipped > 1)
        lines << u"%1 other files are no recordings."_s.arg(folder.skipped);
    return lines.join(u'\n');
}

} // namespace vramscope
