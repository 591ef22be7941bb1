// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/timeline/pixel_lines.h"

#include <algorithm>
#include <array>
#include <span>
#include <vector>

namespace vramscope {

/// What stands in the first pixel of each line.
[[nodiscard]] inline std::vector<QRgb> firstPixels(std::span<QRgb *const> lines)
{
    std::vector<QRgb> pixels;
    pixels.reserve(lines.size());
    for (const QRgb *line : lines)
        pixels.push_back(*line);
    return pixels;
}

/// Paints into lines of pixels, counted from below, column by column from left to right. A line is
/// written as runs of one colour, so the cost follows the changes from column to column. Lines are
/// far apart in memory: each keeps a few runs, which are then written one after the other. Every
/// pixel is written, where nothing else stands with the ground of its line.
class RunPainter
{
public:
    /// Paints the columns [first, last).
    RunPainter(std::span<QRgb *const> lines, std::span<const QRgb> ground,
               const Hairlines &hairlines, int first, int last)
        : m_lines(lines)
        , m_ground(ground)
        , m_hairlines(hairlines)
        , m_last(last)
        , m_colors(lines.size(), 0)
        , m_runs(lines.size())
    {
        const auto hairline = std::ranges::lower_bound(hairlines.columns, first);
        const auto next = static_cast<std::uint16_t>(hairline - hairlines.columns.begin());
        for (Runs &runs : m_runs) {
            runs.first = first;
            runs.hairline = next;
        }
    }

    /// Gives the lines [from, to) a colour from `column` on; 0: that of the ground.
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

    /// Writes what is left.
    void finish()
    {
        for (std::size_t line = 0; line < m_lines.size(); ++line) {
            end(line, m_last);
            write(line);
        }
    }

private:
    struct Run
    {
        int end;
        QRgb color;
    };
    /// Those of a line that are not yet written, but for the one that still goes on.
    struct Runs
    {
        int first = 0; ///< column
        std::uint16_t count = 0;
        std::uint16_t hairline = 0; ///< the next one
        std::array<Run, 15> runs;   ///< with the rest as large as two cache lines
    };

    void change(int from, int to, int column, QRgb color)
    {
        for (auto line = static_cast<std::size_t>(from); line < static_cast<std::size_t>(to);
             ++line) {
            if (m_colors[line] == color)
                continue;
            end(line, column);
            m_colors[line] = color;
        }
    }

    void end(std::size_t line, int column)
    {
        Runs &runs = m_runs[line];
        if (runs.count == runs.runs.size())
            write(line);
        runs.runs[runs.count++] = {column, m_colors[line]};
    }

    // Most runs are short. Eight pixels at once take less than to count them; what is too many
    // the next run writes again.
    void write(std::size_t line)
    {
        constexpr int kBlock = 8;
        Runs &runs = m_runs[line];
        QRgb *const pixels = m_lines[line];
        int column = runs.first;
        for (std::size_t at = 0; at < runs.count; ++at) {
            const int end = runs.runs[at].end;
            const QRgb color = runs.runs[at].color == 0 ? m_ground[line] : runs.runs[at].color;
            for (; column < end && column + kBlock <= m_last; column += kBlock)
                std::fill_n(pixels + column, kBlock, color);
            if (column < end)
                std::fill(pixels + column, pixels + end, color);
            column = end;
        }
        runs.first = column;
        runs.count = 0;
        const std::vector<int> &hairlines = m_hairlines.columns;
        for (; runs.hairline < hairlines.size() && hairlines[runs.hairline] < column;
             ++runs.hairline) {
            QRgb &pixel = pixels[hairlines[runs.hairline]];
            pixel = blended(m_hairlines.color, pixel);
        }
    }

    std::span<QRgb *const> m_lines;
    std::span<const QRgb> m_ground;
    const Hairlines &m_hairlines;
    int m_last;
    std::vector<QRgb> m_colors; // of the run of each line that goes on
    std::vector<Runs> m_runs;
};

} // namespace vramscope
