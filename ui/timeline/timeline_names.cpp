// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/timeline/axis_text.h"
#include "ui/timeline/chart_axes.h"
#include "ui/timeline/timeline_chart.h"

#include <QFontMetricsF>
#include <QImage>
#include <QPainter>

#include <algorithm>
#include <array>
#include <cmath>

// Names inside the plot: of the colours of bands, and of the line of reserved memory.

namespace vramscope {

using namespace Qt::StringLiterals;

namespace {

constexpr std::uint8_t kNoColor = 255;
constexpr int kCellWidth = 6; // pixels: a name is wider than several
constexpr int kCellHeight = 2;
constexpr double kLeastHeight = 16;
constexpr double kBeside = 8;

/// A coarse picture of a stacked timeline: the colour of each cell, the lowest row first.
class ColorCells
{
public:
    explicit ColorCells(const StackGeometry &geometry)
        : m_cells(geometry.columns(), geometry.rows(), QImage::Format_Grayscale8)
    {
        m_cells.fill(kNoColor);
        int done = 0; // the last column that is complete
        const auto repeatTo = [&](int column) {
            for (; done < column; ++done) {
                for (int row = 0; row < m_cells.height(); ++row)
                    m_cells.scanLine(row)[done + 1] = at(done, row);
            }
        };
        geometry.walk(0, geometry.columns(), [&](const StackGeometry::Change &change) {
            repeatTo(change.column);
            for (const StackGeometry::Band &band : change.bands) {
                for (int row = band.from; row < band.to; ++row)
                    m_cells.scanLine(row)[change.column] =
                        band.life == kNoLife ? kNoColor : band.color;
            }
        });
        repeatTo(geometry.columns() - 1);
    }

    /// The largest rectangle of one colour that is at least `width` pixels wide and as high as a
    /// line of text; may be empty.
    [[nodiscard]] QRect largest(std::uint8_t color, double width) const
    {
        QRect best;
        for (int column = 0; column < m_cells.width(); ++column) {
            for (int row = 0; row < m_cells.height(); ++row) {
                const int from = row;
                while (row < m_cells.height() && at(column, row) == color)
                    ++row;
                if ((row - from) * kCellHeight < kLeastHeight)
                    continue;
                const QRect found = around(column, from, row, color);
                if (found.width() * kCellWidth >= width &&
                    found.width() * found.height() > best.width() * best.height())
                    best = found;
            }
        }
        return best;
    }

private:
    [[nodiscard]] std::uint8_t at(int column, int row) const
    {
        return m_cells.constScanLine(row)[column];
    }
    /// The columns around one that have a colour in all of the rows [from, to).
    [[nodiscard]] QRect around(int column, int from, int to, std::uint8_t color) const
    {
        const auto has = [&](int other) {
            for (int row = from; row < to; ++row) {
                if (at(other, row) != color)
                    return false;
            }
            return true;
        };
        int left = column;
        int right = column;
        while (left > 0 && has(left - 1))
            --left;
        while (right + 1 < m_cells.width() && has(right + 1))
            ++right;
        return {QPoint(left, from), QPoint(right, to - 1)};
    }

    QImage m_cells;
};

} // namespace

void TimelineChart::paintNames(QPainter &painter, Places &taken) const
{
    paintLineName(painter, taken);
    if (m_data.colorNames.empty() || m_area.columnsTogether() > 1 || plot().width() < kCellWidth ||
        plot().height() < kCellHeight)
        return;
    const StackGeometry geometry(m_data.active(), m_area.axis, m_area.viewport,
                                 static_cast<int>(plot().width()) / kCellWidth,
                                 static_cast<int>(plot().height()) / kCellHeight);
    const ColorCells cells(geometry);
    const QFontMetricsF metrics(m_small);
    for (std::size_t at = 0; at < m_data.colorNames.size(); ++at) {
        const auto color = static_cast<std::uint8_t>(at);
        const QString &text = m_data.colorNames[at]; // its bytes are others at each event
        const double wide = metrics.horizontalAdvance(text) + 1;
        const QRect found = cells.largest(color, wide + 2 * kBeside);
        if (found.isEmpty())
            continue;
        const QRectF place(plot().left() + found.left() * kCellWidth,
                           plot().bottom() - (found.bottom() + 1) * kCellHeight,
                           found.width() * kCellWidth, found.height() * kCellHeight);
        QRectF box(0, 0, wide, metrics.height());
        box.moveCenter(place.center());
        if (std::ranges::any_of(taken, [&](const QRectF &other) { return other.intersects(box); }))
            continue;
        painter.setPen(textOn(QColor::fromRgb(m_data.colors->colors[at])));
        painter.drawText(box, Qt::AlignCenter, text);
        taken.push_back(box);
    }
}

// Over its longest level part that is clear of the capacity and its label.
void TimelineChart::paintLineName(QPainter &painter, Places &taken) const
{
    const QString text = u"reserved"_s;
    const double wide = QFontMetricsF(m_small).horizontalAdvance(text);
    const std::vector<StepLine::Rows> line = lineOf(m_data.curve->reserved()).columns;
    const double ratio = m_area.style.pixelRatio;
    const auto heightOf = [&](std::size_t column) {
        return plot().bottom() - line[column].to / ratio;
    };
    const double limit = m_data.limit > 0 ? m_area.y(m_data.limit) : -m_lineHeight;
    std::size_t best = 0;
    std::size_t length = 0;
    for (std::size_t from = 0, at = 1; at <= line.size(); ++at) {
        if (at < line.size() && line[at].to == line[at - 1].to &&
            line[at].from == line[at - 1].from)
            continue;
        const double above = heightOf(from) - limit;
        if (at - from > length && std::abs(above) > m_lineHeight + 4) {
            best = from;
            length = at - from;
        }
        from = at;
    }
    if (static_cast<double>(length) / ratio < wide + 4 * kBeside || line[best].to <= 0)
        return;
    const std::array places{QPointF(
        plot().left() + (static_cast<double>(best) + static_cast<double>(length) / 2) / ratio -
            wide / 2,
        heightOf(best) - 4)};
    paintLabel(painter, places, text, m_area.style.theme.dim, taken);
}

} // namespace vramscope
