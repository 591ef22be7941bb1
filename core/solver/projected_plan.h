// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/progress.h"
#include "core/projection/scaling.h"
#include "core/solver/strategies.h"

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace vramscope {

/// A plan, or another strategy of its job, over numbers of GPUs.
struct ScaleLine
{
    std::string title; ///< "This plan", "Tensor parallelism"
    Plan plan;
    std::vector<ScalePoint> weak;
    std::vector<ScalePoint> strong; ///< empty for serving
};

/// All projections of a plan.
struct ProjectedPlan
{
    Plan plan;
    std::optional<SpeedCalibration> calibration;
    /// The plan, which is always there, then the best of each kind of strategy that fits it.
    std::vector<ScaleLine> lines;
    Result<StrategyGuide> guide = Error{};
};

/// At these numbers of GPUs, at least one. An error where it was cancelled, or the error of
/// checkComputed() for the plan.
[[nodiscard]] Result<ProjectedPlan> projectPlan(const Plan &plan,
                                                std::span<const std::int64_t> gpus,
                                                std::optional<SpeedCalibration> calibration,
                                                const Progress &progress = {});

} // namespace vramscope
