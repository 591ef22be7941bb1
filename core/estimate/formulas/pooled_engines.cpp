// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/counted.h"
#include "core/base/format.h"
#include "core/estimate/formulas/serving.h"
#include "core/settings/engines/sglang_values.h"

#include <algorithm>
#include <cmath>

namespace vramscope {

namespace {

constexpr std::string_view kPool = "Key-value cache";

/// Free memory once the process and its communicators are there, next to other processes.
Bytes freeAtStart(const Settings &s)
{
    const Exact before = Exact(s.contextBytes) + s.ncclBytes + s.heldAtStart + s.systemBytes;
    return excess(s.capacity, before).value();
}

Bytes shareOf(double share, Bytes bytes)
{
    return static_cast<Bytes>(share * static_cast<double>(bytes));
}

/// How many sequences, and how long ones, a pool of tokens allows.
void fillPoolLimits(const Settings &s, std::int64_t mostSequences, InferenceFigures &figures)
{
    const std::int64_t mean = std::max<std::int64_t>(s.meanSequenceLength, 1);
    figures.maxContext = figures.kvTokens;
    figures.maxConcurrency =
        std::min(static_cast<double>(figures.kvTokens) / static_cast<double>(mean),
                 static_cast<double>(mostSequences));
    figures.startsServing = figures.kvTokens > 0;
    figures.servesLoad =
        figures.startsServing && s.meanSequenceLength <= figures.kvTokens &&
        Exact(s.concurrentSequences) * s.meanSequenceLength <= Exact(figures.kvTokens) &&
        s.concurrentSequences <= mostSequences;
}

/// Bytes of a token in the layers that keep all tokens, with a draft's, and in those with a
/// separate pool for the tokens of a window.
struct Cell
{
    Exact full;
    Exact window;
};

Cell cellOf(const KvCache &cache, bool windowPool)
{
    const Exact window = cache.bytesOf(Exact(cache.perLayer) * cache.windowLayers);
    const Exact full = cache.bytesPerToken();
    return windowPool ? Cell{full, window} : Cell{full + window, 0};
}

/// Most requests at once: an estimate where the plan has none, and at most half the tokens
/// (kv_cache_configurator.py).
std::int64_t runningRequests(const Settings &s, std::int64_t tokens)
{
    const auto context = static_cast<double>(std::max<std::int64_t>(s.maxModelLen, 1));
    const double guess = std::clamp(static_cast<double>(tokens) / context * 512, 2048.0, 4096.0);
    const std::int64_t most = s.sglang.maxRunningRequests > 0 ? s.sglang.maxRunningRequests
                                                              : static_cast<std::int64_t>(guess);
    return std::min(most, tokens / 2);
}

/// The load is more than a pool of tokens holds.
void refuseLoad(const Settings &s, Estimate &result)
{
    const InferenceFigures &figures = *result.inference;
    warn(result, "inference.concurrent_sequences",
         s.meanSequenceLength > figures.kvTokens
             ? "The pool has " + counted(figures.kvTokens, "token") + ": a sequence of " +
                   formatCount(s.meanSequenceLength) +
                   " never runs. Lower its length, or free memory."
             : "The pool of " + counted(figures.kvTokens, "token") + " and " +
                   counted(std::llround(std::floor(figures.maxConcurrency)), "request") +
                   " has no room for " + counted(s.concurrentSequences, "sequence") + " of " +
                   counted(s.meanSequenceLength, "token") +
                   " at once: the rest waits. Lower concurrent_sequences, or free memory.");
}

/// The pool of tokens in `rest` bytes, with one of windows where the release has one. Adds their
/// bytes to figures.kvCache.
void addTokenPool(const Serving &serving, Bytes before, Bytes usable, Bytes rest, Ledger &ledger,
                  InferenceFigures &figures)
{
    const Settings &s = serving.s;
    const KvCache &cache = serving.cache;
    const bool windowPool = sglangRelease(s).windowPools && cache.windowLayers > 0;
    const Cell cell = cellOf(cache, windowPool);
    const double bytes = static_cast<double>(cell.full.value()) +
                         s.sglang.swaFullTokensRatio * static_cast<double>(cell.window.value());
    auto tokens = bytes > 0 ? static_cast<std::int64_t>(static_cast<double>(rest) / bytes) : 0;
    if (s.sglang.maxTotalTokens > 0)
        tokens = std::min(tokens, s.sglang.maxTotalTokens);
    tokens -= tokens % s.sglang.pageSize;
    auto windowTokens =
        static_cast<std::int64_t>(s.sglang.swaFullTokensRatio * static_cast<double>(tokens));
    windowTokens -= windowTokens % s.sglang.pageSize;
    ledger.add(Category::KeyValueCache, kPool, cell.full * tokens, kInUse,
               {sglangRelease(s).source, Evidence::Verified},
               {"tokens · bytes a token, as many tokens as mem_fraction_static of {}, {}, has "
                "beside weights of {} = {} × {}",
                {before, usable, figures.weights, tokens, cell.full.value()}});
    if (windowPool)
        ledger.add(Category::KeyValueCache, "Cache of windowed layers",
                   {"tokens · bytes a token", {windowTokens, cell.window}}, kInUse,
                   {"swa_full_tokens_ratio of the tokens, in a pool of their own; SGLang "
                    "pool_configurator.py",
                    Evidence::Verified});
    figures.kvCache = (Exact(figures.kvCache) + cell.full * tokens +
                       (windowPool ? cell.window * windowTokens : Exact()))
                          .value();
    figures.kvTokens = tokens;
}

/// The pools of compressed attention in `rest` bytes, added in the same way.
void addCompressedPools(const Serving &serving, Bytes rest, Ledger &ledger,
                        InferenceFigures &figures)
{
    const CompressedPools pools = sglangPools(serving.cache.compressed, serving.s, rest);
    const Origin origin = {
        "What weights leave of the static fraction; SGLang pool_configurator.py, "
        "DSV4PoolConfigurator",
        pools.confirmed ? Evidence::Verified : Evidence::Sourced};
    const auto tokenBytes = static_cast<std::int64_t>(std::ceil(pools.tokenBytes));
    ledger.add(
        Category::KeyValueCache, kPool, pools.entries, kInUse, origin,
        {"compressed entries and index keys of {} tokens, which take {} bytes each in all pools "
         "= {}",
         {pools.tokens, tokenBytes, pools.entries.value()}});
    ledger.add(Category::KeyValueCache, "Cache of windowed layers", pools.windows, kInUse, origin,
               {"tokens · bytes a token = {} × {}",
                {pools.windowTokens,
                 pools.windowTokens > 0 ? pools.windows.value() / pools.windowTokens : 0}});
    ledger.add(Category::KeyValueCache, "States of compressors", pools.states, kInUse, origin,
               {"fp32 rows of entries that are not complete = {}", {pools.states.value()}});
    ledger.add(Category::KeyValueCache, "Draft's cache", pools.draft, kInUse, origin,
               {"one layer more in each of these pools = {}", {pools.draft.value()}});
    figures.kvTokens = pools.tokens;
    figures.kvCache =
        (Exact(figures.kvCache) + pools.entries + pools.windows + pools.states + pools.draft)
            .value();
}

} // namespace

void addPass(const Serving &serving, std::int64_t tokens, std::int64_t sequences, Ledger &ledger,
             InferenceFigures &figures)
{
    const Settings &s = serving.s;
    const Architecture &a = s.architecture;
    const std::int64_t dense = serving.rank.has(FeedForward::Dense) ? a.ffn : 0;
    const std::int64_t shared = serving.rank.has(FeedForward::Experts) ? a.sharedFfn : 0;
    const std::int64_t width = std::max(dense, shared);
    const Exact mlp = Exact(tokens) * 6 * (dividedUp(Exact(width), s.tensor) + a.hidden);
    const Exact logits = serving.rank.hasHead ? Exact(6) * a.vocab * sequences : Exact();
    const Exact experts = expertsWorkspace(serving, tokens);
    figures.activationPeak = (std::max(mlp, logits) + experts + s.cublasWorkspaceBytes).value();
    const PhaseSet when = {StepPhase::Serve};
    if (logits > mlp)
        ledger.add(Category::LossAndLogits, "Logits", {"6 V B", {6, a.vocab, sequences}}, when,
                   {"Logits in 16 bit and in fp32, a row a sequence; derived from tensor shapes",
                    Evidence::Derived});
    else
        ledger.add(
            Category::Activations, "Activations of a prefill", mlp, when,
            {"The MLP over the tokens of one pass; derived from tensor shapes", Evidence::Derived},
            {"6 (f / t + h) T = 6 × (⌈{} / {}⌉ + {}) × {}", {width, s.tensor, a.hidden, tokens}});
    ledger.add(
        Category::TemporaryBuffers, "Workspace of the fused experts", experts, when,
        {"Two buffers of all rows of a batch; derived from tensor shapes", Evidence::Derived},
        {"2 k T (max(f_e, h) + max(2 f_e, h)) = {} × {}",
         {tokens, tokens > 0 ? experts.value() / tokens : 0}});
    ledger.add(Category::Framework, "cuBLAS workspace", s.cublasWorkspaceBytes, kInUse,
               calibratedOr(s.calibrated.cublasWorkspace,
                            {"Workspaces of cuBLAS and cuBLASLt, inside the allocator; measured: "
                             "llm-d-planner accuracy report",
                             Evidence::Verified}),
               {"catalogue or overheads.cublas_workspace_bytes = {}", {s.cublasWorkspaceBytes}});
}

void addSglang(const Serving &serving, Ledger &ledger, InferenceFigures &figures)
{
    const Settings &s = serving.s;
    const KvCache &cache = serving.cache;
    const Bytes before = freeAtStart(s);
    const Bytes usable = shareOf(s.sglang.memFractionStatic, before);
    Bytes rest = excess(usable, Exact(figures.weights)).value();
    std::int64_t slots = INT64_MAX;
    if (cache.stateLayers > 0) {
        const Exact each = cache.states(1);
        const double ratio = s.sglang.mambaFullMemoryRatio / (1 + s.sglang.mambaFullMemoryRatio);
        slots = each > 0 ? shareOf(ratio, rest) / each.value() : 0;
        const Exact states = each * slots;
        ledger.add(Category::KeyValueCache, "Recurrent states",
                   {"slots · bytes of a sequence", {slots, each}}, kInUse,
                   {"r / (1 + r) of what weights leave of the static fraction; SGLang "
                    "kv_cache_configurator.py",
                    Evidence::Sourced});
        rest = excess(rest, states).value();
        figures.kvCache = states.value();
    }
    if (cache.compressed)
        addCompressedPools(serving, rest, ledger, figures);
    else
        addTokenPool(serving, before, usable, rest, ledger, figures);
    const std::int64_t tokens = figures.kvTokens;
    figures.kvBlocks = tokens / s.sglang.pageSize;
    const std::int64_t running = std::min(runningRequests(s, tokens), slots);
    ledger.add(Category::KeyValueCache, "Table of requests",
               Exact(4) * running * (Exact(s.maxModelLen) + 4), kInUse,
               {"Which tokens a request holds: req_to_token, beside the pools; SGLang "
                "memory_pool.py",
                Evidence::Sourced},
               {"4 requests (context + 4) = 4 × {} × ({} + 4)", {running, s.maxModelLen}});
    addPass(serving, s.sglang.chunkedPrefillSize, s.sglang.cudaGraphMaxBs, ledger, figures);
    fillPoolLimits(s, running, figures);
}

// SGLang runs out of memory in two ways, which need opposite remedies.
void refuseSglang(const Settings &s, Estimate &result)
{
    const InferenceFigures &figures = *result.inference;
    constexpr FieldPath kFraction = "inference.sglang.mem_fraction_static";
    if (!figures.startsServing)
        warn(result, kFraction,
             "The weights of " + formatBytes(figures.weights) +
                 " leave nothing of the static fraction for the cache (\"Not enough memory. Please "
                 "try increasing --mem-fraction-static\"): SGLang does not start. Raise it, or "
                 "free memory.");
    else if (!figures.servesLoad)
        refuseLoad(s, result);
    if (figures.startsServing && result.headroom && *result.headroom < 0)
        warn(result, kFraction,
             "Activations of a prefill and CUDA graphs take " + formatBytes(-*result.headroom) +
                 " more than the static fraction leaves: SGLang runs out of memory while it "
                 "captures graphs or in its first long prefill. Lower it, chunked_prefill_size or "
                 "cuda_graph_max_bs.");
}

void addTrtLlm(const Serving &serving, Ledger &ledger, InferenceFigures &figures)
{
    const Settings &s = serving.s;
    addPass(serving, s.maxNumBatchedTokens, s.maxNumSeqs, ledger, figures);
    const Bytes left =
        excess(freeAtStart(s), Exact(figures.weights) + figures.activationPeak).value();
    const Exact cell = cellOf(serving.cache, false).full;
    const Exact states = serving.cache.states(s.maxNumSeqs);
    const Bytes pool = excess(shareOf(s.trtLlm.freeGpuMemoryFraction, left), states).value();
    figures.kvTokens = cell > 0 ? pool / cell.value() : 0;
    figures.kvBlocks = figures.kvTokens / s.blockSize;
    figures.kvCache = (cell * figures.kvTokens + states).value();
    ledger.add(Category::KeyValueCache, "Recurrent states",
               {"sequences · bytes", {s.maxNumSeqs, serving.cache.states(1)}}, kInUse,
               {"One of each layer that keeps one, for every sequence of a batch; derived from "
                "tensor shapes",
                Evidence::Derived});
    ledger.add(
        Category::KeyValueCache, kPool, cell * figures.kvTokens, kInUse,
        {"free_gpu_memory_fraction of what is free after the model is loaded and run once; "
         "TensorRT-LLM KvCacheConfig",
         Evidence::Sourced},
        {"tokens · bytes a token, of {} free = {} × {}", {left, figures.kvTokens, cell.value()}});
    fillPoolLimits(s, s.maxNumSeqs, figures);
}

void refuseTrtLlm(const Settings &s, Estimate &result)
{
    if (!result.inference->startsServing)
        warn(result, "inference.trtllm.free_gpu_memory_fraction",
             "Weights and activations leave no memory for the cache: TensorRT-LLM does not start. "
             "Free memory, or use more GPUs.");
    else if (!result.inference->servesLoad)
        refuseLoad(s, result);
}

} // namespace vramscope
