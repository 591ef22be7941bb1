// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/catalog/model_types.h"

#include <algorithm>
#include <array>

namespace vramscope {

namespace {

constexpr NormKind kLayerNorm = NormKind::LayerNorm;
constexpr Biases kAllLinear = {.qkv = true, .o = true, .mlp = true};
constexpr Biases kAllLinearAndHead = {.qkv = true, .o = true, .mlp = true, .head = true};

constexpr std::array kModelTypes = {
    ModelType{.name = "bert",
              .norm = kLayerNorm,
              .gatedMlp = false,
              .bias = kAllLinear,
              .tiedEmbeddings = true,
              .learnedPositions = true,
              .pooler = true,
              .typeVocab = 2},
    ModelType{.name = "deepseek_v2", .experts = true},
    ModelType{.name = "deepseek_v3", .routerCorrectionBias = true, .experts = true},
    ModelType{.name = "gemma", .tiedEmbeddings = true},
    ModelType{.name = "gemma2", .tiedEmbeddings = true, .normsPerLayer = 4, .fullEvery = 2},
    ModelType{.name = "gemma3_text",
              .tiedEmbeddings = true,
              .qkNorm = true,
              .normsPerLayer = 4,
              .fullEvery = 6},
    // Megatron's own GPT: what its command line calls --position-embedding-type and
    // --disable-bias-linear is stated beside the config.
    ModelType{.name = "gpt", .norm = kLayerNorm, .gatedMlp = false, .bias = kAllLinear},
    ModelType{.name = "gpt2",
              .norm = kLayerNorm,
              .gatedMlp = false,
              .bias = kAllLinear,
              .tiedEmbeddings = true,
              .learnedPositions = true},
    ModelType{.name = "gpt_neox", .norm = kLayerNorm, .gatedMlp = false, .bias = kAllLinear},
    ModelType{.name = "gpt_oss",
              .bias = {.qkv = true, .o = true, .expert = true, .router = true},
              .attentionSinks = true,
              .experts = true,
              .fullEvery = 2},
    ModelType{.name = "llama"},
    ModelType{.name = "mistral"},
    ModelType{.name = "mixtral", .experts = true},
    ModelType{.name = "nemotron", .norm = kLayerNorm, .gatedMlp = false},
    ModelType{.name = "phi",
              .norm = kLayerNorm,
              .gatedMlp = false,
              .bias = kAllLinearAndHead,
              .normsPerLayer = 1},
    ModelType{.name = "phi3"},
    ModelType{.name = "qwen2", .bias = {.qkv = true}, .windowNeedsFlag = true},
    ModelType{.name = "qwen2_moe",
              .bias = {.qkv = true},
              .sharedGate = true,
              .experts = true,
              .windowNeedsFlag = true},
    ModelType{.name = "qwen3", .qkNorm = true, .windowNeedsFlag = true},
    ModelType{.name = "qwen3_moe", .qkNorm = true, .experts = true, .windowNeedsFlag = true},
};

} // namespace

std::span<const ModelType> modelTypes()
{
    return kModelTypes;
}

const ModelType *findModelType(std::string_view name)
{
    const auto found = std::ranges::find(kModelTypes, name, &ModelType::name);
    return found == kModelTypes.end() ? nullptr : &*found;
}

Architecture architectureOfType(const ModelType &type)
{
    Architecture architecture;
    architecture.modelType = type.name;
    architecture.norm = type.norm;
    architecture.gatedMlp = type.gatedMlp;
    architecture.bias = type.bias;
    architecture.tiedEmbeddings = type.tiedEmbeddings;
    architecture.qkNorm = type.qkNorm;
    architecture.normsPerLayer = type.normsPerLayer;
    architecture.attentionSinks = type.attentionSinks;
    architecture.routerCorrectionBias = type.routerCorrectionBias;
    architecture.sharedGate = type.sharedGate;
    architecture.typeVocab = type.typeVocab;
    return architecture;
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
