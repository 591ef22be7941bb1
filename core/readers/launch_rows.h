// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/profile/profiler_tables.h"

namespace vramscope {

/// Puts together what Nsight Compute says of each launch: of a table with a row a metric makes one
/// with a row a launch, takes the row of units away from one that has it, and fills `launches`.
void takeLaunches(ProfilerTables &tables);

} // namespace vramscope
