// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/analysis/replayed/usage_curve.h"

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

struct Changes
{
    std::vector<EventIndex> starts{-1};
    std::vector<Bytes> values{0};
};

// The file has the reserved bytes at the end and the changes by the events; the difference was
// there before the first event.
Changes reservedBytes(const DeviceTrace &trace)
{
    const EventColumns &events = trace.events;
    Changes found;
    for (std::size_t at = 0; at < events.action.size(); ++at) {
        const Bytes change = reservedBy(events.action[at], events.size[at]);
        if (change == 0)
            continue;
        found.starts.push_back(static_cast<EventIndex>(at));
        found.values.push_back(wrappingSum(found.values.back(), change));
    }
    Bytes before = wrappingDifference(0, found.values.back());
    for (const FinalSegment &segment : trace.segments)
        before = wrappingSum(before, segment.size);
    for (Bytes &reserved : found.values)
        reserved = wrappingSum(reserved, before);
    return found;
}

EventCurve reservedCurve(const DeviceTrace &trace)
{
    Changes found = reservedBytes(trace);
    return {std::move(found.starts), std::move(found.values), trace.events.count()};
}

} // namespace

UsageCurve::UsageCurve(const DeviceTrace &trace, const Allocations &allocations,
                       const Progress &progress)
    : m_active(allocations, trace.events.count())
    , m_reserved(!progress || progress(0.5) ? reservedCurve(trace)
                                            : EventCurve(std::vector<Bytes>{0}))
{
    // Without segments the events alone are enough if all reserved memory went back to the device.
    m_isReservedKnown = !trace.segments.empty() || activeAboveReserved().count == 0;
}

UsageCurve::UsageCurve(const DeviceTrace &trace)
    : UsageCurve(trace, Allocations(trace))
{
}

UsageCurve::Above UsageCurve::activeAboveReserved() const
{
    Above above;
    for (EventIndex first = -1; first < m_reserved.count();) {
        const EventIndex next = m_reserved.nextChange(first);
        const Bytes held = reserved(first);
        EventIndex event = active(highestActive(first, next - 1)) > held ? first : next;
        for (; event < next; ++event) {
            if (active(event) > held && above.count++ == 0)
                above.first = event;
        }
        first = next;
    }
    return above;
}

} // namespace vramscope
