// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/planner/config_blocks.h"

#include "core/base/text.h"
#include "core/planner/config_sparse.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <optional>

namespace vramscope {

namespace {

constexpr BlockKind kAttentionBlock = {TokenMixer::Attention, FeedForward::Dense};
constexpr BlockKind kStateBlock = {TokenMixer::State, FeedForward::Dense};

/// Whether a size is left to the class to choose.
bool isAutomatic(const ConfigReader &config, std::string_view key)
{
    const FieldValue *value = config.find(key);
    const auto *text = value ? std::get_if<std::string>(value) : nullptr;
    return !value || (text && *text == "auto");
}

/// The layers that a list counts from `first`; fails where one is none.
std::vector<bool> marked(ConfigReader &config, std::string_view key, std::int64_t layers,
                         std::int64_t first = 0)
{
    std::vector<bool> marks(static_cast<std::size_t>(layers), false);
    const TextList *list = listAt(config, key);
    for (const std::string &text : list ? *list : TextList()) {
        std::int64_t layer = -1;
        const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), layer);
        layer -= first;
        if (error != std::errc() || end != text.data() + text.size() || layer < 0 ||
            layer >= layers) {
            config.fail(key, "holds \"" + excerpt(text, 40) + "\", which is no layer of the " +
                                 std::to_string(layers) + '.');
            return marks;
        }
        marks[static_cast<std::size_t>(layer)] = true;
    }
    return marks;
}

/// One word a layer, each as `kindOf` takes it; fails at a word that it does not know.
using KindOfWord = std::optional<BlockKind> (*)(std::string_view word);

void readWords(ConfigReader &config, std::string_view key, Architecture &it, KindOfWord kindOf)
{
    const TextList *words = listAt(config, key);
    if (!words || words->size() != static_cast<std::size_t>(it.layers)) {
        config.fail(key, "must be a list with one word for each of the " +
                             std::to_string(it.layers) + " layers.");
        return;
    }
    for (const std::string &word : *words) {
        const auto kind = kindOf(word);
        if (!kind) {
            config.fail(key, "holds \"" + excerpt(word, 40) +
                                 "\", which is not known in this model type.");
            return;
        }
        it.blocks.push_back(*kind);
    }
}

std::optional<BlockKind> mixerOfWord(std::string_view word)
{
    if (word == "full_attention" || word == "attention")
        return kAttentionBlock;
    if (word == "linear_attention" || word == "mamba" || word == "conv" || word == "short_conv")
        return kStateBlock;
    return std::nullopt;
}

/// Blocks of which some keep a state, by marks of those that attend.
void takeAttending(const std::vector<bool> &attends, Architecture &it)
{
    for (const bool attending : attends)
        it.blocks.push_back(attending ? kAttentionBlock : kStateBlock);
}

/// Gives blocks that a rule chooses a mixture of experts.
template<class Rule>
void giveExperts(Architecture &it, Rule hasExperts)
{
    for (std::int64_t layer = 0; layer < std::ssize(it.blocks); ++layer) {
        BlockKind &kind = it.blocks[static_cast<std::size_t>(layer)];
        if (kind.feedForward != FeedForward::None)
            kind.feedForward = hasExperts(layer) ? FeedForward::Experts : FeedForward::Dense;
    }
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
    m.bias = config.flag("mamba_proj_bias", false);
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
    if (config.flag("projectors_bias", false))
        config.fail("projectors_bias", "is not computed.");
    it.blocks.assign(static_cast<std::size_t>(it.layers),
                     {TokenMixer::Parallel, FeedForward::Dense});
}

/// Granite 4: every layer has the shared feed-forward; with experts it stands beside them.
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
    StateMixer &m = it.state;
    m.kind = StateKind::Mamba1;
    m.inner = config.count({"mamba_expand"}, 1, kMaxHeads, 2) * it.hidden;
    m.stateDim = config.required({"mamba_d_state"}, kMaxWidth, 16);
    m.convWidth = config.required({"mamba_d_conv"}, kMaxHeads, 4);
    const bool automatic = isAutomatic(config, "mamba_dt_rank");
    m.rank = automatic ? (it.hidden + 15) / 16 : config.required({"mamba_dt_rank"}, kMaxWidth);
    m.convBias = config.flag("mamba_conv_bias", true);
    m.bias = config.flag("mamba_proj_bias", false);
    m.norm = true;
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

/// LFM2's feed-forward is as wide as this says, not as the config does: transformers
/// models/lfm2/modeling_lfm2.py, Lfm2MLP.
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
    m.bias = config.flag("use_bias", config.flag("mamba_proj_bias", false));
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
            config.fail("hybrid_override_pattern", "must have a letter for each of the " +
                                                       std::to_string(it.layers) + " layers.");
    } else {
        readWords(config, "layers_block_type", it, nemotronKind);
    }
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
    it.routerInFp32 = true;
    it.tiedEmbeddings = false; // its class does not read it
    if (listAt(config, "layer_types"))
        readWords(config, "layer_types", it, mixerOfWord);
    else if (listAt(config, "linear_attn_config.full_attn_layers"))
        takeAttending(marked(config, "linear_attn_config.full_attn_layers", it.layers, 1), it);
    else
        config.fail("linear_attn_config.full_attn_layers",
                    "is missing: it says which layers attend.");
    if (config.flag("use_full_rank_gate", false))
        config.fail("use_full_rank_gate", "is not computed.");
    const TextList *kinds = listAt(config, "mlp_layer_types");
    if (kinds && kinds->size() != it.blocks.size())
        config.fail("mlp_layer_types", "must have one word a layer.");
    giveExperts(it, [&](std::int64_t layer) {
        const auto at = static_cast<std::size_t>(layer);
        return it.moe() &&
               (kinds && at < kinds->size() ? (*kinds)[at] == "sparse" : layer >= it.denseLayers);
    });
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
    m.bias = config.flag("use_bias", false);
    m.convBias = config.flag("use_conv_bias", true);
    m.norm = true;
    takeStatesAlone(it);
}

/// Heads that single layers have, as transformers 5 writes them down: all layers that attend fully
/// alike, and no others.
void readHeadsOfLayers(ConfigReader &config, Architecture &it)
{
    std::vector<AttentionShape> shapes(it.blocks.size(), it.attentionOf({}));
    for (const FlatValue *stated : config.matching("per_layer_config.*")) {
        std::string_view path = stated->path;
        path.remove_prefix(path.starts_with(config.part()) ? config.part().size() : 0);
        const std::size_t dot = path.rfind('.');
        const std::string_view key = path.substr(dot + 1);
        const std::string_view number = path.substr(path.find('.') + 1, dot - path.find('.') - 1);
        std::size_t layer = shapes.size();
        std::from_chars(number.data(), number.data() + number.size(), layer);
        const auto *value = std::get_if<std::int64_t>(&stated->value);
        const bool known = key == "head_dim" || key == "num_key_value_heads";
        if (layer >= shapes.size() || !known || !value || *value < 1 || *value > kMaxHeads)
            return config.failAt(stated->path, "is not computed: known are head_dim and "
                                               "num_key_value_heads of a layer.");
        (key == "head_dim" ? shapes[layer].headDim : shapes[layer].kvHeads) = *value;
    }
    if (config.matching("per_layer_config.*").empty())
        return;
    it.fullAttention.kvHeads = it.kvHeads;
    it.fullAttention.headDim = it.headDim;
    bool alike = true;
    bool found = false;
    for (std::size_t layer = 0; layer < shapes.size(); ++layer) {
        const bool full = it.blocks[layer].mixer == TokenMixer::FullAttention;
        shapes[layer].valuesAreKeys = full && it.fullAttention.valuesAreKeys;
        if (full && !found)
            it.fullAttention = shapes[layer];
        found |= full;
        alike &= shapes[layer] == it.attentionOf(it.blocks[layer]);
    }
    if (!alike)
        config.fail("per_layer_config", "is not computed where layers of one kind differ.");
}

/// Five layers that slide, and one that attends fully with other heads; the last one does, whatever
/// the list says. With experts a dense feed-forward stands beside them, and three norms more.
/// transformers models/gemma4/modeling_gemma4.py, configuration_gemma4.py.
void readGemma4(ConfigReader &config, Architecture &it, std::int64_t ownInputs, std::int64_t window)
{
    for (const auto &[key, otherwise] : {std::pair{"hidden_size_per_layer_input", ownInputs},
                                         std::pair{"num_kv_shared_layers", std::int64_t(0)}}) {
        if (config.count({key}, 0, kMaxWidth, otherwise) > 0)
            config.fail(key,
                        "is not computed: layers with inputs of their own, or that share their "
                        "keys and values.");
    }
    const bool valuesAreKeys = config.flag("attention_k_eq_v", false);
    const std::int64_t stated =
        config.count({"num_global_key_value_heads"}, 1, kMaxHeads, it.kvHeads);
    it.fullAttention = {it.heads, valuesAreKeys ? stated : it.kvHeads,
                        config.count({"global_head_dim"}, 1, kMaxHeads, 512), valuesAreKeys};
    it.slidingWindow = config.count({"sliding_window"}, 1, kMaxPositions, window);
    const bool routed = config.flag("enable_moe_block", false);
    if (routed && !it.moe())
        config.fail("num_experts", "is missing: enable_moe_block says that there are some.");
    if (!routed)
        it.experts = it.expertsPerToken = it.expertFfn = it.sharedExperts = it.sharedFfn = 0;
    if (it.moe()) {
        it.sharedExperts = 1;
        it.sharedFfn = it.ffn;
        it.expertNorms = 3;
        it.routerScales = true;
    }
    const FeedForward after = it.moe() ? FeedForward::Experts : FeedForward::Dense;
    const TextList *words = listAt(config, "layer_types");
    if (words && std::ssize(*words) != it.layers)
        config.fail("layer_types", "must have one word a layer.");
    for (std::int64_t layer = 0; layer < it.layers; ++layer) {
        const auto at = static_cast<std::size_t>(layer);
        const bool listed = words && at < words->size();
        const std::string_view word = listed                 ? std::string_view((*words)[at])
                                      : (layer + 1) % 6 == 0 ? "full_attention"
                                                             : "sliding_attention";
        if (word != "full_attention" && word != "sliding_attention")
            config.fail("layer_types", "holds \"" + excerpt(word, 40) +
                                           "\"; known are full_attention and sliding_attention.");
        const bool full = word == "full_attention" || layer + 1 == it.layers;
        it.blocks.push_back({full ? TokenMixer::FullAttention : TokenMixer::Attention, after});
        it.slidingLayers.push_back(!full);
    }
    readHeadsOfLayers(config, it);
}

void readGemma4Text(ConfigReader &config, Architecture &it)
{
    readGemma4(config, it, 256, 512);
}

void readGemma4Unified(ConfigReader &config, Architecture &it)
{
    readGemma4(config, it, 0, 1024);
}

constexpr std::array<std::string_view, 1> kIndexKeys = {"index_n_heads"};
constexpr std::array<std::string_view, 4> kCompressedKeys = {"index_n_heads", "compress_ratios",
                                                             "o_lora_rank", "hc_mult"};
constexpr std::array<std::string_view, 2> kBlockIndexKeys = {"index_n_heads",
                                                             "sparse_attention_config*"};
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
constexpr std::array<std::string_view, 1> kKimiKeys = {"linear_*"};
constexpr std::array<std::string_view, 2> kMiniMaxKeys = {"attn_type_list", "linear_*"};
constexpr std::array<std::string_view, 5> kGemma4Keys = {
    "global_head_dim", "num_global_key_value_heads", "hidden_size_per_layer_input",
    "num_kv_shared_layers", "per_layer_config*"};
constexpr std::array<std::string_view, 2> kPureKeys = {"state_size", "time_step_rank"};

constexpr std::array kReaders = {
    BlockReader{"axk2", kIndexKeys, true, true, readAxk2},
    BlockReader{"bamba", kMambaKeys, true, true, readBamba},
    BlockReader{"deepseek_v32", kIndexKeys, true, true, readIndexed},
    BlockReader{"deepseek_v4", kCompressedKeys, true, true, readDeepseekV4},
    BlockReader{"falcon_h1", kFalconKeys, true, true, readFalconH1},
    BlockReader{"falcon_mamba", kPureKeys, false, false, readMamba},
    BlockReader{"gemma4_text", kGemma4Keys, true, true, readGemma4Text},
    BlockReader{"gemma4_unified_text", kGemma4Keys, true, true, readGemma4Unified},
    BlockReader{"glm_moe_dsa", kIndexKeys, true, true, readIndexed},
    BlockReader{"granitemoehybrid", kMambaKeys, true, true, readGraniteHybrid},
    BlockReader{"jamba", kJambaKeys, true, true, readJamba},
    BlockReader{"kimi_linear", kKimiKeys, true, true, readKimi},
    BlockReader{"lfm2", kLfmKeys, true, true, readLfm2},
    BlockReader{"lfm2_moe", kLfmKeys, true, true, readLfm2},
    BlockReader{"mamba", kPureKeys, false, false, readMamba},
    BlockReader{"mamba2", kPureKeys, false, false, readMamba2Alone},
    BlockReader{"minimax", kMiniMaxKeys, true, true, readMiniMax},
    BlockReader{"minimax_m1", kMiniMaxKeys, true, true, readMiniMax},
    BlockReader{"minimax_m3", kBlockIndexKeys, true, true, readMiniMaxM3},
    BlockReader{"minimax_m3_vl_text", kBlockIndexKeys, true, true, readMiniMaxM3},
    BlockReader{"minimax_text_01", kMiniMaxKeys, true, true, readMiniMax},
    BlockReader{"nemotron_h", kNemotronKeys, true, true, readNemotron},
    BlockReader{"qwen3_5_moe_text", kDeltaKeys, true, true, readDelta},
    BlockReader{"qwen3_5_text", kDeltaKeys, true, true, readDelta},
    BlockReader{"qwen3_next", kDeltaKeys, true, true, readDelta},
};

} // namespace

const TextList *listAt(const ConfigReader &config, std::string_view key)
{
    const FieldValue *value = config.find(key);
    const auto *list = value ? std::get_if<TextList>(value) : nullptr;
    return list && !list->empty() ? list : nullptr;
}

const BlockReader *findBlockReader(std::string_view type)
{
    const auto found = std::ranges::find(kReaders, type, &BlockReader::type);
    return found == kReaders.end() ? nullptr : &*found;
}

std::vector<bool> expertLayers(ConfigReader &config, const Architecture &it)
{
    const auto layers = static_cast<std::size_t>(it.layers);
    const auto listed = [&](std::string_view key, std::string_view word) {
        const TextList &list = *listAt(config, key);
        std::vector<bool> marks(layers, false);
        if (list.size() != layers)
            config.fail(key, "must have one entry for each of the " + std::to_string(layers) +
                                 " layers.");
        for (std::size_t at = 0; at < std::min(layers, list.size()); ++at)
            marks[at] = list[at] == word;
        return marks;
    };
    if (listAt(config, "mlp_layer_types"))
        return listed("mlp_layer_types", "sparse");
    if (listAt(config, "moe_layer_freq"))
        return listed("moe_layer_freq", "1");
    if (listAt(config, "moe_layers"))
        return marked(config, "moe_layers", it.layers);
    const std::int64_t sparse = config.count({"decoder_sparse_step"}, 0, kMaxLayers, 1);
    const std::int64_t interleaved =
        config.count({"interleave_moe_layer_step", "moe_layer_interval"}, 1, kMaxLayers, 1);
    const std::int64_t frequency = config.count({"moe_layer_freq"}, 1, kMaxLayers, 1);
    const std::int64_t last =
        config.count({"moe_layer_end_index"}, -1, it.layers - 1, it.layers - 1);
    const std::vector<bool> dense = marked(config, "mlp_only_layers", it.layers);
    std::vector<bool> marks;
    for (std::int64_t layer = 0; layer < it.layers; ++layer)
        marks.push_back(layer >= it.denseLayers && (last < 0 || layer <= last) &&
                        !dense[static_cast<std::size_t>(layer)] && sparse > 0 &&
                        (layer + 1) % sparse == 0 && (layer + 1) % interleaved == 0 &&
                        layer % frequency == 0);
    return marks;
}

void takeExperts(const std::vector<bool> &experts, Architecture &it)
{
    const auto first = std::ranges::find(experts, true);
    it.denseLayers = first - experts.begin();
    if (std::find(first, experts.end(), false) == experts.end())
        return;
    for (const bool has : experts)
        it.blocks.push_back(
            {TokenMixer::Attention, has ? FeedForward::Experts : FeedForward::Dense});
}

std::int64_t listedLayers(const ConfigReader &config)
{
    if (const TextList *words = listAt(config, "layers_block_type"))
        return std::ssize(*words);
    const FieldValue *value = config.find("hybrid_override_pattern");
    const auto *letters = value ? std::get_if<std::string>(value) : nullptr;
    return letters ? std::ssize(*letters) : 0;
}

} // namespace vramscope
