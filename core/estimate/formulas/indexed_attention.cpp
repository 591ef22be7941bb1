// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/estimate/formulas/torch_block.h"

#include <algorithm>

namespace vramscope {

// Latent attention to the tokens that an index chooses, as transformers 5.23 runs it
// (models/deepseek_v32, models/glm_moe_dsa): the index works without gradients, and what it chose
// becomes a mask over all tokens. Measured: tests/measure, family "indexed".

/// The mask of each layer, of the type of the scores that it is added to: with one, no flash kernel
/// runs but the memory-efficient one, which saves it.
void TorchBlock::indexedAttention()
{
    m_untilIndex = m_memory.kept;
    if (m_frozen) {
        m_untilIndex += adapterInputs(m_t, m_kind, "o");
        // Outputs of norms that no product saves, but adapters of their type.
        const bool shared = !m_autocast && m_s.adapters.weightBytes == m_w;
        m_untilIndex.add(shared ? 0 : m_w, "h", m_a.hidden);
        m_untilIndex.add(shared ? 0 : m_w, "r_q", m_a.qLoraRank);
    }
    m_memory.kept.add(m_w, "s", m_s.sequenceLength);
}

/// Memory while the index runs, without what autograd saves: the inputs of queries and keys, the
/// index's own, and for each of its heads the scores of all tokens before and after the scale.
/// Scores of several sequences are multiplied with a copy of the keys for every token.
TermSum TorchBlock::passingOfIndex() const
{
    const std::int64_t r = m_t.residual; // the type of the rotary tables, and so of queries and
                                         // keys
    const std::int64_t wide = m_casts ? 4 : 0; // outputs of norms in addition to the saved copies
    const std::int64_t index = m_a.indexHeads * m_a.indexHeadDim;
    TermSum sum;
    sum.add(wide, "h", m_a.hidden);
    sum.add(wide, "r_q", m_a.qLoraRank);
    sum.add(wide, "r_kv", m_a.kvLoraRank);
    sum.add(r, "a (d_n + d_r)", m_a.heads * (m_a.qkNopeHeadDim + m_a.qkRopeHeadDim));
    sum.add(r, "a d_r", m_a.heads * m_a.qkRopeHeadDim);
    sum.add(m_w, "(r_kv + d_r)", m_a.kvLoraRank + m_a.qkRopeHeadDim);
    sum.add(m_w + r, "n_i d_i", index);
    sum.add(r, "n_i d_r", m_a.indexHeads * m_a.qkRopeHeadDim);
    sum.add(2 * r, "(d_i + d_r)", m_a.indexHeadDim + m_a.qkRopeHeadDim);
    // The previous layer's choice; for a checkpointed block it is an argument, counted there.
    const bool handedOn = m_a.indexHandsOn > 0 && m_s.checkpointing == Checkpointing::None;
    sum.add(handedOn ? 4 : 0, "k_i", std::min(m_a.indexHandsOn, m_s.sequenceLength));
    const std::int64_t score = m_autocast ? 2 : 4; // autocast multiplies what the module made fp32
    const Exact heads = Exact(m_a.indexHeads) * m_s.sequenceLength;
    const Exact keys = Exact(m_a.indexHeadDim) * m_s.sequenceLength;
    TermSum scaled;
    scaled.add(2 * score, "n_i s", heads.value());
    TermSum multiplied;
    multiplied.add(score, "n_i s", heads.value());
    multiplied.add(m_autocast ? 6 : 4, "n_i d_i", index);
    multiplied.add(m_autocast ? 6 : 4, "d_i", m_a.indexHeadDim);
    multiplied.add(m_s.microBatch > 1 ? score : 0, "d_i s", keys.value());
    sum += bytes(multiplied) > bytes(scaled) ? multiplied : scaled;
    return sum;
}

/// The index may take more than all that follows it: while a block runs forward, and where it is
/// recomputed, before any gradient of the block is there.
void TorchBlock::indexForward()
{
    if (m_a.indexHeads == 0)
        return;
    const bool recomputes = m_s.checkpointing == Checkpointing::Full;
    const TermSum passing = passingOfIndex();
    TermSum saving = passing;
    saving += m_untilIndex;
    if (recomputes) {
        // Without saving there are the outputs of the norms, the queries and keys, and the values.
        TermSum forward = passing;
        forward.add(m_casts ? 0 : m_w, "h", m_a.hidden);
        forward.add(m_casts ? 0 : m_w, "r_q", m_a.qLoraRank);
        forward.add(m_casts ? 0 : m_w, "r_kv", m_a.kvLoraRank);
        forward.add(m_w + m_t.residual, "a (d_n + d_r)",
                    m_a.heads * (m_a.qkNopeHeadDim + m_a.qkRopeHeadDim));
        forward.add(m_w, "a (d_n + d_v)", m_a.heads * (m_a.qkNopeHeadDim + m_a.vHeadDim));
        if (bytes(forward) > bytes(m_memory.working)) {
            m_memory.working = std::move(forward);
            m_memory.forward = Highest::Index;
        }
        saving.add(m_t.residual, "h", m_a.hidden); // the gradient of the block's output
        saving = saving.minus(m_memory.recomputed);
        if (bytes(saving) > feedForwardHigh()) {
            m_memory.temporaries = std::move(saving);
            m_memory.backward = Highest::Index;
        }
        return;
    }
    if (m_memory.input.perToken() == 0) // else the norm saves it
        saving.add(m_t.residual, "h", m_a.hidden);
    saving = saving.minus(m_memory.kept);
    if (bytes(saving) > 0) {
        m_memory.working = std::move(saving);
        m_memory.forward = Highest::Index;
    }
}

} // namespace vramscope
