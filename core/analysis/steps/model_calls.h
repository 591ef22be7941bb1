// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/analysis/replayed/allocations.h"
#include "core/trace/trace.h"

#include <vector>

namespace vramscope {

/// Where a program calls its model: the event of the first allocation of each run of allocations
/// inside a module, between allocations of the program outside of one. Of several places that call
/// it, the one that does most often. Empty where no stack shows Python, or where at least half of
/// the allocations are outside. Linear in the allocations and the frames.
[[nodiscard]] std::vector<EventIndex> modelCalls(const Trace &trace,
                                                 const Allocations &allocations);

} // namespace vramscope
