// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
// Diffusion transformers. Parameters follow the classes of diffusers; memory of a pass is from
// tests/measure/record_diffusion.py, tensor by tensor at its peak, within 2 %.
#include "core/model/diffusion/component.h"

#include "core/estimate/formulas/ledger.h"
#include "core/model/towers/tower_reader.h"

#include <algorithm>

namespace vramscope {

namespace {

constexpr std::int64_t kTimeChannels = 256; // sinusoids, in every family

/// lin(i, D) + lin(D, D), as TimestepEmbedding and PixArtAlphaTextProjection.
void addEmbedder(DiffusionComponent &it, std::int64_t inputs)
{
    it.addLinear(1, inputs, it.width);
    it.addLinear(1, it.width, it.width);
}

/// Feed-forward of four times the width.
void addFeedForward(DiffusionComponent &it, std::int64_t count)
{
    it.addLinear(count, it.width, 4 * it.width);
    it.addLinear(count, 4 * it.width, it.width);
}

void readHeads(TowerReader &config, DiffusionComponent &it, std::int64_t heads,
               std::int64_t headWidth)
{
    it.heads = config.count({"num_attention_heads"}, heads, 1'000);
    it.headWidth = config.count({"attention_head_dim"}, headWidth, 1'000);
    it.width = it.heads * it.headWidth;
}

/// Tokens of image and text, and of the image alone, in the whole batch.
struct Tokens
{
    Exact image, text;
    [[nodiscard]] Exact all() const { return image + text; }
};

Tokens tokensOf(const DiffusionLoad &load)
{
    return {Exact(load.batch) * (load.latents() / 4), Exact(load.batch) * load.tokens};
}

PassBytes passOf(Exact bytes, const FormulaText &text)
{
    return {bytes, fill(text)};
}

} // namespace

void readFlux(TowerReader &config, DiffusionComponent &it)
{
    readHeads(config, it, 24, 128);
    it.layers = config.layers({"num_layers"}, 19);
    it.singleLayers = config.layers({"num_single_layers"}, 38);
    it.channels = config.count({"in_channels"}, 64);
    it.textWidth = config.count({"joint_attention_dim"}, 4096);
    it.guidanceEmbedded = config.flag("guidance_embeds", false);
    const std::int64_t d = it.width;
    const std::int64_t patch = config.count({"patch_size"}, 1, 16);
    addEmbedder(it, kTimeChannels);
    if (it.guidanceEmbedded)
        addEmbedder(it, kTimeChannels);
    addEmbedder(it, config.count({"pooled_projection_dim"}, 768));
    it.addLinear(1, it.textWidth, d);
    it.addLinear(1, it.channels, d);
    it.addLinear(2 * it.layers, d, 6 * d, true, false); // norm1.linear, norm1_context.linear
    it.addLinear(8 * it.layers, d, d);
    it.addOthers(4 * it.layers * it.headWidth);
    addFeedForward(it, 2 * it.layers);
    it.addLinear(it.singleLayers, d, 3 * d, true, false); // norm.linear
    it.addLinear(it.singleLayers, d, 4 * d);
    it.addLinear(it.singleLayers, 5 * d, d);
    it.addLinear(3 * it.singleLayers, d, d);
    it.addOthers(2 * it.singleLayers * it.headWidth);
    it.addLinear(1, d, 2 * d, true, false);                       // norm_out.linear
    it.addLinear(1, d, patch * patch * it.channels, true, false); // proj_out
}

/// In a single block while its keys are rotated: the feed-forward's output 4 D, three fp32 tensors
/// of the keys, and seven of D a token in 16 bit, with cosines and sines in fp32.
PassBytes passOfFlux(const DiffusionComponent &it, const DiffusionLoad &load)
{
    const Tokens tokens = tokensOf(load);
    const Exact turned = Exact(load.latents() / 4 + load.tokens) * 8 * it.headWidth;
    return passOf(Exact(34) * tokens.all() * it.width + turned,
                  {"17 × 2 h (T_image + T_text) + rotary tables = 34 × {} × ({} + {}) + {}",
                   {it.width, tokens.image.value(), tokens.text.value(), turned.value()}});
}

void readSd3(TowerReader &config, DiffusionComponent &it)
{
    readHeads(config, it, 18, 64);
    it.layers = config.layers({"num_layers"}, 18);
    it.channels = config.count({"in_channels"}, 16);
    it.textWidth = config.count({"joint_attention_dim"}, 4096);
    it.dualLayers = config.listed("dual_attention_layers", 0);
    const std::int64_t d = it.width;
    const std::int64_t patch = config.count({"patch_size"}, 2, 16);
    const std::int64_t side = config.count({"pos_embed_max_size"}, 96, 10'000);
    const bool norms = !config.text("qk_norm").empty();
    it.addOthers(patch * patch * it.channels * d + d); // pos_embed.proj
    it.tables = side * side * d;
    addEmbedder(it, kTimeChannels);
    addEmbedder(it, config.count({"pooled_projection_dim"}, 2048));
    it.addLinear(1, it.textWidth, config.count({"caption_projection_dim"}, 1152));
    it.addLinear(it.layers - it.dualLayers, d, 6 * d, true, false);
    it.addLinear(it.dualLayers, d, 9 * d, true, false);
    it.addLinear(it.layers - 1, d, 6 * d, true, false); // for the text
    it.addLinear(1, d, 2 * d, true, false);
    it.addLinear(8 * it.layers - 1 + 4 * it.dualLayers, d, d); // the last text has no output
    addFeedForward(it, 2 * it.layers - 1);
    it.normsQueries = norms;
    if (norms)
        it.addOthers((4 * it.layers + 2 * it.dualLayers) * it.headWidth);
    it.addLinear(1, d, 2 * d, true, false);
    it.addLinear(1, d, patch * patch * config.count({"out_channels"}, 16), true, false);
}

/// In the image's feed-forward: its 8 D and four tensors of the image (six, and no joint one, where
/// the image attends twice), the joint attention's output, two or three tensors of the text. With
/// more text than image, in the text's.
PassBytes passOfSd3(const DiffusionComponent &it, const DiffusionLoad &load)
{
    const Tokens tokens = tokensOf(load);
    const std::int64_t dual = it.dualLayers > 0 ? 1 : 0;
    const Exact image = Exact(13 + dual) * tokens.image + Exact(3) * tokens.text;
    const Exact text = Exact(4 + dual) * tokens.image + Exact(13) * tokens.text;
    return passOf(
        Exact(2) * it.width * std::max(image, text),
        {"2 h (the larger of {} T_image + 3 T_text and {} T_image + 13 T_text) = 2 × {} × "
         "…, T_image = {}, T_text = {}",
         {13 + dual, 4 + dual, it.width, tokens.image.value(), tokens.text.value()}});
}

void readQwenImage(TowerReader &config, DiffusionComponent &it)
{
    readHeads(config, it, 24, 128);
    it.layers = config.layers({"num_layers"}, 60);
    it.channels = config.count({"in_channels"}, 64);
    it.textWidth = config.count({"joint_attention_dim"}, 3584);
    const std::int64_t d = it.width;
    const std::int64_t patch = config.count({"patch_size"}, 2, 16);
    addEmbedder(it, kTimeChannels);
    it.addOthers(it.textWidth); // txt_norm
    it.addLinear(1, it.channels, d);
    it.addLinear(1, it.textWidth, d);
    it.addLinear(2 * it.layers, d, 6 * d);
    it.addLinear(8 * it.layers, d, d);
    it.addOthers(4 * it.layers * it.headWidth);
    addFeedForward(it, 2 * it.layers);
    it.addLinear(1, d, 2 * d, true, false);
    it.addLinear(1, d, patch * patch * config.count({"out_channels"}, 16), true, false);
}

/// In a feed-forward: its 8 D and seven tensors of the image with five of the text, or the reverse
/// with more text. Complex rotary tables of 8 bytes twice, and those of all positions.
PassBytes passOfQwenImage(const DiffusionComponent &it, const DiffusionLoad &load)
{
    const Tokens tokens = tokensOf(load);
    const Exact image = Exact(15) * tokens.image + Exact(5) * tokens.text;
    const Exact text = Exact(8) * tokens.image + Exact(15) * tokens.text;
    const Exact turned = Exact(8) * (load.latents() / 4) * it.headWidth;
    constexpr std::int64_t kPositions = 8192; // 4,096 to either side
    const Exact table = Exact(8) * kPositions * (it.headWidth / 2);
    return passOf(
        Exact(2) * it.width * std::max(image, text) + turned + table,
        {"2 h (the larger of 15 T_image + 5 T_text and 8 T_image + 15 T_text) + rotary tables = "
         "2 × {} × … + {}, T_image = {}, T_text = {}",
         {it.width, (turned + table).value(), tokens.image.value(), tokens.text.value()}});
}

void readWan(TowerReader &config, DiffusionComponent &it)
{
    readHeads(config, it, 40, 128);
    it.layers = config.layers({"num_layers"}, 40);
    it.channels = config.count({"in_channels"}, 16);
    it.textWidth = config.count({"text_dim"}, 4096);
    it.ffn = config.count({"ffn_dim"}, 13824);
    const std::int64_t d = it.width;
    const std::int64_t frequencies = config.count({"freq_dim"}, 256);
    const std::int64_t cell = 4;              // patch_size 1 × 2 × 2
    it.addOthers(cell * it.channels * d + d); // patch_embedding
    it.keepWide(1, frequencies, d);           // time_embedder
    it.keepWide(1, d, d);
    it.addLinear(1, d, 6 * d, true, false); // condition_embedder
    it.addLinear(1, it.textWidth, d, true, false);
    it.addLinear(1, d, d, true, false);
    it.addLinear(8 * it.layers, d, d);
    it.addOthers(4 * it.layers * d); // norms of queries and keys, across heads
    it.addLinear(it.layers, d, it.ffn);
    it.addLinear(it.layers, it.ffn, d);
    const bool crossNorm = config.flag("cross_attn_norm", true);
    const std::int64_t inFp32 = it.layers * ((crossNorm ? 2 * d : 0) + 6 * d) + 2 * d;
    it.parameters += inFp32; // norm2 and scale_shift_table
    it.wide += inFp32;
    it.addLinear(1, d, cell * config.count({"out_channels"}, it.channels), true, false);
}

/// In the feed-forward or in a norm in fp32, whichever is larger. Where each token has its own time
/// step, its six modulations exist in 16 bit and in fp32.
PassBytes passOfWan(const DiffusionComponent &it, const DiffusionLoad &load)
{
    const Tokens tokens = tokensOf(load);
    const std::int64_t modulation = load.stepsPerToken ? 36 * it.width : 0;
    const std::int64_t fed = modulation + 4 * it.ffn + (load.stepsPerToken ? 10 : 8) * it.width;
    const std::int64_t normed = modulation + 22 * it.width;
    const Exact turned = Exact(load.latents() / 4) * 8 * it.headWidth;
    const Exact text = Exact(2) * it.width * tokens.text;
    return passOf(Exact(std::max(fed, normed)) * tokens.image + turned + text,
                  {fed >= normed
                       ? "feed-forward {} T_video + rotary tables + 2 h T_text = {} × {} + "
                         "{} + {}"
                       : "norm in fp32 {} T_video + rotary tables + 2 h T_text = {} × {} + "
                         "{} + {}",
                   {std::max(fed, normed), std::max(fed, normed), tokens.image.value(),
                    turned.value(), text.value()}});
}

} // namespace vramscope
