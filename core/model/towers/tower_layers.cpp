// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/model/towers/tower_layers.h"

namespace vramscope {

namespace {

/// The norms' inputs and outputs, queries, keys and values with flash attention's output, and the
/// feed-forward's inner tensors. An RMSNorm keeps its input in fp32 and the normalised value;
/// rotated queries and keys are copies, and the outputs for the images are concatenated again.
std::int64_t keptOf(const Tower &tower, const TowerBlock &b)
{
    constexpr std::int64_t kWide = 4;
    constexpr std::int64_t kNarrow = 2;
    const std::int64_t norm =
        b.layerNorms ? 2 * kNarrow * b.width + 2 * kWide : (kWide + 2 * kNarrow) * b.width + kWide;
    const std::int64_t qkv = b.query + 2 * b.keyValue;
    const std::int64_t turned = b.rotates ? b.query + b.keyValue + b.query : 0;
    const std::int64_t attention = kNarrow * (qkv + turned + b.query) + kWide * tower.heads;
    const std::int64_t inner = (b.gated ? 4 : b.quickGelu ? 3 : 2) * kNarrow * b.ffn;
    return b.norms * norm + attention + inner + (b.scales ? 2 * kNarrow * b.width : 0);
}

} // namespace

void addBlocks(Tower &tower, const TowerBlock &b, std::int64_t layers)
{
    tower.blockKept = keptOf(tower, b);
    tower.fusedQkv = b.rotates;
    const std::int64_t inner = (b.gated ? 2 : 1) * b.ffn;
    tower.blockPassing = 2 * inner + 2 * b.width;
    const std::int64_t qkv = b.query + 2 * b.keyValue;
    const std::int64_t columnBias =
        (b.qkvBias ? qkv - (b.keyBias ? 0 : b.keyValue) : 0) + (b.ffnBias ? inner : 0);
    const std::int64_t rowBias = (b.outBias ? b.width : 0) + (b.ffnBias ? b.width : 0);
    tower.blockSplit =
        b.width * qkv + b.query * b.width + b.width * inner + b.ffn * b.width + columnBias;
    tower.block = tower.blockSplit + rowBias + b.extra +
                  b.norms * (b.layerNorms ? layerNorm(b.width) : b.width);
    tower.layers = layers;
    tower.width = b.width;
    tower.ffn = b.ffn;
    tower.linears.insert(tower.linears.end(), {{b.width, qkv, layers},
                                               {b.query, b.width, layers},
                                               {b.width, inner, layers},
                                               {b.ffn, b.width, layers}});
    tower.encoder += layers * tower.block;
    tower.split += layers * tower.blockSplit;
}

void setEncoding(Tower &tower, const EncodingWidths &widths)
{
    constexpr std::int64_t kBytes = 2;
    const std::int64_t vector = kBytes * tower.width;
    const std::int64_t inner = kBytes * tower.ffn;
    Encoding &it = tower.encoding;
    it.known = true;
    it.attention = {widths.aroundAttention * vector, widths.attention * vector};
    it.exchanged = widths.exchanged * vector;
    it.activation = {widths.aroundFeedForward * vector, widths.inner * inner};
    it.output = {(widths.aroundFeedForward + 1) * vector, inner};
    it.norm = widths.norm * vector;
}

void addLinear(Tower &tower, std::int64_t in, std::int64_t out, bool bias, Divided divided)
{
    tower.linears.push_back({in, out});
    tower.projector += linear(in, out, bias);
    if (divided != Divided::No)
        tower.split += linear(in, out, bias && divided == Divided::ByColumns);
}

} // namespace vramscope
