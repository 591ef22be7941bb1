// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/analysis/replayed/lifetimes.h"
#include "core/base/progress.h"
#include "core/trace/trace.h"

#include <unordered_map>
#include <vector>

namespace vramscope {

/// Index into Allocations.
using AllocationIndex = LifeIndex;
inline constexpr AllocationIndex kNoAllocation = kNoLife;

/// Every allocation of one device as a lifetime, sorted by birth (ties: by order of discovery). It
/// lives "after event e" exactly when birth <= e < death: from its alloc to its free_completed (to
/// its free_requested if a trace records no completions). birth -1: alive before the first event;
/// death = number of events: alive at the end. Rules of initial liveness and of repeated addresses:
/// allocations.cpp. Immutable once built.
class Allocations : public Lifetimes
{
public:
    /// Takes time and memory linear in the events. Keeps no reference to the trace. Left empty if
    /// `progress` asks to stop.
    explicit Allocations(const DeviceTrace &trace, const Progress &progress = {});

    /// The last event of the recording.
    [[nodiscard]] EventIndex lastEvent() const { return m_events - 1; }

    /// Where an allocation was freed, in the same trace; None if that is not recorded.
    [[nodiscard]] StackId freeStack(const DeviceTrace &trace, AllocationIndex allocation) const;

    /// For an allocation from before the recording that is freed in it, the stack of the free: that
    /// of the allocation is not recorded. None for all others.
    [[nodiscard]] StackId freedIn(AllocationIndex allocation) const
    {
        const auto at = static_cast<std::size_t>(allocation) - m_firstFreed;
        return at < m_freedIn.size() ? m_freedIn[at] : StackId::None;
    }

    /// The metadata of an allocation of `trace`: the last note made while it lived, else the note
    /// made when it was allocated; otherwise empty.
    [[nodiscard]] ContextId noteOf(const DeviceTrace &trace, AllocationIndex allocation) const;

    /// Replaces the sizes, which until then are the requested bytes, by the bytes of every block
    /// from AddressSpace::replay().
    void setBlockSizes(std::vector<Bytes> blocks);

    // Columns in addition to those of Lifetimes, whose sizes are block sizes, which the allocator
    // counts as allocated.
    std::vector<Bytes> requested; ///< what the caller asked for
    /// Event of the request; = death if it is not recorded separately; -1: before the first event.
    std::vector<EventIndex> freeRequested;
    std::vector<std::uint64_t> address;
    IdColumn<StackId> stack; ///< of the allocation; None if it was not recorded
    IdColumn<StreamId> stream;
    IdColumn<PoolId> pool; ///< from the segment if events do not have it (before PyTorch 2.12)

private:
    void findNotes(const DeviceTrace &trace);
    void reserve(std::size_t total);
    void clear();
    void findPools(const DeviceTrace &trace);

    EventIndex m_events = 0;
    std::size_t m_firstFreed = 0; ///< the first allocation that m_freedIn is about
    std::vector<StackId> m_freedIn;
    std::unordered_map<AllocationIndex, EventIndex> m_notes; ///< rare: the last event of each
};

/// A block in use at the end of the recording, with its segment.
struct ActiveBlock
{
    FinalBlock block;
    StreamId stream{};
    PoolId pool = PoolId::Default;
};

/// The blocks of the final state that are not inactive, by address; if a file lists an address
/// twice, the last counts.
[[nodiscard]] std::vector<ActiveBlock> activeBlocks(const DeviceTrace &trace);

} // namespace vramscope
