// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/planner/blocks/state_mixers.h"

// Mamba 1: state-spaces/mamba mamba_ssm/modules/mamba_simple.py; transformers
// models/mamba/modeling_mamba.py, models/jamba/modeling_jamba.py (which adds norms on the time step
// and on B and C). Counted against both.

namespace vramscope {

namespace {

std::int64_t mamba1Parameters(const Architecture &it, std::int64_t ranks)
{
    const StateMixer &m = it.state;
    const std::int64_t inner = sharedAmong(m.inner, ranks);
    const std::int64_t chosen = m.rank + 2 * m.stateDim; // time step, B and C
    std::int64_t count = it.hidden * 2 * inner           // x and z
                         + inner * m.convWidth           // convolution, channel by channel
                         + inner * chosen                // from x
                         + m.rank * inner + inner        // to the time step, with its bias
                         + inner * m.stateDim + inner    // A and D
                         + inner * it.hidden;            // out
    count += m.convBias ? inner : 0;
    count += m.bias ? 2 * inner + it.hidden : 0;
    return count + (m.norm ? chosen : 0);
}

std::vector<MixerMatrix> mamba1Matrices(const Architecture &it)
{
    const StateMixer &m = it.state;
    return {{"in_proj", it.hidden, 2 * m.inner},
            {"x_proj", m.inner, m.rank + 2 * m.stateDim, true},
            {"dt_proj", m.rank, m.inner},
            {"out_proj", m.inner, it.hidden, true}};
}

/// vLLM model_executor/layers/mamba/mamba_utils.py, mamba1_state_shape: w − 1 columns of the
/// convolution's input, and a state for each channel.
StateSize mamba1State(const Architecture &it, std::int64_t ranks)
{
    const std::int64_t inner = sharedAmong(it.state.inner, ranks);
    return {inner * (it.state.convWidth - 1), inner * it.state.stateDim};
}

} // namespace

const StateMixerFormulas kMamba1 = {StateKind::Mamba1, "Mamba 1", mamba1Parameters, mamba1Matrices,
                                    mamba1State};

} // namespace vramscope
