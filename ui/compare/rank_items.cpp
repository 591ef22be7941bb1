// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/compare/compare_items.h"
#include "ui/compare/rank_grid.h"
#include "ui/compare/rank_text.h"
#include "ui/stage/levels_picture.h"
#include "ui/stage/stage_views.h"
#include "ui/support/text.h"

#include <algorithm>

namespace vramscope {

using namespace Qt::StringLiterals;

namespace {

constexpr std::size_t kMostKinds = 4;     ///< of memory, as bars
constexpr std::size_t kMostByNumber = 12; ///< more ranks stand by their peaks, the highest first

StageScene ranksScene(const RankFolder &folder, ByteUnit unit)
{
    LevelBars levels;
    const auto add = [&](const QString &name, Bytes bytes) {
        levels.rows.push_back({name, bytes, 0, 0});
    };
    std::vector<const Rank *> ranks;
    for (const Rank &rank : folder.ranks)
        ranks.push_back(&rank);
    std::ranges::stable_sort(ranks, std::greater(),
                             [](const Rank *rank) { return rank->summary.peakActive; });
    const Rank &most = *ranks.front();
    const Rank &least = *ranks.back();
    if (least.summary.peakActive == most.summary.peakActive) {
        add(ranks.size() == 1 ? u"rank %1"_s.arg(most.number) : u"every rank"_s,
            most.summary.peakActive);
    } else {
        add(u"rank %1, the highest"_s.arg(most.number), most.summary.peakActive);
        if (ranks.size() > 2)
            add(u"the median"_s, folder.active.median);
        add(u"rank %1, the lowest"_s.arg(least.number), least.summary.peakActive);
    }
    if (!folder.unread.empty())
        levels.remarks += u"%1 of the files could not be read."_s.arg(folder.unread.size());
    levels.remarks += spreadText(folder, unit);
    const auto failed = std::ranges::find_if(
        folder.ranks, [](const Rank &rank) { return !rank.summary.outOfMemory.empty(); });
    if (failed == folder.ranks.end())
        return onCard({headlineOf(folder, unit), std::make_shared<LevelsPicture>(levels, unit)});
    const auto at = static_cast<std::size_t>(failed - folder.ranks.begin());
    levels.remarks += u"Rank %1: %2"_s.arg(failed->number).arg(rankAnswer(folder, at, unit));
    return onCard({headlineOf(folder, unit), std::make_shared<LevelsPicture>(levels, unit),
                   Verdict::DoesNotFit});
}

/// The rank that stands out most, else the typical one.
std::size_t shownRank(const RankFolder &folder)
{
    return folder.active.outliers.empty() ? folder.active.typical : folder.active.outliers.front();
}

StageScene kindsScene(const RankFolder &folder, ByteUnit unit)
{
    const Rank &rank = folder.ranks[shownRank(folder)];
    LevelBars levels;
    for (const LiveKind &kind : rank.peak.kinds) {
        if (levels.rows.size() < kMostKinds)
            levels.rows.push_back({toQString(memoryCategoryName(kind.category)), kind.bytes, 0, 0});
    }
    const LiveKind &most = rank.peak.kinds.front();
    StageScene scene{
        u"At the peak of rank %1 most of it is %2: %3 of the %4 in use."_s.arg(rank.number)
            .arg(toQString(memoryCategoryName(most.category)), bytesText(most.bytes, unit),
                 bytesText(rank.summary.peakActive, unit)),
        std::make_shared<LevelsPicture>(levels, unit)};
    scene.question = u"What fills the memory?"_s;
    return onCard(scene);
}

StageScene gridScene(const std::shared_ptr<const RankFolder> &folder, RankGrid::Order order,
                     ByteUnit unit)
{
    auto grid = std::make_shared<RankGrid>(folder);
    grid->setUnit(unit);
    grid->setOrder(order);
    grid->setCurrent(grid->order().front());
    grid->setVerticalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    return {u"Memory in use, every rank on the same axes; dashed: the median of the peaks."_s,
            grid};
}

} // namespace

std::vector<StageItem> rankItems(std::shared_ptr<const RankFolder> folder, ByteUnit unit)
{
    const bool few = folder->ranks.size() <= kMostByNumber;
    const auto grid = [folder, unit](RankGrid::Order order) {
        return [folder, unit, order] { return gridScene(folder, order, unit); };
    };
    std::vector<StageItem> items{
        {"answer", u"The answer"_s, {}, true, [folder, unit] { return ranksScene(*folder, unit); }},
        {"ranks", u"The ranks by number"_s, {}, few, grid(RankGrid::Order::Number)},
        {"peaks", u"The ranks by peak"_s, {}, !few, grid(RankGrid::Order::Peak)}};
    if (!folder->ranks[shownRank(*folder)].peak.kinds.empty())
        items.push_back({"kinds", u"What fills the memory"_s, {}, true, [folder, unit] {
                             return kindsScene(*folder, unit);
                         }});
    return items;
}

} // namespace vramscope
