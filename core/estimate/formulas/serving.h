// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/estimate/formulas/inference.h"
#include "core/estimate/formulas/kv_cache.h"
#include "core/estimate/formulas/llama_serving.h"
#include "core/plan/field_path.h"

#include <optional>

namespace vramscope {

// The parts of serving, each in a file of its own; inference.cpp puts them together.

inline constexpr PhaseSet kInUse = {StepPhase::Serve, StepPhase::Rest};

/// Memory that stays throughout; only vLLM has a profile run.
[[nodiscard]] inline PhaseSet throughout(const Settings &s)
{
    const PhaseSet served = kInUse | PhaseSet{StepPhase::Load};
    return s.engine == Engine::Vllm ? served | PhaseSet{StepPhase::Profile} : served;
}

/// A rank's inputs for serving.
struct Serving
{
    const Settings &s;
    const RankInventory &rank;
    KvCache cache;
    std::optional<LlamaServing> llama = std::nullopt; ///< llama.cpp only
};

/// Bytes of the weights of a rank as the engine stores them, with its copies for latent attention.
[[nodiscard]] Exact servedBytes(const Settings &settings, const RankInventory &rank);

/// Weights as they are stored, with the engine's additions; fills in figures.weights.
void addServedWeights(const Serving &serving, Ledger &ledger, InferenceFigures &figures);

/// The weights of a rank as the plan's checkpoint stores them, by part of the model, with towers,
/// and the engine's extra memory while it loads. Returns the bytes of the weights. `paddedExperts`
/// replace the stored bytes of quantised experts where the engine pads them; else 0.
Exact addCheckpointWeights(const Serving &serving, Ledger &ledger, Exact paddedExperts);

/// Parameters of a model's towers on a rank. The first pipeline stage alone has them
/// (vllm/model_executor/models/interfaces.py, _mark_tower_model()). vLLM divides them among
/// tensor-parallel ranks as it does the text (--mm-encoder-tp-mode weights, its default) and loads
/// no layer that is not used; other engines hold them whole.
[[nodiscard]] std::int64_t towerParameters(const Settings &settings, const RankInventory &rank);

/// Adds them to the ledger, in 16 bits where the text is quantised. Returns their bytes.
Exact addTowers(const Serving &serving, Ledger &ledger);

inline void warn(Estimate &result, FieldPath field, std::string text)
{
    result.issues.push_back(issueOf(field, Issue::Severity::Warning, std::move(text)));
}

/// vLLM: the profile run and the pool of blocks that fills its share of the GPU.
void addVllm(const Serving &serving, Ledger &ledger, InferenceFigures &figures);
void refuseVllm(const Settings &settings, Estimate &result);

/// Bytes that vLLM's fused experts write all rows of a batch into and keep; 0 without experts.
[[nodiscard]] Exact expertsWorkspace(const Serving &serving, std::int64_t tokens);

/// vLLM: room for adapters that come later (--max-loras). Returns its bytes.
Exact addAdapterSlots(const Serving &serving, Ledger &ledger);

/// SGLang: pools that fill the static fraction of the memory free at the start.
void addSglang(const Serving &serving, Ledger &ledger, InferenceFigures &figures);
void refuseSglang(const Settings &settings, Estimate &result);

/// TensorRT-LLM: a pool that fills a fraction of the memory left by the loaded model.
void addTrtLlm(const Serving &serving, Ledger &ledger, InferenceFigures &figures);
void refuseTrtLlm(const Settings &settings, Estimate &result);

/// Memory of a pass over these tokens, and of the logits of these sequences, in addition to weights
/// and cache; fills in figures.activationPeak.
void addPass(const Serving &serving, std::int64_t tokens, std::int64_t sequences, Ledger &ledger,
             InferenceFigures &figures);

/// Activations of an encoder's pass over padded sequences of this length, without gradients.
[[nodiscard]] Exact encoderPass(const Settings &settings, std::int64_t sequences,
                                std::int64_t length);

/// An encoder turns texts into embeddings or scores: it keeps no cache and predicts no token. Under
/// hf and plain a pass reads the sequences that the plan states, under vLLM a full batch of tokens.
void addEncoderPass(const Serving &serving, Ledger &ledger, InferenceFigures &figures);
void addEncoderBatch(const Serving &serving, Ledger &ledger, InferenceFigures &figures);

/// plain, hf, llama.cpp and MLX: the cache of the sequences that the plan states.
void addStatedCache(const Serving &serving, Ledger &ledger, InferenceFigures &figures);

/// How many such sequences, and how long ones, the GPU's capacity allows; needs all other parts in
/// the ledger.
void fillStatedLimits(const Serving &serving, const Ledger &ledger, InferenceFigures &figures);

} // namespace vramscope
