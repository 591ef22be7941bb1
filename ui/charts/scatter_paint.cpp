// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/charts/scatter_chart.h"
#include "ui/support/text.h"
#include "ui/support/theme.h"

#include <QPainter>
#include <QPainterPath>

#include <cmath>

namespace vramscope {

using namespace Qt::StringLiterals;

namespace {

constexpr double kRadius = 4;
constexpr double kSelectedRadius = 6.5;
constexpr double kAgreement = 1.1; ///< the band about the diagonal

QColor markColor(PointMark mark)
{
    switch (mark) { // Paul Tol's bright scheme, as the categories
    case PointMark::Circle:
        return QColor::fromRgb(0x4477aa);
    case PointMark::Square:
        return QColor::fromRgb(0x228833);
    case PointMark::Diamond:
        return QColor::fromRgb(0xccbb44);
    case PointMark::Triangle:
        break;
    }
    return QColor::fromRgb(0xee6677);
}

void drawMark(QPainter &painter, PointMark mark, QPointF at, double radius)
{
    switch (mark) {
    case PointMark::Circle:
        return painter.drawEllipse(at, radius, radius);
    case PointMark::Square:
        return painter.drawRect(
            QRectF(at.x() - radius * 0.85, at.y() - radius * 0.85, radius * 1.7, radius * 1.7));
    case PointMark::Diamond:
        return painter.drawPolygon(
            QPolygonF{at + QPointF(0, -radius * 1.25), at + QPointF(radius * 1.25, 0),
                      at + QPointF(0, radius * 1.25), at + QPointF(-radius * 1.25, 0)});
    case PointMark::Triangle:
        return painter.drawPolygon(QPolygonF{at + QPointF(0, -radius * 1.3),
                                             at + QPointF(radius * 1.2, radius * 0.9),
                                             at + QPointF(-radius * 1.2, radius * 0.9)});
    }
}

} // namespace

void ScatterChart::paintAxes(QPainter &painter) const
{
    paintAgreement(painter);
    paintGrid(painter);
}

void ScatterChart::paintGrid(QPainter &painter) const
{
    const Theme &theme = themeOf(this);
    const QRectF &area = plot();
    const double line = std::ceil(QFontMetricsF(painter.font()).height());
    double free = 0; // labels below must not touch
    for (const double tick : logarithmicTicks(std::exp(m_from), std::exp(m_to), unit())) {
        const QPointF at = place(tick, tick);
        const double x = std::floor(at.x()) + 0.5;
        const double y = std::floor(at.y()) + 0.5;
        painter.setPen(theme.line);
        painter.drawLine(QPointF(area.left(), y), QPointF(area.right(), y));
        painter.drawLine(QPointF(x, area.top()), QPointF(x, area.bottom()));
        const QString text = bytesText(static_cast<Bytes>(tick), unit());
        const double width = QFontMetricsF(painter.font()).horizontalAdvance(text);
        painter.setPen(theme.dim);
        painter.drawText(QRectF(0, y - line, area.left() - 6, 2 * line),
                         Qt::AlignRight | Qt::AlignVCenter, text);
        if (x - width / 2 < free || x + width / 2 > this->width())
            continue;
        painter.drawText(QRectF(x - width, area.bottom() + 4, 2 * width, line), Qt::AlignCenter,
                         text);
        free = x + width / 2 + 8;
    }
}

void ScatterChart::paintAgreement(QPainter &painter) const
{
    const Theme &theme = themeOf(this);
    const QRectF &area = plot();
    const double from = std::exp(m_from);
    const double to = std::exp(m_to);
    painter.save();
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setClipRect(area);
    QColor band = theme.accent;
    band.setAlphaF(0.22F);
    painter.setPen(Qt::NoPen);
    painter.setBrush(band);
    painter.drawPolygon(QPolygonF{place(from, from * kAgreement), place(to, to * kAgreement),
                                  place(to, to / kAgreement), place(from, from / kAgreement)});
    painter.setPen(QPen(theme.dim, 1));
    painter.drawLine(place(from, from), place(to, to));
    painter.restore();
    painter.setPen(theme.dim);
    const double line = std::ceil(QFontMetricsF(painter.font()).height());
    painter.drawText(QRectF(area.left(), 0, area.width(), line), Qt::AlignRight,
                     u"line: exact, band: ± 10 %"_s);
}

void ScatterChart::paintPoints(QPainter &painter) const
{
    const Theme &theme = themeOf(this);
    painter.setRenderHint(QPainter::Antialiasing);
    for (std::size_t layer = 0; layer < kPointMarkCount; ++layer) {
        const auto mark = static_cast<PointMark>(layer);
        painter.setPen(QPen(theme.card, 1));
        painter.setBrush(markColor(mark));
        for (std::size_t i = 0; i < m_content.points.size(); ++i)
            if (m_content.points[i].mark == mark)
                drawMark(painter, mark, positionOf(i), kRadius);
    }
    if (selected()) {
        const PointMark mark = m_content.points[*selected()].mark;
        painter.setPen(QPen(theme.text, 2));
        painter.setBrush(markColor(mark));
        drawMark(painter, mark, positionOf(*selected()), kSelectedRadius);
    }
    paintLegend(painter);
}

void ScatterChart::paintLegend(QPainter &painter) const
{
    const Theme &theme = themeOf(this);
    const std::vector<LegendItem> items = legend();
    const double top = height() - items.back().rect.bottom() - 1;
    for (const LegendItem &item : items) {
        const QRectF box = item.rect.translated(0, top);
        painter.setPen(Qt::NoPen);
        painter.setBrush(markColor(item.mark));
        drawMark(painter, item.mark, {box.left() + 5, box.center().y()}, kRadius);
        painter.setPen(theme.dim);
        painter.drawText(box.adjusted(15, 0, 4, 0), Qt::AlignLeft | Qt::AlignVCenter,
                         m_content.legend.value(static_cast<qsizetype>(item.mark)));
    }
}

} // namespace vramscope
