// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/estimate/lifecycle.h"
#include "core/reconcile/reconciliation.h"
#include "core/reconcile/recorded_step.h"

#include <array>
#include <string>

namespace vramscope {

/// The highest point of a moment in a plan's step.
struct PredictedMoment
{
    std::string name; ///< the plan's own: "forward of block 12"; empty where the plan has none
    SideBytes bytes;
};

/// The moments of a plan's step, steady or first. Of serving: at rest, and as forward what is
/// highest.
using PredictedStep = std::array<PredictedMoment, kStepMomentCount>;

/// All moments empty where estimate() gives no figures; some hundred microseconds.
[[nodiscard]] PredictedStep predictedStep(const Lifecycle &lifecycle, bool first);

} // namespace vramscope
