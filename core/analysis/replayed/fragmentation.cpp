// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/analysis/replayed/fragmentation.h"

#include <algorithm>
#include <map>
#include <tuple>
#include <unordered_map>

namespace vramscope {

namespace {

std::uint64_t endOf(const Region &region)
{
    return region.address + static_cast<std::uint64_t>(region.size);
}

/// Adds up one segment after the other.
class Survey
{
public:
    Survey(const SpaceState &state, const Allocations &allocations, const AllocatorRules &rules)
        : m_state(state)
        , m_allocations(allocations)
        , m_rules(rules)
    {
    }

    Fragmentation take()
    {
        for (const SpaceState::Segment &segment : m_state.segments)
            addSegment(segment);
        for (const auto &[key, domain] : m_domains)
            m_result.domains.push_back(domain);
        for (const auto &[stack, pin] : m_pins)
            m_result.pins.push_back(pin);
        std::ranges::stable_sort(m_result.domains, std::greater<>{}, &FreeDomain::reserved);
        std::ranges::stable_sort(m_result.segments, std::greater<>{}, &PinnedSegment::stranded);
        std::ranges::sort(m_result.pins, [](const Pin &a, const Pin &b) {
            return std::tuple(a.alone, a.shared, b.stack) > std::tuple(b.alone, b.shared, a.stack);
        });
        return std::move(m_result);
    }

private:
    using Regions = std::span<const Region>;

    void addSegment(const SpaceState::Segment &segment)
    {
        const SegmentLife &life = segment.life;
        const Regions regions(m_state.regions.data() + segment.firstRegion, segment.regionCount);
        FreeDomain &domain = m_domains[{life.pool, life.stream, life.large}];
        domain.pool = life.pool;
        domain.stream = life.stream;
        domain.large = life.large;
        domain.reserved += life.size;
        PinnedSegment pinned{life, 0, 0, 0, kNoAllocation};
        for (const Region &region : regions)
            addRegion(region, domain, pinned);
        // A plain segment is returned to the driver as a whole, an expandable one page by page.
        const Bytes unit = life.expandable ? m_rules.pageSize(life.large) : life.size;
        std::size_t first = 0;
        for (Bytes begin = 0; begin < life.size;)
            begin += addUnits(life.address + static_cast<std::uint64_t>(begin), unit,
                              life.size - begin, regions, first, domain, pinned);
        if (pinned.stranded > 0)
            m_result.segments.push_back(pinned);
        m_result.stranded += pinned.stranded;
    }

    void addRegion(const Region &region, FreeDomain &domain, PinnedSegment &pinned)
    {
        if (region.allocation == kNoAllocation) {
            ++domain.holes;
            ++m_result.holes;
            domain.largestHole = std::max(domain.largestHole, region.size);
            m_result.largestHole = std::max(m_result.largestHole, region.size);
            return;
        }
        ++pinned.blocks;
        pinned.used += region.size;
        if (region.size > m_largest || pinned.largest == kNoAllocation) {
            m_largest = region.size;
            pinned.largest = region.allocation;
        }
    }

    // Adds units that can only be returned to the driver as a whole, from `begin` on: free, or
    // pinned by the blocks in them. All units that one region covers are handled at once, so that
    // the size of a segment does not matter. `first` is the first region that reaches into them,
    // and moves on. Returns the number of bytes covered.
    Bytes addUnits(std::uint64_t begin, Bytes unit, Bytes left, Regions regions, std::size_t &first,
                   FreeDomain &domain, PinnedSegment &pinned)
    {
        while (first < regions.size() && endOf(regions[first]) <= begin)
            ++first;
        if (first == regions.size())
            return left;
        const auto inside = static_cast<Bytes>(endOf(regions[first]) - begin);
        const Bytes whole = regions[first].address <= begin ? inside / unit * unit : 0;
        if (whole > 0) {
            if (regions[first].allocation == kNoAllocation) {
                domain.releasable += whole;
                m_result.releasable += whole;
            }
            return whole;
        }
        const Bytes size = std::min(unit, left);
        addMixedUnit(begin, begin + static_cast<std::uint64_t>(size), size == unit, regions, first,
                     domain, pinned);
        return size;
    }

    // Several regions reach into this one.
    void addMixedUnit(std::uint64_t begin, std::uint64_t end, bool whole, Regions regions,
                      std::size_t first, FreeDomain &domain, PinnedSegment &pinned)
    {
        Bytes free = 0;
        m_holders.clear();
        for (std::size_t at = first; at < regions.size() && regions[at].address < end; ++at) {
            const Region &region = regions[at];
            if (region.allocation == kNoAllocation)
                free += static_cast<Bytes>(std::min(endOf(region), end) -
                                           std::max(region.address, begin));
            else
                m_holders.push_back(&region);
        }
        if (m_holders.empty() && whole) {
            domain.releasable += free;
            m_result.releasable += free;
        } else if (free > 0) {
            domain.stranded += free;
            pinned.stranded += free;
            addPins(free);
        }
    }

    void addPins(Bytes free)
    {
        m_stacks.clear();
        for (const Region *region : m_holders) {
            const StackId stack = m_allocations.stack[region->allocation];
            m_stacks.push_back(stack);
            Pin &pin = m_pins[stack];
            pin.stack = stack;
            if (m_counted.try_emplace(region->allocation, true).second) {
                ++pin.blocks;
                pin.size += region->size;
            }
        }
        std::ranges::sort(m_stacks);
        const auto last = std::unique(m_stacks.begin(), m_stacks.end());
        const bool alone = last - m_stacks.begin() == 1;
        for (auto stack = m_stacks.begin(); stack != last; ++stack) {
            Pin &pin = m_pins[*stack];
            (alone ? pin.alone : pin.shared) += free;
        }
    }

    const SpaceState &m_state;
    const Allocations &m_allocations;
    const AllocatorRules &m_rules;
    std::map<std::tuple<PoolId, StreamId, bool>, FreeDomain> m_domains;
    std::map<StackId, Pin> m_pins;
    std::unordered_map<AllocationIndex, bool> m_counted; // blocks that reach over several pages
    std::vector<const Region *> m_holders;
    std::vector<StackId> m_stacks;
    Bytes m_largest = 0;
    Fragmentation m_result;
};

} // namespace

Fragmentation fragmentationOf(const SpaceState &state, const Allocations &allocations,
                              const AllocatorRules &rules)
{
    return Survey(state, allocations, rules).take();
}

std::vector<FragmentationSample> fragmentationOverTime(const AddressSpace &space,
                                                       std::span<const EventIndex> events)
{
    std::vector<FragmentationSample> samples;
    samples.reserve(events.size());
    for (const EventIndex event : events) {
        const Bands &bands = space.bandsAfter(event);
        FragmentationSample sample{event, bands.reserved(), bands.stranded, bands.releasable, 0};
        for (const Region &region : space.stateAfter(event).regions) {
            if (region.allocation == kNoAllocation)
                sample.largestHole = std::max(sample.largestHole, region.size);
        }
        samples.push_back(sample);
    }
    return samples;
}

} // namespace vramscope
