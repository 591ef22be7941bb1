// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/format.h"
#include "core/projection/scaling.h"
#include "core/solver/strategies.h"

#include <optional>
#include <string>
#include <vector>

namespace vramscope {

/// What is known of a plan over numbers of GPUs.
struct ProjectedPlan
{
    Plan plan;
    std::optional<SpeedCalibration> calibration;
    std::vector<ScalePoint> weak;
    std::vector<ScalePoint> strong; ///< empty of serving
    Result<StrategyGuide> guide = Error{};
};

/// Everything of a plan at these numbers of GPUs.
[[nodiscard]] ProjectedPlan projectPlan(const Plan &plan, std::span<const std::int64_t> gpus,
                                        std::optional<SpeedCalibration> calibration);

/// One line of JSON: calibration, weak, strong, strategies.
[[nodiscard]] std::string projectJson(const ProjectedPlan &projected, const std::string &file);
/// The same for people.
[[nodiscard]] std::string projectText(const ProjectedPlan &projected, const std::string &file,
                                      ByteUnit unit = ByteUnit::Binary);

/// What a projection is calibrated by, in a sentence.
[[nodiscard]] std::string calibrationText(const SpeedCalibration *calibration);

} // namespace vramscope
