// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/simulator/allocator_log.h"
#include "core/simulator/allocator_settings.h"
#include "core/simulator/block_table.h"
#include "core/simulator/driver.h"

#include <span>
#include <vector>

namespace vramscope {

/// A block that exists before the first request.
struct EarlierBlock
{
    Bytes size = 0;
    Bytes requested = 0;
    AllocationId allocation = kNobody; ///< for a block in use
    SimulatedState state = SimulatedState::Free;
};

/// A cudaMalloc, or the reserved addresses of an expandable segment, before the first request.
struct EarlierSegment
{
    std::uint64_t address = 0;
    MemoryDomain domain{};
    bool expandable = false;
};

/// PyTorch's caching allocator on one device (c10/cuda/CUDACachingAllocator.cpp): takes requests in
/// program order and does what it would do under `settings`: best fit by (size, address) within a
/// pool, stream and size class, splitting and merging, expandable segments, and on a miss the whole
/// sequence of garbage collection, new memory, releasing cached memory and trying again. The caller
/// supplies what depends on time: when a free that waits for another stream completes. Not
/// modelled, because neither a recording nor a configuration has them: pools marked no_split or
/// use_on_oom, callbacks that free memory, and pools that are restored from a checkpoint.
class CachingAllocator
{
public:
    /// `streams`: the cudaStream_t of each stream number, by which memory is searched and released.
    /// `capacity`: the base of a memory fraction and of the size of expandable segments.
    CachingAllocator(const AllocatorSettings &settings, Bytes capacity,
                     std::span<const std::int64_t> streams, Driver &driver,
                     AllocatorLog *log = nullptr);

    /// Adds memory from before the first request: `blocks` follow each other from the segment's
    /// address. Free neighbours must be one block.
    void addSegment(const EarlierSegment &segment, std::span<const EarlierBlock> blocks);

    /// False when out of memory. `pool` 0 is the default pool, others are private ones.
    bool allocate(AllocationId allocation, Bytes requested, std::uint16_t stream,
                  std::uint16_t pool);
    /// Frees a block that no other stream uses. Unknown allocations are ignored here and below.
    void free(AllocationId allocation);
    /// Requests the free of a block that another stream still uses …
    void requestFree(AllocationId allocation);
    /// … which is now done, unless a retry has already waited for it.
    void completeFree(AllocationId allocation);
    /// torch.cuda.empty_cache().
    void emptyCache() { releaseCached(); }
    /// No one will use this private pool again: from now on its free memory is returned with other
    /// cached memory, after the pools that were abandoned before.
    void abandonPool(std::uint16_t pool);
    /// Returns the free memory of this private pool, and nothing else.
    void emptyPool(std::uint16_t pool);

    [[nodiscard]] const AllocatorFigures &figures() const { return m_table.figures(); }
    [[nodiscard]] bool holds(AllocationId allocation) const;
    /// All blocks by address, unmapped ones too.
    [[nodiscard]] std::vector<PlacedBlock> blocks() const { return m_table.blocks(); }

private:
    struct Wish
    {
        Bytes size; ///< rounded
        std::uint32_t domain;
        bool expands;
        bool isPrivate;
    };

    [[nodiscard]] Block &at(BlockId id) { return m_table.block(id); }
    BlockId findFree(const Wish &wish);
    BlockId onMiss(const Wish &wish);
    void place(BlockId block, const Wish &wish, Bytes requested, AllocationId allocation);
    void complete(BlockId block);

    // New memory.
    [[nodiscard]] bool exceedsLimit(const Wish &wish) const;
    BlockId newMemory(const Wish &wish);
    BlockId newSegment(const Wish &wish);
    BlockId expand(const Wish &wish);
    BlockId expandable(const Wish &wish);
    [[nodiscard]] bool hasRoom(BlockId from, Bytes size);
    bool map(BlockId block, Bytes size);

    // Returned memory.
    void collectGarbage();
    bool releaseAvailable(const Wish &wish);
    void releaseCached();
    void releaseCached(std::uint16_t pool, bool large);
    void releaseSegment(BlockId block);
    void unmap(BlockId block);

    void record(AllocatorAction action, const Block &block, Bytes size);

    AllocatorSettings m_settings;
    Bytes m_capacity;
    std::optional<Bytes> m_limit;
    Driver &m_driver;
    AllocatorLog *m_log;
    BlockTable m_table;
    std::vector<BlockId> m_blockOf;      // by allocation
    std::vector<AllocationId> m_waiting; // some have completed already
    std::vector<std::uint16_t> m_abandoned;
};

} // namespace vramscope
