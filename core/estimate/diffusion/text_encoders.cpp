// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
// Text encoders. Parameters follow the classes of transformers; memory of a pass is from
// tests/measure/record_diffusion.py, tensor by tensor at its peak, within 2 %.
#include "core/model/diffusion/component.h"

#include "core/estimate/formulas/ledger.h"
#include "core/model/towers/tower_reader.h"

#include <algorithm>
#include <string>

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

/// Layers of a decoder with grouped attention and a gated feed-forward, without the input and
/// output tables. Keys: "text_config." or none.
void addDecoder(TowerReader &config, DiffusionComponent &it, const std::string &place,
                bool normsQueries)
{
    const auto key = [&](const char *name) { return place + name; };
    const auto count = [&](const char *name, std::int64_t fallback) {
        const std::string path = key(name);
        return config.count({std::string_view(path)}, fallback, 10'000'000);
    };
    it.width = count("hidden_size", 4096);
    it.ffn = count("intermediate_size", 22016);
    it.layers = std::min(count("num_hidden_layers", 32), kMaxTowerLayers);
    it.heads = count("num_attention_heads", 32);
    it.headWidth = count("head_dim", 128);
    it.vocabulary = count("vocab_size", 151936);
    it.kvWidth = count("num_key_value_heads", 8) * it.headWidth;
    const std::int64_t h = it.width;
    const std::int64_t inner = it.heads * it.headWidth;
    it.addLinear(it.layers, h, inner, false);
    it.addLinear(2 * it.layers, h, it.kvWidth, false);
    it.addLinear(it.layers, inner, h, false);
    it.addLinear(2 * it.layers, h, it.ffn, false);
    it.addLinear(it.layers, it.ffn, h, false);
    it.addOthers(2 * it.layers * h + h + (normsQueries ? 2 * it.layers * it.headWidth : 0));
}

/// Input and output tables, which no quantizer takes (transformers quantizers/base.py,
/// get_keys_to_not_convert). Layerwise casting takes the output table.
void addTables(DiffusionComponent &it, bool tied)
{
    it.addOthers(it.vocabulary * it.width, tied);
    it.addOthers(tied ? 0 : it.vocabulary * it.width, true);
}

std::string sizeOf(std::int64_t parameters)
{
    return std::to_string((parameters + 500'000'000) / 1'000'000'000) + 'B';
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

void readClipVision(TowerReader &config, DiffusionComponent &it)
{
    it.width = config.count({"hidden_size"}, 768);
    it.ffn = config.count({"intermediate_size"}, 3072);
    it.layers = config.layers({"num_hidden_layers"}, 12);
    const std::int64_t patch = config.count({"patch_size"}, 32, 1'000);
    const std::int64_t side = config.count({"image_size"}, 224, 10'000) / patch;
    it.seenTokens = side * side + 1;
    it.addOthers((3 * patch * patch + 1 + it.seenTokens) * it.width);
    it.addLinear(4 * it.layers, it.width, it.width);
    it.addLinear(it.layers, it.width, it.ffn);
    it.addLinear(it.layers, it.ffn, it.width);
    it.addOthers((4 * it.layers + 4) * it.width); // norms
    it.title = "CLIP";
}

/// In the last feed-forward, with the outputs of all layers.
PassBytes passOfClipVision(const DiffusionComponent &it, const DiffusionLoad &load)
{
    const Exact tokens = Exact(load.batch) * it.seenTokens;
    return {Exact(2) * tokens * (2 * it.ffn + (it.layers + 3) * it.width),
            fill({"2 T (2 f + (L + 3) h) = 2 × {} × (2 × {} + {} × {})",
                  {tokens.value(), it.ffn, it.layers + 3, it.width}})};
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

void readQwen3(TowerReader &config, DiffusionComponent &it)
{
    addDecoder(config, it, "", true);
    it.addOthers(it.vocabulary * it.width); // the bare model has no output table
    it.title = "Qwen3 " + sizeOf(it.parameters);
}

/// The language model of HunyuanVideo's LLaVA, without its tower and output table.
void readLlama(TowerReader &config, DiffusionComponent &it)
{
    addDecoder(config, it, "", false);
    it.addOthers(it.vocabulary * it.width);
    it.title = "Llama " + sizeOf(it.parameters);
}

void readQwen3Causal(TowerReader &config, DiffusionComponent &it)
{
    addDecoder(config, it, "", true);
    addTables(it, config.flag("tie_word_embeddings", false));
    it.title = "Qwen3 " + sizeOf(it.parameters);
}

/// Language model, projector and Pixtral's vision tower; the pipeline loads all of them.
void readMistral3(TowerReader &config, DiffusionComponent &it)
{
    addDecoder(config, it, "text_config.", false);
    addTables(it, config.flag("text_config.tie_word_embeddings", false));
    const std::int64_t v = config.count({"vision_config.hidden_size"}, 1024);
    const std::int64_t depth = config.layers({"vision_config.num_hidden_layers"}, 24);
    const std::int64_t inner = config.count({"vision_config.intermediate_size"}, 4096);
    const std::int64_t patch = config.count({"vision_config.patch_size"}, 16);
    const std::int64_t merge = config.count({"spatial_merge_size"}, 2, 16);
    it.addOthers(3 * patch * patch * v + v); // patch_conv and ln_pre
    it.addLinear(4 * depth, v, v, false);
    it.addLinear(2 * depth, v, inner, false);
    it.addLinear(depth, inner, v, false);
    it.addOthers(2 * depth * v + v); // norms, with the projector's
    it.addLinear(1, merge * merge * v, v, false);
    it.addLinear(1, v, it.width, false);
    it.addLinear(1, it.width, it.width, false);
    it.title = "Mistral " + sizeOf(it.parameters);
}

/// In the last feed-forward, with the outputs of all layers and keys and values in a cache that
/// nothing reads.
PassBytes passOfQwen3(const DiffusionComponent &it, const DiffusionLoad &load)
{
    const Exact tokens = Exact(load.batch) * load.tokens;
    return {Exact(2) * tokens *
                (3 * it.ffn + (it.layers + 2) * it.width + 2 * it.layers * it.kvWidth),
            fill({"2 T (3 f + (L + 2) h + 2 L k) = 2 × {} × (3 × {} + {} × {} + 2 × {} × {})",
                  {tokens.value(), it.ffn, it.layers + 2, it.width, it.layers, it.kvWidth}})};
}

/// The logits, the outputs of all layers, and three of them once more, joined.
PassBytes passOfThreeLayers(const DiffusionComponent &it, const DiffusionLoad &load)
{
    const Exact tokens = Exact(load.batch) * load.tokens;
    return {Exact(2) * tokens * (it.vocabulary + (it.layers + 4) * it.width),
            fill({"2 T (V + (L + 4) h) = 2 × {} × ({} + {} × {})",
                  {tokens.value(), it.vocabulary, it.layers + 4, it.width}})};
}

} // namespace vramscope
