// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/settings/schedules/position.h"
#include "core/settings/settings.h"

#include <cstdint>
#include <span>
#include <vector>

namespace vramscope {

/// The phases of a training step in order of time, as the framework that runs it goes through
/// them; loading, which comes before the first step, leads.
[[nodiscard]] std::vector<StepPhase> trainingSchedule(const Settings &settings);

/// What a server does from loading on.
[[nodiscard]] std::vector<StepPhase> servingSchedule();

/// DeepSpeed's ZeRO runs the step.
[[nodiscard]] bool isZero(const Settings &settings);
/// Megatron-LM runs it.
[[nodiscard]] bool isMegatron(const Settings &settings);
/// The model is Megatron-Core's, of Transformer Engine's layers or its own.
[[nodiscard]] bool hasMegatronLayers(const Settings &settings);
/// torch.autocast chooses the type of each operator: by the regime, and beside FSDP's own mixed
/// precision where accelerate sets both up (Accelerator.prepare_model).
[[nodiscard]] bool isAutocast(Regime regime);
[[nodiscard]] bool isAutocast(const Settings &settings);
/// torch.autocast runs over fp32 weights, of which it makes 16-bit copies.
[[nodiscard]] bool castsWeights(const Settings &settings);

/// A loss that is split along the vocabulary leaves the logits divided; others gather them.
[[nodiscard]] bool dividesLogits(const Settings &settings);
/// The model's own forward pass ends with the loss, as transformers' does: FSDP's hooks for its
/// backward pass then run before the loss does. Else the training loop computes it.
[[nodiscard]] bool lossWithinModel(const Settings &settings);
/// torch's own tensor parallelism (DTensor), as torchtitan and transformers split a model; Megatron
/// has layers of its own.
[[nodiscard]] bool isDTensor(const Settings &settings);

/// Chunks of L / (p v) blocks whose activations a pipeline stage keeps at once.
[[nodiscard]] std::int64_t chunksInFlight(const Settings &settings, std::int64_t stage);

/// The positions of a schedule among which its peak stands, on a rank of `blocks` blocks: every
/// phase, the forward pass at its end and at `larger` (blocks that may take more than the last),
/// the backward pass at `turns` (blocks at which the course of a part turns, from the last to the
/// first) and when it is over.
[[nodiscard]] std::vector<Position> peakPositions(std::span<const StepPhase> schedule,
                                                  std::span<const std::int64_t> turns,
                                                  std::int64_t blocks,
                                                  std::span<const std::int64_t> larger = {});

/// Every position of a schedule: every block while it runs and after.
[[nodiscard]] std::vector<Position> everyPosition(std::span<const StepPhase> schedule,
                                                  std::int64_t blocks);

} // namespace vramscope
