// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/simulator/caching_allocator.h"

#include <algorithm>
#include <cassert>
#include <functional>
#include <utility>

/// How the allocator gets memory from the driver and returns it.
namespace vramscope {

// Expandable segments grow by the missing bytes, but the limit is checked against a whole segment.
bool CachingAllocator::exceedsLimit(const Wish &wish) const
{
    return m_limit &&
           m_settings.rules.segmentSize(wish.size) > *m_limit - m_table.figures().reserved;
}

BlockId CachingAllocator::newMemory(const Wish &wish)
{
    if (exceedsLimit(wish))
        return kNoBlock;
    const BlockId block = wish.expands ? expand(wish) : newSegment(wish);
    AllocatorFigures &figures = m_table.figures();
    figures.peakReserved = std::max(figures.peakReserved, figures.reserved);
    return block;
}

BlockId CachingAllocator::newSegment(const Wish &wish)
{
    const Bytes size = m_settings.rules.segmentSize(wish.size);
    const std::optional<std::uint64_t> address = m_driver.allocate(size);
    if (!address)
        return kNoBlock;
    m_table.figures().reserved += size;
    ++m_table.figures().driverAllocations;
    const BlockId id = m_table.create({.address = *address, .size = size, .domain = wish.domain});
    record(AllocatorAction::SegmentAlloc, at(id), size);
    return id;
}

BlockId CachingAllocator::expand(const Wish &wish)
{
    BlockId id = expandable(wish);
    if (id == kNoBlock)
        return kNoBlock;
    const bool mapped = at(id).state != SimulatedState::Unmapped;
    if (!mapped && !map(id, std::min(at(id).size, wish.size)))
        return kNoBlock;
    while (at(id).size < wish.size) { // free, then unmapped, and so on
        const BlockId next = at(id).next;
        assert(next != kNoBlock && at(next).state == SimulatedState::Unmapped);
        if (!map(next, std::min(at(next).size, wish.size - at(id).size)))
            return kNoBlock;
        id = next; // to which the free one has been joined
    }
    m_table.eraseFree(id);
    return id;
}

/// The lowest addresses that are free, unmapped or both and long enough, beginning at unmapped ones
/// or at the free block before them; else those of a new expandable segment.
BlockId CachingAllocator::expandable(const Wish &wish)
{
    for (const auto &[address, unmapped] : m_table.domain(wish.domain).unmapped) {
        const BlockId before = at(unmapped).previous;
        const bool joins = before != kNoBlock && at(before).state == SimulatedState::Free;
        const BlockId first = joins ? before : unmapped;
        if (hasRoom(first, wish.size))
            return first;
    }
    const bool large = m_table.domain(wish.domain).name.large;
    const Bytes size = m_settings.reservation(m_capacity, large);
    const std::optional<std::uint64_t> address =
        size < wish.size ? std::nullopt : m_driver.reserve(size);
    if (!address)
        return kNoBlock;
    const std::uint32_t reservation =
        m_table.addReservation(*address, m_settings.rules.pageSize(large));
    const BlockId id = m_table.create({.address = *address,
                                       .size = size,
                                       .domain = wish.domain,
                                       .reservation = reservation,
                                       .state = SimulatedState::Unmapped});
    m_table.insertUnmapped(id);
    return id;
}

bool CachingAllocator::hasRoom(BlockId from, Bytes size)
{
    Bytes found = 0;
    for (BlockId id = from; id != kNoBlock && found < size; id = at(id).next) {
        if (at(id).state != SimulatedState::Free && at(id).state != SimulatedState::Unmapped)
            return false;
        found += at(id).size;
    }
    return found >= size;
}

// Maps memory for the first `size` bytes of an unmapped block, in whole pages.
bool CachingAllocator::map(BlockId id, Bytes size)
{
    const Bytes page = m_table.reservation(at(id).reservation).page;
    const Bytes mapped = std::min(at(id).size, (size + page - 1) / page * page);
    const std::uint64_t address = at(id).address;
    if (!m_driver.map(address, mapped))
        return false;
    m_table.eraseUnmapped(id);
    if (mapped < at(id).size)
        m_table.insertUnmapped(m_table.cut(id, mapped));
    at(id).state = SimulatedState::Free;
    m_table.absorb(id, at(id).previous);
    m_table.absorb(id, at(id).next);
    m_table.insertFree(id);
    m_table.figures().reserved += mapped;
    ++m_table.figures().driverAllocations;
    if (m_log)
        m_log->record({AllocatorAction::SegmentMap, m_table.domain(at(id).domain).name.stream,
                       address, mapped});
    return true;
}

/// Returns free segments of the default pool that were unused for longer than the average, until
/// the reserved bytes are below the threshold. Never waits for another stream.
void CachingAllocator::collectGarbage()
{
    BlockTable::Half *const half = m_table.half(0, true);
    if (half == nullptr)
        return;
    const auto threshold = [&](Bytes limit) {
        return static_cast<Bytes>(m_settings.garbageCollectionThreshold *
                                  static_cast<double>(limit));
    };
    const Bytes wanted = m_limit ? m_table.figures().reserved - threshold(*m_limit) : 0;
    const auto goesOn = [&](BlockId first, Bytes released) {
        return m_driver.collects(at(first).address).value_or(released < wanted);
    };
    std::vector<BlockId> candidates = m_table.freeBlocks(*half);
    std::erase_if(candidates, [&](BlockId id) { return at(id).isSplit(); });
    const auto age = [&](BlockId id) { return half->searches - at(id).freedAt; };
    std::uint64_t ages = 0;
    for (const BlockId id : candidates)
        ages += age(id);
    Bytes released = 0;
    while (!candidates.empty()) {
        const double mean = static_cast<double>(ages) / static_cast<double>(candidates.size());
        const auto isOld = [&](BlockId id) {
            return !at(id).isExpandable() && static_cast<double>(age(id)) >= mean;
        };
        const auto old =
            std::stable_partition(candidates.begin(), candidates.end(), std::not_fn(isOld));
        if (old == candidates.end() || !goesOn(*old, released))
            return;
        for (auto each = old; each != candidates.end(); ++each) {
            released += at(*each).size;
            ages -= age(*each);
            releaseSegment(*each);
        }
        candidates.erase(old, candidates.end());
    }
}

/// Under max_split_size: returns one free oversize block of the domain that is as large as the
/// request, else the largest ones until their sum is.
bool CachingAllocator::releaseAvailable(const Wish &wish)
{
    const Bytes least = m_settings.rules.maxSplit;
    if (least == AllocatorRules::kUnlimited)
        return false;
    const Bytes wanted = std::max(wish.size, least);
    BlockTable::FreeSet &free = m_table.domain(wish.domain).free;
    auto found = free.lower_bound({wanted, 0, 0});
    if (found != free.end() && !at(found->block).isExpandable()) {
        releaseSegment(found->block);
        return true;
    }
    std::vector<BlockId> chosen;
    Bytes released = 0;
    while (found != free.begin() && released < wanted) {
        --found;
        if (found->size < least)
            break;
        if (at(found->block).isExpandable())
            continue;
        released += found->size;
        chosen.push_back(found->block);
    }
    for (const BlockId id : chosen)
        releaseSegment(id);
    return released >= wanted;
}

void CachingAllocator::releaseCached()
{
    ++m_table.figures().synchronizations;
    std::erase_if(m_waiting, [&](AllocationId allocation) {
        return !holds(allocation) || at(m_blockOf[allocation]).state != SimulatedState::Pending;
    });
    m_driver.order(m_waiting);
    for (const AllocationId allocation : std::exchange(m_waiting, {}))
        completeFree(allocation);
    releaseCached(0, true);
    releaseCached(0, false);
    for (const std::uint16_t pool : m_abandoned)
        emptyPool(pool);
}

void CachingAllocator::abandonPool(std::uint16_t pool)
{
    std::erase(m_abandoned, pool);
    m_abandoned.push_back(pool);
}

void CachingAllocator::emptyPool(std::uint16_t pool)
{
    releaseCached(pool, false);
    releaseCached(pool, true);
}

void CachingAllocator::releaseCached(std::uint16_t pool, bool large)
{
    BlockTable::Half *const half = m_table.half(pool, large);
    if (half == nullptr)
        return;
    std::vector<BlockId> pages;
    for (const BlockId id : m_table.freeBlocks(*half)) {
        if (at(id).isExpandable())
            pages.push_back(id);
        else if (!at(id).isSplit())
            releaseSegment(id);
    }
    for (const BlockId id : pages)
        unmap(id);
}

void CachingAllocator::releaseSegment(BlockId id)
{
    const Bytes size = at(id).size;
    m_table.eraseFree(id);
    m_table.figures().reserved -= size;
    ++m_table.figures().driverFrees;
    m_driver.free(at(id).address, size);
    record(AllocatorAction::SegmentFree, at(id), size);
    m_table.remove(id);
}

// Returns the whole pages of a free block, and the addresses when no page is left.
void CachingAllocator::unmap(BlockId id)
{
    const AddressRange pages = m_table.pagesIn(at(id));
    if (pages.size == 0)
        return;
    m_table.eraseFree(id);
    const auto before = static_cast<Bytes>(pages.address - at(id).address);
    if (before > 0) {
        const BlockId rest = m_table.cut(id, before);
        m_table.insertFree(id);
        id = rest;
    }
    if (at(id).size > pages.size)
        m_table.insertFree(m_table.cut(id, pages.size));
    at(id).state = SimulatedState::Unmapped;
    m_table.absorb(id, at(id).previous);
    m_table.absorb(id, at(id).next);
    m_table.insertUnmapped(id);
    m_table.figures().reserved -= pages.size;
    ++m_table.figures().driverFrees;
    m_driver.unmap(pages.size);
    if (m_log)
        m_log->record({AllocatorAction::SegmentUnmap, m_table.domain(at(id).domain).name.stream,
                       pages.address, pages.size});
    if (!at(id).isSplit()) {
        m_table.eraseUnmapped(id);
        m_table.remove(id);
    }
}

} // namespace vramscope
