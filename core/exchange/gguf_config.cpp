// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/exchange/import_checkpoint.h"

#include "core/base/format.h"
#include "core/base/json_text.h"
#include "core/base/text.h"
#include "core/catalog/model_types.h"

#include <nlohmann/json.hpp>

#include <algorithm>

namespace vramscope {

namespace {

using Json = nlohmann::ordered_json;

class ConfigWriter
{
public:
    ConfigWriter(const Checkpoint &checkpoint, const ModelType &kind)
        : m_checkpoint(checkpoint)
        , m_file(*checkpoint.gguf)
        , m_kind(kind)
    {
    }

    Result<std::string> write();

private:
    [[nodiscard]] std::string keyOf(std::string_view key) const
    {
        return m_kind.gguf + '.' + std::string(key);
    }
    /// One number, or one per layer if all nonzero ones are equal.
    std::optional<std::int64_t> number(std::string_view key);
    std::int64_t required(std::string_view key);
    void carry(const char *name, std::string_view key)
    {
        if (const auto value = number(key))
            m_json[name] = *value;
    }
    void fail(std::string text)
    {
        if (!m_error)
            m_error = Error{ErrorCode::Unsupported, std::move(text)};
    }
    /// The first tensor whose name has this ending, or nullptr.
    [[nodiscard]] const StoredTensor *tensor(std::string_view end) const;

    void writeHeads();
    void writeLatent();
    void writeExperts();
    void writeWindow();

    const Checkpoint &m_checkpoint;
    const GgufFile &m_file;
    const ModelType &m_kind;
    Json m_json;
    std::int64_t m_layers = 0;
    std::optional<Error> m_error;
};

std::optional<std::int64_t> ConfigWriter::number(std::string_view key)
{
    const std::string path = keyOf(key);
    const auto found = m_file.keys.find(path);
    if (found == m_file.keys.end())
        return std::nullopt;
    std::optional<std::int64_t> same;
    for (const GgufScalar &each : found->second.first) {
        const auto *value = std::get_if<std::int64_t>(&each);
        if (!value || *value < 0) {
            fail(path + " is no number of at least 0.");
            return std::nullopt;
        }
        if (found->second.isArray && *value == 0)
            continue;
        if (same && *same != *value) {
            fail(path + " differs from layer to layer, which is not carried over.");
            return std::nullopt;
        }
        same = *value;
    }
    return same;
}

std::int64_t ConfigWriter::required(std::string_view key)
{
    const auto value = number(key);
    if (!value || *value == 0)
        fail(keyOf(key) + " is missing.");
    return value.value_or(0);
}

const StoredTensor *ConfigWriter::tensor(std::string_view end) const
{
    const auto found = std::ranges::find_if(
        m_checkpoint.tensors, [end](const StoredTensor &each) { return each.name.ends_with(end); });
    return found == m_checkpoint.tensors.end() ? nullptr : &*found;
}

void ConfigWriter::writeLatent()
{
    const std::int64_t rotary = required("rope.dimension_count");
    // Files from before April 2025 have only the widths of the expanded heads.
    const auto keyWidth = number("attention.key_length_mla");
    const std::int64_t key = keyWidth ? *keyWidth : required("attention.key_length");
    const auto valueWidth = number("attention.value_length_mla");
    m_json["kv_lora_rank"] = required("attention.kv_lora_rank");
    carry("q_lora_rank", "attention.q_lora_rank");
    m_json["qk_rope_head_dim"] = rotary;
    m_json["qk_nope_head_dim"] = key - rotary;
    m_json["v_head_dim"] = valueWidth ? *valueWidth : required("attention.value_length");
    if (key <= rotary)
        fail(keyOf("attention.key_length_mla") + " is not above " + keyOf("rope.dimension_count") +
             '.');
}

void ConfigWriter::writeHeads()
{
    const std::int64_t heads = required("attention.head_count");
    m_json["num_attention_heads"] = heads;
    if (number("attention.kv_lora_rank")) {
        m_json["num_key_value_heads"] = heads;
        writeLatent();
        return;
    }
    const auto shared = m_file.keys.find(keyOf("attention.head_count_kv"));
    if (shared != m_file.keys.end() && shared->second.isArray &&
        std::ranges::find(shared->second.first, GgufScalar(std::int64_t(0))) !=
            shared->second.first.end())
        fail(shared->first + " is 0 in some layers: layers without attention are not carried "
                             "over.");
    m_json["num_key_value_heads"] = number("attention.head_count_kv").value_or(heads);
    const auto key = number("attention.key_length");
    const auto value = number("attention.value_length");
    if (key && value && *key != *value)
        fail("Keys and values have different widths (" + keyOf("attention.value_length") +
             "), which is not carried over.");
    if (key)
        m_json["head_dim"] = *key;
    if (m_kind.ggufBias)
        m_json["attention_bias"] = tensor(".attn_q.bias") != nullptr;
}

void ConfigWriter::writeExperts()
{
    const std::int64_t experts = number("expert_count").value_or(0);
    const std::string &keys = m_kind.ggufExperts;
    if (experts == 0) {
        if (!keys.empty() && keys != "mixtral")
            fail(keyOf("expert_count") + " is missing.");
        return;
    }
    const auto width = number("expert_feed_forward_length");
    const std::int64_t used = required("expert_used_count");
    m_json["num_experts_per_tok"] = used;
    if (keys == "mixtral") {
        m_json["model_type"] = keys;
        m_json["num_local_experts"] = experts;
    } else if (keys == "gpt_oss") {
        m_json["num_local_experts"] = experts;
        m_json["intermediate_size"] = width.value_or(required("feed_forward_length"));
    } else if (keys == "qwen") {
        m_json["num_experts"] = experts;
        m_json["moe_intermediate_size"] = width ? *width : required("expert_feed_forward_length");
        if (const StoredTensor *up = tensor(".ffn_up_shexp.weight"); up && up->shape.size() == 2)
            m_json["shared_expert_intermediate_size"] = up->shape.front();
    } else if (keys == "deepseek") {
        if (m_kind.gguf == "deepseek2" && !tensor(".exp_probs_b.bias"))
            m_json["model_type"] = "deepseek_v2";
        m_json["n_routed_experts"] = experts;
        m_json["moe_intermediate_size"] = width ? *width : required("expert_feed_forward_length");
        m_json["first_k_dense_replace"] = number("leading_dense_block_count").value_or(0);
        m_json["n_shared_experts"] = number("expert_shared_count").value_or(0);
        if (m_kind.gguf == "glm4moe")
            m_json["use_qk_norm"] = tensor(".attn_q_norm.weight") != nullptr;
    } else {
        fail("Experts of " + m_kind.gguf + " are not carried over.");
    }
}

void ConfigWriter::writeWindow()
{
    const std::int64_t window = number("attention.sliding_window").value_or(0);
    if (m_kind.fullEvery == 0 || window == 0)
        return;
    m_json["sliding_window"] = window;
    Json types = Json::array();
    for (const bool slides : slidingPattern(m_layers, m_kind.fullEvery))
        types.push_back(slides ? "sliding_attention" : "full_attention");
    m_json["layer_types"] = std::move(types);
}

Result<std::string> ConfigWriter::write()
{
    constexpr std::int64_t kMostLayers = 10'000;
    m_json["model_type"] = m_kind.name;
    m_json["hidden_size"] = required("embedding_length");
    const std::int64_t blocks = required("block_count");
    const std::int64_t prediction = number("nextn_predict_layers").value_or(0);
    m_layers = blocks - prediction; // block_count includes prediction
    if (m_layers < 1 || m_layers > kMostLayers)
        fail(keyOf("block_count") + " is " + formatCount(blocks) + ", which no model has.");
    m_json["num_hidden_layers"] = m_layers;
    if (prediction > 0)
        m_json["num_nextn_predict_layers"] = prediction;
    if (const auto width = number("feed_forward_length"))
        m_json["intermediate_size"] = *width;
    carry("max_position_embeddings", "context_length");
    const StoredTensor *embedding = tensor("token_embd.weight");
    const std::int64_t tokens = m_file.countOf("tokenizer.ggml.tokens");
    if (embedding && embedding->shape.size() == 2)
        m_json["vocab_size"] = embedding->shape.front();
    else if (tokens > 0)
        m_json["vocab_size"] = tokens;
    else
        m_json["vocab_size"] = required("vocab_size");
    m_json["tie_word_embeddings"] =
        std::ranges::none_of(m_checkpoint.tensors,
                             [](const StoredTensor &each) { return each.name == "output.weight"; });
    writeHeads();
    writeExperts();
    if (m_layers > 0 && m_layers <= kMostLayers)
        writeWindow();
    if (m_error)
        return *m_error;
    return jsonText(m_json);
}

} // namespace

Result<std::string> ggufConfig(const Checkpoint &checkpoint)
{
    const std::string architecture = checkpoint.gguf->text("general.architecture");
    if (architecture.empty())
        return Error{ErrorCode::Unsupported,
                     "The keys of the model are not there (general.architecture), so its layers "
                     "are not known."};
    const ModelType *kind = findModelType(architecture, &ModelType::gguf);
    if (!kind)
        return Error{ErrorCode::Unsupported,
                     "The layers of the architecture \"" + excerpt(architecture, 60) +
                         "\" are not known. Set model.preset or model.config to the model's own."};
    return ConfigWriter(checkpoint, *kind).write();
}

} // namespace vramscope
