// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/planner/formulas/inference.h"

#include "core/catalog/empirical.h"
#include "core/planner/formulas/stored_weights.h"

#include <algorithm>

namespace vramscope {

namespace {

constexpr MomentSet kInUse = {At::Serve, At::Rest};

/// What is there throughout; only vLLM has a profile run.
MomentSet always(const Settings &s)
{
    const MomentSet served = kInUse | MomentSet{At::Load};
    return s.engine == Engine::Vllm ? served | MomentSet{At::Profile} : served;
}

/// Elements of the key-value cache of one rank: those that grow with the sequence, and those of
/// layers that look back over a window only.
struct CacheShape
{
    std::int64_t perLayer = 0; ///< elements a token and layer
    std::int64_t fullLayers = 0;
    std::int64_t windowLayers = 0;
    std::int64_t window = 0;

    [[nodiscard]] Exact elements(std::int64_t tokens) const
    {
        return Exact(perLayer) *
               (Exact(fullLayers) * tokens + Exact(windowLayers) * std::min(tokens, window));
    }
};

CacheShape cacheShape(const Settings &s, const Rank &rank)
{
    const Architecture &a = s.architecture;
    CacheShape shape;
    // A latent is whole on every rank; key-value heads are divided as far as there are any.
    shape.perLayer = a.mla() ? a.kvLoraRank + a.qkRopeHeadDim
                             : 2 * ((a.kvHeads + s.tensor - 1) / s.tensor) * a.headDim;
    shape.window = a.slidingWindow;
    for (std::int64_t i = 0; i < rank.layers(); ++i) {
        const auto layer = static_cast<std::size_t>(rank.firstLayer + i);
        const bool windowed =
            a.slidingWindow > 0 &&
            (a.slidingLayers.empty() || (layer < a.slidingLayers.size() && a.slidingLayers[layer]));
        ++(windowed ? shape.windowLayers : shape.fullLayers);
    }
    return shape;
}

class Serving
{
public:
    Serving(const Settings &settings, const Rank &rank, Ledger &ledger)
        : m_s(settings)
        , m_a(settings.architecture)
        , m_rank(rank)
        , m_ledger(ledger)
        , m_cache(cacheShape(settings, rank))
    {
    }

    InferenceFigures add()
    {
        addWeights();
        m_figures.kvBytesPerToken =
            cacheBytes(Exact(m_cache.perLayer) * m_cache.fullLayers).value();
        if (m_s.engine == Engine::Vllm)
            addVllm();
        else
            addSimpleEngine();
        if (m_s.maxModelLen > 0)
            m_figures.maxConcurrency =
                static_cast<double>(m_figures.kvTokens) / static_cast<double>(m_s.maxModelLen);
        return m_figures;
    }

private:
    [[nodiscard]] Exact cacheBytes(Exact elements) const
    {
        return Exact::ceiling(m_s.kvBytesPerElement * static_cast<double>(elements.value()));
    }
    void addWeights();
    void addVllm();
    void addSimpleEngine();
    [[nodiscard]] Bytes profiledActivations() const;
    [[nodiscard]] Bytes vllmPool() const;
    void addCache(Exact bytes, MomentSet when, FormulaText formula);

    const Settings &m_s;
    const Architecture &m_a;
    const Rank &m_rank;
    Ledger &m_ledger;
    CacheShape m_cache;
    InferenceFigures m_figures;
};

void Serving::addWeights()
{
    const WeightStorage *storage = findWeightStorage(choiceText(m_s.weightFormat));
    const bool plain = m_s.weightFormat == WeightFormat::Bf16 ||
                       m_s.weightFormat == WeightFormat::Fp16 ||
                       m_s.weightFormat == WeightFormat::Fp32;
    const std::int64_t n = m_rank.parameters();
    const MomentSet when = always(m_s);
    if (plain) {
        const std::int64_t w = storage->blockBytes;
        m_figures.weights = (Exact(w) * n).value();
        m_ledger.add(Category::Parameters, "Weights", m_figures.weights, when,
                     {"Bytes per weight; measured: llm-d-planner accuracy report, vLLM 0.19",
                      Evidence::Verified},
                     {"{} N = {} × {}", {w, w, n}});
        return;
    }
    const StoredWeights stored =
        storedWeights(m_s, m_rank, {storage, m_s.groupSize, m_s.notConverted});
    const Exact rest = Exact(2) * stored.rest;
    m_figures.weights = (stored.bytes + rest).value();
    m_ledger.add(Category::Parameters, "Quantised weights", stored.bytes, when,
                 {storage->source, Evidence::Verified},
                 {"N_quantised in their format, {} elements = {}",
                  {stored.elements.value(), stored.bytes.value()}});
    m_ledger.add(Category::Parameters, "Weights kept in 16 bit", rest, when,
                 {"Norms, biases and modules that are not converted; measured: fms-acceleration "
                  "A100 benchmarks, Mistral-7B QLoRA",
                  Evidence::Verified},
                 {"2 N_rest = 2 × {}", {stored.rest.value()}});
    const bool restored = m_s.weightFormat == WeightFormat::Nf4 ||
                          m_s.weightFormat == WeightFormat::Nf4Double ||
                          m_s.weightFormat == WeightFormat::Int8;
    if (restored)
        m_ledger.add(Category::TemporaryBuffers, "Dequantised matrix", Exact(2) * stored.largest,
                     m_s.engine == Engine::Vllm ? MomentSet{At::Profile, At::Serve}
                                                : MomentSet{At::Serve},
                     {"The largest quantised matrix in 16 bit; derived from tensor shapes",
                      Evidence::Derived},
                     {"2 n_max = 2 × {}", {stored.largest}});
    if (m_s.quantizeAtLoad)
        m_ledger.add(Category::TemporaryBuffers, "Matrix being quantised",
                     Exact(4) * stored.largest, {At::Load},
                     {"The largest matrix in 16 bit and a copy of it while it is quantised; fitted "
                      "on litgpt's tables",
                      Evidence::Empirical, 0.3},
                     {"4 n_max = 4 × {}", {stored.largest}});
}

void Serving::addCache(Exact bytes, MomentSet when, FormulaText formula)
{
    m_figures.kvCache = bytes.value();
    Origin origin = {"2 · layers · key-value heads · head size a token; measured: "
                     "ggml-org/llama.cpp#10664",
                     Evidence::Verified};
    if (m_s.engine == Engine::Vllm)
        origin = {"What the profile run leaves of the budget; vllm/v1/worker/gpu_worker.py",
                  Evidence::Verified};
    else if (m_a.mla())
        origin = {"A latent and a rotary key a layer and token; derived from tensor shapes",
                  Evidence::Derived};
    m_ledger.add(Category::Activations, "Key-value cache", bytes, when, origin, formula);
}

/// Peak of vLLM's profile run beside the weights: the MLP over a full batch of tokens, or the
/// sampler over all sequences.
Bytes Serving::profiledActivations() const
{
    if (m_s.activationPeakBytes >= 0)
        return m_s.activationPeakBytes;
    const Exact tokens = m_s.maxNumBatchedTokens;
    const std::int64_t width =
        m_a.moe() ? m_a.expertsPerToken * m_a.expertFfn + m_a.sharedFfn : m_a.ffn;
    const Exact mlp = tokens * 6 * (dividedUp(Exact(width), m_s.tensor) + m_a.hidden);
    const Exact sampler = Exact(14) * m_s.maxNumSeqs * m_a.vocab + Exact(6) * m_a.hidden * tokens;
    return std::max(mlp, m_rank.hasHead ? sampler : Exact(0)).value();
}

/// Bytes that vLLM leaves for its cache: capacity · utilization less what it measured.
Bytes Serving::vllmPool() const
{
    if (m_s.kvCacheMemoryBytes >= 0)
        return m_s.kvCacheMemoryBytes;
    const Bytes usable =
        static_cast<Bytes>(static_cast<double>(m_s.capacity) * m_s.gpuMemoryUtilization);
    const Exact taken = Exact(m_figures.weights) + m_figures.activationPeak + m_figures.nonTorch;
    return excess(usable, taken).value();
}

void Serving::addVllm()
{
    m_figures.nonTorch = m_s.nonTorchBytes >= 0 ? m_s.nonTorchBytes : vllmNonTorch(m_s).bytes();
    m_figures.activationPeak = profiledActivations();
    m_ledger.add(Category::Activations, "Activations of the profile run", m_figures.activationPeak,
                 {At::Profile, At::Serve},
                 {"max(MLP: 6 T (f / t + h), sampler: 14 V S + 6 h T); measured: llm-d-planner "
                  "accuracy report, vLLM 0.19",
                  Evidence::Verified, 0.05},
                 {"with T = {}, S = {}, V = {} = {}",
                  {m_s.maxNumBatchedTokens, m_s.maxNumSeqs, m_a.vocab, m_figures.activationPeak}});
    const Bytes pool = vllmPool();
    // Layers with a window take blocks of their own; a token's share is that of a full sequence.
    const std::int64_t length = std::max<std::int64_t>(m_s.maxModelLen, 1);
    const double perToken = static_cast<double>(cacheBytes(m_cache.elements(length)).value()) /
                            static_cast<double>(length);
    if (perToken > 0) {
        m_figures.kvBlocks = static_cast<std::int64_t>(
            static_cast<double>(pool) / (perToken * static_cast<double>(m_s.blockSize)));
        m_figures.kvTokens = m_figures.kvBlocks * m_s.blockSize;
    }
    addCache(pool, {At::Serve, At::Rest},
             {"capacity · utilization - weights - activations - non-torch = {}", {pool}});
}

void Serving::addSimpleEngine()
{
    const std::int64_t sequences = m_s.concurrentSequences;
    const bool llamaCpp = m_s.engine == Engine::LlamaCpp;
    const std::int64_t length = llamaCpp ? m_s.maxModelLen : m_s.meanSequenceLength;
    const std::int64_t count = llamaCpp ? 1 : sequences; // n_ctx is shared by all sequences
    const Exact elements = Exact(count) * m_cache.elements(length);
    m_figures.kvTokens = (Exact(count) * length).value();
    m_figures.kvBlocks = dividedUp(Exact(m_figures.kvTokens), m_s.blockSize).value();
    const MomentSet kept = m_s.engine == Engine::Hf ? MomentSet{At::Serve} : kInUse;
    addCache(
        cacheBytes(elements), kept,
        {"bytes per element · {} elements = {}", {elements.value(), cacheBytes(elements).value()}});

    if (llamaCpp) {
        m_figures.activationPeak = (Exact(4) * m_s.maxNumBatchedTokens * m_a.vocab).value();
        m_ledger.add(Category::LossAndLogits, "Compute buffer", m_figures.activationPeak, kInUse,
                     {"fp32 logits of a micro-batch; measured: ggml-org/llama.cpp#10664",
                      Evidence::Verified},
                     {"4 V n_ubatch = 4 × {} × {}", {m_a.vocab, m_s.maxNumBatchedTokens}});
        return;
    }
    const bool wholePrompt = m_s.engine == Engine::Hf;
    const Exact logitRows = Exact(sequences) * (wholePrompt ? length : 1);
    m_figures.activationPeak = (Exact(6) * m_a.vocab * logitRows).value();
    if (m_rank.hasHead)
        m_ledger.add(Category::LossAndLogits, "Logits", m_figures.activationPeak, {At::Serve},
                     {"Logits in 16 bit and in fp32, in transformers' generate of the whole "
                      "prompt; derived from tensor shapes",
                      Evidence::Derived},
                     {"6 V rows = 6 × {} × {}", {m_a.vocab, logitRows.value()}});
    if (wholePrompt) {
        const Exact layer = cacheBytes(Exact(count) * m_cache.perLayer * length);
        m_ledger.add(
            Category::TemporaryBuffers, "Cache of one layer while it grows", layer, {At::Serve},
            {"The cache grows by concatenation; derived from tensor shapes", Evidence::Derived},
            {"one layer = {}", {layer.value()}});
    }
    m_ledger.add(
        Category::Framework, "cuBLAS workspace", m_s.cublasWorkspaceBytes, {At::Serve, At::Rest},
        {"Workspace of the forward handle; measured: fms-acceleration A100 benchmarks",
         Evidence::Verified},
        {"catalogue or overheads.cublas_workspace_bytes = {}", {m_s.cublasWorkspaceBytes}});
}

} // namespace

std::vector<Position> servingMoments()
{
    return {{At::Load}, {At::Profile}, {At::Serve}, {At::Rest}};
}

InferenceFigures addInference(const Settings &settings, const Rank &rank, Ledger &ledger)
{
    const InferenceFigures figures = Serving(settings, rank, ledger).add();
    const MomentSet when = always(settings);
    ledger.add(Category::Parameters, "Registered buffers", settings.bufferBytes, when,
               {"model.buffer_bytes", Evidence::Sourced},
               {"model.buffer_bytes = {}", {settings.bufferBytes}});
    ledger.add(Category::Framework, "Other resident tensors", settings.residentBytes, when,
               {"overheads.resident_bytes", Evidence::Sourced},
               {"overheads.resident_bytes = {}", {settings.residentBytes}});
    return figures;
}

const Empirical &vllmNonTorch(const Settings &s)
{
    return empirical(s.tensor > 2     ? Measured::VllmNonTorchTensor4
                     : s.tensor > 1   ? Measured::VllmNonTorchTensor2
                     : s.pipeline > 1 ? Measured::VllmNonTorchPipeline
                                      : Measured::VllmNonTorch);
}

} // namespace vramscope
