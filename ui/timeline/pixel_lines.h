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

/// Copies pixels that were put together in the cache into a picture that does not fit into it: the
/// fastest way to write one is each line once, from its first pixel to its last, the upper ones
/// first.
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

/// Translucent upright lines over what is painted: the columns of pixels that have one, ascending.
struct Hairlines
{
    std::vector<int> columns;
    QRgb color = 0; ///< premultiplied
};

/// A line over what is painted, of one colour: the rows [from, to) that it takes of each column,
/// counted from below.
struct StepLine
{
    struct Rows
    {
        int from = 0;
        int to = 0;
    };
    std::vector<Rows> columns; ///< empty where there is no line
    QRgb color = 0;            ///< opaque
    QRgb halo = 0;             ///< premultiplied
    int haloRows = 0;          ///< above and below each column of the line
};

/// What is written over the body of a plot: the line stands above the hairlines.
struct PlotOverlay
{
    Hairlines hairlines;
    StepLine line;
};

/// The pixels of a place that a painter paints on, for what is written pixel by pixel, opaque or
/// not at all. They are the paint device's own where that is an image which the place lies in pixel
/// by pixel: nothing is copied then. Else they are those of a transparent image, which is drawn
/// there at the end.
class PixelLines
{
public:
    /// `place` is in the painter's coordinates, `size` how many pixels it has. Nothing else paints
    /// with the painter while this lives.
    PixelLines(QPainter &painter, const QRectF &place, QSize size);
    ~PixelLines();
    /// Whether they would be those of the paint device.
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

/// QPainter::fillRect() with a translucent colour, for what is narrow and high: a painter shares
/// each such fill among threads and waits for them, which costs more than the pixels.
void fillNarrow(QPainter &painter, const QRectF &place, const QColor &color);

} // namespace vramscope
