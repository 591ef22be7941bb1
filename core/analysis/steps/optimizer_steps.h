// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/analysis/steps/phases.h"
#include "core/analysis/steps/step_thresholds.h"

#include <vector>

namespace vramscope {

/// Where the steps of a training program begin, from the runs of its optimizer: a step begins with
/// an allocation that recurs between two runs. Lengths may vary, and other work, such as a
/// validation, may lie between steps.
struct OptimizerSteps
{
    std::vector<EventIndex> starts; ///< empty: too few runs
    bool firstKnown = true;         ///< whether the first begins in the recording
    bool lastComplete = true;       ///< whether the last has its run of the optimizer
    double alike = 0;               ///< share of the steps that begin with the same stack
};

[[nodiscard]] OptimizerSteps stepsOfOptimizer(const Trace &trace, const Allocations &allocations,
                                              const Phases &phases,
                                              const StepThresholds &thresholds);

} // namespace vramscope
