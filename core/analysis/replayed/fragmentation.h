// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/analysis/replayed/address_space.h"

#include <optional>
#include <span>
#include <vector>

namespace vramscope {

/// Memory that serves only requests of one pool, stream and size class.
struct FreeDomain
{
    PoolId pool = PoolId::Default;
    StreamId stream{};
    bool large = true;
    Bytes reserved = 0;
    Bytes stranded = 0;
    Bytes releasable = 0;
    Bytes largestHole = 0;
    std::int64_t holes = 0;

    [[nodiscard]] Bytes free() const { return stranded + releasable; }
};

/// Blocks of one stack that keep free memory from being returned: they are in segments, or pages of
/// expandable segments, that are otherwise partly free.
struct Pin
{
    StackId stack = StackId::None;
    std::int64_t blocks = 0;
    Bytes size = 0;   ///< of the blocks
    Bytes alone = 0;  ///< stranded bytes that only blocks of this stack pin
    Bytes shared = 0; ///< stranded bytes that they pin together with others
};

/// A segment with stranded bytes.
struct PinnedSegment
{
    SegmentLife segment;
    Bytes stranded = 0;
    Bytes used = 0;
    std::int64_t blocks = 0;
    AllocationIndex largest = kNoAllocation; ///< its largest block
};

/// The free memory of one moment: where it is and what pins it.
struct Fragmentation
{
    Bytes stranded = 0;
    Bytes releasable = 0;
    Bytes largestHole = 0;
    std::int64_t holes = 0;
    std::vector<FreeDomain> domains;     ///< with memory, the most reserved first
    std::vector<PinnedSegment> segments; ///< with stranded bytes, the most first
    std::vector<Pin> pins;               ///< the most bytes pinned alone first, then together
};

/// Takes time n log n in the regions of `state`, which `allocations` made under `rules`.
[[nodiscard]] Fragmentation fragmentationOf(const SpaceState &state, const Allocations &allocations,
                                            const AllocatorRules &rules);

/// Free memory at one event of a series.
struct FragmentationSample
{
    EventIndex event = -1;
    Bytes reserved = 0;
    Bytes stranded = 0;
    Bytes releasable = 0;
    Bytes largestHole = 0;
};

/// Samples after each of `events`.
[[nodiscard]] std::vector<FragmentationSample>
fragmentationOverTime(const AddressSpace &space, std::span<const EventIndex> events);

} // namespace vramscope
