// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/max_tree.h"
#include "core/trace/trace.h"

#include <vector>

namespace vramscope {

/// A range of addresses that the allocator held from one event to another: a cudaMalloc, or pages
/// of an expandable segment that were mapped and unmapped together. Held "after event e" exactly
/// when birth <= e < death; birth -1: before the first event, death = number of events: at the end.
struct SegmentLife
{
    std::uint64_t address = 0;
    Bytes size = 0;
    EventIndex birth = -1;
    EventIndex death = 0;
    StackId stack = StackId::None; ///< of the call that asked for it
    StreamId stream{};
    PoolId pool = PoolId::Default;
    bool large = true;
    bool expandable = false;

    [[nodiscard]] std::uint64_t end() const { return address + static_cast<std::uint64_t>(size); }
};

/// Every range that one device's allocator ever held, rebuilt from the final segments and the
/// segment events, last to first: what the trace frees was there before, what it asks for was not.
/// Sorted by birth, then address; ranges that live at the same time never overlap. Of a range that
/// is freed before the end the trace does not tell the pool where its events do not (before PyTorch
/// 2.12): it counts as the default one, unless it touches a range of an expandable segment that the
/// file knows; small or large follows from its size. Immutable.
class SegmentLives
{
public:
    /// `page`: what expandable segments of the large pool were mapped in.
    explicit SegmentLives(const DeviceTrace &trace, Bytes page = 20 * kMiB);
    SegmentLives(const SegmentLives &) = delete;
    SegmentLives &operator=(const SegmentLives &) = delete;

    [[nodiscard]] const std::vector<SegmentLife> &all() const { return m_lives; }
    /// Those held after `event`, by address; in time proportional to the answer.
    [[nodiscard]] std::vector<SegmentLife> heldAfter(EventIndex event) const;
    /// Segment events that contradict the final state or each other and were passed over: the trace
    /// lost events, or its actions were filtered.
    [[nodiscard]] std::int64_t contradictions() const { return m_contradictions; }

private:
    std::vector<SegmentLife> m_lives;
    std::vector<EventIndex> m_deathTimes;
    MaxTree<EventIndex> m_deaths;
    std::int64_t m_contradictions = 0;
};

} // namespace vramscope
