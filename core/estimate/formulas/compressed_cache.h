// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/exact.h"

#include <cstdint>

namespace vramscope {

struct RankInventory;
struct Settings;

/// What DeepSeek V4's attention keeps on one rank; with one head, every tensor-parallel rank keeps
/// all of it. Each layer keeps the tokens of a window. Indexed and sparse layers also keep an entry
/// for every few tokens, indexed ones with a key of their index; their compressors keep, in fp32,
/// what the entry in progress is made of. SGLang pool_configurator.py, DSV4PoolConfigurator;
/// vLLM 0.33.0 models/deepseek_v4.
struct CompressedCache
{
    std::int64_t layers = 0; ///< 0: the model has none of this
    std::int64_t indexedLayers = 0;
    std::int64_t sparseLayers = 0; ///< those without an index
    std::int64_t window = 0;
    std::int64_t indexedTokens = 0; ///< tokens in an entry of an indexed layer
    std::int64_t sparseTokens = 0;
    std::int64_t width = 0; ///< elements of an entry
    std::int64_t indexWidth = 0;
    std::int64_t entryBytes = 0;    ///< of a token or an entry in one layer
    std::int64_t indexKeyBytes = 0; ///< of an entry's key

    explicit operator bool() const { return layers > 0; }
    /// Bytes of one more token in a long sequence, whose window is full.
    [[nodiscard]] double bytesPerToken() const;
    /// Bytes of `sequences` of that length, without what compressors keep.
    [[nodiscard]] Exact bytes(std::int64_t sequences, std::int64_t tokens) const;
    /// Bytes of a compressor's row: keys and scores in fp32, of two entries where these overlap.
    [[nodiscard]] std::int64_t indexedStateBytes() const { return 16 * (width + indexWidth); }
    [[nodiscard]] std::int64_t sparseStateBytes() const { return 8 * width; }
};

[[nodiscard]] CompressedCache compressedCacheOf(const Settings &settings,
                                                const RankInventory &rank);

/// The pools that SGLang fills its static fraction with.
struct CompressedPools
{
    double tokenBytes = 0; ///< bytes_per_full_token of SGLang's log
    std::int64_t tokens = 0;
    std::int64_t windowTokens = 0;
    Exact entries;
    Exact windows;
    Exact states;           ///< of compressors
    Exact draft;            ///< the same of a draft
    bool confirmed = false; ///< public logs print the same bytes a token
};

/// The pools that fit `available` bytes, as the release of SGLang that the settings name sizes
/// them.
[[nodiscard]] CompressedPools sglangPools(const CompressedCache &cache, const Settings &settings,
                                          std::int64_t available);

} // namespace vramscope
