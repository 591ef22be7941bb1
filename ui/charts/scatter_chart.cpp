// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/charts/scatter_chart.h"

#include "ui/charts/legend_size.h"

#include <algorithm>
#include <cmath>

namespace vramscope {

using namespace Qt::StringLiterals;

namespace {

/// Both axes reach beyond their points by this, and over this range at least; as logarithms.
const double kRoom = std::log(1.35);
const double kLeastRange = std::log(4.0);

} // namespace

std::vector<double> logarithmicTicks(double from, double to, ByteUnit unit)
{
    const double decades = std::log10(to / from);
    const std::vector<double> steps = decades > 2.2   ? std::vector<double>{1}
                                      : decades > 0.9 ? std::vector<double>{1, 2, 5}
                                                      : std::vector<double>{1, 1.5, 2, 3, 4, 5, 7};
    const double thousand = unit == ByteUnit::Binary ? 1024 : 1000;
    std::vector<double> ticks;
    for (double size = 1; size <= to; size *= thousand)
        for (const double ten : {1.0, 10.0, 100.0})
            for (const double step : steps)
                if (const double tick = size * ten * step; tick >= from && tick <= to)
                    ticks.push_back(tick);
    return ticks;
}

ScatterChart::ScatterChart(QWidget *parent)
    : PointChart(parent)
{
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
    const double line = std::ceil(metrics.height()) + 2;
    std::vector<LegendItem> items;
    double x = 6;
    double y = 0;
    for (std::size_t i = 0; i < kPointMarkCount; ++i) {
        const auto mark = static_cast<PointMark>(i);
        if (std::ranges::none_of(m_content.points,
                                 [&](const ScatterPoint &point) { return point.mark == mark; }))
            continue;
        const QString text = m_content.legend.value(static_cast<qsizetype>(i));
        const double width = kSwatch + 8 + metrics.horizontalAdvance(text);
        if (x > 6 && x + width > this->width()) {
            x = 6;
            y += line;
        }
        items.push_back({mark, QRectF(x, y, width, line)});
        x += width + kLegendGap;
    }
    return items;
}

} // namespace vramscope
