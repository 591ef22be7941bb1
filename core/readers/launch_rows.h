// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/profile/profiler_tables.h"

namespace vramscope {

/// Collects what Nsight Compute reports for each launch: turns a table with a row per metric into
/// one with a row per launch, removes a row of units, and fills `launches`.
void takeLaunches(ProfilerTables &tables);

} // namespace vramscope
