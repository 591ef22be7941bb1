// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
// llama4_vision_model: tiles of one size, each with a class token, pixels shuffled 2 × 2.
#include "core/model/towers/families.h"
#include "core/model/towers/tower_layers.h"

namespace vramscope {

void readLlama4Vision(TowerReader &part, Tower &tower)
{
    const std::int64_t width = part.count({"hidden_size"}, 768);
    tower.heads = part.count({"num_attention_heads"}, 16);
    tower.patch = part.side("patch_size", 14);
    tower.imageSide = part.side("image_size", 448);
    tower.merge = part.inverse("pixel_shuffle_ratio", 0.5);
    const std::int64_t rows = tower.imageSide / tower.patch;
    tower.images = ImageRule::Tiles;
    tower.scalesUp = true;
    tower.maxTiles = 16; // Llama4ImageProcessor: max_patches
    tower.imagePatches = rows * rows;
    tower.imageTokens = tower.imagePatches / (tower.merge * tower.merge);
    tower.pixelValues = part.count({"num_channels"}, 3, kMaxTowerMerge) * tower.patch * tower.patch;
    const std::int64_t patch = tower.pixelValues * width;
    tower.encoder = width + (rows * rows + 1) * width + patch + 2 * layerNorm(width);
    tower.split = patch;
    const std::int64_t ffn = part.count({"intermediate_size"}, 5632);
    addBlocks(tower, {.width = width, .ffn = ffn}, part.layers({"num_hidden_layers"}, 34));
    // Queries and keys are rotated as complex fp32 numbers.
    setEncoding(tower, {.aroundAttention = 3, .attention = 13, .aroundFeedForward = 4});
    // Llama4VisionMLP2: its input is intermediate_size wide, which four shuffled patches are.
    const std::int64_t inner = part.count({"projector_input_dim"}, 4096);
    addLinear(tower, ffn, inner, false, Divided::ByColumns);
    addLinear(tower, inner, part.count({"projector_output_dim"}, 4096), false, Divided::ByRows);
    tower.output = part.count({"vision_output_dim"}, 7680);
}

void joinLlama4(TowerReader & /*whole*/, Tower &tower, std::int64_t text)
{
    addLinear(tower, tower.output, text, false, Divided::ByColumns);
}

} // namespace vramscope
