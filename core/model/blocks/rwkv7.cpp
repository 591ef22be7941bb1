// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/model/blocks/state_mixers.h"

// RWKV 7's time mix: fla-org/flash-linear-attention fla/layers/rwkv7.py,
// fla/models/rwkv7/modeling_rwkv7.py. Counted against them. The channel mix is the feed-forward of
// these blocks.

namespace vramscope {

namespace {

std::int64_t widthOn(const StateMixer &m, std::int64_t ranks)
{
    return sharedAmong(m.heads, ranks) * m.headDim;
}

/// A pair of matrices of low rank, and the bias of the second.
std::int64_t lowRank(const Architecture &it, std::int64_t width, std::int64_t rank)
{
    return it.hidden * rank + rank * width;
}

std::int64_t rwkv7Parameters(const Architecture &it, std::int64_t ranks)
{
    const StateMixer &m = it.state;
    const std::int64_t width = widthOn(m, ranks);
    return 6 * it.hidden           // how each of six mixes a token with the one before
           + 4 * it.hidden * width // receptance, keys, values and out
           + lowRank(it, width, m.rank) + lowRank(it, width, m.valueRank) //
           + 3 * width  // biases of decay, rate and mixed values
           + 3 * width  // k_k, k_a and r_k
           + 2 * width; // norm of the heads
}

/// The first block does not mix its values with others, and has a norm of the embedding.
std::int64_t rwkv7MoreInFirst(const Architecture &it, std::int64_t ranks)
{
    const std::int64_t width = widthOn(it.state, ranks);
    const std::int64_t norm = it.state.norm ? it.hidden * it.normVectors() : 0;
    return norm - lowRank(it, width, it.state.valueRank) - width;
}

std::vector<MixerMatrix> rwkv7Matrices(const Architecture &it)
{
    const std::int64_t width = widthOn(it.state, 1);
    return {{"q", it.hidden, width},
            {"k", it.hidden, width},
            {"v", it.hidden, width},
            {"o", width, it.hidden, true}};
}

/// The previous token, as time mix and channel mix see it (fla/modules/token_shift.py), and a
/// square for each head. llama.cpp src/llama-hparams.cpp, n_embd_r and n_embd_s, has the same.
StateSize rwkv7State(const Architecture &it, std::int64_t ranks)
{
    return {2 * it.hidden, widthOn(it.state, ranks) * it.state.headDim};
}

/// Six mixtures of a token with the one before, with their difference; the inputs of chunk_rwkv7
/// and of the elementwise kernels around it; the norm of the heads, and the inputs of the output.
/// Each separate norm keeps its input as well.
std::vector<SavedTensor> rwkv7Saved(const Architecture &it, const MixerRun &run)
{
    const StateMixer &m = it.state;
    const std::int64_t width = widthOn(m, 1);
    const bool first = run.turn == BlockTurn::First;
    // The first block's values are not mixed. It keeps the input of the embedding's norm; with its
    // input, checkpointing keeps its values, and zeros in their place.
    const std::int64_t less = first ? (m.norm ? 1 : 2) : 0;
    // Under autocast the norm's output, the differences and the results of k_k, a vector in fp32,
    // are in fp32, and two products read the mixture of the values, each a copy.
    const std::int64_t wide = m.fusedNorms ? 3 : 6;
    std::vector<SavedTensor> tensors = {
        {.symbol = "h",
         .width = it.hidden,
         .computed = first ? 5 : 4,
         .widened = first ? 2 : 3,
         .passed = first ? 2 : 0},
        {.symbol = "P",
         .width = width,
         .computed = (m.fusedNorms ? 16 : 17) - wide - less,
         .widened = wide},
        {.symbol = "r_s", .width = m.rank + (first ? 0 : m.valueRank), .computed = 1}};
    if (m.fusedNorms)
        tensors.push_back({.symbol = "n_s", .width = m.heads, .fixed = 12});
    else
        tensors.push_back({.symbol = "n_s", .width = m.heads, .widened = 4});
    return tensors;
}

/// Within chunk_rwkv7, which is computed again in tiles: fla/ops/generalized_delta_rule/dplr/
/// chunk.py, ChunkDPLRDeltaRuleFunction. With the gradients that the output left, and that of the
/// first block's values; the saved tensors of norm and gate are gone.
std::vector<SavedTensor> rwkv7Backward(const Architecture &it, const MixerRun &)
{
    const StateMixer &m = it.state;
    const std::int64_t width = widthOn(m, 1);
    return {
        {.symbol = "P", .width = width, .computed = 19, .fixed = 20},
        {.symbol = "64 n_s", .width = m.heads * kDeltaTile, .computed = 1, .fixed = 20},
        {.symbol = "P d_s / 64", .width = width * m.headDim, .computed = 2, .divisor = kDeltaTile}};
}

} // namespace

const StateMixerFormulas kRwkv7 = {StateKind::Rwkv7, "RWKV 7",      "",
                                   rwkv7Parameters,  rwkv7Matrices, rwkv7State,
                                   rwkv7Saved,       rwkv7Backward, rwkv7MoreInFirst};

} // namespace vramscope
