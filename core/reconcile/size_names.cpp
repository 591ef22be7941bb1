// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/reconcile/size_names.h"

#include "core/base/counted.h"
#include "core/base/format.h"

#include <algorithm>
#include <tuple>
#include <utility>

namespace vramscope {

namespace {

// The caching allocator serves multiples of 512 bytes, and asks the driver for multiples of 2 MiB
// where a request is of 10 MiB or more (c10/cuda/CUDACachingAllocator.cpp).
constexpr Bytes kBlockStep = 512;
constexpr Bytes kSegmentStep = 2 * kMiB;
constexpr Bytes kOwnSegment = 10 * kMiB;
constexpr int kToSegment = 2; // a Match's rounding

Exact roundedUp(Bytes bytes, Bytes step)
{
    return dividedUp(Exact(bytes), step) * step;
}

Exact bytesOfSides(std::span<const Side> sides, std::int64_t element)
{
    Exact bytes = element;
    for (const Side &side : sides)
        bytes *= side.length();
    return bytes;
}

/// "8,192 tokens × 128,256 entries of the vocabulary × 4 bytes"
std::string inWords(std::span<const Side> sides, std::int64_t element)
{
    std::string text;
    for (const Side &side : sides)
        text.append(formatCount(side.length().value()))
            .append(" ")
            .append(side.counted)
            .append(" × ");
    return text + counted(element, "byte");
}

/// "4 T V = 4 × 8,192 × 128,256"
std::string inSymbols(std::span<const Side> sides, std::int64_t element)
{
    std::string symbols = formatCount(element);
    std::string numbers = formatCount(element);
    for (const Side &side : sides) {
        symbols.append(" ").append(side.symbol);
        const std::string value = formatCount(side.value.value());
        numbers += " × ";
        numbers += side.divisor > 1 ? "⌈" + value + " / " + formatCount(side.divisor) + "⌉" : value;
    }
    return symbols + " = " + numbers;
}

} // namespace

SizeMatcher::SizeMatcher(Bytes bytes, std::string_view halfType)
    : m_bytes(bytes)
    , m_halfType(halfType)
{
}

int SizeMatcher::roundingTo(Bytes own) const
{
    if (own == m_bytes)
        return 0;
    if (roundedUp(own, kBlockStep) == m_bytes)
        return 1;
    return own >= kOwnSegment && roundedUp(own, kSegmentStep) == m_bytes ? kToSegment : -1;
}

std::string SizeMatcher::typed(std::string_view what, std::int64_t element) const
{
    const std::string text(what);
    switch (element) {
    case 1:
        return text + " in fp8 or as a mask";
    case 2:
        return text + " in " + std::string(m_halfType);
    case 4:
        return text + " in fp32";
    default:
        return text + " in fp64 or int64";
    }
}

void SizeMatcher::match(Category category, const std::string &what, std::span<const Side> sides,
                        std::int64_t element, bool usual)
{
    const Exact own = bytesOfSides(sides, element);
    const int rounding = own.overflowed() || own <= 0 ? -1 : roundingTo(own.value());
    if (rounding < 0)
        return;
    m_matches.push_back(
        {{what + ": " + inWords(sides, element), inSymbols(sides, element), category, own.value()},
         rounding,
         !usual,
         sides.size()});
}

void SizeMatcher::add(Category category, std::string_view what, std::span<const Side> sides,
                      std::int64_t element, bool usual)
{
    match(category, typed(what, element), sides, element, usual);
}

void SizeMatcher::addUntyped(Category category, std::string_view what, std::span<const Side> sides,
                             std::int64_t element)
{
    match(category, std::string(what), sides, element, true);
}

std::vector<SizeName> SizeMatcher::best(std::size_t most) &&
{
    const auto less = [](const Match &a, const Match &b) {
        return std::tie(a.rounding, a.unusual, a.sides) < std::tie(b.rounding, b.unusual, b.sides);
    };
    std::stable_sort(m_matches.begin(), m_matches.end(), less);
    std::vector<SizeName> names;
    for (Match &match : m_matches) {
        const Match &likeliest = m_matches.front();
        const bool doubtful = match.unusual || match.rounding == kToSegment;
        const bool beaten =
            match.unusual != likeliest.unusual || match.rounding != likeliest.rounding;
        const bool told = std::any_of(names.begin(), names.end(), [&](const SizeName &name) {
            return name.text == match.name.text;
        });
        if (!told && !(doubtful && beaten) && names.size() < most)
            names.push_back(match.name);
    }
    return names;
}

namespace {

constexpr std::size_t kMostNames = 4;

std::string_view halfType(const Settings &s)
{
    const bool serves = s.workload == Workload::Inference;
    const bool half = serves
                          ? s.weightFormat == WeightFormat::Fp16
                          : s.regime == Regime::AutocastFp16 || s.regime == Regime::DeepSpeedFp16;
    return half ? "fp16" : "bf16";
}

} // namespace

std::vector<SizeName> namesOfSize(const Plan &plan, Bytes bytes)
{
    const Estimate figures = estimate(plan);
    if (!figures.computed || figures.settings->diffusion || bytes <= 0)
        return {};
    const Settings s = resolve(plan).settings;
    const RankInventory rank = rankOf(s, countParameters(s.architecture), figures.stage);
    const Training training(s, rank);
    SizeMatcher matcher(bytes, halfType(s));
    if (s.workload == Workload::Training) {
        addActivationSizes(training, matcher);
        addBucketSizes(training, matcher);
    } else {
        addServingSizes(training, figures.inference ? figures.inference->kvBlocks : 0, matcher);
    }
    addWeightSizes(training, matcher);
    return std::move(matcher).best(kMostNames);
}

} // namespace vramscope
