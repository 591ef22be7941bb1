// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/planner/parameters.h"

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

/// One feed-forward of width `width`: gate and up beside down where gated.
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
    return query + keyValue + it.heads * it.vHeadDim * it.hidden;
}

std::int64_t attentionParameters(const Architecture &it)
{
    if (it.mla())
        return latentAttention(it);
    const std::int64_t query = it.heads * it.headDim;
    const std::int64_t keyValue = 2 * it.kvHeads * it.headDim;
    return it.hidden * (query + keyValue) + query * it.hidden +
           biased(query + keyValue, it.bias.qkv) + biased(it.hidden, it.bias.o) +
           biased(it.qkNormWhole ? query + keyValue / 2 : 2 * it.headDim, it.qkNorm) +
           biased(it.heads, it.attentionSinks);
}

BlockParameters denseBlock(const Architecture &it)
{
    return {.norms = it.normsPerLayer * normParameters(it),
            .attention = attentionParameters(it),
            .denseFfn = ffnParameters(it, it.ffn, it.bias.mlp)};
}

BlockParameters moeBlock(const Architecture &it)
{
    const std::int64_t shared =
        it.sharedFfn > 0 ? ffnParameters(it, it.sharedFfn, false) + biased(it.hidden, it.sharedGate)
                         : 0;
    return {.norms = it.normsPerLayer * normParameters(it),
            .attention = attentionParameters(it),
            .router = it.hidden * it.experts + biased(it.experts, it.bias.router) +
                      biased(it.experts, it.routerCorrectionBias),
            .experts = it.experts * ffnParameters(it, it.expertFfn, it.bias.expert),
            .sharedExperts = shared};
}

} // namespace

ParameterCounts countParameters(const Architecture &it)
{
    ParameterCounts counts;
    counts.moeBlocks = it.moe() ? it.layers - it.denseLayers : 0;
    counts.denseBlocks = it.layers - counts.moeBlocks;
    if (counts.denseBlocks > 0)
        counts.denseBlock = denseBlock(it);
    if (counts.moeBlocks > 0)
        counts.moeBlock = moeBlock(it);
    counts.embedding = it.vocab * it.hidden;
    counts.positions = (it.learnedPositions + it.typeVocab) * it.hidden;
    counts.finalNorm = normParameters(it);
    counts.head = (it.tiedEmbeddings ? 0 : it.vocab * it.hidden) + biased(it.vocab, it.bias.head);
    counts.extra = it.extraParameters;
    counts.total = counts.denseBlocks * counts.denseBlock.total() +
                   counts.moeBlocks * counts.moeBlock.total() + counts.embedding +
                   counts.positions + counts.finalNorm + counts.head + counts.extra;
    const std::int64_t idle = it.moe() ? counts.moeBlocks * (counts.moeBlock.experts / it.experts) *
                                             (it.experts - it.expertsPerToken)
                                       : 0;
    counts.active = counts.total - idle;
    return counts;
}

} // namespace vramscope
