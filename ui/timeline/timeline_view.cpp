// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/timeline/timeline_view.h"

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

} // namespace vramscope
