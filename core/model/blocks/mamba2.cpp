// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/model/blocks/state_mixers.h"

#include <algorithm>

// Mamba 2: state-spaces/mamba mamba_ssm/modules/mamba2.py; transformers models/mamba2, bamba,
// nemotron_h, granitemoehybrid, falcon_h1. Counted against all of them.

namespace vramscope {

namespace {

/// Widths of one rank: heads are divided; groups of B and C are divided where there are enough,
/// else repeated (vLLM mamba_utils.py, extra_groups_for_head_shards).
struct Mamba2Widths
{
    std::int64_t heads;
    std::int64_t inner;
    std::int64_t keys; ///< width of B, and of C

    Mamba2Widths(const StateMixer &m, std::int64_t ranks)
        : heads(sharedAmong(m.heads, ranks))
        , inner(sharedAmong(m.inner, ranks))
        , keys(sharedAmong(m.groups, ranks) * m.stateDim)
    {
    }
    [[nodiscard]] std::int64_t convolved() const { return inner + 2 * keys; }
    [[nodiscard]] std::int64_t projected() const { return 2 * inner + 2 * keys + heads; }
};

std::int64_t mamba2Parameters(const Architecture &it, std::int64_t ranks)
{
    const StateMixer &m = it.state;
    const Mamba2Widths w(m, ranks);
    std::int64_t count = it.hidden * w.projected()     // z, x, B, C and the time step
                         + w.convolved() * m.convWidth // convolution of x, B and C
                         + 3 * w.heads                 // A, D and the time step's bias
                         + w.inner * it.hidden;        // out
    count += m.convBias ? w.convolved() : 0;
    count += (m.bias ? w.projected() : 0) + (m.outBias ? it.hidden : 0);
    return count + (m.norm ? w.inner : 0);
}

std::vector<MixerMatrix> mamba2Matrices(const Architecture &it)
{
    const StateMixer &m = it.state;
    return {{"in_proj", it.hidden, Mamba2Widths(m, 1).projected()},
            {"out_proj", m.inner, it.hidden, true}};
}

/// vLLM mamba_utils.py, mamba2_state_shape.
StateSize mamba2State(const Architecture &it, std::int64_t ranks)
{
    const StateMixer &m = it.state;
    const Mamba2Widths w(m, ranks);
    return {w.convolved() * (m.convWidth - 1), w.heads * m.headDim * m.stateDim};
}

/// mamba_split_conv1d_scan_combined computes convolution and norm again in backward: it keeps only
/// the outputs of projection and scan. mamba-ssm 2.3 mamba_ssm/ops/triton/ssd_combined.py.
std::vector<SavedTensor> mamba2Saved(const Architecture &it, const MixerRun &)
{
    const StateMixer &m = it.state;
    const Mamba2Widths w(m, 1);
    // A buffer of factors that multiplies the projection may widen it and all that follows.
    const std::int64_t wide = m.scaled ? 1 : 0;
    return {{.symbol = "(2 I + 2 G_s N_s + n_s)",
             .width = w.projected(),
             .computed = 1 - wide,
             .buffered = wide},
            {.symbol = "I", .width = m.inner, .computed = 1 - wide, .buffered = wide},
            {.symbol = "G_s", .width = m.norm ? m.groups : 0, .fixed = 4}};
}

/// Programs among which the gradient of C · B of each group is split
/// (mamba_ssm/ops/triton/ssd_chunk_scan.py, _chunk_scan_bwd_dcb), on an H100.
std::int64_t gradientParts(const StateMixer &m, const MixerRun &run)
{
    constexpr std::int64_t kMultiprocessors = 132;
    const std::int64_t ratio =
        std::max<std::int64_t>(m.heads / std::max<std::int64_t>(m.groups, 1), 1);
    const std::int64_t tiles = run.batch * sharedAmong(run.sequence, m.chunk) * m.heads;
    return sharedAmong(ratio,
                       std::clamp<std::int64_t>(sharedAmong(tiles, kMultiprocessors), 1, ratio));
}

/// Convolution and gated norm again, gradients of the projection, and the larger of two successive
/// sets: states of each chunk in fp32, with their gradients; or gradients of B and C by group and
/// of their products within a chunk.
std::vector<SavedTensor> mamba2Backward(const Architecture &it, const MixerRun &run)
{
    const StateMixer &m = it.state;
    const Mamba2Widths w(m, 1);
    const std::int64_t states = m.inner * m.stateDim;
    const std::int64_t products = m.groups * m.chunk;
    const std::int64_t perState = 8 * states / m.chunk;
    const std::int64_t perGroup =
        8 * w.keys + 4 * products * (1 + gradientParts(m, run)) + 8 * m.heads;
    const bool ofStates = perState > perGroup;
    const std::int64_t wide = m.scaled ? 1 : 0;
    // Without a norm the scan is gated, which needs its earlier output.
    const std::int64_t outputs = m.norm ? 3 : 4;
    std::vector<SavedTensor> tensors = {
        {.symbol = "(2 I + 2 G_s N_s + n_s)",
         .width = w.projected(),
         .computed = 1 - wide,
         .buffered = wide},
        {.symbol = "(I + 2 G_s N_s)",
         .width = w.convolved(),
         .computed = 2 - 2 * wide,
         .buffered = 2 * wide},
        {.symbol = "I", .width = m.inner, .computed = outputs - 2 * wide, .buffered = 2 * wide},
        {.symbol = "n_s",
         .width = m.heads,
         .computed = 1 - wide,
         .fixed = ofStates ? 12 : 20,
         .buffered = wide},
        {.symbol = "I N_s / Q",
         .width = states,
         .computed = 2,
         .fixed = ofStates ? 8 : 0,
         .divisor = m.chunk},
        {.symbol = "I N_s / s", .width = states, .fixed = 4, .divisor = run.sequence},
        {.symbol = "G_s Q",
         .width = products,
         .fixed = ofStates ? 4 : 4 * (2 + gradientParts(m, run))}};
    if (!ofStates)
        tensors.push_back({.symbol = "G_s N_s", .width = w.keys, .fixed = 8});
    return tensors;
}

} // namespace

const StateMixerFormulas kMamba2 = {
    StateKind::Mamba2, "Mamba 2",      "mamba-ssm and causal-conv1d",
    mamba2Parameters,  mamba2Matrices, mamba2State,
    mamba2Saved,       mamba2Backward};

} // namespace vramscope
