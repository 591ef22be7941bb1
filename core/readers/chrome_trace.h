// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/progress.h"
#include "core/base/result.h"
#include "core/readers/byte_source.h"
#include "core/trace/series.h"

#include <memory>

namespace vramscope {

/// Reads a trace that torch.profiler's export_chrome_trace() wrote, or a bare list of such events:
/// the memory events of each device in order of time, each with the innermost operator that
/// contains it; failed allocations; kernels, copies and annotations as spans. Taken as a stream:
/// memory goes to what is kept and to a row for each operator. JSON that the profiler wrote wrongly
/// is mended, and of a file that ends too early what was complete is read; Series::problems() says
/// so. Times are nanoseconds since 1970 where the file tells its base.
[[nodiscard]] Result<std::shared_ptr<const Series>> readChromeTrace(ByteWindow &input,
                                                                    const Progress &progress);

} // namespace vramscope
