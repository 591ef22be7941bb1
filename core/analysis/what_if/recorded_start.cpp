// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/analysis/what_if/recorded_start.h"

#include <algorithm>
#include <map>
#include <tuple>

namespace vramscope {

namespace {

using Family = std::tuple<PoolId, StreamId, bool>;

Family familyOf(const SegmentLife &life)
{
    return {life.pool, life.stream, life.large};
}

class StartBuilder
{
public:
    StartBuilder(const DeviceTrace &device, const Allocations &allocations,
                 const AddressSpace &space, const AllocatorSettings &settings)
        : m_device(device)
        , m_allocations(allocations)
        , m_space(space)
        , m_settings(settings)
        , m_state(space.stateAfter(-1))
    {
    }

    RecordedStart build()
    {
        std::map<Family, std::vector<const SpaceState::Segment *>> expandable;
        for (const SpaceState::Segment &segment : m_state.segments) {
            if (segment.life.expandable)
                expandable[familyOf(segment.life)].push_back(&segment);
            else
                addPlain(segment);
        }
        for (const auto &[family, ranges] : expandable)
            addExpandable(family, ranges);
        return std::move(m_start);
    }

private:
    static EarlierSegment segmentOf(const SegmentLife &life, std::uint64_t address)
    {
        return {address,
                {static_cast<std::uint16_t>(life.pool), static_cast<std::uint16_t>(life.stream),
                 life.large},
                life.expandable};
    }

    void addPlain(const SpaceState::Segment &segment)
    {
        RecordedStart::Segment added{segmentOf(segment.life, segment.life.address), {}};
        addBlocks(segment, added.blocks);
        m_start.segments.push_back(std::move(added));
    }

    void addExpandable(const Family &family, const std::vector<const SpaceState::Segment *> &ranges)
    {
        std::uint64_t begin = ranges.front()->life.address;
        for (const SegmentLife &life : m_space.segments().all()) {
            if (life.expandable && familyOf(life) == family)
                begin = std::min(begin, life.address);
        }
        RecordedStart::Segment added{segmentOf(ranges.front()->life, begin), {}};
        std::uint64_t at = begin;
        for (const SpaceState::Segment *range : ranges) {
            if (range->life.address > at)
                added.blocks.push_back({.size = static_cast<Bytes>(range->life.address - at),
                                        .state = SimulatedState::Unmapped});
            addBlocks(*range, added.blocks);
            at = range->life.end();
        }
        added.blocks.push_back({.size = m_settings.reservation(AllocatorSettings::kMostCapacity,
                                                               ranges.front()->life.large),
                                .state = SimulatedState::Unmapped});
        m_start.segments.push_back(std::move(added));
    }

    void addBlocks(const SpaceState::Segment &segment, std::vector<EarlierBlock> &blocks)
    {
        for (std::uint32_t at = 0; at < segment.regionCount; ++at) {
            const Region &region = m_state.regions[segment.firstRegion + at];
            EarlierBlock block{.size = region.size};
            if (region.allocation != kNoAllocation) {
                block.requested = m_allocations.requested[region.allocation];
                block.allocation = region.allocation;
                block.state =
                    region.pendingFree ? SimulatedState::Pending : SimulatedState::Allocated;
                // Others keep no remainder beyond the rounding of a request.
                const bool mayBeLarger = segment.life.large && !segment.life.expandable;
                if (mayBeLarger && m_allocations.death[region.allocation] < m_device.events.count())
                    ++m_start.guessedSizes;
            }
            blocks.push_back(block);
        }
    }

    const DeviceTrace &m_device;
    const Allocations &m_allocations;
    const AddressSpace &m_space;
    const AllocatorSettings &m_settings;
    SpaceState m_state;
    RecordedStart m_start;
};

} // namespace

RecordedStart recordedStart(const DeviceTrace &device, const Allocations &allocations,
                            const AddressSpace &space, const AllocatorSettings &settings)
{
    return StartBuilder(device, allocations, space, settings).build();
}

} // namespace vramscope
