// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/catalog/architecture.h"

#include <span>
#include <string_view>

namespace vramscope {

/// What a model class decides and its config.json leaves unsaid: norms, biases, gated or plain
/// feed-forward, tying. Found by the `model_type` of a config.json.
struct ModelType
{
    std::string_view name; ///< "llama"
    NormKind norm = NormKind::RmsNorm;
    bool gatedMlp = true;
    Biases bias{};
    bool tiedEmbeddings = false; ///< where the config does not say
    bool learnedPositions = false;
    bool qkNorm = false;
    std::int64_t normsPerLayer = 2;
    bool attentionSinks = false;
    bool routerCorrectionBias = false;
    bool sharedGate = false;
    bool experts = false;       ///< a mixture of experts: the config must count them
    bool pooler = false;        ///< a dense layer of hidden × hidden with bias after the blocks
    std::int64_t typeVocab = 0; ///< token types, where the config does not say
    std::int64_t fullEvery = 0; ///< every n-th layer attends fully, the others slide; 0: no pattern
    bool windowNeedsFlag = false; ///< sliding_window counts only with use_sliding_window
};

/// All known model types.
[[nodiscard]] std::span<const ModelType> modelTypes();

/// The model type of that name, or nullptr.
[[nodiscard]] const ModelType *findModelType(std::string_view name);

/// An architecture with what its model type decides and no shape yet.
[[nodiscard]] Architecture architectureOfType(const ModelType &type);

/// Which of `layers` slide where every n-th attends fully (5 : 1 is `fullEvery` 6).
[[nodiscard]] std::vector<bool> slidingPattern(std::int64_t layers, std::int64_t fullEvery);

} // namespace vramscope
