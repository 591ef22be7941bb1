// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/timeline/stack_painter.h"

#include <QStringList>

#include <functional>
#include <span>

namespace vramscope {

/// Something that happened at an event, with a text for the chart.
struct TimelineMark
{
    EventIndex event = 0;
    QString text;
};

/// A named stretch of events [first, last) on a lane under the axis.
struct TimelineRange
{
    EventIndex first = 0;
    EventIndex last = 0;
    int lane = 0;
    QString name;
};

/// What the timelines of one device draw, free of file and trace. The pointers outlive every view
/// that holds this.
struct TimelineData
{
    const Allocations *allocations = nullptr;
    const UsageCurve *curve = nullptr;
    const StackColors *colors = nullptr;
    std::span<const std::int64_t> times; ///< µs of each event; empty: not recorded
    std::vector<TimelineMark> outOfMemory;
    std::vector<TimelineRange> annotations; ///< sorted by start
    Bytes limit = 0;                        ///< what the device could give at most; 0: unknown
    /// Lines of text for the hovered allocation, the first one its heading.
    std::function<QStringList(AllocationIndex)> describe;

    [[nodiscard]] bool valid() const { return allocations && curve && colors; }
    /// All events, and bytes up to a little above the highest line.
    [[nodiscard]] Viewport whole() const;
};

} // namespace vramscope
