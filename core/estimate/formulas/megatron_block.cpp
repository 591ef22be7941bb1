// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/estimate/formulas/block_activations.h"

namespace vramscope {

namespace {

/// Latent attention, as Megatron expands it for training.
void keepLatentAttention(const Architecture &a, std::int64_t tp, TermSum &kept)
{
    const std::int64_t qk = a.heads * (a.qkNopeHeadDim + a.qkRopeHeadDim);
    kept.add(4, "r_q", a.qLoraRank);
    kept.add(4, "a (d_n + d_r)", qk, tp);
    kept.add(2, "(r_kv + d_r)", a.kvLoraRank + a.qkRopeHeadDim);
    kept.add(2, "r_kv", a.kvLoraRank);
    kept.add(2, "a (d_n + d_v)", a.heads * (a.qkNopeHeadDim + a.vHeadDim), tp);
    kept.add(2, "a d_v", a.heads * a.vHeadDim, tp);
}

/// The feed-forward, whole or of experts, with kernels that do not depend on the layers.
void keepFeedForward(const Settings &s, bool moe, TermSum &kept)
{
    const Architecture &a = s.architecture;
    const std::int64_t inner = a.gatedMlp ? 6 : 4; // fc1 output and the activation's
    if (!moe) {
        kept.add(inner, "f", a.ffn, s.tensor);
        return;
    }
    kept.add(8, "E", a.experts, s.sequenceParallel ? s.tensor : 1);
    kept.add(2, "h", a.hidden, 1, true); // permuted input; probabilities enter the activation
    const std::int64_t outside = a.gatedMlp ? 0 : 2; // or its output, where it is not gated
    kept.add(inner + outside, "f_e", a.expertFfn, s.expertTensor, true);
    kept.add(6, "f_s", a.sharedFfn, s.tensor);
}

/// Input and output of each norm, and the masks of the dropouts after attention and after the MLP.
void keepNorms(const Settings &s, BlockMemory &memory)
{
    const Architecture &a = s.architecture;
    const std::int64_t sp = s.sequenceParallel ? s.tensor : 1;
    const std::int64_t masks = s.dropout > 0 ? 2 : 0;
    memory.input.add(2, "h", a.hidden, sp);
    memory.kept.add(4 * a.normsPerLayer + masks, "h", a.hidden, sp);
}

/// Norms of queries and keys keep their inputs, copies of their parts of the fused product, and
/// statistics in fp32 of each head. Attention then takes three tensors of its own. Megatron-Core
/// transformer/attention.py, SelfAttention; measured: its functional tests with --qk-layernorm.
void keepQueryKeyNorms(const Settings &s, TermSum &kept)
{
    const Architecture &a = s.architecture;
    if (!a.qkNorm)
        return;
    const std::int64_t keys = heldKeyValueHeads(s);
    kept.add(2, "A", a.heads * a.headDim, s.tensor);
    kept.add(2, "K", keys * a.headDim, s.tensor);
    kept.add(a.norm == NormKind::RmsNorm ? 4 : 8, "(a + g)", a.heads + keys, s.tensor);
}

/// Memory that attention's matrices keep in Megatron-Core's own layers. Where positions are rotary,
/// the rotated queries and keys stay with the product that the values are a view of; keys and
/// values that heads share are copied for each head, within what selective recomputation runs
/// again. Megatron-Core transformer/attention.py and dot_product_attention.py; measured:
/// tests/measure.
void keepLocalAttention(const Settings &s, TermSum &kept)
{
    const Architecture &a = s.architecture;
    const bool rotary = a.learnedPositions == 0;
    const bool shared = heldKeyValueHeads(s) < a.heads;
    const bool copied = shared && s.checkpointing != Checkpointing::SelectiveAttention;
    const std::int64_t query = copied ? 8 : rotary || shared ? 6 : 4;
    kept.add(query, "A", a.heads * a.headDim, s.tensor);
    if (!copied)
        kept.add(rotary ? 6 : 4, "K", heldKeyValueHeads(s) * a.headDim, s.tensor);
}

/// Queries, keys and the values' gradient in the backward pass of local attention. Selective
/// recomputation adds what it recomputes from, its output and the output's gradient.
void addBackwardOfMatrices(const Settings &s, TermSum &sum)
{
    const Architecture &a = s.architecture;
    const bool rotary = a.learnedPositions == 0;
    const bool shared = heldKeyValueHeads(s) < a.heads;
    const bool selective = s.checkpointing == Checkpointing::SelectiveAttention;
    const std::int64_t query = selective          ? (shared   ? 12
                                                     : rotary ? 10
                                                              : 8)
                               : shared || rotary ? 6
                                                  : 4;
    const std::int64_t keys = selective ? (rotary ? 6 : 4) : shared || rotary ? 0 : 4;
    sum.add(query, "A", a.heads * a.headDim, s.tensor);
    sum.add(keys, "K", heldKeyValueHeads(s) * a.headDim, s.tensor);
}

/// The mask is filled into a view of the scores: that takes three matrices more in backward. A
/// softmax in fp32 has its own, its gradient's and its input's gradient in fp32. Added to them are
/// the norm's input and output and the residual's gradient; in a recomputed block its output and
/// the output's gradient, which the dispatcher of the next block keeps where there are experts.
TermSum backwardOfLocalAttention(const Settings &s, bool moe)
{
    const Architecture &a = s.architecture;
    const bool recomputed =
        s.checkpointing == Checkpointing::Full || s.checkpointing == Checkpointing::EveryK;
    const Exact square = Exact(a.heads) * s.sequenceLength;
    TermSum sum;
    sum.add(s.attention == AttentionKind::EagerFp32Softmax ? 12 : 8, "a s", square.value(),
            s.tensor);
    addBackwardOfMatrices(s, sum);
    sum.add(6 + (recomputed ? (moe ? 2 : 4) : 0), "h", a.hidden, s.sequenceParallel ? s.tensor : 1);
    return sum;
}

} // namespace

BlockMemory transformerEngineBlock(const Training &t, bool moe)
{
    const Architecture &a = t.s.architecture;
    BlockMemory memory;
    keepNorms(t.s, memory);
    if (a.mla()) {
        keepLatentAttention(a, t.s.tensor, memory.kept);
    } else {
        memory.kept.add(4, "A", a.heads * a.headDim, t.s.tensor); // Q and the attention's output
        memory.kept.add(4, "K", heldKeyValueHeads(t.s) * a.headDim, t.s.tensor);
        keepQueryKeyNorms(t.s, memory.kept);
    }
    keepFeedForward(t.s, moe, memory.kept);
    return memory;
}

TermSum fusedAttention(const Training &t)
{
    const Settings &s = t.s;
    const Architecture &a = s.architecture;
    TermSum kept;
    kept.add(4, "a", a.heads, s.tensor); // softmax statistics, fp32
    // FlashAttention 2 works in another order of dimensions: above one sequence the projection
    // keeps a contiguous copy of its output. Megatron-LM functional tests (golden values).
    if (s.attentionBackend == AttentionBackend::Flash2 && s.microBatch > 1)
        kept.add(2, "A", a.heads * (a.mla() ? a.vHeadDim : a.headDim), s.tensor);
    return kept;
}

BlockMemory megatronLocalBlock(const Training &t, bool moe)
{
    const Architecture &a = t.s.architecture;
    BlockMemory memory;
    keepNorms(t.s, memory);
    // Their statistics in fp32: one a token for RMSNorm, two for LayerNorm.
    memory.kept.add(a.norm == NormKind::RmsNorm ? 4 : 8, "norms", a.normsPerLayer,
                    t.s.sequenceParallel ? t.s.tensor : 1);
    if (a.mla())
        keepLatentAttention(a, t.s.tensor, memory.kept);
    else
        keepLocalAttention(t.s, memory.kept);
    keepFeedForward(t.s, moe, memory.kept);
    memory.attention = backwardOfLocalAttention(t.s, moe);
    return memory;
}

BlockMemory textbookBlock(const Training &t)
{
    const Settings &s = t.s;
    const std::int64_t h = s.architecture.hidden;
    const std::int64_t sp = s.sequenceParallel ? s.tensor : 1;
    BlockMemory memory;
    memory.kept.add(10, "h", h, sp);
    memory.kept.add(24, "h", h, s.tensor);
    memory.kept += textbookScores(t);
    memory.input.add(2, "h", h, sp);
    return memory;
}

TermSum textbookScores(const Training &t)
{
    const Exact square = Exact(t.s.architecture.heads) * t.s.sequenceLength;
    TermSum sum;
    sum.add(5, "a s", square.value(), t.s.tensor);
    return sum;
}

} // namespace vramscope
