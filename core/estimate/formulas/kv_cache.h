// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/exact.h"
#include "core/estimate/formulas/compressed_cache.h"
#include "core/estimate/formulas/inventory.h"

#include <array>
#include <cstdint>

namespace vramscope {

/// The key-value cache of one rank: layers that keep every token and layers with a window.
/// Tensor-parallel ranks divide the key-value heads as far as they can, and repeat them beyond; a
/// latent (MLA) is whole on every rank and is both keys and values.
struct KvCache
{
    std::int64_t perLayer = 0;     ///< elements a token and layer
    std::int64_t perFullLayer = 0; ///< the same for a full-attention layer
    std::int64_t fullLayers = 0;
    std::int64_t windowLayers = 0;
    std::int64_t window = 0;
    double bytesPerElement = 2;
    std::int64_t indexBytes = 0;  ///< the index's key, a token and attention layer
    std::int64_t stateLayers = 0; ///< layers that keep a state of one size for each sequence
    Exact stateBytes;             ///< one sequence and layer
    std::int64_t draftLayers = 0; ///< layers of a separate draft, all with full attention
    std::int64_t perDraftLayer = 0;
    std::int64_t draftIndexBytes = 0;
    CompressedCache compressed;

    /// Elements of one sequence of that length.
    [[nodiscard]] Exact elements(std::int64_t tokens) const;
    /// Bytes of a draft's layers, for `sequences` of that length.
    [[nodiscard]] Exact draft(std::int64_t sequences, std::int64_t tokens) const;
    /// Bytes of the index's keys of `sequences` of that length.
    [[nodiscard]] Exact index(std::int64_t sequences, std::int64_t tokens) const;
    /// Bytes of the states of `sequences`, whatever their length.
    [[nodiscard]] Exact states(std::int64_t sequences) const;
    /// Bytes of `sequences` of that length, with their states and what a draft keeps of them.
    [[nodiscard]] Exact bytes(std::int64_t sequences, std::int64_t tokens) const;
    /// Bytes of one more token in a long sequence.
    [[nodiscard]] Exact bytesPerToken() const;
    [[nodiscard]] Exact bytesOf(Exact elements) const;
    /// Elements a token of the largest layer.
    [[nodiscard]] std::int64_t largestLayer() const
    {
        return fullLayers > 0 ? std::max(perLayer, perFullLayer) : perLayer;
    }
};

/// Whether a layer that attends looks back over a window only.
[[nodiscard]] bool slidesOver(const Architecture &architecture, std::int64_t layer);

[[nodiscard]] KvCache kvCacheOf(const Settings &settings, const RankInventory &rank);

/// Groups of layers that keep a window of their own, of blocks of their own.
struct WindowGroups
{
    std::int64_t groups = 0;
    std::int64_t blockSize = 1;
    std::int64_t window = 0;
};

/// vLLM's pool of blocks. Layers of one kind are in groups of equal size, and a block holds
/// `blockSize` tokens of every layer of one group, so that all groups draw from one pool:
/// vllm/v1/core/kv_cache_utils.py. Models of one kind of layer have one group. A state is a block
/// of its own: where there are states, blocks are large enough to hold one (vLLM 0.33.0
/// platforms/interface.py, update_block_size_for_backend; checked against it in
/// tests/measure/caches).
struct BlockPool
{
    std::int64_t blockSize = 16;
    std::int64_t fullBlockSize = 16; ///< for full-attention layers, whose tokens may be larger
    std::int64_t groupSize = 0;      ///< layers in a group, the last one filled up
    std::int64_t fullGroups = 0;
    std::int64_t windowGroups = 0;
    std::int64_t window = 0;
    std::int64_t windowTokens = 0;           ///< the window and the tokens of one batch
    std::array<WindowGroups, 2> compressors; ///< of DeepSeek V4: indexed and sparse layers'
    std::int64_t stateGroups = 0;
    /// With prefix caching also those that are kept for later, with speculation those after each
    /// drafted token.
    std::int64_t statesPerSequence = 1;
    Exact blockBytes;

    [[nodiscard]] std::int64_t groups() const
    {
        return fullGroups + windowGroups + compressors[0].groups + compressors[1].groups +
               stateGroups;
    }
    /// Blocks that fit `bytes`.
    [[nodiscard]] std::int64_t blocksIn(Bytes bytes) const;
    /// Blocks that a sequence takes; its last one in each group may be partly empty.
    [[nodiscard]] std::int64_t blocksOf(std::int64_t tokens) const;
    /// Blocks that sequences of this many tokens use while they run together: between passes a
    /// window keeps no more than its own tokens, and one batch passes at a time
    /// (vllm/v1/core/single_type_kv_cache_manager.py, remove_skipped_blocks()).
    [[nodiscard]] Exact blocksOfLoad(std::int64_t sequences, std::int64_t tokens) const;
    /// The longest sequence that `blocks` hold, up to `limit` tokens.
    [[nodiscard]] std::int64_t longest(std::int64_t blocks, std::int64_t limit) const;
};

[[nodiscard]] BlockPool blockPoolOf(const KvCache &cache, const Settings &settings);

} // namespace vramscope
