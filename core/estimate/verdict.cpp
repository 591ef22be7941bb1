// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/estimate/verdict.h"

#include <array>

namespace vramscope {

namespace {

struct VerdictWords
{
    std::string_view key;
    std::string_view word;
};

constexpr std::array<VerdictWords, 3> kVerdictWords = {
    {{"fits", "fits"}, {"tight", "tight"}, {"does_not_fit", "does not fit"}}};

const VerdictWords &wordsOf(Verdict verdict)
{
    return kVerdictWords[static_cast<std::size_t>(verdict)];
}

} // namespace

std::string_view verdictKey(Verdict verdict)
{
    return wordsOf(verdict).key;
}

std::string_view verdictWord(Verdict verdict)
{
    return wordsOf(verdict).word;
}

bool cacheDecides(const Estimate &it)
{
    return it.inference && it.inference->kvCacheLow < it.inference->kvCacheNeeded &&
           it.inference->kvCacheNeeded <= it.inference->kvCacheHigh;
}

std::optional<Verdict> verdictOf(const Estimate &it)
{
    if (!it.computed || !it.capacity)
        return std::nullopt;
    const bool isBeyond = it.peakDevice > *it.capacity;
    const bool cacheTooSmall = it.fits == false && !isBeyond && !cacheDecides(it);
    if (cacheTooSmall || isBeyond)
        return Verdict::DoesNotFit;
    const bool banded = it.uncertaintyHigh >= it.peakDevice; // else the figure has no band
    return (banded && it.uncertaintyHigh > *it.capacity) || cacheDecides(it) ? Verdict::Tight
                                                                             : Verdict::Fits;
}

bool mayStillFit(const Estimate &it)
{
    const bool servesLoad = !it.inference ||
                            (it.inference->startsServing && it.inference->servesLoad) ||
                            cacheDecides(it);
    return it.computed && it.capacity && it.peakDevice > *it.capacity && servesLoad &&
           it.uncertaintyHigh >= it.peakDevice && it.uncertaintyLow <= *it.capacity;
}

std::string verdictWord(const Estimate &estimate)
{
    const std::optional<Verdict> verdict = verdictOf(estimate);
    return verdict ? (mayStillFit(estimate) ? "probably " : "") + std::string(verdictWord(*verdict))
                   : std::string();
}

} // namespace vramscope
