// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/catalog/architecture.h"

#include <span>
#include <string_view>

namespace vramscope {

/// The shape of a class whose config.json leaves out equal values, as the text part of a multimodal
/// config does. 0 where the class has no such default.
struct ModelDefaults
{
    std::int64_t layers = 0;
    std::int64_t hidden = 0;
    std::int64_t heads = 0;
    std::int64_t kvHeads = 0;
    std::int64_t headDim = 0;
    std::int64_t ffn = 0;
    std::int64_t vocab = 0;
    std::int64_t positions = 0;
    std::int64_t window = 0;
};

/// Properties that a model class decides and its config.json omits: norms, biases, gated or plain
/// feed-forward, tying. Found by the `model_type` of a config.json.
struct ModelType
{
    std::string_view name; ///< "llama"
    NormKind norm = NormKind::RmsNorm;
    bool gatedMlp = true;
    Activation activation = Activation::Fused; ///< where the config does not say
    Biases bias{};
    bool tiedEmbeddings = false; ///< where the config does not say
    bool learnedPositions = false;
    bool fusedQkv = false;
    bool qkNorm = false;
    std::int64_t normsPerLayer = 2;
    bool attentionSinks = false;
    AttentionGate attentionGate = AttentionGate::None;
    bool routerCorrectionBias = false;
    bool sharedGate = false;
    bool sharedBias = false;      ///< shared experts have the biases that mlp_bias states
    bool experts = false;         ///< a mixture of experts: the config must count them
    bool pooler = false;          ///< a dense layer of hidden × hidden with bias after the blocks
    std::int64_t typeVocab = 0;   ///< token types, where the config does not say
    std::int64_t fullEvery = 0;   ///< every n-th layer has full attention, the others slide; 0: no
                                  ///< pattern
    bool windowNeedsFlag = false; ///< sliding_window counts only with use_sliding_window
    bool normBias = true;
    bool normWeight = true;
    bool embeddingNorm = false;        ///< a norm of its own after the embedding (BLOOM)
    std::int64_t ffnOverHidden = 0;    ///< feed-forward width if not in the config
    bool ffnCountsBoth = false;        ///< intermediate_size is gate and up together
    std::int64_t positionOffset = 0;   ///< rows of the position table that no token uses
    bool multiQuery = false;           ///< one KV head, where the config does not say
    bool attentionBiasOnOutput = true; ///< attention_bias is of qkv and o, else of qkv alone
    std::string_view biasKey{};        ///< the config's key for biases: "use_bias"
    Biases biasOfKey{};                ///< the biases that the key switches
    bool biasKeyDenies = false;        ///< the key switches them off: "no_bias"
    std::string_view oneNormKey{};     ///< the flag of parallel blocks with one norm
    bool qkNormBias = false;           ///< norms of single queries and keys have biases too
    std::string_view qkNormKey{};      ///< the flag that switches the query and key norms
    bool qkNormWhole = false;
    bool expertsOnAll = false;           ///< Architecture::expertsOnAll
    bool sharedExpertLikeRouted = false; ///< one shared expert as wide as a routed one (Llama 4)
    std::int64_t extraPerLayer = 0;      ///< learned values of the activation (xIELU)
    bool fp8Blocks = false;              ///< its fp8 files have a scale a block of 128 × 128
    bool normInFp32 = false;             ///< Architecture::normInFp32
    bool routerInFp32 = false;           ///< Architecture::routerInFp32
    std::int64_t normBytes = 0;          ///< Architecture::normBytes
    bool rotary = true;                  ///< positions by rotation; not in ALiBi
    bool partialRotary = false;          ///< where the config does not say
    bool fusedGateUp = false;            ///< one product gives gate and up
    std::string_view windowKey = "sliding_window";
    ModelDefaults defaults{};
};

/// All known model types.
[[nodiscard]] std::span<const ModelType> modelTypes();

/// The model type of that name, or nullptr.
[[nodiscard]] const ModelType *findModelType(std::string_view name);

/// The model type of the text part of a multimodal config that omits it; empty where unknown.
[[nodiscard]] std::string_view textTypeOf(std::string_view type);

/// Why models of that type cannot be computed, and an alternative; empty where they can or the type
/// is unknown.
[[nodiscard]] std::string_view whyNotComputed(std::string_view type);

/// An architecture with the settings of its model type and no shape yet.
[[nodiscard]] Architecture architectureOfType(const ModelType &type);

/// Which of `layers` slide where every n-th has full attention (5 : 1 is `fullEvery` 6).
[[nodiscard]] std::vector<bool> slidingPattern(std::int64_t layers, std::int64_t fullEvery);

} // namespace vramscope
