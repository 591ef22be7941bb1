// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/timeline/chart_axes.h"
#include "ui/timeline/timeline_chart.h"

#include <QFontMetricsF>
#include <QPainter>

#include <algorithm>
#include <array>
#include <cmath>

namespace vramscope {

using namespace Qt::StringLiterals;

// What happened to segments, in lines above the plot of reserved memory.

int TimelineChart::actionLines() const
{
    return m_kind == TimelineKind::Reserved
               ? static_cast<int>(std::ranges::count_if(
                     m_data.segmentEvents, [](const auto &events) { return !events.empty(); }))
               : 0;
}

// A line of ticks for each action that occurs. Paints at most one tick a pixel: the search for the
// next one starts after the last.
void TimelineChart::paintActions(QPainter &painter) const
{
    const std::array names = {u"alloc"_s, u"free"_s, u"map"_s, u"unmap"_s};
    const Theme &theme = m_area.style.theme;
    const std::array colors = {theme.good, theme.bad, theme.good, theme.bad};
    double top = plot().top() - kChartGap - (1 + actionLines()) * m_lineHeight;
    for (std::size_t action = 0; m_kind == TimelineKind::Reserved && action < names.size();
         ++action) {
        const std::vector<EventIndex> &events = m_data.segmentEvents[action];
        if (events.empty())
            continue;
        painter.setPen(theme.dim);
        painter.drawText(QRectF(0, top, plot().left() - kChartGap, m_lineHeight),
                         Qt::AlignRight | Qt::AlignVCenter, names[action]);
        const bool byEvent = m_area.axis.kind() == EventAxis::Kind::Event;
        double from = m_area.viewport.x.low - (byEvent ? 1 : 0);
        while (true) {
            const auto next = std::ranges::lower_bound(
                events, from, {}, [&](EventIndex event) { return m_area.axis.start(event); });
            if (next == events.end() || m_area.axis.start(*next) > m_area.viewport.x.high)
                break;
            const double x = std::floor(m_area.x(m_area.axis.mark(*next)));
            if (plot().left() <= x && x < plot().right())
                painter.fillRect(QRectF(x, top + 3, 1, m_lineHeight - 6), colors[action]);
            from = std::max(m_area.across().toValue(x + 1 - plot().left()),
                            std::nextafter(m_area.axis.start(*next), 1e300));
        }
        top += m_lineHeight;
    }
}

} // namespace vramscope
