// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/planner/coverage.h"

#include <algorithm>
#include <string>
#include <string_view>
#include <utility>

namespace vramscope {

namespace {

void trainingGaps(const Settings &s, std::vector<std::pair<std::string_view, bool>> &gaps)
{
    const Architecture &a = s.architecture;
    const bool lora = s.adapters == AdapterKind::Lora;
    const bool split = s.tensor > 1 || s.pipeline > 1 || s.expert > 1;
    const bool sharded = s.data * s.context > 1 && s.strategy != Strategy::Ddp;
    const bool named = std::ranges::any_of(s.adapterTargets, [](const std::string &target) {
        return target == "q" || target == "k" || target == "v";
    });
    gaps.insert(gaps.end(),
                {
                    {"precision.linear", s.linear == LinearFormat::NvFp4},
                    {"optimizer.name",
                     s.optimizer == OptimizerName::Muon || s.optimizer == OptimizerName::Shampoo ||
                         (s.optimizer == OptimizerName::Adafactor && (sharded || split || lora))},
                    {"adapters.kind", lora && split},
                    {"adapters.targets", lora && a.mla() && named},
                });
}

} // namespace

std::vector<Issue> uncovered(const Settings &s)
{
    std::vector<std::pair<std::string_view, bool>> gaps;
    if (s.workload == Workload::Training)
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
