// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
// glm4v_vision (GLM-4.1V to 4.6V): a convolution merges 2 × 2 patches before the merger.
#include "core/model/towers/families.h"
#include "core/model/towers/tower_layers.h"

namespace vramscope {

void readGlmVision(TowerReader &part, Tower &tower)
{
    const std::int64_t width = part.count({"hidden_size"}, 1536);
    tower.heads = part.count({"num_heads"}, 12);
    tower.patch = part.side("patch_size", 14);
    tower.merge = part.count({"spatial_merge_size"}, 2, kMaxTowerMerge);
    tower.output = part.count({"out_hidden_size"}, 4096);
    const std::int64_t rows = part.side("image_size", 336) / tower.patch;
    const std::int64_t patch = part.count({"in_channels"}, 3, kMaxTowerMerge) *
                               part.side("temporal_patch_size", 2, kMaxTowerMerge) * tower.patch *
                               tower.patch;
    const bool bias = part.flag("attention_bias", false);
    tower.encoder = linear(patch, width) + rows * rows * width + 2 * width;
    addBlocks(tower,
              {.width = width,
               .ffn = tower.output, // Glm4vVisionMLP is as wide as the output
               .gated = true,
               .qkvBias = bias,
               .outBias = false,
               .ffnBias = false,
               .layerNorms = false},
              part.layers({"depth"}, 24));
    const std::int64_t out = tower.output;
    const std::int64_t inner = part.count({"intermediate_size"}, 13696);
    addLinear(tower, tower.merge * tower.merge * width, out, true);
    tower.projector += layerNorm(out);
    addLinear(tower, out, out, false, Divided::ByColumns);
    addLinear(tower, out, 2 * inner, false, Divided::ByColumns);
    addLinear(tower, inner, out, false, Divided::ByRows);
}

} // namespace vramscope
