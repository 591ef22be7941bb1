// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/result.h"
#include "core/plan/plan.h"
#include "core/profile/profile_study.h"
#include "core/projection/step_time.h"

#include <cstdint>
#include <optional>
#include <string>

namespace vramscope {

/// The median step of a profiler trace: its time and the computing in it, and what the largest of
/// its gathers and reductions sent over the links, by the shortest of its calls, as the others hold
/// the wait for late ranks. An error says what the trace lacks.
[[nodiscard]] Result<TracedStep> tracedStep(const ProfileStudy &study, std::string source);

/// Calibrates the projection of a plan by a trace of its run. The trace says on how many GPUs it
/// ran; where it does not, that is as the plan has it. An error says what of the two does not go
/// together.
[[nodiscard]] Result<SpeedCalibration> calibrateBy(const ProfileStudy &study, const Plan &plan,
                                                   std::string source);

/// The same by the speed that a run of the plan had: tokens a second over all its GPUs.
[[nodiscard]] Result<SpeedCalibration> calibrateBySpeed(const Plan &plan, double tokensPerSecond);

} // namespace vramscope
