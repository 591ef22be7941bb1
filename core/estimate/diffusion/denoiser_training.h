// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/estimate/formulas/ledger.h"

#include <cstdint>

namespace vramscope {

struct DiffusionComponent;
struct Settings;

/// Sizes from which the states of a training step are counted.
struct TrainedShare
{
    std::int64_t parameters = 0;    ///< of the adapters, or of the whole model
    std::int64_t bytes = 4;         ///< of one parameter, of its gradient and of a moment
    std::int64_t factors = 0;       ///< numbers that Adafactor keeps
    std::int64_t largestTensor = 0; ///< elements
    std::int64_t zeros = 0;         ///< parameters that start at zero: adapters' second factors
};

/// All parameters are trained.
[[nodiscard]] bool trainsAll(const Settings &settings);
/// Parameters, gradients in `gradients`, the optimizer's states, and the temporary memory of its
/// step, kept as diffusers' and kohya's scripts keep them.
void addTrainingStates(const Settings &settings, const TrainedShare &trained, PhaseSet gradients,
                       Ledger &ledger);

/// A step of a transformer (lora.cpp) and of a U-Net (unet_training.cpp).
void addTransformerTraining(const Settings &settings, Ledger &ledger);
void addUnetTraining(const Settings &settings, Ledger &ledger);
/// Parameters of the adapters of to_q, to_k, to_v and to_out.0 of a U-Net.
[[nodiscard]] std::int64_t unetAdapters(const DiffusionComponent &unet, std::int64_t rank);

} // namespace vramscope
