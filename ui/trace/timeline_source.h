// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/format.h"
#include "ui/timeline/timeline_data.h"
#include "ui/trace/trace_document.h"

namespace vramscope {

/// One device of a document as the timelines draw it. The document outlives the result.
[[nodiscard]] TimelineData timelineData(const TraceDocument &document, std::size_t device,
                                        ByteUnit unit);

/// "event 2,907 → 3,014 (12.4 ms)": when an allocation lives.
[[nodiscard]] QString lifetimeText(const DeviceDocument &device, AllocationIndex allocation);

} // namespace vramscope
