// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/ranks/rank_figures.h"

#include "core/print/cells.h"
#include "core/print/run_report.h"
#include "core/report/tables.h"
#include "ui/ranks/heat_map.h"
#include "ui/ranks/rank_grid.h"
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

void addRankRows(Report &report, const RunStudy &study, ByteUnit unit)
{
    TextTable table({Align::Right, Align::Left, Align::Right, Align::Right, Align::Right,
                     Align::Right, Align::Left, Align::Left});
    const bool areAll = study.count() <= kMostTiles;
    std::size_t rows = 0;
    std::size_t leftOut = 0;
    for (std::size_t at = 0; at < study.count(); ++at) {
        const RankSummary &rank = study.rank(at);
        if (!areAll && rank.failureCount == 0 && !study.isOutlier(at, true))
            continue;
        if (++rows > kMostRankRows) {
            ++leftOut;
            continue;
        }
        table.addRow({std::to_string(study.number(at)), printable(rank.source.node),
                      formatBytes(rank.figures.peakActive, unit),
                      formatChange(study.deviation(at), unit),
                      formatKnown(rank.figures.peakReserved, rank.figures.isReservedKnown, unit),
                      std::to_string(study.findings.groupOf[at] + 1),
                      remarkOf(study, at, unit).toStdString(), printable(rank.source.path)});
    }
    if (rows == 0)
        return;
    addTable(report, areAll ? "The ranks" : "The ranks that failed or stand out",
             {"rank", "node", "peak active", "to median", "peak reserved", "group", "", "file"},
             table);
    if (leftOut > 0)
        addParagraph(
            report,
            formatCount(static_cast<std::int64_t>(leftOut)) +
                " more; the table of the window, or vramscope-cli diff --json, lists them.",
            Tone::Plain);
}

void addGroupRows(Report &report, const RunStudy &study, ByteUnit unit)
{
    constexpr std::size_t kMostGroups = 40;
    if (study.findings.groups.size() < 2)
        return;
    TextTable table({Align::Right, Align::Right, Align::Right, Align::Right, Align::Right});
    for (std::size_t at = 0; at < std::min(study.findings.groups.size(), kMostGroups); ++at) {
        const AlikeRanks &group = study.findings.groups[at];
        table.addRow({std::to_string(at + 1), std::to_string(group.ranks.size()),
                      formatBytes(group.active.least, unit), formatBytes(group.active.median, unit),
                      formatBytes(group.active.most, unit)});
    }
    addTable(report, "Groups of ranks that hold the same kinds of things at their peak",
             {"group", "ranks", "least", "median peak", "most"}, table);
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
    addFigure(report, "ranks", number,
              study.count() > kMostTiles
                  ? "Active memory of each rank; a line that several share shows the highest"
                  : "Memory in use of each rank over time, all to one scale");
    addGroupRows(report, study, unit);
    addRankRows(report, study, unit);
}

std::vector<ReportFigure> ranksFigures(const RunStudyPointer &study, std::size_t number,
                                       ByteUnit unit)
{
    return {{figureId("ranks", number), [study, unit](int width, const Theme &theme) {
                 return ranksDrawing(study, unit, width, theme);
             }}};
}

} // namespace vramscope
