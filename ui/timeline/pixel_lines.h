// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QImage>
#include <QPainter>

#include <span>
#include <vector>

namespace vramscope {

/// The lines of an image of 32 bits a pixel, from the lowest up.
[[nodiscard]] std::vector<QRgb *> linesFromBelow(QImage &image, const QRect &part);

/// Copies pixels composed in the cache into a picture that exceeds it: it is fastest to write each
/// line once, from its first pixel to its last, the upper lines first.
void writePixels(std::span<const QRgb> from, QRgb *to);

/// A premultiplied colour over another, as QPainter blends them.
[[nodiscard]] inline QRgb blended(QRgb over, QRgb under)
{
    constexpr QRgb kEverySecond = 0xff00ff;
    constexpr QRgb kHalf = 0x800080;
    const auto scaled = [share = 255U - static_cast<QRgb>(qAlpha(over))](QRgb channels) {
        const QRgb product = channels * share;
        return (product + ((product >> 8U) & kEverySecond) + kHalf) >> 8U & kEverySecond;
    };
    return over + (scaled(under & kEverySecond) | scaled(under >> 8U & kEverySecond) << 8U);
}

/// Translucent vertical lines over a picture: the columns of pixels that have one, ascending.
struct Hairlines
{
    std::vector<int> columns;
    QRgb color = 0; ///< premultiplied
};

/// A line of one colour over a picture: the rows [from, to) that it takes in each column, counted
/// from below.
struct StepLine
{
    struct Rows
    {
        int from = 0;
        int to = 0;
    };
    std::vector<Rows> columns; ///< empty where the line is absent
    QRgb color = 0;            ///< opaque
    QRgb halo = 0;             ///< premultiplied
    int haloRows = 0;          ///< above and below each column of the line
};

/// Drawn over the body of a plot: the line is above the hairlines.
struct PlotOverlay
{
    Hairlines hairlines;
    StepLine line;
};

/// The pixels of the place a painter paints on, for code that writes each pixel, opaque or not at
/// all. They belong to the paint device if that is an image whose pixels align with the place,
/// which saves a copy; otherwise to a transparent image that is drawn there at the end.
class PixelLines
{
public:
    /// `place` is in the painter's coordinates, `size` its number of pixels. Nothing else paints
    /// with the painter while this lives.
    PixelLines(QPainter &painter, const QRectF &place, QSize size);
    ~PixelLines();
    /// Whether the pixels would be the paint device's own.
    [[nodiscard]] static bool areOf(const QPainter &painter, const QRectF &place, QSize size);
    PixelLines(const PixelLines &) = delete;
    PixelLines &operator=(const PixelLines &) = delete;

    [[nodiscard]] const std::vector<QRgb *> &fromBelow() const { return m_lines; }

private:
    QPainter &m_painter;
    QRectF m_place;
    QImage m_own; // null where the lines are those of the paint device
    std::vector<QRgb *> m_lines;
};

/// QPainter::fillRect() with a translucent colour, for narrow and high places: a painter splits
/// each such fill among threads and waits for them, which costs more than the pixels.
void fillNarrow(QPainter &painter, const QRectF &place, const QColor &color);

} // namespace vramscope
