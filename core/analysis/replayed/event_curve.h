// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/analysis/replayed/lifetimes.h"

#include <functional>
#include <span>
#include <vector>

namespace vramscope {

/// Bytes after every event of a device, with the highest and the lowest of any range in logarithmic
/// time. Valid events are -1 (before the first) … count() - 1. Immutable once built. If few events
/// change them, only those are kept.
class EventCurve
{
public:
    /// `values`: the state before the first event, then after each. Must not be empty. Linear.
    explicit EventCurve(std::vector<Bytes> values);
    /// values[i] is valid from event starts[i] up to the next of `starts`, which ascend from -1, of
    /// `events` events.
    EventCurve(std::vector<EventIndex> starts, std::vector<Bytes> values, EventIndex events);
    /// The total size of everything alive, after each of `events` events.
    EventCurve(const Lifetimes &lives, EventIndex events);
    EventCurve(const EventCurve &) = delete;
    EventCurve &operator=(const EventCurve &) = delete;

    [[nodiscard]] EventIndex count() const { return m_count; }
    /// In constant time, or logarithmic in the changes if only those are kept.
    [[nodiscard]] Bytes at(EventIndex event) const { return m_values[placeOf(event)]; }
    /// The next event that may change the value after `event`; count() without one.
    [[nodiscard]] EventIndex nextChange(EventIndex event) const;

    /// The event in [first, last] with the most bytes after it, the first of equals.
    [[nodiscard]] EventIndex highest(EventIndex first, EventIndex last) const;
    /// The event in [first, last] with the fewest bytes after it, the first of equals.
    [[nodiscard]] EventIndex lowest(EventIndex first, EventIndex last) const;
    /// -1 if the peak is before the first event.
    [[nodiscard]] EventIndex peakEvent() const { return m_peak; }

    /// The sums of sizes[i] over everything alive, before the first of `events` events and after
    /// each.
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

/// A curve in few numbers: its states before the first and after every event divided evenly, in
/// order, into columns with the lowest and the highest of each. No value of the curve is missed.
struct CurveOutline
{
    EventIndex events = 0; ///< of the curve
    std::vector<Bytes> lowest;
    std::vector<Bytes> highest;
};

/// At most `columns` of them, which must be more than 0; fewer if there are fewer states.
[[nodiscard]] CurveOutline outlineOf(const EventCurve &curve, std::size_t columns);

} // namespace vramscope
