// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/estimate/estimate.h"
#include "core/estimate/lifecycle.h"
#include "ui/charts/step_curve.h"

namespace vramscope {

/// Which step of a training run is shown: every later one, or the first, which begins with loading
/// and has no optimizer states before its end.
enum class StepKind { Steady, First };

/// A step block by block, its highest point marked. Points lead to the moment of the estimate that
/// is theirs or nearest; those of a first step to none, since the breakdown is of a steady one.
[[nodiscard]] StepCurve stepCurve(const Lifecycle &lifecycle, const Estimate &estimate,
                                  StepKind kind);

/// What serving needs as more and more sequences run at once, up to more than fit: under vLLM how
/// its pool fills; else estimate() at up to 64 counts (under llama.cpp: lengths of the context), a
/// millisecond or two. Levels are the device's where the capacity limits, else allocated.
[[nodiscard]] StepCurve cacheCurve(const Plan &plan, const Estimate &estimate);

} // namespace vramscope
