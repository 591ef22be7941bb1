// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/model/config_blocks.h"

#include "core/base/counted.h"
#include "core/base/text.h"
#include "core/model/config_lists.h"

#include <algorithm>
#include <array>
#include <charconv>

namespace vramscope {

namespace {

/// Heads of single layers, as transformers 5 writes them: the same for all full-attention layers,
/// and none for others.
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

/// Five layers that slide, and one with full attention and other heads; the last one is always of
/// that kind, whatever the list says. With experts each layer has a dense feed-forward as well, and
/// three more norms. transformers models/gemma4/modeling_gemma4.py, configuration_gemma4.py.
void readGemma4(ConfigReader &config, Architecture &it, std::int64_t ownInputs, std::int64_t window)
{
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
    takeOwnInputs(config, it, ownInputs);
    takeSharedKeys(config, it, 0);
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
constexpr std::array<std::string_view, 4> kGemma3nKeys = {
    "hidden_size_per_layer_input", "num_kv_shared_layers", "altup_*", "laurel_rank"};
constexpr std::array<std::string_view, 5> kGemma4Keys = {
    "global_head_dim", "num_global_key_value_heads", "hidden_size_per_layer_input",
    "num_kv_shared_layers", "per_layer_config*"};

constexpr std::array kReaders = {
    BlockReader{"axk2", kIndexKeys, true, true, readAxk2},
    BlockReader{"deepseek_v32", kIndexKeys, true, true, readIndexed},
    BlockReader{"deepseek_v4", kCompressedKeys, true, true, readDeepseekV4},
    BlockReader{"gemma3n_text", kGemma3nKeys, true, false, readGemma3n},
    BlockReader{"gemma4_text", kGemma4Keys, true, true, readGemma4Text},
    BlockReader{"gemma4_unified_text", kGemma4Keys, true, true, readGemma4Unified},
    BlockReader{"glm_moe_dsa", kIndexKeys, true, true, readIndexed},
    BlockReader{"minimax_m3", kBlockIndexKeys, true, true, readMiniMaxM3},
    BlockReader{"minimax_m3_vl_text", kBlockIndexKeys, true, true, readMiniMaxM3},
};

} // namespace

const BlockReader *findBlockReader(std::string_view type)
{
    for (const std::span<const BlockReader> readers :
         {std::span<const BlockReader>(kReaders), stateBlockReaders(), shapedBlockReaders(),
          sourceBlockReaders(), encoderBlockReaders()}) {
        const auto found = std::ranges::find(readers, type, &BlockReader::type);
        if (found != readers.end())
            return &*found;
    }
    return nullptr;
}

std::vector<bool> expertLayers(ConfigReader &config, const Architecture &it)
{
    const auto layers = static_cast<std::size_t>(it.layers);
    const auto listed = [&](std::string_view key, std::string_view word) {
        const TextList &list = *listAt(config, key);
        std::vector<bool> marks(layers, false);
        if (list.size() != layers)
            config.fail(key,
                        "must have one entry for each of the " + counted(it.layers, "layer") + ".");
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
