// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/nearest.h"
#include "core/catalog/model_types.h"
#include "core/catalog/models.h"
#include "core/planner/parameters.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <initializer_list>
#include <limits>

namespace vramscope {

namespace {

using Json = nlohmann::json;
using Keys = std::initializer_list<const char *>; ///< one meaning, spelled by different classes

// Far above every real model, and low enough that no product of two of them leaves 64 bits.
constexpr std::int64_t kMaxLayers = 10'000;
constexpr std::int64_t kMaxWidth = 1'000'000;
constexpr std::int64_t kMaxFfn = 10'000'000;
constexpr std::int64_t kMaxHeads = 100'000;
constexpr std::int64_t kMaxVocabulary = 100'000'000;
constexpr std::int64_t kMaxPositions = 1'000'000'000;
constexpr double kMaxParameters = 1e15;

Error invalid(std::string text)
{
    return {ErrorCode::Invalid, std::move(text)};
}

/// Reads keys of a config.json; the first failure sticks and later reads give their fallback.
class ConfigReader
{
public:
    explicit ConfigReader(const Json &config)
        : m_config(config)
    {
    }

    [[nodiscard]] const std::optional<Error> &error() const { return m_error; }

    void fail(std::string_view key, const std::string &text)
    {
        if (!m_error)
            m_error = invalid("model.config." + std::string(key) + ' ' + text);
    }

    /// The first of `keys` that is stated and not null.
    [[nodiscard]] const Json *find(Keys keys, const char **found = nullptr) const
    {
        for (const char *key : keys) {
            const auto it = m_config.find(key);
            if (it != m_config.end() && !it->is_null()) {
                if (found)
                    *found = key;
                return &*it;
            }
        }
        return nullptr;
    }

    std::int64_t count(Keys keys, std::int64_t minimum, std::int64_t maximum, std::int64_t fallback)
    {
        const char *key = *keys.begin();
        const Json *value = find(keys, &key);
        if (!value)
            return fallback;
        const bool whole = value->is_number_integer();
        const bool huge =
            value->is_number_unsigned() &&
            value->get<std::uint64_t>() > std::uint64_t(std::numeric_limits<std::int64_t>::max());
        const std::int64_t number = whole && !huge ? value->get<std::int64_t>() : maximum;
        if (!whole || huge || number < minimum || number > maximum) {
            fail(key, "is " + value->dump().substr(0, 40) + "; it must be a whole number from " +
                          std::to_string(minimum) + " to " + std::to_string(maximum) + ".");
            return fallback;
        }
        return number;
    }

    std::int64_t required(Keys keys, std::int64_t maximum)
    {
        if (!find(keys))
            fail(*keys.begin(),
                 "is missing: the model's shape is not complete without it." + hint());
        return count(keys, 1, maximum, 1);
    }

    bool flag(const char *key, bool fallback)
    {
        const Json *value = find({key});
        if (!value)
            return fallback;
        if (!value->is_boolean()) {
            fail(key, "is " + value->dump().substr(0, 40) + "; it must be true or false.");
            return fallback;
        }
        return value->get<bool>();
    }

private:
    [[nodiscard]] std::string hint() const
    {
        return m_config.contains("text_config")
                   ? " This config describes several parts; give its text_config instead."
                   : "";
    }

    const Json &m_config;
    std::optional<Error> m_error;
};

void readAttention(ConfigReader &config, const ModelType &type, Architecture &it)
{
    it.heads = config.required({"num_attention_heads", "n_head"}, kMaxHeads);
    it.kvHeads = config.count({"num_key_value_heads"}, 1, kMaxHeads, it.heads);
    it.kvLoraRank = config.count({"kv_lora_rank"}, 0, kMaxWidth, 0);
    if (it.mla()) {
        it.qLoraRank = config.count({"q_lora_rank"}, 0, kMaxWidth, 0);
        it.qkNopeHeadDim = config.required({"qk_nope_head_dim"}, kMaxWidth);
        it.qkRopeHeadDim = config.required({"qk_rope_head_dim"}, kMaxWidth);
        it.vHeadDim = config.required({"v_head_dim"}, kMaxWidth);
        it.headDim = it.qkNopeHeadDim + it.qkRopeHeadDim;
    } else {
        const std::int64_t even = std::max<std::int64_t>(1, it.hidden / it.heads);
        it.headDim = config.count({"head_dim"}, 1, kMaxHeads, even);
        if (it.heads % it.kvHeads != 0)
            config.fail("num_key_value_heads", "must divide num_attention_heads.");
    }
    it.tiedEmbeddings = config.flag("tie_word_embeddings", type.tiedEmbeddings);
    if (config.find({"attention_bias"}))
        it.bias.qkv = it.bias.o = config.flag("attention_bias", false);
    it.bias.mlp = config.flag("mlp_bias", it.bias.mlp);
    if (it.mla() && it.bias.qkv)
        config.fail("attention_bias", "is not supported with latent attention.");
}

/// Dense layers may lead, as first_k_dense_replace or as mlp_only_layers; experts in every n-th
/// layer only have no place in an Architecture.
std::int64_t readDenseLayers(ConfigReader &config, const Architecture &it)
{
    for (const char *key : {"decoder_sparse_step", "moe_layer_freq"}) {
        if (config.count({key}, 1, kMaxLayers, 1) != 1)
            config.fail(key, "above 1 is not supported: experts must be in every layer after the "
                             "first dense ones.");
    }
    if (const Json *dense = config.find({"mlp_only_layers"}); dense && !dense->empty()) {
        Json leading = Json::array();
        for (std::size_t layer = 0; layer < dense->size(); ++layer)
            leading.push_back(layer);
        if (*dense != leading)
            config.fail("mlp_only_layers", "must be the first layers: 0, 1, …");
        return std::min(it.layers, static_cast<std::int64_t>(dense->size()));
    }
    return config.count({"first_k_dense_replace"}, 0, it.layers, 0);
}

void readFeedForward(ConfigReader &config, const ModelType &type, Architecture &it)
{
    it.ffn = config.count({"intermediate_size", "n_inner"}, 1, kMaxFfn, 0);
    const Keys counts = {"num_local_experts", "num_experts", "n_routed_experts"};
    it.experts =
        type.experts ? config.required(counts, kMaxHeads) : config.count(counts, 0, kMaxHeads, 0);
    if (it.moe()) {
        it.expertsPerToken =
            config.required({"num_experts_per_tok", "experts_per_token"}, kMaxHeads);
        if (it.expertsPerToken > it.experts)
            config.fail("num_experts_per_tok", "is more than there are experts.");
        it.expertFfn = config.count({"moe_intermediate_size"}, 1, kMaxFfn, it.ffn);
        it.sharedExperts = config.count({"n_shared_experts"}, 0, kMaxHeads, 0);
        const std::int64_t shared = it.sharedExperts * it.expertFfn;
        it.sharedFfn = config.count({"shared_expert_intermediate_size"}, 0, kMaxFfn, shared);
        if (it.sharedFfn > 0)
            it.sharedExperts = std::max<std::int64_t>(1, it.sharedExperts);
        it.denseLayers = readDenseLayers(config, it);
        if (it.expertFfn == 0)
            config.required({"moe_intermediate_size"}, kMaxFfn);
    }
    if (it.ffn == 0 && it.modelType == "gpt2")
        it.ffn = 4 * it.hidden; // n_inner: null
    if (it.ffn == 0 && (!it.moe() || it.denseLayers > 0))
        config.required({"intermediate_size"}, kMaxFfn);
}

void readLayerTypes(ConfigReader &config, const Json &list, Architecture &it)
{
    if (!list.is_array() || list.size() != static_cast<std::size_t>(it.layers)) {
        config.fail("layer_types", "must be a list with one word for each of the " +
                                       std::to_string(it.layers) + " layers.");
        return;
    }
    for (const Json &word : list) {
        if (word != "sliding_attention" && word != "full_attention") {
            config.fail("layer_types", "holds " + word.dump().substr(0, 40) +
                                           "; known are sliding_attention and full_attention.");
            return;
        }
        it.slidingLayers.push_back(word == "sliding_attention");
    }
    if (std::ranges::none_of(it.slidingLayers, std::identity()))
        it.slidingLayers.clear(), it.slidingWindow = 0;
    else if (it.slidingWindow == 0)
        config.fail("sliding_window", "is missing: layer_types names sliding layers.");
}

void readWindow(ConfigReader &config, const ModelType &type, Architecture &it)
{
    it.slidingWindow = config.count({"sliding_window"}, 1, kMaxPositions, 0);
    if (!config.flag("use_sliding_window", !type.windowNeedsFlag)) {
        it.slidingWindow = 0;
        return;
    }
    if (const Json *list = config.find({"layer_types"})) {
        readLayerTypes(config, *list, it);
    } else if (it.slidingWindow > 0 && type.fullEvery > 0) {
        const std::int64_t every =
            config.count({"sliding_window_pattern"}, 1, kMaxLayers, type.fullEvery);
        it.slidingLayers = slidingPattern(it.layers, every);
    } else if (it.slidingWindow > 0 && type.windowNeedsFlag) {
        const std::int64_t full = config.count({"max_window_layers"}, 0, kMaxLayers, 0);
        for (std::int64_t layer = 0; layer < it.layers; ++layer)
            it.slidingLayers.push_back(layer >= full);
    }
}

Result<Architecture> readConfig(const std::string &text, const PlanModel &model)
{
    const Json json = Json::parse(text, nullptr, false);
    if (!json.is_object())
        return invalid("model.config must be an object: the content of a config.json.");
    ConfigReader config(json);
    std::string name;
    if (const Json *stated = config.find({"model_type"})) {
        if (!stated->is_string())
            config.fail("model_type", "must be a text.");
        else
            name = stated->get<std::string>();
    }
    const ModelType *known = findModelType(name);
    const ModelType type = known ? *known : ModelType{};
    Architecture it = architectureOfType(type);
    it.modelType = name;
    it.layers = config.required({"num_hidden_layers", "n_layer"}, kMaxLayers);
    it.hidden = config.required({"hidden_size", "n_embd"}, kMaxWidth);
    it.vocab = config.required({"vocab_size"}, kMaxVocabulary);
    const Keys positions = {"max_position_embeddings", "n_positions", "n_ctx"};
    it.maxPositions = config.count(positions, 1, kMaxPositions, 0);
    if (type.learnedPositions && !model.learnedPositions)
        it.learnedPositions = config.required(positions, kMaxPositions);
    it.typeVocab = type.typeVocab > 0 ? config.count({"type_vocab_size"}, 0, kMaxHeads, 2) : 0;
    readAttention(config, type, it);
    readFeedForward(config, type, it);
    readWindow(config, type, it);
    if (type.pooler)
        it.extraParameters = it.hidden * it.hidden + it.hidden;
    if (config.error())
        return *config.error();
    return it;
}

Biases biasesOf(const TextList &names)
{
    const auto has = [&names](std::string_view name) {
        return std::ranges::find(names, name) != names.end();
    };
    return {.qkv = has("qkv"),
            .o = has("o"),
            .mlp = has("mlp"),
            .head = has("head"),
            .expert = has("expert"),
            .router = has("router")};
}

/// What the plan states beside preset or config wins.
void applyOverrides(const PlanModel &model, Architecture &it)
{
    if (model.norm)
        it.norm = *model.norm == "layernorm" ? NormKind::LayerNorm : NormKind::RmsNorm;
    if (model.bias)
        it.bias = biasesOf(*model.bias);
    it.gatedMlp = model.gatedMlp.value_or(it.gatedMlp);
    it.learnedPositions = model.learnedPositions.value_or(it.learnedPositions);
    it.qkNorm = model.qkNorm.value_or(it.qkNorm);
    it.normsPerLayer = model.normsPerLayer.value_or(it.normsPerLayer);
    it.attentionSinks = model.attentionSinks.value_or(it.attentionSinks);
    it.vocab = model.vocabSizePadded.value_or(it.vocab);
}

/// An upper bound of the parameter count in floating point, where nothing overflows.
double roughParameters(const Architecture &it)
{
    const auto real = [](std::int64_t value) { return static_cast<double>(value); };
    const double attention =
        real(it.heads) * real(std::max(it.headDim, it.qkNopeHeadDim + it.vHeadDim));
    const double ranks = real(it.qLoraRank) + real(it.kvLoraRank);
    const double inner = real(it.ffn) + real(it.experts) * (real(it.expertFfn) + 1) +
                         real(it.sharedFfn) + real(it.normsPerLayer);
    return real(it.layers) *
               (real(it.hidden) * (4 * attention + ranks + 4 * inner) + 2 * ranks * attention) +
           2 * (real(it.vocab) + real(it.learnedPositions) + real(it.typeVocab)) * real(it.hidden);
}

Result<Architecture> presetArchitecture(const std::string &name)
{
    if (const ModelPreset *preset = findModelPreset(name))
        return preset->architecture;
    std::vector<std::string_view> known;
    for (const ModelPreset &preset : modelPresets())
        known.push_back(preset.name);
    return invalid("model.preset: there is no model named '" + name.substr(0, 80) + "'" +
                   didYouMean(name, known) + ".");
}

} // namespace

Result<Architecture> architectureOf(const PlanModel &model)
{
    if (model.preset && model.config)
        return invalid("model.preset and model.config exclude each other; keep one of them.");
    if (!model.preset && !model.config)
        return invalid("model.preset: name a model, or give the content of its config.json as "
                       "model.config.");
    Result<Architecture> found =
        model.preset ? presetArchitecture(*model.preset) : readConfig(*model.config, model);
    if (!found)
        return found;
    if (model.vocabSizePadded && *model.vocabSizePadded < found->vocab)
        return invalid("model.vocab_size_padded is smaller than the vocabulary of " +
                       std::to_string(found->vocab) + ".");
    applyOverrides(model, *found);
    if (roughParameters(*found) > kMaxParameters)
        return invalid("model.config describes a model of more than 10^15 parameters.");
    return found;
}

} // namespace vramscope
