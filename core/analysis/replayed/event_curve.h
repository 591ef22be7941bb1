// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/analysis/replayed/lifetimes.h"

#include <functional>
#include <span>

namespace vramscope {

/// Bytes after every event of a device, with the highest and the lowest of any stretch in
/// logarithmic time. Valid events are -1 (before the first) … count() - 1. Immutable once built.
/// Where few events change them, only those are kept.
class EventCurve
{
public:
    /// `values`: the state before the first event, then after each. Must not be empty. Linear.
    explicit EventCurve(std::vector<Bytes> values);
    /// values[i] stand after event starts[i] and up to the next of `starts`, which ascend from -1,
    /// of `events` events.
    EventCurve(std::vector<EventIndex> starts, std::vector<Bytes> values, EventIndex events);
    /// The sizes of all that lives, after each of `events` events.
    EventCurve(const Lifetimes &lives, EventIndex events);
    EventCurve(const EventCurve &) = delete;
    EventCurve &operator=(const EventCurve &) = delete;

    [[nodiscard]] EventIndex count() const { return m_count; }
    /// At once, or in time logarithmic in the changes where only those are kept.
    [[nodiscard]] Bytes at(EventIndex event) const { return m_values[placeOf(event)]; }
    /// The next event that may change what stands after `event`; count() where none does.
    [[nodiscard]] EventIndex nextChange(EventIndex event) const;

    /// The event in [first, last] after which the most bytes stand, the first of equals.
    [[nodiscard]] EventIndex highest(EventIndex first, EventIndex last) const;
    /// The event in [first, last] after which the fewest bytes stand, the first of equals.
    [[nodiscard]] EventIndex lowest(EventIndex first, EventIndex last) const;
    /// -1 where the peak stands before the first event.
    [[nodiscard]] EventIndex peakEvent() const { return m_peak; }

    /// What sizes[i] of everything that lives add up to, before the first of `events` events and
    /// after each.
    [[nodiscard]] static std::vector<Bytes> sumsOf(const Lifetimes &lives,
                                                   std::span<const Bytes> sizes, EventIndex events);

private:
    /// Index into m_values.
    [[nodiscard]] std::size_t placeOf(EventIndex event) const;
    [[nodiscard]] EventIndex startOf(std::size_t place) const
    {
        return m_starts.empty() ? static_cast<EventIndex>(place) - 1 : m_starts[place];
    }

    std::vector<EventIndex> m_starts; ///< of each of the values; empty: one after every event
    std::vector<Bytes> m_values;
    EventIndex m_count = 0;
    MaxTree<Bytes> m_highest;
    MaxTree<Bytes, std::greater<>> m_lowest;
    EventIndex m_peak = -1;
};

} // namespace vramscope
