// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/planner/formulas/block_activations.h"

#include <cstdint>
#include <string_view>

namespace vramscope {

/// Builds the operator table of one block for PyTorch's eager, fused and compiled kernels,
/// from the shapes of the tensors that autograd saves. Sizes in bytes per token.
class TorchBlock
{
public:
    TorchBlock(const Training &training, bool moe)
        : m_t(training)
        , m_s(training.s)
        , m_a(training.s.architecture)
        , m_moe(moe)
        , m_w(training.s.computeBytes)
        , m_tp(training.s.tensor)
        , m_sp(training.s.sequenceParallel ? training.s.tensor : 1)
        , m_inner(training.s.architecture.gatedMlp ? 2 : 1)
        , m_eager(training.s.kernels == Kernels::Eager)
        , m_frozen(m_eager && training.lora() && training.s.adapterWeightBytes > m_w)
        , m_casts(m_eager && training.autocast() && training.residual == 4)
    {
    }

    [[nodiscard]] BlockMemory build();

private:
    std::int64_t readers(std::int64_t index) const;
    std::int64_t normalised(std::int64_t inputBytes) const;
    void norms();
    void attention();
    void latentAttention();
    TermSum scores() const;
    void feedForward();
    void ffn(std::string_view symbol, std::int64_t width, std::int64_t divisor, bool rows,
             std::int64_t turns = 1);
    void policy();
    TermSum keptMatmuls() const;
    TermSum keptBySelectiveOp() const;

    std::int64_t queryWidth() const { return m_a.heads * m_a.headDim; }
    std::int64_t kvWidth() const { return heldKeyValueHeads(m_s) * m_a.headDim; }
    bool flash() const { return m_s.attention == AttentionKind::Flash; }

    const Training &m_t;
    const Settings &m_s;
    const Architecture &m_a;
    bool m_moe;
    std::int64_t m_w, m_tp, m_sp;
    std::int64_t m_inner; ///< products that read the feed-forward's input
    bool m_eager;
    /// Frozen matrices and norm weights keep no input (autograd saves an operand only for the
    /// gradient of the other), and adapters keep copies of their own. Checked against PEFT's
    /// MetaMathQA runs. litgpt's adapters, of the activations' type, hold more than that: its
    /// tables agree with every input kept.
    bool m_frozen;
    bool m_casts; ///< autocast casts each product's fp32 input
    BlockMemory m_memory;
};

} // namespace vramscope
