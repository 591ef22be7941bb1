// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/charts/line_chart.h"

#include "ui/charts/bar_geometry.h"
#include "ui/support/text.h"
#include "ui/support/theme.h"

#include <QPainter>
#include <QPainterPath>

#include <algorithm>
#include <cmath>

namespace vramscope {

using namespace Qt::StringLiterals;

namespace {

constexpr double kPointRadius = 3.5;
constexpr double kLineSwatch = 14; ///< width of a line in the legend
constexpr double kBetweenItems = 14;

/// "1", "64", "1,024", "0.5", "12k", "3.4M"
QString lineTick(double value)
{
    return value >= 10'000 ? toQString(formatShortCount(std::llround(value)))
           : value >= 100  ? countText(std::llround(value))
                           : toQString(formatNumber(value, 3));
}

} // namespace

void LineChart::setContent(const ChartLines &content)
{
    m_content = content;
    pointsChanged(selected());
}

std::size_t LineChart::pointCount() const
{
    std::size_t count = 0;
    for (const ChartLine &line : m_content.lines)
        count += line.points.size();
    return count;
}

std::pair<std::size_t, std::size_t> LineChart::placeOf(std::size_t point) const
{
    std::size_t line = 0;
    while (point >= m_content.lines[line].points.size())
        point -= m_content.lines[line++].points.size();
    return {line, point};
}

std::size_t LineChart::pointOf(std::size_t line, std::size_t place) const
{
    for (std::size_t before = 0; before < line; ++before)
        place += m_content.lines[before].points.size();
    return place;
}

const LinePoint &LineChart::at(std::size_t point) const
{
    const auto [line, place] = placeOf(point);
    return m_content.lines[line].points[place];
}

LineChart::Range LineChart::across() const
{
    Range range{1e300, 0};
    for (const ChartLine &line : m_content.lines)
        for (const LinePoint &point : line.points)
            range = {std::min(range.low, point.x), std::max(range.high, point.x)};
    return range.high > range.low ? range : Range{range.high / 2, range.high * 2};
}

LineChart::Range LineChart::upwards() const
{
    Range range{1e300, m_content.limit.value_or(0)};
    const std::size_t shown = shownLine();
    for (std::size_t i = 0; i < m_content.lines.size(); ++i)
        for (const LinePoint &point : m_content.lines[i].points) {
            range.high = std::max({range.high, point.y, i == shown ? point.high : 0});
            range.low = std::min({range.low, point.y, i == shown ? point.low : point.y});
        }
    if (!m_content.isLogarithmic)
        return {0, range.high > 0 ? 1.06 * range.high : 1};
    return range.high > range.low && range.low > 0 ? Range{range.low / 1.2, range.high * 1.2}
                                                   : Range{range.high / 10, range.high * 10};
}

QPointF LineChart::position(double x, double y) const
{
    const QRectF &area = plot();
    const Range right = across();
    const Range up = upwards();
    const double along = std::log(x / right.low) / std::log(right.high / right.low);
    const double above = m_content.isLogarithmic
                             ? std::log(std::max(y, up.low) / up.low) / std::log(up.high / up.low)
                             : (y - up.low) / (up.high - up.low);
    constexpr double kAside = 10; // the first and the last dot keep off the edges
    return {area.left() + kAside + along * (area.width() - 2 * kAside),
            area.bottom() - above * area.height()};
}

QPointF LineChart::positionOf(std::size_t point) const
{
    return position(at(point).x, at(point).y);
}

QColor LineChart::colorOf(std::size_t line) const
{
    return line == 0 ? themeOf(this).accent
                     : QColor::fromRgb(seriesColors()[line % kSeriesColorCount]);
}

std::size_t LineChart::shownLine() const
{
    return selected() && *selected() < pointCount() ? placeOf(*selected()).first : 0;
}

PointChart::Frame LineChart::frame() const
{
    double below = 0;
    const std::vector<QRectF> items = legend(width());
    if (!items.empty())
        below = items.back().bottom() + 4;
    return {m_content.titleX, m_content.titleY, m_content.emptyText, u"000,000"_s, below};
}

std::vector<QRectF> LineChart::legend(double width) const
{
    std::vector<QRectF> items;
    if (m_content.lines.size() < 2)
        return items;
    const QFontMetricsF metrics(smallFont());
    std::vector<double> widths;
    for (const ChartLine &line : m_content.lines)
        widths.push_back(kLineSwatch + 5 + metrics.horizontalAdvance(line.title));
    items = legendPlaces(widths, width, metrics.height() + 2, 4, kBetweenItems);
    for (QRectF &item : items)
        item.setHeight(metrics.height());
    return items;
}

void LineChart::paintLegend(QPainter &painter) const
{
    const Theme &theme = themeOf(this);
    const double line = lineHeight();
    const std::vector<QRectF> items = legend(width());
    for (std::size_t i = 0; i < items.size(); ++i) {
        const QRectF item = items[i].translated(0, plot().bottom() + 8 + 2 * line);
        painter.setPen(QPen(colorOf(i), i == 0 ? 3 : 2));
        painter.drawLine(QPointF(item.left(), item.center().y()),
                         QPointF(item.left() + kLineSwatch, item.center().y()));
        painter.setPen(theme.text);
        painter.drawText(item.adjusted(kLineSwatch + 5, 0, 8, 0), Qt::AlignVCenter,
                         m_content.lines[i].title);
    }
}

void LineChart::paintAxes(QPainter &painter) const
{
    const Theme &theme = themeOf(this);
    const QRectF &area = plot();
    const double line = lineHeight();
    const Range up = upwards();
    const auto level = [&](double value) {
        paintLevel(painter, area, std::floor(position(across().low, value).y()) + 0.5,
                   lineTick(value), theme);
    };
    if (m_content.isLogarithmic) {
        const auto last = static_cast<int>(std::floor(std::log10(up.high)));
        for (auto power = static_cast<int>(std::ceil(std::log10(up.low))); power <= last; ++power)
            level(std::pow(10, power));
    } else {
        const double interval = levelInterval(up.high, area.height());
        for (int step = 0; step * interval <= up.high; ++step)
            level(step * interval);
    }
    // A number at each power of two, where there is room for it.
    const Range right = across();
    double taken = -1e9;
    constexpr double kRounding = 1e-9;
    const auto last = static_cast<int>(std::floor(std::log2(right.high) + kRounding));
    for (auto power = static_cast<int>(std::ceil(std::log2(right.low) - kRounding)); power <= last;
         ++power) {
        const double x = std::exp2(power);
        const double at = position(x, up.low).x();
        const QString text = countText(std::llround(x));
        const double half = QFontMetricsF(painter.font()).horizontalAdvance(text) / 2;
        if (at - half < taken + 8)
            continue;
        taken = at + half;
        painter.setPen(theme.dim);
        painter.drawText(QRectF(at - 40, area.bottom() + 4, 80, line), Qt::AlignHCenter, text);
    }
    if (m_content.limit) {
        const double y = std::floor(position(right.low, *m_content.limit).y()) + 0.5;
        paintLimit(painter, area, y, theme);
        painter.drawText(QRectF(area.left(), y - line - 1, area.width() - 4, line), Qt::AlignRight,
                         m_content.limitText);
    }
    if (m_content.beyond && *m_content.beyond <= right.high) {
        const double x =
            std::floor(position(std::max(*m_content.beyond, right.low), up.low).x()) + 0.5 - 6;
        QColor veil = theme.dim;
        veil.setAlphaF(0.08F);
        painter.fillRect(QRectF(QPointF(x, area.top()), area.bottomRight()), veil);
        painter.setPen(QPen(theme.dim, 1, Qt::DotLine));
        painter.drawLine(QPointF(x, area.top()), QPointF(x, area.bottom()));
        painter.setPen(theme.dim);
        painter.drawText(QRectF(x + 5, area.bottom() - line - 2, area.right() - x - 5, line),
                         Qt::AlignLeft, m_content.beyondText);
    }
    paintLegend(painter);
}

void LineChart::paintPoints(QPainter &painter) const
{
    const Theme &theme = themeOf(this);
    painter.setRenderHint(QPainter::Antialiasing);
    const std::size_t shown = shownLine();
    const auto paint = [&](std::size_t index) {
        const ChartLine &line = m_content.lines[index];
        const QColor color = colorOf(index);
        if (index == shown && line.points.size() > 1) {
            QPainterPath band;
            for (std::size_t i = 0; i < line.points.size(); ++i) {
                const QPointF top = position(line.points[i].x, line.points[i].high);
                i == 0 ? band.moveTo(top) : band.lineTo(top);
            }
            for (std::size_t i = line.points.size(); i-- > 0;)
                band.lineTo(position(line.points[i].x, line.points[i].low));
            band.closeSubpath();
            QColor fill = color;
            fill.setAlphaF(0.16F);
            painter.fillPath(band, fill);
        }
        painter.setPen(QPen(color, index == 0 ? 2.5 : 1.5));
        for (std::size_t i = 1; i < line.points.size(); ++i)
            painter.drawLine(position(line.points[i - 1].x, line.points[i - 1].y),
                             position(line.points[i].x, line.points[i].y));
        for (std::size_t i = 0; i < line.points.size(); ++i) {
            const bool chosen = selected() == pointOf(index, i);
            const double radius = kPointRadius + (chosen ? 2 : 0);
            painter.setPen(QPen(chosen ? theme.text : color, 1.5));
            painter.setBrush(line.points[i].isOpen ? theme.card : color);
            painter.drawEllipse(position(line.points[i].x, line.points[i].y), radius, radius);
        }
    };
    for (std::size_t index = m_content.lines.size(); index-- > 0;)
        if (index != shown)
            paint(index);
    paint(shown);
}

} // namespace vramscope
