// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/charts/architecture_chart.h"
#include "ui/support/text.h"
#include "ui/support/theme.h"

#include <QPainter>

#include <algorithm>
#include <cmath>

// Where an ArchitectureChart puts its bar, legend and rows, and how it paints them.

namespace vramscope {

using namespace Qt::StringLiterals;

namespace {

constexpr int kBar = 16;
constexpr int kGap = 5;
constexpr int kLegendColumn = 128; ///< the least width of one of its columns
constexpr int kSmallSwatch = 8;
constexpr double kLeastCell = 3; ///< narrower, cells run into one another
constexpr double kMark = 2;

} // namespace

int ArchitectureChart::rowHeight() const
{
    return QFontMetrics(textFont()).height() + 1;
}

int ArchitectureChart::legendLines() const
{
    const int columns = std::max(1, width() / kLegendColumn);
    return (static_cast<int>(m_parts.size()) + columns - 1) / columns;
}

// The legend takes fewer lines if it is wide.
void ArchitectureChart::relayout()
{
    const int lines = legendLines() + static_cast<int>(m_rows.size());
    setFixedHeight(m_parts.empty() ? 0 : kBar + 2 * kGap + lines * rowHeight());
    update();
}

QRectF ArchitectureChart::segment(std::size_t part) const
{
    std::int64_t before = 0;
    for (std::size_t i = 0; i < part; ++i)
        before += m_parts[i].count;
    const double scale = m_total > 0 ? width() / static_cast<double>(m_total) : 0;
    return {static_cast<double>(before) * scale, 0,
            static_cast<double>(m_parts[part].count) * scale, kBar};
}

QRectF ArchitectureChart::legendEntry(std::size_t part) const
{
    const int lines = std::max(1, legendLines());
    const int columns = (static_cast<int>(m_parts.size()) + lines - 1) / lines;
    const int column = static_cast<int>(part) / lines;
    const int line = static_cast<int>(part) % lines;
    const double gap = 14;
    const double wide = (width() - gap * (columns - 1)) / columns;
    return {column * (wide + gap), static_cast<double>(kBar + kGap + line * rowHeight()), wide,
            static_cast<double>(rowHeight())};
}

QRectF ArchitectureChart::rowAt(std::size_t row) const
{
    const int top = kBar + 2 * kGap + (legendLines() + static_cast<int>(row)) * rowHeight();
    return {0, static_cast<double>(top), static_cast<double>(width()),
            static_cast<double>(rowHeight())};
}

QRectF ArchitectureChart::cellsOf(std::size_t row) const
{
    const QFontMetricsF metrics(textFont());
    double names = 0;
    double values = 0;
    for (const Row &one : m_rows) {
        names = std::max(names, metrics.horizontalAdvance(one.name));
        values = std::max(values, metrics.horizontalAdvance(one.value));
    }
    return rowAt(row).adjusted(names + 8, 2, -values - 8, -3);
}

void ArchitectureChart::paintEvent(QPaintEvent *)
{
    QPainter painter(this);
    painter.setFont(textFont());
    paintBar(painter);
    paintLegend(painter);
    for (std::size_t row = 0; row < m_rows.size(); ++row)
        paintRow(painter, row);
}

void ArchitectureChart::paintBar(QPainter &painter) const
{
    const Theme &theme = themeOf(this);
    for (std::size_t part = 0; part < m_parts.size(); ++part) {
        const QRectF place = segment(part);
        const QColor color = modelPartColor(m_parts[part].part);
        painter.fillRect(place, color);
        painter.fillRect(QRectF(place.right() - 1, 0, place.width() > 3 ? 1 : 0, kBar), theme.card);
        const QString text = shareText(m_parts[part].count, m_total);
        if (painter.fontMetrics().horizontalAdvance(text) + 6 > place.width())
            continue;
        painter.setPen(textOn(color));
        painter.drawText(place, Qt::AlignCenter, text);
    }
}

void ArchitectureChart::paintLegend(QPainter &painter) const
{
    const Theme &theme = themeOf(this);
    for (std::size_t part = 0; part < m_parts.size(); ++part) {
        const QRectF place = legendEntry(part);
        painter.fillRect(QRectF(place.left(), place.center().y() - kSmallSwatch / 2.0, kSmallSwatch,
                                kSmallSwatch),
                         modelPartColor(m_parts[part].part));
        painter.setPen(theme.text);
        painter.drawText(place.adjusted(kSmallSwatch + 5, 0, 0, 0),
                         Qt::AlignLeft | Qt::AlignVCenter, nameOf(m_parts[part].part));
        painter.setPen(theme.dim);
        painter.drawText(place, Qt::AlignRight | Qt::AlignVCenter,
                         shortCountText(m_parts[part].count));
    }
}

// Cells as wide as pixels allow: where they run into one another, a pixel column shows the cell
// that it is in.
void ArchitectureChart::paintRow(QPainter &painter, std::size_t index) const
{
    const Theme &theme = themeOf(this);
    const Row &row = m_rows[index];
    const QRectF line = rowAt(index);
    painter.setPen(theme.dim);
    painter.drawText(line, Qt::AlignLeft | Qt::AlignVCenter, row.name);
    painter.setPen(theme.text);
    painter.drawText(line, Qt::AlignRight | Qt::AlignVCenter, row.value);
    QRectF place = cellsOf(index);
    if (row.cells <= 0 || place.width() < 8)
        return;
    if (row.groups > 0)
        place.setBottom(place.bottom() - kMark - 1);
    const double pitch = place.width() / static_cast<double>(row.cells);
    const bool apart = pitch >= kLeastCell;
    const double step = apart ? std::min(pitch, 24.0) : 1.0;
    const auto steps = apart ? row.cells : static_cast<std::int64_t>(place.width());
    const double wide = apart ? step * static_cast<double>(row.cells) : place.width();
    for (std::int64_t at = 0; at < steps; ++at) {
        const auto cell = apart ? at : static_cast<std::int64_t>(static_cast<double>(at) / pitch);
        const QColor color = row.color(cell);
        painter.fillRect(QRectF(place.left() + static_cast<double>(at) * step, place.top(),
                                apart ? step - 1 : 1.0, place.height()),
                         color.isValid() ? color : theme.line);
    }
    const double group = row.groups > 0 ? wide / static_cast<double>(row.groups) : 0;
    const double gap = group >= kLeastCell ? 1 : 0;
    const double pace = std::max(group, 1.0);
    const int marks = group > 0 ? static_cast<int>(std::ceil((wide - 0.5) / pace)) : 0;
    for (int mark = 0; mark < marks; ++mark)
        painter.fillRect(QRectF(place.left() + mark * pace, place.bottom() + 1, pace - gap, kMark),
                         theme.text);
}

} // namespace vramscope
