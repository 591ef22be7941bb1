// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/catalog/architecture.h"

#include <span>
#include <string>
#include <string_view>

namespace vramscope {

/// Properties that a model class decides and its config.json omits: norms, biases, gated or plain
/// feed-forward, tying. Found by the `model_type` of a config.json; a row of
/// resources/models/types.json.
struct ModelType
{
    std::string name;          ///< "llama"
    Architecture architecture; ///< with these properties and no shape
    /// The shape of a class whose config.json leaves out equal values, as the text part of a
    /// multimodal config does. 0 where the class has no such default.
    Architecture defaults;
    bool learnedPositions = false;
    bool sharedBias = false;      ///< shared experts have the biases that mlp_bias states
    bool experts = false;         ///< a mixture of experts: the config must count them
    bool pooler = false;          ///< a dense layer of hidden × hidden with bias after the blocks
    std::int64_t fullEvery = 0;   ///< every n-th layer has full attention, the others slide; 0: no
                                  ///< pattern
    bool windowNeedsFlag = false; ///< sliding_window counts only with use_sliding_window
    bool embeddingNorm = false;   ///< a norm of its own after the embedding (BLOOM)
    std::int64_t ffnOverHidden = 0;      ///< feed-forward width if not in the config
    bool ffnCountsBoth = false;          ///< intermediate_size is gate and up together
    std::int64_t positionOffset = 0;     ///< rows of the position table that no token uses
    bool multiQuery = false;             ///< one KV head, where the config does not say
    bool attentionBiasOnOutput = true;   ///< attention_bias is of qkv and o, else of qkv alone
    std::string biasKey;                 ///< the config's key for biases: "use_bias"
    Biases biasOfKey;                    ///< the biases that the key switches
    bool biasKeyDenies = false;          ///< the key switches them off: "no_bias"
    std::string oneNormKey;              ///< the flag of parallel blocks with one norm
    bool qkNormBias = false;             ///< norms of single queries and keys have biases too
    std::string qkNormKey;               ///< the flag that switches the query and key norms
    bool sharedExpertLikeRouted = false; ///< one shared expert as wide as a routed one (Llama 4)
    std::int64_t extraPerLayer = 0;      ///< learned values of the activation (xIELU)
    bool fp8Blocks = false;              ///< its fp8 files have a scale a block of 128 × 128
    std::string windowKey = "sliding_window";
    /// general.architecture of its GGUF files; empty: they become no config. Layers with a window
    /// are then those of llama.cpp too (load_arch_hparams() of src/models).
    std::string gguf;
    std::string ggufExperts; ///< whose keys its experts have there; empty: it has none
    bool ggufBias = false;   ///< attention_bias says whether such a file has biases
    /// Its linear layers in transformers 5 are q_proj, k_proj, v_proj, o_proj, gate_proj, up_proj
    /// and down_proj (models/*/modeling_*.py); glm and phi3 join some of them.
    bool llamaModules = false;
    std::string unknownTo; ///< engines that have no class of it: "vllm llama.cpp"
};

/// The model type of that name, or nullptr; `&ModelType::gguf`: of that name in GGUF files.
[[nodiscard]] const ModelType *findModelType(std::string_view name,
                                             std::string ModelType::*member = &ModelType::name);

/// The model type of the text part of a multimodal config that omits it; empty where unknown.
[[nodiscard]] std::string_view textTypeOf(std::string_view type);

/// Why models of that type cannot be computed, and an alternative; empty where they can or the type
/// is unknown.
[[nodiscard]] std::string_view whyNotComputed(std::string_view type);

/// Which of `layers` slide where every n-th has full attention (5 : 1 is `fullEvery` 6).
[[nodiscard]] std::vector<bool> slidingPattern(std::int64_t layers, std::int64_t fullEvery);

} // namespace vramscope
