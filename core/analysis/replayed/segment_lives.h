// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/analysis/replayed/lifetimes.h"
#include "core/base/max_tree.h"
#include "core/trace/trace.h"

#include <array>
#include <vector>

namespace vramscope {

/// A range of addresses that the allocator had from one event to another: a cudaMalloc, or pages of
/// an expandable segment that were mapped and unmapped together. It exists "after event e" exactly
/// when birth <= e < death; birth -1: before the first event, death = number of events: at the end.
struct SegmentLife
{
    std::uint64_t address = 0;
    Bytes size = 0;
    EventIndex birth = -1;
    EventIndex death = 0;
    StackId stack = StackId::None; ///< of the call that requested it
    StreamId stream{};
    PoolId pool = PoolId::Default;
    bool large = true;
    bool expandable = false;

    [[nodiscard]] std::uint64_t end() const { return address + static_cast<std::uint64_t>(size); }
};

/// Every range that one device's allocator ever had, rebuilt from the final segments and the
/// segment events, last to first: a range that the trace frees existed before, one that it requests
/// did not. Sorted by birth, then address; ranges that live at the same time never overlap. The
/// pool of a range freed before the end is unknown if its events do not have it (before PyTorch
/// 2.12): it counts as the default one, unless the range touches one of an expandable segment in
/// the file; small or large follows from its size. Immutable.
class SegmentLives
{
public:
    /// `page`: the mapping unit of expandable segments of the large pool.
    explicit SegmentLives(const DeviceTrace &trace, Bytes page = 20 * kMiB);
    SegmentLives(const SegmentLives &) = delete;
    SegmentLives &operator=(const SegmentLives &) = delete;

    [[nodiscard]] const std::vector<SegmentLife> &all() const { return m_lives; }
    /// The ranges that exist after `event`, by address; in time proportional to the answer.
    [[nodiscard]] std::vector<SegmentLife> heldAfter(EventIndex event) const;
    /// Segment events that were skipped because they contradict the final state or each other: the
    /// trace lost events, or its actions were filtered.
    [[nodiscard]] std::int64_t contradictions() const { return m_contradictions; }

private:
    std::vector<SegmentLife> m_lives;
    std::vector<EventIndex> m_deathTimes;
    MaxTree<EventIndex> m_deaths;
    std::int64_t m_contradictions = 0;
};

/// The segments of a device over time, as timelines draw them.
struct SegmentHistory
{
    /// Linear in the segments and in the events.
    SegmentHistory(const SegmentLives &segments, const EventColumns &events);

    Lifetimes lives; ///< in the order of SegmentLives
    /// The events at which segments were requested, returned, mapped and unmapped, ascending.
    std::array<std::vector<EventIndex>, 4> events;
};

} // namespace vramscope
