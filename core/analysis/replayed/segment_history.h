// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/analysis/replayed/lifetimes.h"
#include "core/analysis/replayed/segment_lives.h"

#include <array>
#include <vector>

namespace vramscope {

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
