// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/analysis/replayed/event_curve.h"

#include "core/base/large_pages.h"

#include <algorithm>
#include <numeric>

namespace vramscope {

std::vector<Bytes> EventCurve::sumsOf(const Lifetimes &lives, std::span<const Bytes> sizes,
                                      EventIndex events)
{
    const auto index = [](EventIndex event) { return static_cast<std::size_t>(event) + 1; };
    std::vector<Bytes> sums;
    reserveLarge(sums, index(events));
    sums.resize(index(events));
    for (LifeIndex at = 0; at < lives.count(); ++at) {
        Bytes &born = sums[index(lives.birth[at])];
        born = wrappingSum(born, sizes[at]);
        if (lives.death[at] < events) {
            Bytes &died = sums[index(lives.death[at])];
            died = wrappingDifference(died, sizes[at]);
        }
    }
    std::partial_sum(sums.begin(), sums.end(), sums.begin(), wrappingSum);
    return sums;
}

EventCurve::EventCurve(std::vector<Bytes> values)
    : EventCurve({}, std::move(values), 0)
{
}

EventCurve::EventCurve(std::vector<EventIndex> starts, std::vector<Bytes> values, EventIndex events)
    : m_starts(std::move(starts))
    , m_values(std::move(values))
    , m_count(m_starts.empty() ? static_cast<EventIndex>(m_values.size()) - 1 : events)
    , m_highest(m_values)
    , m_lowest(m_values)
{
    m_peak = highest(-1, count() - 1);
}

EventCurve::EventCurve(const Lifetimes &lives, EventIndex events)
    : EventCurve(sumsOf(lives, lives.size, events))
{
}

std::size_t EventCurve::placeOf(EventIndex event) const
{
    if (m_starts.empty())
        return static_cast<std::size_t>(event) + 1;
    return static_cast<std::size_t>(std::ranges::upper_bound(m_starts, event) - m_starts.begin()) -
           1;
}

EventIndex EventCurve::nextChange(EventIndex event) const
{
    const std::size_t next = placeOf(event) + 1;
    return next < m_values.size() ? startOf(next) : count();
}

EventIndex EventCurve::highest(EventIndex first, EventIndex last) const
{
    return std::max(first, startOf(m_highest.argMax(placeOf(first), placeOf(last) + 1)));
}

EventIndex EventCurve::lowest(EventIndex first, EventIndex last) const
{
    return std::max(first, startOf(m_lowest.argMax(placeOf(first), placeOf(last) + 1)));
}

CurveOutline outlineOf(const EventCurve &curve, std::size_t columns)
{
    const std::size_t states = static_cast<std::size_t>(curve.count()) + 1;
    const std::size_t count = std::min(columns, states);
    CurveOutline outline;
    outline.events = curve.count();
    for (std::size_t at = 0; at < count; ++at) {
        // States are counted from the one before the first event, events from -1.
        const auto first = static_cast<EventIndex>(at * states / count) - 1;
        const auto last = static_cast<EventIndex>((at + 1) * states / count) - 2;
        outline.lowest.push_back(curve.at(curve.lowest(first, last)));
        outline.highest.push_back(curve.at(curve.highest(first, last)));
    }
    return outline;
}

} // namespace vramscope
