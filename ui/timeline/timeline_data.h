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
    Bands,    ///< the reserved bytes by their use
    Lanes,    ///< active memory apart by pool and stream
};
inline constexpr std::size_t kTimelineKindCount = 4;

/// Something that happened at an event, with a text for the chart.
struct TimelineMark
{
    EventIndex event = 0;
    QString text;
    Bytes from = 0;  ///< of what was asked for and not given, on the scale of reserved memory
    Bytes bytes = 0; ///< its size; 0: the mark is no request
};

/// A named range of events [first, last) on a lane under the axis.
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

/// The data that the timelines of one device draw, independent of file and trace. The pointers
/// outlive every view of this data.
struct TimelineData
{
    const Allocations *allocations = nullptr;
    const UsageCurve *curve = nullptr;
    std::span<const std::int64_t> times; ///< µs of each event, ascending; empty: not recorded
    const BandColors *colors = nullptr;  ///< of the allocations
    std::vector<QString> colorNames;     ///< by colour; empty where one colour has several meanings
    const Lifetimes *segments = nullptr;
    BandColors segmentColors;
    const AddressSpace *space = nullptr; ///< null: bands cannot be drawn
    std::vector<TimelineLane> lanes;
    /// The events at which segments were requested, given back, mapped and unmapped, ascending.
    std::array<std::vector<EventIndex>, 4> segmentEvents;
    std::vector<TimelineMark> outOfMemory;
    std::vector<TimelineMark> snapshots;
    std::vector<TimelineRange> annotations; ///< sorted by start
    std::vector<EventIndex> steps;          ///< where a training step begins
    Bytes limit = 0;                        ///< the device's memory; 0: unknown
    /// The log's values for the device, drawn over active memory by time; may be null.
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
