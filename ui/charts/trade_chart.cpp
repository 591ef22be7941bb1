// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/charts/trade_chart.h"

#include "ui/charts/bar_geometry.h"
#include "ui/support/text.h"
#include "ui/support/verdict_color.h"

#include <QPainter>

#include <algorithm>
#include <cmath>

namespace vramscope {

using namespace Qt::StringLiterals;

namespace {

constexpr double kDotRadius = 4;
constexpr double kRoomAbove = 1.08;

} // namespace

void TradeChart::setContent(const TradePoints &content)
{
    m_content = content;
    pointsChanged(selected());
}

PointChart::Frame TradeChart::frame() const
{
    return {m_content.costTitle, u"on the device, in %1"_s.arg(QLatin1StringView(gigaUnit(unit()))),
            m_content.emptyText, u"00,000"_s};
}

double TradeChart::costRange() const
{
    double largest = 0;
    for (const TradePoint &point : m_content.points)
        largest = std::max(largest, point.cost);
    return largest > 0 ? kRoomAbove * largest : m_content.costUnit;
}

double TradeChart::byteRange() const
{
    auto largest = static_cast<double>(m_content.capacity.value_or(1));
    for (const TradePoint &point : m_content.points)
        largest = std::max(largest, static_cast<double>(point.bytes));
    return kRoomAbove * largest;
}

QPointF TradeChart::positionOf(std::size_t point) const
{
    const TradePoint &it = m_content.points[point];
    const QRectF &area = plot();
    return {area.left() + it.cost / costRange() * area.width(),
            area.bottom() - static_cast<double>(it.bytes) / byteRange() * area.height()};
}

void TradeChart::paintAxes(QPainter &painter) const
{
    const Theme &theme = themeOf(this);
    const QRectF &area = plot();
    const double line = lineHeight();
    const double giga = gigaBytes(unit());
    const auto levelOf = [&](double bytes) {
        return std::floor(area.bottom() - bytes / byteRange() * area.height()) + 0.5;
    };
    const double up = levelInterval(byteRange() / giga, area.height());
    for (int tick = 0; tick * up * giga <= byteRange(); ++tick)
        paintLevel(painter, area, levelOf(tick * up * giga), tickText(tick * up, up), theme);
    const double costs = costRange() / m_content.costUnit;
    const double across = niceInterval(costs, std::max(2, static_cast<int>(area.width() / 64)));
    for (int tick = 0; tick * across <= costs; ++tick) {
        const double at = tick * across;
        const double x = area.left() + at / costs * area.width();
        painter.drawText(QRectF(x - 40, area.bottom() + 4, 80, line), Qt::AlignCenter,
                         tickText(at, across));
    }
    if (m_content.capacity) {
        const double y = levelOf(static_cast<double>(*m_content.capacity));
        paintLimit(painter, area, y, theme);
        painter.drawText(QRectF(area.left(), y - line - 1, area.width(), line), Qt::AlignRight,
                         u"capacity %1"_s.arg(bytesText(*m_content.capacity, unit())));
    }
}

void TradeChart::paintPoints(QPainter &painter) const
{
    const Theme &theme = themeOf(this);
    const QFontMetricsF metrics(painter.font());
    painter.setRenderHint(QPainter::Antialiasing);
    std::vector<QRectF> taken;
    for (std::size_t i = 0; i < m_content.points.size(); ++i) // letters keep off the dots
        taken.emplace_back(positionOf(i) - QPointF(2, 2), QSizeF(4, 4));
    const auto paint = [&](std::size_t i, bool chosen) {
        const QPointF at = positionOf(i);
        painter.setPen(QPen(chosen ? theme.text : theme.card, chosen ? 2 : 1));
        const Verdict verdict = m_content.points[i].verdict;
        painter.setBrush(verdict == Verdict::Fits ? theme.accent : verdictColor(verdict, theme));
        const double radius = chosen ? kDotRadius + 2 : kDotRadius;
        painter.drawEllipse(at, radius, radius);
        const QString &letter = m_content.points[i].letter;
        const QRectF box(at.x() + radius + 2, at.y() - metrics.height() / 2,
                         metrics.horizontalAdvance(letter), metrics.height());
        if (!chosen &&
            std::ranges::any_of(taken, [&](const QRectF &one) { return one.intersects(box); }))
            return;
        taken.push_back(box);
        painter.setPen(theme.text);
        painter.drawText(box, Qt::AlignCenter, letter);
    };
    if (selected()) // its letter takes a place first; its mark is painted again on top
        paint(*selected(), true);
    for (std::size_t i = 0; i < m_content.points.size(); ++i)
        if (selected() != i)
            paint(i, false);
    if (selected())
        paint(*selected(), true);
}

} // namespace vramscope
