// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/support/allocator_model.h"

#include <algorithm>
#include <utility>

namespace vramscope::test {

namespace {

using State = ModelBlock::State;

constexpr Bytes kSmallest = 512;
constexpr Bytes kLargestSmall = kMiB;
constexpr Bytes kSmallPage = 2 * kMiB;
constexpr Bytes kLargePage = 20 * kMiB;
constexpr std::uint64_t kReservationGap = std::uint64_t(1) << 40U;

Bytes roundUp(Bytes size, Bytes step)
{
    return (size + step - 1) / step * step;
}

Bytes segmentSize(Bytes size)
{
    if (size <= kLargestSmall)
        return kSmallPage;
    return size < 10 * kMiB ? kLargePage : roundUp(size, 2 * kMiB);
}

Bytes pageSize(const ModelSegment &segment)
{
    return segment.small ? kSmallPage : kLargePage;
}

std::uint64_t endOf(const std::pair<const std::uint64_t, ModelBlock> &entry)
{
    return entry.first + static_cast<std::uint64_t>(entry.second.size);
}

bool isWholeFree(const ModelSegment &segment)
{
    return segment.blocks.size() == 1 && segment.blocks.begin()->second.state == State::Free;
}

} // namespace

AllocatorModel::AllocatorModel(Bytes capacity, bool expandable)
    : m_capacity(capacity)
    , m_expandable(expandable)
{
}

void AllocatorModel::record(Action action, std::uint64_t address, Bytes size, std::int64_t stream,
                            ModelCaller caller)
{
    const auto event = static_cast<EventIndex>(m_events.size());
    m_clock += 1 + static_cast<std::int64_t>(m_random() % 6);
    const auto next = m_segments.upper_bound(address);
    const bool failed = action == Action::OutOfMemory;
    const int pool = failed || next == m_segments.begin() ? m_pool : std::prev(next)->second.pool;
    m_events.push_back({action, address, size, stream, pool, m_clock, caller});
    if (action == Action::Alloc)
        m_truth.active += std::prev(next)->second.blocks.at(address).size;
    else if (action == Action::FreeCompleted)
        m_truth.active -= std::prev(next)->second.blocks.at(address).size;
    else if (action == Action::SegmentAlloc || action == Action::SegmentMap)
        m_truth.reserved += size;
    else if (action == Action::SegmentFree || action == Action::SegmentUnmap)
        m_truth.reserved -= size;
    if (m_truth.active > m_truth.peakActive) {
        m_truth.peakActive = m_truth.active;
        m_truth.peakActiveEvent = event;
    }
    m_truth.peakReserved = std::max(m_truth.peakReserved, m_truth.reserved);
}

std::optional<AllocatorModel::Block> AllocatorModel::allocate(Bytes requested, int stack,
                                                              std::int64_t stream)
{
    const ModelCaller caller = called(stack);
    completePending(caller, false);
    const Bytes size = roundUp(std::max(requested, kSmallest), kSmallest);
    const Request request{size, stream, size <= kLargestSmall, caller};
    std::optional<Block> found = bestFit(request);
    if (!found)
        found = newMemory(request);
    if (!found && m_pool == 0) { // nothing is waited for while a private pool is in use
        releaseCached(caller);
        found = newMemory(request);
    }
    if (!found) {
        record(Action::OutOfMemory, static_cast<std::uint64_t>(m_capacity - m_truth.reserved), size,
               stream, caller);
        return std::nullopt;
    }
    ModelSegment &segment = m_segments.at(found->segment);
    ModelBlock &block = segment.blocks.at(found->address);
    const Bytes rest = block.size - size;
    if (segment.small || segment.expandable ? rest >= kSmallest : rest > kLargestSmall) {
        block.size = size;
        segment.blocks[found->address + static_cast<std::uint64_t>(size)] = {rest};
    }
    block.requested = requested;
    block.state = State::Allocated;
    block.caller = caller;
    record(Action::Alloc, found->address, requested, stream, caller);
    return found;
}

void AllocatorModel::free(Block block, int stack)
{
    const ModelCaller caller = called(stack);
    requestFree(block, caller, 0);
    m_pending.pop_back();
    complete(block, caller);
}

void AllocatorModel::freeLater(Block block, int stack, std::int64_t microseconds)
{
    requestFree(block, called(stack), microseconds);
}

void AllocatorModel::emptyCache(int stack)
{
    releaseCached(called(stack));
}

void AllocatorModel::requestFree(Block block, ModelCaller caller, std::int64_t microseconds)
{
    ModelSegment &segment = m_segments.at(block.segment);
    ModelBlock &freed = segment.blocks.at(block.address);
    freed.state = State::PendingFree;
    record(Action::FreeRequested, block.address, freed.requested, segment.stream, caller);
    m_pending.push_back({block, m_clock + microseconds});
}

void AllocatorModel::complete(Block block, ModelCaller caller)
{
    ModelSegment &segment = m_segments.at(block.segment);
    ModelBlock &freed = segment.blocks.at(block.address);
    record(Action::FreeCompleted, block.address, freed.requested, segment.stream, caller);
    freed.state = State::Free;
    merge(segment, block.address);
}

void AllocatorModel::completePending(ModelCaller caller, bool wait)
{
    const std::vector<Pending> pending = std::exchange(m_pending, {});
    for (const Pending &one : pending) {
        if (wait || one.ready <= m_clock)
            complete(one.block, caller);
        else
            m_pending.push_back(one);
    }
}

// The large blocks of the default pool first, then its small ones, then private pools; of each by
// stream, size and address, those that are whole segments before those of expandable ones.
void AllocatorModel::releaseCached(ModelCaller caller)
{
    completePending(caller, true);
    using Place = std::tuple<int, bool, bool, std::uint64_t, Bytes, std::uint64_t, std::uint64_t>;
    std::vector<Place> places;
    for (const auto &[start, segment] : m_segments) {
        for (const auto &[address, block] : segment.blocks) {
            if (block.state == State::Free && (segment.expandable || isWholeFree(segment)))
                places.emplace_back(segment.pool, segment.small == (segment.pool == 0),
                                    segment.expandable, segment.stream, block.size, address, start);
        }
    }
    std::ranges::sort(places);
    for (const auto &[pool, half, expandable, stream, size, address, start] : places) {
        ModelSegment &segment = m_segments.at(start);
        if (expandable) {
            unmap(segment, address, caller);
            continue;
        }
        m_clock += 200; // cudaFree synchronises
        record(Action::SegmentFree, start, size, segment.stream, caller);
        m_segments.erase(start);
    }
}

// The smallest block that is large enough; of expandable ones the first, from there on, of which
// the next could not grow to less.
std::optional<AllocatorModel::Block> AllocatorModel::bestFit(const Request &request) const
{
    struct Candidate
    {
        Bytes size;
        Block block;
        Bytes growsTo;
        bool expandable;
    };
    std::vector<Candidate> candidates;
    for (const auto &[start, segment] : m_segments) {
        if (segment.stream != request.stream || segment.small != request.small ||
            segment.pool != m_pool)
            continue;
        for (auto at = segment.blocks.begin(); at != segment.blocks.end(); ++at) {
            if (at->second.state != State::Free || at->second.size < request.size)
                continue;
            const auto next = std::next(at);
            const bool grows =
                next != segment.blocks.end() && next->second.state == State::Unmapped;
            candidates.push_back({at->second.size,
                                  {start, at->first},
                                  at->second.size + (grows ? next->second.size : 0),
                                  segment.expandable});
        }
    }
    if (candidates.empty())
        return std::nullopt;
    std::ranges::sort(candidates, {}, [](const Candidate &candidate) {
        return std::pair(candidate.size, candidate.block.address);
    });
    std::size_t best = 0;
    while (candidates[best].expandable && best + 1 < candidates.size() &&
           candidates[best + 1].growsTo < candidates[best].growsTo)
        ++best;
    return candidates[best].block;
}

std::optional<AllocatorModel::Block> AllocatorModel::newMemory(const Request &request)
{
    return m_expandable ? expand(request) : newSegment(request);
}

std::optional<AllocatorModel::Block> AllocatorModel::newSegment(const Request &request)
{
    const Bytes size = segmentSize(request.size);
    if (m_truth.reserved + size > m_capacity)
        return std::nullopt;
    m_clock += 150; // cudaMalloc
    const std::uint64_t address = m_nextAddress;
    m_nextAddress += static_cast<std::uint64_t>(roundUp(size, kSmallPage));
    m_segments[address] = {address,        request.stream,     m_pool, request.small, false,
                           request.caller, {{address, {size}}}};
    record(Action::SegmentAlloc, address, size, request.stream, request.caller);
    return Block{address, address};
}

ModelSegment &AllocatorModel::reservation(const Request &request)
{
    for (auto &[address, segment] : m_segments) {
        if (segment.expandable && segment.stream == request.stream &&
            segment.small == request.small && segment.pool == m_pool)
            return segment;
    }
    const std::uint64_t address = m_nextAddress;
    m_nextAddress += kReservationGap;
    const Bytes size = roundUp(m_capacity + m_capacity / 8, kLargePage);
    const ModelBlock unmapped{size, 0, State::Unmapped};
    ModelSegment segment{address, request.stream, m_pool, request.small, true, request.caller, {}};
    segment.blocks[address] = unmapped;
    return m_segments[address] = segment;
}

// Starts at the first unmapped range after which, with the free block before it and what follows,
// there is room.
std::optional<AllocatorModel::Block> AllocatorModel::expand(const Request &request)
{
    ModelSegment &segment = reservation(request);
    for (auto at = segment.blocks.begin(); at != segment.blocks.end(); ++at) {
        if (at->second.state != State::Unmapped)
            continue;
        auto first = at;
        if (at != segment.blocks.begin() && std::prev(at)->second.state == State::Free)
            --first;
        Bytes room = 0;
        for (auto next = first;
             next != segment.blocks.end() && room < request.size &&
             (next->second.state == State::Free || next->second.state == State::Unmapped);
             ++next)
            room += next->second.size;
        if (room >= request.size)
            return mapUntil(segment, first->first, request);
    }
    return std::nullopt;
}

std::optional<AllocatorModel::Block>
AllocatorModel::mapUntil(ModelSegment &segment, std::uint64_t start, const Request &request)
{
    while (true) {
        auto first = segment.blocks.find(start);
        const bool begun = first->second.state == State::Free;
        const Bytes have = begun ? first->second.size : 0;
        if (have >= request.size)
            return Block{segment.address, start};
        const auto range = begun ? std::next(first) : first;
        const Bytes bytes =
            std::min(range->second.size, roundUp(request.size - have, pageSize(segment)));
        if (m_truth.reserved + bytes > m_capacity)
            return std::nullopt;
        const std::uint64_t address = range->first;
        if (range->second.size > bytes)
            segment.blocks[address + static_cast<std::uint64_t>(bytes)] = {
                range->second.size - bytes, 0, State::Unmapped};
        range->second = {bytes};
        m_clock += 80;
        record(Action::SegmentMap, address, bytes, segment.stream, request.caller);
        merge(segment, address);
    }
}

// The whole pages of a free block.
void AllocatorModel::unmap(ModelSegment &segment, std::uint64_t address, ModelCaller caller)
{
    const Bytes page = pageSize(segment);
    const auto entry = *segment.blocks.find(address);
    const auto offset = [&](std::uint64_t at) { return static_cast<Bytes>(at - segment.address); };
    const Bytes begin = roundUp(offset(address), page);
    const Bytes end = offset(endOf(entry)) / page * page;
    if (begin >= end)
        return;
    const std::uint64_t from = segment.address + static_cast<std::uint64_t>(begin);
    const std::uint64_t to = segment.address + static_cast<std::uint64_t>(end);
    segment.blocks.erase(address);
    if (address < from)
        segment.blocks[address] = {static_cast<Bytes>(from - address)};
    if (to < endOf(entry))
        segment.blocks[to] = {static_cast<Bytes>(endOf(entry) - to)};
    segment.blocks[from] = {end - begin, 0, State::Unmapped};
    m_clock += 120;
    record(Action::SegmentUnmap, from, end - begin, segment.stream, caller);
    merge(segment, from);
}

// Joins a free or unmapped block with neighbours of the same state.
void AllocatorModel::merge(ModelSegment &segment, std::uint64_t address)
{
    auto block = segment.blocks.find(address);
    if (const auto next = std::next(block);
        next != segment.blocks.end() && next->second.state == block->second.state) {
        block->second.size += next->second.size;
        segment.blocks.erase(next);
    }
    if (block == segment.blocks.begin())
        return;
    const auto before = std::prev(block);
    if (before->second.state == block->second.state) {
        before->second.size += block->second.size;
        segment.blocks.erase(block);
    }
}

std::vector<ModelSegment> AllocatorModel::segments() const
{
    std::vector<ModelSegment> mapped;
    for (const auto &[address, segment] : m_segments) {
        bool open = false; // the last of `mapped` reaches up to the next block
        for (const auto &[start, block] : segment.blocks) {
            if (block.state == State::Unmapped) {
                open = false;
                continue;
            }
            if (!open) {
                mapped.push_back(segment);
                mapped.back().address = start;
                mapped.back().blocks.clear();
                open = true;
            }
            mapped.back().blocks[start] = block;
        }
    }
    return mapped;
}

} // namespace vramscope::test
