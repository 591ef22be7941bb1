// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/model/towers/tower.h"

namespace vramscope {

// Parts of towers, counted once for all of them.

[[nodiscard]] constexpr std::int64_t linear(std::int64_t in, std::int64_t out, bool bias = true)
{
    return in * out + (bias ? out : 0);
}

/// Weight and bias of a LayerNorm; an RMSNorm has `width` parameters.
[[nodiscard]] constexpr std::int64_t layerNorm(std::int64_t width)
{
    return 2 * width;
}

/// One block of a tower: norms, attention, feed-forward.
struct TowerBlock
{
    std::int64_t width = 0;
    std::int64_t query = width;    ///< heads × their dimension
    std::int64_t keyValue = query; ///< the same of keys
    std::int64_t ffn = 0;
    bool gated = false;
    bool qkvBias = true;
    bool keyBias = true; ///< Whisper's keys have none
    bool outBias = true;
    bool ffnBias = true;
    bool layerNorms = true; ///< else RMSNorm
    std::int64_t norms = 2; ///< over the width
    std::int64_t extra = 0; ///< norms of queries and keys, scales
    bool rotates = false;   ///< queries and keys of one product are rotated, each image by itself
    bool quickGelu = false; ///< its sigmoid is a tensor of its own
    bool scales = false;    ///< outputs of attention and feed-forward are scaled by channel
};

/// Adds `layers` blocks to a tower. Attention and feed-forward are column and row parallel in vLLM,
/// where a row parallel layer keeps its bias whole.
void addBlocks(Tower &tower, const TowerBlock &block, std::int64_t layers);

/// Memory of vLLM's modules for these blocks while they encode, as multiples of a patch's vector of
/// `width` values in 16 bit: tensors around attention and feed-forward are whole on every rank.
struct EncodingWidths
{
    std::int64_t aroundAttention = 0;
    std::int64_t attention = 0; ///< queries, keys and values, their copies, and the output
    std::int64_t aroundFeedForward = 0;
    std::int64_t inner = 2; ///< of the feed-forward's width, around the activation function
    std::int64_t norm = 0;
    std::int64_t exchanged = 0;
};

void setEncoding(Tower &tower, const EncodingWidths &widths);

/// Adds a linear layer between tower and language model, which vLLM divides or not.
enum class Divided { No, ByColumns, ByRows };
void addLinear(Tower &tower, std::int64_t in, std::int64_t out, bool bias,
               Divided divided = Divided::No);

} // namespace vramscope
