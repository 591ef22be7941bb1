// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/reconcile/recorded_step.h"
#include "core/solver/fit_summary.h"

#include <vector>

namespace vramscope {

/// What a recording tells of the batch that its step ran with.
struct RecordedBatch
{
    bool known = false;                 ///< whether it tells anything
    std::vector<FieldSetting> settings; ///< where it is another than the plan's
};

/// Told by the logits: the largest allocation of the loss, or the one that failed, is as many
/// tokens × entries of the vocabulary × 2 or 4 bytes. Another batch is one of another micro-batch
/// where the plan's sequences divide the tokens, else of another sequence length. Nothing is told
/// where the plan's loss never has all logits at once on a rank (in chunks, over ranks, fused).
[[nodiscard]] RecordedBatch recordedBatch(const Plan &plan, const Study &recorded,
                                          const RecordedStep &step);

} // namespace vramscope
