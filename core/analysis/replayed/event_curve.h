// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/analysis/replayed/lifetimes.h"

#include <functional>

namespace vramscope {

/// Bytes after every event of a device, with the highest and the lowest of any stretch in
/// logarithmic time. Valid events are -1 (before the first) … count() - 1. Immutable once built.
class EventCurve
{
public:
    /// `values`: the state before the first event, then after each. Must not be empty. Linear.
    explicit EventCurve(std::vector<Bytes> values);
    /// The sizes of all that lives, after each of `events` events.
    EventCurve(const Lifetimes &lives, EventIndex events);
    EventCurve(const EventCurve &) = delete;
    EventCurve &operator=(const EventCurve &) = delete;

    [[nodiscard]] EventIndex count() const { return static_cast<EventIndex>(m_values.size()) - 1; }
    [[nodiscard]] Bytes at(EventIndex event) const { return m_values[index(event)]; }

    /// The event in [first, last] after which the most bytes stand, the first of equals.
    [[nodiscard]] EventIndex highest(EventIndex first, EventIndex last) const;
    /// The event in [first, last] after which the fewest bytes stand, the first of equals.
    [[nodiscard]] EventIndex lowest(EventIndex first, EventIndex last) const;
    /// -1 where the peak stands before the first event.
    [[nodiscard]] EventIndex peakEvent() const { return m_peak; }

private:
    static std::size_t index(EventIndex event) { return static_cast<std::size_t>(event) + 1; }

    std::vector<Bytes> m_values;
    MaxTree<Bytes> m_highest;
    MaxTree<Bytes, std::greater<>> m_lowest;
    EventIndex m_peak = -1;
};

} // namespace vramscope
