// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/planner/towers/tower_layers.h"

namespace vramscope {

void addBlocks(Tower &tower, const TowerBlock &b, std::int64_t layers)
{
    const std::int64_t inner = (b.gated ? 2 : 1) * b.ffn;
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
    tower.encoder += layers * tower.block;
    tower.split += layers * tower.blockSplit;
}

void addLinear(Tower &tower, std::int64_t in, std::int64_t out, bool bias, Divided divided)
{
    tower.projector += linear(in, out, bias);
    if (divided != Divided::No)
        tower.split += linear(in, out, bias && divided == Divided::ByColumns);
}

} // namespace vramscope
