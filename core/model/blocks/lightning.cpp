// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/model/blocks/state_mixers.h"

// Lightning attention of MiniMax-Text-01 and M1: transformers
// models/minimax/modeling_minimax.py, MiniMaxLightningAttention. Counted against it.

namespace vramscope {

namespace {

std::int64_t lightningParameters(const Architecture &it, std::int64_t ranks)
{
    const std::int64_t width = sharedAmong(it.state.heads, ranks) * it.state.headDim;
    return 3 * it.hidden * width    // queries, keys and values
           + width                  // norm
           + 2 * it.hidden * width; // gate of the output, and out
}

std::vector<MixerMatrix> lightningMatrices(const Architecture &it)
{
    const std::int64_t width = it.state.heads * it.state.headDim;
    return {{"q", it.hidden, width},
            {"k", it.hidden, width},
            {"v", it.hidden, width},
            {"gate", it.hidden, width},
            {"o", width, it.hidden, true}};
}

/// vLLM mamba_utils.py, linear_attention_state_shape.
StateSize lightningState(const Architecture &it, std::int64_t ranks)
{
    const StateMixer &m = it.state;
    return {0, sharedAmong(m.heads, ranks) * m.headDim * m.headDim};
}

/// Tokens in blocks, each with its scores and the state before it; all written out in transformers
/// models/minimax/modeling_minimax.py.
std::vector<SavedTensor> lightningSaved(const Architecture &it, const MixerRun &run)
{
    const StateMixer &m = it.state;
    const std::int64_t width = m.heads * m.headDim;
    const std::int64_t blocks = sharedAmong(run.sequence, m.chunk);
    // Products of several sequences keep contiguous copies where one sequence keeps views: queries,
    // keys and values in place of their activation, and values again with the decayed queries
    // and keys of all blocks but the first.
    const std::int64_t copies = run.batch > 1 ? 3 : 2;
    const std::int64_t later = copies * width * (blocks - 1);
    return {{.symbol = "P", .width = width, .computed = 8, .fixed = 4, .inputs = 1, .widened = 1},
            {.symbol = "n_s Q", .width = m.heads * m.chunk, .computed = 1},
            {.symbol = "P (1 - Q / s)", .width = later, .computed = 1, .divisor = blocks},
            {.symbol = "P d_s / Q", .width = width * m.headDim, .computed = 1, .divisor = m.chunk}};
}

/// The backward pass of the norm is the highest, in fp32; the gate's saved tensors are gone.
std::vector<SavedTensor> lightningBackward(const Architecture &it, const MixerRun &)
{
    return {{.symbol = "P",
             .width = it.state.heads * it.state.headDim,
             .computed = -3,
             .fixed = 20,
             .inputs = -1}};
}

} // namespace

const StateMixerFormulas kLightning = {StateKind::Lightning, "Lightning attention", "",
                                       lightningParameters,  lightningMatrices,     lightningState,
                                       lightningSaved,       lightningBackward};

} // namespace vramscope
