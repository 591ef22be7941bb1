// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/charts/scatter_chart.h"

#include "ui/support/text.h"
#include "ui/support/theme.h"

#include <QPainter>
#include <QPainterPath>

#include <algorithm>
#include <array>
#include <cmath>

namespace vramscope {

using namespace Qt::StringLiterals;

namespace {

/// Both axes reach beyond their points by this, and over this range at least; as logarithms.
const double kRoom = std::log(1.35);
const double kLeastRange = std::log(4.0);

constexpr double kRadius = 4;
constexpr double kSelectedRadius = 6.5;
constexpr double kAgreement = 1.1; ///< the band about the diagonal

QColor markColor(PointMark mark)
{
    static constexpr std::array<std::size_t, 4> kSeries{0, 2, 4, 6};
    return QColor(seriesColors()[kSeries[static_cast<std::size_t>(mark)]]);
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

std::vector<double> logarithmicTicks(double from, double to, ByteUnit unit)
{
    const double decades = std::log10(to / from);
    const std::vector<double> steps = decades > 2.2   ? std::vector<double>{1}
                                      : decades > 0.9 ? std::vector<double>{1, 2, 5}
                                                      : std::vector<double>{1, 1.5, 2, 3, 4, 5, 7};
    const double thousand = unit == ByteUnit::Binary ? 1024 : 1000;
    std::vector<double> ticks;
    const int powers = static_cast<int>(std::log(std::max(to, 1.0)) / std::log(thousand));
    for (int power = 0; power <= powers; ++power)
        for (const double ten : {1.0, 10.0, 100.0})
            for (const double step : steps)
                if (const double tick = std::pow(thousand, power) * ten * step;
                    tick >= from && tick <= to)
                    ticks.push_back(tick);
    return ticks;
}

void ScatterChart::setContent(ScatterPoints content)
{
    m_content = std::move(content);
    if (!m_content.points.empty()) {
        double least = m_content.points.front().x;
        double most = least;
        for (const ScatterPoint &point : m_content.points) {
            least = std::min({least, point.x, point.y});
            most = std::max({most, point.x, point.y});
        }
        const double more = std::max(0.0, kLeastRange - std::log(most / least)) / 2;
        m_from = std::log(least) - kRoom - more;
        m_to = std::log(most) + kRoom + more;
    }
    pointsChanged({});
}

PointChart::Frame ScatterChart::frame() const
{
    const std::vector<LegendItem> items = legend();
    return {m_content.titleX, m_content.titleY, m_content.emptyText, u"1000 MiB"_s,
            items.empty() ? 0 : items.back().rect.bottom() + 4};
}

QPointF ScatterChart::place(double x, double y) const
{
    return {plot().left() + (std::log(x) - m_from) / (m_to - m_from) * plot().width(),
            plot().bottom() - (std::log(y) - m_from) / (m_to - m_from) * plot().height()};
}

QPointF ScatterChart::positionOf(std::size_t point) const
{
    return place(m_content.points[point].x, m_content.points[point].y);
}

std::vector<ScatterChart::LegendItem> ScatterChart::legend() const
{
    const QFontMetricsF metrics(smallFont());
    std::vector<LegendItem> items;
    std::vector<double> widths;
    for (std::size_t i = 0; i < kPointMarkCount; ++i) {
        const auto mark = static_cast<PointMark>(i);
        if (std::ranges::find(m_content.points, mark, &ScatterPoint::mark) ==
            m_content.points.end())
            continue;
        const QString text = m_content.legend.value(static_cast<qsizetype>(i));
        widths.push_back(kSwatch + 8 + metrics.horizontalAdvance(text));
        items.push_back({mark, {}});
    }
    const std::vector<QRectF> places = legendPlaces(widths, width(), lineHeight() + 2);
    for (std::size_t at = 0; at < items.size(); ++at)
        items[at].rect = places[at];
    return items;
}

void ScatterChart::paintAxes(QPainter &painter) const
{
    paintAgreement(painter);
    paintGrid(painter);
}

void ScatterChart::paintGrid(QPainter &painter) const
{
    const Theme &theme = themeOf(this);
    const QRectF &area = plot();
    const double line = lineHeight();
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
    const double line = lineHeight();
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
