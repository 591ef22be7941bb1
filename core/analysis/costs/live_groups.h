// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/analysis/replayed/allocations.h"
#include "core/base/progress.h"

#include <span>
#include <vector>

namespace vramscope {

/// Allocations made at the same place.
struct LiveGroup
{
    StackId stack = StackId::None;
    Bytes bytes = 0; ///< of their blocks
    std::int64_t count = 0;
    AllocationIndex first = kNoAllocation; ///< the earliest of them
};

/// `chosen`, for example from liveAfter(), grouped by stack, the most bytes first, equals in order
/// of birth. The groups add up to the chosen; there are no groups once `progress` asks to stop.
/// Takes time linear in the chosen, except for sorting the groups.
[[nodiscard]] std::vector<LiveGroup> groupByStack(const Allocations &allocations,
                                                  std::span<const AllocationIndex> chosen,
                                                  const Progress &progress = {});

} // namespace vramscope
