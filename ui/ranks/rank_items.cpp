// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/ranks/rank_items.h"

#include "core/describe/ranks_story.h"
#include "core/describe/ranks_tables.h"
#include "core/page/plan_data.h"
#include "core/print/run_coverage_report.h"
#include "core/report/tables.h"
#include "core/table/terminal_table.h"
#include "ui/profile/profile_table_parts.h"
#include "ui/ranks/heat_map.h"
#include "ui/ranks/rank_bars.h"
#include "ui/ranks/rank_grid.h"
#include "ui/ranks/rank_tables.h"
#include "ui/ranks/ranks_page.h"
#include "ui/ranks/ranks_text.h"
#include "ui/stage/slide_bars.h"
#include "ui/stage/stage_item.h"
#include "ui/stage/stage_views.h"
#include "ui/support/text.h"
#include "ui/support/theme.h"

#include <algorithm>

namespace vramscope {

using namespace Qt::StringLiterals;

namespace {

constexpr std::size_t kMostBars = 4;      ///< of kinds of memory
constexpr std::size_t kMostByNumber = 12; ///< more ranks stand by their peaks, the highest first

StageScene ranksScene(const RunStudy &study, ByteUnit unit)
{
    std::vector<std::pair<QString, Bytes>> levels;
    const auto add = [&](const QString &name, Bytes bytes) { levels.emplace_back(name, bytes); };
    const std::vector<std::size_t> ranks = ranksInOrder(study, RankOrder::Peak);
    const auto peakOf = [&](std::size_t rank) { return study.rank(rank).figures.peakActive; };
    const std::size_t most = ranks.front();
    const std::size_t least = ranks.back();
    if (bytesText(peakOf(least), unit) == bytesText(peakOf(most), unit)) {
        add(ranks.size() == 1 ? u"rank %1"_s.arg(study.number(most)) : u"every rank"_s,
            peakOf(most));
    } else {
        add(u"rank %1, the highest"_s.arg(study.number(most)), peakOf(most));
        if (ranks.size() > 2)
            add(u"rank %1, in the middle"_s.arg(study.number(ranks[ranks.size() / 2])),
                peakOf(ranks[ranks.size() / 2]));
        add(u"rank %1, the lowest"_s.arg(study.number(least)), peakOf(least));
    }
    QStringList remarks;
    if (isIncomplete(study))
        remarks += coverageLines(study).mid(0, 3).join(u' ');
    remarks += spreadText(study, unit);
    return onCard({headlineOf(study, unit),
                   std::make_shared<SlideBarsView>(levelBars(levels, unit, {}, std::move(remarks))),
                   study.findings.failure ? std::optional(Verdict::DoesNotFit) : std::nullopt});
}

StageScene kindsScene(const RunStudy &study, ByteUnit unit)
{
    const RankSummary &rank = study.rank(study.mostTelling());
    std::vector<std::pair<QString, Bytes>> levels;
    for (const SummaryPeak::Share &share : rank.peak.categories) {
        if (levels.size() < kMostBars)
            levels.emplace_back(toQString(categoryPhrase(share.category)), share.tally.bytes);
    }
    const SummaryPeak::Share &most = rank.peak.categories.front();
    StageScene scene{u"At the peak of rank %1 most of it is %2: %3 of the %4 in use."_s
                         .arg(study.number(study.mostTelling()))
                         .arg(toQString(categoryPhrase(most.category)),
                              bytesText(most.tally.bytes, unit),
                              bytesText(rank.figures.peakActive, unit)),
                     std::make_shared<SlideBarsView>(levelBars(levels, unit))};
    scene.kicker = u"What fills the memory"_s;
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
    return {toQString(timeStory(study).answer),
            stagedBars(rankBars(study, kMostStaged), BarScale::Common, {})};
}

} // namespace

std::vector<StageItem> rankItems(const RunStudyPointer &study, ByteUnit unit)
{
    std::vector<StageItem> times;
    if (!study->findings.activity.ranks.empty())
        times.push_back({"times", u"Which rank is late"_s, [study] { return timesScene(*study); }});
    for (const RanksTab tab : tabsOf(*study)) {
        if (tab == RanksTab::Ranks && study->hasMemory())
            continue;
        times.push_back(tableItem(
            nameOf(tab), toQString(dataTable(*study, tab, unit).title),
            [study, tab, unit] { return shownTable(*study, tab, unit); }, unit,
            tab != RanksTab::Matches));
    }
    if (!study->hasMemory())
        return behindProblems(std::move(times), problemLines(*study));
    const bool few = study->count() <= kMostByNumber || study->count() > kMostTiles;
    const auto picture = [study, unit](RankOrder order) {
        return [study, unit, order] { return pictureScene(study, order, unit); };
    };
    std::vector<StageItem> items{
        {"answer", u"The answer"_s, [study, unit] { return ranksScene(*study, unit); }},
        {"ranks", u"The ranks by number"_s, picture(RankOrder::Number), few},
        {"peaks", u"The ranks by peak"_s, picture(RankOrder::Peak), !few}};
    if (!study->rank(study->mostTelling()).peak.categories.empty())
        items.push_back({"kinds", u"What fills the memory"_s,
                         [study, unit] { return kindsScene(*study, unit); }});
    std::ranges::move(times, std::back_inserter(items));
    return behindProblems(std::move(items), problemLines(*study));
}

namespace {

constexpr int kLeastHeight = 120; // a first guess: tiles are as low as they may be, or fill it
constexpr int kBelowGrid = 10;
constexpr int kMapHeight = 520;
constexpr std::size_t kMostRankRows = 200;

Drawing ranksDrawing(const RunStudyPointer &study, ByteUnit unit, int width, const Theme &theme)
{
    if (study->count() > kMostTiles) {
        HeatMap map(study);
        map.setUnit(unit);
        return widgetDrawing(map, {width, kMapHeight}, theme);
    }
    RankGrid grid(study);
    grid.setUnit(unit);
    grid.setVerticalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    (void)widgetDrawing(grid, {width, kLeastHeight}, theme);
    const int bottom = grid.tileRect(grid.order().back()).bottom();
    return widgetDrawing(grid, {width, bottom + kBelowGrid}, theme);
}

/// The columns for readers, of at most `most` rows.
void addDataTable(Report &report, const DataTable &table, std::size_t most, ByteUnit unit)
{
    DataTable first = table;
    first.rows = shownRows(table.rows, most);
    for (DataTable::Column &column : first.columns)
        column.isShown = true;
    addTable(report, first, unit);
    if (table.rows > most)
        addParagraph(report,
                     formatCount(static_cast<std::int64_t>(table.rows - most)) +
                         " more; the table of the window, or --json, lists them.",
                     Tone::Plain);
}

/// All ranks, or of many those that failed or are outliers.
void addRankRows(Report &report, const RunStudy &study, ByteUnit unit)
{
    std::vector<RankRow> rows = rankRows(study);
    const bool areAll = study.count() <= kMostTiles;
    std::erase_if(rows, [&](const RankRow &row) {
        return !areAll && study.rank(row.rank).failureCount == 0 &&
               !study.isOutlier(row.rank, true);
    });
    if (rows.empty())
        return;
    DataTable table = shownColumns(ranksTable(study, std::move(rows), unit));
    table.title = areAll ? "The ranks" : "The ranks that failed or are outliers";
    addDataTable(report, table, kMostRankRows, unit);
}

/// The peak of each rank by category, with its blocks.
DividedMemory rankPeaks(const RunStudy &study, ByteUnit unit)
{
    DividedMemory memory;
    memory.layout = study.count() > kMostByNumber ? "columns" : "bars";
    memory.subject = "Peak of each rank by part";
    memory.detail = "Blocks";
    memory.unit = unit;
    memory.keepsPicture = true;
    for (std::size_t at = 0; at < kRecordedCategoryCount; ++at) {
        const auto category = static_cast<Category>(at);
        memory.parts.push_back(
            {std::string(categoryName(category)), categoryColor(category).name().toStdString()});
    }
    for (std::size_t rank = 0; rank < study.count(); ++rank) {
        DividedMoment moment{"rank " + std::to_string(study.number(rank)), {}};
        for (const SummaryPeak::Share &share : study.rank(rank).peak.categories)
            moment.components.push_back({static_cast<std::size_t>(share.category),
                                         share.tally.bytes,
                                         std::string(categoryName(share.category)),
                                         formatCount(share.tally.count),
                                         {}});
        if (study.rank(rank).figures.peakActive > study.rank(memory.peak).figures.peakActive)
            memory.peak = rank;
        memory.moments.push_back(std::move(moment));
    }
    return memory;
}

} // namespace

void addRanksSection(Report &report, const RunStudy &study, const std::string &name,
                     std::size_t number, ByteUnit unit)
{
    addHeading(report, 1, printable(name));
    for (const QString &each : problemLines(study))
        addParagraph(report, each.toStdString(), Tone::Problem);
    addAnswer(report, headlineOf(study, unit).toStdString(),
              study.findings.failure ? Tone::Bad : Tone::Plain);
    if (const QString more = spreadText(study, unit); !more.isEmpty())
        addParagraph(report, more.toStdString(), Tone::Plain);
    addParagraph(report, coverageLines(study).join(u' ').toStdString(),
                 isIncomplete(study) ? Tone::Warning : Tone::Plain);
    if (study.hasMemory())
        addFigure(report, "ranks", number,
                  study.count() > kMostTiles
                      ? "Active memory of each rank; a line that several share shows the highest"
                      : "Memory in use of each rank over time, all to one scale");
    if (!rankBars(study).empty())
        addFigure(report, "times", number,
                  "Where the time of each rank went " +
                      comparedText(study.findings.activity.comparison) +
                      ", on one scale: the parts add up to its span");
    constexpr std::size_t kMostGroups = 40;
    if (study.hasMemory() && study.findings.groups.size() > 1)
        addDataTable(report, groupsTable(study), kMostGroups, unit);
    addRankRows(report, study, unit);
    constexpr std::size_t kMostTraceRows = 20;
    for (const RanksTab tab : tabsOf(study)) {
        if (tab != RanksTab::Ranks)
            addDataTable(report, dataTable(study, tab, unit), kMostTraceRows, unit);
    }
}

std::vector<ReportFigure> ranksFigures(const RunStudyPointer &study, std::size_t number,
                                       ByteUnit unit)
{
    std::vector<ReportFigure> figures;
    if (study->hasMemory())
        figures.push_back({figureId("ranks", number),
                           [study, unit](int width, const Theme &theme) {
                               return ranksDrawing(study, unit, width, theme);
                           },
                           [study, unit] { return dividedData(rankPeaks(*study, unit)); }});
    if (std::vector<BarTimes> bars = rankBars(*study); !bars.empty())
        figures.push_back(barsFigure(figureId("times", number), std::move(bars), BarScale::Common));
    return figures;
}

} // namespace vramscope
