// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/progress.h"
#include "core/reconcile/comparison.h"
#include "core/reconcile/recorded_batch.h"
#include "core/reconcile/stack_evidence.h"

#include <vector>

namespace vramscope {

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
