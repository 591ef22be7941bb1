// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
// pixtral, and the projector of mistral3.
#include "core/model/towers/families.h"
#include "core/model/towers/tower_layers.h"

namespace vramscope {

void readPixtral(TowerReader &part, Tower &tower)
{
    const std::int64_t width = part.count({"hidden_size"}, 1024);
    tower.heads = part.count({"num_attention_heads"}, 16);
    tower.patch = part.side("patch_size", 16);
    tower.imageSide = part.side("image_size", 1024);
    tower.images = ImageRule::Rows;
    tower.encoder =
        width + part.count({"num_channels"}, 3, kMaxTowerMerge) * tower.patch * tower.patch * width;
    addBlocks(tower,
              {.width = width,
               .ffn = part.count({"intermediate_size"}, 4096),
               .gated = true,
               .qkvBias = false,
               .outBias = false,
               .ffnBias = false,
               .layerNorms = false},
              part.layers({"num_hidden_layers"}, 24));
}

void joinMistral3(TowerReader &whole, Tower &tower, std::int64_t text)
{
    tower.merge = whole.count({"spatial_merge_size"}, 2, kMaxTowerMerge);
    const bool bias = whole.flag("multimodal_projector_bias", false);
    const std::int64_t features = whole.listed("vision_feature_layer", 1);
    tower.projector += tower.width; // the RMSNorm before
    addLinear(tower, tower.merge * tower.merge * tower.width, tower.width, false);
    addLinear(tower, features * tower.width, text, bias, Divided::ByColumns);
    addLinear(tower, text, text, bias, Divided::ByRows);
}

} // namespace vramscope
