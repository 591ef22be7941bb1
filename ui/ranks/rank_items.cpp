// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/ranks/rank_items.h"

#include "core/describe/ranks_story.h"
#include "ui/profile/profile_table_parts.h"
#include "ui/profile/staged_bars.h"
#include "ui/ranks/heat_map.h"
#include "ui/ranks/rank_bars.h"
#include "ui/ranks/rank_grid.h"
#include "ui/ranks/rank_tables.h"
#include "ui/ranks/ranks_page.h"
#include "ui/ranks/ranks_text.h"
#include "ui/stage/levels_picture.h"
#include "ui/stage/stage_problems.h"
#include "ui/stage/stage_views.h"
#include "ui/support/text.h"

#include <algorithm>

namespace vramscope {

using namespace Qt::StringLiterals;

namespace {

constexpr std::size_t kMostBars = 4;      ///< of kinds of memory
constexpr std::size_t kMostByNumber = 12; ///< more ranks stand by their peaks, the highest first

StageScene ranksScene(const RunStudy &study, ByteUnit unit)
{
    LevelBars levels;
    const auto add = [&](const QString &name, Bytes bytes) {
        levels.rows.push_back({name, bytes, 0, 0});
    };
    const std::vector<std::size_t> ranks = ranksInOrder(study, RankOrder::Peak);
    const auto peakOf = [&](std::size_t rank) { return study.rank(rank).figures.peakActive; };
    const std::size_t most = ranks.front();
    const std::size_t least = ranks.back();
    if (peakOf(least) == peakOf(most)) {
        add(ranks.size() == 1 ? u"rank %1"_s.arg(study.number(most)) : u"every rank"_s,
            peakOf(most));
    } else {
        add(u"rank %1, the highest"_s.arg(study.number(most)), peakOf(most));
        if (ranks.size() > 2)
            add(u"rank %1, in the middle"_s.arg(study.number(ranks[ranks.size() / 2])),
                peakOf(ranks[ranks.size() / 2]));
        add(u"rank %1, the lowest"_s.arg(study.number(least)), peakOf(least));
    }
    if (isIncomplete(study))
        levels.remarks += coverageLines(study).mid(0, 3).join(u' ');
    levels.remarks += spreadText(study, unit);
    if (!hasFailed(study))
        return onCard({headlineOf(study, unit), std::make_shared<LevelsPicture>(levels, unit)});
    return onCard({headlineOf(study, unit), std::make_shared<LevelsPicture>(levels, unit),
                   Verdict::DoesNotFit});
}

StageScene kindsScene(const RunStudy &study, ByteUnit unit)
{
    const RankSummary &rank = study.rank(study.mostTelling());
    LevelBars levels;
    for (const SummaryPeak::Share &share : rank.peak.categories) {
        if (levels.rows.size() < kMostBars)
            levels.rows.push_back(
                {toQString(memoryCategoryName(share.category)), share.tally.bytes, 0, 0});
    }
    const SummaryPeak::Share &most = rank.peak.categories.front();
    StageScene scene{u"At the peak of rank %1 most of it is %2: %3 of the %4 in use."_s
                         .arg(study.number(study.mostTelling()))
                         .arg(toQString(memoryCategoryName(most.category)),
                              bytesText(most.tally.bytes, unit),
                              bytesText(rank.figures.peakActive, unit)),
                     std::make_shared<LevelsPicture>(levels, unit)};
    scene.question = u"What fills the memory?"_s;
    return onCard(scene);
}

StageScene pictureScene(const RunStudyPointer &study, RankOrder order, ByteUnit unit)
{
    if (study->count() > kMostTiles) {
        auto map = std::make_shared<HeatMap>(study);
        map->setUnit(unit);
        map->setOrder(order);
        return {
            u"Active memory of every rank; a line that several ranks share shows the highest."_s,
            map};
    }
    auto grid = std::make_shared<RankGrid>(study);
    grid->setUnit(unit);
    grid->setOrder(order);
    grid->setCurrent(grid->order().front());
    grid->setVerticalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    return {u"Memory in use, every rank on the same axes; dashed: the median of its group."_s,
            grid};
}

/// Where the time of each rank went; in large runs that of the late one and outliers.
StageScene timesScene(const RunStudy &study)
{
    constexpr std::size_t kMostStaged = 12;
    const RunStory story = runStory(study);
    return {toQString(story.times.front()),
            stagedBars(rankBars(study, kMostStaged), BarScale::Common, {})};
}

} // namespace

std::vector<StageItem> rankItems(const RunStudyPointer &study, ByteUnit unit)
{
    std::vector<StageItem> times;
    if (!study->findings.activity.ranks.empty())
        times.push_back(
            {"times", u"Which rank is late"_s, {}, true, [study] { return timesScene(*study); }});
    for (const RanksTab tab : tabsOf(*study)) {
        if (tab == RanksTab::Ranks && study->hasMemory())
            continue;
        times.push_back({"table:" + nameOf(tab).toStdString(),
                         toQString(dataTable(*study, tab, unit).title),
                         {},
                         tab != RanksTab::Matches,
                         [study, tab, unit] {
                             return onCard(tableScene(shownTable(*study, tab, unit), unit));
                         }});
    }
    if (!study->hasMemory())
        return behindProblems(std::move(times), problemLines(*study));
    const bool few = study->count() <= kMostByNumber || study->count() > kMostTiles;
    const auto picture = [study, unit](RankOrder order) {
        return [study, unit, order] { return pictureScene(study, order, unit); };
    };
    std::vector<StageItem> items{
        {"answer", u"The answer"_s, {}, true, [study, unit] { return ranksScene(*study, unit); }},
        {"ranks", u"The ranks by number"_s, {}, few, picture(RankOrder::Number)},
        {"peaks", u"The ranks by peak"_s, {}, !few, picture(RankOrder::Peak)}};
    if (!study->rank(study->mostTelling()).peak.categories.empty())
        items.push_back({"kinds", u"What fills the memory"_s, {}, true, [study, unit] {
                             return kindsScene(*study, unit);
                         }});
    std::ranges::move(times, std::back_inserter(items));
    return behindProblems(std::move(items), problemLines(*study));
}

} // namespace vramscope
