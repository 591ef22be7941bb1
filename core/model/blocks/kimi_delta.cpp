// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/model/blocks/state_mixers.h"

// Kimi Delta Attention: fla-org/flash-linear-attention fla/layers/kda.py; transformers
// models/kimi_linear/modeling_kimi_linear.py, models/bailing_hybrid/modeling_bailing_hybrid.py.
// Counted against the latter two.

namespace vramscope {

namespace {

std::int64_t kimiParameters(const Architecture &it, std::int64_t ranks)
{
    const StateMixer &m = it.state;
    const std::int64_t heads = sharedAmong(m.heads, ranks);
    const std::int64_t width = heads * m.headDim;
    const auto gate = [&](bool full) {
        return full ? it.hidden * width : it.hidden * m.headDim + m.headDim * width;
    };
    return 4 * it.hidden * width     // queries, keys, values and out
           + 3 * width * m.convWidth // a convolution for each of three
           + heads + width           // A and the time step's bias
           + gate(m.fullGates) + gate(m.fullGates || m.fullOutputGate) +
           it.hidden * heads // how much each head writes
           + m.headDim;      // norm of a head
}

std::vector<MixerMatrix> kimiMatrices(const Architecture &it)
{
    const std::int64_t width = it.state.heads * it.state.headDim;
    std::vector<MixerMatrix> matrices = {{"q", it.hidden, width},
                                         {"k", it.hidden, width},
                                         {"v", it.hidden, width},
                                         {"o", width, it.hidden, true}};
    if (it.state.fullGates)
        matrices.push_back({"forget_gate", it.hidden, width});
    if (it.state.fullGates || it.state.fullOutputGate)
        matrices.push_back({"gate", it.hidden, width});
    return matrices;
}

/// vLLM mamba_utils.py, kda_state_shape.
StateSize kimiState(const Architecture &it, std::int64_t ranks)
{
    const StateMixer &m = it.state;
    const std::int64_t heads = sharedAmong(m.heads, ranks);
    return {3 * heads * m.headDim * (m.convWidth - 1), heads * m.headDim * m.headDim};
}

/// One convolution over queries, keys and values keeps its input; the decay of each channel is
/// computed in fp32, operator by operator, and times a parameter, as the gated norm is. fla-core
/// 0.6 fla/ops/kda/chunk.py.
std::vector<SavedTensor> kimiSaved(const Architecture &it, const MixerRun &)
{
    const StateMixer &m = it.state;
    return {{.symbol = "P",
             .width = m.heads * m.headDim,
             .computed = 6,
             .fixed = 29,
             .inputs = 1,
             .wideInputs = 2},
            {.symbol = "d_s", .width = m.headDim, .inputs = 2}, // of both low-rank gates
            {.symbol = "n_s", .width = m.heads, .computed = 1 + 2 * kDeltaTile, .fixed = 12}};
}

/// Within the recurrence: gradients of all its inputs, states and their gradients. Tensors that the
/// norm saved are gone.
std::vector<SavedTensor> kimiBackward(const Architecture &it, const MixerRun &)
{
    const StateMixer &m = it.state;
    const std::int64_t width = m.heads * m.headDim;
    return {
        {.symbol = "h", .width = it.hidden, .computed = 1},
        {.symbol = "P", .width = width, .computed = 7, .fixed = 8, .inputs = -1},
        {.symbol = "P d_s / 64", .width = width * m.headDim, .computed = 2, .divisor = kDeltaTile},
        {.symbol = "n_s", .width = m.heads, .fixed = 8 * kDeltaTile + 24}};
}

} // namespace

const StateMixerFormulas kKimiDelta = {StateKind::KimiDelta,
                                       "Kimi delta attention",
                                       "flash-linear-attention",
                                       kimiParameters,
                                       kimiMatrices,
                                       kimiState,
                                       kimiSaved,
                                       kimiBackward};

} // namespace vramscope
