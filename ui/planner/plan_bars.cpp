// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/planner/plan_bars.h"

#include "core/plan/plan.h"
#include "core/settings/settings.h"
#include "ui/support/text.h"

#include <algorithm>

namespace vramscope {

using namespace Qt::StringLiterals;

StackedBars scenarioBars(std::span<const NamedEstimate> scenarios)
{
    StackedBars bars;
    if (scenarios.empty())
        return bars;
    const Estimate &first = *scenarios.front().estimate;
    // Stages on GPUs of several kinds have none in common: their names say what each has.
    const bool isListed = first.settings && !first.settings->gpuList.empty();
    const bool isCommon = std::ranges::all_of(scenarios, [&](const NamedEstimate &scenario) {
        return scenario.estimate->capacity == first.capacity;
    });
    if (!isListed || isCommon)
        bars.capacity = first.capacity;
    if (!first.computed)
        bars.emptyText = u"not computed"_s;
    if (std::ranges::none_of(
            scenarios, [](const NamedEstimate &scenario) { return scenario.estimate->computed; }))
        return bars;
    for (const NamedEstimate &scenario : scenarios) {
        const Estimate &estimate = *scenario.estimate;
        bars.bars.push_back({estimate.computed ? scenario.name : scenario.name + u", no figures"_s,
                             partBytes(estimate, estimate.peakMoment)});
    }
    return bars;
}

StackedBars momentBars(const Estimate &estimate)
{
    StackedBars bars;
    bars.capacity = estimate.capacity;
    if (!estimate.computed) {
        bars.emptyText = u"not computed"_s;
        return bars;
    }
    for (std::size_t moment = 0; moment < estimate.moments.size(); ++moment) {
        // Moments are compared by what is allocated.
        bars.bars.push_back({capitalized(toQString(estimate.moments[moment].name)),
                             allocatedParts(estimate, moment)});
    }
    bars.marked = static_cast<int>(estimate.peakMoment);
    return bars;
}

bool runsPipeline(const Estimate &estimate)
{
    return estimate.settings && estimate.settings->diffusion;
}

QString pipelineTitle(const Estimate &estimate)
{
    return estimate.settings->workload == Workload::Inference ? u"One call of the pipeline"_s
                                                              : u"One training step"_s;
}

QString stepTitle(const Estimate &estimate)
{
    const bool learns = estimate.hasRollout();
    return learns ? u"One step of reinforcement learning"_s : u"One training step"_s;
}

} // namespace vramscope
