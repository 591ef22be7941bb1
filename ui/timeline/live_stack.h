// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/analysis/allocations.h"

#include <utility>
#include <vector>

namespace vramscope {

/// The live allocations of a device at one event, stacked in order of birth, which moves forward in
/// time. A move costs what stands above the lowest change (and a logarithm a death), never the
/// events passed: what is born and dies between two stops is not even looked at.
class LiveStack
{
public:
    /// Stands after `event` and will not be asked to move beyond `horizon`.
    LiveStack(const Allocations &allocations, EventIndex event, EventIndex horizon);

    /// Moves on to the state after `event`. Returns the lowest position that changed; size() where
    /// nothing did.
    std::size_t advance(EventIndex event);

    [[nodiscard]] std::size_t size() const { return m_live.size(); }
    [[nodiscard]] AllocationIndex allocation(std::size_t position) const
    {
        return m_live[position];
    }
    /// Bytes below the upper edge of the allocation at `position`.
    [[nodiscard]] Bytes top(std::size_t position) const { return m_tops[position]; }
    [[nodiscard]] Bytes bottom(std::size_t position) const
    {
        return position == 0 ? 0 : m_tops[position - 1];
    }
    [[nodiscard]] Bytes total() const { return bottom(size()); }
    /// The position whose bytes include the byte `offset`; size() above the stack.
    [[nodiscard]] std::size_t positionOf(Bytes offset) const;

private:
    using Death = std::pair<EventIndex, AllocationIndex>;

    void push(AllocationIndex allocation);
    void removeDead(std::size_t from, EventIndex event);

    const Allocations &m_allocations;
    EventIndex m_horizon;
    AllocationIndex m_unborn; // the first allocation born after the event
    // One entry a live allocation, bottom first.
    std::vector<AllocationIndex> m_live;
    std::vector<EventIndex> m_deaths;
    std::vector<Bytes> m_tops;
    std::vector<Death> m_dying; // those that die before the horizon, a heap with the next on top
};

} // namespace vramscope
