// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/model/config_blocks.h"

#include "core/base/counted.h"
#include "core/base/json_text.h"
#include "core/base/text.h"
#include "core/model/config_lists.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>

namespace vramscope {

namespace {

/// The layers that slide, by the words of layer_types, which may continue with those of prediction
/// modules; fails at other words.
std::vector<bool> slidingByWords(ConfigReader &config, const Architecture &it)
{
    std::vector<bool> sliding(static_cast<std::size_t>(it.layers), false);
    const TextList *words = listAt(config, "layer_types");
    const std::int64_t predicting = config.count({"num_nextn_predict_layers"}, 0, kMaxLayers, 0);
    const std::int64_t listed = words ? std::ssize(*words) : 0;
    if (!words || (listed != it.layers && listed != it.layers + predicting)) {
        config.fail("layer_types", "must be a list with one word for each of the " +
                                       counted(it.layers, "layer") + ".");
        return sliding;
    }
    for (std::size_t layer = 0; layer < sliding.size(); ++layer) {
        const std::string &word = (*words)[layer];
        sliding[layer] = word == "sliding_attention";
        if (!sliding[layer] && word != "full_attention")
            config.fail("layer_types", "holds \"" + excerpt(word, 40) +
                                           "\"; known are sliding_attention and full_attention.");
    }
    return sliding;
}

void takeShape(const AttentionShape &shape, Architecture &it)
{
    it.heads = shape.heads;
    it.kvHeads = shape.kvHeads;
    it.headDim = shape.headDim;
    it.vHeadDim = shape.valueHeadDim;
    it.attentionSinks = shape.sinks;
}

/// Layers with one shape for those that slide and another for the others.
void takeShapes(ConfigReader &config, const std::vector<bool> &sliding, const AttentionShape &slide,
                const AttentionShape &full, Architecture &it)
{
    const std::vector<bool> experts = expertLayers(config, it);
    const bool anySlides = std::ranges::find(sliding, true) != sliding.end();
    takeShape(anySlides ? slide : full, it);
    it.slidingWindow = anySlides ? it.slidingWindow : 0;
    if (anySlides)
        it.slidingLayers = sliding;
    if (!anySlides || slide == full)
        return takeExperts(experts, it);
    it.fullAttention = full;
    it.denseLayers = std::ranges::find(experts, true) - experts.begin();
    for (std::size_t layer = 0; layer < std::min(sliding.size(), experts.size()); ++layer)
        it.blocks.push_back({sliding[layer] ? TokenMixer::Attention : TokenMixer::FullAttention,
                             experts[layer] ? FeedForward::Experts : FeedForward::Dense});
}

/// Keys wider than values; layers that slide have other heads for keys, and sinks. Published
/// configs state it (hybrid_layer_pattern, swa_*); transformers' class knows that they have twice
/// as many: models/mimo_v2_flash/modeling_mimo_v2_flash.py.
void readMimo(ConfigReader &config, Architecture &it)
{
    AttentionShape full = it.attentionOf({});
    full.valueHeadDim = config.count({"v_head_dim"}, 1, kMaxHeads, full.headDim);
    full.sinks = config.flag("add_full_attention_sink_bias", false);
    AttentionShape slide = full;
    slide.heads = config.count({"swa_num_attention_heads"}, 1, kMaxHeads, full.heads);
    slide.kvHeads = config.count({"swa_num_key_value_heads"}, 1, kMaxHeads, 2 * full.kvHeads);
    slide.headDim = config.count({"swa_head_dim"}, 1, kMaxHeads, full.headDim);
    slide.valueHeadDim = config.count({"swa_v_head_dim"}, 1, kMaxHeads, full.valueHeadDim);
    slide.sinks = config.flag("add_swa_attention_sink_bias", true);
    it.slidingWindow = config.count({"sliding_window"}, 1, kMaxPositions, 128);
    std::vector<bool> sliding;
    if (const TextList *pattern = listAt(config, "hybrid_layer_pattern")) {
        for (const std::string &one : *pattern)
            sliding.push_back(one == "1");
        if (std::ssize(sliding) != it.layers)
            config.fail("hybrid_layer_pattern", "must have one number a layer.");
    } else {
        sliding = slidingByWords(config, it);
    }
    takeShapes(config, sliding, slide, full, it);
}

/// Heads of the layers that slide, by lists or maps that name each layer's; fails where they are
/// not one number for all that slide and another for all others.
std::int64_t headsOfSliding(ConfigReader &config, std::string_view key, const Architecture &it,
                            const std::vector<bool> &sliding,
                            const std::vector<std::int64_t> &heads)
{
    std::int64_t slides = it.heads;
    bool found = false;
    for (std::size_t layer = 0; layer < std::min(sliding.size(), heads.size()); ++layer) {
        if (sliding[layer] && !found)
            slides = heads[layer];
        found |= sliding[layer];
        if (heads[layer] != (sliding[layer] ? slides : it.heads))
            config.fail(key, "is not computed where layers of one kind differ.");
    }
    return slides;
}

/// per_layer_config.N.num_attention_heads, as transformers 5 writes it.
std::vector<std::int64_t> headsOfEach(ConfigReader &config, const Architecture &it)
{
    std::vector<std::int64_t> heads(static_cast<std::size_t>(it.layers), it.heads);
    for (const FlatValue *stated : config.matching("per_layer_config.*")) {
        std::string_view path = stated->path;
        path.remove_prefix(path.starts_with(config.part()) ? config.part().size() : 0);
        const std::size_t first = path.find('.') + 1;
        const std::size_t dot = path.rfind('.');
        std::size_t layer = heads.size();
        std::from_chars(path.data() + first, path.data() + dot, layer);
        const auto *value = std::get_if<std::int64_t>(&stated->value);
        if (path.substr(dot + 1) != "num_attention_heads" || layer >= heads.size() || !value ||
            *value < 1 || *value > kMaxHeads) {
            config.failAt(stated->path, "is not computed: known are num_attention_heads of a "
                                        "layer.");
            return heads;
        }
        heads[layer] = *value;
    }
    return heads;
}

/// The layers with experts, in one text: "3,4,5".
void takeEnumerated(ConfigReader &config, Architecture &it)
{
    const std::string text = config.text("moe_layers_enum");
    if (text.empty())
        return;
    std::int64_t first = it.layers;
    std::int64_t count = 0;
    const char *at = text.data();
    const char *const end = at + text.size();
    while (at < end) {
        std::int64_t layer = -1;
        const auto [next, error] = std::from_chars(at, end, layer);
        if (error != std::errc() || layer < 0 || layer >= it.layers)
            return config.fail("moe_layers_enum", "must be numbers of layers, with commas.");
        first = std::min(first, layer);
        ++count;
        at = next < end ? next + 1 : next;
    }
    if (first + count != it.layers)
        return config.fail("moe_layers_enum", "is not computed unless all layers after the first "
                                              "dense ones have experts.");
    it.denseLayers = first;
}

/// Step 3.5: layers that slide have more heads; each head has a gate.
/// transformers models/step3p7/modeling_step3p7.py, Step3p5Attention.
void readStep(ConfigReader &config, Architecture &it)
{
    if (!config.has("num_key_value_heads"))
        it.kvHeads = config.count({"num_attention_groups"}, 1, kMaxHeads, 8);
    if (!config.flag("use_head_wise_attn_gate", true))
        it.attentionGate = AttentionGate::None;
    it.slidingWindow = config.count({"sliding_window"}, 1, kMaxPositions, 512);
    takeEnumerated(config, it);
    const std::vector<bool> sliding = slidingByWords(config, it);
    const AttentionShape full = it.attentionOf({});
    AttentionShape slide = full;
    if (config.has("attention_other_setting.num_attention_heads")) {
        slide.heads = config.required({"attention_other_setting.num_attention_heads"}, kMaxHeads);
        slide.kvHeads = config.count({"attention_other_setting.num_attention_groups"}, 1, kMaxHeads,
                                     full.kvHeads);
        slide.headDim =
            config.count({"attention_other_setting.head_dim"}, 1, kMaxHeads, full.headDim);
    } else {
        slide.heads =
            headsOfSliding(config, "per_layer_config", it, sliding, headsOfEach(config, it));
    }
    takeShapes(config, sliding, slide, full, it);
}

/// Laguna: heads of each layer in a list, a gate a head or a channel.
/// transformers models/laguna/modeling_laguna.py.
void readLaguna(ConfigReader &config, Architecture &it)
{
    const FieldValue *gating = config.find("gating");
    const auto *word = gating ? std::get_if<std::string>(gating) : nullptr;
    const auto *set = gating ? std::get_if<bool>(gating) : nullptr;
    const bool perHead = !gating || (word && *word == "per-head") || (set && *set);
    if (word && *word != "per-head" && *word != "per-element")
        config.fail("gating", "is \"" + excerpt(*word, 40) + "\", which is not known.");
    it.attentionGate = perHead ? AttentionGate::PerHead : AttentionGate::Separate;
    it.slidingWindow = config.count({"sliding_window"}, 1, kMaxPositions, 512);
    std::vector<bool> sliding(static_cast<std::size_t>(it.layers), false);
    if (config.find("layer_types"))
        sliding = slidingByWords(config, it);
    std::vector<std::int64_t> heads;
    if (const TextList *list = listAt(config, "num_attention_heads_per_layer")) {
        for (const std::string &text : *list) {
            std::int64_t count = 0;
            std::from_chars(text.data(), text.data() + text.size(), count);
            heads.push_back(count);
        }
        if (std::ssize(heads) != it.layers ||
            std::ranges::any_of(heads, [](std::int64_t n) { return n < 1 || n > kMaxHeads; }))
            return config.fail("num_attention_heads_per_layer",
                               "must have the number of heads of each of the " +
                                   counted(it.layers, "layer") + ".");
        const auto full = std::ranges::find(sliding, false);
        if (full != sliding.end())
            it.heads = heads[static_cast<std::size_t>(full - sliding.begin())];
    }
    const AttentionShape full = it.attentionOf({});
    AttentionShape slide = full;
    slide.heads = headsOfSliding(config, "num_attention_heads_per_layer", it, sliding, heads);
    takeShapes(config, sliding, slide, full, it);
}

/// The width of a feed-forward, as Nemotron-NAS rounds it: modeling_decilm.py,
/// _ffn_mult_to_intermediate_size().
std::int64_t nasWidth(double multiple, std::int64_t hidden)
{
    constexpr std::int64_t kStep = 256;
    const auto width = static_cast<std::int64_t>(2 * multiple * static_cast<double>(hidden) / 3);
    return (width + kStep - 1) / kStep * kStep;
}

/// Each layer has its own feed-forward, and attention or none: block_configs.
void readNas(ConfigReader &config, Architecture &it)
{
    const TextList *blocks = listAt(config, "block_configs");
    if (!blocks || std::ssize(*blocks) != it.layers)
        return config.fail("block_configs",
                           "must describe each of the " + counted(it.layers, "layer") + ".");
    it.ffnWidths.clear();
    std::int64_t groups = 0;
    for (const std::string &text : *blocks) {
        const auto json = parsedJson(text);
        const auto part = [&json](const char *name) {
            return json.is_object() && json.contains(name) && json[name].is_object()
                       ? json[name]
                       : nlohmann::ordered_json::object();
        };
        const auto attention = part("attention");
        const auto feedForward = part("ffn");
        const auto number = [](const nlohmann::ordered_json &of, const char *key) {
            return of.contains(key) && of[key].is_number() ? of[key].get<double>() : 0.0;
        };
        const auto is = [](const nlohmann::ordered_json &of, const char *key) {
            return of.contains(key) && of[key].is_boolean() && of[key].get<bool>();
        };
        if (is(attention, "replace_with_linear") || is(feedForward, "replace_with_linear"))
            return config.fail("block_configs", "puts a linear layer in place of a part, which is "
                                                "not computed.");
        BlockKind kind{TokenMixer::None, FeedForward::None};
        if (!is(attention, "no_op")) {
            const auto shared = static_cast<std::int64_t>(number(attention, "n_heads_in_group"));
            if (shared < 1 || it.heads % shared != 0 || (groups > 0 && groups != shared))
                return config.fail("block_configs", "gives layers different groups of heads, which "
                                                    "is not computed.");
            groups = shared;
            kind.mixer = TokenMixer::Attention;
        }
        if (!is(feedForward, "no_op")) {
            const double multiple = number(feedForward, "ffn_mult");
            if (!(multiple > 0 && multiple < 1000))
                return config.fail("block_configs", "has a layer without ffn_mult.");
            const std::int64_t width = nasWidth(multiple, it.hidden);
            auto found = std::ranges::find(it.ffnWidths, width);
            if (found == it.ffnWidths.end())
                found = it.ffnWidths.insert(found, width);
            if (it.ffnWidths.size() > 250)
                return config.fail("block_configs", "has too many widths.");
            kind.feedForward = FeedForward::Dense;
            kind.width = static_cast<std::uint8_t>(1 + (found - it.ffnWidths.begin()));
        }
        it.blocks.push_back(kind);
    }
    if (it.ffnWidths.empty() || groups == 0)
        return config.fail("block_configs", "has no layer with attention and feed-forward.");
    it.kvHeads = it.heads / groups;
    it.ffn = std::ranges::max(it.ffnWidths);
}

constexpr std::array<std::string_view, 3> kMimoKeys = {"hybrid_layer_pattern", "swa_*",
                                                       "add_swa_attention_sink_bias"};
constexpr std::array<std::string_view, 3> kStepKeys = {
    "attention_other_setting*", "per_layer_config*", "use_head_wise_attn_gate"};
constexpr std::array<std::string_view, 1> kLagunaKeys = {"num_attention_heads_per_layer"};
constexpr std::array<std::string_view, 1> kNasKeys = {"block_configs"};

constexpr std::array kShapedReaders = {
    BlockReader{"laguna", kLagunaKeys, true, true, readLaguna},
    BlockReader{"mimo_v2_flash", kMimoKeys, true, true, readMimo},
    BlockReader{"nemotron-nas", kNasKeys, true, false, readNas},
    BlockReader{"step3p5", kStepKeys, true, true, readStep},
};

} // namespace

std::span<const BlockReader> shapedBlockReaders()
{
    return kShapedReaders;
}

} // namespace vramscope
