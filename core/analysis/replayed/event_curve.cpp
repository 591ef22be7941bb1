// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/analysis/replayed/event_curve.h"

#include <numeric>

namespace vramscope {

namespace {

std::vector<Bytes> sumsOf(const Lifetimes &lives, EventIndex events)
{
    const auto index = [](EventIndex event) { return static_cast<std::size_t>(event) + 1; };
    std::vector<Bytes> sums(index(events), 0);
    for (LifeIndex at = 0; at < lives.count(); ++at) {
        Bytes &born = sums[index(lives.birth[at])];
        born = wrappingSum(born, lives.size[at]);
        if (lives.death[at] < events) {
            Bytes &died = sums[index(lives.death[at])];
            died = wrappingDifference(died, lives.size[at]);
        }
    }
    std::partial_sum(sums.begin(), sums.end(), sums.begin(), wrappingSum);
    return sums;
}

} // namespace

EventCurve::EventCurve(std::vector<Bytes> values)
    : m_values(std::move(values))
    , m_highest(m_values)
    , m_lowest(m_values)
{
    m_peak = highest(-1, count() - 1);
}

EventCurve::EventCurve(const Lifetimes &lives, EventIndex events)
    : EventCurve(sumsOf(lives, events))
{
}

EventIndex EventCurve::highest(EventIndex first, EventIndex last) const
{
    return static_cast<EventIndex>(m_highest.argMax(index(first), index(last) + 1)) - 1;
}

EventIndex EventCurve::lowest(EventIndex first, EventIndex last) const
{
    return static_cast<EventIndex>(m_lowest.argMax(index(first), index(last) + 1)) - 1;
}

} // namespace vramscope
