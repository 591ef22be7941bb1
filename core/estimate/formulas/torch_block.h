// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/estimate/formulas/block_activations.h"
#include "core/model/blocks/state_mixers.h"
#include "core/settings/usual_values.h"

#include <cstdint>
#include <string_view>

namespace vramscope {

/// Builds the operator table of one block for PyTorch's eager, fused and compiled kernels,
/// from the shapes of the tensors that autograd saves. Sizes in bytes per token.
class TorchBlock
{
public:
    TorchBlock(const Training &training, const BlockKind &kind)
        : m_t(training)
        , m_s(training.s)
        , m_a(training.s.architecture)
        , m_kind(kind)
        , m_moe(kind.feedForward == FeedForward::Experts)
        , m_w(training.s.computeBytes)
        , m_length(kind.encodes() ? training.s.sourceLength : training.s.sequenceLength)
        , m_tp(training.s.tensor)
        , m_sp(training.s.sequenceParallel ? training.s.tensor : 1)
        , m_gathered(training.dtensor() ? 1 : m_sp)
        , m_inner(training.s.architecture.gatedMlp && !training.s.architecture.fusedGateUp ? 2 : 1)
        , m_eager(training.s.kernels == Kernels::Eager)
        , m_frozen(m_eager && training.lora())
        , m_grouped(training.s.expertKernels != ExpertKernels::Loop || !m_eager)
        , m_titan(training.s.trainer == Trainer::Torchtitan)
        , m_autocast(m_eager && training.autocast())
        , m_wideNorms(m_autocast && m_a.norm == NormKind::LayerNorm)
        , m_casts(m_autocast && (training.residual == 4 || m_wideNorms))
        , m_titanExperts(m_moe && runsTitanExperts(training.s))
        , m_coded(savesCodes(training))
    {
    }

    [[nodiscard]] BlockMemory build();

private:
    std::int64_t readers(std::int64_t index) const;
    std::int64_t normalised(std::int64_t inputBytes) const;
    void norm(std::int64_t index);
    /// A norm whose output `readers` products read, or that is added to the residual stream; a
    /// router reads that of a `routed` one.
    struct Norm
    {
        std::int64_t readers = 1;
        bool first = false, added = false, read = true, routed = false;
    };
    void norm(const Norm &it);
    void crossAttention();
    void queryKeyNorms();
    void attention();
    void mergedOutput();
    void exchangedAttention(const TermSum &untilAttention);
    void unfusedAttention(const TermSum &untilAttention);
    TermSum scoreBiases() const;
    void biasedAttention(const TermSum &untilMixer);
    void crossedAttention(const TermSum &untilCrossed);
    void takeIfHigher(TermSum backward, Exact gradients);
    void latentAttention();
    void attentionOutput();
    void indexedAttention();
    TermSum passingOfIndex() const;
    void indexForward();
    void stateMixer();
    void sideBySide();
    bool isParallel() const { return m_kind.mixer == TokenMixer::Parallel; }
    void mixerBackward(const TermSum &untilMixer);
    void experts();
    TermSum combinedRows() const;
    void frozenExperts();
    bool groupsExperts() const;
    Exact feedForwardHigh() const;
    void add(TermSum &sum, const SavedTensor &tensor) const;
    TermSum scores() const;
    void feedForward();
    /// A feed-forward of `width`, with elements of `bytes`. `turns`: experts that run one after
    /// another, so that only one has temporary tensors.
    struct Inner
    {
        std::string_view symbol;
        std::int64_t width;
        std::int64_t divisor;
        bool rows = false;
        std::int64_t turns = 1;
        std::int64_t bytes;
    };
    void ffn(const Inner &part);
    std::int64_t activationBytes(std::int64_t bytes) const;
    std::int64_t innerBytes() const;
    std::int64_t passedOnBytes(std::int64_t bytes) const;
    void routedExperts();
    void allExperts();
    void titanExperts();
    void titanForward();
    void policy();
    void forwardPass();
    Exact earlierGradients() const;
    Exact bytes(const TermSum &sum) const
    {
        return sum.bytes(m_t.tokensOf(m_kind), expertRows(m_t));
    }
    TermSum keptMatmuls() const;
    TermSum keptBySelectiveOp() const;
    TermSum everySecondProduct() const;

    /// Bytes that autocast leaves in fp32 where it meets fp32 weights.
    std::int64_t widened() const { return m_autocast && m_s.weightBytes == 4 ? 4 : m_w; }
    MixerRun mixerRun() const { return {m_s.microBatch, m_s.sequenceLength, m_kind.turn}; }
    std::int64_t queryWidth() const { return m_a.heads * m_a.headDim; }
    std::int64_t kvWidth() const { return heldKeyValueHeads(m_s) * m_a.headDim; }
    /// Attention keeps no scores. Megatron's own layers know only the kind that does, and
    /// Transformer Engine runs it where configured.
    bool flash() const
    {
        const bool unfused =
            m_s.kernels == Kernels::MegatronTe && m_s.attentionBackend == AttentionBackend::Unfused;
        return m_s.attention == AttentionKind::Flash && !unfused &&
               m_s.kernels != Kernels::MegatronLocal;
    }
    /// Torch's memory-efficient kernel, which takes masks: no scores are kept, but the mask in the
    /// type of the scores, and keys and values repeated for every head.
    bool memoryEfficient() const { return m_s.attention == AttentionKind::MemoryEfficient; }
    bool fusedKernel() const { return flash() || memoryEfficient(); }
    /// Layers that attend under a mask, of `maskable()`; where one block is recomputed at a time,
    /// that one does.
    std::int64_t masked() const;
    std::int64_t maskable() const { return std::max<std::int64_t>(m_a.layers, 1); }
    /// Bytes of an element of the softmax of attention that is not fused.
    std::int64_t softmaxBytes() const
    {
        const bool upcast = m_autocast || m_s.attention == AttentionKind::EagerFp32Softmax ||
                            m_s.attention == AttentionKind::Math;
        return upcast ? 4 : m_w;
    }

    const Training &m_t;
    const Settings &m_s;
    const Architecture &m_a;
    BlockKind m_kind;
    bool m_moe; ///< has routed experts
    std::int64_t m_w;
    std::int64_t m_length; ///< of the sequences that the block works on
    std::int64_t m_tp, m_sp;
    /// The inputs of a block's products: DTensor gathers the norms' outputs for them and saves
    /// those, Megatron gathers them again in backward.
    std::int64_t m_gathered;
    std::int64_t m_inner; ///< products that read the feed-forward's input
    bool m_eager;
    /// Frozen matrices and norm weights keep no input: autograd saves an operand only for the
    /// gradient of the other. The adapters count what they keep of it (adapter_inputs.cpp).
    bool m_frozen;
    bool m_grouped; ///< all experts run at once
    bool m_titan;   ///< torchtitan's own modules
    bool m_autocast;
    bool m_wideNorms;     ///< autocast runs LayerNorm in fp32; RMSNorm is on no list of its own
    bool m_casts;         ///< autocast casts each product's fp32 input
    bool m_titanExperts;  ///< an expert block of torchtitan's
    bool m_coded;         ///< products keep codes of their inputs (weight_copies.cpp)
    TermSum m_untilIndex; ///< saved by the block when the index of its attention runs
    BlockMemory m_memory;
};

} // namespace vramscope
