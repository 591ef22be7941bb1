// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/timeline/pixel_lines.h"

#include <array>
#include <cstdint>
#include <span>
#include <vector>

namespace vramscope {

/// Lines of pixels as runs of one colour, added column by column from left to right; the cost
/// follows the changes from column to column. Colours are indices into the palette used for
/// writing.
class LineRuns
{
public:
    using Color = std::uint16_t;
    static constexpr Color kGround = 0; ///< the colour of the line's first pixel

    /// Covers the columns [first, last) of `lines` lines, which begin with their ground.
    LineRuns(std::size_t lines, int first, int last);

    /// Gives the lines [from, to) a colour from `column` on.
    void setColor(int from, int to, int column, Color color)
    {
        constexpr int kBlock = 16; // compared at once
        for (; from + kBlock <= to; from += kBlock) {
            const Color *colors = m_colors.data() + from;
            int different = 0;
            for (int at = 0; at < kBlock; ++at)
                different |= colors[at] ^ color;
            if (different != 0)
                change(from, from + kBlock, column, color);
        }
        change(from, to, column, color);
    }

    [[nodiscard]] int first() const { return m_first; }
    [[nodiscard]] int last() const { return m_last; }
    /// Whether the line consists of its ground alone.
    [[nodiscard]] bool isGround(std::size_t line) const
    {
        return m_tails[line] == line && m_counts[line] == 0 && m_colors[line] == kGround;
    }
    /// Calls visit(end, color) for each run of a line from left to right.
    template<class Visit>
    void forEachRun(std::size_t line, Visit &&visit) const
    {
        for (std::size_t at = line; at != m_tails[line]; at = m_blocks[at].next) {
            fetch(m_blocks[at].next);
            for (const Run &run : m_blocks[at].runs)
                visit(run.end(), run.color());
        }
        const Block &tail = m_blocks[m_tails[line]];
        for (std::size_t at = 0; at < m_counts[line]; ++at)
            visit(tail.runs[at].end(), tail.runs[at].color());
        visit(m_last, m_colors[line]);
    }

private:
    /// The end of a run, a column, and its colour in one word.
    class Run
    {
    public:
        Run() = default;
        Run(int end, Color color)
            : m_word(static_cast<std::uint32_t>(end) << kColorBits | color)
        {
        }
        [[nodiscard]] int end() const { return static_cast<int>(m_word >> kColorBits); }
        [[nodiscard]] Color color() const
        {
            return static_cast<Color>(m_word & ((1U << kColorBits) - 1));
        }

    private:
        static constexpr unsigned kColorBits = 11;
        std::uint32_t m_word;
    };
    struct Block
    {
        std::array<Run, 63> runs;
        std::uint32_t next;
    };

    void change(int from, int to, int column, Color color)
    {
        for (auto line = static_cast<std::size_t>(from); line < static_cast<std::size_t>(to);
             ++line) {
            if (m_colors[line] != color)
                end(line, column, color);
        }
    }

    void end(std::size_t line, int column, Color color)
    {
        if (m_counts[line] == std::tuple_size_v<decltype(Block::runs)>)
            addBlock(line);
        m_blocks[m_tails[line]].runs[m_counts[line]++] = {column, m_colors[line]};
        m_colors[line] = color;
    }

    void addBlock(std::size_t line);
    // The blocks of a line are far apart in memory.
    void fetch(std::size_t block) const
    {
        const auto *first = reinterpret_cast<const char *>(&m_blocks[block]);
        for (std::size_t at = 0; at < sizeof(Block); at += 64)
            __builtin_prefetch(first + at);
    }

    int m_first;
    int m_last;
    std::vector<Color> m_colors;        // of the open run of each line
    std::vector<std::uint8_t> m_counts; // runs in the last block of each line
    std::vector<std::uint32_t> m_tails; // the last block of each line
    std::vector<Block> m_blocks;        // the first blocks of the lines, then all others
};

/// Zones stacked from the first of some lines to the last, set column by column: the cost follows
/// what moves.
class ZoneRuns
{
public:
    /// `colors` of the zones from below; the last one is the ground.
    ZoneRuns(LineRuns &runs, std::size_t lines, std::vector<LineRuns::Color> colors);

    /// `ends`: the line before which each zone ends, ascending; the last one is the end of all
    /// lines.
    void setColumn(int column, std::span<const int> ends);

private:
    LineRuns &m_runs;
    std::vector<LineRuns::Color> m_colors;
    std::vector<int> m_ends; // in the previous column: a zone continues where it was
};

/// Writes lines of pixels, counted from below. `parts` give their columns one after the other, each
/// of their lines repeated for `together` lines of pixels, with `over` on top. Each line is written
/// once from its first pixel to its last, the upper ones first: memory takes a stream of ascending
/// addresses three to five times as fast as columns, or as lines from below. Uses two threads.
void writeRuns(std::span<QRgb *const> lines, std::span<const LineRuns> parts,
               std::span<const QRgb> palette, const PlotOverlay &over, int together = 1);

} // namespace vramscope
