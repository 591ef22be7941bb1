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

/// A run of addresses inside a segment: a block in use, or a hole.
struct Region
{
    std::uint64_t address = 0;
    Bytes size = 0;
    AllocationIndex allocation = kNoAllocation; ///< none: a hole
    bool pendingFree = false;
    /// Of a hole: what the allocator could give back, the whole segment or whole pages of it, from
    /// this address on. The rest is stranded.
    std::uint64_t releasableFrom = 0;
    Bytes releasable = 0;
    bool operator==(const Region &) const = default;
};

/// The memory that a device's allocator held at one moment, as a file would list it: segments by
/// address, the pages of an expandable one that touch each other as one.
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
    std::int64_t contradictorySegments = 0; ///< segment events that cannot be
    std::int64_t unplaced = 0;              ///< allocations where no free memory was held
    std::int64_t returnedInUse = 0;         ///< blocks whose memory was given back while they lived
    std::int64_t insideHole = 0;            ///< blocks that do not start where their hole did
    std::int64_t otherSize = 0;    ///< blocks at the end of another size than the rules give
    std::int64_t otherEnd = 0;     ///< blocks in use at the end in only one of replay and file
    EventIndex firstUnplaced = -1; ///< event of the first unplaced allocation
    bool operator==(const Consistency &) const = default;
};

/// Which bands an AddressSpace keeps.
enum class BandsKept {
    None,  ///< those of a moment are counted when they are asked for
    Every, ///< those after every event, in about 10 bytes each: for who draws them
};

/// The address space of one device through its whole history: where each allocation's block lies,
/// how large it is, and what the reserved bytes are made of after every event. Forward replay from
/// the state before the first event: the segments that were held then, and in them the blocks that
/// were alive then, at their size at the end or, where they are freed before, at the size that the
/// allocator's rules give. Immutable once built.
class AddressSpace
{
public:
    /// n log(live) in the events. `allocations` must be those of `trace`; keeps a reference to
    /// them. Null when `progress` cancels.
    [[nodiscard]] static std::unique_ptr<const AddressSpace>
    replay(const DeviceTrace &trace, const Allocations &allocations, const AllocatorRules &rules,
           const Progress &progress = {}, BandsKept kept = {});

    /// What the reserved bytes are after `event` (-1: before the first): at once where they are
    /// kept, else in the time of stateAfter().
    [[nodiscard]] Bands bandsAfter(EventIndex event) const;
    [[nodiscard]] EventIndex eventCount() const { return m_eventCount; }
    /// The event after which the most bytes are stranded, the first of equals.
    [[nodiscard]] EventIndex mostStranded() const { return m_mostStranded; }
    /// Bytes of the block of each allocation. One for which the segments have no room has those
    /// that the file lists at the end, or else those that the allocator's rules give; memory of the
    /// host has what was requested. `trace` is the one of the replay.
    [[nodiscard]] std::vector<Bytes> blockSizes(const DeviceTrace &trace) const;
    [[nodiscard]] const SegmentLives &segments() const { return m_segments; }
    [[nodiscard]] const Consistency &consistency() const { return m_consistency; }
    /// Segments, blocks and holes after `event`, in time proportional to the answer but for
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
    std::vector<Bytes> m_blockSizes; ///< 0: in no memory that was held
    BandsHistory m_bands;            // empty where they are not kept
    EventIndex m_mostStranded = -1;
    // Rare: blocks that lost their memory while they lived, and when.
    std::unordered_map<AllocationIndex, EventIndex> m_lostAt;
    Consistency m_consistency;
};

/// The rules under which a trace was recorded, from the settings that the file holds; PyTorch's
/// defaults where it holds none.
[[nodiscard]] AllocatorRules allocatorRules(const Trace &trace);

} // namespace vramscope
