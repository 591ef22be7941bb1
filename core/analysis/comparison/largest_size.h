// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/analysis/replayed/rehearsal.h"
#include "core/analysis/replayed/summary.h"

#include <optional>
#include <string>

namespace vramscope {

/// Extrapolates two rehearsals of one program, at two sizes of one of its arguments, to all sizes.
/// Memory in use grows linearly, mostly to the byte; what the allocator reserves beyond it does
/// not, so that it only narrows the answer.
struct LargestSize
{
    std::string name; ///< of the argument: "batch"
    std::string gpu;
    std::int64_t small = 0; ///< the sizes that were rehearsed
    std::int64_t large = 0;
    Bytes each = 0;            ///< that each further one adds to the memory in use at the peak
    Bytes room = 0;            ///< of the GPU, for the allocator
    std::int64_t most = 0;     ///< the largest size by memory in use. 0: nothing fits
    std::int64_t expected = 0; ///< fits if reserved memory keeps growing as it did; at most `most`
};

/// Nothing if either is not a rehearsal with a size, or did not run to its end; if argument, GPU,
/// rank or number of ranks differ; or if memory in use does not grow with the size.
[[nodiscard]] std::optional<LargestSize> largestSize(const Trace &a, const DeviceSummary &ofA,
                                                     const Trace &b, const DeviceSummary &ofB);

} // namespace vramscope
