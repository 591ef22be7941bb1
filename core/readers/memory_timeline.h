// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/progress.h"
#include "core/base/result.h"
#include "core/readers/byte_source.h"
#include "core/trace/series.h"

#include <memory>

namespace vramscope {

/// Reads the JSON that export_memory_timeline() of torch.profiler writes: times with rows of bytes
/// by category, or the list of single events, which is replayed. The result is one device with a
/// curve for each category and, first, their sum ("total"), and one sample for each distinct time,
/// taken after all its events. As in PyTorch, memory from before the recording counts from the
/// first time on. A truncated file is read up to its last complete part.
[[nodiscard]] Result<std::shared_ptr<const Series>> readMemoryTimeline(ByteWindow &input,
                                                                       const Progress &progress);

} // namespace vramscope
