// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/planner/blocks/state_mixers.h"

// Mamba 2: state-spaces/mamba mamba_ssm/modules/mamba2.py; transformers models/mamba2, bamba,
// nemotron_h, granitemoehybrid, falcon_h1. Counted against all of them.

namespace vramscope {

namespace {

/// What one rank holds: heads are divided, groups of B and C are too where there are enough, and
/// are repeated else (vLLM mamba_utils.py, extra_groups_for_head_shards).
struct Mamba2Widths
{
    std::int64_t heads;
    std::int64_t inner;
    std::int64_t keys; ///< of B, and of C

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
    count += m.bias ? w.projected() + it.hidden : 0;
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

} // namespace

const StateMixerFormulas kMamba2 = {StateKind::Mamba2, "Mamba 2", mamba2Parameters, mamba2Matrices,
                                    mamba2State};

} // namespace vramscope
