// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/estimate/formulas/inference.h"
#include "core/estimate/formulas/kv_cache.h"
#include "core/estimate/formulas/llama_serving.h"

#include <optional>

namespace vramscope {

// The parts of serving, each in a file of its own; inference.cpp puts them together.

inline constexpr PhaseSet kInUse = {StepPhase::Serve, StepPhase::Rest};

/// What is there throughout; only vLLM has a profile run.
[[nodiscard]] inline PhaseSet throughout(const Settings &s)
{
    const PhaseSet served = kInUse | PhaseSet{StepPhase::Load};
    return s.engine == Engine::Vllm ? served | PhaseSet{StepPhase::Profile} : served;
}

/// What a rank serves with.
struct Serving
{
    const Settings &s;
    const RankInventory &rank;
    KvCache cache;
    std::optional<LlamaServing> llama = std::nullopt; ///< of llama.cpp alone
};

/// Bytes of the weights of a rank as the engine stores them, with the copies that it makes of
/// latent attention's.
[[nodiscard]] Exact servedBytes(const Settings &settings, const RankInventory &rank);

/// Weights as they are stored, with what the engine makes of them; fills in figures.weights.
void addServedWeights(const Serving &serving, Ledger &ledger, InferenceFigures &figures);

/// vLLM: the profile run and the pool of blocks that fills its share of the GPU.
void addVllm(const Serving &serving, Ledger &ledger, InferenceFigures &figures);

/// Bytes that vLLM's fused experts write all rows of a batch into, which stay; 0 without experts.
[[nodiscard]] Exact expertsWorkspace(const Serving &serving, std::int64_t tokens);

/// vLLM: room for adapters that come later (--max-loras). Returns its bytes.
Exact addAdapterSlots(const Serving &serving, Ledger &ledger);

/// SGLang: pools that fill the static fraction of what was free at the start.
void addSglang(const Serving &serving, Ledger &ledger, InferenceFigures &figures);

/// TensorRT-LLM: a pool that fills a part of what the loaded model leaves.
void addTrtLlm(const Serving &serving, Ledger &ledger, InferenceFigures &figures);

/// What a pass over so many tokens, and the logits of so many sequences, hold beside weights and
/// cache; fills in figures.activationPeak.
void addPass(const Serving &serving, std::int64_t tokens, std::int64_t sequences, Ledger &ledger,
             InferenceFigures &figures);

/// plain, hf, llama.cpp and MLX: the cache of the sequences that the plan states.
void addStatedCache(const Serving &serving, Ledger &ledger, InferenceFigures &figures);

/// How many such sequences, and how long ones, the GPU's capacity allows; needs all other parts in
/// the ledger.
void fillStatedLimits(const Serving &serving, const Ledger &ledger, InferenceFigures &figures);

} // namespace vramscope
