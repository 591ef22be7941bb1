// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string_view>
#include <vector>

namespace vramscope::test {

struct CodeFrame
{
    std::string_view name;
    std::string_view file;
    int line = 0;
};

/// Where in the made-up training program memory is asked for or let go. The value is the number of
/// the stack in ModelEvent and ModelBlock.
enum class Site {
    Unknown, ///< no stack recorded
    InitEmbedding,
    InitAttention,
    InitMlp,
    InitNorm,
    InitHead,
    Batch,
    Embedding,
    Norm,
    QueryKeyValue,
    Rotary,
    Attention,
    AttentionOutput,
    Gate,
    Up,
    Activation,
    Product,
    Down,
    Residual,
    Head,
    LossUpcast,
    Loss,
    BackwardGradient,
    BackwardLoss,
    BackwardWeight,
    BackwardAttention,
    OptimizerState,
    OptimizerStep,
    ZeroGrad,
    StepEnd,
    GatherForward,
    GatherBackward,
    ReduceScatter,
    Reshard,
    Capture,
    EmptyCache,
    Evaluate,
};
inline constexpr int kSiteCount = static_cast<int>(Site::Evaluate) + 1;

/// The frames of a stack, innermost first; the same for all layers of the model, as in life.
[[nodiscard]] std::vector<CodeFrame> framesOf(Site site);

} // namespace vramscope::test
