// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/estimate/estimate.h"
#include "core/estimate/formulas/training.h"
#include "core/estimate/step_work.h"

namespace vramscope {

/// Of a training step: arithmetic spread evenly over the GPUs that share a sequence, what they
/// send, and what the optimizer reads and writes.
/// Of a pipeline the first stage's, whichever the memory is of. Nothing where parameters_override
/// leaves fewer parameters than the blocks hold.
[[nodiscard]] std::optional<StepWork> trainingWork(const Settings &settings,
                                                   const ParameterCounts &counts);
/// The same, of the rank of a first stage.
[[nodiscard]] StepWork trainingWork(const Training &training, const ParameterCounts &counts);

/// Of one decoding step, in which every sequence that is asked for at once gets a token: the
/// weights that it touches and the cache are read once. Of the experts those that the tokens of a
/// step choose when they choose evenly: E (1 - (1 - k / E)^tokens).
[[nodiscard]] StepWork servingWork(const Settings &settings, const ParameterCounts &counts,
                                   const RankInventory &rank, const InferenceFigures &figures);

} // namespace vramscope
