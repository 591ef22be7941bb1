// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/progress.h"
#include "core/plan/plan.h"
#include "core/reconcile/comparison.h"
#include "core/reconcile/recorded_step.h"
#include "core/reconcile/stack_evidence.h"
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
/// The variation with these settings; nothing if the plan has them already or a field does not take
/// the value.
[[nodiscard]] std::optional<Variation> variationOf(const Plan &plan,
                                                   std::vector<FieldSetting> settings);

/// What other settings explain of a difference.
struct Explanation
{
    std::vector<Reason> reasons;    ///< settings, each put on top of those before it
    std::vector<Reason> candidates; ///< see Reconciliation
    Bytes notReached = 0;           ///< see comparison.h, under all reasons
};

/// Puts one setting after the other into the plan, each time the one that brings the prediction
/// closest to the recording at all its moments, as long as it is worth a hundredth of the memory
/// at the moment compared and most of what it changes is towards the recording. `batch`: what the
/// recording tells of it; where it is another, it comes first. Settings that the evidence speaks
/// against are not tried.
[[nodiscard]] Explanation explanationOf(const Plan &plan, const RecordedBatch &batch,
                                        const RecordedMoments &recorded, bool firstStep,
                                        const StackEvidence &evidence, const Progress &progress);

} // namespace vramscope
