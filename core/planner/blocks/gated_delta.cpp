// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/planner/blocks/state_mixers.h"

// The gated delta rule: transformers models/qwen3_next/modeling_qwen3_next.py and
// models/qwen3_5/modeling_qwen3_5.py, Qwen3NextGatedDeltaNet. Counted against both.

namespace vramscope {

namespace {

struct DeltaWidths
{
    std::int64_t heads;
    std::int64_t keys; ///< of the queries, and of the keys
    std::int64_t values;

    DeltaWidths(const StateMixer &m, std::int64_t ranks)
        : heads(sharedAmong(m.heads, ranks))
        , keys(sharedAmong(m.groups, ranks) * m.stateDim)
        , values(heads * m.headDim)
    {
    }
    [[nodiscard]] std::int64_t convolved() const { return 2 * keys + values; }
};

std::int64_t deltaParameters(const Architecture &it, std::int64_t ranks)
{
    const StateMixer &m = it.state;
    const DeltaWidths w(m, ranks);
    return it.hidden * (2 * w.keys + 2 * w.values) // queries, keys, values and their gate
           + it.hidden * 2 * w.heads               // how much each head writes and forgets
           + w.convolved() * m.convWidth           // convolution, without bias
           + 2 * w.heads                           // A and the time step's bias
           + m.headDim                             // norm of a head
           + w.values * it.hidden;                 // out
}

std::vector<MixerMatrix> deltaMatrices(const Architecture &it)
{
    const DeltaWidths w(it.state, 1);
    return {{"in_proj", it.hidden, 2 * w.keys + 2 * w.values},
            {"in_proj", it.hidden, 2 * w.heads},
            {"out_proj", w.values, it.hidden, true}};
}

/// vLLM mamba_utils.py, gated_delta_net_state_shape.
StateSize deltaState(const Architecture &it, std::int64_t ranks)
{
    const StateMixer &m = it.state;
    const DeltaWidths w(m, ranks);
    return {w.convolved() * (m.convWidth - 1), w.heads * m.headDim * m.stateDim};
}

} // namespace

const StateMixerFormulas kGatedDelta = {StateKind::GatedDelta, "Gated delta rule", deltaParameters,
                                        deltaMatrices, deltaState};

} // namespace vramscope
