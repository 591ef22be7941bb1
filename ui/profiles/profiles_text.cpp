// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/profiles/profiles_text.h"

#include "core/print/cells.h"
#include "core/profile/profile_findings.h"
#include "ui/support/text.h"

namespace vramscope {

using namespace Qt::StringLiterals;

QString ranksHeadline(const ProfileFolder &folder)
{
    const RankProfiles &ranks = folder.ranks;
    const auto count = toQString(counted(static_cast<std::int64_t>(ranks.ranks.size()), "rank"));
    if (ranks.ranks.size() == 1)
        return u"One rank alone: there is nothing to compare it with."_s;
    const std::vector<ProfileFinding> findings = rankFindings(ranks);
    if (!findings.empty())
        return toQString(findings.front().text);
    if (ranks.waitedCalls == 0)
        return u"%1. Which is late is not known: no collective that all ranks wait for was matched "
               "on all of them."_s.arg(count);
    return u"%1. None is clearly later than the others in %2 that all wait for."_s.arg(
        count, toQString(counted(ranks.waitedCalls, "collective")));
}

QStringList ranksNotes(const ProfileFolder &folder)
{
    QStringList notes;
    for (const RankOutlier &outlier : rankOutliers(folder.ranks))
        notes << toQString(outlierText(folder.ranks, outlier));
    for (const std::string &problem : folder.ranks.problems)
        notes << foreignText(problem);
    for (const ProfileFolder::Unread &file : folder.unread)
        notes << u"%1 cannot be used: %2"_s.arg(foreignText(file.name), foreignText(file.why));
    if (folder.others > 0)
        notes << u"%1 no profiler trace and left out."_s.arg(
            folder.others == 1 ? u"1 other file is"_s : u"%1 other files are"_s.arg(folder.others));
    return notes;
}

QString rankTitle(const RankProfile &rank)
{
    return u"rank %1%2"_s.arg(rank.rank).arg(rank.isStated ? QString() : u"?"_s);
}

std::vector<BarTimes> rankBars(const ProfileFolder &folder)
{
    std::vector<BarTimes> bars;
    for (const RankProfile &rank : folder.ranks.ranks) {
        const std::vector<DeviceBreakdown> &devices = rank.study->devices();
        for (const DeviceBreakdown &device : devices)
            bars.push_back(barTimes(devices.size() > 1
                                        ? u"%1, GPU %2"_s.arg(rankTitle(rank)).arg(device.device)
                                        : rankTitle(rank),
                                    device.times));
    }
    return bars;
}

} // namespace vramscope
