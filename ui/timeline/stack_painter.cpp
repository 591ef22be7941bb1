// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/timeline/stack_painter.h"

#include "core/base/ordered_jobs.h"
#include "ui/timeline/run_painter.h"

namespace vramscope {

namespace {

void addColumns(const StackGeometry &geometry, LineRuns &runs)
{
    const auto shadeOf = [](const StackGeometry::Band &band, std::size_t separator) {
        return static_cast<LineRuns::Color>(1 + band.color * kShades + (band.life & 1U) +
                                            separator);
    };
    geometry.walk(runs.first(), runs.last(), [&](const StackGeometry::Change &change) {
        for (const StackGeometry::Band &band : change.bands) {
            if (band.life == kNoLife) {
                runs.setColor(band.from, band.to, change.column, LineRuns::kGround);
                continue;
            }
            const bool separated =
                band.to - band.from >= kSeparatedRows && band.to < geometry.rows();
            const int edge = band.to - (separated ? 1 : 0);
            runs.setColor(band.from, edge, change.column, shadeOf(band, 0));
            runs.setColor(edge, band.to, change.column, shadeOf(band, 2));
        }
    });
}

} // namespace

void paintStack(const StackGeometry &geometry, std::span<QRgb *const> lines,
                const PlotOverlay &over, int together)
{
    const int columns = geometry.columns();
    const int middle = columns / 2;
    std::vector<QRgb> palette = shades(geometry.colors());
    palette.insert(palette.begin(), 0); // the ground's place
    const auto rows = static_cast<std::size_t>(geometry.rows());
    std::array parts{LineRuns(rows, 0, middle), LineRuns(rows, middle, columns)};
    runBoth([&] { addColumns(geometry, parts[0]); }, [&] { addColumns(geometry, parts[1]); });
    writeRuns(lines, parts, palette, over, together);
}

} // namespace vramscope
