// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/analysis/replayed/address_space.h"

#include "core/analysis/replayed/allocations.h"
#include "core/analysis/replayed/recorded_settings.h"
#include "core/analysis/replayed/space_nodes.h"

#include <algorithm>
#include <map>
#include <numeric>
#include <tuple>

namespace vramscope {

namespace {

struct AddressRun
{
    std::uint64_t address = 0;
    Bytes size = 0;
};

/// The whole pages, which begin at `phase` modulo the page, in a range of addresses.
AddressRun wholePages(std::uint64_t address, Bytes size, Bytes pageSize, std::uint64_t phase)
{
    const auto page = static_cast<std::uint64_t>(pageSize);
    const std::uint64_t shifted = address - phase % page;
    const std::uint64_t first = (shifted + page - 1) / page * page;
    const std::uint64_t last = (shifted + static_cast<std::uint64_t>(size)) / page * page;
    if (last <= first)
        return {};
    return {first + phase % page, static_cast<Bytes>(last - first)};
}

/// The part of a free range that the allocator could return to the driver.
Bytes releasableOf(const SpaceNode &node)
{
    if (node.owner != kNoAllocation)
        return 0;
    if (!node.expandable)
        return node.size == node.page ? node.size : 0;
    return wholePages(node.address, node.size, node.page, static_cast<std::uint64_t>(node.phase))
        .size;
}

/// A hole of a segment, with the part that the allocator could return.
Region holeIn(const SegmentLife &segment, std::uint64_t address, Bytes size,
              const AllocatorRules &rules)
{
    AddressRun free;
    if (segment.expandable)
        free = wholePages(address, size, rules.pageSize(segment.large), segment.address);
    else if (size == segment.size)
        free = {address, size};
    return {
        .address = address, .size = size, .releasableFrom = free.address, .releasable = free.size};
}

} // namespace

class SpaceReplay
{
public:
    using Sizes = std::unordered_map<AllocationIndex, Bytes>;

    /// `known`: sizes of blocks that are missing in the file, from an earlier replay.
    SpaceReplay(const DeviceTrace &trace, const AllocatorRules &rules, const Sizes &known,
                BandsKept kept, AddressSpace &space)
        : m_trace(trace)
        , m_rules(rules)
        , m_known(known)
        , m_kept(kept)
        , m_space(space)
        , m_allocations(space.m_allocations)
        , m_lives(space.m_segments.all())
    {
        m_space.m_consistency.contradictorySegments = space.m_segments.contradictions();
    }

    /// Sizes of blocks that were only found later in the replay.
    [[nodiscard]] Sizes takeLearned() { return std::move(m_learned); }

    bool run(const Progress &progress)
    {
        prepare();
        start();
        const EventIndex count = m_trace.events.count();
        for (EventIndex event = 0; event < count; ++event) {
            if (!goesOn(progress, event, count, 16'384))
                return false;
            step(event);
            record(event);
        }
        compareWithEnd();
        return true;
    }

private:
    using Index = SpaceNodes::Index;
    static constexpr Index kNone = SpaceNodes::kNone;

    // The order in which ranges end, and the sizes in the file.
    void prepare()
    {
        m_going.resize(m_lives.size());
        std::iota(m_going.begin(), m_going.end(), std::size_t(0));
        std::ranges::stable_sort(m_going, {}, [&](std::size_t at) { return m_lives[at].death; });
        m_end = activeBlocks(m_trace);
        if (m_kept == BandsKept::Every)
            m_space.m_bands.reserve(static_cast<std::size_t>(m_trace.events.count()) + 1);
    }

    void start()
    {
        while (m_nextBirth < m_lives.size() && m_lives[m_nextBirth].birth < 0)
            addRange(m_nextBirth++);
        // The last address first: a block without a free block of its own after it reaches up to
        // the next.
        std::vector<AllocationIndex> before(m_allocations.firstBornAfter(-1));
        std::iota(before.begin(), before.end(), AllocationIndex(0));
        std::ranges::stable_sort(before, std::greater<>{},
                                 [&](AllocationIndex at) { return m_allocations.address[at]; });
        for (const AllocationIndex allocation : before)
            place(allocation, -1);
        m_nextAllocation = static_cast<AllocationIndex>(before.size());
        record(-1);
    }

    void step(EventIndex event)
    {
        while (m_nextDeath < m_going.size() && m_lives[m_going[m_nextDeath]].death <= event)
            removeRange(m_lives[m_going[m_nextDeath++]], event);
        while (m_nextBirth < m_lives.size() && m_lives[m_nextBirth].birth <= event)
            addRange(m_nextBirth++);
        const auto at = static_cast<std::size_t>(event);
        const Action action = m_trace.events.action[at];
        if (action == Action::Alloc || action == Action::FreeRequested ||
            action == Action::FreeCompleted)
            free(m_trace.events.address[at], event);
        while (m_nextAllocation < m_allocations.count() &&
               m_allocations.birth[m_nextAllocation] <= event)
            place(m_nextAllocation++, event);
    }

    void record(EventIndex event)
    {
        m_now.stranded = m_free - m_now.releasable;
        if (m_kept == BandsKept::Every)
            m_space.m_bands.append(m_now);
        if (event < 0 || m_now.stranded > m_mostStranded) {
            m_mostStranded = m_now.stranded;
            m_space.m_mostStranded = event;
        }
    }

    void count(const SpaceNode &node, int sign)
    {
        if (node.owner != kNoAllocation)
            return;
        m_free += sign * node.size;
        m_now.releasable += sign * releasableOf(node);
    }

    void addRange(std::size_t index)
    {
        const SegmentLife &life = m_lives[index];
        SpaceNode node{.address = life.address,
                       .size = life.size,
                       .segment = static_cast<std::uint32_t>(index),
                       .page = life.size,
                       .expandable = life.expandable};
        if (life.expandable) {
            const auto [family, isNew] = m_families.try_emplace(
                {life.stream, life.pool, life.large}, static_cast<std::uint32_t>(index));
            node.segment = family->second;
            node.page = m_rules.pageSize(life.large);
            node.phase = static_cast<Bytes>(life.address % static_cast<std::uint64_t>(node.page));
        }
        const Index there = m_nodes.beginningAt(life.address);
        const Index at =
            there != kNone ? there : m_nodes.insertBehind(m_nodes.lastUpTo(life.address), node);
        count(m_nodes[at], +1);
        merge(at);
    }

    void merge(Index at)
    {
        if (const Index next = m_nodes.next(at); next != kNone && areOne(at, next))
            swallow(at, next);
        if (const Index previous = m_nodes.previous(at); previous != kNone && areOne(previous, at))
            swallow(previous, at);
    }

    [[nodiscard]] bool areOne(Index first, Index second) const
    {
        const SpaceNode &a = m_nodes[first];
        const SpaceNode &b = m_nodes[second];
        return a.owner == kNoAllocation && b.owner == kNoAllocation && a.segment == b.segment &&
               a.end() == b.address;
    }

    void swallow(Index at, Index next)
    {
        count(m_nodes[at], -1);
        count(m_nodes[next], -1);
        m_nodes[at].size += m_nodes[next].size;
        m_nodes.erase(next);
        count(m_nodes[at], +1);
    }

    // Takes [address, address + size) out of the free range `at`, which contains it; the rest stays
    // free. Returns the node of the taken part, which no count includes.
    Index carve(Index at, std::uint64_t address, Bytes size)
    {
        count(m_nodes[at], -1);
        SpaceNode part = m_nodes[at];
        const std::uint64_t begin = part.address;
        const std::uint64_t end = part.end();
        part.address = address;
        part.size = size;
        Index taken = at;
        if (begin < address) {
            m_nodes[at].size = static_cast<Bytes>(address - begin);
            count(m_nodes[at], +1);
            taken = m_nodes.insertBehind(at, part);
        } else {
            m_nodes[at].size = size;
        }
        if (part.end() < end) {
            part.address = part.end();
            part.size = static_cast<Bytes>(end - part.address);
            count(m_nodes[m_nodes.insertBeside(taken, part)], +1);
        }
        return taken;
    }

    void removeRange(const SegmentLife &life, EventIndex event)
    {
        Index at = m_nodes.lastUpTo(life.address);
        if (at == kNone)
            at = m_nodes.first();
        while (at != kNone && m_nodes[at].address < life.end()) {
            const std::uint64_t end = m_nodes[at].end();
            if (end <= life.address) {
                at = m_nodes.next(at);
                continue;
            }
            if (m_nodes[at].owner != kNoAllocation) {
                m_space.m_lostAt[m_nodes[at].owner] = event;
                ++m_space.m_consistency.returnedInUse;
                setFree(at);
            }
            const std::uint64_t from = std::max(m_nodes[at].address, life.address);
            const std::uint64_t upTo = std::min(end, life.end());
            const Index taken = carve(at, from, static_cast<Bytes>(upTo - from));
            at = m_nodes.next(taken);
            m_nodes.erase(taken);
            while (at != kNone && m_nodes[at].address < upTo)
                at = m_nodes.next(at);
        }
    }

    void place(AllocationIndex allocation, EventIndex event)
    {
        const std::uint64_t address = m_allocations.address[allocation];
        const Bytes requested = m_allocations.requested[allocation];
        const Index at = m_nodes.lastUpTo(address);
        const bool isInside = at != kNone && address - m_nodes[at].address <
                                                 static_cast<std::uint64_t>(m_nodes[at].size);
        const Bytes room = isInside ? static_cast<Bytes>(m_nodes[at].end() - address) : Bytes(0);
        if (!isInside || m_nodes[at].owner != kNoAllocation || requested > room) {
            if (m_space.m_consistency.unplaced++ == 0)
                m_space.m_consistency.firstUnplaced = event;
            return;
        }
        if (event >= 0 && m_nodes[at].address != address) {
            ++m_space.m_consistency.insideHole;
            learn(at, address);
        }
        const Bytes size = blockSize(allocation, m_nodes[at], room, event >= 0);
        SpaceNode &node = m_nodes[carve(at, address, size)];
        node.owner = allocation;
        node.pending = m_allocations.freeRequested[allocation] < 0;
        m_space.m_blockSizes[allocation] = size;
        add(node, +1);
    }

    // The allocator hands out the front of a hole. A block that begins inside one shows that the
    // previous block was larger than its request: it kept a remainder too small to be split off.
    void learn(Index hole, std::uint64_t address)
    {
        const Index before = m_nodes.previous(hole);
        const auto gap = static_cast<Bytes>(address - m_nodes[hole].address);
        if (before == kNone || m_nodes[hole].expandable)
            return;
        const AllocationIndex owner = m_nodes[before].owner;
        const bool guessed = owner != kNoAllocation && m_allocations.birth[owner] < 0 &&
                             m_nodes[before].segment == m_nodes[hole].segment &&
                             finalBlock(owner) == nullptr;
        if (guessed && gap <= AllocatorRules::kLargestSmall)
            m_learned[owner] = m_nodes[before].size + gap;
    }

    // The size in the file for blocks that it lists; for others the size by the allocator's rules.
    Bytes blockSize(AllocationIndex allocation, const SpaceNode &hole, Bytes room, bool recorded)
    {
        const bool large =
            hole.expandable ? hole.page != AllocatorRules::kSmallSegment : isLargeSegment(hole);
        const Bytes least = std::min(m_rules.rounded(m_allocations.requested[allocation]), room);
        const Bytes ruled =
            m_rules.splits(least, room - least, large, hole.expandable) ? least : room;
        if (const FinalBlock *block = finalBlock(allocation)) {
            const bool fits =
                block->size <= room && block->size >= m_allocations.requested[allocation];
            if (recorded && block->size != ruled)
                ++m_space.m_consistency.otherSize;
            if (fits)
                return block->size;
        }
        if (const auto known = m_known.find(allocation);
            known != m_known.end() && known->second <= room)
            return known->second;
        return ruled;
    }

    [[nodiscard]] bool isLargeSegment(const SpaceNode &hole) const
    {
        return m_lives[hole.segment].large;
    }

    // The block of the final state that an allocation is at the end; null if it is freed before.
    [[nodiscard]] const FinalBlock *finalBlock(AllocationIndex allocation) const
    {
        if (m_allocations.death[allocation] < m_trace.events.count())
            return nullptr;
        const std::uint64_t address = m_allocations.address[allocation];
        const auto found = std::ranges::lower_bound(
            m_end, address, {}, [](const ActiveBlock &active) { return active.block.address; });
        const bool known = found != m_end.end() && found->block.address == address;
        return known ? &found->block : nullptr;
    }

    void add(const SpaceNode &node, int sign)
    {
        const Bytes requested = m_allocations.requested[node.owner];
        if (node.pending) {
            m_now.pendingFree += sign * node.size;
            return;
        }
        const auto count = [sign](Bytes &band, Bytes bytes) {
            band = sign > 0 ? wrappingSum(band, bytes) : wrappingDifference(band, bytes);
        };
        count(m_now.requested, requested);
        count(m_now.rounding, wrappingDifference(node.size, requested));
    }

    // Ends the block at `address`, or requests its free, if `event` does that to its allocation:
    // the event has the allocation's address.
    void free(std::uint64_t address, EventIndex event)
    {
        const Index at = m_nodes.beginningAt(address);
        const AllocationIndex owner = at == kNone ? kNoAllocation : m_nodes[at].owner;
        if (owner == kNoAllocation)
            return;
        if (m_allocations.death[owner] == event) {
            setFree(at);
            merge(at);
        } else if (m_allocations.freeRequested[owner] == event) {
            add(m_nodes[at], -1);
            m_nodes[at].pending = true;
            add(m_nodes[at], +1);
        }
    }

    void setFree(Index at)
    {
        SpaceNode &node = m_nodes[at];
        add(node, -1);
        node.owner = kNoAllocation;
        node.pending = false;
        count(node, +1);
    }

    void compareWithEnd()
    {
        std::int64_t found = 0;
        for (const ActiveBlock &active : m_end) {
            const Index at = m_nodes.beginningAt(active.block.address);
            const bool isThere = at != kNone && m_nodes[at].owner != kNoAllocation;
            ++(isThere ? found : m_space.m_consistency.otherEnd);
        }
        std::int64_t used = 0;
        for (Index at = m_nodes.first(); at != kNone; at = m_nodes.next(at))
            used += m_nodes[at].owner != kNoAllocation ? 1 : 0;
        m_space.m_consistency.otherEnd += used - found;
    }

    const DeviceTrace &m_trace;
    const AllocatorRules &m_rules;
    const Sizes &m_known;
    BandsKept m_kept;
    AddressSpace &m_space;
    const Allocations &m_allocations;
    const std::vector<SegmentLife> &m_lives;

    std::vector<std::size_t> m_going; // ranges by death
    std::vector<ActiveBlock> m_end;   // by address
    std::map<std::tuple<StreamId, PoolId, bool>, std::uint32_t> m_families;
    Sizes m_learned;
    SpaceNodes m_nodes;
    Bands m_now;
    Bytes m_free = 0;
    Bytes m_mostStranded = 0;
    std::size_t m_nextBirth = 0;
    std::size_t m_nextDeath = 0;
    AllocationIndex m_nextAllocation = 0;
};

std::unique_ptr<const AddressSpace> AddressSpace::replay(const DeviceTrace &trace,
                                                         const Allocations &allocations,
                                                         const AllocatorRules &rules,
                                                         const Progress &progress, BandsKept kept)
{
    // Block sizes that one replay finds for memory from before the recording make the next one
    // exact.
    constexpr int kMostReplays = 3;
    SpaceReplay::Sizes known;
    for (int replays = 1;; ++replays) {
        std::unique_ptr<AddressSpace> space(new AddressSpace(trace, allocations, rules));
        SpaceReplay replay(trace, rules, known, kept, *space);
        if (!replay.run(progress))
            return nullptr;
        SpaceReplay::Sizes learned = replay.takeLearned();
        if (learned.empty() || replays == kMostReplays)
            return space;
        known.merge(learned);
    }
}

Bands AddressSpace::bandsAfter(EventIndex event) const
{
    if (m_bands.size() > 0)
        return m_bands[static_cast<std::size_t>(event) + 1];
    Bands bands;
    const auto add = [](Bytes &band, Bytes bytes) { band = wrappingSum(band, bytes); };
    for (const Region &region : stateAfter(event).regions) {
        if (region.allocation == kNoAllocation) {
            add(bands.releasable, region.releasable);
            add(bands.stranded, region.size - region.releasable);
        } else if (region.pendingFree) {
            add(bands.pendingFree, region.size);
        } else {
            const Bytes requested = m_allocations.requested[region.allocation];
            add(bands.requested, requested);
            add(bands.rounding, wrappingDifference(region.size, requested));
        }
    }
    return bands;
}

SpaceState AddressSpace::stateAfter(EventIndex event) const
{
    std::vector<AllocationIndex> live = m_allocations.liveAfter(event);
    std::erase_if(live, [&](AllocationIndex at) {
        const auto lost = m_lostAt.find(at);
        return m_blockSizes[at] == 0 || (lost != m_lostAt.end() && lost->second <= event);
    });
    std::ranges::sort(live, {}, [&](AllocationIndex at) { return m_allocations.address[at]; });

    SpaceState state;
    for (const SegmentLife &life : m_segments.heldAfter(event)) {
        SegmentLife *last = state.segments.empty() ? nullptr : &state.segments.back().life;
        const bool joins = last != nullptr && last->expandable && life.expandable &&
                           last->end() == life.address && last->stream == life.stream &&
                           last->pool == life.pool && last->large == life.large;
        if (joins) {
            last->size += life.size;
            last->birth = std::min(last->birth, life.birth);
            last->death = std::max(last->death, life.death);
        } else {
            state.segments.push_back({life});
        }
    }
    auto next = live.begin();
    for (SpaceState::Segment &segment : state.segments) {
        segment.firstRegion = static_cast<std::uint32_t>(state.regions.size());
        std::uint64_t at = segment.life.address;
        const auto fill = [&](std::uint64_t end) {
            if (end > at)
                state.regions.push_back(
                    holeIn(segment.life, at, static_cast<Bytes>(end - at), m_rules));
            at = end;
        };
        for (; next != live.end() && m_allocations.address[*next] < segment.life.end(); ++next) {
            fill(m_allocations.address[*next]);
            const Bytes size = m_blockSizes[*next];
            state.regions.push_back({.address = at,
                                     .size = size,
                                     .allocation = *next,
                                     .pendingFree = m_allocations.freeRequested[*next] <= event});
            at += static_cast<std::uint64_t>(size);
        }
        fill(segment.life.end());
        segment.regionCount =
            static_cast<std::uint32_t>(state.regions.size()) - segment.firstRegion;
    }
    return state;
}

std::vector<Bytes> AddressSpace::blockSizes(const DeviceTrace &trace) const
{
    if (trace.host)
        return m_allocations.requested;
    std::vector<Bytes> sizes = m_blockSizes;
    // Events that contradict the segments leave an allocation less room than its request.
    const auto isFound = [](Bytes block, Bytes requested) {
        return block > 0 && block >= requested;
    };
    if (std::ranges::equal(sizes, m_allocations.requested, isFound))
        return sizes;
    const std::vector<ActiveBlock> end = activeBlocks(trace);
    for (AllocationIndex at = 0; at < m_allocations.count(); ++at) {
        const Bytes requested = m_allocations.requested[at];
        if (isFound(sizes[at], requested))
            continue;
        const auto block = std::ranges::lower_bound(
            end, m_allocations.address[at], {},
            [](const ActiveBlock &active) { return active.block.address; });
        const bool isListed = m_allocations.death[at] >= m_eventCount && block != end.end() &&
                              block->block.address == m_allocations.address[at] &&
                              block->block.size >= requested;
        sizes[at] = isListed        ? block->block.size
                    : requested > 0 ? m_rules.rounded(requested)
                                    : requested;
    }
    return sizes;
}

AllocatorRules allocatorRules(const Trace &trace)
{
    return recordedSettings(trace).settings.rules;
}

} // namespace vramscope
