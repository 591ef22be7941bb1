// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/timeline/run_painter.h"

#include "core/base/ordered_jobs.h"

#include <algorithm>
#include <array>
#include <atomic>
#include <numeric>
#include <optional>
#include <utility>

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

ZoneRuns::ZoneRuns(LineRuns &runs, std::size_t lines, std::vector<LineRuns::Color> colors)
    : m_runs(runs)
    , m_colors(std::move(colors))
    , m_ends(m_colors.size(), 0)
{
    m_ends.back() = static_cast<int>(lines);
}

void ZoneRuns::setColumn(int column, std::span<const int> ends)
{
    int first = 0;
    int firstBefore = 0;
    for (std::size_t zone = 0; zone < m_colors.size(); ++zone) {
        const int end = ends[zone];
        const int endBefore = std::exchange(m_ends[zone], end);
        m_runs.setColor(first, std::min(end, firstBefore), column, m_colors[zone]);
        m_runs.setColor(std::max(first, endBefore), end, column, m_colors[zone]);
        first = end;
        firstBefore = endBefore;
    }
}

namespace {

constexpr int kBlock = 16; // pixels that are written at once

// Most runs are short. Writing sixteen pixels at once is faster than counting them; the next run
// overwrites the excess.
void fillLine(QRgb *line, QRgb ground, std::size_t at, std::span<const LineRuns> parts,
              std::span<const QRgb> palette)
{
    int column = parts.front().first();
    for (const LineRuns &part : parts) {
        part.forEachRun(at, [&](int end, LineRuns::Color index) {
            const QRgb color = index == LineRuns::kGround ? ground : palette[index];
            for (; column < end; column += kBlock)
                std::fill_n(line + column, kBlock, color);
            column = end;
        });
    }
}

void blend(QRgb over, QRgb &under)
{
    under = blended(over, under);
}

constexpr LineRuns::Color kHalo = 1;
constexpr LineRuns::Color kLine = 2;

// The ground of its runs is transparent.
LineRuns runsOf(const StepLine &line, std::size_t lines)
{
    LineRuns runs(lines, 0, static_cast<int>(line.columns.size()));
    ZoneRuns zones(runs, lines, {LineRuns::kGround, kHalo, kLine, kHalo, LineRuns::kGround});
    const auto rows = static_cast<int>(lines);
    int column = 0;
    for (const auto &[from, to] : line.columns)
        zones.setColumn(column++, std::array{std::clamp(from - line.haloRows, 0, rows), from, to,
                                             std::clamp(to + line.haloRows, 0, rows), rows});
    return runs;
}

void paintStepLine(QRgb *pixels, const StepLine &line, const LineRuns &runs, std::size_t at)
{
    int column = runs.first();
    runs.forEachRun(at, [&](int end, LineRuns::Color zone) {
        if (zone == kLine)
            std::fill(pixels + column, pixels + end, line.color);
        else if (zone == kHalo)
            std::for_each(pixels + column, pixels + end,
                          [&](QRgb &under) { blend(line.halo, under); });
        column = end;
    });
}

} // namespace

void writeRuns(std::span<QRgb *const> lines, std::span<const LineRuns> parts,
               std::span<const QRgb> palette, const PlotOverlay &over, int together)
{
    const LineRuns stepLine = runsOf(over.line, lines.size());
    const auto columns = static_cast<std::size_t>(parts.back().last());
    const auto each = static_cast<std::size_t>(together);
    const std::size_t middle = lines.size() / each / 2 * each;
    const auto writeHalf = [&](std::size_t half) {
        const std::size_t lowest = half == 0 ? middle : 0;
        std::vector<QRgb> body(columns + kBlock);
        std::vector<QRgb> crossed(columns); // by the line
        std::optional<std::pair<std::size_t, QRgb>> filled;
        for (std::size_t at = half == 0 ? lines.size() : middle; at-- > lowest;) {
            const std::pair wanted(at / each, *lines[at]);
            if (filled != wanted) {
                fillLine(body.data(), wanted.second, wanted.first, parts, palette);
                for (const int column : over.hairlines.columns)
                    blend(over.hairlines.color, body[static_cast<std::size_t>(column)]);
                filled = wanted;
            }
            if (stepLine.isGround(at)) {
                writePixels({body.data(), columns}, lines[at]);
                continue;
            }
            std::copy_n(body.begin(), columns, crossed.begin());
            paintStepLine(crossed.data(), over.line, stepLine, at);
            writePixels(crossed, lines[at]);
        }
        std::atomic_thread_fence(std::memory_order_seq_cst); // streaming stores come in any order
    };
    runBoth([&] { writeHalf(0); }, [&] { writeHalf(1); });
}

} // namespace vramscope
