// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/solver/strategies.h"

// What a StrategyGuide says in words.

namespace vramscope {

/// "FSDP2, full sharding, tensor 8, micro-batch 2, checkpointing full"
[[nodiscard]] std::string strategyTitle(const Settings &settings);
/// What was varied, what the plan held, and what an option is.
[[nodiscard]] std::string strategiesHeld(const Settings &settings, const StrategyGuide &guide);
/// Why the first option is first: its figures, then each other kind of strategy against it.
[[nodiscard]] std::vector<std::string> strategyReasons(const Settings &settings,
                                                       const StrategyGuide &guide);
/// The networks, cards and sequences a step from which another option would be first.
[[nodiscard]] std::vector<std::string> strategyChanges(const Plan &plan, const StrategyGuide &guide,
                                                       const SpeedCalibration *calibration);

} // namespace vramscope
