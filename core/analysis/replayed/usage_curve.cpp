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

// The file tells the reserved bytes at the end, and what the events added and removed; what stood
// before the first event is the difference.
std::vector<Bytes> reservedBytes(const DeviceTrace &trace)
{
    const EventColumns &events = trace.events;
    std::vector<Bytes> values(events.action.size() + 1);
    for (std::size_t at = 0; at < events.action.size(); ++at)
        values[at + 1] = wrappingSum(values[at], reservedBy(events.action[at], events.size[at]));
    Bytes before = wrappingDifference(0, values.back());
    for (const FinalSegment &segment : trace.segments)
        before = wrappingSum(before, segment.size);
    for (Bytes &reserved : values)
        reserved = wrappingSum(reserved, before);
    return values;
}

} // namespace

UsageCurve::UsageCurve(const DeviceTrace &trace, const Allocations &allocations,
                       const Progress &progress)
    : m_active(allocations, trace.events.count())
    , m_reserved(!progress || progress(0.5) ? reservedBytes(trace) : std::vector<Bytes>{0})
{
    // Without segments the events alone tell it where all that was reserved went back to the
    // device.
    for (EventIndex event = -1; trace.segments.empty() && event < m_reserved.count(); ++event)
        m_isReservedKnown = m_isReservedKnown && active(event) <= reserved(event);
}

UsageCurve::UsageCurve(const DeviceTrace &trace)
    : UsageCurve(trace, Allocations(trace))
{
}

} // namespace vramscope
