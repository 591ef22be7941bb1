// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/profile/profile_chart.h"

#include "ui/timeline/chart_axes.h"

#include <QFontMetricsF>

#include <cmath>

namespace vramscope {

using namespace Qt::StringLiterals;

ProfileChart::ProfileChart(const ProfileScene &scene, const Range &visible, double scroll,
                           const QRectF &place, const ChartStyle &style)
    : m_scene(scene)
    , m_visible(visible)
    , m_scroll(scroll)
    , m_place(place)
    , m_style(style)
    , m_small(smallFont(style.font))
{
    const double line = rowHeight(style.font);
    const bool steps = !scene.document->profile->steps().empty();
    m_plot = place.adjusted(namesWidth(style.font), line + 6 + (steps ? line + 2 : 0), 0, 0)
                 .toAlignedRect();
}

double ProfileChart::namesWidth(const QFont &font)
{
    return std::ceil(QFontMetricsF(smallFont(font)).horizontalAdvance(u"ranges, stream 000"_s)) +
           28;
}

double ProfileChart::rowHeight(const QFont &font)
{
    return std::ceil(QFontMetricsF(smallFont(font)).height()) + 3;
}

double ProfileChart::x(std::int64_t time) const
{
    return m_plot.left() + across().toPixel(static_cast<double>(time - m_scene.document->origin));
}

double ProfileChart::timeAt(double x) const
{
    return across().toValue(x - m_plot.left());
}

TimeWindow ProfileChart::window() const
{
    const auto pixels = std::max(0L, std::lround(m_plot.width() * m_style.pixelRatio));
    return {m_scene.document->origin, m_visible.low, m_visible.high, static_cast<int>(pixels)};
}

QRectF ProfileChart::lineRect(std::size_t line) const
{
    const TimelineLine &of = m_scene.lines->lines()[line];
    return {m_plot.left(), m_plot.top() + std::floor(of.top - m_scroll), m_plot.width(),
            std::floor(of.height)};
}

QRectF ProfileChart::markRect(std::size_t line, const RowMark &mark) const
{
    const QRectF row = lineRect(line);
    return {row.left() + mark.first / m_style.pixelRatio, row.top(),
            (mark.last - mark.first) / m_style.pixelRatio, row.height()};
}

std::optional<std::size_t> ProfileChart::lineAt(QPointF point) const
{
    if (point.y() < m_plot.top() || point.y() >= m_place.bottom())
        return std::nullopt;
    for (std::size_t line = m_scene.lines->firstBelow(m_scroll);
         line < m_scene.lines->lines().size(); ++line) {
        const QRectF place = lineRect(line);
        if (place.top() > point.y())
            return std::nullopt;
        if (point.y() < place.bottom())
            return line;
    }
    return std::nullopt;
}

std::optional<ProfilePlace> ProfileChart::at(QPointF point) const
{
    const std::optional<std::size_t> line = lineAt(point);
    if (!line)
        return std::nullopt;
    const TimelineLine &of = m_scene.lines->lines()[*line];
    ProfilePlace place{*line, std::nullopt};
    if (of.kind == TimelineLine::Kind::Row && point.x() >= m_plot.left()) {
        const auto pixel =
            static_cast<std::int32_t>(std::floor((point.x() - m_plot.left()) * m_style.pixelRatio));
        // What is found stands over the rest.
        if (m_scene.found)
            place.mark = m_scene.found->rows[of.at].markAt(window(), pixel);
        if (!place.mark)
            place.mark = m_scene.document->rows->rows[of.at].markAt(window(), pixel);
    }
    return place;
}

} // namespace vramscope
