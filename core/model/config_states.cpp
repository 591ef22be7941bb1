// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/model/config_blocks.h"

#include "core/base/counted.h"
#include "core/model/config_lists.h"

#include <algorithm>
#include <array>

namespace vramscope {

namespace {

/// Whether the class chooses a size.
bool isAutomatic(const ConfigReader &config, std::string_view key)
{
    const FieldValue *value = config.find(key);
    const auto *text = value ? std::get_if<std::string>(value) : nullptr;
    return !value || (text && *text == "auto");
}

std::int64_t bytesOfType(ConfigReader &config, std::string_view key, std::int64_t otherwise)
{
    const std::string type = config.text(key);
    if (type == "float32")
        return 4;
    return type.empty() || type == "auto" ? otherwise : 2;
}

/// Mamba 2 under the keys that begin with "mamba_".
StateMixer readMamba2(ConfigReader &config, const Architecture &it)
{
    StateMixer m;
    m.kind = StateKind::Mamba2;
    m.heads = config.required({"mamba_n_heads"}, kMaxHeads, 128);
    const std::int64_t expanded = config.count({"mamba_expand"}, 1, kMaxHeads, 2) * it.hidden;
    m.inner = config.count({"mamba_d_ssm"}, 1, kMaxFfn, expanded);
    const bool automatic = isAutomatic(config, "mamba_d_head");
    m.headDim = automatic ? m.inner / m.heads : config.required({"mamba_d_head"}, kMaxWidth);
    if (m.headDim * m.heads != m.inner)
        config.fail("mamba_d_head", "times mamba_n_heads must be " + std::to_string(m.inner) +
                                        ", the width inside the layer.");
    m.groups = config.required({"mamba_n_groups"}, kMaxHeads, 1);
    m.stateDim = config.required({"mamba_d_state"}, kMaxWidth, 256);
    m.convWidth = config.required({"mamba_d_conv"}, kMaxHeads, 4);
    m.chunk = config.required({"mamba_chunk_size"}, kMaxWidth, 256);
    m.convBias = config.flag("mamba_conv_bias", true);
    m.bias = m.outBias = config.flag("mamba_proj_bias", false);
    m.norm = true;
    return m;
}

void readBamba(ConfigReader &config, Architecture &it)
{
    it.state = readMamba2(config, it);
    it.partialRotary = true;
    takeAttending(marked(config, "attn_layer_indices", it.layers), it);
}

void readFalconH1(ConfigReader &config, Architecture &it)
{
    it.state = readMamba2(config, it);
    it.state.norm = config.flag("mamba_rms_norm", false);
    it.state.scaled = true;
    it.state.outBias = config.flag("projectors_bias", false);
    it.blocks.assign(static_cast<std::size_t>(it.layers),
                     {TokenMixer::Parallel, FeedForward::Dense});
}

/// Granite 4: every layer has the shared feed-forward; with experts it runs next to them.
void readGraniteHybrid(ConfigReader &config, Architecture &it)
{
    it.sharedFfn = config.required({"shared_intermediate_size"}, kMaxFfn, 1024);
    it.fusedGateUp = true;
    if (it.moe())
        it.sharedExperts = 1;
    else
        it.ffn = it.sharedFfn;
    if (listAt(config, "layer_types"))
        readWords(config, "layer_types", it, mixerOfWord);
    else if (listAt(config, "layers_block_type"))
        readWords(config, "layers_block_type", it, mixerOfWord);
    else
        config.fail("layer_types", "is missing: it says which layers attend.");
    if (std::ranges::any_of(it.blocks, &BlockKind::keepsState))
        it.state = readMamba2(config, it);
    giveExperts(it, [&it](std::int64_t) { return it.moe(); });
    if (std::ranges::none_of(it.blocks, &BlockKind::keepsState) &&
        (!it.moe() || it.denseLayers == 0))
        it.blocks.clear(); // a transformer after all
}

void readJamba(ConfigReader &config, Architecture &it)
{
    it.state = readMamba1(config, it);
    it.state.norm = true;
    const std::int64_t period = config.required({"attn_layer_period"}, kMaxLayers, 8);
    const std::int64_t offset = config.count({"attn_layer_offset"}, 0, kMaxLayers, 4);
    const std::int64_t expertPeriod = config.required({"expert_layer_period"}, kMaxLayers, 2);
    const std::int64_t expertOffset = config.count({"expert_layer_offset"}, 0, kMaxLayers, 1);
    for (std::int64_t layer = 0; layer < it.layers; ++layer)
        it.blocks.push_back(layer % period == offset ? kAttentionBlock : kStateBlock);
    giveExperts(it, [&](std::int64_t layer) {
        return it.experts > 1 && layer % expertPeriod == expertOffset;
    });
}

/// LFM2's feed-forward has this width, not the config's: transformers models/lfm2/modeling_lfm2.py,
/// Lfm2MLP.
void adjustWidth(ConfigReader &config, Architecture &it)
{
    it.ffn = config.count({"block_ff_dim"}, 1, kMaxFfn, it.ffn);
    if (!config.flag("block_auto_adjust_ff_dim", true))
        return;
    it.ffn = 2 * it.ffn / 3;
    const FieldValue *value = config.find("block_ffn_dim_multiplier");
    const auto *whole = value ? std::get_if<std::int64_t>(value) : nullptr;
    const auto *real = value ? std::get_if<double>(value) : nullptr;
    const double factor = whole ? static_cast<double>(*whole) : real ? *real : 1.0;
    if (!(factor > 0 && factor < 1000))
        config.fail("block_ffn_dim_multiplier", "must be above 0.");
    else
        it.ffn = static_cast<std::int64_t>(factor * static_cast<double>(it.ffn));
    const std::int64_t multiple = config.required({"block_multiple_of"}, kMaxFfn, 256);
    it.ffn = multiple * ((it.ffn + multiple - 1) / multiple);
}

void readLfm2(ConfigReader &config, Architecture &it)
{
    StateMixer &m = it.state;
    m.kind = StateKind::ShortConvolution;
    m.inner = it.hidden;
    m.convWidth = config.required({"conv_L_cache"}, kMaxHeads, 3);
    m.bias = m.convBias = config.flag("conv_bias", false);
    if (listAt(config, "layer_types"))
        readWords(config, "layer_types", it, mixerOfWord);
    else if (listAt(config, "full_attn_idxs"))
        takeAttending(marked(config, "full_attn_idxs", it.layers), it);
    else
        config.fail("layer_types", "is missing: it says which layers attend.");
    if (!it.moe())
        return adjustWidth(config, it);
    const std::int64_t dense = config.count({"num_dense_layers"}, 0, it.layers, 2);
    giveExperts(it, [dense](std::int64_t layer) { return layer >= dense; });
}

/// Qwen3-Next and Qwen3.5: the gated delta rule, and in every n-th layer attention with a gate.
void readDelta(ConfigReader &config, Architecture &it)
{
    StateMixer &m = it.state;
    m.readers = it.modelType == "qwen3_next" ? 2 : 4; // single products for z, b and a
    m.kind = StateKind::GatedDelta;
    m.heads = config.required({"linear_num_value_heads"}, kMaxHeads, 32);
    m.headDim = config.required({"linear_value_head_dim"}, kMaxWidth, 128);
    m.groups = config.required({"linear_num_key_heads"}, kMaxHeads, 16);
    m.stateDim = config.required({"linear_key_head_dim"}, kMaxWidth, 128);
    m.convWidth = config.required({"linear_conv_kernel_dim"}, kMaxHeads, 4);
    m.recurrentBytes = bytesOfType(config, "mamba_ssm_dtype", 0);
    it.normInFp32 = it.partialRotary = true;
    it.attentionGate =
        config.flag("attn_output_gate", true) ? AttentionGate::WithQueries : AttentionGate::None;
    if (listAt(config, "layer_types")) {
        readWords(config, "layer_types", it, mixerOfWord);
    } else {
        const std::int64_t every = config.required({"full_attention_interval"}, kMaxLayers, 4);
        for (std::int64_t layer = 1; layer <= it.layers; ++layer)
            it.blocks.push_back(layer % every == 0 ? kAttentionBlock : kStateBlock);
    }
    if (!it.moe())
        return;
    const std::int64_t step = config.required({"decoder_sparse_step"}, kMaxLayers, 1);
    const std::vector<bool> dense = marked(config, "mlp_only_layers", it.layers);
    giveExperts(it, [&](std::int64_t layer) {
        return !dense[static_cast<std::size_t>(layer)] && (layer + 1) % step == 0;
    });
}

std::optional<BlockKind> nemotronKind(std::string_view word)
{
    if (word == "M" || word == "mamba" || word == "linear_attention")
        return BlockKind{TokenMixer::State, FeedForward::None};
    if (word == "*" || word == "attention" || word == "full_attention")
        return BlockKind{TokenMixer::Attention, FeedForward::None};
    if (word == "-" || word == "mlp" || word == "dense")
        return BlockKind{TokenMixer::None, FeedForward::Dense};
    if (word == "E" || word == "moe" || word == "sparse")
        return BlockKind{TokenMixer::None, FeedForward::Experts};
    return std::nullopt;
}

/// Every letter is a layer with one norm; models/nemotron_h/modeling_nemotron_h.py.
void readNemotron(ConfigReader &config, Architecture &it)
{
    StateMixer &m = it.state;
    m.kind = StateKind::Mamba2;
    m.heads = config.required({"mamba_num_heads"}, kMaxHeads, 128);
    m.headDim = config.required({"mamba_head_dim"}, kMaxWidth, 64);
    m.inner = m.heads * m.headDim;
    m.groups = config.required({"n_groups", "mamba_n_groups"}, kMaxHeads, 8);
    m.stateDim = config.required({"ssm_state_size"}, kMaxWidth, 128);
    m.convWidth = config.required({"conv_kernel"}, kMaxHeads, 4);
    m.chunk = config.required({"chunk_size", "mamba_chunk_size"}, kMaxWidth, 128);
    m.convBias = config.flag("use_conv_bias", true);
    m.bias = m.outBias = config.flag("use_bias", config.flag("mamba_proj_bias", false));
    it.normInFp32 = it.routerInFp32 = it.logitsInFp32 = true;
    m.norm = true;
    m.recurrentBytes = bytesOfType(config, "mamba_ssm_cache_dtype", 4); // vLLM models/config.py
    if (const std::string name = config.text("mlp_hidden_act"); name.empty() || name == "relu2")
        it.activation = Activation::ReluSquared;
    it.headDim = config.count({"head_dim", "attention_head_dim"}, 1, kMaxHeads, 128);
    it.tiedEmbeddings = false; // its class reads neither
    it.bias.qkv = it.bias.o = false;
    it.expertHidden = config.count({"moe_latent_size"}, 0, kMaxWidth, 0);
    if (const std::string letters = config.text("hybrid_override_pattern"); !letters.empty()) {
        for (const char letter : letters) {
            const auto kind = nemotronKind({&letter, 1});
            if (!kind)
                config.fail("hybrid_override_pattern",
                            "holds \"" + std::string(1, letter) + "\"; known are M, *, - and E.");
            it.blocks.push_back(kind.value_or(BlockKind()));
        }
        if (std::ssize(it.blocks) != it.layers)
            config.fail("hybrid_override_pattern",
                        "must have a letter for each of the " + counted(it.layers, "layer") + ".");
    } else {
        readWords(config, "layers_block_type", it, nemotronKind);
    }
}

/// Kimi K3's experts on a width of their own, with a norm of their input, and the attention of each
/// layer's two halves to outputs of earlier blocks: a norm and a projection each, and once at the
/// end. vLLM 0.33.0 models/kimi_k3.
void readKimi3(ConfigReader &config, Architecture &it)
{
    it.expertHidden = config.count({"routed_expert_hidden_size"}, 0, kMaxWidth, 0);
    if (config.flag("latent_moe_use_norm", false))
        it.extraParameters += (it.layers - it.denseLayers) * it.expertHidden;
    if (config.count({"attn_res_block_size"}, 0, kMaxLayers, 0) > 0)
        it.extraParameters += (4 * it.layers + 2) * it.hidden;
}

void readKimi(ConfigReader &config, Architecture &it)
{
    StateMixer &m = it.state;
    m.kind = StateKind::KimiDelta;
    m.heads = config.required({"linear_attn_config.num_heads", "linear_num_heads"}, kMaxHeads);
    m.headDim = config.required({"linear_attn_config.head_dim", "linear_head_dim"}, kMaxWidth);
    m.convWidth = config.required(
        {"linear_attn_config.short_conv_kernel_size", "linear_conv_kernel_dim"}, kMaxHeads, 4);
    m.readers = 6;        // queries, keys, values, both gates and beta
    m.recurrentBytes = 4; // vLLM's default, mamba_utils.py:133
    readKimi3(config, it);
    it.routerInFp32 = true;
    it.tiedEmbeddings = false; // its class does not read it
    if (listAt(config, "layer_types"))
        readWords(config, "layer_types", it, mixerOfWord);
    else if (listAt(config, "linear_attn_config.full_attn_layers"))
        takeAttending(marked(config, "linear_attn_config.full_attn_layers", it.layers, 1), it);
    else
        config.fail("linear_attn_config.full_attn_layers",
                    "is missing: it says which layers attend.");
    m.fullOutputGate = config.flag("linear_attn_config.use_full_rank_gate", false);
    if (config.flag("mla_use_output_gate", false))
        it.latentGate = it.heads * it.vHeadDim;
    const TextList *kinds = listAt(config, "mlp_layer_types");
    if (kinds && kinds->size() != it.blocks.size())
        config.fail("mlp_layer_types", "must have one word a layer.");
    giveExperts(it, [&](std::int64_t layer) {
        const auto at = static_cast<std::size_t>(layer);
        return it.moe() &&
               (kinds && at < kinds->size() ? (*kinds)[at] == "sparse" : layer >= it.denseLayers);
    });
}

/// Ling 3.0: Kimi's delta rule with whole gates, and in every n-th layer latent attention with a
/// gate a head. Ling 2.5, whose configs have the same model_type, has lightning attention.
void readBailingHybrid(ConfigReader &config, Architecture &it)
{
    if (!config.has("kda_safe_gate") && !config.has("kda_lower_bound"))
        config.fail("model_type", "is of Ling 3.0 where kda_safe_gate is stated; Ling 2.5 and Ring "
                                  "2.5 are not computed.");
    if (!config.flag("no_kda_lora", true))
        config.fail("no_kda_lora", "is false: gates of low rank are not computed here.");
    StateMixer &m = it.state;
    m.kind = StateKind::KimiDelta;
    m.heads = config.count({"linear_num_heads"}, 1, kMaxHeads, it.heads);
    m.headDim = config.required({"linear_head_dim", "head_dim"}, kMaxWidth);
    m.convWidth =
        config.required({"linear_conv_kernel_dim", "short_conv_kernel_size"}, kMaxHeads, 4);
    m.readers = 6;
    m.recurrentBytes = 4; // vLLM mamba_utils.py, kda_state_dtype
    m.fullGates = true;
    it.latentGate = it.heads;
    it.tiedEmbeddings = false; // its class does not read it
    if (listAt(config, "layer_types")) {
        readWords(config, "layer_types", it, mixerOfWord);
    } else {
        const std::int64_t every = config.required({"layer_group_size"}, kMaxLayers, 6);
        for (std::int64_t layer = 1; layer <= it.layers; ++layer)
            it.blocks.push_back(layer % every == 0 ? kAttentionBlock : kStateBlock);
    }
    const std::vector<bool> experts = expertLayers(config, it);
    giveExperts(it, [&](std::int64_t layer) { return experts[static_cast<std::size_t>(layer)]; });
}

/// MiniMax-Text-01 and M1: lightning attention, and full attention where a list says so.
void readMiniMax(ConfigReader &config, Architecture &it)
{
    it.state = {.kind = StateKind::Lightning, .heads = it.heads, .headDim = it.headDim};
    it.state.chunk = config.required({"block_size"}, kMaxWidth, 256);
    it.state.readers = 2; // and the gate
    if (listAt(config, "layer_types")) {
        readWords(config, "layer_types", it, mixerOfWord);
    } else if (const TextList *kinds = listAt(config, "attn_type_list")) {
        if (std::ssize(*kinds) != it.layers)
            config.fail("attn_type_list", "must have one number a layer.");
        for (const std::string &kind : *kinds)
            it.blocks.push_back(kind == "1" ? kAttentionBlock : kStateBlock);
    } else {
        config.fail("attn_type_list", "is missing: it says which layers attend.");
    }
    giveExperts(it, [&it](std::int64_t) { return it.moe(); });
}

void takeStatesAlone(Architecture &it)
{
    it.blocks.assign(static_cast<std::size_t>(it.layers), {TokenMixer::State, FeedForward::None});
}

void readMamba(ConfigReader &config, Architecture &it)
{
    StateMixer &m = it.state;
    m.kind = StateKind::Mamba1;
    const std::int64_t expanded = config.count({"expand"}, 1, kMaxHeads, 2) * it.hidden;
    m.inner = config.count({"intermediate_size"}, 1, kMaxFfn, expanded);
    m.stateDim = config.required({"state_size"}, kMaxWidth, 16);
    m.convWidth = config.required({"conv_kernel"}, kMaxHeads, 4);
    const bool automatic = isAutomatic(config, "time_step_rank");
    m.rank = automatic ? (it.hidden + 15) / 16 : config.required({"time_step_rank"}, kMaxWidth);
    m.bias = config.flag("use_bias", false);
    m.convBias = config.flag("use_conv_bias", true);
    takeStatesAlone(it);
}

void readMamba2Alone(ConfigReader &config, Architecture &it)
{
    StateMixer &m = it.state;
    m.kind = StateKind::Mamba2;
    m.heads = config.required({"num_heads"}, kMaxHeads, 128);
    m.headDim = config.required({"head_dim"}, kMaxWidth, 64);
    m.inner = config.count({"expand"}, 1, kMaxHeads, 2) * it.hidden;
    if (m.heads * m.headDim != m.inner)
        config.fail("num_heads", "times head_dim must be " + std::to_string(m.inner) +
                                     ", the width inside the layer.");
    m.groups = config.required({"n_groups"}, kMaxHeads, 8);
    m.stateDim = config.required({"state_size"}, kMaxWidth, 128);
    m.convWidth = config.required({"conv_kernel"}, kMaxHeads, 4);
    m.chunk = config.required({"chunk_size"}, kMaxWidth, 256);
    m.bias = m.outBias = config.flag("use_bias", false);
    m.convBias = config.flag("use_conv_bias", true);
    m.norm = true;
    takeStatesAlone(it);
}

constexpr std::array<std::string_view, 3> kMambaKeys = {"mamba_*", "attn_layer_indices",
                                                        "layers_block_type"};
constexpr std::array<std::string_view, 2> kFalconKeys = {"mamba_*", "ssm_*"};
constexpr std::array<std::string_view, 3> kJambaKeys = {"mamba_*", "attn_layer_period",
                                                        "layers_block_type"};
constexpr std::array<std::string_view, 2> kLfmKeys = {"conv_L_cache", "full_attn_idxs"};
constexpr std::array<std::string_view, 4> kDeltaKeys = {"linear_*", "full_attention_interval",
                                                        "attn_output_gate", "mamba_ssm_dtype"};
constexpr std::array<std::string_view, 6> kNemotronKeys = {
    "mamba_*",           "ssm_*",          "hybrid_override_pattern",
    "layers_block_type", "time_step_rank", "moe_latent_size"};
constexpr std::array<std::string_view, 3> kKimiKeys = {"linear_*", "routed_expert_hidden_size",
                                                       "attn_res_block_size"};
constexpr std::array<std::string_view, 2> kBailingKeys = {"linear_*", "layer_group_size"};
constexpr std::array<std::string_view, 2> kMiniMaxKeys = {"attn_type_list", "linear_*"};
constexpr std::array<std::string_view, 2> kPureKeys = {"state_size", "time_step_rank"};

constexpr std::array kStateReaders = {
    BlockReader{"bailing_hybrid", kBailingKeys, true, true, readBailingHybrid},
    BlockReader{"bamba", kMambaKeys, true, true, readBamba},
    BlockReader{"falcon_h1", kFalconKeys, true, true, readFalconH1},
    BlockReader{"falcon_mamba", kPureKeys, false, false, readMamba},
    BlockReader{"granitemoehybrid", kMambaKeys, true, true, readGraniteHybrid},
    BlockReader{"jamba", kJambaKeys, true, true, readJamba},
    BlockReader{"kimi_linear", kKimiKeys, true, true, readKimi},
    BlockReader{"lfm2", kLfmKeys, true, true, readLfm2},
    BlockReader{"lfm2_moe", kLfmKeys, true, true, readLfm2},
    BlockReader{"mamba", kPureKeys, false, false, readMamba},
    BlockReader{"mamba2", kPureKeys, false, false, readMamba2Alone},
    BlockReader{"minimax", kMiniMaxKeys, true, true, readMiniMax},
    BlockReader{"minimax_m1", kMiniMaxKeys, true, true, readMiniMax},
    BlockReader{"minimax_text_01", kMiniMaxKeys, true, true, readMiniMax},
    BlockReader{"nemotron_h", kNemotronKeys, true, true, readNemotron},
    BlockReader{"qwen3_5_moe_text", kDeltaKeys, true, true, readDelta},
    BlockReader{"qwen3_5_text", kDeltaKeys, true, true, readDelta},
    BlockReader{"qwen3_next", kDeltaKeys, true, true, readDelta},
    BlockReader{"rwkv7", {}, false, false, readRwkv7},
    BlockReader{"zamba", kJambaKeys, true, true, readZamba},
    BlockReader{"zamba2", kMambaKeys, true, true, readZamba2},
};

} // namespace

StateMixer readMamba1(ConfigReader &config, const Architecture &it)
{
    StateMixer m;
    m.kind = StateKind::Mamba1;
    m.inner = config.count({"mamba_expand"}, 1, kMaxHeads, 2) * it.hidden;
    m.stateDim = config.required({"mamba_d_state"}, kMaxWidth, 16);
    m.convWidth = config.required({"mamba_d_conv"}, kMaxHeads, 4);
    const bool automatic = isAutomatic(config, "mamba_dt_rank");
    m.rank = automatic ? (it.hidden + 15) / 16 : config.required({"mamba_dt_rank"}, kMaxWidth);
    m.convBias = config.flag("mamba_conv_bias", true);
    m.bias = config.flag("mamba_proj_bias", false);
    return m;
}

std::span<const BlockReader> stateBlockReaders()
{
    return kStateReaders;
}

} // namespace vramscope
