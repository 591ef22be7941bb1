// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/solver/ways_to_fit.h"

#include "core/solver/changes.h"
#include "core/solver/plan_evaluator.h"

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

/// The ranking of ways: those that may fit first, of them those whose run has no known risk, and of
/// them last those that may stop the learning; then by the verdict, then the cheapest, then the
/// largest.
auto rankOfWay(const WayToFit &way)
{
    const double lost = way.recomputeShare + way.bubbleShare;
    return std::tuple(way.standing.verdict == Verdict::DoesNotFit, !way.standing.risk.empty(),
                      way.toll == Toll::Learning, way.standing.verdict, way.changesResults,
                      way.gpus, std::llround(100 * lost), way.hostBytes > 0, way.toll,
                      std::max<Bytes>(way.communicationBytes, 0), -way.saved,
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
    std::vector<WayToFit> ways;
    Result<PlanEvaluator> trial = PlanEvaluator::of(plan);
    if (!trial)
        return ways;
    const std::optional<PeakSummary> before = trial->weigh();
    if (!before || before->overflowed())
        return ways;
    const Settings settings = trial->settings();
    const bool fitBefore = trial->fits(*before);
    const std::optional<FitSummary> now = fitSummary(plan);
    const bool isAtRisk = now && !now->risk.empty();
    const auto least = static_cast<Bytes>(kLeastSaving * static_cast<double>(settings.capacity));
    for (const Change &change : changesOf(settings)) {
        trial->plan = plan;
        if (!change.apply(trial->plan, settings))
            continue;
        const std::optional<PeakSummary> after = trial->weigh();
        if (!after)
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
        ways.push_back(
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
             .toll = change.toll});
    }
    std::ranges::stable_sort(ways, {}, rankOfWay);
    return ways;
}

} // namespace vramscope
