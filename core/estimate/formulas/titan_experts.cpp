// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/estimate/formulas/torch_block.h"

namespace vramscope {

// torchtitan/models/common/moe.py and token_dispatcher.py of 0.3.0, as its Qwen3 runs them with and
// without expert parallelism. Measured: tests/measure, family "expert".

bool runsTitanExperts(const Settings &s)
{
    const bool titan =
        s.trainer == Trainer::Torchtitan || s.expertKernels == ExpertKernels::Torchtitan;
    return titan && s.architecture.moe() && s.kernels != Kernels::MegatronTe &&
           s.kernels != Kernels::Textbook;
}

void TorchBlock::titanExperts()
{
    TermSum &kept = m_memory.kept;
    const std::int64_t h = m_a.hidden;
    // The router multiplies an fp32 copy of the hidden states and saves its softmax. Each choice
    // has the expert, the order of its row and its token (and, where rows travel, its place among
    // those that came), 64 bit each; its score twice, in fp32.
    kept.add(4, "h", h, m_sp);
    kept.add(4, "E", m_a.experts);
    kept.add(m_s.expert > 1 ? 40 : 32, "k", m_a.expertsPerToken);
    // The tensors that the fused norms of queries and keys keep of every head.
    if (m_a.qkNorm)
        kept.add(4, "a_k", heldKeyValueHeads(m_s), m_tp);
    if (m_a.qkNorm)
        kept.add(4, "a", m_a.heads, m_tp);
    // The rows in the experts' order, and the returned rows in fp32: for the scores' gradients.
    kept.add(m_w + 4, "h", h, m_sp, true);
    ffn({"f_e", m_a.expertFfn, m_s.expertTensor, true, 1, m_w});
    // combine() runs backward before any expert does: the gradient of the rows in fp32, and its
    // products with the scores and with the rows.
    TermSum combined;
    combined.add(12, "h", h, m_sp, true);
    if (combined.perRow() > m_memory.temporaries.perRow()) {
        m_memory.temporaries = combined;
        m_memory.backward = Highest::Combination;
    }
}

/// combine() runs forward: the experts' output, its returned rows, those in fp32 and times their
/// score; with the sorted rows, the second norm's input and output, and the sum of a token's rows.
/// A block that saves keeps the sorted rows, the fp32 ones and the norm's input anyway, and reaches
/// one step further, where the products are 16 bit again.
void TorchBlock::titanForward()
{
    const bool saves = m_s.checkpointing == Checkpointing::None;
    const std::int64_t back = m_s.expert > 1 ? m_w : 0;
    const std::int64_t rows = saves ? 4 + 2 * m_w + back : 8 + 2 * m_w + back;
    TermSum combined;
    combined.add((saves ? 2 : 3) * m_t.residual, "h", m_a.hidden, m_sp);
    combined.add(rows, "h", m_a.hidden, m_sp, true);
    if (bytes(combined) > bytes(m_memory.working)) {
        m_memory.working = combined;
        m_memory.forward = Highest::Combination;
    }
}

} // namespace vramscope
