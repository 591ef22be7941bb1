// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
// internvl_vision (intern_vit_6b in the models' own code): tiles of one size, scaled residuals.
#include "core/model/towers/families.h"
#include "core/model/towers/tower_layers.h"

namespace vramscope {

void readInternVision(TowerReader &part, Tower &tower)
{
    const std::int64_t width = part.count({"hidden_size"}, 1024);
    tower.heads = part.count({"num_attention_heads"}, 16);
    tower.patch = part.side("patch_size", 14);
    tower.imageSide = part.side("image_size", 448);
    const std::int64_t rows = tower.imageSide / tower.patch;
    tower.images = ImageRule::Tiles;
    tower.maxTiles = 12; // max_dynamic_patch
    tower.imagePatches = rows * rows;
    const bool layerNorms = part.text("norm_type") != "rms_norm";
    const std::int64_t norm = layerNorms ? layerNorm(width) : width;
    tower.encoder =
        width +
        linear(part.count({"num_channels"}, 3, kMaxTowerMerge) * tower.patch * tower.patch, width);
    if (part.flag("use_absolute_position_embeddings", true))
        tower.encoder += (rows * rows + 1) * width;
    if (part.flag("use_mask_token", false))
        tower.encoder += width;
    if (!part.flag("use_mean_pooling", true))
        tower.encoder += norm;
    const bool qkNorm = part.flag("use_qk_norm", part.flag("qk_normalization", false));
    addBlocks(tower,
              {.width = width,
               .ffn = part.count({"intermediate_size"}, 4096),
               .qkvBias = part.flag("attention_bias", part.flag("qkv_bias", false)),
               .layerNorms = layerNorms,
               .extra = (qkNorm ? 4 : 2) * width,
               .scales = true},
              part.layers({"num_hidden_layers"}, 24));
    tower.pixelValues = part.count({"num_channels"}, 3, kMaxTowerMerge) * tower.patch * tower.patch;
    tower.isTrainingKnown = layerNorms && !qkNorm;
    tower.videos = VideoRule::Frames;
    // vLLM runs Hugging Face's form of it in another class (interns1.py), which divides less.
    if (tower.isTrainingKnown && part.text("model_type") != "internvl_vision")
        setEncoding(tower, {.aroundAttention = 4, .attention = 4, .aroundFeedForward = 4});
}

void joinInternVl(TowerReader &whole, Tower &tower, std::int64_t text)
{
    tower.merge = whole.inverse("downsample_ratio", 0.5);
    const std::int64_t cell = tower.merge * tower.merge;
    tower.imageTokens = tower.imagePatches / cell;
    tower.projector += layerNorm(cell * tower.width);
    addLinear(tower, cell * tower.width, text, true);
    addLinear(tower, text, text, true);
    // The concatenated patches and their norm, and both products' outputs with the activation.
    tower.joinKept = 4 * cell * tower.width + 8 + 4 * text;
    tower.features = 2 * text;
}

} // namespace vramscope
