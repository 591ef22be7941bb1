// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/exchange/megatron_model.h"

#include "core/catalog/model_names.h"
#include "core/model/catalogue_shapes.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <cstdio>

namespace vramscope {

namespace {

using Json = nlohmann::ordered_json;

constexpr std::int64_t kMaxWidth = 1'000'000;
constexpr std::int64_t kMaxVocabulary = 100'000'000;
constexpr std::int64_t kGpt2Vocabulary = 50'257;

/// A size of the model: Megatron's option, the key of a config.json and our name.
struct SizeRow
{
    std::string_view option;
    const char *key;
    std::int64_t Architecture::*size;
    std::int64_t usual; ///< Megatron's default (megatron/training/arguments.py)
};
constexpr std::int64_t kNone = -1; ///< the model has no such part
constexpr std::int64_t kFfn = -2;  ///< as wide as dense layers

constexpr SizeRow kLayers[] = {
    {"--num-layers --encoder-num-layers", "num_hidden_layers", &Architecture::layers, 0},
    {"--hidden-size", "hidden_size", &Architecture::hidden, 0},
    {"--num-attention-heads", "num_attention_heads", &Architecture::heads, 0},
};
constexpr SizeRow kExpertSizes[] = {
    {"--num-experts", "num_experts", &Architecture::experts, 0},
    {"--moe-router-topk", "num_experts_per_tok", &Architecture::expertsPerToken, 2},
    {"--moe-ffn-hidden-size", "moe_intermediate_size", &Architecture::expertFfn, kFfn},
    {"--moe-shared-expert-intermediate-size", "shared_expert_intermediate_size",
     &Architecture::sharedFfn, kNone},
};
constexpr SizeRow kLatentSizes[] = {
    {"--q-lora-rank", "q_lora_rank", &Architecture::qLoraRank, kNone},
    {"--kv-lora-rank", "kv_lora_rank", &Architecture::kvLoraRank, 512},
    {"--qk-head-dim", "qk_nope_head_dim", &Architecture::qkNopeHeadDim, 128},
    {"--qk-pos-emb-head-dim", "qk_rope_head_dim", &Architecture::qkRopeHeadDim, 64},
    {"--v-head-dim", "v_head_dim", &Architecture::vHeadDim, 128},
};

/// Builds the config.json, key by key.
class MegatronModel
{
public:
    explicit MegatronModel(Translation &translation)
        : m_t(translation)
    {
    }

    void import();

private:
    void sizes(std::span<const SizeRow> rows)
    {
        for (const SizeRow &row : rows) {
            const auto stated = m_t.count(row.option);
            if (stated || row.usual != kNone)
                m_config[row.key] = stated.value_or(row.usual == kFfn ? m_ffn : row.usual);
        }
    }
    void shape();
    void feedForward();
    void denseLayers();
    void vocabulary();
    void beside();

    Translation &m_t;
    Json m_config{{"model_type", "gpt"}};
    std::int64_t m_ffn = 0;
    std::int64_t m_padded = 0;
    bool m_gated = false;
};

void MegatronModel::shape()
{
    sizes(kLayers);
    // With the flag alone there is one group.
    const std::int64_t groups = m_t.count("--num-query-groups").value_or(1);
    m_config["num_key_value_heads"] =
        m_t.isOn("--group-query-attention") ? Json(groups) : m_config["num_attention_heads"];
    if (const auto dim = m_t.count("--kv-channels"))
        m_config["head_dim"] = *dim;
}

void MegatronModel::feedForward()
{
    m_gated = m_t.isOn("--swiglu") || m_t.isOn("--geglu") || m_t.isOn("--quick-geglu");
    // Four times the hidden size; two thirds of that if gated, in steps of 64.
    const std::int64_t width =
        std::clamp<std::int64_t>(m_config["hidden_size"].get<std::int64_t>(), 0, kMaxWidth);
    const std::int64_t usual = m_gated ? width * 8 / 3 / 64 * 64 : 4 * width;
    m_ffn = m_t.count("--ffn-hidden-size").value_or(usual);
    m_config["intermediate_size"] = m_ffn;
    if (m_t.has("--num-experts")) {
        sizes(kExpertSizes);
        denseLayers();
    }
    if (m_t.isOn("--multi-latent-attention")) {
        sizes(kLatentSizes);
        m_config.erase("head_dim");
    }
}

/// "1", or Python that begins with dense layers: "([0]*3+[1]*58)".
void MegatronModel::denseLayers()
{
    const auto frequency = m_t.text("--moe-layer-freq");
    if (!frequency || *frequency == "1")
        return;
    std::string text = *frequency;
    std::erase_if(
        text, [](char c) { return std::string_view("() \"'").find(c) != std::string_view::npos; });
    long long dense = 0, sparse = 0;
    int used = 0;
    if (std::sscanf(text.c_str(), "[0]*%4lld+[1]*%4lld%n", &dense, &sparse, &used) == 2 &&
        static_cast<std::size_t>(used) == text.size())
        m_config["first_k_dense_replace"] = dense;
    else
        m_t.note("is not 1 or of the kind ([0]*3+[1]*58); experts are taken to be in every layer.");
}

/// The tokenizer's size, padded to a multiple for tensor parallelism.
void MegatronModel::vocabulary()
{
    const std::int64_t divisor = m_t.count("--make-vocab-size-divisible-by").value_or(128);
    const std::string tokenizer = m_t.text("--tokenizer-type").value_or("");
    const auto model = m_t.text("--tokenizer-model");
    const CatalogueModel *preset = model ? findModelRepository(*model) : nullptr;
    m_padded = m_t.count("--padded-vocab-size").value_or(0);
    std::int64_t size = m_t.count("--vocab-size").value_or(0);
    if (size > 0 && size < kMaxVocabulary && tokenizer == "NullTokenizer")
        ++size; // its end-of-document token
    if (size == 0 && tokenizer == "GPT2BPETokenizer")
        size = kGpt2Vocabulary;
    const CatalogueShape *known = size == 0 && preset ? findCatalogueShape(preset->name) : nullptr;
    if (known)
        size = known->architecture.vocab; // 0 if that is not computed
    if (size == 0)
        size = m_padded;
    if (size == 0) {
        m_t.note("--vocab-size", "is not stated, the tokenizer decides it; set vocab_size in "
                                 "model.config.");
        return;
    }
    m_config["vocab_size"] = size;
    const std::int64_t tensor = m_t.plan().parallel.tensor.value_or(1);
    const bool inRange = divisor > 0 && divisor <= kMaxWidth && size > 0 && size <= kMaxVocabulary;
    if (m_padded == 0 && inRange) {
        const std::int64_t step = divisor * tensor;
        m_padded = (size + step - 1) / step * step;
    }
}

void MegatronModel::beside()
{
    if (m_padded > 0)
        m_t.set("model.vocab_size_padded", m_padded);
    const bool rms = m_t.text("--normalization") == "RMSNorm";
    m_t.set("model.norm", rms ? "rmsnorm" : "layernorm");
    m_t.set("model.gated_mlp", m_gated);
    const bool biases = !m_t.isOn("--disable-bias-linear");
    TextList list;
    if (biases || m_t.isOn("--add-qkv-bias"))
        list.emplace_back("qkv");
    if (biases)
        list.insert(list.end(), {"o", "mlp"});
    m_t.set("model.bias", list);
    if (m_t.isOn("--qk-layernorm"))
        m_t.set("model.qk_norm", true);
    const std::string positions = m_t.text("--position-embedding-type").value_or("");
    const bool learned = (positions.empty() || positions == "learned_absolute") &&
                         !m_t.isOn("--use-rotary-position-embeddings") &&
                         !m_t.isOn("--no-position-embedding");
    const auto longest = m_t.count("--max-position-embeddings");
    m_t.set("model.learned_positions", learned ? longest.value_or(0) : 0);
}

void MegatronModel::import()
{
    if (!m_t.has("--num-layers") && !m_t.has("--hidden-size"))
        return;
    shape();
    feedForward();
    vocabulary();
    m_config["tie_word_embeddings"] = !m_t.isOn("--untie-embeddings-and-output-weights");
    if (const auto longest = m_t.count("--max-position-embeddings"))
        m_config["max_position_embeddings"] = *longest;
    m_t.clear("model");
    m_t.set("model.config", m_config.dump(-1, ' ', false, Json::error_handler_t::replace));
    beside();
}

void writeSizes(Outline &o, std::span<const SizeRow> rows)
{
    for (const SizeRow &row : rows) {
        const std::int64_t size = o.settings().architecture.*row.size;
        if (size > 0 || row.usual != kNone)
            o.put(firstWord(row.option), size);
    }
}

void writeBlocks(Outline &o)
{
    const Architecture &a = o.settings().architecture;
    writeSizes(o, kLayers);
    if (a.kvHeads != a.heads) {
        o.put("--group-query-attention", true);
        o.put("--num-query-groups", a.kvHeads);
    }
    if (a.mla()) {
        o.put("--multi-latent-attention", true);
        writeSizes(o, kLatentSizes);
    } else {
        o.put("--kv-channels", a.headDim);
    }
    o.put("--normalization", a.norm == NormKind::RmsNorm ? "RMSNorm" : "LayerNorm");
    const Biases &bias = a.bias;
    o.putIf(!bias.mlp, "--disable-bias-linear");
    o.putIf(bias.qkv && !bias.mlp, "--add-qkv-bias");
    const bool sayable = bias.o == bias.mlp && (bias.qkv || !bias.mlp);
    o.covered({"model.bias"}, sayable && !bias.head && !bias.expert && !bias.router);
    o.putIf(a.qkNorm, "--qk-layernorm");
    const bool learned = a.learnedPositions > 0;
    o.put("--position-embedding-type", learned ? "learned_absolute" : "rope");
    const std::int64_t positions = learned ? a.learnedPositions : a.maxPositions;
    if (positions > 0)
        o.put("--max-position-embeddings", positions);
}

} // namespace

void importMegatronModel(Translation &translation)
{
    MegatronModel(translation).import();
}

void writeMegatronModel(Outline &o)
{
    const Architecture &a = o.settings().architecture;
    o.covered({"model.preset", "model.config", "model.norm", "model.gated_mlp",
               "model.learned_positions", "model.qk_norm", "model.vocab_size_padded"});
    writeBlocks(o);
    o.putIf(a.gatedMlp, "--swiglu");
    o.put("--ffn-hidden-size", a.ffn > 0 ? a.ffn : a.expertFfn);
    if (a.moe())
        writeSizes(o, kExpertSizes);
    if (a.moe() && a.denseLayers > 0)
        o.put("--moe-layer-freq", "\"([0]*" + std::to_string(a.denseLayers) + "+[1]*" +
                                      std::to_string(a.layers - a.denseLayers) + ")\"");
    // The catalogue's size before padding, and the plan's setting for it.
    o.put("--padded-vocab-size", a.vocab);
    o.putIf(!a.tiedEmbeddings, "--untie-embeddings-and-output-weights");
}

} // namespace vramscope
