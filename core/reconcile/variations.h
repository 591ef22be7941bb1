// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/plan/plan.h"
#include "core/solver/fit_summary.h"

#include <optional>
#include <string>
#include <vector>

namespace vramscope {

/// A plan with other settings that a run may have had: one choice that differs, with the numbers
/// that belong to it.
struct Variation
{
    Plan plan;
    std::vector<FieldSetting> settings; ///< what differs
    std::string text; ///< "Checkpointing every-k instead of full, every 2 instead of 1"
};

/// The variations worth trying where a recording differs from the plan: what people state wrongly
/// or frameworks choose by themselves (recomputation, attention, loss, precision, optimizer,
/// sharding, half or several times the batch). Only those that the planner can compute.
[[nodiscard]] std::vector<Variation> variationsOf(const Plan &plan);
/// The one with these settings; none where the plan has them already or a field takes no such
/// value.
[[nodiscard]] std::optional<Variation> variationOf(const Plan &plan,
                                                   std::vector<FieldSetting> settings);

} // namespace vramscope
