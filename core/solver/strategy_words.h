// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/solver/strategies.h"

// The sentences of a StrategyGuide.

namespace vramscope {

/// "FSDP2, full sharding, tensor 8, micro-batch 2, checkpointing full"
[[nodiscard]] std::string strategyTitle(const Settings &settings);
/// The varied fields, the plan's kept values, and the definition of an option.
[[nodiscard]] std::string strategiesHeld(const Settings &settings, const StrategyGuide &guide);
/// Why the first option is first: its figures, then a comparison with each other kind of strategy.
[[nodiscard]] std::vector<std::string> strategyReasons(const Settings &settings,
                                                       const StrategyGuide &guide);
/// The networks, cards and sequences a step from which another option would be first.
[[nodiscard]] std::vector<std::string> strategyChanges(const Plan &plan, const StrategyGuide &guide,
                                                       const SpeedCalibration *calibration);

} // namespace vramscope
