// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/catalog/architecture.h"

#include <cstdint>
#include <string>
#include <vector>

namespace vramscope {

/// Uses of a model's parameters, from its input to its output.
enum class ModelPart {
    Embedding,
    Positions, ///< learned positions and token types
    Attention,
    StateMixer, ///< of layers that keep a state instead of a cache
    Mlp,        ///< of dense blocks
    Experts,
    SharedExperts,
    Router,
    Norms,
    Head,
    Other ///< poolers outside the blocks
};

/// The parameters of one part, over the whole model.
struct ModelPartCount
{
    ModelPart part = ModelPart::Embedding;
    std::int64_t count = 0;
    /// The formula: its numbers, ×, + and brackets give the count; words name the terms.
    std::string formula;
};

/// The parts that a model has, in the order of ModelPart. They add up to countParameters().total
/// exactly. Empty where the architecture has no layers or more
/// than 64 bits can count.
[[nodiscard]] std::vector<ModelPartCount> modelParts(const Architecture &architecture);

/// Whether the embedding's weights make the logits too.
[[nodiscard]] bool sharesHead(const Architecture &architecture);

/// Whether a layer (from 0) attends to the last slidingWindow tokens only.
[[nodiscard]] bool windowedLayer(const Architecture &architecture, std::int64_t layer);

} // namespace vramscope
