// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/model/config_blocks.h"

#include "core/base/counted.h"
#include "core/base/text.h"
#include "core/model/blocks/sparse_attention.h"
#include "core/model/config_lists.h"

#include <algorithm>
#include <array>
#include <optional>

namespace vramscope {

namespace {

FeedForward after(const std::vector<bool> &experts, std::int64_t layer)
{
    return experts[static_cast<std::size_t>(layer)] ? FeedForward::Experts : FeedForward::Dense;
}

/// Which layers have an index of their own; the others use the choice of the last one before them.
/// transformers models/glm_moe_dsa/configuration_glm_moe_dsa.py.
std::vector<bool> ownIndexes(ConfigReader &config, const Architecture &it)
{
    std::vector<bool> own(static_cast<std::size_t>(it.layers), true);
    const std::int64_t every = config.count({"index_topk_freq"}, 1, kMaxLayers, 1);
    const std::int64_t offset = config.count({"index_skip_topk_offset"}, 0, kMaxLayers, 2);
    for (std::int64_t layer = 0; layer < it.layers; ++layer)
        own[static_cast<std::size_t>(layer)] =
            std::max<std::int64_t>(layer - offset + 1, 0) % every == 0;
    const auto take = [&](std::string_view key, std::size_t size, auto wordOf) {
        if (size < own.size())
            return config.fail(key, "must have one entry for each of the " +
                                        counted(it.layers, "layer") + ".");
        for (std::size_t layer = 0; layer < own.size(); ++layer) {
            const std::string_view word = wordOf(layer);
            own[layer] = word == "full" || word == "F";
            if (!own[layer] && word != "shared" && word != "S")
                return config.fail(key, "holds \"" + excerpt(word, 40) +
                                            "\"; known are full and shared, or F and S.");
        }
    };
    const std::string pattern = config.text("index_topk_pattern");
    const auto listed = [](const TextList *words) {
        return [words](std::size_t layer) { return std::string_view((*words)[layer]); };
    };
    if (const TextList *types = listAt(config, "indexer_types"))
        take("indexer_types", types->size(), listed(types));
    else if (const TextList *words = listAt(config, "index_topk_pattern"))
        take("index_topk_pattern", words->size(), listed(words));
    else if (!pattern.empty())
        take("index_topk_pattern", pattern.size(),
             [&pattern](std::size_t layer) { return std::string_view(pattern).substr(layer, 1); });
    return own;
}

/// The kind of attention of each layer of DeepSeek V4.
/// transformers models/deepseek_v4/configuration_deepseek_v4.py.
std::optional<TokenMixer> compressedMixer(std::string_view word)
{
    if (word == "sliding_attention" || word == "0")
        return TokenMixer::Attention;
    if (word == "compressed_sparse_attention" || word == "4")
        return TokenMixer::Indexed;
    if (word == "heavily_compressed_attention" || word == "128")
        return TokenMixer::Compressed;
    return std::nullopt;
}

std::vector<TokenMixer> compressedMixers(ConfigReader &config, const Architecture &it)
{
    const auto layers = static_cast<std::size_t>(it.layers);
    std::vector<TokenMixer> mixers;
    const bool worded = listAt(config, "layer_types") != nullptr;
    const std::string_view key = worded ? "layer_types" : "compress_ratios";
    const TextList *words = listAt(config, key);
    for (std::size_t layer = 0; layer < layers && !words; ++layer)
        mixers.push_back(layer > 2 && layer % 2 == 1 ? TokenMixer::Indexed
                                                     : TokenMixer::Compressed);
    if (words && words->size() < layers) // one more may be for the prediction module
        config.fail(key,
                    "must have one entry for each of the " + counted(it.layers, "layer") + ".");
    for (std::size_t layer = 0; words && layer < std::min(layers, words->size()); ++layer) {
        const auto mixer = compressedMixer((*words)[layer]);
        if (!mixer)
            config.fail(key, "holds \"" + excerpt((*words)[layer], 40) +
                                 "\", which is not known in this model type.");
        mixers.push_back(mixer.value_or(TokenMixer::Attention));
    }
    return mixers;
}

} // namespace

void readIndexed(ConfigReader &config, Architecture &it)
{
    it.indexHeads = config.required({"index_n_heads"}, kMaxHeads);
    it.indexHeadDim = config.required({"index_head_dim"}, kMaxWidth, 128);
    const std::int64_t chosen = config.count({"index_topk"}, 1, kMaxPositions, 2048);
    if (!it.mla() || it.qLoraRank == 0)
        config.fail("index_n_heads", "goes with latent attention and a latent of the queries.");
    const TextList *kinds = listAt(config, "layer_types");
    if (kinds && std::ranges::count(*kinds, "indexed_attention") != std::ssize(*kinds))
        config.fail("layer_types", "holds layers without an index, which are not computed.");
    const std::vector<bool> experts = expertLayers(config, it);
    takeExperts(experts, it);
    if (it.modelType != "glm_moe_dsa")
        return;
    it.indexHandsOn = chosen;
    const std::vector<bool> own = ownIndexes(config, it);
    if (std::ranges::count(own, true) == it.layers || experts.size() != own.size())
        return;
    it.indexInAll = false;
    it.countedOnly = true;
    it.blocks.clear();
    for (std::int64_t layer = 0; layer < it.layers; ++layer)
        it.blocks.push_back(
            {own[static_cast<std::size_t>(layer)] ? TokenMixer::Indexed : TokenMixer::Attention,
             after(experts, layer)});
}

void readAxk2(ConfigReader &config, Architecture &it)
{
    readIndexed(config, it);
    it.countedOnly = true;
    // One product gives queries and gate, from the latent and as much again.
    it.extraParameters += it.layers * it.qLoraRank * it.heads *
                          (it.qkNopeHeadDim + it.qkRopeHeadDim + 2 * it.vHeadDim);
    const std::int64_t rank = config.required({"gated_norm_rank"}, kMaxWidth, 16);
    const std::vector<bool> experts = expertLayers(config, it);
    it.extraParameters += 2 * it.hidden * rank * (it.layers + std::ranges::count(experts, true));
}

void readDeepseekV4(ConfigReader &config, Architecture &it)
{
    it.countedOnly = true;
    it.indexInAll = false;
    it.kvHeads = 1;
    it.attentionSinks = true;
    it.bias.qkv = it.bias.o = false; // its class reads none
    it.headDim = config.required({"head_dim"}, kMaxWidth, 512);
    it.qLoraRank = config.required({"q_lora_rank"}, kMaxWidth, 1024);
    it.qkRopeHeadDim = config.required({"qk_rope_head_dim"}, kMaxWidth, 64);
    it.slidingWindow = config.count({"sliding_window"}, 1, kMaxPositions, 128);
    it.indexHeads = config.required({"index_n_heads"}, kMaxHeads, 64);
    it.indexHeadDim = config.required({"index_head_dim"}, kMaxWidth, 128);
    CompressedAttention &c = it.compressed;
    c.outputGroups = config.required({"o_groups"}, kMaxHeads, 8);
    c.outputRank = config.required({"o_lora_rank"}, kMaxWidth, 1024);
    c.tokens = config.count({"compress_rate_hca", "compress_rates.heavily_compressed_attention"}, 1,
                            kMaxWidth, 128);
    c.indexedTokens = config.count(
        {"compress_rate_csa", "compress_rates.compressed_sparse_attention"}, 1, kMaxWidth, 4);
    if (it.heads % c.outputGroups != 0)
        config.fail("o_groups", "must divide num_attention_heads.");
    it.sharedExperts = 1; // its class reads no number of them
    it.sharedFfn = it.expertFfn;
    for (const TokenMixer mixer : compressedMixers(config, it))
        it.blocks.push_back({mixer, FeedForward::Experts});
    it.extraParameters += streamParameters(it, config.count({"hc_mult"}, 1, kMaxHeads, 4));
}

void readMiniMaxM3(ConfigReader &config, Architecture &it)
{
    it.countedOnly = true;
    it.indexInAll = false;
    it.indexHeads = config.required(
        {"sparse_attention_config.sparse_num_index_heads", "index_n_heads"}, kMaxHeads, 4);
    it.indexHeadDim = config.required(
        {"sparse_attention_config.sparse_index_dim", "index_head_dim"}, kMaxWidth, 128);
    for (const char *key : {"attention_output_gate", "attn_output_gate"})
        if (config.flag(key, false))
            config.fail(key, "is not computed.");
    if (!config.flag("sparse_attention_config.use_sparse_attention", true))
        config.fail("sparse_attention_config.use_sparse_attention", "must be true.");
    it.ffn = config.required({"dense_intermediate_size"}, kMaxFfn, 12288);
    it.sharedExperts = 1;
    it.sharedFfn = config.required({"shared_intermediate_size"}, kMaxFfn, 3072);
    if (!listAt(config, "mlp_layer_types") && !listAt(config, "moe_layer_freq"))
        it.denseLayers = 0; // its class reads lists alone
    const std::vector<bool> experts = expertLayers(config, it);
    const bool worded = listAt(config, "layer_types") != nullptr;
    const std::string_view key =
        worded ? "layer_types" : "sparse_attention_config.sparse_attention_freq";
    const TextList *words = listAt(config, key);
    if ((words && std::ssize(*words) != it.layers) || std::ssize(experts) != it.layers)
        return config.fail(key, "must have one entry for each of the " +
                                    counted(it.layers, "layer") + ".");
    for (std::int64_t layer = 0; layer < it.layers; ++layer) {
        const std::string_view word =
            words ? std::string_view((*words)[static_cast<std::size_t>(layer)]) : "full_attention";
        const bool sparse = word == "minimax_m3_sparse" || word == "1";
        if (!sparse && word != "full_attention" && word != "0")
            config.fail(key, "holds \"" + excerpt(std::string(word), 40) +
                                 "\", which is not known in this model type.");
        it.blocks.push_back(
            {sparse ? TokenMixer::Indexed : TokenMixer::Attention, after(experts, layer)});
    }
}

} // namespace vramscope
