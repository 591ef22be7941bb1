// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QRgb>

#include <algorithm>
#include <span>
#include <vector>

namespace vramscope {

/// Paints into lines of pixels, counted from below, column by column from left to right. A line is
/// written as runs of one colour, each when its colour ends, so the cost follows the changes from
/// column to column. Colour 0 leaves what is there.
class RunPainter
{
public:
    RunPainter(std::span<QRgb *const> lines, int firstColumn)
        : m_lines(lines)
        , m_starts(lines.size(), firstColumn)
        , m_colors(lines.size(), 0)
    {
    }

    /// Gives the lines [from, to) a colour from `column` on.
    void setColor(int from, int to, int column, QRgb color)
    {
        constexpr int kBlock = 8; // compared at once
        for (; from + kBlock <= to; from += kBlock) {
            const QRgb *colors = m_colors.data() + from;
            QRgb different = 0;
            for (int at = 0; at < kBlock; ++at)
                different |= colors[at] ^ color;
            if (different != 0)
                change(from, from + kBlock, column, color);
        }
        change(from, to, column, color);
    }

    /// Writes what is left, up to `column`.
    void finish(int column)
    {
        for (std::size_t line = 0; line < m_lines.size(); ++line)
            write(line, column);
    }

private:
    void change(int from, int to, int column, QRgb color)
    {
        for (auto line = static_cast<std::size_t>(from); line < static_cast<std::size_t>(to);
             ++line) {
            if (m_colors[line] == color)
                continue;
            write(line, column);
            m_starts[line] = column;
            m_colors[line] = color;
        }
    }

    void write(std::size_t line, int end) const
    {
        const QRgb color = m_colors[line];
        if (color != 0)
            std::fill(m_lines[line] + m_starts[line], m_lines[line] + end, color);
    }

    std::span<QRgb *const> m_lines;
    std::vector<int> m_starts; // of the run of each line
    std::vector<QRgb> m_colors;
};

} // namespace vramscope
