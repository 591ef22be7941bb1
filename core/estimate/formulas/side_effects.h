// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/model/parameters.h"

namespace vramscope {

struct Settings;

/// Floating-point operations of a token.
struct TokenArithmetic
{
    double forward = 0; ///< a forward pass
    double once = 0;    ///< in training: forward and backward
    double again = 0;   ///< in training: the forward passes that checkpointing repeats
};
[[nodiscard]] TokenArithmetic tokenArithmetic(const Settings &settings,
                                              const ParameterCounts &counts);

/// What the kernels of a training step do for a token: FLOPs of the products of each kind, and
/// bytes read and written between them.
struct StepArithmetic
{
    double products = 0; ///< of weights, without those of experts and head
    double experts = 0;  ///< of routed experts
    double attention = 0;
    double head = 0;
    double elementBytes = 0;
    double weightPasses = 0; ///< how often a pass needs the weights: forward, again, backward
};
[[nodiscard]] StepArithmetic stepArithmetic(const Settings &settings,
                                            const ParameterCounts &counts);

/// Costs of a training step's settings apart from memory.
struct SideEffects
{
    double recomputeShare = 0; ///< share of the step's arithmetic spent on running forward again
    double bubbleShare = 0;    ///< share of the step's time in which a pipeline stage waits
};

/// Recomputation: a forward pass takes 2 FLOPs a weight and token and the products of attention, a
/// backward pass twice that, once where the weights are frozen. Full checkpointing runs every block
/// forward once more: 8 instead of 6 FLOPs a weight, a quarter of the whole, a little less for the
/// head, which is not repeated (Korthikanti et al. 2022, arXiv 2205.05198).
/// Bubble: (p - 1) / (v m + p - 1) of the step (Narayanan et al. 2021, arXiv 2104.04473); a zero
/// bubble schedule with the memory of 1F1B keeps a third of the waiting (Qi et al. 2023, arXiv
/// 2401.10241).
[[nodiscard]] SideEffects sideEffects(const Settings &settings, const ParameterCounts &counts);

} // namespace vramscope
