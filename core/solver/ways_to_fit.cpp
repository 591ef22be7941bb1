// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/solver/ways_to_fit.h"

#include "core/solver/changes.h"
#include "core/solver/trial.h"

#include <algorithm>
#include <cmath>
#include <tuple>

namespace vramscope {

namespace {

/// Part of the capacity that a change has to save to be worth telling.
constexpr double kLeastSaving = 0.001;

/// What is free on the device, or in a cache that takes what is left of it.
Bytes roomOf(const Footprint &it, const Settings &s)
{
    const bool pooled = it.inference && s.engine == Engine::Vllm && s.kvCacheMemoryBytes < 0;
    return pooled ? it.inference->kvCache : s.capacity - it.device;
}

/// What ways are ranked by: first by the verdict, then the cheapest, then the largest.
auto rankOf(const WayToFit &way)
{
    const double lost = way.recomputeShare + way.bubbleShare;
    return std::tuple(way.standing.verdict, way.changesResults, way.gpus, std::llround(100 * lost),
                      way.hostBytes > 0, std::max<Bytes>(way.communicationBytes, 0), -way.saved);
}

} // namespace

std::vector<WayToFit> waysToFit(const Plan &plan)
{
    std::vector<WayToFit> ways;
    Result<Trial> trial = Trial::of(plan);
    if (!trial)
        return ways;
    const std::optional<Footprint> before = trial->weigh();
    if (!before || before->overflowed())
        return ways;
    const Settings settings = trial->settings();
    const Bytes roomBefore = roomOf(*before, settings);
    const auto least = static_cast<Bytes>(kLeastSaving * static_cast<double>(settings.capacity));
    const bool training = settings.workload == Workload::Training;
    for (const Change &change : training ? trainingChanges() : servingChanges()) {
        trial->plan = plan;
        if (!change.apply(trial->plan, settings))
            continue;
        const std::optional<Footprint> after = trial->weigh();
        if (!after || roomOf(*after, trial->settings()) - roomBefore <= least)
            continue;
        const std::optional<Standing> standing = standingOf(trial->plan);
        if (!standing)
            continue;
        ways.push_back(
            {.title = std::string(change.title),
             .price = std::string(change.price),
             .fields = changedFields(plan, trial->plan),
             .saved = roomOf(*after, trial->settings()) - roomBefore,
             .standing = *standing,
             .recomputeShare = after->recomputeShare - before->recomputeShare,
             .bubbleShare = after->bubbleShare - before->bubbleShare,
             .communicationBytes = after->communicationBytes - before->communicationBytes,
             .hostBytes = after->hostBytes - before->hostBytes,
             .gpus = trial->settings().gpus - settings.gpus,
             .changesResults = change.changesResults});
    }
    std::ranges::stable_sort(ways, {}, rankOf);
    return ways;
}

} // namespace vramscope
