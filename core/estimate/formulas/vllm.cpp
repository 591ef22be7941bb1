// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/counted.h"
#include "core/base/format.h"
#include "core/catalog/empirical.h"
#include "core/estimate/formulas/communicators.h"
#include "core/estimate/formulas/encoding.h"
#include "core/estimate/formulas/serving.h"
#include "core/estimate/formulas/speculation.h"
#include "core/estimate/formulas/vllm_logs.h"
#include "core/estimate/verdict.h"
#include "core/settings/engines/vllm_releases.h"

#include <algorithm>

namespace vramscope {

/// vLLM's fused experts write into two workspaces for all rows of a batch, which stay:
/// vllm/model_executor/layers/fused_moe, v1/worker/workspace.py. MXFP4 kernels bring their own.
Exact expertsWorkspace(const Serving &serving, std::int64_t tokens)
{
    const Settings &s = serving.s;
    const Architecture &a = s.architecture;
    if (!serving.rank.has(FeedForward::Experts) || s.weightFormat == WeightFormat::MxFp4)
        return 0;
    const std::int64_t split = std::max<std::int64_t>(expertSplit(s) / s.expert, 1);
    const std::int64_t inner = dividedUp(Exact(a.expertFfn), split).value();
    const std::int64_t hidden = a.expertHidden > 0 ? a.expertHidden : a.hidden;
    const Exact widths = Exact(std::max(inner, hidden)) + std::max(2 * inner, hidden);
    return Exact(2) * a.expertsPerToken * widths * tokens;
}

namespace {

/// Memory of the profile run in addition to the weights, at two moments of vLLM's model runner: the
/// MLP over a full batch of tokens, or the sampler over the logits of all sequences.
struct Profile
{
    Exact mlp;
    Exact sampler;
    Exact experts;  ///< workspace of the fused experts, kept once allocated
    Exact received; ///< hidden states and residual that pipeline stages pass on
    Exact workspace;
    std::int64_t width = 0; ///< of the dense MLP or the shared expert, on this rank

    [[nodiscard]] Exact peak() const
    {
        return std::max(mlp, sampler) + experts + received + workspace;
    }
};

/// Bytes of the sampler's tensors at its worst moment, for each logit and for each element of the
/// hidden states: vllm/v1/sample. Logits are there in 16 bit and in fp32. Masked in place, they
/// become probabilities next to noise, 2 + 4 + 4 + 4. A sort writes values and indices out of the
/// indices before it and CUB's buffers for both, 2 + 4 + 12 + 8 + 12: PyTorch, SortStable.cu.
struct SamplerBytes
{
    std::int64_t logit = 0;
    std::int64_t hidden = 0;
};

SamplerBytes samplerBytes(const Settings &s)
{
    return vllmRelease(s).sampler == ProfiledSampler::Sorts ? SamplerBytes{38, 2}
                                                            : SamplerBytes{14, 4};
}

/// Sequences that the profile run samples for.
std::int64_t sampledSequences(const Settings &s)
{
    return std::min(s.maxNumSeqs, s.maxNumBatchedTokens);
}

Profile profileOf(const Serving &serving)
{
    const Settings &s = serving.s;
    const Architecture &a = s.architecture;
    const Exact tokens = s.maxNumBatchedTokens;
    Profile profile;
    const std::int64_t dense = serving.rank.has(FeedForward::Dense) ? a.ffn : 0;
    const std::int64_t shared = serving.rank.has(FeedForward::Experts) ? a.sharedFfn : 0;
    profile.width = std::max(dense, shared);
    profile.mlp = tokens * 6 * (dividedUp(Exact(profile.width), s.tensor) + a.hidden);
    const SamplerBytes each = samplerBytes(s);
    if (serving.rank.hasHead)
        profile.sampler = Exact(each.logit) * sampledSequences(s) * a.vocab +
                          Exact(each.hidden) * a.hidden * tokens;
    profile.experts = expertsWorkspace(serving, s.maxNumBatchedTokens);
    profile.received = s.pipeline > 1 ? Exact(4) * a.hidden * tokens : 0;
    profile.workspace = s.cublasWorkspaceBytes;
    return profile;
}

void addWorkspace(const Settings &s, Ledger &ledger)
{
    ledger.add(Category::Framework, "cuBLAS workspace", s.cublasWorkspaceBytes,
               {StepPhase::Profile, StepPhase::Serve},
               calibratedOr(s.calibrated.cublasWorkspace,
                            {"Workspaces of cuBLAS and cuBLASLt, inside the allocator; measured: "
                             "llm-d-planner accuracy report",
                             Evidence::Verified}),
               {"catalogue or overheads.cublas_workspace_bytes = {}", {s.cublasWorkspaceBytes}});
}

void addProfile(const Serving &serving, const Profile &profile, Ledger &ledger)
{
    const Settings &s = serving.s;
    const Architecture &a = s.architecture;
    const Empirical &checked = empirical(Measured::VllmProfile);
    const Origin origin = {"The larger of the MLP over a full batch and the sampler over all "
                           "sequences; measured: llm-d-planner accuracy report, vLLM 0.19",
                           Evidence::Verified, checked.spread()};
    const PhaseSet when = {StepPhase::Profile, StepPhase::Serve};
    const std::string_view name = "Activations of the profile run";
    const bool sorts = vllmRelease(s).sampler == ProfiledSampler::Sorts;
    const Origin sorted = {"A sort of the logits of all sequences, before vLLM 0.17 (#33538); "
                           "measured: llm-d-planner, vLLM 0.11 to 0.16",
                           Evidence::Verified, checked.spread()};
    if (profile.sampler > profile.mlp)
        ledger.add(Category::Activations, name, profile.sampler, when, sorts ? sorted : origin,
                   {sorts ? "sampler: 38 V S + 2 h T = 38 × {} × {} + 2 × {} × {}"
                          : "sampler: 14 V S + 4 h T = 14 × {} × {} + 4 × {} × {}",
                    {a.vocab, sampledSequences(s), a.hidden, s.maxNumBatchedTokens}});
    else
        ledger.add(Category::Activations, name, profile.mlp, when, origin,
                   {"MLP: 6 (f / t + h) T = 6 × (⌈{} / {}⌉ + {}) × {}",
                    {profile.width, s.tensor, a.hidden, s.maxNumBatchedTokens}});
    if (profile.experts > 0) {
        const std::int64_t row = 2 * a.expertsPerToken * s.maxNumBatchedTokens;
        ledger.add(Category::TemporaryBuffers, "Workspace of the fused experts", profile.experts,
                   when,
                   {"Two buffers of all rows of a batch, kept; measured: llm-d-planner accuracy "
                    "report, Qwen and DeepSeek models",
                    Evidence::Verified, checked.spread()},
                   {"2 k T (max(f_e, h) + max(2 f_e, h)) = {} × {}",
                    {row, row > 0 ? profile.experts.value() / row : 0}});
    }
    ledger.add(Category::Communication, "Hidden states between stages", profile.received, when,
               {"Hidden states and residual of a batch, received and sent; "
                "vllm/v1/worker/gpu_model_runner.py",
                Evidence::Sourced},
               {"4 h T = 4 × {} × {}", {a.hidden, s.maxNumBatchedTokens}});
    addWorkspace(s, ledger);
}

/// The pool: the rest of the share of the GPU that vLLM may use.
void addPool(const Serving &serving, Ledger &ledger, InferenceFigures &figures)
{
    const Settings &s = serving.s;
    const VllmRelease &release = vllmRelease(s);
    const Origin origin = {release.source, Evidence::Verified};
    const std::string_view name = "Key-value cache";
    if (s.kvCacheMemoryBytes >= 0) {
        figures.kvCache = s.kvCacheMemoryBytes;
        ledger.add(Category::KeyValueCache, name, figures.kvCache, kInUse,
                   {"As the plan states it", Evidence::Sourced},
                   {"inference.kv_cache_memory_bytes = {}", {figures.kvCache}});
        return;
    }
    const Bytes usable =
        static_cast<Bytes>(static_cast<double>(s.capacity) * s.gpuMemoryUtilization);
    const bool graphsWithin = release.graphs == GraphMemory::WithinShare;
    const Exact taken = Exact(figures.weights) + figures.activationPeak + figures.nonTorch +
                        (graphsWithin ? s.cudaGraphBytes : 0);
    figures.kvCache = excess(usable, taken).value();
    figures.kvCacheLow = figures.kvCacheHigh = usable - taken.value();
    if (graphsWithin) {
        ledger.add(Category::KeyValueCache, name, figures.kvCache, kInUse, origin,
                   {"capacity · utilization - weights - activations - non-torch - CUDA graphs = "
                    "{} - {} - {} - {} - {}",
                    {usable, figures.weights, figures.activationPeak, figures.nonTorch,
                     s.cudaGraphBytes}});
        return;
    }
    ledger.add(Category::KeyValueCache, name, figures.kvCache, kInUse, origin,
               {"capacity · utilization - weights - activations - non-torch = {} - {} - {} - {}",
                {usable, figures.weights, figures.activationPeak, figures.nonTorch}});
}

/// Memory that vLLM finds outside PyTorch: what counts depends on its release. A log states all.
Bytes nonTorchOf(const Settings &s)
{
    if (const Empirical *logged = loggedNonTorch(s))
        return logged->bytes();
    const NonTorch counted = vllmRelease(s).nonTorch;
    Exact bytes = vllmNonTorch(s).bytes();
    if (counted != NonTorch::WithoutCommunicators)
        bytes += s.ncclBytes;
    if (counted == NonTorch::AllInUse)
        bytes += Exact(s.contextBytes) + s.systemBytes;
    return bytes.value();
}

/// Tokens of one long sequence that the blocks have room for, without its states.
std::int64_t tokensIn(const BlockPool &pool, std::int64_t blocks)
{
    if (pool.compressors[0].groups > 0)
        return pool.longest(blocks, kLongestContext);
    const std::int64_t attending = pool.fullGroups + pool.windowGroups;
    const std::int64_t left = blocks - pool.stateGroups * pool.statesPerSequence;
    return attending > 0 && left > 0
               ? left / attending * std::min(pool.blockSize, pool.fullBlockSize)
               : 0;
}

/// The size of the cache in vLLM's log.
std::int64_t printedTokens(const Settings &s, const BlockPool &pool,
                           const InferenceFigures &figures)
{
    if (vllmRelease(s).printed == PrintedTokens::ConcurrencyTimesLength)
        return static_cast<std::int64_t>(figures.maxConcurrency *
                                         static_cast<double>(s.maxModelLen));
    return figures.kvBlocks / std::max<std::int64_t>(pool.groups(), 1) *
           std::min(pool.blockSize, pool.fullBlockSize);
}

} // namespace

void addVllm(const Serving &serving, Ledger &ledger, InferenceFigures &figures)
{
    const Settings &s = serving.s;
    figures.nonTorch = s.nonTorchBytes >= 0 ? s.nonTorchBytes : nonTorchOf(s);
    if (s.activationPeakBytes >= 0) {
        figures.activationPeak = s.activationPeakBytes;
        ledger.add(Category::Activations, "Activations of the profile run", figures.activationPeak,
                   {StepPhase::Profile, StepPhase::Serve},
                   {"As the plan states it", Evidence::Sourced},
                   {"inference.activation_peak_bytes = {}", {figures.activationPeak}});
    } else if (s.architecture.encoder) {
        addEncoderBatch(serving, ledger, figures);
        addWorkspace(s, ledger);
    } else {
        const Profile profile = profileOf(serving);
        const Exact fed = addDraftInputs(serving, ledger);
        const ProfiledEncoding images = profiledEncoding(serving);
        const Exact text = profile.peak() + images.held();
        const Exact encoding = images.peak + profile.workspace;
        figures.activationPeak = (std::max(text, encoding) + fed).value();
        if (encoding > text) {
            addEncoding(serving, images, ledger);
            addWorkspace(s, ledger);
        } else {
            if (images.items > 0)
                addHeldImages(serving, images, ledger);
            addProfile(serving, profile, ledger);
        }
        addCheckedTokens(serving, std::max(profile.mlp, profile.sampler), ledger);
    }
    if (s.architecture.encoder)
        return; // vllm/v1/worker/gpu_model_runner.py: EncoderOnlyAttentionSpec has no blocks
    addPool(serving, ledger, figures);

    const BlockPool pool = blockPoolOf(serving.cache, s);
    figures.kvBlocks = pool.blocksIn(figures.kvCache);
    figures.kvTokens = tokensIn(pool, figures.kvBlocks);
    figures.blockWaste = (Exact(pool.fullBlockSize - 1) * serving.cache.bytesPerToken()).value();
    const std::int64_t perSequence = pool.blocksOf(std::max<std::int64_t>(s.maxModelLen, 1));
    // vllm/v1/core/kv_cache_utils.py requires the blocks of one longest sequence, not tokens:
    // layers with a window need few blocks.
    const Exact load = pool.blocksOfLoad(s.concurrentSequences, s.meanSequenceLength);
    figures.kvCacheNeeded = (pool.blockBytes * std::max(load, Exact(perSequence))).value();
    figures.startsServing = figures.kvBlocks > 0 && perSequence <= figures.kvBlocks;
    figures.servesLoad = figures.startsServing && load <= Exact(figures.kvBlocks);
    if (s.maxModelLen > 0 && perSequence > 0)
        figures.maxConcurrency =
            static_cast<double>(figures.kvBlocks) / static_cast<double>(perSequence);
    figures.maxContext = pool.longest(figures.kvBlocks, kLongestContext);
    figures.printedTokens = printedTokens(s, pool, figures);
}

void refuseVllm(const Settings &s, Estimate &result)
{
    if (cacheSuffices(result.inference))
        return;
    const InferenceFigures &figures = *result.inference;
    const bool stated = s.kvCacheMemoryBytes >= 0;
    const std::string start = cacheDecides(result) ? "vLLM may not start" : "vLLM does not start";
    if (stated && !figures.startsServing)
        warn(result, "inference.kv_cache_memory_bytes",
             "The stated cache has room for a sequence of " + counted(figures.maxContext, "token") +
                 ", but max_model_len is " + formatCount(s.maxModelLen) +
                 ": vLLM does not start. State more, or leave it out.");
    else if (figures.kvTokens == 0)
        warn(result, "inference.gpu_memory_utilization",
             "Weights and activations leave no memory for the cache: " + start +
                 ". Give it a larger share, or free memory.");
    else if (!figures.startsServing)
        warn(result, "inference.max_model_len",
             "The cache has room for a sequence of " + counted(figures.maxContext, "token") +
                 ", but max_model_len is " + formatCount(s.maxModelLen) + ": " + start +
                 ". Lower it, or free memory.");
    else
        warn(result, "inference.concurrent_sequences",
             s.meanSequenceLength > s.maxModelLen
                 ? "Sequences of " + counted(s.meanSequenceLength, "token") +
                       " are longer than max_model_len (" + formatCount(s.maxModelLen) +
                       "): vLLM refuses them."
                 : "The cache has no room for " + counted(s.concurrentSequences, "sequence") +
                       " of " + counted(s.meanSequenceLength, "token") +
                       " at once: the rest waits. Lower "
                       "concurrent_sequences, or free memory.");
}

const Empirical &vllmNonTorch(const Settings &s)
{
    if (const Empirical *logged = loggedNonTorch(s))
        return *logged;
    const bool tried = vllmRelease(s).triesGraphs;
    const bool beforeHopper = s.gpu && !atLeast(s.gpu->generation, GpuGeneration::Hopper);
    const Measured one = tried          ? Measured::VllmNonTorch
                         : beforeHopper ? Measured::VllmNonTorchUntriedSmall
                                        : Measured::VllmNonTorchUntried;
    if (s.tensor == 1)
        return empirical(s.pipeline > 1 ? Measured::VllmNonTorchPipeline : one);
    if (isJoinedOverHost(s))
        return empirical(tried ? Measured::VllmNonTorchOverHost : one);
    if (!tried)
        return empirical(Measured::VllmNonTorchTensorUntried);
    return empirical(s.tensor > 2 ? Measured::VllmNonTorchTensor4 : Measured::VllmNonTorchTensor2);
}

} // namespace vramscope
