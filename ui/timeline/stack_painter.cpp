// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/timeline/stack_painter.h"

#include "core/base/ordered_jobs.h"

#include <algorithm>

namespace vramscope {

namespace {

// Lines that grow to the right: a run of one colour is written when the colour changes.
class RunPainter
{
public:
    RunPainter(const std::vector<QRgb *> &lines, int firstColumn)
        : m_lines(lines)
        , m_runs(lines.size(), Run{firstColumn, 0})
    {
    }

    void setColor(int line, int column, QRgb color)
    {
        Run &run = m_runs[static_cast<std::size_t>(line)];
        if (run.color == color)
            return;
        write(line, run, column);
        run = {column, color};
    }

    void finish(int column)
    {
        for (int line = 0; line < static_cast<int>(m_lines.size()); ++line)
            write(line, m_runs[static_cast<std::size_t>(line)], column);
    }

private:
    struct Run
    {
        int start;
        QRgb color;
    };

    void write(int line, const Run &run, int end) const
    {
        QRgb *pixels = m_lines[static_cast<std::size_t>(line)];
        std::fill(pixels + run.start, pixels + end, run.color);
    }

    const std::vector<QRgb *> &m_lines;
    std::vector<Run> m_runs;
};

void paintColumns(const StackGeometry &geometry, const std::vector<QRgb> &palette,
                  const std::vector<QRgb *> &lines, int first, int last)
{
    RunPainter painter(lines, first);
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
            const QRgb color = filled ? palette[shade] : 0;
            for (; row < end - (separated ? 1 : 0); ++row)
                painter.setColor(row, change.column, color);
            if (separated)
                painter.setColor(row++, change.column, palette[shade + 2]);
        }
    });
    painter.finish(last);
}

} // namespace

QImage paintStack(const StackGeometry &geometry)
{
    const int columns = geometry.columns();
    const int rows = geometry.rows();
    QImage image(columns, rows, QImage::Format_ARGB32_Premultiplied);
    if (image.isNull())
        return image;
    std::vector<QRgb *> lines; // from the bottom
    for (int row = 0; row < rows; ++row)
        lines.push_back(reinterpret_cast<QRgb *>(image.scanLine(rows - 1 - row)));
    const std::vector<QRgb> palette = shades(geometry.colors());
    const int middle = columns / 2;
    const auto paintHalf = [&](std::size_t half) {
        paintColumns(geometry, palette, lines, half == 0 ? 0 : middle,
                     half == 0 ? middle : columns);
    };
    runInOrder(2, paintHalf, [](std::size_t) { return true; });
    return image;
}

} // namespace vramscope
