// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/catalog/model_types.h"

#include "core/base/json_text.h"
#include "core/base/parts.h"
#include "core/base/shipped_documents.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <array>
#include <cassert>
#include <map>

namespace vramscope {

namespace {

using Json = nlohmann::ordered_json;

template<class Value>
void take(const Json &json, Value &value)
{
    value = json.get<Value>();
}

void take(const Json &json, NormKind &norm)
{
    norm = json == "layernorm" ? NormKind::LayerNorm : NormKind::RmsNorm;
}

void take(const Json &json, Activation &activation)
{
    activation = json == "relu"           ? Activation::Relu
                 : json == "clamped_gate" ? Activation::ClampedGate
                                          : Activation::GeluNew;
}

void take(const Json &json, AttentionGate &gate)
{
    gate = json == "per-head" ? AttentionGate::PerHead : AttentionGate::Separate;
}

void take(const Json &json, Biases &bias)
{
    const auto words = json.get<std::string>();
    const auto has = [parts = partsOf(words, ' ')](std::string_view word) {
        return std::ranges::find(parts, word) != parts.end();
    };
    bias = {.qkv = has("qkv"),
            .o = has("o"),
            .mlp = has("mlp"),
            .head = has("head"),
            .expert = has("expert"),
            .router = has("router")};
}

// What a property sets: a member of the type, of its architecture, or of its default shape.
template<auto Member>
void own(const Json &json, ModelType &type)
{
    take(json, type.*Member);
}
template<auto Member>
void inBlock(const Json &json, ModelType &type)
{
    take(json, type.architecture.*Member);
}
template<auto Member>
void byDefault(const Json &json, ModelType &type)
{
    take(json, type.defaults.*Member);
}

struct Property
{
    std::string_view key;
    void (*set)(const Json &, ModelType &);
};

constexpr auto kProperties = std::to_array<Property>({
    {"norm", inBlock<&Architecture::norm>},
    {"gated_mlp", inBlock<&Architecture::gatedMlp>},
    {"bias", inBlock<&Architecture::bias>},
    {"fused_qkv", inBlock<&Architecture::fusedQkv>},
    {"qk_norm", inBlock<&Architecture::qkNorm>},
    {"qk_norm_whole", inBlock<&Architecture::qkNormWhole>},
    {"norms_per_layer", inBlock<&Architecture::normsPerLayer>},
    {"norm_bias", inBlock<&Architecture::normBias>},
    {"norm_weight", inBlock<&Architecture::normWeight>},
    {"norm_in_fp32", inBlock<&Architecture::normInFp32>},
    {"norm_bytes", inBlock<&Architecture::normBytes>},
    {"attention_sinks", inBlock<&Architecture::attentionSinks>},
    {"attention_gate", inBlock<&Architecture::attentionGate>},
    {"router_correction_bias", inBlock<&Architecture::routerCorrectionBias>},
    {"router_in_fp32", inBlock<&Architecture::routerInFp32>},
    {"scores_in_fp32", inBlock<&Architecture::scoresInFp32>},
    {"shared_gate", inBlock<&Architecture::sharedGate>},
    {"experts_on_all", inBlock<&Architecture::expertsOnAll>},
    {"lays_out_heads", inBlock<&Architecture::laysOutHeads>},
    {"logit_buffer", inBlock<&Architecture::logitBuffer>},
    {"rotary", inBlock<&Architecture::rotary>},
    {"broadcasts_key", inBlock<&Architecture::broadcastsKey>},
    {"logit_soft_cap", inBlock<&Architecture::logitSoftCap>},
    {"score_soft_cap", inBlock<&Architecture::scoreSoftCap>},
    {"fused_gate_up", inBlock<&Architecture::fusedGateUp>},
    // Where the config does not say:
    {"activation", inBlock<&Architecture::activation>},
    {"tied_embeddings", inBlock<&Architecture::tiedEmbeddings>},
    {"type_vocab", inBlock<&Architecture::typeVocab>},
    {"partial_rotary", inBlock<&Architecture::partialRotary>},

    {"learned_positions", own<&ModelType::learnedPositions>},
    {"shared_bias", own<&ModelType::sharedBias>},
    {"experts", own<&ModelType::experts>},
    {"pooler", own<&ModelType::pooler>},
    {"full_every", own<&ModelType::fullEvery>},
    {"window_needs_flag", own<&ModelType::windowNeedsFlag>},
    {"embedding_norm", own<&ModelType::embeddingNorm>},
    {"ffn_over_hidden", own<&ModelType::ffnOverHidden>},
    {"ffn_counts_both", own<&ModelType::ffnCountsBoth>},
    {"position_offset", own<&ModelType::positionOffset>},
    {"multi_query", own<&ModelType::multiQuery>},
    {"attention_bias_on_output", own<&ModelType::attentionBiasOnOutput>},
    {"bias_key", own<&ModelType::biasKey>},
    {"bias_of_key", own<&ModelType::biasOfKey>},
    {"bias_key_denies", own<&ModelType::biasKeyDenies>},
    {"one_norm_key", own<&ModelType::oneNormKey>},
    {"qk_norm_bias", own<&ModelType::qkNormBias>},
    {"qk_norm_key", own<&ModelType::qkNormKey>},
    {"shared_expert_like_routed", own<&ModelType::sharedExpertLikeRouted>},
    {"extra_per_layer", own<&ModelType::extraPerLayer>},
    {"fp8_blocks", own<&ModelType::fp8Blocks>},
    {"window_key", own<&ModelType::windowKey>},
    {"gguf", own<&ModelType::gguf>},
    {"gguf_experts", own<&ModelType::ggufExperts>},
    {"gguf_bias", own<&ModelType::ggufBias>},
    {"llama_modules", own<&ModelType::llamaModules>},
    {"unknown_to", own<&ModelType::unknownTo>},

    {"default_layers", byDefault<&Architecture::layers>},
    {"default_hidden", byDefault<&Architecture::hidden>},
    {"default_heads", byDefault<&Architecture::heads>},
    {"default_kv_heads", byDefault<&Architecture::kvHeads>},
    {"default_head_dim", byDefault<&Architecture::headDim>},
    {"default_ffn", byDefault<&Architecture::ffn>},
    {"default_vocab", byDefault<&Architecture::vocab>},
    {"default_positions", byDefault<&Architecture::maxPositions>},
    {"default_window", byDefault<&Architecture::slidingWindow>},
});

ModelType typeOf(const std::string &name, const Json &row)
{
    ModelType type;
    type.name = type.architecture.modelType = name;
    for (const auto &[key, value] : row.items()) {
        const auto *const property = std::ranges::find(kProperties, key, &Property::key);
        assert(property != kProperties.end());
        property->set(value, type);
    }
    return type;
}

/// The document of model types, read once.
struct TypeTables
{
    std::vector<ModelType> types;
    std::map<std::string, std::string, std::less<>> textTypes;
    std::map<std::string, std::string, std::less<>> whyNot; ///< by type

    TypeTables()
    {
        const Json tables = parsedJson(shippedDocument("models/types.json"));
        for (const auto &[name, row] : tables["types"].items())
            types.push_back(typeOf(name, row));
        for (const auto &[whole, text] : tables["text_types"].items())
            textTypes[whole] = text;
        for (const auto &[why, names] : tables["not_computed"].items())
            for (const auto &name : names)
                whyNot[name] = why;
    }
};

const TypeTables &tables()
{
    static const TypeTables all;
    return all;
}

std::string_view textAt(const std::map<std::string, std::string, std::less<>> &texts,
                        std::string_view key)
{
    const auto found = texts.find(key);
    return found == texts.end() ? std::string_view() : found->second;
}

} // namespace

std::string_view textTypeOf(std::string_view type)
{
    return textAt(tables().textTypes, type);
}

std::string_view whyNotComputed(std::string_view type)
{
    return textAt(tables().whyNot, type);
}

const ModelType *findModelType(std::string_view name, std::string ModelType::*member)
{
    const auto &types = tables().types;
    const auto found = std::ranges::find(types, name, member);
    return found == types.end() ? nullptr : &*found;
}

std::vector<bool> slidingPattern(std::int64_t layers, std::int64_t fullEvery)
{
    std::vector<bool> sliding;
    sliding.reserve(static_cast<std::size_t>(layers));
    for (std::int64_t layer = 0; layer < layers; ++layer)
        sliding.push_back((layer + 1) % fullEvery != 0);
    return sliding;
}

} // namespace vramscope
