// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/progress.h"
#include "core/base/result.h"
#include "core/readers/byte_source.h"
#include "core/trace/trace.h"

#include <memory>

namespace vramscope {

/// Reads the data of a page that PyTorch's memory viewer wrote before June 2023, from the brace at
/// the cursor on. It holds sizes, stacks and the order of allocations and frees of one device, but
/// neither addresses nor segments: addresses are made up as an allocator without overhead would
/// choose them, and one segment spans them all. A problem of the trace says so.
[[nodiscard]] Result<std::shared_ptr<const Trace>> readAllocationPlot(ByteWindow &input,
                                                                      const Progress &progress);

} // namespace vramscope
