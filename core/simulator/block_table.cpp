// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/simulator/block_table.h"

#include <algorithm>
#include <cassert>

namespace vramscope {

namespace {

std::uint32_t halfName(std::uint16_t pool, bool large)
{
    return std::uint32_t(pool) * 2 + (large ? 1 : 0);
}

} // namespace

std::uint32_t BlockTable::domainOf(const MemoryDomain &name)
{
    const std::uint32_t half = halfName(name.pool, name.large);
    const auto [entry, isNew] =
        m_domainIds.try_emplace(std::uint64_t(half) << 16U | name.stream, m_domains.size());
    if (!isNew)
        return entry->second;
    const auto [place, isFirst] = m_halfIds.try_emplace(half, m_halves.size());
    if (isFirst)
        m_halves.emplace_back();
    m_domains.push_back({name, place->second, FreeSet(&m_memory),
                         std::pmr::map<std::uint64_t, BlockId>(&m_memory)});
    // Compared as pointers, which cudaStream_t are.
    const auto streamOf = [this](std::uint32_t domain) {
        return static_cast<std::uint64_t>(m_streams[m_domains[domain].name.stream]);
    };
    std::vector<std::uint32_t> &domains = m_halves[place->second].domains;
    domains.insert(std::ranges::upper_bound(domains, streamOf(entry->second), {}, streamOf),
                   entry->second);
    return entry->second;
}

BlockTable::Half *BlockTable::half(std::uint16_t pool, bool large)
{
    const auto found = m_halfIds.find(halfName(pool, large));
    return found == m_halfIds.end() ? nullptr : &m_halves[found->second];
}

std::uint32_t BlockTable::addReservation(std::uint64_t address, Bytes page)
{
    m_reservations.push_back({address, page});
    return static_cast<std::uint32_t>(m_reservations.size() - 1);
}

AddressRange BlockTable::pagesIn(const Block &block) const
{
    const Reservation &reserved = m_reservations[block.reservation];
    const auto page = static_cast<std::uint64_t>(reserved.page);
    const std::uint64_t offset = block.address - reserved.address;
    const std::uint64_t first = (offset + page - 1) / page * page;
    const std::uint64_t last = (offset + static_cast<std::uint64_t>(block.size)) / page * page;
    if (first >= last)
        return {block.address, 0};
    return {reserved.address + first, static_cast<Bytes>(last - first)};
}

BlockId BlockTable::create(const Block &block)
{
    if (m_unused.empty()) {
        m_blocks.push_back(block);
        return static_cast<BlockId>(m_blocks.size() - 1);
    }
    const BlockId id = m_unused.back();
    m_unused.pop_back();
    m_blocks[id] = block;
    return id;
}

void BlockTable::remove(BlockId id)
{
    const Block &gone = m_blocks[id];
    if (gone.previous != kNoBlock)
        m_blocks[gone.previous].next = gone.next;
    if (gone.next != kNoBlock)
        m_blocks[gone.next].previous = gone.previous;
    m_blocks[id].size = 0;
    m_unused.push_back(id);
}

BlockId BlockTable::cut(BlockId id, Bytes size)
{
    Block rest = m_blocks[id];
    assert(size > 0 && size < rest.size);
    rest.address += static_cast<std::uint64_t>(size);
    rest.size -= size;
    rest.previous = id;
    rest.allocation = kNobody;
    const BlockId created = create(rest);
    if (rest.next != kNoBlock)
        m_blocks[rest.next].previous = created;
    m_blocks[id].size = size;
    m_blocks[id].next = created;
    return created;
}

void BlockTable::absorb(BlockId id, BlockId neighbour)
{
    if (neighbour == kNoBlock)
        return;
    const SimulatedState theirs = m_blocks[neighbour].state;
    const bool mapped = m_blocks[id].state != SimulatedState::Unmapped;
    if (theirs != (mapped ? SimulatedState::Free : SimulatedState::Unmapped))
        return;
    if (mapped)
        eraseFree(neighbour);
    else
        eraseUnmapped(neighbour);
    if (m_blocks[id].previous == neighbour)
        m_blocks[id].address = m_blocks[neighbour].address;
    m_blocks[id].size += m_blocks[neighbour].size;
    remove(neighbour);
}

void BlockTable::countFree(const Block &block, int sign)
{
    if (block.isExpandable())
        m_figures.releasable += sign * pagesIn(block).size;
    else if (block.isSplit())
        m_figures.inactiveSplit += sign * block.size;
    else
        m_figures.releasable += sign * block.size;
}

void BlockTable::insertFree(BlockId id)
{
    Block &block = m_blocks[id];
    Domain &domain = m_domains[block.domain];
    block.state = SimulatedState::Free;
    block.allocation = kNobody;
    block.freedAt = m_halves[domain.half].searches;
    domain.free.insert({block.size, block.address, id});
    countFree(block, +1);
}

void BlockTable::eraseFree(BlockId id)
{
    const Block &block = m_blocks[id];
    m_domains[block.domain].free.erase({block.size, block.address, id});
    countFree(block, -1);
}

void BlockTable::insertUnmapped(BlockId id)
{
    m_blocks[id].state = SimulatedState::Unmapped;
    m_domains[m_blocks[id].domain].unmapped.emplace(m_blocks[id].address, id);
}

void BlockTable::eraseUnmapped(BlockId id)
{
    m_domains[m_blocks[id].domain].unmapped.erase(m_blocks[id].address);
}

std::vector<BlockId> BlockTable::freeBlocks(const Half &half) const
{
    std::vector<BlockId> found;
    for (const std::uint32_t domain : half.domains) {
        for (const FreeKey &key : m_domains[domain].free)
            found.push_back(key.block);
    }
    return found;
}

std::vector<PlacedBlock> BlockTable::blocks() const
{
    std::vector<PlacedBlock> placed;
    for (const Block &block : m_blocks) {
        const bool used =
            block.state == SimulatedState::Allocated || block.state == SimulatedState::Pending;
        if (block.size > 0)
            placed.push_back({block.address, block.size, used ? block.requested : 0,
                              m_domains[block.domain].name, block.allocation, block.state,
                              block.isExpandable()});
    }
    std::ranges::sort(placed, {}, &PlacedBlock::address);
    return placed;
}

} // namespace vramscope
