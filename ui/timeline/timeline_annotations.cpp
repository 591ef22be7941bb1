// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/support/text.h"

#include "ui/timeline/chart_axes.h"
#include "ui/timeline/timeline_chart.h"

#include <QFontMetricsF>
#include <QPainter>

#include <algorithm>
#include <array>
#include <cmath>

namespace vramscope {

using namespace Qt::StringLiterals;

// What is not of the allocator: the log of the device over the plot, the annotations under it.

bool TimelineChart::showsOverlay() const
{
    return m_data.overlay && m_kind == TimelineKind::Active &&
           m_area.axis.kind() == EventAxis::Kind::Time;
}

void TimelineChart::paintOverlay(QPainter &painter) const
{
    // No colour of a band: text, with a halo that parts it from any of them.
    const QColor color = m_area.style.theme.text;
    const QColor halo = m_area.style.theme.window;
    const std::vector<OverlayPoint> &points = m_data.overlay->points;
    QList<QRectF> line;
    double labelled = -1; // where the line first shows
    for (std::size_t at = 0; at + 1 < points.size(); ++at) {
        const double left = m_area.x(static_cast<double>(points[at].time));
        const double right = m_area.x(static_cast<double>(points[at + 1].time));
        if (points[at].bytes == kNoBytes || right < plot().left() || left > plot().right())
            continue;
        const double y = std::floor(m_area.y(points[at].bytes));
        const double next =
            points[at + 1].bytes == kNoBytes ? y : std::floor(m_area.y(points[at + 1].bytes));
        line << QRectF(left, y, std::max(right - left, 1.0), 2)
             << QRectF(right - 1, std::min(y, next), 2, std::abs(next - y) + 2);
        if (labelled < 0)
            labelled = y;
    }
    for (const QRectF &part : line)
        painter.fillRect(part.adjusted(-1, -1, 1, 1), halo);
    for (const QRectF &part : line)
        painter.fillRect(part, color);
    if (labelled < 0)
        return;
    const QString text = u"%1 memory.used, %2"_s.arg(toQString(m_data.overlay->label),
                                                     toQString(offsetText(m_data.overlay->offset)));
    const QFontMetricsF metrics(m_small);
    const double below = labelled + metrics.ascent() + kChartGap;
    const double above = labelled - kChartGap;
    paintChartLabel(
        painter, m_area,
        {plot().left() + kChartGap, above - metrics.ascent() > plot().top() ? above : below}, text,
        color);
}

bool TimelineChart::isNameShown(const QString &name, double width) const
{
    constexpr int kFewestLetters = 3;
    const double room = width - 2 * kChartGap;
    if (room < m_lineHeight)
        return false;
    const QFontMetricsF metrics(m_small);
    return metrics.horizontalAdvance(name) <= room ||
           metrics.horizontalAdvance(name.left(kFewestLetters) + QChar(0x2026)) <= room;
}

QRectF TimelineChart::annotationBox(const TimelineRange &range) const
{
    double top = plot().bottom() + m_lineHeight * m_axisLines + 2 * kChartGap;
    for (std::size_t lane = 0; lane < static_cast<std::size_t>(range.lane); ++lane)
        top += m_laneHeights[lane] + kBetweenLanes;
    const double left =
        std::max(plot().left(), std::floor(m_area.x(m_area.axis.start(range.first))));
    const double right =
        std::min(plot().right(), std::floor(m_area.x(m_area.axis.start(range.last))));
    return {left, top, right - left, m_laneHeights[static_cast<std::size_t>(range.lane)]};
}

QString TimelineChart::annotationAt(QPointF point) const
{
    if (point.y() <= plot().bottom())
        return {};
    for (const TimelineRange &range : m_data.annotations) {
        if (range.lane < kMostLanes && annotationBox(range).adjusted(-1, 0, 1, 0).contains(point))
            return range.name;
    }
    return {};
}

void TimelineChart::paintAnnotations(QPainter &painter) const
{
    const QFontMetricsF metrics(m_small);
    std::array<double, kMostLanes> painted;
    painted.fill(-1);
    for (const TimelineRange &range : m_data.annotations) {
        if (range.lane >= kMostLanes)
            continue;
        const QRectF box = annotationBox(range);
        double &end = painted[static_cast<std::size_t>(range.lane)];
        // Outside, or nothing of it would be seen: cost follows pixels.
        if (box.left() >= plot().right() || box.right() < plot().left() || box.right() <= end)
            continue;
        end = std::max(box.right(), box.left() + 1);
        if (!isNameShown(range.name, box.width())) { // an empty frame looks like a letter
            const double width = std::max(1.0, box.width() - 1);
            painter.fillRect(QRectF(box.left(), box.top(), width, box.height()),
                             m_area.style.theme.border);
            continue;
        }
        const double room = box.width() - 2 * kChartGap;
        painter.setPen(m_area.style.theme.line);
        painter.setBrush(m_area.style.theme.card);
        painter.drawRect(box.adjusted(0.5, 0.5, -0.5, -0.5));
        painter.setPen(m_area.style.theme.dim);
        painter.drawText(box.adjusted(kChartGap, 0, -kChartGap, 0),
                         Qt::AlignLeft | Qt::AlignVCenter,
                         metrics.elidedText(range.name, Qt::ElideMiddle, room));
    }
    painter.setBrush(Qt::NoBrush);
}

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
