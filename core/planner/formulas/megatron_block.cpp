// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/planner/formulas/block_activations.h"

namespace vramscope {

BlockMemory transformerEngineBlock(const Training &t, bool moe)
{
    const Settings &s = t.s;
    const Architecture &a = s.architecture;
    const std::int64_t tp = s.tensor;
    const std::int64_t sp = s.sequenceParallel ? s.tensor : 1;
    const std::int64_t masks = s.dropout > 0 ? 2 : 0; // after attention and after the MLP
    BlockMemory memory;
    TermSum &kept = memory.kept;
    memory.input.add(2, "h", a.hidden, sp);
    kept.add(4 * a.normsPerLayer + masks, "h", a.hidden, sp); // input and output of each norm
    if (a.mla()) {
        const std::int64_t qk = a.heads * (a.qkNopeHeadDim + a.qkRopeHeadDim);
        kept.add(4, "r_q", a.qLoraRank);
        kept.add(4, "a (d_n + d_r)", qk, tp);
        kept.add(2, "(r_kv + d_r)", a.kvLoraRank + a.qkRopeHeadDim);
        kept.add(2, "r_kv", a.kvLoraRank);
        kept.add(2, "a (d_n + d_v)", a.heads * (a.qkNopeHeadDim + a.vHeadDim), tp);
        kept.add(2, "a d_v", a.heads * a.vHeadDim, tp);
    } else {
        kept.add(4, "A", a.heads * a.headDim, tp); // Q and the attention's output
        kept.add(4, "K", heldKeyValueHeads(s) * a.headDim, tp);
    }
    kept.add(4, "a", a.heads, tp);                 // softmax statistics, fp32
    const std::int64_t inner = a.gatedMlp ? 6 : 4; // fc1 output and the activation's
    if (!moe) {
        kept.add(inner, "f", a.ffn, tp);
        return memory;
    }
    kept.add(8, "E", a.experts);
    kept.add(4, "h", a.hidden, 1, true); // permuted input, expert output before the combination
    kept.add(inner, "f_e", a.expertFfn, s.expertTensor, true);
    kept.add(6, "f_s", a.sharedFfn, tp);
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
