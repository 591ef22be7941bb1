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
    return {Exact(load.batch) * load.tokensOfImage(), Exact(load.batch) * load.tokens};
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
    const Exact turned = Exact(load.tokensOfImage() + load.tokens) * 8 * it.headWidth;
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
    const Exact turned = Exact(8) * load.tokensOfImage() * it.headWidth;
    constexpr std::int64_t kPositions = 8192; // 4,096 to either side
    const Exact table = Exact(8) * kPositions * (it.headWidth / 2);
    return passOf(
        Exact(2) * it.width * std::max(image, text) + turned + table,
        {"2 h (the larger of 15 T_image + 5 T_text and 8 T_image + 15 T_text) + rotary tables = "
         "2 × {} × … + {}, T_image = {}, T_text = {}",
         {it.width, (turned + table).value(), tokens.image.value(), tokens.text.value()}});
}

namespace {

/// What Wan's transformer has for an image: an embedder with two norms in fp32, and keys and values
/// of it in each layer.
void addSeenImage(DiffusionComponent &it, std::int64_t width, std::int64_t keys)
{
    constexpr std::int64_t kClipPatches = 257; // 16 × 16, and one for all
    const std::int64_t norms = 2 * (width + it.width);
    it.parameters += norms;
    it.wide += norms;
    it.addLinear(1, width, width, true, false);
    it.addLinear(1, width, it.width, true, false);
    it.addLinear(2 * it.layers, keys, it.width);
    it.addOthers(it.layers * it.width); // norm_added_k
    it.seenTokens = kClipPatches;
}

} // namespace

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
    const std::int64_t seen = config.count({"image_dim"}, 0);
    if (seen > 0)
        addSeenImage(it, seen, config.count({"added_kv_proj_dim"}, d));
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
    const Exact text = Exact(2) * it.width * (tokens.text + Exact(2 * load.batch) * it.seenTokens);
    return passOf(Exact(std::max(fed, normed)) * tokens.image + turned + text,
                  {fed >= normed
                       ? "feed-forward {} T_video + rotary tables + 2 h T_text = {} × {} + "
                         "{} + {}"
                       : "norm in fp32 {} T_video + rotary tables + 2 h T_text = {} × {} + "
                         "{} + {}",
                   {std::max(fed, normed), std::max(fed, normed), tokens.image.value(),
                    turned.value(), text.value()}});
}

void readFlux2(TowerReader &config, DiffusionComponent &it)
{
    readHeads(config, it, 48, 128);
    it.layers = config.layers({"num_layers"}, 8);
    it.singleLayers = config.layers({"num_single_layers"}, 48);
    it.channels = config.count({"in_channels"}, 128);
    it.textWidth = config.count({"joint_attention_dim"}, 15360);
    it.guidanceEmbedded = config.flag("guidance_embeds", true);
    const std::int64_t d = it.width;
    it.ffn = config.count({"mlp_ratio"}, 3, 16) * d;
    const std::int64_t times = config.count({"timestep_guidance_channels"}, kTimeChannels);
    const std::int64_t embedders = it.guidanceEmbedded ? 2 : 1;
    it.addLinear(embedders, times, d, false);
    it.addLinear(embedders, d, d, false);
    it.addLinear(2, d, 6 * d, false); // modulations that all blocks of a kind share
    it.addLinear(1, d, 3 * d, false);
    it.addLinear(1, it.channels, d, false);
    it.addLinear(1, it.textWidth, d, false);
    it.addLinear(8 * it.layers, d, d, false);
    it.addLinear(2 * it.layers, d, 2 * it.ffn, false);
    it.addLinear(2 * it.layers, it.ffn, d, false);
    it.addLinear(it.singleLayers, d, 3 * d + 2 * it.ffn, false);
    it.addLinear(it.singleLayers, d + it.ffn, d, false);
    it.addOthers((4 * it.layers + 2 * it.singleLayers) * it.headWidth);
    it.addLinear(1, d, 2 * d, false, false); // norm_out.linear
    const std::int64_t patch = config.count({"patch_size"}, 1, 16);
    it.addLinear(1, d, patch * patch * it.channels, false, false); // proj_out
}

/// In a single block where attention and feed-forward are joined: the projection's 3 D + 2 F, the
/// gated F, the joined D + F, and five tensors of D, with rotary tables in fp32.
PassBytes passOfFlux2(const DiffusionComponent &it, const DiffusionLoad &load)
{
    const Tokens tokens = tokensOf(load);
    const Exact turned = Exact(2 * load.tokensOfImage() + 2 * load.tokens) * 8 * it.headWidth;
    const Exact text = Exact(2) * it.width * tokens.text;
    return passOf(Exact(2) * tokens.all() * (9 * it.width + 4 * it.ffn) + turned + text,
                  {"2 (9 h + 4 f) (T_image + T_text) + 2 h T_text + rotary tables = 2 × (9 × {} + "
                   "4 × {}) × ({} + {}) + {} + {}",
                   {it.width, it.ffn, tokens.image.value(), tokens.text.value(), text.value(),
                    turned.value()}});
}

void readZImage(TowerReader &config, DiffusionComponent &it)
{
    it.width = config.count({"dim"}, 3840);
    it.heads = config.count({"n_heads"}, 30, 1'000);
    it.headWidth = it.width / it.heads;
    it.layers = config.layers({"n_layers"}, 30);
    it.refiners = config.layers({"n_refiner_layers"}, 2);
    it.channels = config.count({"in_channels"}, 16);
    it.textWidth = config.count({"cap_feat_dim"}, 2560);
    const std::int64_t d = it.width;
    it.ffn = d * 8 / 3;
    constexpr std::int64_t kModulated = 256; // width of the time embedding
    constexpr std::int64_t kTimeWidth = 1024;
    constexpr std::int64_t kCell = 4; // patch of 2 × 2
    const std::int64_t blocks = it.layers + 2 * it.refiners;
    it.addLinear(4 * blocks, d, d, false);
    it.addLinear(2 * blocks, d, it.ffn, false);
    it.addLinear(blocks, it.ffn, d, false);
    it.addLinear(it.layers + it.refiners, kModulated, 4 * d); // those of the text have none
    it.addOthers(blocks * (4 * d + (config.flag("qk_norm", true) ? 2 * it.headWidth : 0)));
    it.addLinear(1, kCell * it.channels, d);
    it.addLinear(1, d, kCell * it.channels);
    it.addLinear(1, kModulated, d);
    it.addLinear(1, kTimeChannels, kTimeWidth, true, false);
    it.addLinear(1, kTimeWidth, kModulated, true, false);
    it.addLinear(1, it.textWidth, d, true, false);
    it.addOthers(it.textWidth + 2 * d); // a norm, and what pads image and text
}

/// In the feed-forward: its 4 F and five tensors of D a token, of image and text that are each
/// padded to 32 tokens, and the complex rotary tables of both, once joined.
PassBytes passOfZImage(const DiffusionComponent &it, const DiffusionLoad &load)
{
    constexpr std::int64_t kPadding = 32;
    const auto padded = [](std::int64_t tokens) {
        return (tokens + kPadding - 1) / kPadding * kPadding;
    };
    const Exact tokens = Exact(load.batch) * (padded(load.tokensOfImage()) + padded(load.tokens));
    const Exact turned = Exact(8) * it.headWidth * tokens;
    return passOf(Exact(2) * tokens * (4 * it.ffn + 5 * it.width) + turned,
                  {"2 (4 f + 5 h) T + rotary tables = 2 × (4 × {} + 5 × {}) × {} + {}",
                   {it.ffn, it.width, tokens.value(), turned.value()}});
}

void readCogVideoX(TowerReader &config, DiffusionComponent &it)
{
    readHeads(config, it, 30, 64);
    it.layers = config.layers({"num_layers"}, 30);
    it.channels = config.count({"in_channels"}, 16);
    it.textWidth = config.count({"text_embed_dim"}, 4096);
    it.turns = config.flag("use_rotary_positional_embeddings", false);
    const std::int64_t d = it.width;
    const std::int64_t times = config.count({"time_embed_dim"}, 512);
    constexpr std::int64_t kCell = 4; // patch of 2 × 2
    it.addOthers(kCell * it.channels * d + d);
    it.addLinear(1, it.textWidth, d, true, false);
    it.addLinear(1, d, times);
    it.addLinear(1, times, times);
    it.addLinear(2 * it.layers, times, 6 * d, true, false); // norm1.linear, norm2.linear
    it.addLinear(4 * it.layers, d, d);
    addFeedForward(it, it.layers);
    it.addOthers(it.layers * (4 * d + 4 * it.headWidth) + 4 * d); // norms with biases
    it.addLinear(1, times, 2 * d, true, false);
    it.addLinear(1, d, kCell * config.count({"out_channels"}, 16), true, false);
    const std::int64_t frames = (config.count({"sample_frames"}, 49, 1'000) - 1) / 4 + 1;
    const std::int64_t places = frames * config.count({"sample_height"}, 60, 1'000) *
                                config.count({"sample_width"}, 90, 1'000) / kCell;
    it.sinusoids = it.turns ? 0 : d * (places + config.count({"max_text_seq_length"}, 226));
}

/// While queries turn, in fp32; or without turning in the feed-forward.
PassBytes passOfCogVideoX(const DiffusionComponent &it, const DiffusionLoad &load)
{
    const Tokens tokens = tokensOf(load);
    if (it.turns) {
        const Exact turned = Exact(8) * it.headWidth * load.tokensOfImage();
        return passOf(Exact(2) * it.width * (Exact(6) * tokens.all() + Exact(7) * tokens.image) +
                          turned,
                      {"2 h (13 T_video + 6 T_text) + rotary tables = 2 × {} × (13 × {} + 6 × {}) "
                       "+ {}",
                       {it.width, tokens.image.value(), tokens.text.value(), turned.value()}});
    }
    return passOf(Exact(2) * it.width * (Exact(12) * tokens.image + Exact(13) * tokens.text),
                  {"2 h (12 T_video + 13 T_text) = 2 × {} × (12 × {} + 13 × {})",
                   {it.width, tokens.image.value(), tokens.text.value()}});
}

void readLtx(TowerReader &config, DiffusionComponent &it)
{
    readHeads(config, it, 32, 64);
    it.layers = config.layers({"num_layers"}, 28);
    it.channels = config.count({"in_channels"}, 128);
    it.textWidth = config.count({"caption_channels"}, 4096);
    it.cell = 1;
    const std::int64_t d = it.width;
    const std::int64_t keys = config.count({"cross_attention_dim"}, 2048);
    it.addLinear(1, it.channels, d, true, false); // proj_in
    addEmbedder(it, kTimeChannels);
    it.addLinear(1, d, 6 * d); // time_embed.linear
    addEmbedder(it, it.textWidth);
    it.addLinear(6 * it.layers, d, d);
    it.addLinear(2 * it.layers, keys, d);
    addFeedForward(it, it.layers);
    it.addOthers(it.layers * 10 * d + 2 * d); // norms of queries and keys, and modulations
    it.addLinear(1, d, config.count({"out_channels"}, 128), true, false);
}

/// While queries turn: five tensors of D a token in fp32, with cosines and sines of all heads, and
/// six in 16 bit.
PassBytes passOfLtx(const DiffusionComponent &it, const DiffusionLoad &load)
{
    const Tokens tokens = tokensOf(load);
    const Exact text = Exact(2) * it.width * tokens.text;
    return passOf(Exact(32) * it.width * tokens.image + text,
                  {"32 h T_video + 2 h T_text = 32 × {} × {} + {}",
                   {it.width, tokens.image.value(), text.value()}});
}

namespace {

/// What refines the text of Hunyuan's transformers: an embedder of time and text, and blocks of
/// attention and feed-forward that layerwise casting skips.
void addRefiner(TowerReader &config, DiffusionComponent &it)
{
    const std::int64_t d = it.width;
    const std::int64_t blocks = config.layers({"num_refiner_layers"}, 2);
    it.addLinear(1, kTimeChannels, d, true, false);
    it.addLinear(2, it.textWidth, d, true, false); // of the embedder, and proj_in
    it.addLinear(2 + 4 * blocks, d, d, true, false);
    it.addLinear(blocks, d, 4 * d, true, false);
    it.addLinear(blocks, 4 * d, d, true, false);
    it.addLinear(blocks, d, 2 * d, true, false); // norm_out.linear
    it.addOthers(4 * blocks * d);
}

/// Blocks of both streams and of both joined, as FLUX.1 has them.
void addJoinedBlocks(DiffusionComponent &it)
{
    const std::int64_t d = it.width;
    it.addLinear(2 * it.layers, d, 6 * d, true, false);
    it.addLinear(8 * it.layers, d, d);
    it.addOthers(4 * it.layers * it.headWidth);
    addFeedForward(it, 2 * it.layers);
    it.addLinear(it.singleLayers, d, 3 * d, true, false);
    it.addLinear(3 * it.singleLayers, d, d);
    it.addOthers(2 * it.singleLayers * it.headWidth);
    it.addLinear(it.singleLayers, d, 4 * d);
    it.addLinear(it.singleLayers, 5 * d, d);
    it.addLinear(1, d, 2 * d, true, false); // norm_out.linear
}

} // namespace

void readHunyuanVideo(TowerReader &config, DiffusionComponent &it)
{
    readHeads(config, it, 24, 128);
    it.layers = config.layers({"num_layers"}, 20);
    it.singleLayers = config.layers({"num_single_layers"}, 40);
    it.channels = config.count({"in_channels"}, 16);
    it.textWidth = config.count({"text_embed_dim"}, 4096);
    it.guidanceEmbedded = config.flag("guidance_embeds", true);
    constexpr std::int64_t kCell = 4;                        // patch_size 1 × 2 × 2
    it.addOthers(kCell * it.channels * it.width + it.width); // x_embedder
    addRefiner(config, it);
    addEmbedder(it, kTimeChannels);
    if (it.guidanceEmbedded)
        addEmbedder(it, kTimeChannels);
    addEmbedder(it, config.count({"pooled_projection_dim"}, 768));
    addJoinedBlocks(it);
    it.addLinear(1, it.width, kCell * config.count({"out_channels"}, 16), true, false);
}

/// In a single block while its keys turn: the feed-forward's output 4 D, six tensors of D of all
/// tokens; of the video three in fp32 and two in 16 bit.
PassBytes passOfHunyuanVideo(const DiffusionComponent &it, const DiffusionLoad &load)
{
    const Tokens tokens = tokensOf(load);
    const Exact turned = Exact(12) * it.headWidth * load.tokensOfImage();
    return passOf(Exact(it.width) * (Exact(20) * tokens.all() + Exact(16) * tokens.image) + turned,
                  {"h (36 T_video + 20 T_text) + rotary tables = {} × (36 × {} + 20 × {}) + {}",
                   {it.width, tokens.image.value(), tokens.text.value(), turned.value()}});
}

void readHunyuanImage(TowerReader &config, DiffusionComponent &it)
{
    readHeads(config, it, 28, 128);
    it.layers = config.layers({"num_layers"}, 20);
    it.singleLayers = config.layers({"num_single_layers"}, 40);
    it.channels = config.count({"in_channels"}, 64);
    it.textWidth = config.count({"text_embed_dim"}, 3584);
    it.guidanceEmbedded = config.flag("guidance_embeds", false);
    it.cell = 1;
    const std::int64_t d = it.width;
    it.addOthers(it.channels * d + d); // x_embedder
    addRefiner(config, it);
    const std::int64_t glyphs = config.count({"text_embed_2_dim"}, 0);
    constexpr std::int64_t kGlyphWidth = 2048; // inside context_embedder_2
    if (glyphs > 0) {
        it.addOthers(2 * glyphs);
        it.addLinear(1, glyphs, kGlyphWidth, true, false);
        it.addLinear(1, kGlyphWidth, kGlyphWidth, true, false);
        it.addLinear(1, kGlyphWidth, d, true, false);
    }
    addEmbedder(it, kTimeChannels);
    if (it.guidanceEmbedded)
        addEmbedder(it, kTimeChannels);
    addJoinedBlocks(it);
    it.addLinear(1, d, config.count({"out_channels"}, 64), true, false);
}

/// In a single block, with a tensor of the text: where attention and feed-forward are joined, 5
/// D, the feed-forward's 4 D and six tensors of D; or, with more image, while keys turn.
PassBytes passOfHunyuanImage(const DiffusionComponent &it, const DiffusionLoad &load)
{
    const Tokens tokens = tokensOf(load);
    const Exact turned = Exact(8) * it.headWidth * load.tokensOfImage();
    const Exact joined = Exact(32) * tokens.all();
    const Exact turning = Exact(36) * tokens.image + Exact(22) * tokens.text;
    return passOf(Exact(it.width) * std::max(joined, turning) + turned,
                  {"h (the larger of 32 T_image + 32 T_text and 36 T_image + 22 T_text) + rotary "
                   "tables = {} × … + {}, T_image = {}, T_text = {}",
                   {it.width, turned.value(), tokens.image.value(), tokens.text.value()}});
}

} // namespace vramscope
