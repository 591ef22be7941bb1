// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/catalog/model_types.h"

#include <algorithm>
#include <array>
#include <utility>

namespace vramscope {

namespace {

constexpr NormKind kLayerNorm = NormKind::LayerNorm;
constexpr Biases kAttention = {.qkv = true, .o = true};
constexpr Biases kAllLinear = {.qkv = true, .o = true, .mlp = true};
constexpr Biases kAllLinearAndHead = {.qkv = true, .o = true, .mlp = true, .head = true};

/// GPT-2 and models built like it: LayerNorm, plain feed-forward, biases everywhere.
constexpr ModelType plainType(std::string_view name)
{
    return {.name = name, .norm = kLayerNorm, .gatedMlp = false, .bias = kAllLinear};
}

/// A type whose attention makes queries, keys and values in one product.
constexpr ModelType withFusedQkv(ModelType type)
{
    type.fusedQkv = true;
    return type;
}

constexpr ModelType gpt2Like(std::string_view name)
{
    ModelType type = withFusedQkv(plainType(name));
    type.tiedEmbeddings = true;
    type.learnedPositions = true;
    type.ffnOverHidden = 4;
    type.activation = Activation::GeluNew;
    return type;
}

constexpr ModelType bertLike(std::string_view name, std::int64_t typeVocab = 2, bool pooler = true)
{
    ModelType type = plainType(name);
    type.tiedEmbeddings = true;
    type.learnedPositions = true;
    type.pooler = pooler;
    type.typeVocab = typeVocab;
    return type;
}

constexpr ModelType falconLike(std::string_view name)
{
    ModelType type = withFusedQkv(plainType(name));
    type.bias = {};
    type.tiedEmbeddings = true;
    type.ffnOverHidden = 4;
    type.biasKey = "bias";
    type.biasOfKey = kAllLinear;
    type.oneNormKey = "parallel_attn";
    return type;
}

constexpr ModelType qwen2Like(std::string_view name, const ModelDefaults &defaults = {})
{
    return {.name = name, .bias = {.qkv = true}, .windowNeedsFlag = true, .defaults = defaults};
}

constexpr ModelType qwen3Like(std::string_view name, bool experts = false)
{
    return {.name = name, .qkNorm = true, .experts = experts, .windowNeedsFlag = true};
}

/// Attention with norms of queries and keys in some layers, the gated delta rule in the others.
constexpr ModelType qwen3DeltaLike(std::string_view name, bool experts)
{
    return {.name = name, .qkNorm = true, .sharedGate = experts, .experts = experts};
}

constexpr ModelType deepSeekLike(std::string_view name)
{
    return {.name = name, .routerCorrectionBias = true, .experts = true, .fp8Blocks = true};
}

constexpr ModelType exaone4Like(std::string_view name)
{
    return {.name = name, .qkNorm = true, .fullEvery = 4};
}

/// Mixtures of experts whose router has a correction bias, with norms of queries and keys.
constexpr ModelType correctedExperts(std::string_view name, std::string_view qkNormKey = {},
                                     bool qkNormWhole = false)
{
    return {.name = name,
            .qkNorm = true,
            .routerCorrectionBias = true,
            .experts = true,
            .qkNormKey = qkNormKey,
            .qkNormWhole = qkNormWhole};
}

/// A type whose RMSNorm multiplies by its weight before it casts back.
constexpr ModelType normsInFp32(ModelType type)
{
    type.normInFp32 = true;
    return type;
}

/// A type whose fp8 files have a scale a block.
constexpr ModelType inFp8Blocks(ModelType type)
{
    type.fp8Blocks = true;
    return type;
}

constexpr ModelDefaults kGemma4Defaults = {.layers = 30,
                                           .hidden = 2304,
                                           .heads = 8,
                                           .kvHeads = 4,
                                           .headDim = 256,
                                           .ffn = 9216,
                                           .vocab = 262144,
                                           .positions = 131072};

constexpr ModelType gemma4Like(std::string_view name)
{
    return {.name = name,
            .tiedEmbeddings = true,
            .qkNorm = true,
            .normsPerLayer = 4,
            .defaults = kGemma4Defaults};
}

constexpr ModelType glmLike(std::string_view name, std::int64_t normsPerLayer = 2)
{
    return {.name = name,
            .bias = {.qkv = true},
            .normsPerLayer = normsPerLayer,
            .attentionBiasOnOutput = false,
            .partialRotary = true,
            .fusedGateUp = true};
}

/// Class defaults: transformers' configuration_llama.py, _mistral.py, _gemma3.py, _qwen2.py.
constexpr ModelDefaults kLlamaDefaults = {
    .layers = 32, .hidden = 4096, .heads = 32, .ffn = 11008, .vocab = 32000, .positions = 2048};
constexpr ModelDefaults kMistralDefaults = {.layers = 32,
                                            .hidden = 4096,
                                            .heads = 32,
                                            .kvHeads = 8,
                                            .ffn = 14336,
                                            .vocab = 32000,
                                            .positions = 131072};
constexpr ModelDefaults kGemma3Defaults = {.layers = 26,
                                           .hidden = 2304,
                                           .heads = 8,
                                           .kvHeads = 4,
                                           .headDim = 256,
                                           .ffn = 9216,
                                           .vocab = 262208,
                                           .positions = 131072,
                                           .window = 4096};
constexpr ModelDefaults kQwen2Defaults = {.layers = 32,
                                          .hidden = 4096,
                                          .heads = 32,
                                          .kvHeads = 32,
                                          .ffn = 22016,
                                          .vocab = 151936,
                                          .positions = 32768};

constexpr std::array kModelTypes = {
    ModelType{.name = "afmoe",
              .qkNorm = true,
              .normsPerLayer = 4,
              .attentionGate = AttentionGate::Separate,
              .routerCorrectionBias = true,
              .experts = true,
              .fullEvery = 4},
    ModelType{.name = "apertus", .gatedMlp = false, .qkNorm = true, .extraPerLayer = 2},
    ModelType{.name = "arcee", .gatedMlp = false},
    deepSeekLike("axk2"),
    ModelType{.name = "baichuan", .fusedQkv = true},
    correctedExperts("bailing_moe_v2", "use_qk_norm"),
    bertLike("bert"),
    ModelType{.name = "bloom",
              .norm = kLayerNorm,
              .gatedMlp = false,
              .bias = kAllLinear,
              .tiedEmbeddings = true,
              .fusedQkv = true,
              .embeddingNorm = true,
              .ffnOverHidden = 4,
              .rotary = false},
    bertLike("camembert", 1),
    ModelType{.name = "chatglm", .bias = {.qkv = true}, .fusedQkv = true},
    ModelType{.name = "biogpt",
              .norm = kLayerNorm,
              .gatedMlp = false,
              .bias = kAllLinear,
              .tiedEmbeddings = true,
              .learnedPositions = true,
              .positionOffset = 2},
    ModelType{.name = "codegen",
              .norm = kLayerNorm,
              .gatedMlp = false,
              .bias = {.mlp = true, .head = true},
              .normsPerLayer = 1,
              .ffnOverHidden = 4},
    ModelType{.name = "cohere",
              .norm = kLayerNorm,
              .tiedEmbeddings = true,
              .normsPerLayer = 1,
              .normBias = false,
              .qkNormKey = "use_qk_norm",
              .qkNormWhole = true,
              .normBytes = 12},
    ModelType{.name = "cohere2",
              .norm = kLayerNorm,
              .tiedEmbeddings = true,
              .normsPerLayer = 1,
              .fullEvery = 4,
              .normBias = false,
              .normBytes = 12},
    ModelType{.name = "cwm", .fullEvery = 4},
    ModelType{.name = "dbrx", .norm = kLayerNorm, .experts = true, .normBias = false},
    ModelType{.name = "deepseek", .experts = true},
    ModelType{.name = "deepseek_v2", .sharedBias = true, .experts = true, .routerInFp32 = true},
    deepSeekLike("deepseek_v3"),
    deepSeekLike("deepseek_v32"),
    ModelType{.name = "deepseek_v4", .sharedBias = true, .experts = true},
    bertLike("distilbert", 0, false),
    correctedExperts("dots1"),
    ModelType{
        .name = "ernie4_5", .tiedEmbeddings = true, .biasKey = "use_bias", .biasOfKey = kAllLinear},
    ModelType{.name = "ernie4_5_moe",
              .tiedEmbeddings = true,
              .routerCorrectionBias = true,
              .experts = true,
              .biasKey = "use_bias",
              .biasOfKey = kAllLinear},
    ModelType{.name = "exaone"},
    exaone4Like("exaone4"),
    exaone4Like("exaone4_5_text"),
    ModelType{.name = "exaone_moe",
              .qkNorm = true,
              .experts = true,
              .fullEvery = 4,
              .routerInFp32 = true},
    falconLike("falcon"),
    normsInFp32({.name = "flex_olmo", .qkNorm = true, .experts = true, .qkNormWhole = true}),
    normsInFp32({.name = "gemma", .tiedEmbeddings = true}),
    normsInFp32({.name = "gemma2", .tiedEmbeddings = true, .normsPerLayer = 4, .fullEvery = 2}),
    ModelType{.name = "gemma3_text",
              .tiedEmbeddings = true,
              .qkNorm = true,
              .normsPerLayer = 4,
              .fullEvery = 6,
              .normInFp32 = true,
              .defaults = kGemma3Defaults},
    ModelType{.name = "gemma3n_text",
              .tiedEmbeddings = true,
              .qkNorm = true,
              .normsPerLayer = 4,
              .defaults = {.layers = 35,
                           .hidden = 2048,
                           .heads = 8,
                           .kvHeads = 2,
                           .headDim = 256,
                           .vocab = 262400,
                           .positions = 32768}},
    gemma4Like("gemma4_text"),
    gemma4Like("gemma4_unified_text"),
    glmLike("glm"),
    glmLike("glm4", 4),
    glmLike("glm4v_text", 4),
    ModelType{.name = "glm4v_moe_text",
              .bias = {.qkv = true},
              .experts = true,
              .attentionBiasOnOutput = false,
              .qkNormKey = "use_qk_norm"},
    ModelType{.name = "glm4_moe_lite", .experts = true, .routerInFp32 = true},
    ModelType{.name = "glm4_moe",
              .bias = {.qkv = true},
              .routerCorrectionBias = true,
              .experts = true,
              .attentionBiasOnOutput = false,
              .qkNormKey = "use_qk_norm"},
    // Megatron's own GPT: a plan states its --position-embedding-type and --disable-bias-linear
    // apart from the config.
    withFusedQkv(plainType("gpt")),
    gpt2Like("gpt2"),
    ModelType{.name = "gpt_bigcode",
              .norm = kLayerNorm,
              .gatedMlp = false,
              .bias = kAllLinear,
              .tiedEmbeddings = true,
              .learnedPositions = true,
              .fusedQkv = true,
              .ffnOverHidden = 4,
              .multiQuery = true},
    withFusedQkv(plainType("gpt_neox")),
    ModelType{.name = "gpt_oss",
              .bias = {.qkv = true, .o = true, .expert = true, .router = true},
              .attentionSinks = true,
              .experts = true,
              .fullEvery = 2},
    ModelType{.name = "gptj",
              .norm = kLayerNorm,
              .gatedMlp = false,
              .bias = {.mlp = true, .head = true},
              .normsPerLayer = 1,
              .ffnOverHidden = 4},
    deepSeekLike("glm_moe_dsa"),
    ModelType{.name = "granite"},
    ModelType{.name = "granitemoeshared", .experts = true},
    ModelType{.name = "granitemoe", .experts = true},
    ModelType{.name = "hunyuan_v1_dense", .qkNorm = true},
    ModelType{.name = "hunyuan_v1_moe",
              .qkNorm = true,
              .experts = true,
              .sharedExpertLikeRouted = true,
              .routerInFp32 = true},
    correctedExperts("hy_v3"),
    ModelType{.name = "internlm", .biasKey = "bias", .biasOfKey = kAttention},
    ModelType{.name = "internlm2", .biasKey = "bias", .biasOfKey = kAttention},
    ModelType{.name = "internlm3", .biasKey = "qkv_bias", .biasOfKey = {.qkv = true}},
    ModelType{.name = "iquestcoder"},
    deepSeekLike("kimi_k2"),
    ModelType{.name = "laguna", .qkNorm = true, .routerCorrectionBias = true, .experts = true},
    ModelType{.name = "llama", .defaults = kLlamaDefaults},
    ModelType{.name = "llama4_text",
              .experts = true,
              .fullEvery = 4,
              .expertsOnAll = true,
              .sharedExpertLikeRouted = true,
              .windowKey = "attention_chunk_size"},
    ModelType{.name = "mimo",
              .bias = {.qkv = true},
              .windowNeedsFlag = true,
              .attentionBiasOnOutput = false},
    ModelType{.name = "mimo_v2_flash",
              .routerCorrectionBias = true,
              .experts = true,
              .attentionBiasOnOutput = false},
    ModelType{.name = "minicpm", .tiedEmbeddings = true},
    ModelType{.name = "minicpm3", .tiedEmbeddings = true},
    ModelType{.name = "ministral"},
    inFp8Blocks(correctedExperts("minimax_m2", "use_qk_norm", true)),
    correctedExperts("minimax_m3"),
    correctedExperts("minimax_m3_vl_text"),
    ModelType{.name = "ministral3"},
    ModelType{.name = "mistral", .defaults = kMistralDefaults},
    ModelType{.name = "mistral4", .experts = true},
    ModelType{.name = "mixtral", .experts = true},
    ModelType{.name = "mpt",
              .norm = kLayerNorm,
              .gatedMlp = false,
              .tiedEmbeddings = true,
              .learnedPositions = true,
              .fusedQkv = true,
              .normBias = false,
              .ffnOverHidden = 4,
              .biasKey = "no_bias",
              .biasOfKey = kAllLinear,
              .biasKeyDenies = true,
              .rotary = false},
    ModelType{.name = "nemotron-nas"},
    ModelType{.name = "nemotron", .norm = kLayerNorm, .gatedMlp = false, .partialRotary = true},
    ModelType{.name = "olmo", .norm = kLayerNorm, .normWeight = false, .normBytes = 4},
    normsInFp32({.name = "olmo2", .qkNorm = true, .qkNormWhole = true}),
    normsInFp32({.name = "olmo3", .qkNorm = true, .fullEvery = 4, .qkNormWhole = true}),
    ModelType{.name = "olmoe", .qkNorm = true, .experts = true, .qkNormWhole = true},
    ModelType{.name = "opt",
              .norm = kLayerNorm,
              .gatedMlp = false,
              .activation = Activation::Relu,
              .bias = kAllLinear,
              .tiedEmbeddings = true,
              .learnedPositions = true,
              .positionOffset = 2,
              .biasKey = "enable_bias",
              .biasOfKey = kAllLinear},
    ModelType{.name = "phi",
              .norm = kLayerNorm,
              .gatedMlp = false,
              .activation = Activation::GeluNew,
              .bias = kAllLinearAndHead,
              .normsPerLayer = 1,
              .qkNormBias = true,
              .qkNormKey = "qk_layernorm",
              .partialRotary = true},
    ModelType{
        .name = "phi4_multimodal", .fusedQkv = true, .partialRotary = true, .fusedGateUp = true},
    ModelType{.name = "phi3", .fusedQkv = true, .partialRotary = true, .fusedGateUp = true},
    ModelType{.name = "phimoe", .norm = kLayerNorm, .experts = true},
    ModelType{.name = "qwen", .bias = {.qkv = true}, .fusedQkv = true, .ffnCountsBoth = true},
    qwen2Like("qwen2", kQwen2Defaults),
    qwen2Like("qwen2_5_vl"),
    qwen2Like("qwen2_5_vl_text"),
    qwen2Like("qwen2_5_omni_text"),
    ModelType{.name = "qwen2_moe",
              .bias = {.qkv = true},
              .sharedGate = true,
              .experts = true,
              .windowNeedsFlag = true},
    qwen2Like("qwen2_vl"),
    qwen2Like("qwen2_vl_text"),
    qwen3Like("qwen3"),
    qwen3Like("qwen3_moe", true),
    qwen3Like("qwen3_omni_moe_text", true),
    qwen3Like("mellum", true),
    qwen3Like("qwen3_vl_moe_text", true),
    qwen3Like("qwen3_vl_text"),
    // Models of several kinds of blocks: core/model/config_states.cpp.
    ModelType{.name = "bailing_hybrid", .routerCorrectionBias = true, .experts = true},
    ModelType{.name = "bamba"},
    ModelType{.name = "falcon_h1"},
    ModelType{.name = "falcon_mamba", .tiedEmbeddings = true, .normsPerLayer = 1},
    ModelType{.name = "granitemoehybrid"},
    ModelType{.name = "jamba"},
    ModelType{.name = "kimi_linear", .experts = true},
    ModelType{.name = "lfm2", .tiedEmbeddings = true, .qkNorm = true},
    ModelType{.name = "lfm2_moe", .tiedEmbeddings = true, .qkNorm = true, .experts = true},
    ModelType{.name = "mamba", .tiedEmbeddings = true, .normsPerLayer = 1},
    ModelType{.name = "mamba2", .normsPerLayer = 1},
    ModelType{.name = "minimax", .experts = true},
    ModelType{.name = "minimax_m1", .experts = true},
    ModelType{.name = "minimax_text_01", .experts = true},
    ModelType{.name = "nemotron_h", .gatedMlp = false, .normsPerLayer = 1},
    qwen3DeltaLike("qwen3_5_moe_text", true),
    qwen3DeltaLike("qwen3_5_text", false),
    qwen3DeltaLike("qwen3_next", true),
    ModelType{.name = "rwkv7", .norm = kLayerNorm, .gatedMlp = false, .rotary = false},
    ModelType{.name = "zamba", .tiedEmbeddings = true, .normsPerLayer = 1, .rotary = false},
    ModelType{.name = "zamba2", .tiedEmbeddings = true, .normsPerLayer = 1},
    falconLike("RefinedWeb"),
    falconLike("RefinedWebModel"),
    bertLike("roberta", 1),
    ModelType{.name = "seed_oss", .bias = {.qkv = true}, .attentionBiasOnOutput = false},
    ModelType{.name = "solar_open",
              .bias = {.qkv = true},
              .experts = true,
              .attentionBiasOnOutput = false,
              .routerInFp32 = true},
    ModelType{.name = "smollm3", .tiedEmbeddings = true},
    ModelType{.name = "stablelm",
              .norm = kLayerNorm,
              .oneNormKey = "use_parallel_residual",
              .qkNormKey = "qk_layernorm",
              .qkNormWhole = true,
              .partialRotary = true},
    ModelType{.name = "step3p5",
              .qkNorm = true,
              .attentionGate = AttentionGate::PerHead,
              .routerCorrectionBias = true,
              .experts = true},
    ModelType{.name = "starcoder2",
              .norm = kLayerNorm,
              .gatedMlp = false,
              .bias = kAllLinear,
              .tiedEmbeddings = true,
              .biasKey = "use_bias",
              .biasOfKey = kAllLinear},
    normsInFp32({.name = "vaultgemma", .tiedEmbeddings = true}),
    ModelType{.name = "youtu", .tiedEmbeddings = true},
    bertLike("xlm-roberta", 1),
    ModelType{.name = "Yi"},
};

/// The classes of transformers build their text part as this where its config names none.
constexpr std::pair<std::string_view, std::string_view> kTextTypes[] = {
    {"aya_vision", "cohere2"},
    {"cohere2_vision", "cohere2"},
    {"gemma3", "gemma3_text"},
    {"gemma3n", "gemma3n_text"},
    {"gemma4", "gemma4_text"},
    {"gemma4_unified", "gemma4_unified_text"},
    {"idefics2", "mistral"},
    {"idefics3", "llama"},
    {"internvl", "qwen2"},
    {"llama4", "llama4_text"},
    {"llava", "llama"},
    {"llava_next", "llama"},
    {"mistral3", "mistral"},
    {"paligemma", "gemma"},
    {"qwen3_5", "qwen3_5_text"},
    {"qwen3_5_moe", "qwen3_5_moe_text"},
    {"qwen3_vl", "qwen3_vl_text"},
    {"qwen3_vl_moe", "qwen3_vl_moe_text"},
    {"smolvlm", "llama"},
    {"step3p7", "step3p5"},
    {"voxtral", "llama"},
};

} // namespace

std::string_view textTypeOf(std::string_view type)
{
    const auto found =
        std::ranges::find(kTextTypes, type, [](const auto &row) { return row.first; });
    return found == std::end(kTextTypes) ? std::string_view() : found->second;
}

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
    architecture.activation = type.activation;
    architecture.bias = type.bias;
    architecture.tiedEmbeddings = type.tiedEmbeddings;
    architecture.fusedQkv = type.fusedQkv;
    architecture.qkNorm = type.qkNorm;
    architecture.normsPerLayer = type.normsPerLayer;
    architecture.attentionSinks = type.attentionSinks;
    architecture.attentionGate = type.attentionGate;
    architecture.expertsOnAll = type.expertsOnAll;
    architecture.routerCorrectionBias = type.routerCorrectionBias;
    architecture.sharedGate = type.sharedGate;
    architecture.typeVocab = type.typeVocab;
    architecture.normBias = type.normBias;
    architecture.normWeight = type.normWeight;
    architecture.normInFp32 = type.normInFp32;
    architecture.rotary = type.rotary;
    architecture.partialRotary = type.partialRotary;
    architecture.fusedGateUp = type.fusedGateUp;
    architecture.routerInFp32 = type.routerInFp32;
    architecture.normBytes = type.normBytes;
    architecture.qkNormWhole = type.qkNormWhole;
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
