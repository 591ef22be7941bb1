// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/readers/event_store.h"

#include "core/base/expected_rows.h"

#include <algorithm>

namespace vramscope::pickle {

std::uint64_t EventStore::add(const Event &event)
{
    m_pending.append(event);
    return count() - 1;
}

std::optional<EventStore::ListId> EventStore::addList(std::int64_t offset)
{
    constexpr std::size_t kMostLists = 65536; // a list is a device
    if (m_lists.size() == kMostLists)
        return {};
    m_lists.emplace_back();
    m_lastBegin = offset;
    return static_cast<ListId>(m_lists.size() - 1);
}

void EventStore::expectRest(ListId list, std::int64_t offset, std::int64_t bytes)
{
    if (list + 1 == m_lists.size())
        m_lists[list].expect(
            expectedInAll(m_lists[list].count(), offset - m_lastBegin, bytes - m_lastBegin));
}

bool EventStore::claim(ListId list, std::uint64_t first)
{
    if (first < m_pendingFirst)
        return false;
    const std::uint64_t next = count();
    move(static_cast<std::size_t>(first - m_pendingFirst), list);
    if (m_pending.count() > 0)
        move(0, 0);
    m_pendingFirst = next;
    return true;
}

void EventStore::move(std::size_t firstRow, ListId list)
{
    const Run run{m_pendingFirst + firstRow, m_lists[list].count(), list};
    // Only the very next number can: those between would belong to another run.
    const bool continues =
        firstRow == 0 && !m_runs.empty() && m_runs.back().list == list &&
        run.firstNumber - m_runs.back().firstNumber == run.firstRow - m_runs.back().firstRow;
    if (!continues) {
        const auto place = std::ranges::upper_bound(m_runs, run.firstNumber, {}, &Run::firstNumber);
        m_runs.insert(place, run);
    }
    m_pending.moveTail(firstRow, m_lists[list]);
}

std::optional<Event> EventStore::event(std::uint64_t number) const
{
    if (number >= m_pendingFirst)
        return m_pending.event(static_cast<std::size_t>(number - m_pendingFirst));
    const auto run = std::ranges::upper_bound(m_runs, number, {}, &Run::firstNumber) - 1;
    const auto row = static_cast<std::size_t>(run->firstRow + (number - run->firstNumber));
    if (row >= m_lists[run->list].count())
        return {}; // taken with its list
    return m_lists[run->list].event(row);
}

} // namespace vramscope::pickle
