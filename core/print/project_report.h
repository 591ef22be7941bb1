// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/format.h"
#include "core/solver/projected_plan.h"

#include <string>

namespace vramscope {

/// One line of JSON: calibration, weak, strong, strategies.
[[nodiscard]] std::string projectJson(const ProjectedPlan &projected, const std::string &file);
/// The same for people.
[[nodiscard]] std::string projectText(const ProjectedPlan &projected, const std::string &file,
                                      ByteUnit unit = ByteUnit::Binary);

/// What a projection is calibrated by, in a sentence.
[[nodiscard]] std::string calibrationText(const SpeedCalibration *calibration);

} // namespace vramscope
