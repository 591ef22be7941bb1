// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/analysis/max_tree.h"
#include "core/trace/trace.h"

#include <limits>
#include <vector>

namespace vramscope {

/// Index into Allocations.
using AllocationIndex = std::uint32_t;
inline constexpr AllocationIndex kNoAllocation = std::numeric_limits<AllocationIndex>::max();

/// Every allocation of one device as a lifetime, sorted by birth (ties: by order of discovery). It
/// lives "after event e" exactly when birth <= e < death: from its alloc to its free_completed (to
/// its free_requested where a trace records no completions). birth -1: alive before the first
/// event; death = number of events: alive at the end. Rules of initial liveness and of repeated
/// addresses: allocations.cpp. Immutable once built.
class Allocations
{
public:
    /// Takes time and memory linear in the events. Keeps no reference to the trace.
    explicit Allocations(const DeviceTrace &trace);
    Allocations(const Allocations &) = delete;
    Allocations &operator=(const Allocations &) = delete;

    [[nodiscard]] AllocationIndex count() const
    {
        return static_cast<AllocationIndex>(birth.size());
    }

    /// All that live after `event` (-1 … events - 1), in order of birth, in time proportional to
    /// the answer.
    [[nodiscard]] std::vector<AllocationIndex> liveAfter(EventIndex event) const;

    /// All that live after some event of [first, last], in order of birth; likewise.
    [[nodiscard]] std::vector<AllocationIndex> overlapping(EventIndex first, EventIndex last) const;
    /// Calls visit(allocation) for each of the allocations [first, last) that dies after `event`,
    /// in order of birth; likewise.
    template<class Visit>
    void forEachDyingAfter(EventIndex event, AllocationIndex first, AllocationIndex last,
                           Visit &&visit) const
    {
        m_deaths.forEachAbove(first, last, event, [&visit](std::size_t at) {
            visit(static_cast<AllocationIndex>(at));
        });
    }

    /// The first allocation born after `event`; count() where there is none.
    [[nodiscard]] AllocationIndex firstBornAfter(EventIndex event) const;

    // Columns. Constant after construction; public because every view walks them.
    std::vector<EventIndex> birth;
    std::vector<EventIndex> death;
    std::vector<EventIndex> freeRequested; ///< event of the request; = death where it is not
                                           ///< recorded apart; -1: before the first event
    std::vector<Bytes> size;               ///< requested bytes
    std::vector<std::uint64_t> address;
    std::vector<StackId>
        stack; ///< of the allocation; of the free where the allocation was not recorded
    std::vector<StackId> freeStack; ///< None where no free of it is recorded
    std::vector<StreamId> stream;
    std::vector<PoolId>
        pool; ///< that of the segment where events do not tell (before PyTorch 2.12)

private:
    void reserve(std::size_t total);
    void findPools(const DeviceTrace &trace);

    MaxTree<EventIndex> m_deaths;
};

} // namespace vramscope
