// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/catalog/architecture.h"

#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

namespace vramscope {

/// A linear layer of a mixer, unsplit: `in` × `out` weights.
struct MixerMatrix
{
    std::string_view target; ///< as adapters name it: in_proj, out_proj, q, k, v, o
    std::int64_t in = 0;
    std::int64_t out = 0;
    bool splitsInput = false; ///< tensor parallelism divides its input: the last one
    std::int64_t modules = 1; ///< linear modules that it consists of
};

/// Elements of the state of one sequence and block on one rank. The convolution's state has the
/// type of the model, the recurrent one is often in fp32.
struct StateSize
{
    std::int64_t convolution = 0;
    std::int64_t recurrent = 0;
};

/// The micro-batch that a mixer works on.
struct MixerRun
{
    std::int64_t batch = 1;
    std::int64_t sequence = 1; ///< tokens
    BlockTurn turn = BlockTurn::Any;
};

/// A tensor that autograd keeps of a mixer, or that exists while it runs backward: for each token
/// `width` / `divisor` elements of `computed` times the compute type's bytes and `fixed` bytes.
/// `inputs` more of the compute type are operands of parameters, which frozen ones do not keep.
struct SavedTensor
{
    std::string_view symbol;
    std::int64_t width = 0;
    std::int64_t computed = 0;
    std::int64_t fixed = 0;
    std::int64_t inputs = 0;
    std::int64_t wideInputs = 0; ///< the same in fp32
    std::int64_t widened =
        0; ///< in the compute type, but in fp32 where autocast meets fp32 weights
    std::int64_t divisor = 1;
    /// In the wider of the compute type and the stored weights'.
    std::int64_t buffered = 0;
    /// Extra, in the compute type: read by later blocks, and kept for them by checkpointing.
    std::int64_t passed = 0;
};

/// Everything that a kind of mixer without attention adds to a plan. A kind is one file of this
/// folder and one row of the table.
struct StateMixerFormulas
{
    StateKind kind = StateKind::None;
    std::string_view title; ///< "Mamba 2"
    /// The kernels that keep a training step as small as `saved`; empty: none.
    std::string_view kernels;
    /// Parameters of one mixer on one of `ranks` tensor-parallel ranks. Heads and channels are
    /// divided; parameters that all heads share are whole on each.
    std::int64_t (*parameters)(const Architecture &architecture, std::int64_t ranks) = nullptr;
    std::vector<MixerMatrix> (*matrices)(const Architecture &architecture) = nullptr;
    StateSize (*state)(const Architecture &architecture, std::int64_t ranks) = nullptr;
    /// Tensors that transformers' eager modules keep for backward in addition to the input, over
    /// the kernels of mamba-ssm, causal-conv1d and flash-linear-attention.
    std::vector<SavedTensor> (*saved)(const Architecture &architecture,
                                      const MixerRun &run) = nullptr;
    /// Additional memory at the worst moment of its backward pass, with what is gone by then below
    /// zero; empty where it is lower than that of any feed-forward.
    std::vector<SavedTensor> (*backward)(const Architecture &architecture,
                                         const MixerRun &run) = nullptr;
    /// Extra parameters of a block of BlockTurn::First, on one of `ranks`; null: no such block
    /// differs.
    std::int64_t (*moreInFirst)(const Architecture &architecture, std::int64_t ranks) = nullptr;
};

/// All kinds, each once.
[[nodiscard]] std::span<const StateMixerFormulas> stateMixers();
/// The kind of an architecture that has one.
[[nodiscard]] const StateMixerFormulas &stateMixerOf(const Architecture &architecture);

/// Parameters of the mixer of a block of that kind, on one of `ranks` tensor-parallel ranks.
[[nodiscard]] std::int64_t mixerParameters(const Architecture &architecture, const BlockKind &kind,
                                           std::int64_t ranks);

/// `count` divided among ranks, rounded up.
[[nodiscard]] constexpr std::int64_t sharedAmong(std::int64_t count, std::int64_t ranks)
{
    return (count + ranks - 1) / ranks;
}

/// Tokens of a tile of flash-linear-attention's delta rules.
inline constexpr std::int64_t kDeltaTile = 64;

// The kinds, each in a file of its own.
extern const StateMixerFormulas kMamba1;
extern const StateMixerFormulas kMamba2;
extern const StateMixerFormulas kGatedDelta;
extern const StateMixerFormulas kKimiDelta;
extern const StateMixerFormulas kLightning;
extern const StateMixerFormulas kShortConvolution;
extern const StateMixerFormulas kRwkv7;

} // namespace vramscope
