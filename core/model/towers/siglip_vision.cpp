// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
// siglip_vision_model and idefics3_vision (the same without a pooling head), and their projectors:
// gemma3, paligemma, aya_vision, cohere2_vision, idefics3.
#include "core/model/towers/families.h"
#include "core/model/towers/tower_layers.h"

namespace vramscope {

namespace {

struct SiglipDefaults
{
    std::int64_t width;
    std::int64_t ffn;
    std::int64_t heads;
    std::int64_t patch;
};

/// A patch embedding with bias, learned positions, LayerNorm everywhere.
void readSiglipLike(TowerReader &part, Tower &tower, const SiglipDefaults &defaults)
{
    const std::int64_t width = part.count({"hidden_size"}, defaults.width);
    tower.heads = part.count({"num_attention_heads"}, defaults.heads);
    tower.patch = part.side("patch_size", defaults.patch);
    tower.imageSide = part.side("image_size", 224);
    const std::int64_t rows = tower.imageSide / tower.patch;
    tower.imagePatches = rows * rows;
    tower.images = ImageRule::Fixed;
    tower.pixelValues = part.count({"num_channels"}, 3, kMaxTowerMerge) * tower.patch * tower.patch;
    tower.encoder = linear(tower.pixelValues, width) + rows * rows * width;
    addBlocks(tower, {.width = width, .ffn = part.count({"intermediate_size"}, defaults.ffn)},
              part.layers({"num_hidden_layers"}, 12));
    tower.postNorm = layerNorm(width);
    tower.encoder += tower.postNorm;
}

/// Patches of downsample_factor × downsample_factor side by side.
std::int64_t shuffled(TowerReader &whole, Tower &tower)
{
    tower.merge = whole.count({"downsample_factor"}, 2, kMaxTowerMerge);
    tower.imageTokens = tower.imagePatches / (tower.merge * tower.merge);
    return tower.merge * tower.merge * tower.width;
}

} // namespace

void readSiglip(TowerReader &part, Tower &tower)
{
    readSiglipLike(part, tower, {768, 3072, 12, 16});
    tower.imageTokens = tower.imagePatches;
    // siglip.py keeps positions in a table that tensor parallelism divides.
    tower.split += tower.imagePatches * tower.width;
    if (!part.flag("vision_use_head", true))
        return;
    const std::int64_t width = tower.width; // SiglipMultiheadAttentionPoolingHead
    tower.encoder += width + 4 * linear(width, width) + layerNorm(width) +
                     linear(width, tower.ffn) + linear(tower.ffn, width);
}

void readIdeficsVision(TowerReader &part, Tower &tower)
{
    readSiglipLike(part, tower, {1152, 3072, 16, 32});
}

void joinGemma3(TowerReader &whole, Tower &tower, std::int64_t text)
{
    tower.imageTokens = whole.count({"mm_tokens_per_image"}, 256);
    tower.projector += tower.width; // the RMSNorm before
    setEncoding(tower, {.aroundAttention = 4, .attention = 4, .aroundFeedForward = 4});
    tower.projector += tower.width * text; // a plain parameter, which is not quantised
}

void joinPaliGemma(TowerReader &whole, Tower &tower, std::int64_t /*text*/)
{
    addLinear(tower, tower.width, whole.count({"projection_dim"}, 2048), true);
}

void joinAya(TowerReader &whole, Tower &tower, std::int64_t text)
{
    const std::int64_t merged = shuffled(whole, tower);
    const std::int64_t inner = whole.count({"alignment_intermediate_size"}, text);
    tower.projector += layerNorm(merged);
    addLinear(tower, merged, inner, true);
    addLinear(tower, inner / 2, text, true); // SwiGLU halves it
}

void joinCohere2(TowerReader &whole, Tower &tower, std::int64_t text)
{
    const std::int64_t merged = shuffled(whole, tower);
    const std::int64_t inner = whole.count({"alignment_intermediate_size"}, 36864);
    addLinear(tower, merged, inner, true, Divided::ByColumns);
    addLinear(tower, inner / 2, text, true, Divided::ByRows);
}

void joinIdefics3(TowerReader &whole, Tower &tower, std::int64_t text)
{
    tower.merge = whole.count({"scale_factor"}, 2, kMaxTowerMerge);
    const std::int64_t cell = tower.merge * tower.merge;
    tower.imageTokens = tower.imagePatches / cell;
    tower.images = ImageRule::None; // the cuts of an image are in the processor's config
    addLinear(tower, cell * tower.width, text, false);
}

} // namespace vramscope
