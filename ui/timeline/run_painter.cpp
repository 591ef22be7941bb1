// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/timeline/run_painter.h"

#include "core/base/ordered_jobs.h"

#include <algorithm>
#include <atomic>
#include <numeric>

namespace vramscope {

LineRuns::LineRuns(std::size_t lines, int first, int last)
    : m_first(first)
    , m_last(last)
    , m_colors(lines, kGround)
    , m_counts(lines, 0)
    , m_tails(lines)
    , m_blocks(lines)
{
    std::iota(m_tails.begin(), m_tails.end(), 0U);
}

void LineRuns::addBlock(std::size_t line)
{
    const auto added = static_cast<std::uint32_t>(m_blocks.size());
    m_blocks.emplace_back();
    m_blocks[m_tails[line]].next = added;
    m_tails[line] = added;
    m_counts[line] = 0;
}

namespace {

constexpr int kBlock = 16; // pixels that are written at once

// Most runs are short. Sixteen pixels at once take less than to count them; what is too many the
// next run writes again.
void writeLine(QRgb *pixels, std::size_t line, std::span<const LineRuns> parts,
               std::span<const QRgb> palette, const Hairlines &hairlines, std::span<QRgb> buffer)
{
    const QRgb ground = *pixels;
    const int last = parts.back().last();
    int column = parts.front().first();
    for (const LineRuns &part : parts) {
        part.forEachRun(line, [&](int end, LineRuns::Color index) {
            const QRgb color = index == LineRuns::kGround ? ground : palette[index];
            for (; column < end; column += kBlock)
                std::fill_n(buffer.data() + column, kBlock, color);
            column = end;
        });
    }
    for (const int at : hairlines.columns)
        buffer[static_cast<std::size_t>(at)] =
            blended(hairlines.color, buffer[static_cast<std::size_t>(at)]);
    writePixels(buffer.first(static_cast<std::size_t>(last)), pixels);
}

} // namespace

void writeRuns(std::span<QRgb *const> lines, std::span<const LineRuns> parts,
               std::span<const QRgb> palette, const Hairlines &hairlines)
{
    const std::size_t middle = lines.size() / 2;
    const auto writeHalf = [&](std::size_t half) {
        const std::size_t lowest = half == 0 ? middle : 0;
        std::vector<QRgb> buffer(static_cast<std::size_t>(parts.back().last()) + kBlock);
        for (std::size_t line = half == 0 ? lines.size() : middle; line-- > lowest;)
            writeLine(lines[line], line, parts, palette, hairlines, buffer);
        std::atomic_thread_fence(std::memory_order_seq_cst); // streaming stores come in any order
    };
    runInOrder(2, writeHalf, [](std::size_t) { return true; });
}

} // namespace vramscope
