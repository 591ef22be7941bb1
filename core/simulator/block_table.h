// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/simulator/allocator_log.h"
#include "core/simulator/driver.h"

#include <compare>
#include <cstdint>
#include <map>
#include <memory_resource>
#include <set>
#include <span>
#include <unordered_map>
#include <vector>

namespace vramscope {

using BlockId = std::uint32_t;
inline constexpr BlockId kNoBlock = 0xffffffffU;
inline constexpr std::uint32_t kNoReservation = 0xffffffffU;

enum class SimulatedState : std::uint8_t {
    Free,
    Allocated,
    Pending,  ///< freed, but another stream still uses it
    Unmapped, ///< addresses of an expandable segment without memory
};

/// Restricts the use of memory, which never moves between domains.
struct MemoryDomain
{
    std::uint16_t pool = 0; ///< 0: the default one
    std::uint16_t stream = 0;
    bool large = false;
    bool operator==(const MemoryDomain &) const = default;
};

/// A range of addresses. Neighbours belong to the same cudaMalloc or expandable segment.
struct Block
{
    std::uint64_t address = 0;
    Bytes size = 0;
    Bytes requested = 0; ///< of the last allocation that used it
    BlockId previous = kNoBlock;
    BlockId next = kNoBlock;
    std::uint32_t domain = 0;
    std::uint32_t reservation = kNoReservation; ///< of an expandable segment
    AllocationId allocation = kNobody;
    std::uint32_t freedAt = 0; ///< searches of its pool until then
    SimulatedState state = SimulatedState::Free;

    [[nodiscard]] bool isSplit() const { return previous != kNoBlock || next != kNoBlock; }
    [[nodiscard]] bool isExpandable() const { return reservation != kNoReservation; }
};

/// The addresses of an expandable segment.
struct Reservation
{
    std::uint64_t address = 0;
    Bytes page = 0;
};

struct AddressRange
{
    std::uint64_t address = 0;
    Bytes size = 0;
};

/// A block in the list at the end.
struct PlacedBlock
{
    std::uint64_t address = 0;
    Bytes size = 0;
    Bytes requested = 0; ///< 0 if it is not in use
    MemoryDomain domain{};
    AllocationId allocation = kNobody;
    SimulatedState state = SimulatedState::Free;
    bool expandable = false;
    bool operator==(const PlacedBlock &) const = default;
};

/// The blocks of one device in their domains, the free ones ordered by size and address, with the
/// sums over them. Implements how blocks are cut and joined, not when.
class BlockTable
{
public:
    struct FreeKey
    {
        Bytes size;
        std::uint64_t address;
        BlockId block;
        auto operator<=>(const FreeKey &) const = default;
    };
    using FreeSet = std::pmr::set<FreeKey>;
    struct Domain
    {
        MemoryDomain name;
        std::uint32_t half = 0;
        FreeSet free;
        std::pmr::map<std::uint64_t, BlockId> unmapped; ///< by address
    };
    /// The large or the small blocks of a pool, which are searched and released together.
    struct Half
    {
        std::vector<std::uint32_t> domains; ///< by cudaStream_t
        std::uint32_t searches = 0;
    };

    explicit BlockTable(std::span<const std::int64_t> streams)
        : m_streams(streams.begin(), streams.end())
    {
    }
    BlockTable(const BlockTable &) = delete;
    BlockTable &operator=(const BlockTable &) = delete;

    [[nodiscard]] Block &block(BlockId id) { return m_blocks[id]; }
    [[nodiscard]] const Block &block(BlockId id) const { return m_blocks[id]; }
    [[nodiscard]] std::uint32_t domainOf(const MemoryDomain &name);
    [[nodiscard]] Domain &domain(std::uint32_t id) { return m_domains[id]; }
    /// Null if the pool never had a block.
    [[nodiscard]] Half *half(std::uint16_t pool, bool large);
    [[nodiscard]] Half &halfOf(const Domain &domain) { return m_halves[domain.half]; }
    [[nodiscard]] AllocatorFigures &figures() { return m_figures; }
    [[nodiscard]] const AllocatorFigures &figures() const { return m_figures; }

    std::uint32_t addReservation(std::uint64_t address, Bytes page);
    [[nodiscard]] const Reservation &reservation(std::uint32_t id) const
    {
        return m_reservations[id];
    }
    /// The whole pages inside a block of an expandable segment.
    [[nodiscard]] AddressRange pagesIn(const Block &block) const;

    BlockId create(const Block &block);
    /// Removes a block that is in no set; its neighbours no longer know it.
    void remove(BlockId id);
    /// Cuts the block, which is in no set, after `size` bytes; returns the rest, a new block in no
    /// set.
    BlockId cut(BlockId id, Bytes size);
    /// Joins the free or unmapped neighbour to the block if both have memory or neither has.
    void absorb(BlockId id, BlockId neighbour);
    void insertFree(BlockId id);
    void eraseFree(BlockId id);
    void insertUnmapped(BlockId id);
    void eraseUnmapped(BlockId id);
    /// The free blocks of a half in its order.
    [[nodiscard]] std::vector<BlockId> freeBlocks(const Half &half) const;
    /// All blocks by address.
    [[nodiscard]] std::vector<PlacedBlock> blocks() const;

private:
    void countFree(const Block &block, int sign);

    std::pmr::unsynchronized_pool_resource m_memory;
    std::vector<std::int64_t> m_streams;
    std::vector<Block> m_blocks;
    std::vector<BlockId> m_unused;
    std::vector<Domain> m_domains;
    std::unordered_map<std::uint64_t, std::uint32_t> m_domainIds;
    std::vector<Half> m_halves;
    std::unordered_map<std::uint32_t, std::uint32_t> m_halfIds;
    std::vector<Reservation> m_reservations;
    AllocatorFigures m_figures;
};

} // namespace vramscope
