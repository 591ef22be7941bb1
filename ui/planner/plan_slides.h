// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/planner/plan_items.h"
#include "ui/stage/stage_item.h"

namespace vramscope {

// The slides with which a plan is decided about, by people who do not run it themselves.

/// A plan that stands beside another one.
struct PlanSide
{
    QString key;
    QString name;
    QString shortName; ///< within a sentence: "A", "this plan"
    const Plan *plan = nullptr;
    const Estimate *estimate = nullptr;
};

/// "Does Llama 3 8B, full training on 8 × H100 SXM5 80 GB fit?"
[[nodiscard]] QString planQuestion(const Plan &plan, const Estimate &estimate);

/// The model, the GPUs and the settings that decide what the plan needs.
[[nodiscard]] StageTable planFacts(const Plan &plan, const Estimate &estimate, ByteUnit unit);

/// A row of the options: what it is, how it stands, and what it costs, as texts.
struct PlanOption
{
    QString name;
    QString verdict;
    QString memory;
    QString gpus;
    QString time; ///< "5.74 s a step"
    QString cost;
};
[[nodiscard]] PlanOption planOption(const QString &name, const Estimate &estimate,
                                    const QString &cost, ByteUnit unit);
[[nodiscard]] StageTable optionsTable(const std::vector<PlanOption> &options);

/// The plan as it is, those that are pinned beside it, what is recommended and what else could be
/// done.
[[nodiscard]] StageScene optionsScene(const StagedPlan &of);

/// What to do, what that needs and risks, and the next step.
[[nodiscard]] StageScene recommendationScene(const StagedPlan &of);

/// Two plans beside each other: verdicts, memory, GPUs and the settings that differ.
[[nodiscard]] StageScene versusScene(const PlanSide &a, const PlanSide &b, ByteUnit unit);

} // namespace vramscope
