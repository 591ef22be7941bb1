// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/progress.h"
#include "core/base/result.h"
#include "core/readers/byte_source.h"
#include "core/trace/series.h"

#include <memory>

namespace vramscope {

/// Reads what export_memory_timeline() of torch.profiler writes as JSON: times beside rows of bytes
/// by category, or the list of single events, which is replayed. The result is one device with a
/// curve for each category and, first, their sum ("total"), and one sample for each distinct time,
/// as it is after all that happened then. What was there before the recording counts from the
/// first time on, as in PyTorch. Of a file that ends too early what was complete is read.
[[nodiscard]] Result<std::shared_ptr<const Series>> readMemoryTimeline(ByteWindow &input,
                                                                       const Progress &progress);

} // namespace vramscope
