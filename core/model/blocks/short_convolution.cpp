// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/model/blocks/state_mixers.h"

// The short convolution of LFM2: transformers models/lfm2/modeling_lfm2.py, Lfm2ShortConv. Counted
// against it.

namespace vramscope {

namespace {

std::int64_t convolutionParameters(const Architecture &it, std::int64_t ranks)
{
    const StateMixer &m = it.state;
    const std::int64_t inner = sharedAmong(m.inner, ranks);
    const std::int64_t biases = (m.bias ? 3 * inner + it.hidden : 0) + (m.convBias ? inner : 0);
    return it.hidden * 3 * inner + inner * m.convWidth + inner * it.hidden + biases;
}

std::vector<MixerMatrix> convolutionMatrices(const Architecture &it)
{
    return {{"in_proj", it.hidden, 3 * it.state.inner},
            {"out_proj", it.state.inner, it.hidden, true}};
}

/// vLLM mamba_utils.py, short_conv_state_shape.
StateSize convolutionState(const Architecture &it, std::int64_t ranks)
{
    return {sharedAmong(it.state.inner, ranks) * (it.state.convWidth - 1), 0};
}

/// The projection, its gated part, the convolution's output, and that gated once more.
std::vector<SavedTensor> convolutionSaved(const Architecture &it, const MixerRun &)
{
    return {{.symbol = "I", .width = it.state.inner, .computed = 5, .inputs = 1}};
}

/// Lower than any feed-forward's.
std::vector<SavedTensor> convolutionBackward(const Architecture &, const MixerRun &)
{
    return {};
}

} // namespace

const StateMixerFormulas kShortConvolution = {StateKind::ShortConvolution,
                                              "Short convolution",
                                              "",
                                              convolutionParameters,
                                              convolutionMatrices,
                                              convolutionState,
                                              convolutionSaved,
                                              convolutionBackward};

} // namespace vramscope
