// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/timeline/coordinates.h"

#include <span>
#include <vector>

namespace vramscope {

/// Places the events of a device on the x axis: one after the other, where the state after event e
/// fills [e, e + 1) and the state before the first [-1, 0); or by time, in µs since the first
/// event, where the state after an event lasts until the next. Keeps the span it is given.
class EventAxis
{
public:
    enum class Kind { Event, Time };

    EventAxis() = default;
    /// `times`: µs of each event, ascending; empty if not recorded, then the axis goes by event.
    EventAxis(EventIndex count, std::span<const std::int64_t> times = {}, Kind kind = Kind::Event);

    [[nodiscard]] Kind kind() const { return m_kind; }
    [[nodiscard]] EventIndex count() const { return m_count; }
    [[nodiscard]] bool hasTimes() const { return !m_times.empty(); }
    /// The same events on the other axis; by event if there are no times.
    [[nodiscard]] EventAxis as(Kind kind) const { return {m_count, m_times, kind}; }

    /// All events; by time with a margin before the first and after the last.
    [[nodiscard]] Range whole() const;
    /// Zooming in ends here: two events, two microseconds.
    [[nodiscard]] static constexpr double shortest() { return 2; }

    /// Where the state after `event` begins; that before the first begins with the axis.
    [[nodiscard]] double start(EventIndex event) const;
    /// The x of a mark of `event`: the middle of its place by event, its instant by time.
    [[nodiscard]] double mark(EventIndex event) const;
    /// The event whose state shows at `x`.
    [[nodiscard]] EventIndex eventAt(double x) const;
    /// The events whose states show somewhere in pixel column `column`, including all events of one
    /// instant. Spans of neighbouring columns never go back.
    [[nodiscard]] EventSpan column(const LinearScale &scale, int column) const;

private:
    [[nodiscard]] double timeAt(EventIndex event) const
    {
        return static_cast<double>(m_times[static_cast<std::size_t>(event)] - m_times[0]);
    }

    /// By time: the last event before `x`, or -1.
    [[nodiscard]] EventIndex lastBefore(double x) const;

    EventIndex m_count = 0;
    std::span<const std::int64_t> m_times;
    Kind m_kind = Kind::Event;
};

/// The event whose state each column of pixels shows: highest(first, last) picks it from the events
/// in the column. `together` neighbours show the same.
template<class Highest>
[[nodiscard]] std::vector<EventIndex>
eventsOfColumns(const EventAxis &axis, const LinearScale &across, int together, Highest &&highest)
{
    const auto columns = static_cast<int>(across.pixels);
    std::vector<EventIndex> events;
    events.reserve(static_cast<std::size_t>(std::max(columns, 0)));
    for (int column = 0; column < columns; column += together) {
        const int next = std::min(column + together, columns);
        const EventIndex shown =
            highest(axis.column(across, column).first, axis.column(across, next - 1).last);
        events.resize(static_cast<std::size_t>(next), shown);
    }
    return events;
}

} // namespace vramscope
