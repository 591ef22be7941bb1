// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>

namespace vramscope {

/// How a block mixes tokens. FullAttention: attention without a window, where that has heads of its
/// own (Gemma 4). Parallel: attention and a mixer that keeps a state, in parallel on one input
/// (Falcon-H1). Shared: a block of attention and feed-forward whose weights several layers share,
/// before a mixer that keeps a state (Zamba). Indexed: attention with an index of its own, where
/// other layers have none. Compressed: attention to a window and to entries of many tokens each
/// (DeepSeek V4). Encoder: attention among the tokens of a source, in models that read one and
/// write another sequence (Whisper, T5, BART). Crossed: the blocks that write, with attention to
/// their own tokens and then to the encoder's output.
enum class TokenMixer : std::uint8_t {
    None,
    Attention,
    FullAttention,
    State,
    Parallel,
    Shared,
    Indexed,
    Compressed,
    Encoder,
    Crossed
};

/// The part after it, on each token alone. None: nothing follows.
enum class FeedForward : std::uint8_t { None, Dense, Experts };

/// The position of a block that differs from the others of its kind. First: before all of them,
/// with tensors that later ones read. Again: after the block whose weights it shares.
enum class BlockTurn : std::uint8_t { Any, First, Again };

/// The parts of one block of a model; their shapes are in the Architecture, once.
struct BlockKind
{
    TokenMixer mixer = TokenMixer::Attention;
    FeedForward feedForward = FeedForward::Dense;
    BlockTurn turn = BlockTurn::Any;
    bool borrowsKeys = false; ///< attends to the keys and values of an earlier layer
    std::uint8_t width = 0;   ///< of the feed-forward: 0, the model's, or one of its ffnWidths

    [[nodiscard]] bool attends() const
    {
        return mixer != TokenMixer::None && mixer != TokenMixer::State;
    }
    [[nodiscard]] bool keepsState() const
    {
        return mixer == TokenMixer::State || mixer == TokenMixer::Parallel ||
               mixer == TokenMixer::Shared;
    }
    [[nodiscard]] bool encodes() const { return mixer == TokenMixer::Encoder; }
    [[nodiscard]] bool crosses() const { return mixer == TokenMixer::Crossed; }
    bool operator==(const BlockKind &) const = default;
};

/// What models that read a source have outside their blocks. All 0 in other models.
struct SourceStem
{
    std::int64_t positions = 0; ///< tokens of every source, where it has a fixed length (Whisper)
    std::int64_t frames = 0;    ///< of its input, which two convolutions make tokens of
    std::int64_t bins = 0;      ///< values of a frame
    bool operator==(const SourceStem &) const = default;
};

/// The pictures that a model reads in place of tokens (ViT). All 0 in other models.
struct ImageInput
{
    std::int64_t side = 0;     ///< pixels
    std::int64_t patch = 0;    ///< pixels of a patch's side
    std::int64_t channels = 0; ///< values of a pixel
    std::int64_t extra = 0;    ///< learned tokens before those of the patches

    [[nodiscard]] std::int64_t patches() const
    {
        return patch == 0 ? 0 : (side / patch) * (side / patch);
    }
    [[nodiscard]] std::int64_t tokens() const { return patches() + extra; }
    [[nodiscard]] std::int64_t values() const { return channels * side * side; }
    bool operator==(const ImageInput &) const = default;
};

/// Parameters of each layer of TokenMixer::Shared in addition to the shared block: low-rank
/// adapters of the feed-forward, and of attention.
struct SharedBlocks
{
    std::int64_t count = 0; ///< blocks, which take turns; 0: none
    std::int64_t rank = 0;  ///< 0: no adapters
    bool adaptsAttention = false;

    bool operator==(const SharedBlocks &) const = default;
};

/// Attention of DeepSeek V4: one head of keys, which are the values, compressed over tokens in some
/// layers, and an output of low rank in groups of heads. All 0 in other models.
struct CompressedAttention
{
    std::int64_t outputGroups = 0;
    std::int64_t outputRank = 0;    ///< rank of each group
    std::int64_t tokens = 0;        ///< tokens in an entry of TokenMixer::Compressed
    std::int64_t indexedTokens = 0; ///< the same for TokenMixer::Indexed

    bool operator==(const CompressedAttention &) const = default;
};

/// Mixers that keep a state of one size for each sequence, however long, instead of a cache.
enum class StateKind : std::uint8_t {
    None,
    Mamba1,
    Mamba2,
    GatedDelta,
    KimiDelta,
    Lightning,
    ShortConvolution,
    Rwkv7
};

/// The shape of such a mixer; 0 means "has none". Counts are of the whole model.
struct StateMixer
{
    StateKind kind = StateKind::None;
    std::int64_t heads = 0;     ///< of values
    std::int64_t headDim = 0;   ///< of values
    std::int64_t groups = 0;    ///< of keys: Mamba 2's n_groups, the delta rule's key heads
    std::int64_t stateDim = 0;  ///< of keys: the state space's state size
    std::int64_t inner = 0;     ///< width between both projections
    std::int64_t convWidth = 0; ///< tokens in the convolution's window
    std::int64_t rank = 0;      ///< for Mamba 1's time step; RWKV 7's decay, gate and rate together
    std::int64_t valueRank = 0; ///< for the mix of RWKV 7's values with those of the first block
    std::int64_t chunk = 0;     ///< tokens processed at once, between two kept states
    std::int64_t readers = 1;   ///< matrix products that read the mixer's input
    bool bias = false;          ///< of both projections; Mamba 2: of the first
    bool outBias = false;       ///< in Mamba 2's second projection
    bool convBias = false;
    bool norm = false;           ///< on the mixer's output; Mamba 1: on time step and keys; RWKV 7:
                                 ///< before the first block
    bool scaled = false;         ///< a buffer of factors multiplies the projection (Falcon-H1)
    bool fullGates = false;      ///< both gates are whole matrices (Kimi's delta rule in Ling 3.0)
    bool fullOutputGate = false; ///< the output gate alone is one (Kimi K3)
    bool fusedNorms = false;     ///< each norm is one kernel (RWKV 7)
    std::int64_t recurrentBytes = 0; ///< of an element of the state; 0: the model's type

    bool operator==(const StateMixer &) const = default;
};

} // namespace vramscope
