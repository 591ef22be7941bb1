// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/simulator/caching_allocator.h"

#include <algorithm>
#include <cassert>

namespace vramscope {

namespace {

constexpr Bytes kMostRequested = Bytes(1) << 50; // above: beyond any device, and sums would not fit

} // namespace

CachingAllocator::CachingAllocator(const AllocatorSettings &settings, Bytes capacity,
                                   std::span<const std::int64_t> streams, Driver &driver,
                                   AllocatorLog *log)
    : m_settings(settings)
    , m_capacity(capacity)
    , m_limit(settings.limit(capacity))
    , m_driver(driver)
    , m_log(log)
    , m_table(streams)
{
}

void CachingAllocator::addSegment(const EarlierSegment &segment,
                                  std::span<const EarlierBlock> blocks)
{
    const std::uint32_t domain = m_table.domainOf(segment.domain);
    Block block{.address = segment.address, .domain = domain};
    if (segment.expandable)
        block.reservation = m_table.addReservation(segment.address,
                                                   m_settings.rules.pageSize(segment.domain.large));
    AllocatorFigures &figures = m_table.figures();
    std::vector<BlockId> free;
    for (const EarlierBlock &earlier : blocks) {
        block.size = earlier.size;
        block.requested = earlier.requested;
        block.allocation = earlier.allocation;
        block.state = earlier.state;
        const BlockId id = m_table.create(block);
        if (block.previous != kNoBlock)
            at(block.previous).next = id;
        block.previous = id;
        block.address += static_cast<std::uint64_t>(earlier.size);
        if (earlier.state == SimulatedState::Unmapped) {
            m_table.insertUnmapped(id);
            continue;
        }
        figures.reserved += earlier.size;
        m_driver.adopt(earlier.size);
        if (earlier.state == SimulatedState::Free) {
            free.push_back(id);
            continue;
        }
        figures.active += earlier.size;
        figures.requested += earlier.requested;
        if (earlier.state == SimulatedState::Allocated)
            figures.allocated += earlier.size;
        else
            m_waiting.push_back(earlier.allocation);
        if (earlier.allocation >= m_blockOf.size())
            m_blockOf.resize(std::size_t(earlier.allocation) + 1, kNoBlock);
        m_blockOf[earlier.allocation] = id;
    }
    for (const BlockId id : free) // now that their neighbours are known
        m_table.insertFree(id);
    figures.peakReserved = std::max(figures.peakReserved, figures.reserved);
    figures.peakAllocated = std::max(figures.peakAllocated, figures.allocated);
    figures.peakActive = std::max(figures.peakActive, figures.active);
}

void CachingAllocator::record(AllocatorAction action, const Block &block, Bytes size)
{
    if (m_log)
        m_log->record({action, m_table.domain(block.domain).name.stream, block.address, size});
}

bool CachingAllocator::holds(AllocationId allocation) const
{
    return allocation < m_blockOf.size() && m_blockOf[allocation] != kNoBlock;
}

bool CachingAllocator::allocate(AllocationId allocation, Bytes requested, std::uint16_t stream,
                                std::uint16_t pool)
{
    assert(!holds(allocation));
    requested = std::clamp(requested, Bytes(0), kMostRequested);
    const Bytes size = m_settings.rules.rounded(requested);
    const bool large = AllocatorRules::isLarge(size);
    const Wish wish{size, m_table.domainOf({pool, stream, large}), m_settings.expands(pool != 0),
                    pool != 0};
    BlockId block = findFree(wish);
    if (block == kNoBlock)
        block = onMiss(wish);
    if (block == kNoBlock) {
        ++m_table.figures().outOfMemory;
        if (m_log)
            m_log->record({AllocatorAction::OutOfMemory, stream, 0, size});
        return false;
    }
    place(block, wish, requested, allocation);
    return true;
}

/// The smallest block that is large enough, the lowest address among equals; with two exceptions.
/// Among blocks that could still grow it is the one that can grow least; and blocks beyond
/// max_split_size only serve requests that are beyond it too, and hardly smaller. Only the one
/// candidate is examined.
BlockId CachingAllocator::findFree(const Wish &wish)
{
    BlockTable::Domain &domain = m_table.domain(wish.domain);
    if (m_settings.garbageCollectionThreshold > 0)
        ++m_table.halfOf(domain).searches;
    auto found = domain.free.lower_bound({wish.size, 0, 0});
    const auto end = domain.free.end();
    if (found == end)
        return kNoBlock;
    const auto isExpandable = [&](auto key) { return at(key->block).isExpandable(); };
    if (isExpandable(found) && wish.expands) {
        const auto growsTo = [&](auto key) {
            const Block &block = at(key->block);
            const bool grows =
                block.next != kNoBlock && at(block.next).state == SimulatedState::Unmapped;
            return block.size + (grows ? at(block.next).size : 0);
        };
        for (auto next = std::next(found); m_settings.prefersLeastGrowth && isExpandable(found) &&
                                           next != end && growsTo(next) < growsTo(found);
             ++next)
            found = next;
    } else if (isExpandable(found)) { // the setting was on before
        while (found != end && isExpandable(found))
            ++found;
        if (found == end)
            return kNoBlock;
    }
    const AllocatorRules &rules = m_settings.rules;
    const bool oversize = wish.size >= rules.maxSplit;
    if (!oversize && found->size >= rules.maxSplit)
        return kNoBlock;
    if (oversize && found->size >= wish.size + rules.maxNonSplitRounding)
        return kNoBlock;
    const BlockId block = found->block;
    m_table.eraseFree(block);
    return block;
}

BlockId CachingAllocator::onMiss(const Wish &wish)
{
    if (m_settings.garbageCollectionThreshold > 0)
        collectGarbage();
    if (m_settings.failsBeforeDriver && exceedsLimit(wish))
        return kNoBlock;
    BlockId block = newMemory(wish);
    if (block == kNoBlock && releaseAvailable(wish))
        block = newMemory(wish);
    // While a pool is in use, as during the capture of a graph, waiting is not allowed.
    if (block == kNoBlock && !wish.isPrivate) {
        releaseCached();
        ++m_table.figures().retries;
        block = newMemory(wish);
    }
    return block;
}

void CachingAllocator::place(BlockId id, const Wish &wish, Bytes requested, AllocationId allocation)
{
    const bool large = m_table.domain(wish.domain).name.large;
    const Bytes rest = at(id).size - wish.size;
    if (rest > 0 && m_settings.rules.splits(wish.size, rest, large, wish.expands))
        m_table.insertFree(m_table.cut(id, wish.size));
    Block &block = at(id);
    block.state = SimulatedState::Allocated;
    block.requested = requested;
    block.allocation = allocation;
    if (allocation >= m_blockOf.size())
        m_blockOf.resize(std::max(std::size_t(allocation) + 1, m_blockOf.size() * 2), kNoBlock);
    m_blockOf[allocation] = id;
    AllocatorFigures &figures = m_table.figures();
    figures.allocated += block.size;
    figures.active += block.size;
    figures.requested += requested;
    figures.peakAllocated = std::max(figures.peakAllocated, figures.allocated);
    figures.peakActive = std::max(figures.peakActive, figures.active);
    record(AllocatorAction::Alloc, block, requested);
}

void CachingAllocator::requestFree(AllocationId allocation)
{
    if (!holds(allocation) || at(m_blockOf[allocation]).state != SimulatedState::Allocated)
        return;
    Block &block = at(m_blockOf[allocation]);
    m_table.figures().allocated -= block.size;
    record(AllocatorAction::FreeRequested, block, block.requested);
    block.state = SimulatedState::Pending;
    m_waiting.push_back(allocation);
}

void CachingAllocator::completeFree(AllocationId allocation)
{
    if (holds(allocation) && at(m_blockOf[allocation]).state == SimulatedState::Pending)
        complete(m_blockOf[allocation]);
}

void CachingAllocator::free(AllocationId allocation)
{
    if (!holds(allocation) || at(m_blockOf[allocation]).state != SimulatedState::Allocated)
        return;
    Block &block = at(m_blockOf[allocation]);
    m_table.figures().allocated -= block.size;
    record(AllocatorAction::FreeRequested, block, block.requested);
    complete(m_blockOf[allocation]);
}

void CachingAllocator::complete(BlockId id)
{
    const Block &block = at(id);
    m_blockOf[block.allocation] = kNoBlock;
    m_table.figures().active -= block.size;
    m_table.figures().requested -= block.requested;
    record(AllocatorAction::FreeCompleted, block, block.requested);
    m_table.absorb(id, block.previous);
    m_table.absorb(id, at(id).next);
    m_table.insertFree(id);
}

} // namespace vramscope
