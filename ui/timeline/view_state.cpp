// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/timeline/view_state.h"

namespace vramscope {

void TimelineState::reset(const Viewport &whole)
{
    m_whole = whole;
    m_places = {whole};
    m_place = 0;
    m_stepping = false;
    select(kNoAllocation);
    hover(kNoAllocation);
    m_visible = whole;
    Q_EMIT visibleChanged();
    m_cursor = -1;
    Q_EMIT cursorChanged();
}

void TimelineState::zoomEvents(double factor, double anchor)
{
    // At the limit the factor gives way, so that the anchor still keeps its place.
    factor = std::max(factor, kFewestEvents / m_visible.events.length());
    step({zoomed(m_visible.events, factor, anchor), m_visible.bytes});
}

void TimelineState::moveEvents(double by)
{
    step({moved(m_visible.events, by), m_visible.bytes});
}

void TimelineState::zoomBytes(double factor, double anchor)
{
    factor = std::max(factor, kFewestBytes / m_visible.bytes.length());
    step({m_visible.events, zoomed(m_visible.bytes, factor, anchor)});
}

void TimelineState::moveBytes(double by)
{
    step({m_visible.events, moved(m_visible.bytes, by)});
}

void TimelineState::setEvents(const Range &events)
{
    step({events, m_visible.bytes});
}

void TimelineState::show(const Viewport &viewport)
{
    const Viewport wanted = inside(viewport);
    if (wanted == m_visible)
        return;
    m_places.resize(m_place + 1);
    m_places.push_back(wanted);
    ++m_place;
    m_stepping = false;
    apply(wanted);
}

void TimelineState::back()
{
    if (!canGoBack())
        return;
    m_stepping = false;
    apply(m_places[--m_place]);
}

void TimelineState::forward()
{
    if (!canGoForward())
        return;
    m_stepping = false;
    apply(m_places[++m_place]);
}

void TimelineState::setCursor(EventIndex event)
{
    const auto last = static_cast<EventIndex>(m_whole.events.high) - 1;
    event = std::clamp(event, EventIndex(-1), std::max(EventIndex(-1), last));
    if (event == m_cursor)
        return;
    m_cursor = event;
    Q_EMIT cursorChanged();
}

void TimelineState::reveal(EventIndex event)
{
    if (m_visible.events.contains(event) && m_visible.events.contains(event + 1.0))
        return;
    const double half = m_visible.events.length() / 2;
    showEvents({event + 0.5 - half, event + 0.5 + half});
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

Viewport TimelineState::inside(const Viewport &viewport) const
{
    return {clamped(viewport.events, m_whole.events, kFewestEvents),
            clamped(viewport.bytes, m_whole.bytes, kFewestBytes)};
}

void TimelineState::step(const Viewport &viewport)
{
    const Viewport wanted = inside(viewport);
    if (wanted == m_visible)
        return;
    m_places.resize(m_place + 1);
    if (m_stepping) {
        m_places.back() = wanted;
    } else {
        m_places.push_back(wanted);
        ++m_place;
        m_stepping = true;
    }
    apply(wanted);
}

void TimelineState::apply(const Viewport &viewport)
{
    m_visible = viewport;
    Q_EMIT visibleChanged();
}

} // namespace vramscope
