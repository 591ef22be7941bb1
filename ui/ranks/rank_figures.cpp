// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/ranks/rank_figures.h"

#include "core/describe/ranks_tables.h"
#include "core/report/tables.h"
#include "core/table/terminal_table.h"
#include "ui/profile/staged_bars.h"
#include "ui/ranks/heat_map.h"
#include "ui/ranks/rank_bars.h"
#include "ui/ranks/rank_grid.h"
#include "ui/ranks/rank_tables.h"
#include "ui/ranks/ranks_page.h"
#include "ui/ranks/ranks_text.h"
#include "ui/support/text.h"

namespace vramscope {

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
    TerminalTable as{.keys = {}, .most = most, .widest = TextTable::kWidestCell, .unit = unit};
    for (const DataTable::Column &column : table.columns)
        as.keys.push_back(column.key);
    addHeadedTable(report, table.title, textTable(table, as));
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

} // namespace

void addRanksSection(Report &report, const RunStudy &study, const std::string &name,
                     std::size_t number, ByteUnit unit)
{
    addHeading(report, 1, printable(name));
    for (const QString &each : problemLines(study))
        addParagraph(report, each.toStdString(), Tone::Problem);
    addAnswer(report, headlineOf(study, unit).toStdString(),
              hasFailed(study) ? Tone::Bad : Tone::Plain);
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
        figures.push_back({figureId("ranks", number), [study, unit](int width, const Theme &theme) {
                               return ranksDrawing(study, unit, width, theme);
                           }});
    if (std::vector<BarTimes> bars = rankBars(*study); !bars.empty())
        figures.push_back(barsFigure(figureId("times", number), std::move(bars), BarScale::Common));
    return figures;
}

} // namespace vramscope
