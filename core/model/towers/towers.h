// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/result.h"
#include "core/model/towers/tower.h"

#include <vector>

namespace vramscope {

class ConfigReader;
struct Plan;

/// The towers of a config in known families, for a language model of width `textWidth`. Others are
/// left out: a tower is counted exactly or not at all. An error names the key at fault.
[[nodiscard]] Result<std::vector<Tower>> towersOf(const ConfigReader &config,
                                                  std::int64_t textWidth);

/// The towers that the figures of a plan count: those that an engine loads to serve the model, and
/// in training the vision tower where the batch has images. None where the plan leaves them out or
/// states the number of parameters itself, and where the config cannot be read.
[[nodiscard]] std::vector<Tower> countedTowers(const Plan &plan, std::int64_t textWidth);

/// Whether a plan's model has a vision tower by its config, known or not.
[[nodiscard]] bool hasVisionTower(const Plan &plan);

} // namespace vramscope
