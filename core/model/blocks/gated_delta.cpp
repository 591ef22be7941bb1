// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/model/blocks/state_mixers.h"

// The gated delta rule: transformers models/qwen3_next/modeling_qwen3_next.py and
// models/qwen3_5/modeling_qwen3_5.py, Qwen3NextGatedDeltaNet. Counted against both.

namespace vramscope {

namespace {

struct DeltaWidths
{
    std::int64_t heads;
    std::int64_t keys; ///< width of the queries, and of the keys
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
    const std::int64_t modules = it.state.readers / 2; // one for both parts of each, or two
    return {{"in_proj", it.hidden, 2 * w.keys + 2 * w.values, false, modules},
            {"in_proj", it.hidden, 2 * w.heads, false, modules},
            {"out_proj", w.values, it.hidden, true}};
}

/// vLLM mamba_utils.py, gated_delta_net_state_shape.
StateSize deltaState(const Architecture &it, std::int64_t ranks)
{
    const StateMixer &m = it.state;
    const DeltaWidths w(m, ranks);
    return {w.convolved() * (m.convWidth - 1), w.heads * m.headDim * m.stateDim};
}

/// The convolution keeps its input, the recurrence normalised queries and keys with their norms,
/// values, decay and the inverse of each tile; the gated norm works in fp32 and keeps the operand
/// of its weight. fla-core 0.6 fla/ops/gated_delta_rule/chunk.py.
std::vector<SavedTensor> deltaSaved(const Architecture &it, const MixerRun &)
{
    const DeltaWidths w(it.state, 1);
    return {
        {.symbol = "(2 K_s + V_s)", .width = w.convolved(), .computed = 1},
        {.symbol = "K_s", .width = w.keys, .computed = 2},
        {.symbol = "V_s", .width = w.values, .computed = 1, .fixed = 12, .inputs = 2, .widened = 1},
        {.symbol = "n_k", .width = it.state.groups, .fixed = 8},
        {.symbol = "n_s",
         .width = w.heads,
         .computed = 1 + kDeltaTile,
         .fixed = 12,
         .wideInputs = 1}};
}

/// The backward pass of the gated norm is the highest: three fp32 gradients.
std::vector<SavedTensor> deltaBackward(const Architecture &it, const MixerRun &)
{
    return {{.symbol = "V_s",
             .width = DeltaWidths(it.state, 1).values,
             .computed = 1,
             .fixed = 12,
             .inputs = -1}};
}

} // namespace

const StateMixerFormulas kGatedDelta = {StateKind::GatedDelta,
                                        "Gated delta rule",
                                        "flash-linear-attention",
                                        deltaParameters,
                                        deltaMatrices,
                                        deltaState,
                                        deltaSaved,
                                        deltaBackward};

} // namespace vramscope
