// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/format.h"
#include "ui/timeline/timeline_data.h"
#include "ui/trace/device_study.h"

namespace vramscope {

/// One device of a document as the timelines draw it, in the colours it starts with; reserved
/// memory, bands and steps need a study (may be null). Document and study outlive the result.
[[nodiscard]] TimelineData timelineData(const TraceDocument &document, std::size_t device,
                                        const DeviceStudy *study, ByteUnit unit);

/// The colours of the lanes of a study out of those of all allocations; as TimelineData::lanes
/// points to them.
[[nodiscard]] std::vector<BandColors> laneColors(const DeviceStudy &study,
                                                 const BandColors &colors);
/// The lanes of a study in these colours, which outlive the result.
[[nodiscard]] std::vector<TimelineLane> timelineLanes(const DeviceStudy &study,
                                                      const std::vector<BandColors> &colors);

/// "event 2,907 → 3,014 (12.4 ms)": when an allocation lives.
[[nodiscard]] QString lifetimeText(const DeviceDocument &device, AllocationIndex allocation);

} // namespace vramscope
