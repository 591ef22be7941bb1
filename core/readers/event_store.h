// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/trace/trace_builder.h"

#include <cstdint>
#include <optional>
#include <vector>

namespace vramscope::pickle {

/// Stores events until their device is known. An event gets a number and is written into a pending
/// log when its dict is filled; when a list receives the last pending ones, they move to the log of
/// that list as a whole. In the file a device's list comes before its place among the devices.
class EventStore
{
public:
    using ListId = std::uint32_t;

    /// Writes an event and returns its number.
    std::uint64_t add(const Event &event);
    /// A new, empty list at about `offset` in the file; nothing if there are more lists than any
    /// snapshot has.
    std::optional<ListId> addList(std::int64_t offset);
    /// Moves the events numbered `first` and up, the last ones added, to the end of `list`. Returns
    /// false and does nothing if not all of them are still pending.
    bool claim(ListId list, std::uint64_t first);
    /// `offset` of `bytes` of the file are read: reserves room for what the rest may add to a list.
    void expectRest(ListId list, std::int64_t offset, std::int64_t bytes);
    /// Appends one event to a list.
    void append(ListId list, const Event &event) { m_lists[list].append(event); }
    /// The event with a number, wherever it is now; nothing if it was taken with its list.
    [[nodiscard]] std::optional<Event> event(std::uint64_t number) const;
    /// The count of numbers so far, which is the next event's number.
    [[nodiscard]] std::uint64_t count() const { return m_pendingFirst + m_pending.count(); }
    /// Takes the events of a list out of the store.
    EventLog take(ListId list) { return std::move(m_lists[list]); }

private:
    /// Events of consecutive numbers in consecutive rows of one log.
    struct Run
    {
        std::uint64_t firstNumber = 0;
        std::uint64_t firstRow = 0;
        ListId list = 0;
    };
    void move(std::size_t firstRow, ListId list);

    EventLog m_pending;
    std::uint64_t m_pendingFirst = 0;          // number of the first pending event
    std::vector<EventLog> m_lists{EventLog()}; // the first holds events that no list claimed
    std::int64_t m_lastBegin = 0;              // where the last list begins
    std::vector<Run> m_runs;
};

} // namespace vramscope::pickle
