// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/estimate/estimate.h"
#include "core/estimate/formulas/ledger.h"
#include "core/estimate/formulas/training.h"

#include <vector>

namespace vramscope {

/// A rank of reinforcement learning: trainer and engine take turns on one GPU.
struct RolloutMemory
{
    Ledger ledger; ///< of both, at the positions of withRollout()
    InferenceFigures engine;
    /// The part of the ledger's totals without the allocator's slack: pools that are allocated
    /// whole, and all where both have emptied their caches.
    std::vector<Exact> pooled;
    Bytes heldAtStart = 0; ///< the trainer's, in use on the device when the engine starts
    Bytes hostBytes = 0;   ///< waiting on the host for their phase
};

/// The positions of a training step with the phases of the rollout around it: generation,
/// log-probabilities, the update, weight sync.
[[nodiscard]] std::vector<Position> withRollout(std::vector<Position> step);

/// The memory of both. Asleep, the engine leaves its workspaces in the allocator (and its context,
/// graphs and communicators outside, levels.h). The trainer's weights are on the device except
/// while the engine generates, its states only in the update, where the plan offloads them;
/// gathered weights and workspaces of a forward pass add to the log-probabilities, but nothing that
/// is kept for backward. verl/workers/engine_workers.py, trl/generation/vllm_generation.py,
/// openrlhf/trainer/ppo_trainer.py.
[[nodiscard]] RolloutMemory rolloutMemory(const Training &trainer, std::vector<Position> positions,
                                          bool texts);

/// One phase of a step at its peak: each party's memory on the device.
struct RolloutPhase
{
    std::string name;       ///< "generation", "log-probabilities", "update", "weight sync"
    std::size_t moment = 0; ///< index into Estimate::moments
    Bytes trainer = 0;
    Bytes engine = 0;
    Bytes device = 0; ///< with the allocator's slack and the memory outside
};
/// For a computed plan of workload rl, in order of time; else none.
[[nodiscard]] std::vector<RolloutPhase> rolloutPhases(const Estimate &estimate);

} // namespace vramscope
