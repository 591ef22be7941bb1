// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/timeline/timeline_view.h"

#include "ui/support/text.h"

#include <QPainter>

namespace vramscope {

using namespace Qt::StringLiterals;

namespace {

constexpr double kSmallestBand = 3; // pixels; a thinner one is magnified by a double click

} // namespace

TimelineView::TimelineView(TimelineState *state, QWidget *parent)
    : ChartWidget(state, parent)
{
    setKind(m_kind);
}

void TimelineView::setData(const TimelineData &timeline)
{
    m_data = timeline;
    stopGesture();
    discardPicture();
}

void TimelineView::setKind(TimelineKind kind)
{
    m_kind = kind;
    const std::array<std::pair<QString, QString>, kTimelineKindCount> texts = {{
        {u"Active memory"_s, u"every allocation a band."_s},
        {u"Reserved memory"_s, u"every segment a band."_s},
        {u"Bands"_s, u"what the reserved memory is made of."_s},
        {u"Pools and streams"_s, u"active memory of each, apart."_s},
    }};
    const auto &[name, what] = texts[static_cast<std::size_t>(kind)];
    setAccessibleName(name);
    setAccessibleDescription(u"Timeline: %1 %2"_s.arg(what, keysText()));
    discardPicture();
}

TimelineChart TimelineView::makeChart(const ChartStyle &style) const
{
    return {m_kind, m_data, state()->axis(), state()->visible(), rect(), style};
}

AllocationIndex TimelineView::allocationAt(QPointF position) const
{
    return m_data.valid() ? body().allocationAt(position) : kNoAllocation;
}

EventIndex TimelineView::eventAt(QPointF position) const
{
    return body().eventAt(position.x());
}

EventIndex TimelineView::peakEvent() const
{
    const bool reserved = m_kind == TimelineKind::Reserved || m_kind == TimelineKind::Bands;
    return reserved ? m_data.curve->peakReservedEvent() : m_data.curve->peakActiveEvent();
}

void TimelineView::doubleClicked(QPointF position)
{
    const AllocationIndex allocation = allocationAt(position);
    if (allocation != kNoAllocation)
        zoomToLifetime(allocation);
}

void TimelineView::zoomToLifetime(AllocationIndex allocation)
{
    const EventAxis &axis = state()->axis();
    const double first = axis.start(m_data.allocations->birth[allocation]);
    const double last = axis.start(m_data.allocations->death[allocation]);
    const double margin = std::max(1.0, (last - first) * 0.1);
    Viewport wanted = state()->visible();
    wanted.x = {first - margin, last + margin};
    const auto bytes = static_cast<double>(m_data.allocations->size[allocation]);
    if (m_kind == TimelineKind::Active && area().up().perPixel() * kSmallestBand > bytes) {
        const QRectF place = body().outline(allocation).boundingRect();
        if (!place.isEmpty()) {
            const double middle = area().up().toValue(plot().bottom() - place.center().y());
            wanted.bytes = {middle - bytes * 8, middle + bytes * 8};
        }
    }
    state()->show(wanted);
}

void TimelineView::paintHighlights(QPainter &painter) const
{
    if (state()->hovered() != state()->selected())
        paintAllocation(painter, state()->hovered(), false);
    paintAllocation(painter, state()->selected(), true);
}

QRegion TimelineView::highlightRegion() const
{
    constexpr int kPen = 3; // half of the widest, with its smooth edge
    QRegion region;
    for (const AllocationIndex allocation : {state()->hovered(), state()->selected()}) {
        if (allocation == kNoAllocation)
            continue;
        const QRectF shape = body().outline(allocation).boundingRect();
        const QRectF seen = (shape.isNull() ? tickOf(allocation) : shape) & plot();
        region += seen.toAlignedRect().adjusted(-kPen, -kPen, kPen, kPen);
    }
    return region;
}

// Where an allocation begins that lives between two columns or outside.
QRectF TimelineView::tickOf(AllocationIndex allocation) const
{
    const double x = area().x(state()->axis().mark(m_data.allocations->birth[allocation]));
    return {x - 1, plot().bottom() - 8, 2, 8};
}

void TimelineView::paintAllocation(QPainter &painter, AllocationIndex allocation,
                                   bool selected) const
{
    if (allocation == kNoAllocation)
        return;
    const Theme &theme = chartTheme(this);
    const QPolygonF shape = body().outline(allocation);
    if (shape.empty()) {
        if (selected && m_kind == TimelineKind::Active)
            painter.fillRect(tickOf(allocation), theme.text);
        return;
    }
    QColor light(Qt::white);
    light.setAlpha(selected ? 70 : 45);
    painter.setBrush(light);
    painter.setPen(selected ? QPen(theme.window, 3.5) : QPen(Qt::NoPen));
    painter.drawPolygon(shape);
    painter.setBrush(Qt::NoBrush);
    painter.setPen(QPen(theme.text, selected ? 1.5 : 1));
    painter.drawPolygon(shape);
}

QStringList TimelineView::textAt(QPointF position) const
{
    if (!m_data.describe)
        return {};
    const QString annotation = chart().annotationAt(position);
    if (!annotation.isEmpty())
        return {annotation};
    QStringList lines = body().textAt(position);
    if (chart().showsOverlay() && plot().contains(position))
        lines += overlayTip(position.x());
    return lines;
}

// The log's value at a place, and the part of it that the allocator does not have.
QStringList TimelineView::overlayTip(double x) const
{
    const auto time = static_cast<std::int64_t>(area().across().toValue(x - plot().left()));
    const Bytes used = m_data.overlay->usedAt(time);
    const QString label = toQString(m_data.overlay->label);
    if (used == kNoBytes)
        return {u"%1: the log has no value here"_s.arg(label)};
    QStringList lines{u"%1 memory.used  %2"_s.arg(label, exactBytesText(used, unit()))};
    if (m_data.curve->isReservedKnown())
        lines << u"outside the allocator  %1"_s.arg(exactBytesText(
            outsideAllocator(
                used, m_data.curve->reserved(state()->axis().eventAt(static_cast<double>(time)))),
            unit()));
    return lines;
}

} // namespace vramscope
