// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/compare/rank_text.h"

#include "ui/support/text.h"

#include <QStringList>

#include <algorithm>
#include <iterator>

namespace vramscope {

using namespace Qt::StringLiterals;

namespace {

/// What matters more than any spread; empty where no rank ran out of memory.
QString failedText(const RankFolder &folder)
{
    const auto failed = std::ranges::count_if(
        folder.ranks, [](const Rank &rank) { return !rank.summary.outOfMemory.empty(); });
    const auto all = std::ssize(folder.ranks);
    if (failed == 0 || all == 1)
        return failed == 0 ? QString() : u"The rank ran out of memory. "_s;
    return failed == all ? u"All %1 ranks ran out of memory. "_s.arg(all)
                         : u"%1 of %2 ranks ran out of memory. "_s.arg(failed).arg(all);
}

/// How far the peaks lie apart.
QString spreadText(const RankFolder &folder, ByteUnit unit)
{
    const Spread &spread = folder.active;
    if (folder.ranks.size() == 1)
        return u"One rank alone peaks at %1 of active memory."_s.arg(bytesText(spread.most, unit));
    const QString range =
        spread.least == spread.most
            ? u"All %1 ranks peak at %2 of active memory."_s.arg(folder.ranks.size())
                  .arg(bytesText(spread.most, unit))
            : u"%1 ranks peak between %2 and %3 of active memory, the median is %4."_s
                  .arg(folder.ranks.size())
                  .arg(bytesText(spread.least, unit), bytesText(spread.most, unit),
                       bytesText(spread.median, unit));
    if (spread.outliers.empty())
        return range + u' ' + u"None stands out."_s;
    const std::size_t farthest = spread.outliers.front();
    const Bytes apart = folder.deviation(farthest);
    QString outlier =
        (apart > 0 ? u"Rank %1 stands out with %2 more."_s : u"Rank %1 stands out with %2 less."_s)
            .arg(folder.ranks[farthest].number)
            .arg(bytesText(apart < 0 ? wrappingDifference(0, apart) : apart, unit));
    if (const std::size_t others = spread.outliers.size() - 1; others > 0)
        outlier +=
            u' ' + (others == 1 ? u"So does one other."_s : u"So do %1 others."_s.arg(others));
    return range + u' ' + outlier;
}

} // namespace

QString headingOf(const RankFolder &folder, ByteUnit unit)
{
    return failedText(folder) + spreadText(folder, unit);
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
