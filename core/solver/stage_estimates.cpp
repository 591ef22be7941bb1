// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/solver/stage_estimates.h"

#include "core/base/format.h"
#include "core/settings/settings.h"

#include <algorithm>

namespace vramscope {

namespace {

/// Neighbouring stages of the same peak.
struct AlikeStages
{
    std::size_t first = 0;
    std::size_t last = 0;
    Bytes peak = 0;

    [[nodiscard]] std::string name() const
    {
        return first == last ? "Stage " + std::to_string(first)
                             : "Stages " + std::to_string(first) + " to " + std::to_string(last);
    }
};

std::vector<AlikeStages> alikeStages(const std::vector<Bytes> &stages)
{
    std::vector<AlikeStages> groups;
    for (std::size_t stage = 0; stage < stages.size(); ++stage) {
        if (!groups.empty() && groups.back().peak == stages[stage])
            groups.back().last = stage;
        else
            groups.push_back({stage, stage, stages[stage]});
    }
    return groups;
}

} // namespace

std::vector<StageEstimate> stageEstimates(const Plan &plan, const Estimate &estimate,
                                          std::size_t most)
{
    std::vector<StageEstimate> result;
    if (!estimate.computed)
        return result;
    std::vector<AlikeStages> groups = alikeStages(estimate.stages);
    if (groups.size() < 2)
        return result;
    if (groups.size() > most) {
        const AlikeStages heaviest = *std::ranges::max_element(groups, {}, &AlikeStages::peak);
        groups = {groups.front(), heaviest, groups.back()};
        const auto isOne = [](const AlikeStages &a, const AlikeStages &b) {
            return a.first == b.first;
        };
        groups.erase(std::unique(groups.begin(), groups.end(), isOne), groups.end());
    }
    for (const AlikeStages &group : groups) {
        Plan varied = plan;
        varied.parallel.stage = static_cast<std::int64_t>(group.first);
        Estimate of = vramscope::estimate(varied);
        const bool isListed = of.settings && !of.settings->gpuList.empty() && of.capacity;
        const std::string name =
            isListed ? group.name() + ", of " + formatBytes(*of.capacity) : group.name();
        result.push_back({name, std::move(of)});
    }
    return result;
}

} // namespace vramscope
