// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/plan/plan.h"
#include "core/settings/settings.h"

#include <string_view>

namespace vramscope {

/// What the names of the engine's parts begin with, beside those of the trainer.
inline constexpr std::string_view kOfEngine = "Engine: ";
inline constexpr std::string_view kOfCritic = "Critic: ";

/// The plan of the engine that generates for a trainer: `plan` served, in copies of rl.tensor GPUs.
/// `trainer`: the settings of the same plan.
[[nodiscard]] Plan enginePlan(const Plan &plan, const Settings &trainer);

/// The settings of that engine, whose model and GPU are the trainer's.
[[nodiscard]] std::shared_ptr<const Settings> engineSettings(const Plan &plan,
                                                             const Settings &trainer);

/// Whether the engine of a sound plan with one is sound as well, on the trainer's GPUs.
[[nodiscard]] bool soundRollout(const Plan &plan, const Settings &trainer);

/// Adds what is wrong or worth telling about trainer and engine on one set of GPUs: of the engine
/// by itself, and of both together. `resolved` is that of the trainer, and checked.
void checkRollout(const Plan &plan, ResolvedPlan &resolved);

} // namespace vramscope
