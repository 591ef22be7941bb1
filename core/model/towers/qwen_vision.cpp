// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
// qwen2_vl, qwen2_5_vl, qwen3_vl, qwen3_5, exaone4_5: native resolution, patches of two frames, a
// merger of 2 × 2 patches that is part of the tower.
#include "core/model/towers/families.h"
#include "core/model/towers/tower_layers.h"

namespace vramscope {

namespace {

/// Two linear layers over merge × merge patches, column and row parallel.
void addMerger(Tower &tower, std::int64_t norm)
{
    const std::int64_t merged = tower.merge * tower.merge * tower.width;
    tower.projector += norm;
    addLinear(tower, merged, merged, true, Divided::ByColumns);
    addLinear(tower, merged, tower.output, true, Divided::ByRows);
    tower.joinKept += 4 * merged;       // before and after its activation function
    tower.features += 4 * tower.output; // for an image, and for all images together
}

/// The norm before the merger, by patch; the blocks count its input where it is a LayerNorm's.
void addMergerNorm(Tower &tower, std::int64_t patchBytes)
{
    tower.joinKept += tower.merge * tower.merge * patchBytes;
}

std::int64_t framePatch(TowerReader &part, const Tower &tower)
{
    return part.count({"in_channels"}, 3, kMaxTowerMerge) *
           part.side("temporal_patch_size", 2, kMaxTowerMerge) * tower.patch * tower.patch;
}

/// Cosines and sines in fp32 rotate queries and keys.
void readSteps(TowerReader &part, Tower &tower, std::int64_t width)
{
    tower.isTrainingKnown = true;
    tower.pixelValues = framePatch(part, tower);
    tower.tablesKept = 8 * (width / tower.heads);
}

void readGrid(TowerReader &part, Tower &tower, std::int64_t patch)
{
    tower.patch = part.side("patch_size", patch, kMaxTowerSide);
    tower.merge = part.count({"spatial_merge_size"}, 2, kMaxTowerMerge);
    tower.heads = part.count({"num_heads"}, 16);
    tower.images = ImageRule::Grid;
    // Qwen2VLImageProcessor: min_pixels, max_pixels. Qwen3-VL's preprocessor_config.json:
    // shortest_edge, longest_edge.
    tower.minPixels = patch == 14 ? 3'136 : 65'536;
    tower.maxPixels = patch == 14 ? 12'845'056 : 16'777'216;
}

/// RMSNorm and a gated feed-forward, with biases.
void readGated(TowerReader &part, Tower &tower, std::int64_t keyValueHeads)
{
    readGrid(part, tower, 14);
    tower.output = part.count({"out_hidden_size"}, 3584);
    const std::int64_t width = part.count({"hidden_size"}, 3584);
    const std::int64_t keys =
        keyValueHeads == 0
            ? width
            : part.count({"num_key_value_heads"}, keyValueHeads) * (width / tower.heads);
    tower.encoder = framePatch(part, tower) * width;
    addBlocks(tower,
              {.width = width,
               .keyValue = keys,
               .ffn = part.count({"intermediate_size"}, 3420),
               .gated = true,
               .layerNorms = false,
               .rotates = true},
              part.layers({"depth"}, 32));
    addMerger(tower, width);
    addMergerNorm(tower, 8 * width + 4);
}

void readPlain(TowerReader &part, Tower &tower, std::int64_t deepstack)
{
    readGrid(part, tower, 16);
    tower.output = part.count({"out_hidden_size"}, 3584);
    tower.deepstack = deepstack;
    const std::int64_t width = part.count({"hidden_size"}, 1152);
    tower.encoder = linear(framePatch(part, tower), width) +
                    part.count({"num_position_embeddings"}, 2304) * width;
    addBlocks(tower,
              {.width = width, .ffn = part.count({"intermediate_size"}, 4304), .rotates = true},
              part.layers({"depth"}, 27));
    addMerger(tower, layerNorm(width));
    addMergerNorm(tower, 4 * width + 8);
    readSteps(part, tower, width);
    setEncoding(tower, {.aroundAttention = 4, .attention = 8, .aroundFeedForward = 4});
    tower.encoding.tables = 2 * (width / tower.heads);
    // The mergers of deepstack norm merged patches.
    for (std::int64_t i = 0; i < deepstack; ++i) {
        addMerger(tower, layerNorm(tower.merge * tower.merge * width));
        addMergerNorm(tower, 2 * width); // its input is a block's output, which the next one keeps
    }
}

} // namespace

void readQwen2Vision(TowerReader &part, Tower &tower)
{
    readGrid(part, tower, 14);
    tower.output = part.count({"hidden_size"}, 3584);
    const std::int64_t width = part.count({"embed_dim"}, 1280);
    tower.encoder = framePatch(part, tower) * width;
    addBlocks(tower,
              {.width = width,
               .ffn = part.count({"mlp_ratio"}, 4, kMaxTowerMerge) * width,
               .rotates = true,
               .quickGelu = part.text("hidden_act") != "gelu"},
              part.layers({"depth"}, 32));
    addMerger(tower, layerNorm(width));
    addMergerNorm(tower, 4 * width + 8);
    readSteps(part, tower, width);
    tower.videos = VideoRule::FramePairs;
    setEncoding(tower, {.aroundAttention = 3,
                        .attention = 8,
                        .aroundFeedForward = 3,
                        .inner = 3, // QuickGELU's sigmoid is a tensor of its own
                        .exchanged = 3});
    tower.encoding.tables = 2 * (width / tower.heads);
}

void readQwen25Vision(TowerReader &part, Tower &tower)
{
    readGated(part, tower, 0);
    readSteps(part, tower, tower.width);
    tower.videos = VideoRule::FramePairs;
    setEncoding(tower, {.aroundAttention = 3,
                        .attention = 8,
                        .aroundFeedForward = 5,
                        .inner = 3, // gate, up, and their product
                        .norm = 9});
    tower.encoding.tables = 4 * (tower.width / tower.heads); // for images, and for all together
}

void readExaoneVision(TowerReader &part, Tower &tower)
{
    readGated(part, tower, 8);
}

void readQwen3Vision(TowerReader &part, Tower &tower)
{
    readPlain(part, tower, part.listed("deepstack_visual_indexes", 3));
}

void readQwen35Vision(TowerReader &part, Tower &tower)
{
    readPlain(part, tower, 0); // its class reads no deepstack_visual_indexes
}

} // namespace vramscope
