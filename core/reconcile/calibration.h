// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/plan/plan.h"
#include "core/reconcile/reconciliation.h"

#include <string_view>

namespace vramscope {

/// A plan with a constant as a recording has it, marked as taken over from `file`, of whose path
/// the mark keeps the name alone; an older mark of the constant gives way. Sizes are whole bytes,
/// ratios have four decimals. The plan stays as it is where the field is no constant of
/// `overheads`, or may not have the value.
[[nodiscard]] Plan calibrated(Plan plan, const Calibration &constant, std::string_view file);

} // namespace vramscope
