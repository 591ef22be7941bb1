// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/analysis/usage_curve.h"

#include <algorithm>
#include <functional>
#include <numeric>

namespace vramscope {

namespace {

// What an event adds to the reserved bytes.
Bytes reservedBy(Action action, Bytes size)
{
    switch (action) {
    case Action::SegmentAlloc:
    case Action::SegmentMap:
        return size;
    case Action::SegmentFree:
    case Action::SegmentUnmap:
        return wrappingDifference(0, size);
    default:
        return 0;
    }
}

} // namespace

UsageCurve::UsageCurve(const DeviceTrace &trace, const Allocations &allocations)
{
    sumUp(allocations, trace.events.count());
    replaySegments(trace);
    m_highestActive = MaxTree<Bytes>(m_active);
    m_highestReserved = MaxTree<Bytes>(m_reserved);
    m_lowestActive = MaxTree<Bytes, std::greater<>>(m_active);
    m_peakActive = highestActive(-1, count() - 1);
    m_peakReserved = highestReserved(-1, count() - 1);
}

UsageCurve::UsageCurve(const DeviceTrace &trace)
    : UsageCurve(trace, Allocations(trace))
{
}

EventIndex UsageCurve::highestActive(EventIndex first, EventIndex last) const
{
    return static_cast<EventIndex>(m_highestActive.argMax(index(first), index(last) + 1)) - 1;
}

EventIndex UsageCurve::highestReserved(EventIndex first, EventIndex last) const
{
    return static_cast<EventIndex>(m_highestReserved.argMax(index(first), index(last) + 1)) - 1;
}

EventIndex UsageCurve::lowestActive(EventIndex first, EventIndex last) const
{
    return static_cast<EventIndex>(m_lowestActive.argMax(index(first), index(last) + 1)) - 1;
}

void UsageCurve::sumUp(const Allocations &allocations, EventIndex events)
{
    m_active.assign(index(events), 0);
    for (AllocationIndex at = 0; at < allocations.count(); ++at) {
        Bytes &born = m_active[index(allocations.birth[at])];
        born = wrappingSum(born, allocations.size[at]);
        if (allocations.death[at] < events) {
            Bytes &died = m_active[index(allocations.death[at])];
            died = wrappingDifference(died, allocations.size[at]);
        }
    }
    std::partial_sum(m_active.begin(), m_active.end(), m_active.begin(), wrappingSum);
}

// The file tells the reserved bytes at the end, and what the events added and removed; what stood
// before the first event is the difference.
void UsageCurve::replaySegments(const DeviceTrace &trace)
{
    const EventColumns &events = trace.events;
    m_reserved.resize(m_active.size());
    for (std::size_t at = 0; at < events.action.size(); ++at)
        m_reserved[at + 1] =
            wrappingSum(m_reserved[at], reservedBy(events.action[at], events.size[at]));
    Bytes before = wrappingDifference(0, m_reserved.back());
    for (const FinalSegment &segment : trace.segments)
        before = wrappingSum(before, segment.size);
    for (Bytes &reserved : m_reserved)
        reserved = wrappingSum(reserved, before);
    // Without segments the events alone tell it where all that was reserved went back to the
    // device.
    m_isReservedKnown = !trace.segments.empty() ||
                        std::ranges::equal(m_active, m_reserved, std::ranges::less_equal());
}

} // namespace vramscope
