// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/solver/projected_plan.h"

#include "core/solver/plan_evaluator.h"

#include <algorithm>
#include <set>

namespace vramscope {

Result<ProjectedPlan> projectPlan(const Plan &plan, std::span<const std::int64_t> gpus,
                                  std::optional<SpeedCalibration> calibration,
                                  const Progress &progress)
{
    if (const Result<void> sound = checkComputed(plan); !sound)
        return sound.error();
    ProjectedPlan result;
    result.plan = plan;
    result.calibration = std::move(calibration);
    const SpeedCalibration *by = result.calibration ? &*result.calibration : nullptr;
    const auto addLine = [&](std::string title, const Plan &of) {
        ScaleLine line{std::move(title), of, scalePoints(of, gpus, Scaling::Weak, by), {}};
        if (of.workload != Workload::Inference)
            line.strong = scalePoints(of, gpus, Scaling::Strong, by);
        result.lines.push_back(std::move(line));
    };
    addLine("This plan", plan);
    result.guide = strategyGuide(plan, by, progress);
    if (!result.guide) {
        if (result.guide.error().code == ErrorCode::Cancelled)
            return result.guide.error();
        return result;
    }
    std::set<StrategyKind> kinds;
    for (const StrategyOption &option : result.guide->options)
        if (kinds.insert(option.kind).second)
            addLine(std::string(kindTitle(option.kind)), option.plan);
    return result;
}

} // namespace vramscope
