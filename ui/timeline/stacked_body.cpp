// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/timeline/stacked_body.h"

#include "ui/support/text.h"
#include "ui/timeline/pixel_lines.h"
#include "ui/timeline/stack_painter.h"

#include <QFontMetricsF>
#include <QPainter>

#include <algorithm>
#include <array>

namespace vramscope {

using namespace Qt::StringLiterals;

namespace {

constexpr double kLaneGap = 10;

StackGeometry geometryOf(const Stacked &stacked, const ChartArea &area)
{
    const int together = area.rowsTogether();
    const int rows = (area.rows() + together - 1) / together;
    Viewport viewport = area.viewport;
    if (area.rows() > 0) // the last ones may be half outside
        viewport.bytes.high =
            viewport.bytes.low + viewport.bytes.length() * rows * together / area.rows();
    return {stacked, area.axis, viewport, area.columns(), rows, area.columnsTogether()};
}

void paintGeometry(QPainter &painter, const StackGeometry &geometry, const ChartArea &area,
                   const PlotOverlay &over)
{
    const PixelLines pixels(painter, area.plot, {area.columns(), area.rows()});
    if (!pixels.fromBelow().empty())
        paintStack(geometry, pixels.fromBelow(), over, area.rowsTogether());
}

// Line by line: column by column each pixel would be far from the last one in memory.
void paintHairlines(QPainter &painter, const ChartArea &area, const Hairlines &hairlines)
{
    const PixelLines pixels(painter, area.plot, {area.columns(), area.rows()});
    for (QRgb *line : pixels.fromBelow()) {
        for (const int column : hairlines.columns)
            line[column] = blended(hairlines.color, line[column]);
    }
}

EventIndex eventOf(const StackGeometry &geometry, const ChartArea &area, double x)
{
    if (geometry.columns() == 0)
        return -1;
    return geometry.event(std::clamp(area.columnAt(x), 0, geometry.columns() - 1));
}

LifeIndex lifeOf(const StackGeometry &geometry, const ChartArea &area, QPointF point)
{
    return area.plot.contains(point) ? geometry.lifeAt(area.columnAt(point.x()),
                                                       area.rowAt(point.y()) / area.rowsTogether())
                                     : kNoLife;
}

} // namespace

QPolygonF outlineOf(const StackGeometry &geometry, const ChartArea &area, LifeIndex life,
                    Bytes size)
{
    QPolygonF lower;
    QPolygonF upper;
    for (const StackGeometry::Slice &slice : geometry.slices(life)) {
        const double left = area.plot.left() + slice.column / area.style.pixelRatio;
        const double right = left + 1 / area.style.pixelRatio;
        // Half a pixel outside, so that a thin band is not covered by its own outline.
        const double bottom = area.y(slice.bottom) + 0.5;
        const double top = area.y(wrappingSum(slice.bottom, size)) - 0.5;
        if (!lower.empty() && lower.back().y() == bottom) { // prolong the last step
            lower.back().setX(right);
            upper.back().setX(right);
            continue;
        }
        lower << QPointF(left, bottom) << QPointF(right, bottom);
        upper << QPointF(left, top) << QPointF(right, top);
    }
    std::ranges::reverse(upper);
    return lower + upper;
}

ActiveBody::ActiveBody(const TimelineData &data, const ChartArea &area)
    : m_data(data)
    , m_area(area)
    , m_geometry(geometryOf(data.active(), area))
{
}

void ActiveBody::paint(QPainter &painter, const PlotOverlay &over) const
{
    paintGeometry(painter, m_geometry, m_area, over);
}

EventIndex ActiveBody::eventAt(double x) const
{
    return eventOf(m_geometry, m_area, x);
}

AllocationIndex ActiveBody::allocationAt(QPointF point) const
{
    return lifeOf(m_geometry, m_area, point);
}

QStringList ActiveBody::textAt(QPointF point) const
{
    const AllocationIndex allocation = allocationAt(point);
    return allocation == kNoAllocation ? QStringList() : m_data.describe(allocation);
}

QPolygonF ActiveBody::outline(AllocationIndex allocation) const
{
    return outlineOf(m_geometry, m_area, allocation, m_data.allocations->size[allocation]);
}

ReservedBody::ReservedBody(const TimelineData &data, const ChartArea &area)
    : m_data(data)
    , m_area(area)
    , m_geometry(geometryOf(data.reserved(), area))
{
}

void ReservedBody::paint(QPainter &painter, const PlotOverlay &over) const
{
    paintGeometry(painter, m_geometry, m_area, over);
}

EventIndex ReservedBody::eventAt(double x) const
{
    return eventOf(m_geometry, m_area, x);
}

QStringList ReservedBody::textAt(QPointF point) const
{
    const LifeIndex segment = lifeOf(m_geometry, m_area, point);
    return segment == kNoLife ? QStringList() : m_data.describeSegment(segment);
}

LanesBody::LanesBody(const TimelineData &data, const ChartArea &area)
    : m_data(data)
    , m_area(area)
{
    const auto count = static_cast<double>(data.lanes.size());
    const double heading = std::ceil(QFontMetricsF(area.style.font).height());
    const double height = std::floor(area.plot.height() / std::max(count, 1.0));
    double top = area.plot.top();
    for (const TimelineLane &lane : data.lanes) {
        ChartArea part = area;
        part.plot = QRectF(area.plot.left(), top + heading, area.plot.width(),
                           std::max(0.0, height - heading - kLaneGap));
        const Bytes peak = lane.stacked.curve->at(lane.stacked.curve->peakEvent());
        part.viewport.bytes = {0, std::max(static_cast<double>(peak) * 1.02, 1.0)};
        m_lanes.push_back({&lane, part, geometryOf(lane.stacked, part)});
        top += height;
    }
}

void LanesBody::paint(QPainter &painter, const PlotOverlay &over) const
{
    for (const Lane &lane : m_lanes) {
        paintGeometry(painter, lane.geometry, lane.area, {});
        const EventCurve &curve = *lane.lane->stacked.curve;
        const QRectF &plot = lane.area.plot;
        painter.setPen(m_area.style.theme.line);
        painter.drawLine(QPointF(plot.left(), crisp(plot.bottom())),
                         QPointF(plot.right(), crisp(plot.bottom())));
        const QFontMetricsF metrics(painter.font());
        const QString text = u"%1  ·  %2"_s.arg(
            lane.lane->name,
            u"peak %1"_s.arg(bytesText(curve.at(curve.peakEvent()), m_area.style.unit)));
        painter.setPen(m_area.style.theme.text);
        painter.drawText(QPointF(plot.left(), plot.top() - metrics.descent() - 1),
                         metrics.elidedText(text, Qt::ElideRight, plot.width()));
    }
    paintHairlines(painter, m_area, over.hairlines);
}

EventIndex LanesBody::eventAt(double x) const
{
    const LinearScale across = m_area.across();
    const EventSpan events = m_area.axis.column(across, static_cast<int>(x - m_area.plot.left()));
    return m_data.curve->highestActive(events.first, events.last);
}

const LanesBody::Lane *LanesBody::laneAt(QPointF point) const
{
    const auto lane =
        std::ranges::find_if(m_lanes, [&](const Lane &at) { return at.area.plot.contains(point); });
    return lane == m_lanes.end() ? nullptr : &*lane;
}

AllocationIndex LanesBody::allocationAt(QPointF point) const
{
    const Lane *lane = laneAt(point);
    const LifeIndex life = lane ? lifeOf(lane->geometry, lane->area, point) : kNoLife;
    return life == kNoLife ? kNoAllocation : lane->lane->allocations[life];
}

QStringList LanesBody::textAt(QPointF point) const
{
    const AllocationIndex allocation = allocationAt(point);
    return allocation == kNoAllocation ? QStringList() : m_data.describe(allocation);
}

QPolygonF LanesBody::outline(AllocationIndex allocation) const
{
    for (const Lane &lane : m_lanes) {
        const auto found = std::ranges::lower_bound(lane.lane->allocations, allocation);
        if (found == lane.lane->allocations.end() || *found != allocation)
            continue;
        const auto life = static_cast<LifeIndex>(found - lane.lane->allocations.begin());
        return outlineOf(lane.geometry, lane.area, life, m_data.allocations->size[allocation]);
    }
    return {};
}

} // namespace vramscope
