// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/planner/blocks/state_mixers.h"

// Kimi Delta Attention: fla-org/flash-linear-attention fla/layers/kda.py; transformers
// models/kimi_linear/modeling_kimi_linear.py. Counted against the latter.

namespace vramscope {

namespace {

std::int64_t kimiParameters(const Architecture &it, std::int64_t ranks)
{
    const StateMixer &m = it.state;
    const std::int64_t heads = sharedAmong(m.heads, ranks);
    const std::int64_t width = heads * m.headDim;
    return 4 * it.hidden * width                             // queries, keys, values and out
           + 3 * width * m.convWidth                         // a convolution for each of three
           + heads + width                                   // A and the time step's bias
           + 2 * (it.hidden * m.headDim + m.headDim * width) // forget gate and output gate
           + it.hidden * heads                               // how much each head writes
           + m.headDim;                                      // norm of a head
}

std::vector<MixerMatrix> kimiMatrices(const Architecture &it)
{
    const std::int64_t width = it.state.heads * it.state.headDim;
    return {{"q", it.hidden, width},
            {"k", it.hidden, width},
            {"v", it.hidden, width},
            {"o", width, it.hidden, true}};
}

/// vLLM mamba_utils.py, kda_state_shape.
StateSize kimiState(const Architecture &it, std::int64_t ranks)
{
    const StateMixer &m = it.state;
    const std::int64_t heads = sharedAmong(m.heads, ranks);
    return {3 * heads * m.headDim * (m.convWidth - 1), heads * m.headDim * m.headDim};
}

} // namespace

const StateMixerFormulas kKimiDelta = {StateKind::KimiDelta, "Kimi delta attention", kimiParameters,
                                       kimiMatrices, kimiState};

} // namespace vramscope
