// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/analysis/replayed/allocations.h"
#include "core/analysis/replayed/annotation_ranges.h"
#include "core/analysis/replayed/summary.h"
#include "core/analysis/replayed/usage_curve.h"
#include "core/base/progress.h"
#include "ui/trace/coloring.h"

#include <memory>
#include <vector>

namespace vramscope {

/// What the trace page shows of one device: the recorded events and what follows from them.
struct DeviceDocument
{
    /// Of no use where `progress` asked to stop.
    DeviceDocument(const Trace &trace, const DeviceTrace &device, const Progress &progress = {});

    const DeviceTrace &recorded; ///< lives in the document's trace
    Allocations allocations;
    UsageCurve curve;
    DeviceSummary summary;
    std::vector<AnnotationRange> annotations;
    Coloring byStack; ///< the colours that a page starts with

    /// Whether there is a history to draw. A recording of the state alone keeps one last event.
    [[nodiscard]] bool hasHistory() const { return recorded.events.count() > 1; }
    [[nodiscard]] bool hasTimes() const { return !recorded.events.time.empty(); }
    /// µs of each event, never going back (threads that record at once may swap); may be empty.
    [[nodiscard]] std::span<const std::int64_t> times() const;
    /// µs from the first event to `event`; 0 before the first. Needs times.
    [[nodiscard]] std::int64_t timeOf(EventIndex event) const;

private:
    std::vector<std::int64_t> m_ascending; // only where the recorded times go back
};

/// An opened trace, analysed and constant: what every part of the trace page draws from. Made off
/// the GUI thread, then shared.
struct TraceDocument
{
    std::shared_ptr<const Trace> trace;
    std::vector<std::unique_ptr<const DeviceDocument>> devices; ///< as in Trace::devices()

    /// Index of the device to show first: one that ran out of memory, else the one with most
    /// events, else with most bytes.
    [[nodiscard]] std::size_t mainDevice() const;
};

/// Analyses every device. Null when `progress` asked to stop.
[[nodiscard]] std::shared_ptr<const TraceDocument> analyse(std::shared_ptr<const Trace> trace,
                                                           const Progress &progress = {});

} // namespace vramscope
