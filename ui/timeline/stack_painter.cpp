// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/timeline/stack_painter.h"

#include "ui/support/theme.h"

#include <algorithm>
#include <thread>

namespace vramscope {

namespace {

constexpr std::size_t kShades = 4; // two of the band and their edges
using Palette = std::array<QRgb, kSeriesColorCount * kShades>;

const Palette &palette()
{
    static const Palette colors = [] {
        Palette result{};
        constexpr std::array<int, kShades> kDarker = {100, 110, 128, 140}; // per cent
        for (std::size_t color = 0; color < kSeriesColorCount; ++color) {
            for (std::size_t shade = 0; shade < kShades; ++shade)
                result[color * kShades + shade] =
                    QColor(seriesColors()[color]).darker(kDarker[shade]).rgb();
        }
        return result;
    }();
    return colors;
}

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

QRgb shadeOf(const Palette &shades, const StackColors &colors, AllocationIndex allocation,
             StackId stack, bool edge)
{
    const std::size_t shade = (allocation & 1U) + (edge ? 2U : 0U);
    return shades[colors[static_cast<std::size_t>(stack)] * kShades + shade];
}

void paintColumns(const StackGeometry &geometry, const StackColors &colors,
                  const std::vector<QRgb *> &lines, int first, int last)
{
    const Palette &shades = palette();
    RunPainter painter(lines, first);
    geometry.walk(first, last, [&](const StackGeometry::Change &change) {
        for (int row = change.from; row < change.to;) {
            const AllocationIndex allocation = change.rows[static_cast<std::size_t>(row)];
            int end = row + 1;
            while (end < change.to && change.rows[static_cast<std::size_t>(end)] == allocation)
                ++end;
            const bool filled = allocation != kNoAllocation;
            const StackId stack = change.stacks[static_cast<std::size_t>(row)];
            const QRgb color = filled ? shadeOf(shades, colors, allocation, stack, false) : 0;
            const bool separated = filled && end - row >= kSeparatedRows && end < geometry.rows();
            for (; row < end - (separated ? 1 : 0); ++row)
                painter.setColor(row, change.column, color);
            if (separated)
                painter.setColor(row++, change.column,
                                 shadeOf(shades, colors, allocation, stack, true));
        }
    });
    painter.finish(last);
}

} // namespace

QRgb allocationColor(const StackColors &colors, AllocationIndex allocation, StackId stack,
                     bool edge)
{
    return shadeOf(palette(), colors, allocation, stack, edge);
}

QImage paintStack(const StackGeometry &geometry, const StackColors &colors)
{
    const int columns = geometry.columns();
    const int rows = geometry.rows();
    QImage image(columns, rows, QImage::Format_ARGB32_Premultiplied);
    if (image.isNull())
        return image;
    std::vector<QRgb *> lines; // from the bottom
    for (int row = 0; row < rows; ++row)
        lines.push_back(reinterpret_cast<QRgb *>(image.scanLine(rows - 1 - row)));
    const int middle = columns / 2;
    std::thread right([&] { paintColumns(geometry, colors, lines, middle, columns); });
    paintColumns(geometry, colors, lines, 0, middle);
    right.join();
    return image;
}

} // namespace vramscope
