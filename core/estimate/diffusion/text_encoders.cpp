// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
// Text encoders. Parameters follow the classes of transformers; memory of a pass is from
// tests/measure/record_diffusion.py, tensor by tensor at its peak, within 2 %.
#include "core/model/diffusion/component.h"

#include "core/estimate/formulas/ledger.h"
#include "core/model/towers/tower_reader.h"

#include <algorithm>

namespace vramscope {

namespace {

void readT5Stack(TowerReader &config, DiffusionComponent &it, bool biasOfEachLayer)
{
    it.width = config.count({"d_model"}, 512);
    it.ffn = config.count({"d_ff"}, 2048);
    it.heads = config.count({"num_heads"}, 8, 1'000);
    it.headWidth = config.count({"d_kv"}, 64, 1'000);
    it.layers = config.layers({"num_layers"}, 6);
    it.vocabulary = config.count({"vocab_size"}, 32128, 10'000'000);
    const std::int64_t inner = it.heads * it.headWidth;
    const bool gated = config.text("feed_forward_proj").starts_with("gated");
    it.addOthers(it.vocabulary * it.width);
    it.addLinear(3 * it.layers, it.width, inner, false);
    it.addLinear(it.layers, inner, it.width, false);
    it.addLinear((gated ? 2 : 1) * it.layers, it.width, it.ffn, false);
    it.addLinear(it.layers, it.ffn, it.width, false);
    // _keep_in_fp32_modules names "wo", which a quantizer obeys in bf16 too (transformers
    // modeling_utils.py, use_keep_in_fp32_modules of quantizer_bnb_4bit.py).
    it.unquantised = it.layers * it.ffn * it.width;
    it.addOthers(2 * it.layers * it.width + it.width); // norms
    it.addOthers((biasOfEachLayer ? it.layers : 1) *
                 config.count({"relative_attention_num_buckets"}, 32, 10'000) * it.heads);
}

void readClip(TowerReader &config, DiffusionComponent &it)
{
    it.width = config.count({"hidden_size"}, 512);
    it.ffn = config.count({"intermediate_size"}, 2048);
    it.layers = config.layers({"num_hidden_layers"}, 12);
    it.vocabulary = config.count({"vocab_size"}, 49408, 10'000'000);
    const std::string activation = config.text("hidden_act");
    it.quickGelu = activation.empty() || activation == "quick_gelu";
    it.addOthers((it.vocabulary + config.count({"max_position_embeddings"}, 77, 1'000'000)) *
                 it.width);
    it.addLinear(4 * it.layers, it.width, it.width);
    it.addLinear(it.layers, it.width, it.ffn);
    it.addLinear(it.layers, it.ffn, it.width);
    it.addOthers((4 * it.layers + 2) * it.width); // norms
    it.title = it.width == 768 ? "CLIP-L" : it.width == 1280 ? "CLIP-bigG" : "CLIP";
}

/// CLIP pads to its 77 positions, whatever the prompt.
constexpr std::int64_t kClipTokens = 77;

PassBytes passOfClip(const DiffusionComponent &it, const DiffusionLoad &load, std::int64_t kept)
{
    const Exact tokens = Exact(load.batch) * kClipTokens;
    const std::int64_t fed = it.quickGelu ? 3 : 2;
    return {Exact(2) * tokens * (fed * it.ffn + kept * it.width),
            fill({"2 T ({} f + {} h) = 2 × {} × ({} × {} + {} × {})",
                  {fed, kept, tokens.value(), fed, it.ffn, kept, it.width}})};
}

} // namespace

void readT5(TowerReader &config, DiffusionComponent &it)
{
    readT5Stack(config, it, false);
    it.title = it.width == 4096 ? "T5-XXL" : "T5";
}

void readUmt5(TowerReader &config, DiffusionComponent &it)
{
    readT5Stack(config, it, true);
    it.title = it.width == 4096 ? "UMT5-XXL" : "UMT5";
}

/// In attention two copies of the position bias and seven tensors of h a token; or in the
/// feed-forward one of the bias and four tensors each of F and h.
PassBytes passOfT5(const DiffusionComponent &it, const DiffusionLoad &load)
{
    const Exact tokens = Exact(load.batch) * load.tokens;
    const Exact bias = Exact(2) * it.heads * load.tokens * load.tokens;
    const Exact attends = Exact(2) * bias + Exact(14) * tokens * it.width;
    const Exact feeds = bias + Exact(8) * tokens * (it.ffn + it.width);
    return {std::max(attends, feeds),
            fill({"the larger of 4 a s² + 14 h T and 2 a s² + 8 (f + h) T, a = {}, s = {}, h = {}, "
                  "f = {}, T = {}",
                  {it.heads, load.tokens, it.width, it.ffn, tokens.value()}})};
}

/// A position bias of each layer, with the mask added a prompt at a time.
PassBytes passOfUmt5(const DiffusionComponent &it, const DiffusionLoad &load)
{
    const Exact tokens = Exact(load.batch) * load.tokens;
    const Exact bias = Exact(2) * it.heads * load.tokens * load.tokens;
    const Exact attends = bias * (1 + 2 * load.batch) + Exact(12) * tokens * it.width;
    return {
        attends + tokens * load.tokens,
        fill({"2 a s² (1 + 2 b) + 12 h T + s T = 2 × {} × {}² × (1 + 2 × {}) + 12 × {} × {} + …",
              {it.heads, load.tokens, load.batch, it.width, tokens.value()}})};
}

void readClipText(TowerReader &config, DiffusionComponent &it)
{
    readClip(config, it);
}

void readClipTextProjection(TowerReader &config, DiffusionComponent &it)
{
    readClip(config, it);
    it.addLinear(1, it.width, config.count({"projection_dim"}, 512), false);
}

PassBytes passOfClipText(const DiffusionComponent &it, const DiffusionLoad &load)
{
    return passOfClip(it, load, 4);
}

/// The outputs of all layers are kept; the pipeline uses one.
PassBytes passOfClipTextProjection(const DiffusionComponent &it, const DiffusionLoad &load)
{
    return passOfClip(it, load, it.layers + 2);
}

/// Language model and vision tower; the pipeline loads both whole.
void readQwen25Vl(TowerReader &config, DiffusionComponent &it)
{
    it.title = "Qwen2.5-VL";
    it.width = config.count({"hidden_size"}, 3584);
    it.ffn = config.count({"intermediate_size"}, 18944);
    it.layers = config.layers({"num_hidden_layers"}, 28);
    it.heads = config.count({"num_attention_heads"}, 28, 1'000);
    it.vocabulary = config.count({"vocab_size"}, 152064, 10'000'000);
    const std::int64_t kv = config.count({"num_key_value_heads"}, 4, 1'000) * (it.width / it.heads);
    const std::int64_t h = it.width;
    it.addOthers(it.vocabulary * h + h);
    if (!config.flag("tie_word_embeddings", false))
        it.addLinear(1, h, it.vocabulary, false);
    it.addLinear(it.layers, h, h);
    it.addLinear(2 * it.layers, h, kv);
    it.addLinear(it.layers, h, h, false);
    it.addLinear(2 * it.layers, h, it.ffn, false);
    it.addLinear(it.layers, it.ffn, h, false);
    it.addOthers(2 * it.layers * h);
    const std::int64_t v = config.count({"vision_config.hidden_size"}, 3584);
    const std::int64_t depth = config.layers({"vision_config.depth"}, 32);
    const std::int64_t inner = config.count({"vision_config.intermediate_size"}, 3420);
    const std::int64_t patch = config.count({"vision_config.patch_size"}, 14);
    const std::int64_t merge = config.count({"vision_config.spatial_merge_size"}, 2, 16);
    const std::int64_t merged = v * merge * merge;
    it.addOthers(3 * config.count({"vision_config.temporal_patch_size"}, 2, 16) * patch * patch *
                 v);
    it.addLinear(depth, v, 3 * v);
    it.addLinear(depth, v, v);
    it.addLinear(2 * depth, v, inner);
    it.addLinear(depth, inner, v);
    it.addOthers(2 * depth * v + v); // norms, with that before the merger
    it.addLinear(1, merged, merged);
    it.addLinear(1, merged, config.count({"vision_config.out_hidden_size"}, 3584));
}

/// The whole model runs, with its logits and the outputs of all layers.
PassBytes passOfQwen25Vl(const DiffusionComponent &it, const DiffusionLoad &load)
{
    const Exact tokens = Exact(load.batch) * load.tokens;
    return {Exact(2) * tokens * (it.vocabulary + (it.layers + 9) * it.width),
            fill({"2 T (V + (L + 9) h) = 2 × {} × ({} + {} × {})",
                  {tokens.value(), it.vocabulary, it.layers + 9, it.width}})};
}

} // namespace vramscope
