// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/format.h"
#include "ui/timeline/timeline_data.h"
#include "ui/trace/trace_document.h"

namespace vramscope {

/// One device of a document as the timelines draw it, in the colours it starts with; reserved
/// memory, bands and steps need the device's study (null while it is being worked out). The
/// document outlives the result.
[[nodiscard]] TimelineData timelineData(const TraceDocument &document, std::size_t device,
                                        const Study *study, ByteUnit unit);

/// "default pool", "private pool (0, 1)".
[[nodiscard]] QString poolName(const Trace &trace, PoolId pool);
/// "default stream", "stream 94532".
[[nodiscard]] QString streamName(const Trace &trace, StreamId stream);

/// The colours of the lanes of a study out of those of all allocations; as TimelineData::lanes
/// points to them.
[[nodiscard]] std::vector<BandColors> laneColors(const Study &study, const BandColors &colors);
/// The lanes of a study in these colours, which outlive the result.
[[nodiscard]] std::vector<TimelineLane> timelineLanes(const Study &study,
                                                      const std::vector<BandColors> &colors);

/// "event 2,907 → 3,014 (12.4 ms)": when an allocation lives.
[[nodiscard]] QString lifetimeText(const Study &device, AllocationIndex allocation);

} // namespace vramscope
