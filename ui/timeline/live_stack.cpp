// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/timeline/live_stack.h"

#include <algorithm>
#include <functional>

namespace vramscope {

LiveStack::LiveStack(const Allocations &allocations, EventIndex event, EventIndex horizon)
    : m_allocations(allocations)
    , m_horizon(horizon)
    , m_unborn(allocations.firstBornAfter(event))
{
    for (const AllocationIndex allocation : allocations.liveAfter(event))
        push(allocation);
}

std::size_t LiveStack::advance(EventIndex event)
{
    std::size_t lowest = size();
    while (!m_dying.empty() && m_dying.front().first <= event) {
        const auto at = std::ranges::lower_bound(m_live, m_dying.front().second);
        lowest = std::min(lowest, static_cast<std::size_t>(at - m_live.begin()));
        std::ranges::pop_heap(m_dying, std::greater());
        m_dying.pop_back();
    }
    removeDead(lowest, event);

    const AllocationIndex unborn = m_allocations.firstBornAfter(event);
    m_allocations.forEachDyingAfter(event, m_unborn, unborn,
                                    [this](AllocationIndex born) { push(born); });
    m_unborn = std::max(m_unborn, unborn);
    return lowest;
}

std::size_t LiveStack::positionOf(Bytes offset) const
{
    return static_cast<std::size_t>(std::ranges::upper_bound(m_tops, offset) - m_tops.begin());
}

void LiveStack::push(AllocationIndex allocation)
{
    const EventIndex death = m_allocations.death[allocation];
    const Bytes below = total();
    m_live.push_back(allocation);
    m_deaths.push_back(death);
    m_tops.push_back(wrappingSum(below, m_allocations.size[allocation]));
    if (death <= m_horizon) {
        m_dying.emplace_back(death, allocation);
        std::ranges::push_heap(m_dying, std::greater());
    }
}

void LiveStack::removeDead(std::size_t from, EventIndex event)
{
    std::size_t to = from;
    Bytes formerTop = bottom(from);
    Bytes newTop = formerTop;
    for (std::size_t at = from; at < m_live.size(); ++at) {
        const Bytes bytes = wrappingDifference(m_tops[at], formerTop);
        formerTop = m_tops[at];
        if (m_deaths[at] <= event)
            continue;
        newTop = wrappingSum(newTop, bytes);
        m_live[to] = m_live[at];
        m_deaths[to] = m_deaths[at];
        m_tops[to] = newTop;
        ++to;
    }
    m_live.resize(to);
    m_deaths.resize(to);
    m_tops.resize(to);
}

} // namespace vramscope
