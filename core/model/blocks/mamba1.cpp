// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/model/blocks/state_mixers.h"

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

constexpr std::int64_t kBetweenStates = 2048; ///< tokens, selective_scan_fwd_kernel.cuh

/// Jamba's, over causal_conv1d_fn and selective_scan_fn: contiguous copies of x, its gate and the
/// time step; the outputs of convolution and scan before and after the gate. A norm on time step, B
/// and C. transformers models/jamba/modeling_jamba.py.
std::vector<SavedTensor> mamba1Saved(const Architecture &it, const MixerRun &run)
{
    const StateMixer &m = it.state;
    const std::int64_t states =
        2 * m.inner * m.stateDim * sharedAmong(run.sequence, kBetweenStates);
    return {{.symbol = "I", .width = m.inner, .computed = 6, .inputs = 2},
            {.symbol = "r_s", .width = m.rank, .fixed = 4, .inputs = 2},
            {.symbol = "2 N_s", .width = 2 * m.stateDim, .computed = 2, .fixed = 4},
            {.symbol = "2 I N_s / s", .width = states, .fixed = 4, .divisor = run.sequence},
            {.symbol = "1", .width = 1, .fixed = 12}};
}

/// Within the scan: the gradients of its output, of x, time step and gate.
std::vector<SavedTensor> mamba1Backward(const Architecture &it, const MixerRun &)
{
    const StateMixer &m = it.state;
    return {{.symbol = "I", .width = m.inner, .computed = 4, .inputs = -1},
            {.symbol = "2 N_s", .width = 2 * m.stateDim, .computed = 1, .fixed = 4}};
}

} // namespace

const StateMixerFormulas kMamba1 = {
    StateKind::Mamba1, "Mamba 1",      "mamba-ssm and causal-conv1d",
    mamba1Parameters,  mamba1Matrices, mamba1State,
    mamba1Saved,       mamba1Backward};

} // namespace vramscope
