// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/analysis/allocations.h"

#include <span>
#include <vector>

namespace vramscope {

/// Allocations that were made at the same place.
struct LiveGroup
{
    StackId stack = StackId::None;
    Bytes bytes = 0; ///< requested
    std::int64_t count = 0;
    AllocationIndex first = kNoAllocation; ///< the earliest of them
};

/// `chosen` (what liveAfter() gives, say) grouped by stack, the most bytes first, equals in order
/// of birth. The groups add up to the chosen. Takes time linear in the chosen, but for sorting the
/// groups.
[[nodiscard]] std::vector<LiveGroup> groupByStack(const Allocations &allocations,
                                                  std::span<const AllocationIndex> chosen);

/// The frame that tells a reader best where a stack comes from: the innermost in a Python file, for
/// the frames below it are those of the framework's C++; else the innermost; null of an empty
/// stack.
[[nodiscard]] const Frame *tellingFrame(const Trace &trace, StackId stack);

} // namespace vramscope
