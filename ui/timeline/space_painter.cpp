// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/timeline/space_painter.h"

#include "ui/timeline/pixel_lines.h"

#include <vector>

namespace vramscope {

namespace {

constexpr int kSeparatedPixels = 4; // narrower blocks have no room for a separator

/// Lines of pixels, counted from above, written in runs that are clipped at the edges.
class Canvas
{
public:
    Canvas(std::span<QRgb *const> fromBelow, int width)
        : m_lines(fromBelow.rbegin(), fromBelow.rend())
        , m_width(width)
        , m_last(height())
    {
    }

    [[nodiscard]] int height() const { return static_cast<int>(m_lines.size()); }
    /// From now on only the lines [first, last) are written.
    void clip(int first, int last)
    {
        m_first = first;
        m_last = last;
    }

    void fill(int x, std::int64_t y, int width, int height, QRgb color)
    {
        forEachLine(x, y, width, height, [color](QRgb *line, int from, int to, int) {
            std::fill(line + from, line + to, color);
        });
    }

    /// Calls visit(line, from, to, y) for each line of pixels.
    template<class Visit>
    void forEachLine(int x, std::int64_t y, int width, int height, Visit &&visit)
    {
        const int from = std::clamp(x, 0, m_width);
        const int to = std::clamp(x + width, 0, m_width);
        const auto first = std::clamp<std::int64_t>(y, m_first, m_last);
        const auto last = std::clamp<std::int64_t>(y + height, m_first, m_last);
        for (std::int64_t line = first; line < last; ++line)
            visit(m_lines[static_cast<std::size_t>(line)], from, to, static_cast<int>(line));
    }

    [[nodiscard]] int width() const { return m_width; }

private:
    std::vector<QRgb *> m_lines;
    int m_width;
    int m_first = 0;
    int m_last;
};

/// Pixels of two colours that repeat along a line, laid out once: a division for each pixel would
/// take longer than all else.
class Pattern
{
public:
    /// The first `on` of every `period` pixels have the one colour.
    Pattern(int width, int period, int on)
        : m_period(period)
        , m_on(static_cast<std::size_t>(width + period))
    {
        for (std::size_t at = 0; at < m_on.size(); ++at)
            m_on[at] = static_cast<int>(at) % period < on ? ~QRgb(0) : 0;
    }

    /// The pixels [from, to) of a line that begins `shift` pixels into the pattern.
    void paint(QRgb *line, int from, int to, int shift, QRgb on, QRgb off) const
    {
        const QRgb *mask = m_on.data() + shift % m_period;
        for (int at = from; at < to; ++at)
            line[at] = (mask[at] & on) | (~mask[at] & off);
    }

private:
    int m_period;
    std::vector<QRgb> m_on; // all bits set where it is the one colour
};

/// Colours and patterns of the fills. A pattern alone identifies its fill.
class Brush
{
public:
    Brush(const SpaceLook &look, Canvas &canvas)
        : m_canvas(canvas)
        , m_line(std::max(1, look.line))
        , m_paper(look.theme.window.rgb())
        , m_hole(look.theme.line.rgb())
        , m_dotColor(look.theme.border.rgb())
        , m_fine(canvas.width(), 3 * m_line, m_line)
        , m_broad(canvas.width(), 6 * m_line, 3 * m_line)
        , m_dots(canvas.width(), 4 * m_line, m_line)
    {
    }

    /// `phase`: lines by which the picture is scrolled, so that patterns stay in place.
    void fill(SpaceFill fill, QRgb color, int x, std::int64_t y, int width, int height, int phase)
    {
        switch (fill) {
        case SpaceFill::Requested:
            m_canvas.fill(x, y, width, height, color);
            break;
        case SpaceFill::Rounding: // fine, falling
            m_canvas.forEachLine(x, y, width, height, [&](QRgb *pixels, int from, int to, int at) {
                m_fine.paint(pixels, from, to, (1 << 20) - at - phase, m_paper, color);
            });
            break;
        case SpaceFill::PendingFree: // broad, rising
            m_canvas.forEachLine(x, y, width, height, [&](QRgb *pixels, int from, int to, int at) {
                m_broad.paint(pixels, from, to, at + phase, m_paper, color);
            });
            break;
        case SpaceFill::Stranded:
            m_canvas.fill(x, y, width, height, m_hole);
            break;
        case SpaceFill::Releasable: // dotted paper
            m_canvas.forEachLine(x, y, width, height, [&](QRgb *pixels, int from, int to, int at) {
                if ((at + phase) / m_line % 4 == 1)
                    m_dots.paint(pixels, from, to, 3 * m_line, m_dotColor, m_paper);
                else
                    std::fill(pixels + from, pixels + to, m_paper);
            });
            break;
        }
    }

private:
    Canvas &m_canvas;
    int m_line;
    QRgb m_paper;
    QRgb m_hole;
    QRgb m_dotColor;
    Pattern m_fine;
    Pattern m_broad;
    Pattern m_dots;
};

/// The background around blocks that come row by row, from left to right: pixels under a block are
/// written only once.
class Ground
{
public:
    /// Covers the lines [first, last); rows of blocks are `rows` lines high.
    Ground(Canvas &canvas, int first, int last, int rows, QRgb color)
        : m_canvas(canvas)
        , m_last(last)
        , m_rows(rows)
        , m_color(color)
        , m_end(first)
    {
    }
    /// Fills the gap between the previous block and the next.
    void fillTo(std::int64_t y, int x)
    {
        if (y != m_end - m_rows || !m_inRow) {
            endRow();
            m_canvas.fill(0, m_end, m_canvas.width(), static_cast<int>(y - m_end), m_color);
            m_end = y + m_rows;
            m_inRow = true;
            m_covered = 0;
        }
        m_canvas.fill(m_covered, y, x - m_covered, m_rows, m_color);
    }
    void cover(int to) { m_covered = to; }
    void finish()
    {
        endRow();
        m_canvas.fill(0, m_end, m_canvas.width(), static_cast<int>(m_last - m_end), m_color);
    }

private:
    void endRow()
    {
        if (m_inRow)
            m_canvas.fill(m_covered, m_end - m_rows, m_canvas.width() - m_covered, m_rows, m_color);
        m_inRow = false;
    }

    Canvas &m_canvas;
    int m_last;
    int m_rows;
    QRgb m_color;
    std::int64_t m_end; // of the row, or of the fill above the first one
    bool m_inRow = false;
    int m_covered = 0; // up to where the row is written
};

// One row of a segment; open where it continues from or to another row.
void paintOutline(Canvas &canvas, const QRect &row, bool begins, bool ends, int line, QRgb color)
{
    const int left = row.x() + (begins ? 0 : line);
    const int width = row.width() + (begins ? line : 0) + (ends ? line : 0);
    canvas.fill(left, row.y() - line, width, line, color);
    canvas.fill(left, row.y() + row.height(), width, line, color);
    if (begins)
        canvas.fill(row.x(), row.y(), line, row.height(), color);
    if (ends)
        canvas.fill(row.x() + row.width() + line, row.y(), line, row.height(), color);
}

// Outlines of the rows from `first` down to `last`.
void paintOutlines(Canvas &canvas, const SpaceGeometry &geometry, const SpaceLook &look,
                   std::int64_t top, std::int64_t first, std::int64_t last)
{
    const SpaceMetrics &metrics = geometry.metrics();
    const auto [begin, behind] = geometry.placesBetween(first, last);
    for (std::size_t at = begin; at < behind; ++at) {
        const SpaceGeometry::Place &place = geometry.places()[at];
        geometry.forEachRow(
            at, {0, place.pixels}, first, last, [&](std::int64_t y, int x, int width) {
                const std::int64_t end =
                    (y - place.y) / metrics.pitch() * metrics.columns + x + width - place.x;
                paintOutline(canvas, {x, static_cast<int>(y - top), width, metrics.rowHeight},
                             y == place.y, end == place.pixels, look.line, look.theme.border.rgb());
            });
    }
}

} // namespace

// Strip by strip: what is painted over the ground finds it in the cache.
void paintSpace(const SpaceGeometry &geometry, const SpaceState &state, const SpaceLook &look,
                std::int64_t top, std::span<QRgb *const> lines, int width)
{
    constexpr std::size_t kStrip = 16; // lines
    const auto stride = static_cast<std::size_t>(width);
    std::vector<QRgb> strip(kStrip * stride);
    std::vector<QRgb *> stripLines(lines.size());
    for (std::size_t line = 0; line < lines.size(); ++line) // line 0 is the last from below
        stripLines[lines.size() - 1 - line] = strip.data() + line % kStrip * stride;
    Canvas canvas(stripLines, width);
    Brush brush(look, canvas);
    const std::vector<QRgb> palette = shades(*look.colors);
    const int rows = geometry.metrics().rowHeight;
    // Enough for patterns: they repeat after fewer lines.
    const auto phase = static_cast<int>(top % (std::int64_t(24) * std::max(1, look.line)));
    const std::vector<SpaceGeometry::Run> runs = geometry.runs(top, top + canvas.height());
    auto begin = runs.begin();
    for (int first = 0; first < canvas.height(); first += int(kStrip)) {
        const int last = std::min(first + int(kStrip), canvas.height());
        canvas.clip(first, last);
        Ground ground(canvas, first, last, rows, look.theme.window.rgb());
        while (begin != runs.end() && begin->y + rows <= top + first)
            ++begin;
        for (auto run = begin; run != runs.end() && run->y < top + last; ++run) {
            const AllocationIndex allocation = state.regions[run->region].allocation;
            const bool block = allocation != kNoAllocation;
            const std::size_t shade =
                block ? look.colors->of[allocation] * kShades + (allocation & 1U) : 0;
            const QRgb color = block ? palette[shade] : 0;
            const int x = run->x + look.line;
            ground.fillTo(run->y - top, x);
            ground.cover(x + run->width);
            brush.fill(run->fill, color, x, run->y - top, run->width, rows, phase);
            if (block && run->last && run->width >= kSeparatedPixels * look.line)
                canvas.fill(x + run->width - look.line, run->y - top, look.line, rows,
                            palette[shade + 2]);
        }
        ground.finish();
        // The outline of a row begins above it.
        paintOutlines(canvas, geometry, look, top, top + first,
                      top + std::min(last + look.line, canvas.height()));
        for (auto line = static_cast<std::size_t>(first); line < static_cast<std::size_t>(last);
             ++line) {
            const std::size_t fromBelow = lines.size() - 1 - line;
            writePixels({stripLines[fromBelow], stride}, lines[fromBelow]);
        }
    }
}

QImage spaceSwatch(SpaceFill fill, QRgb color, const SpaceLook &look, QSize size)
{
    QImage image(size, QImage::Format_ARGB32_Premultiplied);
    image.fill(look.theme.border);
    Canvas canvas(linesFromBelow(image, image.rect()), image.width());
    Brush(look, canvas)
        .fill(fill, color, look.line, look.line, size.width() - 2 * look.line,
              size.height() - 2 * look.line, 0);
    return image;
}

} // namespace vramscope
