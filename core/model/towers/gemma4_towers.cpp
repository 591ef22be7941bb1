// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
// gemma4_vision and gemma4_audio. vLLM runs Transformers' own classes, so every rank has the whole
// towers (gemma4_mm.py).
#include "core/model/towers/families.h"
#include "core/model/towers/tower_layers.h"

namespace vramscope {

void readGemma4Vision(TowerReader &part, Tower &tower)
{
    const std::int64_t width = part.count({"hidden_size"}, 768);
    const std::int64_t headDim = part.count({"head_dim"}, 64, kMaxTowerLayers);
    tower.heads = part.count({"num_attention_heads"}, 12, kMaxTowerLayers);
    tower.patch = part.side("patch_size", 16);
    tower.merge = part.count({"pooling_kernel_size"}, 3, kMaxTowerMerge);
    tower.images = ImageRule::Fixed;
    tower.imageTokens = part.count({"default_output_length"}, 280);
    tower.imagePatches = tower.imageTokens * tower.merge * tower.merge;
    // Two tables of positions, one an axis.
    tower.encoder = 3 * tower.patch * tower.patch * width +
                    2 * part.count({"position_embedding_size"}, 10240) * width;
    addBlocks(tower,
              {.width = width,
               .query = tower.heads * headDim,
               .keyValue = part.count({"num_key_value_heads"}, 12, kMaxTowerLayers) * headDim,
               .ffn = part.count({"intermediate_size"}, 3072),
               .gated = true,
               .qkvBias = false,
               .outBias = false,
               .ffnBias = false,
               .layerNorms = false,
               .norms = 4,
               .extra = 2 * headDim},
              part.layers({"num_hidden_layers"}, 16));
    tower.split = tower.blockSplit = 0;
    tower.output = width;
}

/// A conformer: half a feed-forward before and after attention and a convolution.
void readGemma4Audio(TowerReader &part, Tower &tower)
{
    const std::int64_t width = part.count({"hidden_size"}, 1024);
    tower.heads = part.count({"num_attention_heads"}, 8);
    const std::int64_t first = part.element("subsampling_conv_channels", 0, 128);
    const std::int64_t second = part.element("subsampling_conv_channels", 1, 32);
    constexpr std::int64_t kMelsLeft = 32; // 128, halved twice
    tower.encoder = 9 * first + first + 9 * first * second + second + second * kMelsLeft * width;
    const std::int64_t feedForward = 8 * width * width + 2 * width;
    const std::int64_t attention = 5 * width * width + width / tower.heads; // with relative keys
    const std::int64_t convolution =
        3 * width * width + part.count({"conv_kernel_size"}, 5) * width + 2 * width;
    tower.layers = part.layers({"num_hidden_layers"}, 12);
    tower.width = width;
    tower.ffn = 4 * width;
    tower.block = 2 * feedForward + attention + convolution + 3 * width;
    tower.encoder += tower.layers * tower.block;
    tower.output = part.count({"output_proj_dims"}, 1536);
    tower.encoder += linear(width, tower.output);
}

void joinGemma4(TowerReader & /*whole*/, Tower &tower, std::int64_t text)
{
    addLinear(tower, tower.output, text, false);
}

} // namespace vramscope
