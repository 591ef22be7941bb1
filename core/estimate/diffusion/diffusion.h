// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/estimate/formulas/ledger.h"
#include "core/model/diffusion/pipelines.h"
#include "core/settings/schedules/step_phase.h"

#include <vector>

namespace vramscope {

struct Settings;

/// What a pipeline goes through: encode, denoise and decode of one call, or a training step of its
/// transformer.
[[nodiscard]] std::vector<Position> diffusionPositions(const Settings &settings);

/// Every part of a plan of a diffusion pipeline, in the phases that it lives through. All bytes
/// exact to the formulas of its components; what a pass takes is held to recorded passes within 2
/// %.
[[nodiscard]] Ledger diffusionLedger(const Settings &settings, bool texts);

/// What waits on the host: the weights of every component that is offloaded.
[[nodiscard]] Bytes diffusionHostBytes(const Settings &settings);

/// What a component's weights take on the GPU in the format that a plan gives them.
[[nodiscard]] Exact weightBytes(const DiffusionComponent &component, const Settings &settings);

/// What a pass of a component takes in; `guided`: with guidance sharing passes counted in.
[[nodiscard]] DiffusionLoad loadOf(const DiffusionComponent &component, const Settings &settings);

/// What a pipeline holds from encoding to decoding: embeddings of the prompts, and latents.
[[nodiscard]] Exact heldBytes(const Settings &settings);

/// A training step of LoRA adapters on the transformer: adds its parts to the ledger.
void addDiffusionTraining(const Settings &settings, Ledger &ledger);
/// Whether such a step was recorded for the pipeline's transformer.
[[nodiscard]] bool trainingKnown(const DiffusionPipeline &pipeline);
/// Parameters of the adapters of a training plan.
[[nodiscard]] std::int64_t adapterParameters(const Settings &settings);

} // namespace vramscope
