// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/estimate/estimate.h"
#include "core/estimate/formulas/training.h"
#include "core/estimate/step_work.h"

namespace vramscope {

/// Work of a training step: arithmetic spread evenly over the GPUs that share a sequence, their
/// traffic, and the optimizer's reads and writes. With a pipeline it is the first stage's,
/// whichever stage the memory describes. Nothing where parameters_override leaves fewer parameters
/// than the blocks hold.
[[nodiscard]] std::optional<StepWork> trainingWork(const Settings &settings,
                                                   const ParameterCounts &counts);
/// The same, for the rank of a first stage.
[[nodiscard]] StepWork trainingWork(const Training &training, const ParameterCounts &counts);

/// Work of one decoding step, in which every sequence requested at once gets a token: the weights
/// that it touches and the cache are read once. The experts are those that the tokens of a step
/// choose when they choose evenly: E (1 - (1 - k / E)^tokens).
[[nodiscard]] StepWork servingWork(const Settings &settings, const ParameterCounts &counts,
                                   const RankInventory &rank, const InferenceFigures &figures);

} // namespace vramscope
