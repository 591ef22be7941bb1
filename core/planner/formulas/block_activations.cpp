// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/planner/formulas/torch_block.h"

#include <algorithm>
#include <cmath>

namespace vramscope {

BlockMemory TorchBlock::build()
{
    if (m_s.kernels == Kernels::MegatronTe) {
        m_memory = transformerEngineBlock(m_t, m_moe);
        m_memory.kept += scores();
    } else if (m_s.kernels == Kernels::Textbook) {
        m_memory = textbookBlock(m_t);
    } else {
        norms();
        attention();
        feedForward();
        // The gradient of the block's output. Measured: tests/measure, "checkpointing"; runs
        // of adapters (fms-acceleration) agree without it.
        if (m_eager && !m_t.lora())
            m_memory.temporaries.add(m_t.residual, "h", m_a.hidden, m_sp);
        // Adapters of a wider type than the activations keep inputs cast to it.
        if (m_frozen)
            m_memory.kept += adapterInputs(m_t, m_moe);
        else if (m_t.lora() && m_s.adapterWeightBytes > m_w)
            m_memory.kept.add(12, "h", m_a.hidden, m_sp);
    }
    policy();
    return std::move(m_memory);
}

/// How many matrix products read the output of norm `index`: those of the attention, then those of
/// the feed-forward (its router and shared expert; routed experts count by rows).
std::int64_t TorchBlock::readers(std::int64_t index) const
{
    if (index > 1)
        return 1;
    const std::int64_t mlp = m_moe ? 1 + (m_a.sharedFfn > 0 ? m_inner : 0) : m_inner;
    const std::int64_t attention = m_a.fusedQkv ? 1 : m_a.mla() ? 2 : 3;
    return m_a.normsPerLayer == 1 ? attention + mlp : index == 0 ? attention : mlp;
}

/// Bytes per element that an RMSNorm keeps of its input, as Hugging Face's module computes it: the
/// input in fp32 (a copy where it is narrower) and, for the gradient of its weight, the normalised
/// value, of the input's type.
std::int64_t TorchBlock::normalised(std::int64_t inputBytes) const
{
    return m_frozen ? 4 : 4 + inputBytes;
}

void TorchBlock::norms()
{
    const std::int64_t h = m_a.hidden;
    const bool wide = m_t.residual == 4; // the norm reads fp32 without a copy
    const bool rms = m_a.norm == NormKind::RmsNorm && m_eager;
    for (std::int64_t i = 0; i < m_a.normsPerLayer; ++i) {
        m_memory.kept.add(rms ? normalised(m_t.residual) : m_t.residual, "h", h, m_sp);
        // Autocast's norms give fp32, and each product keeps a cast copy of its own: only casts of
        // weights are cached. Measured: tests/measure, family "autocast".
        if (!m_frozen)
            m_memory.kept.add(m_casts ? readers(i) * m_w : m_w, "h", h, m_sp);
    }
    if (!rms || wide)
        m_memory.input.add(m_t.residual, "h", h, m_sp);
    if (m_a.qkNorm) {
        const std::int64_t each = m_eager ? normalised(m_w) : m_w;
        m_memory.kept.add(each, "A", queryWidth(), m_tp);
        m_memory.kept.add(each, "K", kvWidth(), m_tp);
    }
}

TermSum TorchBlock::scores() const
{
    TermSum sum;
    if (m_s.kernels == Kernels::Textbook)
        return textbookScores(m_t);
    if (flash())
        return sum;
    // The softmax, in fp32 under autocast as well, and what enters the product with the values: its
    // cast, or what dropout leaves of it beside a mask. Measured: tests/measure, "attention".
    const bool upcast = m_w < 4 && (m_s.attention == AttentionKind::EagerFp32Softmax || m_casts);
    std::int64_t bytes = upcast ? 4 : m_w;
    if (m_s.attentionDropout > 0)
        bytes += m_w + 1;
    else if (upcast)
        bytes += m_w;
    const Exact square = Exact(m_a.heads) * m_s.sequenceLength;
    sum.add(bytes, "a s", square.value(), m_tp);
    return sum;
}

/// DeepSeek's latent attention, with keys and values expanded for training. Measured:
/// tests/measure, family "mla".
void TorchBlock::latentAttention()
{
    TermSum &kept = m_memory.kept;
    const std::int64_t latent = m_a.kvLoraRank + m_a.qkRopeHeadDim;
    // Of each rank: what its norm keeps, and its output. The norm of the keys' part of the latent
    // reads a copy, unless that is fp32 already: then the whole latent stays.
    const bool copies = m_eager && m_w < 4;
    const std::int64_t output = m_frozen ? 0 : m_w;
    const std::int64_t norm = m_eager ? normalised(m_w) : m_w;
    kept.add(norm + output, "r_q", m_a.qLoraRank);
    kept.add((copies ? norm : m_eager ? norm - 4 : 0) + output, "r_kv", m_a.kvLoraRank);
    if (!copies)
        kept.add(m_w, "(r_kv + d_r)", latent);
    // Queries, and the keys put together; the values are a part of what their product gave.
    const std::int64_t qk = m_a.heads * (m_a.qkNopeHeadDim + m_a.qkRopeHeadDim);
    kept.add(2 * m_w, "a (d_n + d_r)", qk, m_tp);
    kept.add(m_w, "a (d_n + d_v)", m_a.heads * (m_a.qkNopeHeadDim + m_a.vHeadDim), m_tp);
    kept.add(m_w, "a d_v", m_a.heads * m_a.vHeadDim, m_tp);
}

void TorchBlock::attention()
{
    TermSum &kept = m_memory.kept;
    if (m_a.mla()) {
        latentAttention();
    } else {
        // repeat_kv: torchtitan's Llama 3 under PyTorch 2.10 keeps the copies, as recorded.
        const bool expanded = (!flash() || m_s.expandedKv) && m_a.kvHeads < m_a.heads;
        kept.add(expanded ? 3 * m_w : m_w, "A", queryWidth(), m_tp);
        if (!expanded)
            kept.add(2 * m_w, "K", kvWidth(), m_tp);
        kept.add(m_w, "A", queryWidth(), m_tp);
    }
    if (flash())
        kept.add(4, "a", m_a.heads, m_tp); // log-sum-exp of each row, fp32
    kept += scores();
    if (m_s.dropout > 0)
        kept.add(1, "h", m_a.hidden, m_sp);
}

/// `turns`: experts that run one after another, so that only one holds what passes.
void TorchBlock::ffn(std::string_view symbol, std::int64_t width, std::int64_t divisor, bool rows,
                     std::int64_t turns)
{
    // Gated: gate, up, the activated gate and the product (compiled kernels recompute one of
    // them). Plain: before and after the activation function.
    const std::int64_t all = m_a.gatedMlp ? (m_s.kernels == Kernels::Compiled ? 3 : 4) : 2;
    const std::int64_t kept = m_frozen ? all - 1 : all; // a frozen down keeps no input
    m_memory.kept.add(kept * m_w, symbol, width, divisor, rows);
    // In backward the product is gone when gradients of gate and up stand beside the rest: two
    // widths more at the worst moment (one for a plain one).
    // The gradient of a product that was not kept stands beside them as well.
    const std::int64_t passing = (m_a.gatedMlp ? 2 : 1) + (m_frozen ? 1 : 0);
    m_memory.temporaries.add(passing * m_w, symbol, width, divisor * turns, rows);
    // Without saving, forward holds the activated gate, the other half and their product at once.
    m_memory.working.add((m_a.gatedMlp ? 3 : 2) * m_w, symbol, width, divisor * turns, rows);
}

void TorchBlock::feedForward()
{
    TermSum &kept = m_memory.kept;
    if (!m_moe) {
        ffn("f", m_a.ffn, m_tp, false);
    } else {
        kept.add(8, "E", m_a.experts); // router logits and weights, fp32
        // The gathered input (or a cast copy for each product), the output to combine, and of an
        // eager loop over experts that output times its weight: index_add keeps its source.
        // Measured: tests/measure, family "moe".
        const std::int64_t gathered = m_frozen ? 0 : (m_casts ? m_inner : 1) * m_w;
        const std::int64_t weighted = m_eager ? m_t.residual : 0;
        kept.add(gathered + m_w + weighted, "h", m_a.hidden, m_sp, true);
        // transformers' eager modules loop over the experts of a rank.
        const std::int64_t turns =
            m_eager ? std::max<std::int64_t>(m_a.experts / m_s.expert, 1) : 1;
        ffn("f_e", m_a.expertFfn, m_s.expertTensor, true, turns);
        if (m_a.sharedFfn > 0)
            ffn("f_s", m_a.sharedFfn, m_tp, false);
    }
    if (m_s.dropout > 0)
        kept.add(1, "h", m_a.hidden, m_sp);
}

BlockMemory blockMemory(const Training &training, bool moe)
{
    return TorchBlock(training, moe).build();
}

Exact expertRows(const Training &t)
{
    const Architecture &a = t.s.architecture;
    if (!a.moe())
        return 0;
    const double routed =
        static_cast<double>(a.expertsPerToken) * static_cast<double>(t.tokens.value());
    if (t.s.capacityFactor > 0)
        return Exact::ceiling(t.s.capacityFactor * routed / static_cast<double>(a.experts)) *
               a.experts;
    return Exact::ceiling(routed * t.s.loadImbalance);
}

} // namespace vramscope
