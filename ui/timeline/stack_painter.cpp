// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/timeline/stack_painter.h"

#include "core/base/ordered_jobs.h"
#include "ui/timeline/run_painter.h"

namespace vramscope {

namespace {

void paintColumns(const StackGeometry &geometry, const std::vector<QRgb> &palette, RunPainter runs,
                  int first, int last)
{
    geometry.walk(first, last, [&](const StackGeometry::Change &change) {
        for (int row = change.from; row < change.to;) {
            const LifeIndex life = change.rows[static_cast<std::size_t>(row)];
            int end = row + 1;
            while (end < change.to && change.rows[static_cast<std::size_t>(end)] == life)
                ++end;
            const bool filled = life != kNoLife;
            const std::size_t shade =
                change.colors[static_cast<std::size_t>(row)] * kShades + (life & 1U);
            const bool separated = filled && end - row >= kSeparatedRows && end < geometry.rows();
            const int edge = end - (separated ? 1 : 0);
            runs.setColor(row, edge, change.column, filled ? palette[shade] : 0);
            if (separated)
                runs.setColor(edge, end, change.column, palette[shade + 2]);
            row = end;
        }
    });
    runs.finish();
}

} // namespace

void paintStack(const StackGeometry &geometry, std::span<QRgb *const> lines,
                const Hairlines &hairlines)
{
    const int columns = geometry.columns();
    const std::vector<QRgb> palette = shades(geometry.colors());
    const std::vector<QRgb> ground = firstPixels(lines);
    const int middle = columns / 2;
    const auto paintHalf = [&](std::size_t half) {
        const int first = half == 0 ? 0 : middle;
        const int last = half == 0 ? middle : columns;
        paintColumns(geometry, palette, {lines, ground, hairlines, first, last}, first, last);
    };
    runInOrder(2, paintHalf, [](std::size_t) { return true; });
}

} // namespace vramscope
