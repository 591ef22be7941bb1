// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/model/blocks/shared_blocks.h"

// The shared blocks of Zamba: transformers models/zamba/modeling_zamba.py and
// models/zamba2/modeling_zamba2.py, vLLM model_executor/models/zamba2.py. Counted against the first
// two. A block reads the stream and the embedding together, so twice the model's width.

namespace vramscope {

namespace {

std::int64_t sum(const std::vector<MixerMatrix> &matrices)
{
    std::int64_t elements = 0;
    for (const MixerMatrix &matrix : matrices)
        elements += matrix.in * matrix.out;
    return elements;
}

void addAdapter(std::vector<MixerMatrix> &matrices, std::int64_t in, std::int64_t out,
                std::int64_t rank)
{
    if (rank == 0)
        return;
    matrices.push_back({"adapter", in, rank});
    matrices.push_back({"adapter", rank, out});
}

} // namespace

std::vector<MixerMatrix> sharedAttention(const Architecture &it, const BlockKind &kind)
{
    const AttentionShape shape = it.attentionOf(kind);
    const std::int64_t input = 2 * it.hidden;
    std::vector<MixerMatrix> matrices;
    if (kind.turn != BlockTurn::Again)
        matrices = {{"q", input, shape.queryWidth()},
                    {"k", input, shape.keyWidth()},
                    {"v", input, shape.keyWidth()},
                    {"o", shape.queryWidth(), it.hidden, true}};
    for (int each = 0; it.shared.adaptsAttention && each < 3; ++each)
        addAdapter(matrices, input, input, it.shared.rank);
    matrices.push_back({"linear", it.hidden, it.hidden});
    return matrices;
}

std::vector<MixerMatrix> sharedFeedForward(const Architecture &it, const BlockKind &kind)
{
    std::vector<MixerMatrix> matrices;
    if (kind.turn != BlockTurn::Again)
        matrices = {{"gate", it.hidden, it.ffn},
                    {"up", it.hidden, it.ffn},
                    {"down", it.ffn, it.hidden, true}};
    addAdapter(matrices, it.hidden, 2 * it.ffn, it.shared.rank);
    return matrices;
}

SharedParameters sharedParameters(const Architecture &it, const BlockKind &kind)
{
    const bool first = kind.turn != BlockTurn::Again;
    const std::int64_t biases = first && it.bias.mlp ? 2 * it.ffn + it.hidden : 0;
    return {first ? 3 * it.hidden * it.normVectors() : 0, sum(sharedAttention(it, kind)),
            sum(sharedFeedForward(it, kind)) + biases};
}

} // namespace vramscope
