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
    return onCard({headingOf(folder, unit), std::make_shared<LevelsPicture>(levels, unit),
                   hasFailed(folder) ? std::optional(Verdict::DoesNotFit) : std::nullopt});
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
    return {
        {"answer", u"The answer"_s, {}, true, [folder, unit] { return ranksScene(*folder, unit); }},
        {"ranks", u"The ranks by number"_s, {}, few, grid(RankGrid::Order::Number)},
        {"peaks", u"The ranks by peak"_s, {}, !few, grid(RankGrid::Order::Peak)}};
}

} // namespace vramscope
