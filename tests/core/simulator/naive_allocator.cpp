// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/core/simulator/naive_allocator.h"

#include <algorithm>
#include <cmath>

namespace vramscope::test {

namespace {

constexpr std::int64_t kMinBlockSize = 512;
constexpr std::int64_t kSmallSize = 1048576;
constexpr std::int64_t kSmallBuffer = 2097152;
constexpr std::int64_t kMinLargeAlloc = 10485760;
constexpr std::int64_t kRoundLarge = 2097152;

using State = NaiveBlock::State;

std::uint64_t endOf(const NaiveBlock &block)
{
    return block.address + std::uint64_t(block.size);
}

} // namespace

std::int64_t NaiveAllocator::round(std::int64_t size) const
{
    if (size < kMinBlockSize)
        return kMinBlockSize;
    const int log = int(std::floor(std::log2(double(size))));
    const int bucket = std::clamp(log - 20, 0, 15);
    const std::int64_t divisions = m_settings.rules.roundupDivisions[std::size_t(bucket)];
    if (divisions > 1 && size > kMinBlockSize * divisions) {
        std::int64_t power = 1;
        while (power * 2 <= size)
            power *= 2;
        if (power == size)
            return size;
        if (power / divisions == 0)
            return power * 2;
        std::int64_t rounded = power;
        while (rounded < size)
            rounded += power / divisions;
        return rounded;
    }
    while (size % kMinBlockSize != 0)
        ++size;
    return size;
}

std::int64_t NaiveAllocator::page(bool small) const
{
    return small ? kSmallBuffer : m_settings.rules.largeSegment;
}

std::optional<std::size_t> NaiveAllocator::previous(std::size_t at) const
{
    if (at == 0 || m_blocks[at - 1].group != m_blocks[at].group)
        return {};
    return at - 1;
}

std::optional<std::size_t> NaiveAllocator::next(std::size_t at) const
{
    if (at + 1 == m_blocks.size() || m_blocks[at + 1].group != m_blocks[at].group)
        return {};
    return at + 1;
}

std::size_t NaiveAllocator::indexOf(int id) const
{
    std::size_t at = 0;
    while (at < m_blocks.size() && m_blocks[at].id != id)
        ++at;
    return at;
}

std::size_t NaiveAllocator::indexAt(std::uint64_t address) const
{
    std::size_t at = 0;
    while (m_blocks[at].address != address)
        ++at;
    return at;
}

std::int64_t NaiveAllocator::reserved() const
{
    std::int64_t sum = 0;
    for (const NaiveBlock &block : m_blocks)
        sum += block.state == State::Unmapped ? 0 : block.size;
    return sum;
}

std::int64_t NaiveAllocator::inactiveSplit() const
{
    std::int64_t sum = 0;
    for (std::size_t at = 0; at < m_blocks.size(); ++at) {
        const NaiveBlock &block = m_blocks[at];
        if (block.state == State::Free && !block.expandable && !isWhole(at))
            sum += block.size;
    }
    return sum;
}

std::int64_t NaiveAllocator::releasable() const
{
    std::int64_t sum = 0;
    for (std::size_t at = 0; at < m_blocks.size(); ++at) {
        const NaiveBlock &block = m_blocks[at];
        if (block.state != State::Free)
            continue;
        if (!block.expandable) {
            sum += isWhole(at) ? block.size : 0;
            continue;
        }
        std::size_t first = at;
        while (previous(first))
            --first;
        const std::uint64_t step = std::uint64_t(page(block.small));
        for (std::uint64_t p = m_blocks[first].address; p < endOf(block); p += step)
            sum += p >= block.address && p + step <= endOf(block) ? std::int64_t(step) : 0;
    }
    return sum;
}

int &NaiveAllocator::searches(int pool, bool small)
{
    if (m_searches.size() <= std::size_t(pool))
        m_searches.resize(std::size_t(pool) + 1, {0, 0});
    return m_searches[std::size_t(pool)][small ? 1 : 0];
}

void NaiveAllocator::log(AllocatorAction action, int stream, std::uint64_t address,
                         std::int64_t size)
{
    m_events.push_back({action, static_cast<std::uint16_t>(stream), address, size});
}

void NaiveAllocator::insert(const NaiveBlock &block)
{
    std::size_t at = 0;
    while (at < m_blocks.size() && m_blocks[at].address < block.address)
        ++at;
    m_blocks.insert(m_blocks.begin() + std::ptrdiff_t(at), block);
}

void NaiveAllocator::becomeFree(std::size_t at)
{
    m_blocks[at].state = State::Free;
    m_blocks[at].id = -1;
    m_blocks[at].born = searches(m_blocks[at].pool, m_blocks[at].small);
}

// The free blocks of one stream, by size and then address.
std::vector<std::uint64_t> NaiveAllocator::freeOf(int pool, bool small, int stream) const
{
    std::vector<NaiveBlock> found;
    for (const NaiveBlock &block : m_blocks) {
        if (block.state == State::Free && block.pool == pool && block.small == small &&
            block.stream == stream)
            found.push_back(block);
    }
    std::stable_sort(found.begin(), found.end(),
                     [](const NaiveBlock &a, const NaiveBlock &b) { return a.size < b.size; });
    std::vector<std::uint64_t> addresses;
    for (const NaiveBlock &block : found)
        addresses.push_back(block.address);
    return addresses;
}

// Those of all streams, one stream after the other.
std::vector<std::uint64_t> NaiveAllocator::freeOf(int pool, bool small) const
{
    std::vector<int> order;
    for (std::size_t at = 0; at < m_streams.size(); ++at)
        order.push_back(int(at));
    std::sort(order.begin(), order.end(), [this](int a, int b) {
        return std::uint64_t(m_streams[std::size_t(a)]) < std::uint64_t(m_streams[std::size_t(b)]);
    });
    std::vector<std::uint64_t> addresses;
    for (const int stream : order) {
        for (const std::uint64_t address : freeOf(pool, small, stream))
            addresses.push_back(address);
    }
    return addresses;
}

std::int64_t NaiveAllocator::growsTo(std::size_t at) const
{
    const auto after = next(at);
    const bool grows = after && m_blocks[*after].state == State::Unmapped;
    return m_blocks[at].size + (grows ? m_blocks[*after].size : 0);
}

bool NaiveAllocator::malloc(int id, std::int64_t requested, int stream, int pool)
{
    const std::int64_t size = round(requested);
    const Params params{size, stream, pool, size <= kSmallSize,
                        m_settings.rules.expandable &&
                            (pool == 0 || m_settings.privatePoolsExpand)};
    auto block = getFreeBlock(params);
    if (!block) {
        const auto limit = m_settings.limit(m_capacity);
        if (limit && m_settings.garbageCollectionThreshold > 0)
            garbageCollect();
        block = allocBlock(params);
        const bool rejected = m_settings.failsBeforeDriver && !block && limit &&
                              reserved() + m_settings.rules.segmentSize(size) > *limit;
        if (!block && !rejected && releaseAvailable(params))
            block = allocBlock(params);
        if (!block && !rejected && pool == 0) {
            emptyCache();
            block = allocBlock(params);
        }
    }
    if (!block) {
        log(AllocatorAction::OutOfMemory, stream, 0, size);
        return false;
    }
    NaiveBlock &found = m_blocks[*block];
    const std::int64_t remaining = found.size - size;
    const bool split = params.small || params.expandable
                           ? remaining >= kMinBlockSize
                           : size < m_settings.rules.maxSplit && remaining > kSmallSize;
    found.state = State::Allocated;
    found.id = id;
    found.requested = requested;
    log(AllocatorAction::Alloc, stream, found.address, requested);
    if (split) {
        NaiveBlock rest = found;
        found.size = size;
        rest.address += std::uint64_t(size);
        rest.size = remaining;
        insert(rest);
        becomeFree(indexAt(rest.address));
    }
    return true;
}

std::optional<std::size_t> NaiveAllocator::getFreeBlock(const Params &params)
{
    if (m_settings.limit(m_capacity) && m_settings.garbageCollectionThreshold > 0)
        ++searches(params.pool, params.small);
    std::vector<std::size_t> candidates; // large enough, the best first
    for (const std::uint64_t address : freeOf(params.pool, params.small, params.stream)) {
        if (m_blocks[indexAt(address)].size >= params.size)
            candidates.push_back(indexAt(address));
    }
    if (candidates.empty())
        return {};
    std::size_t at = 0;
    if (m_blocks[candidates[0]].expandable && params.expandable) {
        while (at + 1 < candidates.size() && m_blocks[candidates[at]].expandable &&
               growsTo(candidates[at + 1]) < growsTo(candidates[at]))
            ++at;
    } else if (m_blocks[candidates[0]].expandable) {
        while (at < candidates.size() && m_blocks[candidates[at]].expandable)
            ++at;
        if (at == candidates.size())
            return {};
    }
    const std::int64_t size = m_blocks[candidates[at]].size;
    const std::int64_t maxSplit = m_settings.rules.maxSplit;
    if (params.size < maxSplit && size >= maxSplit)
        return {};
    if (params.size >= maxSplit && size >= params.size + m_settings.rules.maxNonSplitRounding)
        return {};
    return candidates[at];
}

std::optional<std::size_t> NaiveAllocator::allocBlock(const Params &params)
{
    std::int64_t size = params.size;
    if (size <= kSmallSize)
        size = kSmallBuffer;
    else if (size < kMinLargeAlloc)
        size = m_settings.rules.largeSegment;
    else
        size = (size + kRoundLarge - 1) / kRoundLarge * kRoundLarge;
    const auto limit = m_settings.limit(m_capacity);
    if (limit && reserved() + size > *limit)
        return {};
    if (params.expandable)
        return allocateExpandable(params);
    if (reserved() + size > m_capacity)
        return {};
    const std::uint64_t address = m_nextAddress;
    m_nextAddress += std::uint64_t((size + kRoundLarge - 1) / kRoundLarge * kRoundLarge);
    insert({.address = address,
            .size = size,
            .stream = params.stream,
            .pool = params.pool,
            .small = params.small,
            .group = ++m_groups});
    log(AllocatorAction::SegmentAlloc, params.stream, address, size);
    return indexAt(address);
}

std::optional<std::size_t> NaiveAllocator::allocateExpandable(const Params &params)
{
    const auto usable = [this](std::size_t at) {
        return m_blocks[at].state == State::Free || m_blocks[at].state == State::Unmapped;
    };
    std::optional<std::uint64_t> candidate;
    for (std::size_t at = 0; at < m_blocks.size() && !candidate; ++at) {
        const NaiveBlock &block = m_blocks[at];
        if (block.state != State::Unmapped || block.pool != params.pool ||
            block.small != params.small || block.stream != params.stream)
            continue;
        std::size_t first = at;
        if (previous(at) && usable(*previous(at)))
            first = *previous(at);
        std::int64_t room = 0;
        for (std::optional<std::size_t> each = first; each && usable(*each); each = next(*each))
            room += m_blocks[*each].size;
        if (room >= params.size)
            candidate = m_blocks[first].address;
    }
    if (!candidate) {
        const std::int64_t size = m_settings.reservation(m_capacity, !params.small);
        if (size < params.size)
            return {};
        candidate = m_nextAddress;
        insert({.address = m_nextAddress,
                .size = size,
                .stream = params.stream,
                .pool = params.pool,
                .small = params.small,
                .group = ++m_groups,
                .expandable = true,
                .state = State::Unmapped});
        m_nextAddress += std::uint64_t((size + kRoundLarge - 1) / kRoundLarge * kRoundLarge);
    }
    std::uint64_t address = *candidate;
    if (m_blocks[indexAt(address)].state == State::Unmapped &&
        !mapBlock(address, std::min(params.size, m_blocks[indexAt(address)].size)))
        return {};
    while (m_blocks[indexAt(address)].size < params.size) {
        const std::int64_t missing = params.size - m_blocks[indexAt(address)].size;
        const NaiveBlock &after = m_blocks[*next(indexAt(address))];
        std::uint64_t grown = after.address;
        if (!mapBlock(grown, std::min(missing, after.size)))
            return {};
        address = grown;
    }
    return indexAt(address);
}

// Maps whole pages from the beginning of an unmapped block; `address` becomes that of the free
// block they end up in.
bool NaiveAllocator::mapBlock(std::uint64_t &address, std::int64_t size)
{
    NaiveBlock &block = m_blocks[indexAt(address)];
    std::int64_t mapped = 0;
    while (mapped < size)
        mapped += page(block.small);
    if (reserved() + mapped > m_capacity)
        return false;
    if (mapped < block.size) {
        NaiveBlock rest = block;
        rest.address += std::uint64_t(mapped);
        rest.size -= mapped;
        block.size = mapped;
        insert(rest);
    }
    becomeFree(indexAt(address));
    const NaiveBlock before = m_blocks[indexAt(address)];
    address = m_blocks[merged(indexAt(address))].address;
    log(AllocatorAction::SegmentMap, before.stream, before.address, mapped);
    return true;
}

// Joins a block with neighbours that are free as it is free, or unmapped as it is; where it is now.
std::size_t NaiveAllocator::merged(std::size_t at)
{
    const auto join = [this](std::size_t first) {
        m_blocks[first].size += m_blocks[first + 1].size;
        m_blocks[first].born = searches(m_blocks[first].pool, m_blocks[first].small);
        m_blocks.erase(m_blocks.begin() + std::ptrdiff_t(first) + 1);
        return first;
    };
    if (previous(at) && m_blocks[at - 1].state == m_blocks[at].state)
        at = join(at - 1);
    if (next(at) && m_blocks[at + 1].state == m_blocks[at].state)
        at = join(at);
    return at;
}

void NaiveAllocator::free(int id)
{
    const NaiveBlock &block = m_blocks[indexOf(id)];
    log(AllocatorAction::FreeRequested, block.stream, block.address, block.requested);
    freeBlock(id);
}

void NaiveAllocator::freeLater(int id)
{
    NaiveBlock &block = m_blocks[indexOf(id)];
    log(AllocatorAction::FreeRequested, block.stream, block.address, block.requested);
    block.state = State::Pending;
    m_pending.push_back(id);
}

void NaiveAllocator::streamsAreDone(int id)
{
    if (std::erase(m_pending, id) > 0)
        freeBlock(id);
}

void NaiveAllocator::freeBlock(int id)
{
    const std::size_t at = indexOf(id);
    const NaiveBlock &block = m_blocks[at];
    log(AllocatorAction::FreeCompleted, block.stream, block.address, block.requested);
    becomeFree(at);
    merged(at);
}

void NaiveAllocator::garbageCollect()
{
    const std::int64_t threshold =
        std::int64_t(m_settings.garbageCollectionThreshold * double(*m_settings.limit(m_capacity)));
    if (reserved() <= threshold)
        return;
    const std::int64_t target = reserved() - threshold;
    std::int64_t reclaimed = 0;
    bool freed = true;
    while (reclaimed < target && freed) {
        std::vector<std::uint64_t> whole;
        double age = 0;
        for (const std::uint64_t address : freeOf(0, false)) {
            if (!isWhole(indexAt(address)))
                continue;
            whole.push_back(address);
            age += searches(0, false) - m_blocks[indexAt(address)].born;
        }
        freed = false;
        const double mean = age / double(whole.size());
        for (const std::uint64_t address : whole) {
            const NaiveBlock block = m_blocks[indexAt(address)];
            if (block.expandable || searches(0, false) - block.born < mean)
                continue;
            freed = true;
            reclaimed += block.size;
            releaseBlock(address);
        }
    }
}

bool NaiveAllocator::releaseAvailable(const Params &params)
{
    const std::int64_t maxSplit = m_settings.rules.maxSplit;
    if (maxSplit == AllocatorRules::kUnlimited)
        return false;
    const std::int64_t key = std::max(params.size, maxSplit);
    std::vector<std::uint64_t> below;
    for (const std::uint64_t address : freeOf(params.pool, params.small, params.stream)) {
        const NaiveBlock &block = m_blocks[indexAt(address)];
        if (block.size < key) {
            below.push_back(address);
        } else if (!block.expandable) {
            releaseBlock(address);
            return true;
        } else {
            break;
        }
    }
    std::int64_t released = 0;
    for (auto address = below.rbegin(); address != below.rend() && released < key; ++address) {
        const NaiveBlock block = m_blocks[indexAt(*address)];
        if (block.size < maxSplit)
            break;
        if (block.expandable)
            continue;
        released += block.size;
        releaseBlock(*address);
    }
    return released >= key;
}

void NaiveAllocator::emptyCache()
{
    for (const int id : std::vector<int>(m_pending))
        streamsAreDone(id);
    releaseBlocks(0, false);
    releaseBlocks(0, true);
    for (const int pool : m_abandoned)
        emptyPool(pool);
}

// The last graph or MemPool that uses it is gone.
void NaiveAllocator::abandon(int pool)
{
    std::vector<int> others;
    for (const int other : m_abandoned) {
        if (other != pool)
            others.push_back(other);
    }
    m_abandoned = others;
    m_abandoned.push_back(pool);
}

void NaiveAllocator::emptyPool(int pool)
{
    releaseBlocks(pool, true);
    releaseBlocks(pool, false);
}

void NaiveAllocator::releaseBlocks(int pool, bool small)
{
    std::vector<std::uint64_t> toUnmap;
    for (const std::uint64_t address : freeOf(pool, small)) {
        if (m_blocks[indexAt(address)].expandable)
            toUnmap.push_back(address);
        else if (isWhole(indexAt(address)))
            releaseBlock(address);
    }
    for (const std::uint64_t address : toUnmap)
        unmapBlock(address);
}

void NaiveAllocator::releaseBlock(std::uint64_t address)
{
    const std::size_t at = indexAt(address);
    log(AllocatorAction::SegmentFree, m_blocks[at].stream, address, m_blocks[at].size);
    m_blocks.erase(m_blocks.begin() + std::ptrdiff_t(at));
}

void NaiveAllocator::unmapBlock(std::uint64_t address)
{
    std::size_t at = indexAt(address);
    std::size_t first = at;
    while (previous(first))
        --first;
    const NaiveBlock block = m_blocks[at];
    const std::uint64_t step = std::uint64_t(page(block.small));
    std::uint64_t begin = m_blocks[first].address;
    while (begin < block.address)
        begin += step;
    std::uint64_t end = begin;
    while (end + step <= endOf(block))
        end += step;
    if (begin >= end)
        return;
    m_blocks.erase(m_blocks.begin() + std::ptrdiff_t(at));
    const auto add = [&](std::uint64_t from, std::uint64_t to, State state) {
        NaiveBlock part = block;
        part.address = from;
        part.size = std::int64_t(to - from);
        part.state = state;
        if (from < to)
            insert(part);
        if (from < to && state == State::Free)
            becomeFree(indexAt(from));
    };
    add(block.address, begin, State::Free);
    add(begin, end, State::Unmapped);
    add(end, endOf(block), State::Free);
    at = merged(indexAt(begin));
    log(AllocatorAction::SegmentUnmap, block.stream, begin, std::int64_t(end - begin));
    if (isWhole(at))
        m_blocks.erase(m_blocks.begin() + std::ptrdiff_t(at));
}

} // namespace vramscope::test
