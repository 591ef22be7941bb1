// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/model/blocks/sparse_attention.h"

namespace vramscope {

namespace {

/// Parameters of an entry for each `tokens` tokens: its projection and its weight, `times` as wide
/// where neighbours overlap, a bias for each place in it, and a norm.
std::int64_t compressor(std::int64_t hidden, std::int64_t width, std::int64_t tokens,
                        std::int64_t times)
{
    return 2 * hidden * times * width + tokens * times * width + width;
}

} // namespace

std::int64_t sparseParameters(const Architecture &it, const BlockKind &kind)
{
    if (!it.hasIndex(kind))
        return 0;
    const std::int64_t heads = it.indexHeads * it.indexHeadDim;
    if (it.compressed.outputRank > 0) // its keys are compressed like those of attention
        return it.qLoraRank * heads + it.hidden * it.indexHeads +
               compressor(it.hidden, it.indexHeadDim, it.compressed.indexedTokens, 2);
    if (it.mla())
        return it.indexParameters();
    // MiniMax M3: queries and one key, each with a norm.
    return it.hidden * (heads + it.indexHeadDim) + 2 * it.indexHeadDim;
}

std::int64_t compressedParameters(const Architecture &it, const BlockKind &kind)
{
    const CompressedAttention &c = it.compressed;
    const std::int64_t queries = it.heads * it.headDim;
    const std::int64_t query = it.hidden * it.qLoraRank + it.qLoraRank + it.qLoraRank * queries;
    const std::int64_t key = it.hidden * it.headDim + it.headDim;
    const std::int64_t output = queries * c.outputRank + c.outputGroups * c.outputRank * it.hidden;
    const std::int64_t entries =
        kind.mixer == TokenMixer::Compressed ? compressor(it.hidden, it.headDim, c.tokens, 1)
        : kind.mixer == TokenMixer::Indexed  ? compressor(it.hidden, it.headDim, c.indexedTokens, 2)
                                             : 0;
    return query + key + output + entries + it.heads;
}

std::int64_t streamParameters(const Architecture &it, std::int64_t streams)
{
    const std::int64_t n = streams;
    const std::int64_t each = (2 + n) * n * n * it.hidden + (2 + n) * n + 3;
    return it.layers * 2 * each + n * n * it.hidden + n + 1;
}

} // namespace vramscope
