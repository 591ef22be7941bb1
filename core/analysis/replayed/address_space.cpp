// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/analysis/replayed/address_space.h"

#include "core/analysis/replayed/final_state.h"
#include "core/analysis/replayed/recorded_settings.h"

#include <algorithm>
#include <map>
#include <numeric>
#include <tuple>

namespace vramscope {

namespace {

/// A run of addresses in the replay. Free neighbours of the same segment are always one node.
struct Node
{
    Bytes size = 0;
    AllocationIndex owner = kNoAllocation;
    std::uint32_t segment = 0; ///< equal for ranges that the allocator treats as one segment
    Bytes page = 0;            ///< of an expandable segment; else the size of the whole segment
    Bytes phase = 0;           ///< where its pages begin, modulo the page
    bool expandable = false;
    bool pending = false;
};

struct AddressRun
{
    std::uint64_t address = 0;
    Bytes size = 0;
};

/// The whole pages, which begin at `phase` modulo the page, in a run of addresses.
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

/// The part of a free run that the allocator could give back to the driver.
Bytes releasableOf(std::uint64_t address, const Node &node)
{
    if (node.owner != kNoAllocation)
        return 0;
    if (!node.expandable)
        return node.size == node.page ? node.size : 0;
    return wholePages(address, node.size, node.page, static_cast<std::uint64_t>(node.phase)).size;
}

/// A hole of a segment, with what of it the allocator could give back.
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

    /// `known`: sizes of blocks that the file does not tell, as an earlier replay learned them.
    SpaceReplay(const DeviceTrace &trace, const AllocatorRules &rules, const Sizes &known,
                AddressSpace &space)
        : m_trace(trace)
        , m_rules(rules)
        , m_known(known)
        , m_space(space)
        , m_allocations(space.m_allocations)
        , m_lives(space.m_segments.all())
    {
        m_space.m_consistency.contradictorySegments = space.m_segments.contradictions();
    }

    /// Sizes of blocks that only became clear later in the replay.
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
            record();
        }
        compareWithEnd();
        return true;
    }

private:
    using Nodes = std::map<std::uint64_t, Node>;

    // Which allocation each event ends or asks to free, the order in which ranges go, and the sizes
    // that the file tells.
    void prepare()
    {
        const auto count = static_cast<std::size_t>(m_trace.events.count());
        m_freed.assign(count, kNoAllocation);
        for (AllocationIndex at = 0; at < m_allocations.count(); ++at) {
            for (const EventIndex event :
                 {m_allocations.freeRequested[at], m_allocations.death[at]}) {
                if (event >= 0 && static_cast<std::size_t>(event) < count)
                    m_freed[static_cast<std::size_t>(event)] = at;
            }
        }
        m_going.resize(m_lives.size());
        std::iota(m_going.begin(), m_going.end(), std::size_t(0));
        std::ranges::stable_sort(m_going, {}, [&](std::size_t at) { return m_lives[at].death; });
        m_end = activeBlocks(m_trace);
        m_space.m_bands.reserve(count + 1);
    }

    void start()
    {
        while (m_nextBirth < m_lives.size() && m_lives[m_nextBirth].birth < 0)
            addRange(m_nextBirth++);
        // The last address first: a block without a free block of its own behind it reaches up to
        // the next.
        std::vector<AllocationIndex> before(m_allocations.firstBornAfter(-1));
        std::iota(before.begin(), before.end(), AllocationIndex(0));
        std::ranges::stable_sort(before, std::greater<>{},
                                 [&](AllocationIndex at) { return m_allocations.address[at]; });
        for (const AllocationIndex allocation : before)
            place(allocation, -1);
        m_nextAllocation = static_cast<AllocationIndex>(before.size());
        record();
    }

    void step(EventIndex event)
    {
        while (m_nextDeath < m_going.size() && m_lives[m_going[m_nextDeath]].death <= event)
            removeRange(m_lives[m_going[m_nextDeath++]], event);
        while (m_nextBirth < m_lives.size() && m_lives[m_nextBirth].birth <= event)
            addRange(m_nextBirth++);
        const AllocationIndex freed = m_freed[static_cast<std::size_t>(event)];
        if (freed != kNoAllocation) {
            if (m_allocations.death[freed] == event)
                release(freed);
            else
                await(freed);
        }
        while (m_nextAllocation < m_allocations.count() &&
               m_allocations.birth[m_nextAllocation] <= event)
            place(m_nextAllocation++, event);
    }

    void record()
    {
        m_now.stranded = m_free - m_now.releasable;
        m_space.m_bands.push_back(m_now);
    }

    void count(Nodes::const_iterator node, int sign)
    {
        if (node->second.owner != kNoAllocation)
            return;
        m_free += sign * node->second.size;
        m_now.releasable += sign * releasableOf(node->first, node->second);
    }

    void addRange(std::size_t index)
    {
        const SegmentLife &life = m_lives[index];
        Node node{.size = life.size,
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
        addFree(life.address, node);
    }

    // The free run that `node` is now part of.
    void addFree(std::uint64_t address, const Node &node)
    {
        const auto at = m_nodes.emplace(address, node).first;
        count(at, +1);
        merge(at);
    }

    void merge(Nodes::iterator at)
    {
        if (const auto next = std::next(at); next != m_nodes.end() && areOne(at, next))
            swallow(at, next);
        if (at != m_nodes.begin() && areOne(std::prev(at), at))
            swallow(std::prev(at), at);
    }

    static bool areOne(Nodes::const_iterator a, Nodes::const_iterator b)
    {
        return a->second.owner == kNoAllocation && b->second.owner == kNoAllocation &&
               a->second.segment == b->second.segment &&
               a->first + static_cast<std::uint64_t>(a->second.size) == b->first;
    }

    void swallow(Nodes::iterator at, Nodes::iterator next)
    {
        count(at, -1);
        count(next, -1);
        at->second.size += next->second.size;
        m_nodes.erase(next);
        count(at, +1);
    }

    // Takes [address, address + size) out of the free run `at`, which contains it; what is left
    // stays free.
    Node carve(Nodes::iterator at, std::uint64_t address, Bytes size)
    {
        count(at, -1);
        const Node whole = at->second;
        const std::uint64_t begin = at->first;
        const std::uint64_t end = begin + static_cast<std::uint64_t>(whole.size);
        const std::uint64_t behind = address + static_cast<std::uint64_t>(size);
        auto hint = m_nodes.erase(at);
        const auto keep = [&](std::uint64_t from, std::uint64_t to) {
            if (from >= to)
                return;
            Node rest = whole;
            rest.size = static_cast<Bytes>(to - from);
            hint = m_nodes.emplace_hint(hint, from, rest);
            count(hint, +1);
        };
        keep(behind, end);
        keep(begin, address);
        Node taken = whole;
        taken.size = size;
        return taken;
    }

    void removeRange(const SegmentLife &life, EventIndex event)
    {
        auto at = m_nodes.upper_bound(life.address);
        if (at != m_nodes.begin())
            --at;
        while (at != m_nodes.end() && at->first < life.end()) {
            const std::uint64_t end = at->first + static_cast<std::uint64_t>(at->second.size);
            if (end <= life.address) {
                ++at;
                continue;
            }
            if (at->second.owner != kNoAllocation) {
                m_space.m_lostAt[at->second.owner] = event;
                ++m_space.m_consistency.returnedInUse;
                setFree(at);
            }
            const std::uint64_t from = std::max(at->first, life.address);
            carve(at, from, static_cast<Bytes>(std::min(end, life.end()) - from));
            at = m_nodes.lower_bound(std::min(end, life.end()));
        }
    }

    void place(AllocationIndex allocation, EventIndex event)
    {
        const std::uint64_t address = m_allocations.address[allocation];
        const Bytes requested = m_allocations.size[allocation];
        auto at = m_nodes.upper_bound(address);
        if (at != m_nodes.begin())
            --at;
        const bool inside = at != m_nodes.end() && at->first <= address &&
                            address - at->first < static_cast<std::uint64_t>(at->second.size);
        const Bytes room =
            inside ? at->second.size - static_cast<Bytes>(address - at->first) : Bytes(0);
        if (!inside || at->second.owner != kNoAllocation || requested > room) {
            if (m_space.m_consistency.unplaced++ == 0)
                m_space.m_consistency.firstUnplaced = event;
            return;
        }
        if (event >= 0 && at->first != address) {
            ++m_space.m_consistency.insideHole;
            learn(at, address);
        }
        const Bytes size = blockSize(allocation, at->second, room, event >= 0);
        Node node = carve(at, address, size);
        node.owner = allocation;
        node.pending = m_allocations.freeRequested[allocation] < 0;
        m_nodes.emplace(address, node);
        m_space.m_blockSizes[allocation] = size;
        add(node, +1);
    }

    // The allocator hands out the front of a hole. What begins inside one shows that the block
    // before it was larger than its request says: it kept a rest too small to be split off.
    void learn(Nodes::const_iterator hole, std::uint64_t address)
    {
        const auto gap = static_cast<Bytes>(address - hole->first);
        if (hole == m_nodes.cbegin() || hole->second.expandable)
            return;
        const auto before = std::prev(hole);
        const AllocationIndex owner = before->second.owner;
        const bool guessed = owner != kNoAllocation && m_allocations.birth[owner] < 0 &&
                             before->second.segment == hole->second.segment &&
                             finalBlock(owner) == nullptr;
        if (guessed && gap <= AllocatorRules::kLargestSmall)
            m_learned[owner] = before->second.size + gap;
    }

    // What the file says of blocks that it lists; of others what the allocator's rules give.
    Bytes blockSize(AllocationIndex allocation, const Node &hole, Bytes room, bool recorded)
    {
        const bool large =
            hole.expandable ? hole.page != AllocatorRules::kSmallSegment : isLargeSegment(hole);
        const Bytes least = std::min(m_rules.rounded(m_allocations.size[allocation]), room);
        const Bytes ruled =
            m_rules.splits(least, room - least, large, hole.expandable) ? least : room;
        if (const FinalBlock *block = finalBlock(allocation)) {
            const bool fits = block->size <= room && block->size >= m_allocations.size[allocation];
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

    [[nodiscard]] bool isLargeSegment(const Node &hole) const
    {
        return m_lives[hole.segment].large;
    }

    // The block of the final state that an allocation is at the end; null for what is freed before.
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

    void add(const Node &node, int sign)
    {
        const Bytes requested = m_allocations.size[node.owner];
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

    Nodes::iterator ownedBy(AllocationIndex allocation)
    {
        const auto at = m_space.m_blockSizes[allocation] > 0
                            ? m_nodes.find(m_allocations.address[allocation])
                            : m_nodes.end();
        return at != m_nodes.end() && at->second.owner == allocation ? at : m_nodes.end();
    }

    void await(AllocationIndex allocation)
    {
        const auto at = ownedBy(allocation);
        if (at == m_nodes.end())
            return;
        add(at->second, -1);
        at->second.pending = true;
        add(at->second, +1);
    }

    void setFree(Nodes::iterator at)
    {
        add(at->second, -1);
        at->second.owner = kNoAllocation;
        at->second.pending = false;
        count(at, +1);
    }

    void release(AllocationIndex allocation)
    {
        const auto at = ownedBy(allocation);
        if (at == m_nodes.end())
            return;
        setFree(at);
        merge(at);
    }

    void compareWithEnd()
    {
        std::int64_t found = 0;
        for (const ActiveBlock &active : m_end) {
            const auto at = m_nodes.find(active.block.address);
            if (at != m_nodes.end() && at->second.owner != kNoAllocation)
                ++found;
            else
                ++m_space.m_consistency.otherEnd;
        }
        const auto used = std::ranges::count_if(
            m_nodes, [](const auto &entry) { return entry.second.owner != kNoAllocation; });
        m_space.m_consistency.otherEnd += used - found;
    }

    const DeviceTrace &m_trace;
    const AllocatorRules &m_rules;
    const Sizes &m_known;
    AddressSpace &m_space;
    const Allocations &m_allocations;
    const std::vector<SegmentLife> &m_lives;

    std::vector<AllocationIndex> m_freed; // by event
    std::vector<std::size_t> m_going;     // ranges by death
    std::vector<ActiveBlock> m_end;       // by address
    std::map<std::tuple<StreamId, PoolId, bool>, std::uint32_t> m_families;
    Sizes m_learned;
    Nodes m_nodes;
    Bands m_now;
    Bytes m_free = 0;
    std::size_t m_nextBirth = 0;
    std::size_t m_nextDeath = 0;
    AllocationIndex m_nextAllocation = 0;
};

std::unique_ptr<const AddressSpace> AddressSpace::replay(const DeviceTrace &trace,
                                                         const Allocations &allocations,
                                                         const AllocatorRules &rules,
                                                         const Progress &progress)
{
    // What one replay learns of the blocks before the recording makes the next one exact.
    constexpr int kMostReplays = 3;
    SpaceReplay::Sizes known;
    for (int replays = 1;; ++replays) {
        std::unique_ptr<AddressSpace> space(new AddressSpace(trace, allocations, rules));
        SpaceReplay replay(trace, rules, known, *space);
        if (!replay.run(progress))
            return nullptr;
        SpaceReplay::Sizes learned = replay.takeLearned();
        if (learned.empty() || replays == kMostReplays)
            return space;
        known.merge(learned);
    }
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

AllocatorRules allocatorRules(const Trace &trace)
{
    return recordedSettings(trace).settings.rules;
}

} // namespace vramscope
