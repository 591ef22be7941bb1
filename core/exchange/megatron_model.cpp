// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/exchange/megatron_model.h"

#include "core/catalog/model_names.h"
#include "core/planner/catalogue_shapes.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <cstdio>

namespace vramscope {

namespace {

using Json = nlohmann::ordered_json;

constexpr std::int64_t kMaxWidth = 1'000'000;
constexpr std::int64_t kMaxVocabulary = 100'000'000;
constexpr std::int64_t kGpt2Vocabulary = 50'257;

/// Builds the config.json, key by key; what is not stated is Megatron's default
/// (megatron/training/arguments.py).
class MegatronModel
{
public:
    explicit MegatronModel(Translation &translation)
        : m_t(translation)
    {
    }

    void import();

private:
    void shape();
    void feedForward();
    void experts();
    void denseLayers();
    void latentAttention();
    void vocabulary();
    void beside();
    bool on(Translation::Keys keys) { return m_t.flag(keys).value_or(false); }
    std::int64_t put(const char *key, Translation::Keys keys, std::int64_t otherwise)
    {
        const std::int64_t value = m_t.count(keys).value_or(otherwise);
        m_config[key] = value;
        return value;
    }

    Translation &m_t;
    Json m_config{{"model_type", "gpt"}};
    std::int64_t m_hidden = 0;
    std::int64_t m_ffn = 0;
    std::int64_t m_padded = 0;
    bool m_gated = false;
};

void MegatronModel::shape()
{
    put("num_hidden_layers", {"--num-layers", "--encoder-num-layers"}, 0);
    m_hidden = put("hidden_size", {"--hidden-size"}, 0);
    const std::int64_t heads = put("num_attention_heads", {"--num-attention-heads"}, 0);
    // With the flag alone there is one group.
    const std::int64_t groups = m_t.count({"--num-query-groups"}).value_or(1);
    m_config["num_key_value_heads"] = on({"--group-query-attention"}) ? groups : heads;
    if (const auto dim = m_t.count({"--kv-channels"}))
        m_config["head_dim"] = *dim;
}

void MegatronModel::feedForward()
{
    m_gated = on({"--swiglu"}) || on({"--geglu"}) || on({"--quick-geglu"});
    // Four times the hidden size; gated ones two thirds of it, in steps of 64.
    const std::int64_t width = std::clamp<std::int64_t>(m_hidden, 0, kMaxWidth);
    const std::int64_t usual = m_gated ? width * 8 / 3 / 64 * 64 : 4 * width;
    m_ffn = put("intermediate_size", {"--ffn-hidden-size"}, usual);
    if (m_t.has("--num-experts"))
        experts();
    if (on({"--multi-latent-attention"}))
        latentAttention();
}

void MegatronModel::experts()
{
    put("num_experts", {"--num-experts"}, 0);
    put("num_experts_per_tok", {"--moe-router-topk"}, 2);
    put("moe_intermediate_size", {"--moe-ffn-hidden-size"}, m_ffn);
    if (const auto shared = m_t.count({"--moe-shared-expert-intermediate-size"}))
        m_config["shared_expert_intermediate_size"] = *shared;
    denseLayers();
}

/// "1", or Python that begins with dense layers: "([0]*3+[1]*58)".
void MegatronModel::denseLayers()
{
    const auto frequency = m_t.text({"--moe-layer-freq"});
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

void MegatronModel::latentAttention()
{
    if (const auto rank = m_t.count({"--q-lora-rank"}))
        m_config["q_lora_rank"] = *rank;
    put("kv_lora_rank", {"--kv-lora-rank"}, 512);
    put("qk_nope_head_dim", {"--qk-head-dim"}, 128);
    put("qk_rope_head_dim", {"--qk-pos-emb-head-dim"}, 64);
    put("v_head_dim", {"--v-head-dim"}, 128);
    m_config.erase("head_dim");
}

/// The tokenizer's size, and what padding to a multiple for tensor parallelism makes of it.
void MegatronModel::vocabulary()
{
    const std::int64_t divisor = m_t.count({"--make-vocab-size-divisible-by"}).value_or(128);
    const std::string tokenizer = m_t.text({"--tokenizer-type"}).value_or("");
    const auto model = m_t.text({"--tokenizer-model"});
    const CatalogueModel *preset = model ? findModelRepository(*model) : nullptr;
    m_padded = m_t.count({"--padded-vocab-size"}).value_or(0);
    std::int64_t size = m_t.count({"--vocab-size"}).value_or(0);
    if (size > 0 && size < kMaxVocabulary && tokenizer == "NullTokenizer")
        ++size; // its end-of-document token
    if (size == 0 && tokenizer == "GPT2BPETokenizer")
        size = kGpt2Vocabulary;
    const CatalogueShape *known = size == 0 && preset ? findCatalogueShape(preset->name) : nullptr;
    if (known)
        size = known->architecture.vocab; // 0 where that is not computed
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
    const std::string norm = m_t.text({"--normalization"}).value_or("LayerNorm");
    m_t.set("model.norm", norm == "RMSNorm" ? "rmsnorm" : "layernorm");
    m_t.set("model.gated_mlp", m_gated);
    const bool biases = !on({"--disable-bias-linear"});
    TextList list;
    if (biases || on({"--add-qkv-bias"}))
        list.emplace_back("qkv");
    if (biases)
        list.insert(list.end(), {"o", "mlp"});
    m_t.set("model.bias", list);
    if (on({"--qk-layernorm"}))
        m_t.set("model.qk_norm", true);
    const std::string positions = m_t.text({"--position-embedding-type"}).value_or("");
    const bool learned = (positions.empty() || positions == "learned_absolute") &&
                         !on({"--use-rotary-position-embeddings"}) &&
                         !on({"--no-position-embedding"});
    const auto longest = m_t.count({"--max-position-embeddings"});
    m_t.set("model.learned_positions", learned ? longest.value_or(0) : 0);
}

void MegatronModel::import()
{
    if (!m_t.has("--num-layers") && !m_t.has("--hidden-size"))
        return;
    shape();
    feedForward();
    vocabulary();
    m_config["tie_word_embeddings"] = !on({"--untie-embeddings-and-output-weights"});
    if (const auto longest = m_t.count({"--max-position-embeddings"}))
        m_config["max_position_embeddings"] = *longest;
    m_t.clear("model");
    m_t.set("model.config", m_config.dump(-1, ' ', false, Json::error_handler_t::replace));
    beside();
}

} // namespace

void importMegatronModel(Translation &translation)
{
    MegatronModel(translation).import();
}

} // namespace vramscope
