// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/estimate/formulas/kv_cache.h"

#include "core/estimate/formulas/speculation.h"
#include "core/model/blocks/state_mixers.h"

#include <algorithm>
#include <limits>
#include <numeric>

namespace vramscope {

Exact KvCache::elements(std::int64_t tokens) const
{
    return Exact(perFullLayer) * fullLayers * tokens +
           Exact(perLayer) * windowLayers * std::min(tokens, window);
}

Exact KvCache::bytesOf(Exact elements) const
{
    if (elements.overflowed())
        return elements;
    return Exact::ceiling(bytesPerElement * static_cast<double>(elements.value()));
}

Exact KvCache::bytes(std::int64_t sequences, std::int64_t tokens) const
{
    return bytesOf(Exact(sequences) * elements(tokens)) + index(sequences, tokens) +
           states(sequences) + draft(sequences, tokens) + compressed.bytes(sequences, tokens);
}

Exact KvCache::draft(std::int64_t sequences, std::int64_t tokens) const
{
    const Exact kept = Exact(sequences) * tokens * draftLayers;
    return bytesOf(kept * perDraftLayer) + kept * draftIndexBytes;
}

Exact KvCache::index(std::int64_t sequences, std::int64_t tokens) const
{
    return Exact(indexBytes) * fullLayers * sequences * tokens;
}

Exact KvCache::states(std::int64_t sequences) const
{
    return stateBytes * stateLayers * sequences;
}

Exact KvCache::bytesPerToken() const
{
    return bytesOf(Exact(perFullLayer) * fullLayers) + Exact(indexBytes) * fullLayers +
           draft(1, 1) + Exact::ceiling(compressed.bytesPerToken());
}

namespace {

/// Bytes of the state of one sequence and layer. llama.cpp keeps both parts in fp32, transformers
/// the recurrent one; vLLM as the model says (mamba_utils.py, MambaStateDtypeCalculator), with a
/// column of the convolution more for each drafted token (MambaStateShapeCalculator). transformers
/// keeps as many columns as the convolution sees, the others one less; recorded:
/// tests/data/hf_states.csv.
Exact stateBytesOf(const Settings &s)
{
    const Architecture &a = s.architecture;
    StateSize size = stateMixerOf(a).state(a, s.tensor);
    const std::int64_t columns = a.state.convWidth - 1;
    if (s.engine == Engine::Vllm && columns > 0)
        size.convolution += size.convolution / columns * draftedTokens(s);
    else if (s.engine == Engine::Hf && columns > 0)
        size.convolution += size.convolution / columns;
    const std::int64_t convolution = s.engine == Engine::LlamaCpp ? 4 : 2;
    const std::int64_t own = a.state.recurrentBytes > 0 ? a.state.recurrentBytes : 2;
    const bool asComputed = s.engine == Engine::Hf && a.state.kind == StateKind::Lightning;
    const std::int64_t recurrent = s.engine == Engine::Vllm ? own : asComputed ? 2 : 4;
    return Exact(size.convolution) * convolution + Exact(size.recurrent) * recurrent;
}

/// Tokens between the states that a backend keeps with prefix caching: FlashInfer's gated delta
/// rule every 64 (on Hopper and newer); others only where blocks end.
std::int64_t stateAlignment(const Settings &s)
{
    const bool hopper = s.gpu && atLeast(s.gpu->generation, GpuGeneration::Hopper);
    return s.prefixCaching && hopper && s.architecture.state.kind == StateKind::GatedDelta ? 64 : 1;
}

/// Blocks that the states of a sequence use in each of their groups, vLLM 0.33.0: the one in use;
/// with prefix caching one more that is kept and one that is written, and a third for backends that
/// checkpoint within a step (mamba_mixer2.py, qwen_gdn_linear_attn.py, models/kimi_k3). Speculation
/// keeps the state after each drafted token, any of which verification may reject
/// (mamba/abstract.py).
std::int64_t statesPerSequence(const Settings &s)
{
    if (!s.prefixCaching)
        return 1 + draftedTokens(s);
    const StateMixer &mixer = s.architecture.state;
    const bool within = mixer.kind == StateKind::Mamba2 || mixer.fullOutputGate;
    return (within || stateAlignment(s) > 1 ? 3 : 2) + draftedTokens(s);
}

/// The number of layers in a group, given the number of layers of each kind: as many as the rarest
/// kind has, or as the most common, where that has less than 1.5 times as many
/// (kv_cache_planning.py).
std::int64_t groupSizeOf(std::initializer_list<std::int64_t> kinds)
{
    std::int64_t fewest = 0;
    std::int64_t most = 0;
    for (const std::int64_t layers : kinds) {
        if (layers == 0)
            continue;
        fewest = fewest == 0 ? layers : std::min(fewest, layers);
        most = std::max(most, layers);
    }
    return 2 * most < 3 * fewest ? most : fewest;
}

/// The number of layers in a group, at least `least`, that fills up the groups of these kinds with
/// the fewest layers, the larger one of two alike (kv_cache_planning.py, _approximate_gcd).
std::int64_t repeatsPerGroup(std::initializer_list<std::int64_t> kinds, std::int64_t least)
{
    std::int64_t best = std::max<std::int64_t>(least, 1);
    std::int64_t fewest = std::numeric_limits<std::int64_t>::max();
    for (std::int64_t size = best; size <= std::max(kinds); ++size) {
        std::int64_t padding = 0;
        for (const std::int64_t layers : kinds)
            padding += (size - layers % size) % size;
        if (padding <= fewest) {
            fewest = padding;
            best = size;
        }
    }
    return best;
}

/// The pool of a model in which some layers keep states.
BlockPool poolWithStates(const KvCache &cache, const Settings &s)
{
    BlockPool pool;
    pool.statesPerSequence = statesPerSequence(s);
    pool.groupSize = groupSizeOf({cache.fullLayers, cache.windowLayers, cache.stateLayers});
    const auto groups = [&](std::int64_t layers) {
        return dividedUp(Exact(layers), std::max<std::int64_t>(pool.groupSize, 1)).value();
    };
    pool.fullGroups = groups(cache.fullLayers);
    pool.windowGroups = groups(cache.windowLayers);
    pool.stateGroups = groups(cache.stateLayers);
    pool.window = cache.window;
    pool.windowTokens =
        (Exact(std::max<std::int64_t>(cache.window - 1, 0)) + s.maxNumBatchedTokens).value();
    pool.blockSize = s.blockSize;
    const Exact token = cache.bytesOf(cache.perLayer);
    if (cache.fullLayers + cache.windowLayers == 0 || token == 0) {
        pool.blockBytes = cache.stateBytes * pool.groupSize; // states alone
        return pool;
    }
    // MLA's kernels need 128 tokens at a time with states; platforms/interface.py:1088.
    const std::int64_t kernel = s.blockSize;
    const std::int64_t least = s.architecture.mla() ? std::max<std::int64_t>(kernel, 128) : kernel;
    const std::int64_t step = std::lcm(least, stateAlignment(s));
    const std::int64_t holding = step * dividedUp(cache.stateBytes, (token * step).value()).value();
    pool.blockSize = std::max(kernel, kernel * dividedUp(Exact(holding), kernel).value());
    pool.fullBlockSize = pool.blockSize;
    pool.blockBytes = token * pool.blockSize * pool.groupSize;
    return pool;
}

/// The pool of a model whose sliding layers have other heads than full-attention layers: blocks
/// hold as many more tokens of the smaller ones as the larger ones take, which must divide (vLLM
/// 0.33.0 kv_cache_utils.py, unify_kv_cache_spec_page_size).
BlockPool poolOfShapes(const KvCache &cache, const Settings &s)
{
    BlockPool pool;
    pool.groupSize = groupSizeOf({cache.fullLayers, cache.windowLayers});
    const auto groups = [&](std::int64_t layers) {
        return dividedUp(Exact(layers), std::max<std::int64_t>(pool.groupSize, 1)).value();
    };
    pool.fullGroups = groups(cache.fullLayers);
    pool.windowGroups = groups(cache.windowLayers);
    // Two steps are in flight, each of a full batch (vllm/config/scheduler.py).
    pool.window = cache.window;
    pool.windowTokens =
        (Exact(std::max<std::int64_t>(cache.window - 1, 0)) + Exact(2) * s.maxNumBatchedTokens)
            .value();
    const std::int64_t larger = std::max(cache.perLayer, cache.perFullLayer);
    // Heads too wide for FlashAttention run in kernels that take 64 tokens of an 8-bit cache.
    constexpr std::int64_t kWidest = 256;
    const bool other = s.kvBytesPerElement < 2 && s.architecture.fullAttention.headDim > kWidest;
    const std::int64_t kernel = other ? std::max<std::int64_t>(s.blockSize, 64) : s.blockSize;
    const auto tokens = [&](std::int64_t each) {
        return kernel * std::max<std::int64_t>(larger / std::max<std::int64_t>(each, 1), 1);
    };
    pool.blockSize = tokens(cache.perLayer);
    pool.fullBlockSize = tokens(cache.perFullLayer);
    pool.blockBytes = cache.bytesOf(Exact(larger) * kernel) * pool.groupSize;
    return pool;
}

/// The pool of DeepSeek V4's caches: pages of an entry's and a token's rows, padded for FlashMLA,
/// lie next to each other in a block, which the largest group fills. Entries and keys of the index
/// are one group; windows are as many as keep no group larger than that of the indexed layers'
/// compressors asks for (vLLM 0.33.0 kv_cache_planning.py, _get_packed_kv_cache_groups).
BlockPool poolOfCompressed(const CompressedCache &c, const Settings &s)
{
    constexpr std::int64_t kTokens = 256; // of a block of entries
    constexpr std::int64_t kWindowTokens = 64;
    constexpr std::int64_t kIndexedRows = 4; // of a compressor's block, as sparse_swa.py has them
    constexpr std::int64_t kSparseRows = 8;
    const auto page = [](std::int64_t rows, std::int64_t bytes) {
        constexpr std::int64_t kAlignment = 576;
        return dividedUp(Exact(rows) * bytes, kAlignment) * kAlignment;
    };
    BlockPool pool;
    pool.fullBlockSize = kTokens;
    pool.blockSize = kWindowTokens;
    pool.fullGroups = 1;
    const std::int64_t perGroup =
        repeatsPerGroup({c.layers, c.indexedLayers, c.sparseLayers}, c.indexedLayers);
    const auto groups = [perGroup](std::int64_t layers) {
        return dividedUp(Exact(layers), perGroup).value();
    };
    pool.windowGroups = groups(c.layers);
    pool.window = c.window;
    pool.windowTokens =
        (Exact(std::max<std::int64_t>(c.window - 1, 0)) + Exact(2) * s.maxNumBatchedTokens).value();
    pool.compressors = {WindowGroups{groups(c.indexedLayers), kIndexedRows, 2 * c.indexedTokens},
                        WindowGroups{groups(c.sparseLayers), kSparseRows, c.sparseTokens}};
    const Exact entries = page(kTokens / c.indexedTokens, c.entryBytes) +
                          page(kTokens / c.indexedTokens, c.indexKeyBytes);
    const auto widest = [&](std::int64_t layers) {
        const std::int64_t count = groups(layers);
        return count > 0 ? dividedUp(Exact(layers), count) : Exact();
    };
    pool.blockBytes = std::max(
        {entries * c.indexedLayers + page(kTokens / c.sparseTokens, c.entryBytes) * c.sparseLayers,
         page(kWindowTokens, c.entryBytes) * widest(c.layers),
         (page(kIndexedRows, 16 * c.width) + page(kIndexedRows, 16 * c.indexWidth)) *
             widest(c.indexedLayers),
         page(kSparseRows, c.sparseStateBytes()) * widest(c.sparseLayers)});
    pool.groupSize = c.layers;
    return pool;
}

} // namespace

bool slidesOver(const Architecture &a, std::int64_t layer)
{
    const auto at = static_cast<std::size_t>(layer);
    return a.slidingWindow > 0 && a.kindOf(layer).mixer != TokenMixer::FullAttention &&
           (a.slidingLayers.empty() || (at < a.slidingLayers.size() && a.slidingLayers[at]));
}

KvCache kvCacheOf(const Settings &s, const RankInventory &rank)
{
    const Architecture &a = s.architecture;
    KvCache cache;
    if (a.encoder)
        return cache;
    cache.compressed = compressedCacheOf(s, rank);
    if (cache.compressed)
        return cache;
    cache.bytesPerElement = s.kvBytesPerElement;
    const auto elements = [&s](const AttentionShape &shape) {
        return heldHeads(s, shape) / s.tensor * (shape.headDim + shape.valueDim());
    };
    cache.perLayer = a.mla() ? a.kvLoraRank + a.qkRopeHeadDim : elements(a.attentionOf({}));
    cache.perFullLayer = cache.perLayer;
    if (a.fullAttention.headDim > 0)
        cache.perFullLayer = elements(a.fullAttention);
    cache.window = a.slidingWindow;
    // vLLM and SGLang keep the index's keys in fp8 with one scale each (kv_cache_interface.py).
    if (a.indexHeads > 0)
        cache.indexBytes = s.engine == Engine::Vllm || s.engine == Engine::Sglang
                               ? a.indexHeadDim + 4
                               : 2 * a.indexHeadDim;
    for (std::int64_t i = 0; i < rank.layers(); ++i) {
        const BlockKind kind = a.kindOf(rank.firstLayer + i);
        cache.stateLayers += kind.keepsState() ? 1 : 0;
        if (!kind.attends() || kind.borrowsKeys)
            continue;
        ++(slidesOver(a, rank.firstLayer + i) ? cache.windowLayers : cache.fullLayers);
    }
    if (cache.stateLayers > 0)
        cache.stateBytes = stateBytesOf(s);
    if (s.draft && rank.hasHead)
        addDraft(s, cache);
    return cache;
}

namespace {

/// The cache with a draft's layers among the model's own, whose pages they share; others are kept
/// apart.
KvCache joined(KvCache cache)
{
    if (cache.perDraftLayer != cache.perFullLayer || cache.draftIndexBytes != cache.indexBytes)
        return cache;
    cache.fullLayers += cache.draftLayers;
    cache.draftLayers = 0;
    return cache;
}

} // namespace

BlockPool blockPoolOf(const KvCache &ofModelAndDraft, const Settings &s)
{
    const KvCache cache = joined(ofModelAndDraft);
    if (cache.compressed)
        return poolOfCompressed(cache.compressed, s);
    if (cache.stateLayers > 0)
        return poolWithStates(cache, s);
    if (s.architecture.fullAttention.headDim > 0 || s.architecture.ownInputs > 0)
        return poolOfShapes(cache, s);
    BlockPool pool;
    pool.blockSize = s.blockSize;
    const std::int64_t fewer = std::min(cache.fullLayers, cache.windowLayers);
    const std::int64_t more = std::max(cache.fullLayers, cache.windowLayers);
    // Groups are as large as the rarer kind; kinds of about the same number fill up to the other.
    const bool alike = 4 * more < 5 * fewer;
    pool.groupSize = fewer == 0 || alike ? more : fewer;
    const auto groups = [&](std::int64_t layers) {
        return pool.groupSize > 0 ? dividedUp(Exact(layers), pool.groupSize).value() : 0;
    };
    pool.fullGroups = groups(cache.fullLayers);
    pool.windowGroups = groups(cache.windowLayers);
    pool.window = cache.window;
    pool.windowTokens =
        (Exact(std::max<std::int64_t>(cache.window - 1, 0)) + s.maxNumBatchedTokens).value();
    // The kernels of sparse attention take 64 tokens at a time.
    if (cache.indexBytes > 0)
        pool.blockSize = std::max<std::int64_t>(pool.blockSize, 64);
    pool.fullBlockSize = pool.blockSize;
    // Full-attention layers are all in one group, whatever each keeps (UniformTypeKVCacheSpecs).
    pool.blockBytes = (cache.bytesOf(Exact(cache.perLayer) * pool.blockSize) +
                       Exact(cache.indexBytes) * pool.blockSize) *
                          pool.groupSize +
                      cache.draft(1, pool.blockSize);
    return pool;
}

std::int64_t BlockPool::blocksIn(Bytes bytes) const
{
    return blockBytes > 0 ? bytes / blockBytes.value() : 0;
}

std::int64_t BlockPool::blocksOf(std::int64_t tokens) const
{
    const auto blocks = [&](std::int64_t kept) { return dividedUp(Exact(kept), blockSize); };
    Exact sum = Exact(fullGroups) * dividedUp(Exact(tokens), fullBlockSize);
    // A window seldom begins at the start of a block, so it may touch one more.
    if (windowGroups > 0)
        sum += Exact(windowGroups) * (blocks(std::min(tokens, windowTokens)) + 1);
    const std::int64_t passing = windowTokens - std::max<std::int64_t>(window - 1, 0);
    for (const WindowGroups &each : compressors) {
        const Exact kept = std::min(Exact(tokens), Exact(each.window - 1) + passing);
        sum += Exact(each.groups) * (dividedUp(kept, each.blockSize) + 1);
    }
    sum += Exact(stateGroups) * statesPerSequence;
    return sum.value();
}

Exact BlockPool::blocksOfLoad(std::int64_t sequences, std::int64_t tokens) const
{
    const Exact whole = Exact(sequences) * blocksOf(tokens);
    if (windowGroups == 0)
        return whole;
    BlockPool between = *this;
    between.windowTokens = window;
    const std::int64_t passing = std::max<std::int64_t>(windowTokens - window, 0);
    const Exact kept = Exact(sequences) * between.blocksOf(tokens);
    Exact moving = Exact(windowGroups) * dividedUp(Exact(passing), blockSize);
    for (const WindowGroups &each : compressors)
        moving += Exact(each.groups) * dividedUp(Exact(passing), each.blockSize);
    return std::min(whole, kept + moving);
}

std::int64_t BlockPool::longest(std::int64_t blocks, std::int64_t limit) const
{
    std::int64_t low = 0;
    std::int64_t high = limit;
    while (low < high) {
        const std::int64_t middle = low + (high - low + 1) / 2;
        if (blocksOf(middle) <= blocks)
            low = middle;
        else
            high = middle - 1;
    }
    return low;
}

} // namespace vramscope
