// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/timeline/space_groups.h"

#include <algorithm>
#include <numeric>
#include <tuple>

namespace vramscope {

namespace {

SpaceKind kindOf(const SegmentLife &segment)
{
    if (segment.pool != PoolId::Default)
        return SpaceKind::Private;
    if (segment.expandable)
        return SpaceKind::Expandable;
    return segment.large ? SpaceKind::Large : SpaceKind::Small;
}

auto keyOf(const SegmentLife &segment)
{
    return std::tuple(kindOf(segment), segment.pool, segment.stream);
}

void add(Bands &sum, const Bands &bands)
{
    for (const auto part : {&Bands::requested, &Bands::rounding, &Bands::pendingFree,
                            &Bands::stranded, &Bands::releasable})
        sum.*part = wrappingSum(sum.*part, bands.*part);
}

} // namespace

Bands bandsOf(const Region &region, const Allocations &allocations)
{
    Bands bands;
    if (region.allocation == kNoAllocation) {
        bands.releasable = region.releasable;
        bands.stranded = region.size - region.releasable;
    } else if (region.pendingFree) {
        bands.pendingFree = region.size;
    } else {
        bands.requested = allocations.requested[region.allocation];
        bands.rounding = region.size - bands.requested;
    }
    return bands;
}

SpaceGroups groupsOf(const SpaceState &state, const Allocations &allocations)
{
    SpaceGroups result;
    result.segments.resize(state.segments.size());
    std::iota(result.segments.begin(), result.segments.end(), 0U);
    const auto key = [&](std::uint32_t segment) { return keyOf(state.segments[segment].life); };
    std::ranges::stable_sort(result.segments, {}, key);
    for (std::uint32_t at = 0; at < result.segments.size(); ++at) {
        const SpaceState::Segment &segment = state.segments[result.segments[at]];
        if (at == 0 || key(result.segments[at - 1]) != key(result.segments[at]))
            result.groups.push_back({.kind = kindOf(segment.life),
                                     .pool = segment.life.pool,
                                     .stream = segment.life.stream,
                                     .first = at,
                                     .count = 0,
                                     .bands = {}});
        SpaceGroup &group = result.groups.back();
        ++group.count;
        for (std::uint32_t region = 0; region < segment.regionCount; ++region)
            add(group.bands, bandsOf(state.regions[segment.firstRegion + region], allocations));
    }
    return result;
}

} // namespace vramscope
