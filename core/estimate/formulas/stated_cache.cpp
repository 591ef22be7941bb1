// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/estimate/formulas/levels.h"
#include "core/estimate/formulas/serving.h"
#include "core/estimate/formulas/speculation.h"

#include <algorithm>

namespace vramscope {

namespace {

/// MLX's cache grows by 256 tokens at a time (mlx_lm/models/cache.py, KVCache.step).
std::int64_t inMlxSteps(std::int64_t tokens)
{
    constexpr std::int64_t kStep = 256;
    return (tokens + kStep - 1) / kStep * kStep;
}

/// Whether the cache is reallocated as it grows, with one layer's there twice for a moment.
bool growsByCopying(const Settings &s)
{
    return s.engine == Engine::Hf || s.engine == Engine::Mlx;
}

/// Sequences and their length in the engine's terms: llama.cpp shares one context of n_ctx.
struct Load
{
    std::int64_t sequences;
    std::int64_t length;
};

Load statedLoad(const Settings &s)
{
    if (s.engine == Engine::LlamaCpp)
        return {1, s.maxModelLen};
    if (s.engine == Engine::Mlx)
        return {s.concurrentSequences, inMlxSteps(s.meanSequenceLength)};
    return {s.concurrentSequences, s.meanSequenceLength};
}

/// Logits of one token a sequence and of the drafted tokens: generate() of transformers keeps no
/// others since 4.45.0 (generation/utils.py, num_logits_to_keep, later logits_to_keep).
Exact logitRows(const Settings &s, const Load &load)
{
    return Exact(load.sequences) * (1 + draftedTokens(s));
}

/// Memory that grows with the number of sequences and their length.
Exact variableBytes(const Serving &serving, const Load &load)
{
    const Settings &s = serving.s;
    const KvCache &cache = serving.cache;
    if (s.architecture.encoder)
        return encoderPass(s, load.sequences, load.length);
    if (serving.llama) {
        const LlamaShare share = serving.llama->shareAt(load.length);
        return Exact(share.cache) + share.compute + cache.index(load.sequences, load.length) +
               cache.draft(load.sequences, load.length);
    }
    Exact sum = cache.bytes(load.sequences, load.length);
    if (serving.rank.hasHead && s.engine != Engine::Mlx)
        sum += Exact(6) * s.architecture.vocab * logitRows(s, load);
    if (growsByCopying(s))
        sum += cache.bytesOf(Exact(load.sequences) * cache.largestLayer() * load.length);
    return sum;
}

Origin cacheOrigin(const Settings &s)
{
    if (s.architecture.mla())
        return {"A latent and a rotary key a layer and token; derived from tensor shapes",
                Evidence::Derived};
    return {"2 · layers · key-value heads · head size a token; measured: ggml-org/llama.cpp#10664",
            Evidence::Verified};
}

void addComputeBuffer(const Serving &serving, Ledger &ledger, InferenceFigures &figures)
{
    const Settings &s = serving.s;
    figures.activationPeak = serving.llama->share().compute;
    const std::int64_t logits =
        serving.rank.hasHead ? (Exact(4) * s.architecture.vocab * s.maxNumBatchedTokens).value()
                             : 0;
    ledger.add(Category::LossAndLogits, "Compute buffer", figures.activationPeak, kInUse,
               {"What a micro-batch works on: its logits in fp32 or its activations, whichever is "
                "more, and the mask of attention; measured: ggml-org/llama.cpp#10664",
                Evidence::Verified},
               {"the larger of 4 V n_ubatch ({}) and activations, with the mask = {}",
                {logits, figures.activationPeak}});
    if (!s.draft)
        return;
    const std::int64_t draft = s.draft->architecture.vocab;
    ledger.add(Category::LossAndLogits, "Draft's compute buffer",
               {"4 V_draft n_ubatch", {4, draft, s.maxNumBatchedTokens}}, kInUse,
               {"The draft's context has a buffer of its own; llama.cpp tools/server, common "
                "speculative",
                Evidence::Derived});
}

void addGrowth(const Serving &serving, const Load &load, Ledger &ledger)
{
    const Exact layer =
        serving.cache.bytesOf(Exact(load.sequences) * serving.cache.largestLayer() * load.length);
    ledger.add(Category::TemporaryBuffers, "Cache of one layer while it grows", layer,
               {StepPhase::Serve},
               {"The cache grows by concatenation; derived from tensor shapes", Evidence::Derived},
               {"one layer = {}", {layer.value()}});
}

void addForwardWorkspace(const Settings &s, Ledger &ledger)
{
    ledger.add(Category::Framework, "cuBLAS workspace", s.cublasWorkspaceBytes,
               {StepPhase::Serve, StepPhase::Rest},
               calibratedOr(s.calibrated.cublasWorkspace,
                            {"Workspace of the forward handle; measured: fms-acceleration A100 "
                             "benchmarks",
                             Evidence::Verified}),
               {"catalogue or overheads.cublas_workspace_bytes = {}", {s.cublasWorkspaceBytes}});
}

void addTorchParts(const Serving &serving, const Load &load, Ledger &ledger,
                   InferenceFigures &figures)
{
    const Settings &s = serving.s;
    const std::int64_t vocab = s.architecture.vocab;
    const Exact rows = logitRows(s, load);
    figures.activationPeak = (Exact(6) * vocab * rows).value();
    if (serving.rank.hasHead)
        ledger.add(Category::LossAndLogits, "Logits", {"6 V rows", {6, vocab, rows}},
                   {StepPhase::Serve},
                   {"Logits of the last tokens in 16 bit and in fp32; transformers 4.45.0 "
                    "generation/utils.py, num_logits_to_keep; derived from tensor shapes",
                    Evidence::Derived});
    addForwardWorkspace(s, ledger);
}

/// The largest whole number up to `limit` for which `fits` is true; it is true below a bound.
template<class Fits>
std::int64_t largest(std::int64_t limit, Fits fits)
{
    std::int64_t low = 0;
    std::int64_t high = limit;
    while (low < high) {
        const std::int64_t middle = low + (high - low + 1) / 2;
        if (fits(middle))
            low = middle;
        else
            high = middle - 1;
    }
    return low;
}

} // namespace

void addStatedCache(const Serving &serving, Ledger &ledger, InferenceFigures &figures)
{
    const Settings &s = serving.s;
    if (s.architecture.encoder) {
        addEncoderPass(serving, ledger, figures);
        addForwardWorkspace(s, ledger);
        return;
    }
    const Load load = statedLoad(s);
    const Exact elements = Exact(load.sequences) * serving.cache.elements(load.length);
    const Exact bytes =
        serving.llama ? Exact(serving.llama->share().cache) : serving.cache.bytesOf(elements);
    const Exact states = serving.cache.states(load.sequences);
    const Exact index = serving.cache.index(load.sequences, load.length);
    const Exact draft = serving.cache.draft(load.sequences, load.length);
    figures.kvCache = (bytes + index + states + draft).value();
    figures.kvTokens = (Exact(load.sequences) * load.length).value();
    figures.kvBlocks = dividedUp(Exact(figures.kvTokens), s.blockSize).value();
    ledger.add(Category::KeyValueCache, "Key-value cache", bytes,
               s.engine == Engine::Hf ? PhaseSet{StepPhase::Serve} : kInUse, cacheOrigin(s),
               serving.llama
                   ? FormulaText{"cells · widths of the device's layers = {}", {bytes.value()}}
                   : FormulaText{"bytes per element · {} elements = {}",
                                 {elements.value(), bytes.value()}});
    ledger.add(Category::KeyValueCache, "Keys of the index",
               {"bytes · layers · sequences · tokens",
                {serving.cache.indexBytes, serving.cache.fullLayers, load.sequences, load.length}},
               s.engine == Engine::Hf ? PhaseSet{StepPhase::Serve} : kInUse,
               {"One key a token and layer, by which attention chooses what it reads; derived from "
                "tensor shapes",
                Evidence::Derived});
    ledger.add(
        Category::KeyValueCache, "Recurrent states",
        {"sequences · layers · bytes",
         {load.sequences, serving.cache.stateLayers, serving.cache.stateBytes}},
        s.engine == Engine::Hf ? PhaseSet{StepPhase::Serve} : kInUse,
        {"One of each layer that keeps one, for every sequence, whatever its length; derived "
         "from tensor shapes",
         Evidence::Derived});
    ledger.add(Category::KeyValueCache, "Draft's cache", draft,
               s.engine == Engine::Hf ? PhaseSet{StepPhase::Serve} : kInUse,
               {"The draft keeps the same tokens in layers of its own; derived from tensor shapes",
                Evidence::Derived},
               {"bytes per element · {} layers · {} elements · {} tokens = {}",
                {serving.cache.draftLayers, serving.cache.perDraftLayer,
                 (Exact(load.sequences) * load.length).value(), draft.value()}});
    if (growsByCopying(s))
        addGrowth(serving, load, ledger);
    if (s.engine == Engine::LlamaCpp)
        addComputeBuffer(serving, ledger, figures);
    else if (s.engine == Engine::Mlx) // it computes only the last logits of the prompt
        addPass(serving, std::min(s.maxNumBatchedTokens, load.length), load.sequences, ledger,
                figures);
    else
        addTorchParts(serving, load, ledger, figures);
}

void fillStatedLimits(const Serving &serving, const Ledger &ledger, InferenceFigures &figures)
{
    const Settings &s = serving.s;
    const Load stated = statedLoad(s);
    if (s.engine == Engine::LlamaCpp && s.meanSequenceLength > 0)
        figures.maxConcurrency =
            static_cast<double>(stated.length) / static_cast<double>(s.meanSequenceLength);
    if (s.capacity <= 0)
        return;
    const Exact fixed = excess(ledger.total(StepPhase::Serve), variableBytes(serving, stated));
    const auto fits = [&](const Load &load) {
        const Exact allocated = fixed + variableBytes(serving, load);
        return deviceLevel(s, allocated) <= s.capacity;
    };
    if (s.engine != Engine::LlamaCpp && stated.length > 0)
        figures.maxConcurrency = static_cast<double>(largest(kLongestContext, [&](std::int64_t n) {
            return fits({n, stated.length});
        }));
    figures.maxContext = largest(kLongestContext, [&](std::int64_t length) {
        return fits({std::max<std::int64_t>(stated.sequences, 1), length});
    });
}

} // namespace vramscope
