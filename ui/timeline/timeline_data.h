// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/analysis/curves/device_overlay.h"
#include "core/analysis/replayed/address_space.h"
#include "core/analysis/replayed/usage_curve.h"
#include "ui/timeline/stack_geometry.h"

#include <QStringList>

#include <array>
#include <functional>
#include <span>

namespace vramscope {

/// What a timeline draws inside its plot.
enum class TimelineKind {
    Active,   ///< every allocation a band, stacked in order of allocation
    Reserved, ///< every segment a band, and where segments come, go, are mapped and unmapped
    Bands,    ///< what the reserved bytes are made of
    Lanes,    ///< active memory apart by pool and stream
};
inline constexpr std::size_t kTimelineKindCount = 4;

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

/// Some of the allocations apart from the others, on a scale of their own.
struct TimelineLane
{
    QString name;
    Stacked stacked;
    std::span<const AllocationIndex> allocations; ///< of each life of `stacked`
};

/// What the timelines of one device draw, free of file and trace. The pointers outlive every view
/// that holds this.
struct TimelineData
{
    const Allocations *allocations = nullptr;
    const UsageCurve *curve = nullptr;
    std::span<const std::int64_t> times; ///< µs of each event, ascending; empty: not recorded
    const BandColors *colors = nullptr;  ///< of the allocations
    const Lifetimes *segments = nullptr;
    BandColors segmentColors;
    const AddressSpace *space = nullptr; ///< null: bands cannot be drawn
    std::vector<TimelineLane> lanes;
    /// The events at which segments were asked for, given back, mapped and unmapped, ascending.
    std::array<std::vector<EventIndex>, 4> segmentEvents;
    std::vector<TimelineMark> outOfMemory;
    std::vector<TimelineMark> snapshots;
    std::vector<TimelineRange> annotations; ///< sorted by start
    std::vector<EventIndex> steps;          ///< where a training step begins
    Bytes limit = 0;                        ///< what the device could give at most; 0: unknown
    /// What a log says of the device, drawn over active memory by time; may be null.
    const DeviceOverlay *overlay = nullptr;
    /// Lines of text for the hovered allocation or segment, the first one its heading.
    std::function<QStringList(AllocationIndex)> describe;
    std::function<QStringList(LifeIndex)> describeSegment;
    std::function<QString(PoolId)> poolName;     ///< "private pool (0, 1)"
    std::function<QString(StreamId)> streamName; ///< "default stream", "stream 7"

    [[nodiscard]] bool valid() const { return allocations && curve && colors; }
    [[nodiscard]] EventAxis axis(EventAxis::Kind kind = EventAxis::Kind::Event) const
    {
        return {curve->count(), times, kind};
    }
    /// From nothing up to a little above the highest line.
    [[nodiscard]] Range wholeBytes() const;
    [[nodiscard]] Stacked active() const { return {allocations, &curve->active(), colors}; }
    [[nodiscard]] Stacked reserved() const
    {
        return {segments, &curve->reserved(), &segmentColors};
    }
};

} // namespace vramscope
