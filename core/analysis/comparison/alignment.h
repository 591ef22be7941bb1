// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/analysis/replayed/annotation_ranges.h"
#include "core/analysis/steps/steps.h"

#include <optional>
#include <span>
#include <string>
#include <vector>

namespace vramscope {

/// One of several overlaid histories. Has at least one event.
struct AlignedHistory
{
    EventIndex count = 0;
    std::span<const std::int64_t> times; ///< µs of each event, ascending; empty if not recorded
    EventIndex anchor = 0;               ///< the event that is aligned with those of the others
};

/// Histories on one axis, each shifted as a whole so that their anchors align. A position is an
/// event's number, or µs since the history's own first event; the axis begins with the earliest
/// history.
struct Alignment
{
    std::vector<std::int64_t> shifts; ///< added to a history's own position; never negative
    std::int64_t anchor = 0;          ///< where the anchors are
    EventIndex count = 0;             ///< of the axis: events, or moments
    /// By time alone: each µs at which one of the histories has an event, once, ascending from 0.
    std::vector<std::int64_t> moments;
};

[[nodiscard]] Alignment alignedByEvent(std::span<const AlignedHistory> histories);
/// Every history must have times. Takes time n log n in all events together.
[[nodiscard]] Alignment alignedByTime(std::span<const AlignedHistory> histories);

/// The first step that is recorded from beginning to end, if any.
[[nodiscard]] std::optional<std::size_t> firstCompleteStep(const Steps &steps);

/// A recording with the ranges of the selected device.
struct AnnotatedHistory
{
    const Trace &trace;
    std::span<const AnnotationRange> ranges;
};

/// A name of ranges that begin in every recording.
struct CommonAnnotation
{
    std::string name;
    std::vector<EventIndex> starts; ///< of the first such range in each recording
};

/// In the order of the first recording.
[[nodiscard]] std::vector<CommonAnnotation>
commonAnnotations(std::span<const AnnotatedHistory> histories);

} // namespace vramscope
