// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/analysis/replayed/allocations.h"
#include "core/analysis/replayed/bands_history.h"
#include "core/analysis/replayed/segment_lives.h"
#include "core/base/large_pages.h"
#include "core/base/progress.h"
#include "core/simulator/allocator_rules.h"

#include <memory>
#include <unordered_map>
#include <vector>

namespace vramscope {

/// A range of addresses inside a segment: a block in use, or a hole.
struct Region
{
    std::uint64_t address = 0;
    Bytes size = 0;
    AllocationIndex allocation = kNoAllocation; ///< kNoAllocation: a hole
    bool pendingFree = false;
    /// In a hole: where the part begins that the allocator could return, the whole segment or whole
    /// pages of it. The rest is stranded.
    std::uint64_t releasableFrom = 0;
    Bytes releasable = 0;
    bool operator==(const Region &) const = default;
};

/// The memory of a device's allocator at one moment, as a file would list it: segments by address,
/// with adjacent pages of an expandable one as one.
struct SpaceState
{
    struct Segment
    {
        SegmentLife life;
        std::uint32_t firstRegion = 0; ///< the regions cover the segment without a gap
        std::uint32_t regionCount = 0;
    };
    std::vector<Segment> segments;
    std::vector<Region> regions;
};

/// How well events, rules and final state agree. All zero: the history is complete and exact.
struct Consistency
{
    std::int64_t contradictorySegments = 0; ///< impossible segment events
    std::int64_t unplaced = 0;              ///< allocations at addresses without free memory
    std::int64_t returnedInUse = 0;         ///< blocks whose memory was returned while they lived
    std::int64_t insideHole = 0;            ///< blocks that do not begin where their hole did
    std::int64_t otherSize = 0;             ///< blocks at the end whose size differs from the rules
    std::int64_t otherEnd = 0;     ///< blocks in use at the end in only one of replay and file
    EventIndex firstUnplaced = -1; ///< event of the first unplaced allocation
    bool operator==(const Consistency &) const = default;
};

/// Which bands an AddressSpace keeps.
enum class BandsKept {
    None,  ///< bands of a moment are computed on request
    Every, ///< bands after every event, in about 10 bytes each: for drawing them
};

/// The address space of one device through its whole history: the place and size of each
/// allocation's block, and the parts of the reserved bytes after every event. Replays forward from
/// the state before the first event: the segments of that time, with the blocks then alive at their
/// size at the end or, if they are freed before, at the size by the allocator's rules. Immutable
/// once built.
class AddressSpace
{
public:
    /// n log(live) in the events. `allocations` must be those of `trace`; keeps a reference to
    /// them. Null if `progress` cancels.
    [[nodiscard]] static std::unique_ptr<const AddressSpace>
    replay(const DeviceTrace &trace, const Allocations &allocations, const AllocatorRules &rules,
           const Progress &progress = {}, BandsKept kept = {});

    /// The parts of the reserved bytes after `event` (-1: before the first): at once if they are
    /// kept, else in the time of stateAfter().
    [[nodiscard]] Bands bandsAfter(EventIndex event) const;
    [[nodiscard]] EventIndex eventCount() const { return m_eventCount; }
    /// The event after which the most bytes are stranded, the first of equals.
    [[nodiscard]] EventIndex mostStranded() const { return m_mostStranded; }
    /// Bytes of the block of each allocation. One without room in the segments has the size that
    /// the file lists at the end, or else the size by the allocator's rules; memory of the host has
    /// the requested size. `trace` is the one of the replay.
    [[nodiscard]] std::vector<Bytes> blockSizes(const DeviceTrace &trace) const;
    [[nodiscard]] const SegmentLives &segments() const { return m_segments; }
    [[nodiscard]] const Consistency &consistency() const { return m_consistency; }
    /// Segments, blocks and holes after `event`, in time proportional to the answer except for
    /// sorting.
    [[nodiscard]] SpaceState stateAfter(EventIndex event) const;

private:
    friend class SpaceReplay;
    AddressSpace(const DeviceTrace &trace, const Allocations &allocations,
                 const AllocatorRules &rules)
        : m_allocations(allocations)
        , m_rules(rules)
        , m_eventCount(trace.events.count())
        , m_segments(trace, rules.largeSegment)
    {
        reserveLarge(m_blockSizes, allocations.count());
        m_blockSizes.resize(allocations.count());
    }
    const Allocations &m_allocations;
    AllocatorRules m_rules;
    EventIndex m_eventCount = 0;
    SegmentLives m_segments;
    std::vector<Bytes> m_blockSizes; ///< 0: in no allocated memory
    BandsHistory m_bands;            // empty if they are not kept
    EventIndex m_mostStranded = -1;
    // Rare: blocks that lost their memory while they lived, and when.
    std::unordered_map<AllocationIndex, EventIndex> m_lostAt;
    Consistency m_consistency;
};

/// The allocator's rules for a trace, from the settings in the file; PyTorch's defaults without
/// them.
[[nodiscard]] AllocatorRules allocatorRules(const Trace &trace);

} // namespace vramscope
