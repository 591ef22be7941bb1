// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
// MoonViT of Kimi-VL, Kimi K2.5 and Kimi K3: SigLIP's layers at native resolution.
#include "core/model/towers/families.h"
#include "core/model/towers/tower_layers.h"

namespace vramscope {

void readMoonVision(TowerReader &part, Tower &tower)
{
    const std::int64_t width = part.count({"hidden_size", "vt_hidden_size"}, 1152);
    tower.heads = part.count({"num_attention_heads", "vt_num_attention_heads"}, 16);
    tower.patch = part.side("patch_size", 14);
    tower.merge = part.side("merge_kernel_size", 2, kMaxTowerMerge);
    tower.images = ImageRule::Grid;
    const std::int64_t positions =
        part.count({"pos_emb_height", "init_pos_emb_height"}, 64, kMaxTowerSide) *
        part.count({"pos_emb_width", "init_pos_emb_width"}, 64, kMaxTowerSide);
    tower.encoder = linear(3 * tower.patch * tower.patch, width) + positions * width;
    addBlocks(
        tower,
        {.width = width, .ffn = part.count({"intermediate_size", "vt_intermediate_size"}, 4304)},
        part.layers({"num_hidden_layers", "vt_num_hidden_layers"}, 27));
    tower.postNorm = layerNorm(width);
    tower.encoder += tower.postNorm;
}

/// Kimi K3's, without biases: RMSNorm, and queries of another width.
void readMoonVision3(TowerReader &part, Tower &tower)
{
    const std::int64_t width = part.count({"vt_hidden_size"}, 1024);
    const std::int64_t query = part.count({"qkv_hidden_size"}, 1536);
    tower.heads = part.count({"vt_num_attention_heads"}, 12);
    tower.patch = part.side("patch_size", 14);
    tower.merge = part.side("merge_kernel_size", 2, kMaxTowerMerge);
    tower.images = ImageRule::Grid;
    const std::int64_t positions = part.count({"init_pos_emb_height"}, 64, kMaxTowerSide) *
                                   part.count({"init_pos_emb_width"}, 64, kMaxTowerSide);
    tower.encoder = linear(3 * tower.patch * tower.patch, width, false) + positions * width;
    addBlocks(tower,
              {.width = width,
               .query = query,
               .keyValue = query,
               .ffn = part.count({"vt_intermediate_size"}, 4096),
               .qkvBias = false,
               .outBias = false,
               .ffnBias = false,
               .layerNorms = false},
              part.layers({"vt_num_hidden_layers"}, 27));
    tower.postNorm = width;
    tower.encoder += tower.postNorm;
}

void joinKimi3(TowerReader &, Tower &tower, std::int64_t text)
{
    const std::int64_t merged = tower.merge * tower.merge * tower.width;
    addLinear(tower, merged, merged, false);
    addLinear(tower, merged, text, false);
    tower.projector += text; // its norm
}

void joinKimi(TowerReader &whole, Tower &tower, std::int64_t text)
{
    const std::int64_t merged = tower.merge * tower.merge * tower.width;
    tower.projector += layerNorm(whole.count({"projection_hidden_size"}, tower.width));
    addLinear(tower, merged, merged, true);
    addLinear(tower, merged, text, true);
}

} // namespace vramscope
