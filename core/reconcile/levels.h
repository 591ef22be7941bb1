// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/reconcile/reconciliation.h"
#include "core/reconcile/recorded_step.h"

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

} // namespace vramscope
