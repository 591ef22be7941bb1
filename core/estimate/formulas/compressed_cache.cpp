// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/estimate/formulas/compressed_cache.h"

#include "core/estimate/formulas/inventory.h"
#include "core/settings/engines/engine_version.h"
#include "core/settings/engines/sglang_values.h"
#include "core/settings/settings.h"

#include <algorithm>

namespace vramscope {

namespace {

/// How releases of SGLang from `since` on divide the memory among these pools: pool_configurator.py
/// of the packages on PyPI.
struct PoolRelease
{
    EngineVersion since;
    bool countsDraft = false;     ///< a window for the layer that predicts, whether it runs or not
    bool statesByRequest = false; ///< sparse layers' compressors: by request, not by token
    bool capsWindows = false;     ///< windows by request where no ratio is stated; padded pages
};
constexpr PoolRelease kPoolReleases[] = {
    {{0, 5, 12}, true, false, false},
    {{0, 5, 13}, false, false, false},
    {{0, 5, 15}, false, true, false},
    {{0, 5, 21}, false, true, true},
};

/// Rows that a compressor keeps of a sequence: two entries, as many again with speculation.
std::int64_t ring(std::int64_t entryTokens, std::int64_t entries, bool speculative)
{
    return entryTokens * entries * (speculative ? 2 : 1);
}

std::int64_t paddedTo(std::int64_t value, std::int64_t step)
{
    return (value + step - 1) / step * step;
}

/// The sizes of one release, in bytes; those a token may be fractions.
class Sizes
{
public:
    Sizes(const CompressedCache &cache, const Settings &s)
        : m_cache(cache)
        , m_s(s)
        , m_release(releaseOf(kPoolReleases, engineVersion(s.engineVersion)))
        , m_speculative(s.speculative.method != SpeculativeMethod::None)
        , m_capped(m_release.capsWindows &&
                   s.sglang.swaFullTokensRatio == kCompressedWindowRatio) // one that is not stated
    {
    }

    [[nodiscard]] double entriesPerToken() const
    {
        const CompressedCache &c = m_cache;
        return (rowBytes(c.indexedTokens) + static_cast<double>(c.indexKeyBytes)) /
                   static_cast<double>(c.indexedTokens) * static_cast<double>(c.indexedLayers) +
               rowBytes(c.sparseTokens) / static_cast<double>(c.sparseTokens) *
                   static_cast<double>(c.sparseLayers);
    }
    [[nodiscard]] double windowToken() const
    {
        return rowBytes(1) * static_cast<double>(m_cache.layers + (m_release.countsDraft ? 1 : 0));
    }
    /// What compressors take for each token in the pool of windows.
    [[nodiscard]] double statesPerWindowToken() const
    {
        const CompressedCache &c = m_cache;
        const double tokens =
            static_cast<double>(m_release.capsWindows ? m_s.sglang.pageSize : c.window);
        const std::int64_t indexed =
            ring(c.indexedTokens, 2, m_speculative) * c.indexedStateBytes() * c.indexedLayers;
        const std::int64_t sparse =
            m_release.statesByRequest
                ? 0
                : ring(c.sparseTokens, 1, m_speculative) * c.sparseStateBytes() * c.sparseLayers;
        return static_cast<double>(indexed + sparse) / tokens;
    }
    [[nodiscard]] Exact statesOfRequests() const
    {
        const CompressedCache &c = m_cache;
        if (!m_release.statesByRequest)
            return 0;
        const std::int64_t rows = ring(c.sparseTokens, 1, m_speculative);
        const Exact all = Exact(m_s.sglang.maxRunningRequests + 2) * rows + 1;
        return dividedUp(all, c.sparseTokens) * c.sparseTokens * c.sparseStateBytes() *
               c.sparseLayers;
    }
    /// Tokens of windows for each token of the pool; 0 where requests decide.
    [[nodiscard]] double windowRatio() const
    {
        return m_capped ? 0 : m_s.sglang.swaFullTokensRatio;
    }
    /// Tokens that the windows of all requests take at worst, and of four prefixes kept for each.
    [[nodiscard]] std::int64_t cappedWindowTokens() const
    {
        if (!m_capped)
            return 0;
        constexpr std::int64_t kEvictionInterval = 128; // SGLANG_SWA_EVICTION_INTERVAL
        constexpr std::int64_t kPrefixes = 4;
        const std::int64_t page = m_s.sglang.pageSize;
        const std::int64_t drafted = m_speculative ? m_s.speculative.tokens : 1;
        const Exact request = Exact(m_cache.window) + kEvictionInterval * drafted + 2 * page;
        const Exact prefixes = Exact(kPrefixes) * (m_cache.window + page);
        const Exact tokens = (request + prefixes) * m_s.sglang.maxRunningRequests +
                             Exact(2) * m_s.sglang.chunkedPrefillSize + page;
        return (dividedUp(tokens, page) * page).value();
    }
    /// Whether a log of such a release was seen.
    [[nodiscard]] bool isConfirmed() const { return !m_release.capsWindows; }
    /// What all is multiplied by to make room for a draft of one layer.
    [[nodiscard]] double draftFactor() const
    {
        const auto layers = static_cast<double>(m_cache.layers + (m_release.countsDraft ? 1 : 0));
        return m_speculative ? (layers + 1) / layers : 1;
    }

private:
    /// Bytes of one entry, a share of its page's padding included.
    [[nodiscard]] double rowBytes(std::int64_t tokens) const
    {
        constexpr std::int64_t kAlignment = 576; // FlashMLA's pages
        const std::int64_t rows = std::max<std::int64_t>(m_s.sglang.pageSize / tokens, 1);
        const std::int64_t bytes = rows * m_cache.entryBytes;
        return static_cast<double>(m_release.capsWindows ? paddedTo(bytes, kAlignment) : bytes) /
               static_cast<double>(rows);
    }

    const CompressedCache &m_cache;
    const Settings &m_s;
    const PoolRelease &m_release;
    bool m_speculative;
    bool m_capped;
};

Exact bytesOf(double each, std::int64_t tokens)
{
    return Exact::ceiling(each * static_cast<double>(tokens));
}

} // namespace

double CompressedCache::bytesPerToken() const
{
    if (layers == 0)
        return 0;
    return static_cast<double>((entryBytes + indexKeyBytes) * indexedLayers) /
               static_cast<double>(indexedTokens) +
           static_cast<double>(entryBytes * sparseLayers) / static_cast<double>(sparseTokens);
}

Exact CompressedCache::bytes(std::int64_t sequences, std::int64_t tokens) const
{
    if (layers == 0)
        return 0;
    const Exact windows = Exact(entryBytes) * layers * std::min(tokens, window);
    const Exact indexed =
        Exact(entryBytes + indexKeyBytes) * indexedLayers * (tokens / indexedTokens);
    return (windows + indexed + Exact(entryBytes) * sparseLayers * (tokens / sparseTokens)) *
           sequences;
}

CompressedCache compressedCacheOf(const Settings &s, const RankInventory &rank)
{
    const Architecture &a = s.architecture;
    CompressedCache cache;
    if (a.compressed.tokens == 0)
        return cache;
    cache.layers = rank.layers();
    for (std::int64_t i = 0; i < rank.layers(); ++i) {
        const TokenMixer mixer = a.kindOf(rank.firstLayer + i).mixer;
        cache.indexedLayers += mixer == TokenMixer::Indexed ? 1 : 0;
        cache.sparseLayers += mixer == TokenMixer::Compressed ? 1 : 0;
    }
    cache.window = a.slidingWindow;
    cache.indexedTokens = a.compressed.indexedTokens;
    cache.sparseTokens = a.compressed.tokens;
    cache.width = a.headDim;
    cache.indexWidth = a.indexHeadDim;
    // Both engines store an entry in fp8 with the rotary part in 16 bit and 8 bytes of scales, and
    // an index's key in fp8 with a scale in fp32 for every 128 elements.
    cache.entryBytes = a.headDim + a.qkRopeHeadDim + 8;
    cache.indexKeyBytes = a.indexHeadDim + a.indexHeadDim / 128 * 4;
    return cache;
}

CompressedPools sglangPools(const CompressedCache &cache, const Settings &s, std::int64_t available)
{
    const Sizes sizes(cache, s);
    const double windowToken = sizes.windowToken() + sizes.statesPerWindowToken();
    const double factor = sizes.draftFactor();
    const std::int64_t page = std::max<std::int64_t>(s.sglang.pageSize, 1);
    CompressedPools pools;
    pools.tokenBytes = (sizes.entriesPerToken() + sizes.windowRatio() * windowToken) * factor;
    const std::int64_t capped = sizes.cappedWindowTokens();
    const Exact fixed = sizes.statesOfRequests() + bytesOf(windowToken * factor, capped);
    const Bytes left = excess(available, fixed).value();
    // Layers with windows alone take nothing for a token where requests decide their number.
    if (pools.tokenBytes > 0)
        pools.tokens = static_cast<std::int64_t>(static_cast<double>(left) / pools.tokenBytes);
    pools.confirmed = sizes.isConfirmed();
    if (s.sglang.maxTotalTokens > 0)
        pools.tokens = std::min(pools.tokens, s.sglang.maxTotalTokens);
    pools.tokens -= pools.tokens % page;
    const auto share =
        static_cast<std::int64_t>(sizes.windowRatio() * static_cast<double>(pools.tokens));
    pools.windowTokens = capped > 0 ? capped : share - share % page;
    pools.entries = bytesOf(sizes.entriesPerToken(), pools.tokens);
    pools.windows = bytesOf(sizes.windowToken(), pools.windowTokens);
    const Exact states = bytesOf(sizes.statesPerWindowToken(), pools.windowTokens);
    pools.states = states + sizes.statesOfRequests();
    pools.draft = Exact::ceiling(
        static_cast<double>((pools.entries + pools.windows + states).value()) * (factor - 1));
    return pools;
}

} // namespace vramscope
