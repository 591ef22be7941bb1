// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/analysis/replayed/allocations.h"
#include "core/analysis/replayed/event_curve.h"

namespace vramscope {

/// Active bytes (the blocks of live allocations, as torch.cuda.memory_allocated() counts them, with
/// those that wait for another stream) and reserved bytes of one device after every event.
/// Immutable once built.
class UsageCurve
{
public:
    /// Takes time linear in the events; `allocations` must be those of `trace`. Keeps no reference.
    /// Not usable if `progress` asked to stop.
    UsageCurve(const DeviceTrace &trace, const Allocations &allocations,
               const Progress &progress = {});
    /// For callers that do not need the allocations otherwise.
    explicit UsageCurve(const DeviceTrace &trace);

    [[nodiscard]] const EventCurve &active() const { return m_active; }
    [[nodiscard]] const EventCurve &reserved() const { return m_reserved; }
    [[nodiscard]] Bytes active(EventIndex event) const { return m_active.at(event); }
    [[nodiscard]] Bytes reserved(EventIndex event) const { return m_reserved.at(event); }

    /// The event in [first, last] with the most active bytes after it, the first of equals; accepts
    /// -1.
    [[nodiscard]] EventIndex highestActive(EventIndex first, EventIndex last) const
    {
        return m_active.highest(first, last);
    }
    [[nodiscard]] EventIndex highestReserved(EventIndex first, EventIndex last) const
    {
        return m_reserved.highest(first, last);
    }
    /// The event in [first, last] with the fewest active bytes after it.
    [[nodiscard]] EventIndex lowestActive(EventIndex first, EventIndex last) const
    {
        return m_active.lowest(first, last);
    }

    /// False if the recording has no segments although memory was in use: then reserved() is
    /// meaningless.
    [[nodiscard]] bool isReservedKnown() const { return m_isReservedKnown; }

    /// Number of events; valid events are -1 … count() - 1.
    [[nodiscard]] EventIndex count() const { return m_active.count(); }

    /// How many events leave more bytes active than reserved, and the first of them.
    struct Above
    {
        std::int64_t count = 0;
        EventIndex first = -1;
    };
    [[nodiscard]] Above activeAboveReserved() const;

    /// -1 if the peak is before the first event.
    [[nodiscard]] EventIndex peakActiveEvent() const { return m_active.peakEvent(); }
    [[nodiscard]] EventIndex peakReservedEvent() const { return m_reserved.peakEvent(); }

private:
    EventCurve m_active;
    EventCurve m_reserved;
    bool m_isReservedKnown = true;
};

} // namespace vramscope
