// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/estimate/formulas/torch_block.h"

#include <algorithm>

namespace vramscope {

/// Outputs of matrix products with the block's input, kept by a policy that keeps every mm, bmm and
/// addmm. Fused attention is no such product, so flash keeps nothing of its own.
TermSum TorchBlock::keptMatmuls() const
{
    TermSum kept;
    kept.add(m_t.residual, "h", m_a.hidden, m_sp);
    kept.add(m_w, "A", queryWidth(), m_tp);
    kept.add(2 * m_w, "K", kvWidth(), m_tp);
    if (!fusedKernel()) {
        const Exact square = Exact(m_a.heads) * m_s.sequenceLength;
        kept.add(m_w, "a s", square.value(), m_tp);
        kept.add(m_w, "A", queryWidth(), m_tp);
    }
    kept.add(m_w, "h", m_a.hidden, m_sp);
    const std::int64_t inner = (m_a.gatedMlp ? 2 : 1) * m_w;
    if (!m_moe) {
        kept.add(inner, "f", m_a.ffn, m_tp);
        kept.add(m_w, "h", m_a.hidden, m_sp);
        return kept;
    }
    kept.add(inner, "f_e", m_a.expertFfn, m_s.expertTensor, true);
    kept.add(m_w, "h", m_a.hidden, m_sp, true);
    if (m_a.sharedFfn > 0) {
        kept.add(inner, "f_s", m_a.sharedFfn, m_tp);
        kept.add(m_w, "h", m_a.hidden, m_sp);
    }
    return kept;
}

/// Outputs of every second product of a dense block, in the order in which they run. The list of
/// torchtitan's policy has aten.mm, not the aten.addmm of a product with a bias
/// (torchtitan/distributed/activation_checkpoint.py).
TermSum TorchBlock::everySecondProduct() const
{
    TermSum kept;
    bool keeps = false;
    const auto product = [&](bool biased, auto... outputs) {
        keeps = biased ? keeps : !keeps;
        if (keeps && !biased)
            (kept.add(m_w, outputs.symbol, outputs.width, outputs.divisor), ...);
    };
    struct Output
    {
        std::string_view symbol;
        std::int64_t width, divisor;
    };
    const Output queries = {"A", queryWidth(), m_tp}, keys = {"K", kvWidth(), m_tp};
    const Output hidden = {"h", m_a.hidden, m_sp}, inner = {"f", m_a.ffn, m_tp};
    if (m_a.fusedQkv || m_titan) { // torchtitan's since 0.3 (models/common/attention.py)
        product(m_a.bias.qkv, queries, keys, keys);
    } else {
        product(m_a.bias.qkv, queries);
        product(m_a.bias.qkv, keys);
        product(m_a.bias.qkv, keys);
    }
    product(m_a.bias.o, hidden);
    if (m_a.gatedMlp && m_a.fusedGateUp) {
        product(m_a.bias.mlp, inner, inner);
    } else {
        product(m_a.bias.mlp, inner);
        if (m_a.gatedMlp)
            product(m_a.bias.mlp, inner);
    }
    product(m_a.bias.mlp, hidden);
    return kept;
}

/// torchtitan's policy: attention outputs and every second product, and the block's input. Eager
/// code caches the outputs of the last product though nothing in backward reads them; a compiled
/// block keeps only what backward reads (torchtitan's H100 benchmarks with and without compile).
TermSum TorchBlock::keptBySelectiveOp() const
{
    TermSum kept;
    if (m_titanExperts) { // grouped products and the gate are on no list
        kept.add(m_t.residual, "h", m_a.hidden, m_sp);
        kept.add(2 * m_w, "A", queryWidth(), m_tp); // queries, of one product with keys and values
        kept.add(2 * m_w, "K", kvWidth(), m_tp);
        kept.add(4, "a", m_a.heads, m_tp);
        kept.add(12, "k", m_a.expertsPerToken); // the experts that top-k chose, and their scores
        return kept;
    }
    const bool compiled = m_s.kernels == Kernels::Compiled;
    if (!m_moe && !compiled && !m_t.lora()) {
        kept.add(m_t.residual, "h", m_a.hidden, m_sp);
        kept.add(m_w, "A", queryWidth(), m_tp);
        if (fusedKernel())
            kept.add(4, "a", m_a.heads, m_tp);
        kept += everySecondProduct();
        return kept;
    }
    kept.add(m_t.residual + (compiled ? 0 : m_w), "h", m_a.hidden, m_sp);
    kept.add(2 * m_w, "A", queryWidth(), m_tp);
    // torchtitan multiplies queries, keys and values at once since 0.3
    // (models/common/attention.py).
    kept.add(m_titan ? 2 * m_w : m_w, "K", kvWidth(), m_tp);
    if (fusedKernel())
        kept.add(4, "a", m_a.heads, m_tp);
    if (m_moe)
        kept.add(m_w, "f_e", m_a.expertFfn, m_s.expertTensor, true);
    else
        kept.add(m_w, "f", m_a.ffn, m_tp);
    return kept;
}

void TorchBlock::policy()
{
    TermSum input;
    input.add(m_t.residual, "h", m_a.hidden, m_sp);
    const TermSum beyondInput = m_memory.kept.without(m_memory.input);
    switch (m_s.checkpointing) {
    case Checkpointing::None:
        m_memory.survivor = m_memory.kept;
        return;
    case Checkpointing::Full:
    case Checkpointing::EveryK:
    case Checkpointing::Block:
        // The choice of the previous layer's index is an argument of the block.
        input.add(m_a.indexHandsOn > 0 ? 4 : 0, "k_i",
                  std::min(m_a.indexHandsOn, m_s.sequenceLength));
        m_memory.survivor = input;
        m_memory.survivor += m_memory.passed;
        m_memory.recomputed = beyondInput;
        return;
    case Checkpointing::SelectiveAttention:
        m_memory.survivor = m_memory.kept.without(scores());
        m_memory.recomputed = scores();
        return;
    case Checkpointing::SelectiveOp:
        m_memory.survivor = keptBySelectiveOp();
        break;
    case Checkpointing::KeepMatmuls:
        m_memory.survivor = keptMatmuls();
        break;
    }
    m_memory.recomputed = m_memory.kept.without(m_memory.survivor);
}

} // namespace vramscope
