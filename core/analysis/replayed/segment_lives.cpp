// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/analysis/replayed/segment_lives.h"

#include "core/simulator/allocator_rules.h"

#include <algorithm>
#include <map>

namespace vramscope {

namespace {

/// Walks the segment events from the last to the first over the allocated ranges.
class Rewind
{
public:
    Rewind(const DeviceTrace &trace, Bytes page)
        : m_trace(trace)
        , m_page(page)
        , m_end(trace.events.count())
    {
        for (const FinalSegment &segment : trace.segments)
            hold({segment.address, segment.size, -1, m_end, segment.stack, segment.stream,
                  segment.pool, segment.large, segment.expandable});
    }

    std::vector<SegmentLife> lives()
    {
        for (EventIndex event = m_end - 1; event >= 0; --event)
            undo(event);
        for (const auto &[address, life] : m_held)
            m_done.push_back(life);
        return std::move(m_done);
    }

    [[nodiscard]] std::int64_t contradictions() const { return m_contradictions; }

private:
    using Held = std::map<std::uint64_t, SegmentLife>;

    void undo(EventIndex event)
    {
        const EventColumns &events = m_trace.events;
        const auto at = static_cast<std::size_t>(event);
        const std::uint64_t address = events.address[at];
        const Bytes size = events.size[at];
        switch (events.action[at]) {
        case Action::SegmentAlloc:
            forget(address, size, event, false);
            break;
        case Action::SegmentMap:
            forget(address, size, event, true);
            break;
        case Action::SegmentFree:
        case Action::SegmentUnmap:
            hold(freed(event));
            break;
        default:
            break;
        }
    }

    // The range that an event frees, as far as the event describes it.
    [[nodiscard]] SegmentLife freed(EventIndex event) const
    {
        const EventColumns &events = m_trace.events;
        const auto at = static_cast<std::size_t>(event);
        SegmentLife life{events.address[at], events.size[at], -1,   event, StackId::None,
                         events.stream[at],  events.pool[at], true, false};
        life.expandable = events.action[at] == Action::SegmentUnmap;
        // Small segments have exactly that size, large ones never; pages of the large pool are
        // whole large segments.
        if (!life.expandable) {
            life.large = life.size != AllocatorRules::kSmallSegment;
            return life;
        }
        life.large = life.size % m_page == 0;
        const auto next = m_held.lower_bound(life.address);
        if (next != m_held.begin())
            adopt(life, std::prev(next)->second, std::prev(next)->second.end() == life.address);
        if (next != m_held.end())
            adopt(life, next->second, next->second.address == life.end());
        return life;
    }

    // Adjacent pages belong to one segment.
    static void adopt(SegmentLife &life, const SegmentLife &neighbour, bool touches)
    {
        if (!touches || !neighbour.expandable || neighbour.stream != life.stream)
            return;
        life.large = neighbour.large;
        life.pool = neighbour.pool;
    }

    void hold(const SegmentLife &life)
    {
        const bool fits = life.size > 0 && life.end() > life.address;
        const auto next = m_held.lower_bound(life.address);
        const bool overlaps =
            (next != m_held.end() && next->first < life.end()) ||
            (next != m_held.begin() && std::prev(next)->second.end() > life.address);
        if (!fits || overlaps) {
            m_contradictions += life.size == 0 && !overlaps ? 0 : 1;
            return;
        }
        m_held.emplace_hint(next, life.address, life);
    }

    // [address, address + size) came with `event`: its allocated ranges were born there.
    void forget(std::uint64_t address, Bytes size, EventIndex event, bool mapped)
    {
        if (size <= 0 || address + static_cast<std::uint64_t>(size) < address) {
            m_contradictions += size == 0 ? 0 : 1;
            return;
        }
        const std::uint64_t end = address + static_cast<std::uint64_t>(size);
        Held::iterator at = m_held.upper_bound(address);
        if (at != m_held.begin() && std::prev(at)->second.end() > address)
            --at;
        Bytes found = 0;
        while (at != m_held.end() && at->first < end && at->second.expandable == mapped)
            at = cut(at, address, end, event, found);
        m_contradictions += found == size ? 0 : 1;
    }

    // Takes the part of `at` inside [address, end) out; returns the range after it.
    Held::iterator cut(Held::iterator at, std::uint64_t address, std::uint64_t end,
                       EventIndex event, Bytes &found)
    {
        const SegmentLife whole = at->second;
        SegmentLife part = whole;
        part.address = std::max(whole.address, address);
        part.size = static_cast<Bytes>(std::min(whole.end(), end) - part.address);
        part.birth = event;
        const auto place = static_cast<std::size_t>(event);
        if (m_trace.events.stack[place] != StackId::None)
            part.stack = m_trace.events.stack[place];
        found += part.size;
        m_done.push_back(part);
        at = m_held.erase(at);
        const auto keep = [&](std::uint64_t from, std::uint64_t to) {
            if (from >= to)
                return;
            SegmentLife rest = whole;
            rest.address = from;
            rest.size = static_cast<Bytes>(to - from);
            m_held.emplace(from, rest);
        };
        keep(whole.address, part.address);
        keep(part.end(), whole.end());
        return m_held.lower_bound(part.end());
    }

    const DeviceTrace &m_trace;
    Bytes m_page;
    EventIndex m_end;
    Held m_held;
    std::vector<SegmentLife> m_done;
    std::int64_t m_contradictions = 0;
};

} // namespace

SegmentLives::SegmentLives(const DeviceTrace &trace, Bytes page)
{
    Rewind rewind(trace, page);
    m_lives = rewind.lives();
    m_contradictions = rewind.contradictions();
    std::ranges::sort(m_lives, [](const SegmentLife &a, const SegmentLife &b) {
        return a.birth != b.birth ? a.birth < b.birth : a.address < b.address;
    });
    m_deathTimes.reserve(m_lives.size());
    for (const SegmentLife &life : m_lives)
        m_deathTimes.push_back(life.death);
    m_deaths = MaxTree<EventIndex>(m_deathTimes);
}

std::vector<SegmentLife> SegmentLives::heldAfter(EventIndex event) const
{
    const auto born = std::ranges::upper_bound(m_lives, event, {}, &SegmentLife::birth);
    std::vector<SegmentLife> held;
    m_deaths.forEachAbove(0, static_cast<std::size_t>(born - m_lives.begin()), event,
                          [&](std::size_t at) { held.push_back(m_lives[at]); });
    std::ranges::sort(held, {}, &SegmentLife::address);
    return held;
}

namespace {

/// One column of the segments.
template<class Value>
std::vector<Value> columnOf(const SegmentLives &segments, Value SegmentLife::*member)
{
    std::vector<Value> column;
    for (const SegmentLife &life : segments.all())
        column.push_back(life.*member);
    return column;
}

} // namespace

SegmentHistory::SegmentHistory(const SegmentLives &segments, const EventColumns &columns)
    : lives(columnOf(segments, &SegmentLife::birth), columnOf(segments, &SegmentLife::death),
            columnOf(segments, &SegmentLife::size))
{
    for (EventIndex event = 0; event < columns.count(); ++event) {
        const auto action =
            static_cast<std::size_t>(columns.action[static_cast<std::size_t>(event)]);
        const auto first = static_cast<std::size_t>(Action::SegmentAlloc);
        if (action >= first && action < first + events.size())
            events[action - first].push_back(event);
    }
}

} // namespace vramscope
