// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/analysis/allocations.h"
#include "core/analysis/max_tree.h"
#include "core/trace/trace.h"

#include <functional>
#include <vector>

namespace vramscope {

/// Active (requested bytes of live allocations) and reserved bytes of one device after every event.
/// Entry 0 is the state before the first event, entry e + 1 the state after event e. Immutable once
/// built.
class UsageCurve
{
public:
    /// Takes time linear in the events; `allocations` must be those of `trace`. Keeps no reference.
    UsageCurve(const DeviceTrace &trace, const Allocations &allocations);
    /// The same where the allocations are not needed otherwise.
    explicit UsageCurve(const DeviceTrace &trace);
    UsageCurve(const UsageCurve &) = delete;
    UsageCurve &operator=(const UsageCurve &) = delete;

    [[nodiscard]] Bytes active(EventIndex event) const { return m_active[index(event)]; }
    [[nodiscard]] Bytes reserved(EventIndex event) const { return m_reserved[index(event)]; }

    /// The event in [first, last] after which the most bytes are active, the first of equals; -1
    /// may be asked too.
    [[nodiscard]] EventIndex highestActive(EventIndex first, EventIndex last) const;
    [[nodiscard]] EventIndex highestReserved(EventIndex first, EventIndex last) const;
    /// The event in [first, last] after which the fewest bytes are active.
    [[nodiscard]] EventIndex lowestActive(EventIndex first, EventIndex last) const;

    /// False where the recording holds no segments although memory was in use: then reserved()
    /// means nothing.
    [[nodiscard]] bool isReservedKnown() const { return m_isReservedKnown; }

    /// Number of events; valid events are -1 … count() - 1.
    [[nodiscard]] EventIndex count() const { return static_cast<EventIndex>(m_active.size()) - 1; }

    /// -1 where the peak stands before the first event.
    [[nodiscard]] EventIndex peakActiveEvent() const { return m_peakActive; }
    [[nodiscard]] EventIndex peakReservedEvent() const { return m_peakReserved; }

private:
    static std::size_t index(EventIndex event) { return static_cast<std::size_t>(event) + 1; }
    void sumUp(const Allocations &allocations, EventIndex events);
    void replaySegments(const DeviceTrace &trace);

    std::vector<Bytes> m_active;
    std::vector<Bytes> m_reserved;
    MaxTree<Bytes> m_highestActive;
    MaxTree<Bytes> m_highestReserved;
    MaxTree<Bytes, std::greater<>> m_lowestActive;
    EventIndex m_peakActive = -1;
    EventIndex m_peakReserved = -1;
    bool m_isReservedKnown = true;
};

} // namespace vramscope
