// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/profile/profile_state.h"

namespace vramscope {

namespace {

constexpr std::size_t kMostPlaces = 200;

} // namespace

void ProfileState::reset(double length)
{
    // A little room before the first event and after the last.
    const double margin = std::max(length * 0.005, kShortest);
    m_whole = {-margin, length + margin};
    m_places = {m_whole};
    m_place = 0;
    m_stepping = false;
    select({});
    choose({});
    setMoment({});
    setFound(nullptr);
    apply(m_whole);
}

void ProfileState::apply(const Range &range)
{
    m_visible = range;
    Q_EMIT visibleChanged();
}

void ProfileState::zoom(double factor, double anchor)
{
    move(0);
    m_places[m_place] = clamped(zoomed(m_visible, factor, anchor), m_whole, kShortest);
    apply(m_places[m_place]);
}

void ProfileState::move(double by)
{
    if (!m_stepping) {
        m_places.resize(m_place + 1);
        m_places.push_back(m_visible);
        ++m_place;
        m_stepping = true;
    }
    m_places[m_place] = clamped(moved(m_visible, by), m_whole, kShortest);
    if (by != 0)
        apply(m_places[m_place]);
}

void ProfileState::show(const Range &range)
{
    const Range inside = clamped(range, m_whole, kShortest);
    m_stepping = false;
    if (inside == m_visible)
        return;
    m_places.resize(m_place + 1);
    if (m_places.size() == kMostPlaces)
        m_places.erase(m_places.begin());
    m_places.push_back(inside);
    m_place = m_places.size() - 1;
    apply(inside);
}

void ProfileState::reveal(const Range &range)
{
    if (m_visible.contains(range.low) && m_visible.contains(range.high))
        return;
    const double middle = (range.low + range.high) / 2;
    const double length = std::max(m_visible.length(), range.length() * 1.5);
    show({middle - length / 2, middle + length / 2});
}

void ProfileState::back()
{
    if (!canGoBack())
        return;
    m_stepping = false;
    apply(m_places[--m_place]);
}

void ProfileState::forward()
{
    if (!canGoForward())
        return;
    m_stepping = false;
    apply(m_places[++m_place]);
}

void ProfileState::select(const ProfileEventId &event)
{
    if (event == m_selected)
        return;
    m_selected = event;
    Q_EMIT selectedChanged();
}

void ProfileState::choose(std::optional<TimeSpan> span)
{
    if (span == m_chosen)
        return;
    m_chosen = span;
    Q_EMIT chosenChanged();
}

void ProfileState::setMoment(std::optional<std::int64_t> moment)
{
    if (moment == m_moment)
        return;
    m_moment = moment;
    Q_EMIT momentChanged();
}

void ProfileState::setFound(std::shared_ptr<const FoundRows> found)
{
    if (found == m_found)
        return;
    m_found = std::move(found);
    Q_EMIT foundChanged();
}

} // namespace vramscope
