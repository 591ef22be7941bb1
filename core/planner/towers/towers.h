// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/result.h"
#include "core/planner/towers/tower.h"

#include <vector>

namespace vramscope {

class ConfigReader;
struct PlanModel;

/// The towers of a config whose families are known, beside a language model of width `textWidth`.
/// Of others there are none: a tower is counted exactly or not at all. An error names the key at
/// fault.
[[nodiscard]] Result<std::vector<Tower>> towersOf(const ConfigReader &config,
                                                  std::int64_t textWidth);

/// The towers that a plan's model brings along; none where its config cannot be read.
[[nodiscard]] std::vector<Tower> towersOf(const PlanModel &model, std::int64_t textWidth);

} // namespace vramscope
