// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/profile/run_table.h"

#include <string>
#include <vector>

namespace vramscope {

/// Runs beside each other, a row each, with the targets below.
[[nodiscard]] std::string runTableText(const std::vector<RunRow> &rows);

/// One line: {"runs":[{"file","problems","device","steps","span","compute","non_compute","idle",
/// "communication","exposed_communication","compute_share","overlap","peak_allocated"}],
/// "targets":{"compute_share","overlap"}}; null where a thing is not known, "steps" 0 of what is of
/// everything recorded. Times are nanoseconds.
[[nodiscard]] std::string runTableJson(const std::vector<RunRow> &rows);

} // namespace vramscope
