// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/compare/rank_figures.h"
#include "core/print/cells.h"
#include "core/report/tables.h"
#include "ui/compare/rank_grid.h"
#include "ui/compare/rank_text.h"
#include "ui/support/text.h"

#include <filesystem>

namespace vramscope {

namespace {

constexpr int kLeastHeight = 120; // a first guess: tiles are as low as they may be, or fill it
constexpr int kBelowGrid = 10;

Drawing ranksDrawing(const RankFolderPointer &folder, ByteUnit unit, int width, const Theme &theme)
{
    RankGrid grid(folder);
    grid.setUnit(unit);
    grid.setVerticalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    (void)widgetDrawing(grid, {width, kLeastHeight}, theme);
    const int bottom = grid.tileRect(grid.order().back()).bottom();
    return widgetDrawing(grid, {width, bottom + kBelowGrid}, theme);
}

} // namespace

void addRanksSection(Report &report, const RankFolder &folder, const std::string &name,
                     std::size_t number, ByteUnit unit)
{
    addHeading(report, 1, printable(name));
    addAnswer(report, headingOf(folder, unit).toStdString(),
              hasFailed(folder) ? Tone::Bad : Tone::Plain);
    if (const QString left = leftOutText(folder); !left.isEmpty())
        addParagraph(report, printable(left.toStdString()), Tone::Warning);
    addFigure(report, "ranks", number, "Memory in use of each rank over time, all to one scale");
    TextTable table(
        {Align::Right, Align::Right, Align::Right, Align::Right, Align::Left, Align::Left});
    for (std::size_t at = 0; at < folder.ranks.size(); ++at) {
        const Rank &rank = folder.ranks[at];
        std::string remark = folder.isOutlier(at) ? "outlier" : "";
        if (!rank.summary.outOfMemory.empty())
            remark += remark.empty() ? "ran out of memory" : ", ran out of memory";
        table.addRow({std::to_string(rank.number), formatBytes(rank.summary.peakActive, unit),
                      formatChange(folder.deviation(at), unit),
                      formatKnown(rank.summary.peakReserved, rank.summary.isReservedKnown, unit),
                      std::move(remark),
                      printable(std::filesystem::path(rank.file).filename().string())});
    }
    addTable(report, "The ranks", {"rank", "peak active", "to median", "peak reserved", "", "file"},
             table);
}

std::vector<ReportFigure> ranksFigures(const RankFolderPointer &folder, std::size_t number,
                                       ByteUnit unit)
{
    return {{figureId("ranks", number), [folder, unit](int width, const Theme &theme) {
                 return ranksDrawing(folder, unit, width, theme);
             }}};
}

} // namespace vramscope
