// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/planner/plan_items.h"
#include "ui/stage/stage_item.h"

namespace vramscope {

// The slides with which a plan is decided about, by people who do not run it themselves.

/// A plan that is compared with others.
struct PlanSide
{
    QString key;
    QString job;       ///< with the name under which it is pinned, where another has the job too
    QString pinned;    ///< that name; empty of the plan itself
    QString name;      ///< its job, after its letter where it has one
    QString shortName; ///< within a sentence: "A", "this plan"
    const Plan *plan = nullptr;
    const Estimate *estimate = nullptr;
};

/// The plan and those that are pinned to it, each once, by their jobs: "A Llama 3 8B, LoRA on 4 ×
/// H200 SXM 141 GB"; where two have the same job, with the names under which they are pinned in
/// brackets. The plan itself is the first, or has the letter under which it is pinned.
[[nodiscard]] std::vector<PlanSide> planSides(const StagedPlan &of);
/// "A" or "This plan", where a table or a bar names it.
[[nodiscard]] QString sideHead(const PlanSide &side);

/// "Does Llama 3 8B, full training on 8 × H100 SXM5 80 GB fit?"
[[nodiscard]] QString planQuestion(const Plan &plan, const Estimate &estimate);

/// The model, the GPUs and the settings that decide what the plan needs.
[[nodiscard]] StageTable planFacts(const Plan &plan, const Estimate &estimate, ByteUnit unit);

/// The plan as it is, those that are pinned to it, what is recommended and what else could be done.
[[nodiscard]] StageScene optionsScene(const StagedPlan &of);

/// What to do, what that needs and risks, and the next step. Of several plans the one that
/// choosePlan() names, or the cheapest once each is changed as recommended.
[[nodiscard]] StageScene recommendationScene(const StagedPlan &of);

/// Two plans compared: which one to run and why, verdicts, memory, GPUs, what they cost, and the
/// settings that differ.
[[nodiscard]] StageScene versusScene(const PlanSide &a, const PlanSide &b, ByteUnit unit);

} // namespace vramscope
