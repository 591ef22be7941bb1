// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/plan/plan.h"

#include <random>

namespace vramscope::test {

using Random = std::mt19937;

/// A training plan over all fields that a step reads, of a preset or of a small config made up;
/// the checks of plans find nothing that bars its figures.
[[nodiscard]] Plan randomTrainingPlan(Random &random);

/// The same for serving.
[[nodiscard]] Plan randomServingPlan(Random &random);

/// Either.
[[nodiscard]] Plan randomPlan(Random &random);

/// The config.json of a small transformer: dense or of experts, plain, grouped or latent attention,
/// with or without windows.
[[nodiscard]] std::string randomConfig(Random &random);

} // namespace vramscope::test
