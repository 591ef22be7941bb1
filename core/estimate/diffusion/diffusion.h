// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/estimate/formulas/ledger.h"
#include "core/model/diffusion/pipelines.h"
#include "core/settings/schedules/step_phase.h"

#include <vector>

namespace vramscope {

struct Settings;

/// Phases of a pipeline: encode, denoise and decode of one call, or a training step of its
/// transformer.
[[nodiscard]] std::vector<Position> diffusionPositions(const Settings &settings);

/// Every part of a diffusion plan, in the phases in which it exists. All bytes exact to the
/// formulas of its components; the memory of a pass agrees with recorded passes within 2 %.
[[nodiscard]] Ledger diffusionLedger(const Settings &settings, bool texts);

/// Memory on the host: the weights of every offloaded component.
[[nodiscard]] Bytes diffusionHostBytes(const Settings &settings);

/// Bytes of a component's weights on the GPU in the plan's format.
[[nodiscard]] Exact weightBytes(const DiffusionComponent &component, const Settings &settings);

/// Inputs of a component's pass; `guided`: with the passes of guidance that share it.
[[nodiscard]] DiffusionLoad loadOf(const DiffusionComponent &component, const Settings &settings);

/// Tensors that a pipeline keeps from encoding to decoding: embeddings of the prompts, and latents.
[[nodiscard]] Exact heldBytes(const Settings &settings);

/// A training step of LoRA adapters on the transformer: adds its parts to the ledger.
void addDiffusionTraining(const Settings &settings, Ledger &ledger);
/// Whether such a step was recorded for the pipeline's transformer.
[[nodiscard]] bool trainingKnown(const DiffusionPipeline &pipeline);
/// Parameters of the adapters of a training plan.
[[nodiscard]] std::int64_t adapterParameters(const Settings &settings);

} // namespace vramscope
