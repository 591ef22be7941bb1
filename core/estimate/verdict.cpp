// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/estimate/verdict.h"

#include <array>

namespace vramscope {

namespace {

struct VerdictWords
{
    std::string_view name;
    std::string_view key;
    std::string_view word;
};

constexpr std::array<VerdictWords, 3> kVerdictWords = {
    {{"Fits", "fits", "fits"},
     {"Tight", "tight", "tight"},
     {"Does not fit", "does_not_fit", "does not fit"}}};

const VerdictWords &wordsOf(Verdict verdict)
{
    return kVerdictWords[static_cast<std::size_t>(verdict)];
}

} // namespace

std::string_view verdictName(Verdict verdict)
{
    return wordsOf(verdict).name;
}

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
    const bool cacheTooSmall =
        it.fits == false && it.peakDevice <= *it.capacity && !cacheDecides(it);
    const bool banded = it.uncertaintyHigh >= it.peakDevice; // else the figure has no band
    const Bytes low = banded ? it.uncertaintyLow : it.peakDevice;
    const Bytes high = banded ? it.uncertaintyHigh : it.peakDevice;
    if (cacheTooSmall || low > *it.capacity)
        return Verdict::DoesNotFit;
    return high > *it.capacity || cacheDecides(it) ? Verdict::Tight : Verdict::Fits;
}

} // namespace vramscope
