// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/planner/coverage.h"

#include <string>
#include <string_view>
#include <utility>

namespace vramscope {

namespace {

void trainingGaps(const Settings &s, std::vector<std::pair<std::string_view, bool>> &gaps)
{
    const bool megatron =
        s.strategy == Strategy::Megatron || s.strategy == Strategy::MegatronDistributedOptimizer;
    gaps.insert(gaps.end(),
                {
                    {"parallel.strategy", megatron},
                    {"parallel.tensor", s.tensor > 1},
                    {"parallel.pipeline", s.pipeline > 1},
                    {"parallel.context", s.context > 1},
                    {"parallel.expert", s.expert > 1},
                    {"precision.linear",
                     s.linear != LinearFormat::Regime && s.linear != LinearFormat::Bf16},
                    {"precision.regime", s.regime == Regime::Fp8},
                    {"optimizer.name",
                     s.optimizer == OptimizerName::Muon || s.optimizer == OptimizerName::Shampoo},
                    {"model.parameters_per_rank_override", s.parametersPerRankOverride > 0},
                });
}

} // namespace

std::vector<Issue> uncovered(const Settings &s)
{
    std::vector<std::pair<std::string_view, bool>> gaps;
    if (s.workload == Workload::Inference)
        gaps.emplace_back("workload", true);
    else
        trainingGaps(s, gaps);

    std::vector<Issue> issues;
    for (const auto &[field, missing] : gaps)
        if (missing)
            issues.push_back({Issue::Severity::Unsupported, std::string(field),
                              "This version does not compute this setting, so it gives no figures "
                              "rather than wrong ones."});
    return issues;
}

} // namespace vramscope
