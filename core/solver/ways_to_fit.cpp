// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/solver/ways_to_fit.h"

#include "core/solver/changes.h"
#include "core/solver/lowered_number.h"
#include "core/solver/plan_evaluator.h"
#include "core/solver/tool_gaps.h"

#include <algorithm>
#include <cmath>
#include <tuple>

namespace vramscope {

namespace {

/// Fraction of the capacity that a change has to save, or of the cache's tokens that it has to add,
/// to be listed.
constexpr double kLeastSaving = 0.001;

/// Others make their cache as large as requested.
std::optional<CacheGain> cacheGain(const PeakSummary &before, const PeakSummary &after,
                                   const Settings &s)
{
    if (!sizesItsCache(s) || !before.inference || !after.inference)
        return std::nullopt;
    const CacheGain gain{after.inference->kvCache - before.inference->kvCache,
                         after.inference->kvTokens - before.inference->kvTokens,
                         after.inference->maxConcurrency - before.inference->maxConcurrency};
    const bool isNone = gain.bytes == 0 && gain.tokens == 0 && gain.sequences == 0;
    return isNone ? std::nullopt : std::optional(gain);
}

/// The number that a change lowers becomes the largest with which the whole band fits, or else the
/// best estimate.
void raiseToLargest(const Change &change, const Settings &s, PlanEvaluator &trial)
{
    const auto reaches = [](Verdict verdict) {
        return [verdict](const FitSummary &it) { return it.verdict <= verdict; };
    };
    if (!raiseNumber(change, s, trial, reaches(Verdict::Fits)))
        raiseNumber(change, s, trial, reaches(Verdict::Tight));
}

/// A way with its change.
struct FoundWay
{
    const Change *change;
    WayToFit way;
};

std::int64_t numberOf(const FoundWay &it)
{
    const auto at = std::ranges::find(it.way.fields, *it.change->number, &FieldSetting::path);
    const auto *number =
        at == it.way.fields.end() ? nullptr : std::get_if<std::int64_t>(&at->value);
    return number ? *number : 0;
}

/// Whether a change goes further than one that fits by itself: a larger degree, or more offloaded.
bool goesFurther(const FoundWay &it, const FoundWay &other)
{
    const bool moreOfSame = it.change->number && !it.change->lowers &&
                            it.change->title == other.change->title &&
                            numberOf(it) > numberOf(other);
    return (moreOfSame || it.change->part == other.change->title) &&
           other.way.standing.verdict == Verdict::Fits && other.way.standing.risk.empty();
}

/// What a way saves, on the device or for the cache; less comes first where it fits and rounds.
Bytes rankOfSaving(const WayToFit &way)
{
    const Bytes saving = way.saved + (way.cache ? way.cache->bytes : 0);
    return way.changesResults && way.standing.verdict == Verdict::Fits ? saving : -saving;
}

/// The ranking of ways: those that may fit first, of them those whose run has no known risk, and of
/// them last those that may stop the learning and those with another job; then by the verdict, then
/// the cheapest, then the largest, or what rounds least.
auto rankOfWay(const FoundWay &found)
{
    const WayToFit &way = found.way;
    const double lost = way.recomputeShare + way.bubbleShare;
    return std::tuple(way.standing.verdict == Verdict::DoesNotFit, !way.standing.risk.empty(),
                      lastResort(way.toll), way.standing.verdict, way.changesResults, way.gpus,
                      std::llround(100 * lost), way.hostBytes > 0, way.toll,
                      std::max<Bytes>(way.communicationBytes, 0), rankOfSaving(way),
                      way.cache ? -way.cache->tokens : 0);
}

} // namespace

bool allGiveToCache(std::span<const WayToFit> ways)
{
    return !ways.empty() && std::ranges::all_of(ways, &WayToFit::givesToCache);
}

bool anyChangesCache(std::span<const WayToFit> ways)
{
    return std::ranges::any_of(ways, [](const WayToFit &way) { return way.cache.has_value(); });
}

std::vector<WayToFit> waysToFit(const Plan &plan)
{
    std::vector<FoundWay> found;
    Result<PlanEvaluator> trial = PlanEvaluator::of(plan);
    if (!trial)
        return {};
    const std::optional<PeakSummary> before = trial->weigh();
    if (!before || before->overflowed())
        return {};
    const Settings settings = trial->settings();
    const bool fitBefore = trial->fits(*before);
    const std::optional<FitSummary> now = fitSummary(plan);
    const bool isAtRisk = now && !now->risk.empty();
    const bool isSure = now && now->verdict == Verdict::Fits;
    const auto least = static_cast<Bytes>(kLeastSaving * static_cast<double>(settings.capacity));
    for (const Change &change : changesOf(settings)) {
        trial->plan = plan;
        if (!change.apply(trial->plan, settings))
            continue;
        if (change.lowers && !isSure)
            raiseToLargest(change, settings, *trial);
        const std::optional<PeakSummary> after = trial->weigh();
        if (!after || !toolOffers(plan, settings, trial->settings()))
            continue;
        const Bytes saved = before->device - after->device;
        const std::optional<CacheGain> cache = cacheGain(*before, *after, trial->settings());
        const bool nowFits = trial->fits(*after) && !fitBefore;
        const bool moreTokens =
            cache && static_cast<double>(cache->tokens) >
                         kLeastSaving * static_cast<double>(before->inference->kvTokens);
        const bool helps = saved > least || moreTokens || nowFits;
        if (!helps && !isAtRisk)
            continue;
        const std::optional<FitSummary> standing = fitSummary(trial->plan);
        if (!standing || (!helps && !standing->risk.empty()))
            continue;
        found.push_back(
            {&change,
             {.title = titleOf(change, settings, trial->settings()),
              .price = std::string(change.price),
              .fields = changedFields(plan, trial->plan),
              .saved = saved,
              .cache = cache,
              .standing = *standing,
              .recomputeShare = after->recomputeShare - before->recomputeShare,
              .bubbleShare = after->bubbleShare - before->bubbleShare,
              .communicationBytes = after->communicationBytes - before->communicationBytes,
              .hostBytes = after->hostBytes - before->hostBytes,
              .gpus = trial->settings().gpus - settings.gpus,
              .changesResults = change.changesResults(),
              .toll = change.toll}});
    }
    std::ranges::stable_sort(found, {}, rankOfWay);
    std::vector<WayToFit> ways;
    for (const FoundWay &it : found)
        if (std::ranges::none_of(found,
                                 [&](const FoundWay &other) { return goesFurther(it, other); }))
            ways.push_back(it.way);
    return ways;
}

} // namespace vramscope
