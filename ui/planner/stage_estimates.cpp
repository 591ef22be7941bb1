// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/planner/stage_estimates.h"

#include "core/plan/plan.h"
#include "core/settings/settings.h"
#include "ui/support/text.h"

#include <algorithm>

namespace vramscope {

using namespace Qt::StringLiterals;

namespace {

/// Neighbouring stages of the same peak.
struct Group
{
    std::size_t first = 0;
    std::size_t last = 0;
    Bytes peak = 0;

    [[nodiscard]] QString name() const
    {
        return first == last ? u"Stage %1"_s.arg(first) : u"Stages %1 to %2"_s.arg(first).arg(last);
    }
};

std::vector<Group> groupsOf(const std::vector<Bytes> &stages)
{
    std::vector<Group> groups;
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
    std::vector<Group> groups = groupsOf(estimate.stages);
    if (groups.size() < 2)
        return result;
    if (groups.size() > most) {
        const Group heaviest = *std::ranges::max_element(groups, {}, &Group::peak);
        groups = {groups.front(), heaviest, groups.back()};
        const auto isOne = [](const Group &a, const Group &b) { return a.first == b.first; };
        groups.erase(std::unique(groups.begin(), groups.end(), isOne), groups.end());
    }
    for (const Group &group : groups) {
        Plan varied = plan;
        varied.parallel.stage = static_cast<std::int64_t>(group.first);
        Estimate of = vramscope::estimate(varied);
        const bool isListed = of.settings && !of.settings->gpuList.empty() && of.capacity;
        const QString name =
            isListed ? u"%1, of %2"_s.arg(group.name(), bytesText(*of.capacity)) : group.name();
        result.push_back({name, std::move(of)});
    }
    return result;
}

} // namespace vramscope
