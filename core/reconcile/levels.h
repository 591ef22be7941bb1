// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/plan/plan.h"
#include "core/reconcile/reconcile.h"
#include "core/reconcile/recorded_step.h"

#include <string_view>

namespace vramscope {

/// Allocated, reserved and device memory, and what lies between them, at their peaks on both sides.
/// Device memory is known where an allocation failed and the file says what the device had left.
[[nodiscard]] std::vector<LevelPair> levelsOf(const Plan &plan, const Study &recorded,
                                              const RecordedStep &step, bool firstStep);

/// The constants of the plan's overheads that the recording determines. `atPeak`: what was alive
/// at the step's peak.
[[nodiscard]] std::vector<Calibration> calibrationsOf(const Plan &plan, const Study &recorded,
                                                      const RecordedStep &step,
                                                      const SideBytes &atPeak);

/// A plan with a constant as a recording has it, marked as taken over from `file`, of whose path
/// the mark keeps the name alone; an older mark of the constant gives way. Sizes are whole bytes,
/// ratios have four decimals. The plan stays as it is where the field is no constant of
/// `overheads`, or may not have the value.
[[nodiscard]] Plan calibrated(Plan plan, const Calibration &constant, std::string_view file);

} // namespace vramscope
