// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/timeline/view_state.h"

#include <chrono>

namespace vramscope {

namespace {

constexpr std::chrono::milliseconds kSettling{120}; // a hand's steps are closer

} // namespace

TimelineState::TimelineState(QObject *parent)
    : QObject(parent)
{
    m_settling.setSingleShot(true);
    m_settling.setInterval(kSettling);
    connect(&m_settling, &QTimer::timeout, this, &TimelineState::settled);
}

void TimelineState::reset(const EventAxis &axis, const Range &bytes)
{
    m_axis = axis;
    m_whole = {axis.whole(), bytes};
    select(kNoAllocation);
    hover(kNoAllocation);
    setKept(nullptr);
    m_cursor = -1; // before any query: the former cursor may be beyond the new end
    Q_EMIT axisChanged();
    start(m_whole);
    Q_EMIT cursorChanged();
}

void TimelineState::setAxisKind(EventAxis::Kind kind)
{
    if (m_axis.as(kind).kind() == m_axis.kind())
        return;
    const bool everything = visible().x == m_whole.x;
    const EventIndex first = m_axis.eventAt(visible().x.low);
    const EventIndex last = m_axis.eventAt(visible().x.high);
    m_axis = m_axis.as(kind);
    m_whole.x = m_axis.whole();
    const Range x = everything ? m_whole.x : Range{m_axis.start(first), m_axis.start(last)};
    Q_EMIT axisChanged();
    start(inside({x, visible().bytes}));
}

void TimelineState::start(const Viewport &visible)
{
    m_visited.start(visible);
    Q_EMIT visibleChanged();
}

void TimelineState::zoomX(double factor, double anchor)
{
    // At the limit the factor gives way, so that the anchor still keeps its place.
    factor = std::max(factor, EventAxis::shortest() / visible().x.length());
    step({zoomed(visible().x, factor, anchor), visible().bytes});
}

void TimelineState::moveX(double by)
{
    step({moved(visible().x, by), visible().bytes});
}

void TimelineState::zoomBytes(double factor, double anchor)
{
    factor = std::max(factor, kFewestBytes / visible().bytes.length());
    step({visible().x, zoomed(visible().bytes, factor, anchor)});
}

void TimelineState::moveBytes(double by)
{
    step({visible().x, moved(visible().bytes, by)});
}

void TimelineState::setX(const Range &x)
{
    step({x, visible().bytes});
}

void TimelineState::show(const Viewport &viewport)
{
    if (m_visited.jump(inside(viewport)))
        Q_EMIT visibleChanged();
}

void TimelineState::back()
{
    if (m_visited.back())
        Q_EMIT visibleChanged();
}

void TimelineState::forward()
{
    if (m_visited.forward())
        Q_EMIT visibleChanged();
}

void TimelineState::setCursor(EventIndex event)
{
    event = std::clamp(event, EventIndex(-1), std::max(EventIndex(-1), m_axis.count() - 1));
    if (event == m_cursor)
        return;
    m_cursor = event;
    Q_EMIT cursorChanged();
}

void TimelineState::reveal(EventIndex event)
{
    const double from = m_axis.start(event);
    const double to = m_axis.kind() == EventAxis::Kind::Event ? from + 1 : from;
    if (visible().x.contains(from) && visible().x.contains(to))
        return;
    const double half = visible().x.length() / 2;
    const double middle = m_axis.mark(event);
    showX({middle - half, middle + half});
}

void TimelineState::showEvents(EventIndex first, EventIndex last)
{
    showX({m_axis.start(first), m_axis.start(last + 1)});
}

void TimelineState::select(AllocationIndex allocation)
{
    if (allocation == m_selected)
        return;
    m_selected = allocation;
    Q_EMIT selectedChanged();
}

void TimelineState::hover(AllocationIndex allocation)
{
    if (allocation == m_hovered)
        return;
    m_hovered = allocation;
    Q_EMIT hoveredChanged();
}

void TimelineState::setKept(Kept kept)
{
    if (kept == m_kept)
        return;
    m_kept = std::move(kept);
    Q_EMIT keptChanged();
}

Viewport TimelineState::inside(const Viewport &viewport) const
{
    return {clamped(viewport.x, m_whole.x, EventAxis::shortest()),
            clamped(viewport.bytes, m_whole.bytes, kFewestBytes)};
}

void TimelineState::step(const Viewport &viewport)
{
    if (!m_visited.step(inside(viewport)))
        return;
    m_settling.start(); // before the views ask
    Q_EMIT visibleChanged();
}

} // namespace vramscope
