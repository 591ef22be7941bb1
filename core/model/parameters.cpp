// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/model/parameters.h"

#include "core/model/blocks/shared_blocks.h"
#include "core/model/blocks/sparse_attention.h"

#include <algorithm>

namespace vramscope {

namespace {

std::int64_t biased(std::int64_t count, bool bias)
{
    return bias ? count : 0;
}

std::int64_t normParameters(const Architecture &it)
{
    return it.hidden * it.normVectors();
}

/// One feed-forward of width `width`: gate, up and down where gated.
std::int64_t ffnParameters(const Architecture &it, std::int64_t width, bool bias)
{
    const std::int64_t inner = (it.gatedMlp ? 2 : 1) * width;
    return it.hidden * inner + width * it.hidden + biased(inner + it.hidden, bias);
}

/// Multi-head latent attention: compressed (or plain) queries, one latent for keys and values.
std::int64_t latentAttention(const Architecture &it)
{
    const std::int64_t queryWidth = it.heads * (it.qkNopeHeadDim + it.qkRopeHeadDim);
    const std::int64_t query =
        it.qLoraRank > 0 ? it.hidden * it.qLoraRank + it.qLoraRank + it.qLoraRank * queryWidth
                         : it.hidden * queryWidth;
    const std::int64_t keyValue = it.hidden * (it.kvLoraRank + it.qkRopeHeadDim) + it.kvLoraRank +
                                  it.kvLoraRank * it.heads * (it.qkNopeHeadDim + it.vHeadDim);
    return query + keyValue + it.heads * it.vHeadDim * it.hidden + it.latentBiases() +
           it.hidden * it.latentGate;
}

/// The gate on attention's output.
std::int64_t gateParameters(const Architecture &it, const AttentionShape &shape)
{
    switch (it.attentionGate) {
    case AttentionGate::None:
        break;
    case AttentionGate::WithQueries:
        return it.hidden * shape.queryWidth() + biased(shape.queryWidth(), it.bias.qkv);
    case AttentionGate::Separate:
        return it.hidden * shape.queryWidth();
    case AttentionGate::PerHead:
        return it.hidden * shape.heads;
    }
    return 0;
}

std::int64_t attentionParameters(const Architecture &it, const BlockKind &kind)
{
    if (it.mla())
        return latentAttention(it);
    const AttentionShape shape = it.attentionOf(kind);
    const std::int64_t keys = kind.borrowsKeys ? 0 : shape.keyWidth();
    const std::int64_t values = kind.borrowsKeys || shape.valuesAreKeys ? 0 : shape.valueWidth();
    const std::int64_t qkv = shape.queryWidth() + keys + values;
    const std::int64_t norms =
        it.qkNormWhole ? shape.queryWidth() + keys : (kind.borrowsKeys ? 1 : 2) * shape.headDim;
    return it.hidden * qkv + shape.outputWidth() * it.hidden + gateParameters(it, shape) +
           biased(qkv, it.bias.qkv) + biased(it.hidden, it.bias.o) + biased(norms, it.qkNorm) +
           biased(shape.heads, shape.sinks);
}

/// Routed experts, which may work on a width of their own between two projections (Nemotron 3).
std::int64_t expertParameters(const Architecture &it)
{
    if (it.expertHidden == 0)
        return it.experts * ffnParameters(it, it.expertFfn, it.bias.expert);
    const std::int64_t inner = (it.gatedMlp ? 3 : 2) * it.expertFfn;
    return it.experts * inner * it.expertHidden;
}

void addExperts(BlockParameters &block, const Architecture &it)
{
    block.router = it.hidden * it.experts + biased(it.experts, it.bias.router) +
                   biased(it.experts, it.routerCorrectionBias) +
                   biased(it.hidden + it.experts, it.routerScales) +
                   2 * it.hidden * it.expertHidden; // to the experts' width and back
    block.experts = expertParameters(it);
    if (it.sharedFfn > 0)
        block.sharedExperts =
            ffnParameters(it, it.sharedFfn, it.bias.shared) + biased(it.hidden, it.sharedGate);
}

BlockParameters blockOf(const Architecture &it, const BlockKind &kind)
{
    BlockParameters block;
    const bool experts = kind.feedForward == FeedForward::Experts;
    block.norms = (it.normsOf(kind) + (experts ? it.expertNorms : 0)) * normParameters(it);
    if (kind.mixer == TokenMixer::Shared) {
        const SharedParameters shared = sharedParameters(it, kind);
        block.norms += shared.norms;
        block.attention = shared.attention;
        block.denseFfn = shared.feedForward;
        block.stateMixer = mixerParameters(it, kind, 1);
        return block;
    }
    if (kind.attends())
        block.attention = sparseParameters(it, kind) +
                          (it.compressed.outputRank > 0
                               ? compressedParameters(it, kind)
                               : (kind.crosses() ? 2 : 1) * attentionParameters(it, kind));
    if (kind.keepsState())
        block.stateMixer = mixerParameters(it, kind, 1);
    if (kind.feedForward == FeedForward::Dense)
        block.denseFfn =
            ffnParameters(it, it.ffnOf(kind), it.bias.mlp) + biased(it.hidden, it.tokenShift);
    if (experts)
        addExperts(block, it);
    return block;
}

/// The number of layers of each kind, by their first layer.
std::vector<BlockGroup> groupsOf(const Architecture &it)
{
    std::vector<BlockGroup> groups;
    const auto add = [&groups](const BlockKind &kind, std::int64_t count) {
        const auto same = std::ranges::find(groups, kind, &BlockGroup::kind);
        if (same != groups.end())
            same->count += count;
        else if (count > 0)
            groups.push_back({kind, {}, count});
    };
    if (it.isPlain()) {
        const std::int64_t experts = it.moe() ? it.layers - it.denseLayers : 0;
        add({TokenMixer::Attention, FeedForward::Dense}, it.layers - experts);
        add({TokenMixer::Attention, FeedForward::Experts}, experts);
    }
    for (const BlockKind &kind : it.blocks)
        add(kind, 1);
    for (BlockGroup &group : groups)
        group.each = blockOf(it, group.kind);
    return groups;
}

} // namespace

ParameterCounts countParameters(const Architecture &it)
{
    ParameterCounts counts;
    counts.groups = groupsOf(it);
    std::int64_t idle = 0; // weights of experts that a token does not use
    for (const BlockGroup &group : counts.groups) {
        counts.total += group.count * group.each.total();
        if (group.kind.feedForward == FeedForward::Experts)
            idle +=
                group.count * (group.each.experts / it.experts) * (it.experts - it.expertsPerToken);
        if (group.kind.mixer != TokenMixer::Attention)
            continue;
        if (group.kind.feedForward == FeedForward::Experts) {
            counts.moeBlock = group.each;
            counts.moeBlocks = group.count;
        } else if (group.kind.feedForward == FeedForward::Dense) {
            counts.denseBlock = group.each;
            counts.denseBlocks = group.count;
        }
    }
    counts.embedding = it.vocab * it.hidden;
    counts.positions = (it.learnedPositions + it.typeVocab) * it.hidden;
    counts.finalNorm = normParameters(it);
    counts.head = (it.tiedEmbeddings ? 0 : it.vocab * it.hidden) + biased(it.vocab, it.bias.head);
    counts.extra = it.extraParameters;
    counts.total +=
        counts.embedding + counts.positions + counts.finalNorm + counts.head + counts.extra;
    counts.active = counts.total - idle;
    return counts;
}

} // namespace vramscope
