// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/planner/blocks/state_mixers.h"

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

} // namespace

const StateMixerFormulas kLightning = {StateKind::Lightning, "Lightning attention",
                                       lightningParameters, lightningMatrices, lightningState};

} // namespace vramscope
