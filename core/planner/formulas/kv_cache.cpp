// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/planner/formulas/kv_cache.h"

#include <algorithm>

namespace vramscope {

Exact KvCache::elements(std::int64_t tokens) const
{
    return Exact(perLayer) *
           (Exact(fullLayers) * tokens + Exact(windowLayers) * std::min(tokens, window));
}

Exact KvCache::bytesOf(Exact elements) const
{
    if (elements.overflowed())
        return elements;
    return Exact::ceiling(bytesPerElement * static_cast<double>(elements.value()));
}

Exact KvCache::bytes(std::int64_t sequences, std::int64_t tokens) const
{
    return bytesOf(Exact(sequences) * elements(tokens));
}

Exact KvCache::bytesPerToken() const
{
    return bytesOf(Exact(perLayer) * fullLayers);
}

KvCache kvCacheOf(const Settings &s, const RankInventory &rank)
{
    const Architecture &a = s.architecture;
    KvCache cache;
    cache.bytesPerElement = s.kvBytesPerElement;
    cache.perLayer = a.mla() ? a.kvLoraRank + a.qkRopeHeadDim
                             : 2 * ((a.kvHeads + s.tensor - 1) / s.tensor) * a.headDim;
    cache.window = a.slidingWindow;
    for (std::int64_t i = 0; i < rank.layers(); ++i) {
        const auto layer = static_cast<std::size_t>(rank.firstLayer + i);
        const bool windowed =
            a.slidingWindow > 0 &&
            (a.slidingLayers.empty() || (layer < a.slidingLayers.size() && a.slidingLayers[layer]));
        ++(windowed ? cache.windowLayers : cache.fullLayers);
    }
    return cache;
}

BlockPool blockPoolOf(const KvCache &cache, const Settings &s)
{
    BlockPool pool;
    pool.blockSize = s.blockSize;
    const std::int64_t fewer = std::min(cache.fullLayers, cache.windowLayers);
    const std::int64_t more = std::max(cache.fullLayers, cache.windowLayers);
    // Groups are as large as the rarer kind; kinds of about the same number fill up to the other.
    const bool alike = 4 * more < 5 * fewer;
    pool.groupSize = fewer == 0 || alike ? more : fewer;
    const auto groups = [&](std::int64_t layers) {
        return pool.groupSize > 0 ? dividedUp(Exact(layers), pool.groupSize).value() : 0;
    };
    pool.fullGroups = groups(cache.fullLayers);
    pool.windowGroups = groups(cache.windowLayers);
    pool.windowTokens =
        (Exact(std::max<std::int64_t>(cache.window - 1, 0)) + s.maxNumBatchedTokens).value();
    pool.blockBytes = cache.bytesOf(Exact(cache.perLayer) * s.blockSize) * pool.groupSize;
    return pool;
}

std::int64_t BlockPool::blocksIn(Bytes bytes) const
{
    return blockBytes > 0 ? bytes / blockBytes.value() : 0;
}

std::int64_t BlockPool::blocksOf(std::int64_t tokens) const
{
    const auto blocks = [&](std::int64_t kept) { return dividedUp(Exact(kept), blockSize); };
    Exact sum = Exact(fullGroups) * blocks(tokens);
    // A window seldom begins at the start of a block, so it may touch one more.
    if (windowGroups > 0)
        sum += Exact(windowGroups) * (blocks(std::min(tokens, windowTokens)) + 1);
    return sum.value();
}

std::int64_t BlockPool::longest(std::int64_t blocks, std::int64_t limit) const
{
    std::int64_t low = 0;
    std::int64_t high = limit;
    while (low < high) {
        const std::int64_t middle = low + (high - low + 1) / 2;
        if (blocksOf(middle) <= blocks)
            low = middle;
        else
            high = middle - 1;
    }
    return low;
}

} // namespace vramscope
