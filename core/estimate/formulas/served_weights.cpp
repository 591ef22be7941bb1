// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/catalog/empirical.h"
#include "core/catalog/model_types.h"
#include "core/estimate/formulas/serving.h"
#include "core/estimate/formulas/speculation.h"
#include "core/estimate/formulas/stored_weights.h"
#include "core/settings/checkpoint_issues.h"

#include <cmath>

namespace vramscope {

namespace {

/// Bytes of the key and value projections of latent attention once more, as vLLM lays them out for
/// decoding.
Exact absorbedOf(const Settings &s, const RankInventory &rank)
{
    const Architecture &a = s.architecture;
    const std::int64_t width = a.heads * (a.qkNopeHeadDim + a.vHeadDim);
    return Exact(2) * rank.layers() * dividedUp(Exact(width) * a.kvLoraRank, s.tensor);
}

bool storedPlain(const Settings &s)
{
    return s.weightFormat == WeightFormat::Bf16 || s.weightFormat == WeightFormat::Fp16 ||
           s.weightFormat == WeightFormat::Fp32;
}

const WeightStorage &storageOf(const Settings &s)
{
    const ModelType *type = findModelType(s.architecture.modelType);
    if (s.weightFormat == WeightFormat::Fp8 && type && type->fp8Blocks)
        return fp8InBlocks();
    return *findWeightStorage(choiceText(s.weightFormat));
}

Exact addPlain(const Serving &serving, Ledger &ledger, const WeightStorage &storage)
{
    const std::int64_t w = storage.blockBytes;
    const std::int64_t n = serving.rank.parameters();
    ledger.add(Category::Parameters, "Weights", {"{} N", {w, n}}, throughout(serving.s),
               {"Bytes per weight; measured: llm-d-planner accuracy report, vLLM 0.19",
                Evidence::Verified});
    return Exact(w) * n;
}

/// Extra memory of quantised weights: a matrix restored while it is used, or not yet quantised.
void addMatrices(const Serving &serving, const StoredWeights &stored, Ledger &ledger)
{
    const Settings &s = serving.s;
    const bool restored = s.weightFormat == WeightFormat::Nf4 ||
                          s.weightFormat == WeightFormat::Nf4Double ||
                          s.weightFormat == WeightFormat::Int8;
    if (restored)
        ledger.add(Category::TemporaryBuffers, "Dequantised matrix",
                   {"2 n_max", {2, stored.largest}},
                   s.engine == Engine::Vllm ? PhaseSet{StepPhase::Profile, StepPhase::Serve}
                                            : PhaseSet{StepPhase::Serve},
                   {"The largest quantised matrix in 16 bit; derived from tensor shapes",
                    Evidence::Derived});
    if (s.quantizeAtLoad) {
        const Empirical &each = empirical(Measured::MatrixBeingQuantised);
        const std::int64_t hundredths = std::llround(100 * each.value);
        ledger.add(Category::TemporaryBuffers, "Matrix being quantised",
                   dividedUp(Exact(hundredths) * stored.largest, 100), {StepPhase::Load},
                   {each.source, Evidence::Empirical, each.spread()},
                   {"{} n_max / 100 = ⌈{} × {} / 100⌉", {hundredths, hundredths, stored.largest}});
    }
}

Exact addCopiesOfKernels(const Serving &serving, const StoredWeights &stored, Ledger &ledger)
{
    const Exact bytes = stored.ofKernels;
    if (bytes > Exact())
        ledger.add(Category::Parameters, "Copies of expert kernels", bytes, throughout(serving.s),
                   {"Scales in the order of Triton's kernels, biases in 32 bit: "
                    "vllm/model_executor/layers/quantization/mxfp4.py; vLLM 0.14.1 states 64.38 "
                    "GiB of weights for gpt-oss-120b",
                    Evidence::Sourced},
                   {"scales in order + 2 N_biases = {}", {bytes.value()}});
    return bytes;
}

Exact addQuantised(const Serving &serving, Ledger &ledger, const WeightStorage &storage)
{
    const Settings &s = serving.s;
    const StoredWeights stored =
        storedWeights(s, serving.rank, {&storage, s.groupSize, s.notConverted});
    const Exact rest = Exact(2) * stored.rest;
    ledger.add(Category::Parameters, "Quantised weights", stored.bytes, throughout(s),
               {storage.source, Evidence::Verified},
               {"N_quantised in their format, {} elements = {}",
                {stored.elements.value(), stored.bytes.value()}});
    ledger.add(Category::Parameters, "Weights kept in 16 bit", {"2 N_rest", {2, stored.rest}},
               throughout(s),
               {"Norms, biases and modules that are not converted; measured: fms-acceleration "
                "A100 benchmarks, Mistral-7B QLoRA",
                Evidence::Verified});
    addMatrices(serving, stored, ledger);
    return stored.bytes + rest + addCopiesOfKernels(serving, stored, ledger);
}

/// Weights as the plan's checkpoint stores them.
Exact addStored(const Serving &serving, Ledger &ledger, const WeightStorage &storage)
{
    const Settings &s = serving.s;
    if (storedPlain(s))
        return addCheckpointWeights(serving, ledger, 0);
    const StoredWeights stored =
        storedWeights(s, serving.rank, {&storage, s.groupSize, s.notConverted});
    addMatrices(serving, stored, ledger);
    const bool padded = s.engine == Engine::Vllm && s.weightFormat == WeightFormat::MxFp4;
    return addCheckpointWeights(serving, ledger, padded ? stored.expertBytes : 0) +
           addCopiesOfKernels(serving, stored, ledger);
}

/// Tables and copies that vLLM makes of a model and counts with its weights.
Exact addVllmTables(const Serving &serving, Ledger &ledger)
{
    const Settings &s = serving.s;
    const Architecture &a = s.architecture;
    Exact sum;
    const std::int64_t rotary = a.qkRopeHeadDim > 0 ? a.qkRopeHeadDim : a.headDim;
    if (a.learnedPositions == 0 && a.maxPositions > 0) {
        const Exact table = Exact(2) * a.maxPositions * rotary;
        sum += table;
        ledger.add(Category::Parameters, "Rotary table", {"2 s_max d", {2, a.maxPositions, rotary}},
                   throughout(s),
                   {"One table of cosines and sines over all positions; measured: llm-d-planner "
                    "accuracy report, Llama-3.1-8B with one, two and four ranks",
                    Evidence::Verified});
    }
    if (a.mla()) {
        const std::int64_t width = a.heads * (a.qkNopeHeadDim + a.vHeadDim);
        const Exact absorbed = absorbedOf(s, serving.rank);
        sum += absorbed;
        ledger.add(Category::Parameters, "Absorbed latent projections", absorbed, throughout(s),
                   {"The key and value projections once more, laid out for decoding; "
                    "vllm/model_executor/layers/attention/mla_attention.py",
                    Evidence::Sourced},
                   {"2 L a (d_n + d_v) r_kv / t = 2 × {} × ⌈{} × {} / {}⌉",
                    {serving.rank.layers(), width, a.kvLoraRank, s.tensor}});
    }
    return sum;
}

/// Weights as the tensors of the GGUF file that the plan's mix makes.
Exact addMix(const Serving &serving, Ledger &ledger, InferenceFigures &figures)
{
    if (serving.s.hostExpertLayers > 0)
        figures.hostWeights = serving.llama->hostModel();
    const Bytes bytes = serving.llama->share().model;
    ledger.add(Category::Parameters, "Weights", bytes, throughout(serving.s),
               {"Each tensor in its type of the mix, padded as its buffer pads it, the token "
                "embedding on the host unless it is the head too; llama.cpp src/llama-quant.cpp "
                "and src/llama-model.cpp",
                Evidence::Sourced},
               {"bytes of the device's tensors = {}", {bytes}});
    return bytes;
}

} // namespace

Exact servedBytes(const Settings &s, const RankInventory &rank)
{
    if (s.engine == Engine::LlamaCpp && isLlamaFormat(s))
        return LlamaServing(s, rank.stage).share().model;
    const WeightStorage &storage = storageOf(s);
    const Exact absorbed =
        s.engine == Engine::Vllm && s.architecture.mla() ? absorbedOf(s, rank) : Exact();
    if (storedPlain(s))
        return Exact(storage.blockBytes) * rank.parameters() + absorbed;
    const StoredWeights stored = storedWeights(s, rank, {&storage, s.groupSize, s.notConverted});
    return stored.bytes + stored.ofKernels + Exact(2) * stored.rest + absorbed;
}

void addServedWeights(const Serving &serving, Ledger &ledger, InferenceFigures &figures)
{
    const WeightStorage &storage = storageOf(serving.s);
    Exact weights;
    if (countsByCheckpoint(serving.s))
        weights = addStored(serving, ledger, storage);
    else if (serving.llama && isLlamaFormat(serving.s))
        weights = addMix(serving, ledger, figures) + addTowers(serving, ledger);
    else
        weights = (storedPlain(serving.s) ? addPlain(serving, ledger, storage)
                                          : addQuantised(serving, ledger, storage)) +
                  addTowers(serving, ledger);
    if (serving.s.engine == Engine::Vllm)
        weights += addVllmTables(serving, ledger);
    weights += addDraftWeights(serving, ledger);
    weights += addAdapterSlots(serving, ledger);
    figures.weights = weights.value();
    addPageCache(serving.s, ledger);
}

} // namespace vramscope
