// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/profiles/profiles_text.h"

#include "core/print/cells.h"
#include "core/profile/profile_findings.h"
#include "ui/support/text.h"

#include <algorithm>
#include <limits>

namespace vramscope {

using namespace Qt::StringLiterals;

namespace {

/// At most so many ranks, by their place: the late one, those that stand out, then the first.
std::vector<std::size_t> telling(const RankProfiles &ranks, std::size_t most)
{
    std::vector<std::size_t> chosen;
    for (std::size_t rank = 0; rank < ranks.ranks.size(); ++rank)
        chosen.push_back(rank);
    if (chosen.size() <= most)
        return chosen;
    std::vector<std::size_t> telling;
    if (ranks.straggler)
        telling.push_back(*ranks.straggler);
    for (const RankOutlier &outlier : rankOutliers(ranks))
        telling.push_back(outlier.rank);
    std::ranges::stable_sort(chosen, {}, [&telling](std::size_t rank) {
        return std::ranges::find(telling, rank) - telling.begin();
    });
    chosen.resize(most);
    std::ranges::sort(chosen);
    return chosen;
}

} // namespace

QString ranksHeadline(const ProfileFolder &folder)
{
    const RankProfiles &ranks = folder.ranks;
    const bool isOne = ranks.isOneRecording();
    const QString count =
        toQString(counted(static_cast<std::int64_t>(ranks.ranks.size()), isOne ? "GPU" : "rank")) +
        (isOne ? u" of one recording, on one clock"_s : QString());
    if (ranks.ranks.size() == 1)
        return u"One rank alone: there is nothing to compare it with."_s;
    const std::vector<ProfileFinding> findings = rankFindings(ranks);
    if (!findings.empty())
        return toQString(findings.front().text);
    if (ranks.waitedCalls == 0)
        return u"%1. Which one is late is unknown: no collective that all ranks wait for was "
               "matched on all of them."_s.arg(count);
    return u"%1. None is clearly later than the others in %2 that all wait for."_s.arg(
        count, toQString(counted(ranks.waitedCalls, "collective")));
}

QStringList problemLines(const ProfileFolder &folder)
{
    QStringList lines;
    for (const std::string &problem : folder.ranks.problems)
        lines << foreignText(problem);
    return lines;
}

QStringList ranksNotes(const ProfileFolder &folder)
{
    QStringList notes;
    for (const RankOutlier &outlier : rankOutliers(folder.ranks))
        notes << toQString(outlierText(folder.ranks, outlier));
    for (const ProfileFolder::Unread &file : folder.unread)
        notes << u"%1 cannot be used: %2"_s.arg(foreignText(file.name), foreignText(file.why));
    if (folder.others > 0)
        notes << u"%1 no profiler trace and left out."_s.arg(
            folder.others == 1 ? u"1 other file is"_s
                               : u"%1 are"_s.arg(toQString(counted(
                                     static_cast<std::int64_t>(folder.others), "other file"))));
    return notes;
}

QString rankTitle(const RankProfile &rank)
{
    return foreignText(rank.title());
}

std::vector<BarTimes> rankBars(const ProfileFolder &folder)
{
    return rankBars(folder, std::numeric_limits<std::size_t>::max());
}

std::vector<BarTimes> rankBars(const ProfileFolder &folder, std::size_t most)
{
    std::vector<BarTimes> bars;
    const std::vector<std::size_t> shown = telling(folder.ranks, most);
    for (const ComparedDevice &each : comparedDevices(folder.ranks)) {
        if (!std::ranges::binary_search(shown, each.rank))
            continue;
        const RankProfile &rank = folder.ranks.ranks[each.rank];
        bars.push_back(barTimes(rank.study->devices().size() > 1
                                    ? u"%1, GPU %2"_s.arg(rankTitle(rank)).arg(each.device)
                                    : rankTitle(rank),
                                each.times));
    }
    return bars;
}

} // namespace vramscope
