// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
// clip_vision_model, and the projectors of the LLaVA family.
#include "core/model/towers/families.h"
#include "core/model/towers/tower_layers.h"

#include <algorithm>

namespace vramscope {

namespace {

/// llava.py loads no layer above the one that gives the features, and no norm after it.
void leaveOutUpperLayers(TowerReader &whole, Tower &tower, std::int64_t usual)
{
    const std::int64_t layer = whole.negative("vision_feature_layer", usual);
    if (layer == 0)
        return; // a list, or a layer counted from the first one
    const std::int64_t above = std::min(-layer - 1, tower.layers);
    tower.notLoaded = above * tower.block + tower.postNorm;
    tower.notLoadedSplit = above * tower.blockSplit;
}

void joinByTwoLayers(TowerReader &whole, Tower &tower, std::int64_t features, std::int64_t text)
{
    const bool bias = whole.flag("multimodal_projector_bias", true);
    addLinear(tower, features * tower.width, text, bias, Divided::ByColumns);
    addLinear(tower, text, text, bias, Divided::ByRows);
}

} // namespace

void readClip(TowerReader &part, Tower &tower)
{
    const std::int64_t width = part.count({"hidden_size"}, 768);
    tower.heads = part.count({"num_attention_heads"}, 12);
    tower.patch = part.side("patch_size", 32);
    tower.imageSide = part.side("image_size", 224);
    const std::int64_t rows = tower.imageSide / tower.patch;
    tower.images = ImageRule::Fixed;
    tower.imagePatches = tower.imageTokens = rows * rows;
    const std::int64_t positions = (rows * rows + 1) * width; // one of the class token
    tower.encoder =
        width + positions + layerNorm(width) +
        part.count({"num_channels"}, 3, kMaxTowerMerge) * tower.patch * tower.patch * width;
    tower.split = positions; // a table that tensor parallelism divides, as in siglip.py
    addBlocks(tower, {.width = width, .ffn = part.count({"intermediate_size"}, 3072)},
              part.layers({"num_hidden_layers"}, 12));
    tower.postNorm = layerNorm(width);
    tower.encoder += tower.postNorm;
}

void joinLlava(TowerReader &whole, Tower &tower, std::int64_t text)
{
    leaveOutUpperLayers(whole, tower, -2);
    joinByTwoLayers(whole, tower, whole.listed("vision_feature_layer", 1), text);
}

void joinLlavaNext(TowerReader &whole, Tower &tower, std::int64_t text)
{
    joinLlava(whole, tower, text);
    tower.projector += text;        // image_newline
    tower.images = ImageRule::None; // its tiles are chosen from image_grid_pinpoints
}

void joinVipLlava(TowerReader &whole, Tower &tower, std::int64_t text)
{
    const std::int64_t features = whole.listed("vision_feature_layers", 5);
    tower.projector += layerNorm(features * tower.width);
    joinByTwoLayers(whole, tower, features, text);
}

} // namespace vramscope
