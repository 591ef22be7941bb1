// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/analysis/categories/categories.h"
#include "core/analysis/findings/leaks.h"
#include "core/analysis/findings/out_of_memory.h"
#include "core/analysis/replayed/address_space.h"
#include "core/analysis/steps/step_fold.h"
#include "ui/trace/coloring.h"
#include "ui/trace/trace_document.h"

namespace vramscope {

/// Allocations of one pool and stream, apart from the others.
struct AllocationLane
{
    QString name;
    std::vector<AllocationIndex> allocations; ///< ascending
    std::unique_ptr<const Lifetimes> lives;   ///< theirs
    std::unique_ptr<const EventCurve> curve;
};

/// What takes longer to find out about a device than a page may wait for: made after its first
/// picture, off the GUI thread, then shared. References the document's device.
struct DeviceStudy
{
    AllocatorRules rules;
    std::unique_ptr<const AddressSpace> space;
    std::unique_ptr<const Lifetimes> segments; ///< those of `space`, in its order
    BandColors segmentColors;
    std::array<std::vector<EventIndex>, 4> segmentEvents; ///< as TimelineData has them
    std::vector<AllocationLane> lanes; ///< where there are several pools or streams
    Steps steps;
    StepFold stepsByEvent;
    StepFold stepsByTime; ///< as by event where no times are recorded
    Leaks leaks;
    Categories categories;
    std::vector<OutOfMemoryReport> outOfMemory; ///< of the first few failures
    EventIndex mostStranded = -1;
};

/// "default pool", "private pool (0, 1)".
[[nodiscard]] QString poolName(const Trace &trace, PoolId pool);
/// "default stream", "stream 94532".
[[nodiscard]] QString streamName(const Trace &trace, StreamId stream);

/// Studies one device of a document, which must outlive the result. Null when `progress` asked to
/// stop.
[[nodiscard]] std::shared_ptr<const DeviceStudy>
study(const TraceDocument &document, std::size_t device, const Progress &progress = {});

} // namespace vramscope
