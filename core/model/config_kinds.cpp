// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/model/config_kinds.h"

#include "core/base/text.h"

#include <algorithm>
#include <array>

namespace vramscope {

namespace {

/// A key of model classes with other kinds of layers.
struct OtherKind
{
    std::string_view key; ///< one that ends with '*' means all with that prefix
    std::string_view what;
    std::string_view neutral = {}; ///< a value without effect, as are 0, false and none
};

constexpr std::string_view kLinear = "layers of linear attention";
constexpr std::string_view kStateSpace = "state-space layers";
constexpr std::string_view kConvolution = "short convolutions in place of attention";
constexpr std::string_view kSparse = "an index that chooses what the attention reads";
constexpr std::string_view kUnequal = "layers of different shapes";
constexpr std::string_view kOwnInputs = "inputs or embeddings of each layer's own";
constexpr std::string_view kNarrowExperts = "experts of another width than the model";
constexpr std::string_view kGate = "a gate on what the attention gives";

constexpr OtherKind kOtherKinds[] = {
    {"full_attention_interval", kLinear, "1"},
    {"linear_*", kLinear},
    {"layer_group_size", kLinear, "1"},
    {"attn_type_list", kLinear, "1"},
    {"mamba_*", kStateSpace},
    {"ssm_*", kStateSpace},
    {"state_size", kStateSpace},
    {"time_step_rank", kStateSpace},
    {"hybrid_override_pattern", kStateSpace},
    {"layers_block_type", kStateSpace, "attention"},
    {"attn_layer_indices", kStateSpace},
    {"attn_layer_period", kStateSpace, "1"},
    {"conv_L_cache", kConvolution},
    {"full_attn_idxs", kConvolution},
    {"index_n_heads", kSparse},
    {"sparse_attention_config*", kSparse},
    {"compress_ratios", kSparse, "0"},
    {"o_lora_rank", "an output of the attention of low rank"},
    {"hybrid_layer_pattern", kUnequal, "0"},
    {"block_configs", kUnequal},
    {"num_attention_heads_per_layer", kUnequal},
    {"attention_other_setting*", kUnequal},
    {"swa_num_attention_heads", kUnequal},
    {"num_global_key_value_heads", kUnequal},
    {"global_head_dim", kUnequal},
    {"per_layer_config*", kUnequal},
    {"cross_attention_layers", "layers that attend to another part of the model"},
    {"hidden_size_per_layer_input", kOwnInputs},
    {"laurel_rank", kOwnInputs},
    {"altup_*", kOwnInputs},
    {"num_kv_shared_layers", "layers that share their keys and values"},
    {"moe_latent_size", kNarrowExperts},
    {"routed_expert_hidden_size", kNarrowExperts},
    {"attn_res_block_size", "residuals over blocks of layers"},
    {"hc_mult", "several residual streams", "1"},
    {"attn_output_gate", kGate},
    {"use_head_wise_attn_gate", kGate},
};

constexpr std::array<std::string_view, 3> kLayerWords = {"full_attention", "sliding_attention",
                                                         "chunked_attention"};
constexpr std::array<std::string_view, 3> kActivationKeys = {"hidden_act", "hidden_activation",
                                                             "activation_function"};
constexpr std::array<std::string_view, 6> kGatedActivations = {"silu",  "swi",        "gelu",
                                                               "geglu", "quick_gelu", "situ"};

void refuseLayerWords(ConfigReader &config)
{
    const FieldValue *value = config.find("layer_types");
    const auto *words = value ? std::get_if<TextList>(value) : nullptr;
    if (!words)
        return;
    const auto other = std::ranges::find_if(*words, [](const std::string &word) {
        return std::ranges::find(kLayerWords, word) == kLayerWords.end();
    });
    if (other != words->end())
        config.fail("layer_types", "holds \"" + excerpt(*other, 40) +
                                       "\"; known are sliding_attention, chunked_attention and "
                                       "full_attention.");
}

/// A period of layers that no known class has means unknown layers.
void refuseIntervals(ConfigReader &config)
{
    constexpr std::array<std::string_view, 3> kKnown = {
        "full_attention_interval", "moe_layer_interval", "no_rope_layer_interval"};
    for (const FlatValue *stated : config.matching("*")) {
        std::string_view key = stated->path;
        if (key.starts_with(config.part()))
            key.remove_prefix(config.part().size());
        const bool ofThisPart = key.find('.') == key.npos;
        if (ofThisPart && key.ends_with("_interval") && !isOneOf(key, kKnown) &&
            !saysNothing(stated->value, "1"))
            config.failAt(stated->path, "stands for layers of a kind that is not known: this is "
                                        "not computed.");
    }
}

/// A class decides whether its feed-forward is gated; an activation of the other kind shows that
/// the class is a different one.
void refuseActivation(ConfigReader &config, bool gated)
{
    for (const std::string_view key : kActivationKeys) {
        const FieldValue *value = config.find(key);
        const auto *name = value ? std::get_if<std::string>(value) : nullptr;
        if (!name)
            continue;
        const bool known = std::ranges::any_of(
            kGatedActivations, [name](std::string_view word) { return name->starts_with(word); });
        const bool alwaysGated = name->starts_with("swiglu") || name->starts_with("geglu");
        if (gated && !known && *name != "relu")
            config.fail(key, "is \"" + excerpt(*name, 40) +
                                 "\", which is not known to go with a gated feed-forward; state "
                                 "model.gated_mlp beside the config.");
        if (!gated && alwaysGated)
            config.fail(key, "is \"" + excerpt(*name, 40) +
                                 "\", but this model type is taken to have no gated feed-forward; "
                                 "state model.gated_mlp beside the config.");
    }
}

/// A list of heads with one value for all layers adds nothing.
std::string_view neutralOf(const ConfigReader &config, const OtherKind &kind, std::string &heads)
{
    if (kind.key != "num_attention_heads_per_layer")
        return kind.neutral;
    const FieldValue *stated = config.find("num_attention_heads");
    const auto *count = stated ? std::get_if<std::int64_t>(stated) : nullptr;
    heads = count ? std::to_string(*count) : std::string();
    return heads;
}

/// Whether the type's own reader knows a key, of the part or of the whole config.
bool isRead(const BlockReader *reader, const ConfigReader &config, std::string_view path)
{
    if (!reader)
        return false;
    if (path.starts_with(config.part()))
        path.remove_prefix(config.part().size());
    return std::ranges::any_of(reader->keys, [path](std::string_view key) {
        return key.ends_with('*') ? path.starts_with(key.substr(0, key.size() - 1)) : path == key;
    });
}

} // namespace

bool saysNothing(const FieldValue &value, std::string_view neutral)
{
    if (const auto *set = std::get_if<bool>(&value))
        return !*set;
    if (const auto *whole = std::get_if<std::int64_t>(&value))
        return *whole == 0 || std::to_string(*whole) == neutral;
    if (const auto *number = std::get_if<double>(&value))
        return *number == 0;
    if (const auto *text = std::get_if<std::string>(&value))
        return text->empty() || *text == neutral;
    if (const auto *list = std::get_if<TextList>(&value))
        return std::ranges::all_of(*list, [neutral](const std::string &one) {
            return !neutral.empty() && one == neutral;
        });
    return true;
}

void refuseOtherKinds(ConfigReader &config, const ModelType &type, bool gatedIsStated,
                      const BlockReader *reader)
{
    for (const OtherKind &kind : kOtherKinds) {
        std::string heads;
        const std::string_view neutral = neutralOf(config, kind, heads);
        for (const FlatValue *stated : config.matching(kind.key)) {
            if (!saysNothing(stated->value, neutral) && !isRead(reader, config, stated->path))
                config.failAt(stated->path, "stands for " + std::string(kind.what) +
                                                ": this is not computed. For a rough figure "
                                                "describe a transformer of its width and state "
                                                "its count as model.parameters_override.");
        }
    }
    refuseIntervals(config);
    if (!reader)
        refuseLayerWords(config);
    if (!gatedIsStated)
        refuseActivation(config, type.architecture.gatedMlp);
}

} // namespace vramscope
