// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/planner/plan_items.h"
#include "ui/stage/slide_bars.h"
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
/// The names of several plans, for the foot of their slides.
[[nodiscard]] QString sidesFoot(const std::vector<PlanSide> &sides);
/// "A" or "This plan", where a table or a bar names it.
[[nodiscard]] QString sideHead(const PlanSide &side);

/// Whether it fits, as one bar against the GPU.
[[nodiscard]] StageScene answerScene(const StagedPlan &of);
/// What takes the memory at the peak, largest first.
[[nodiscard]] StageScene whereScene(const StagedPlan &of);
/// The plan as it is, those that are pinned to it, what is recommended and what else could be done.
[[nodiscard]] StageScene optionsScene(const StagedPlan &of);
/// What to do, before and after, what that costs, and the next step. Of several plans the one that
/// choosePlan() names, or the cheapest once each is changed as recommended.
[[nodiscard]] StageScene recommendationScene(const StagedPlan &of);

// versus_slides.cpp: several plans, compared

/// Which is chosen, over the time that each takes for the same work.
[[nodiscard]] StageScene versusScene(const StagedPlan &of);
/// Each on its own GPU, on one scale.
[[nodiscard]] StageScene memoriesScene(const StagedPlan &of);
/// GPU hours, or the price where each states one.
[[nodiscard]] StageScene costsScene(const StagedPlan &of);
/// The parts of the memory that differ, and the settings.
[[nodiscard]] StageScene differencesScene(const StagedPlan &of);
/// What decides for which.
[[nodiscard]] StageScene decisionScene(const StagedPlan &of);
/// Whether time and cost of two of them are projected.
[[nodiscard]] bool areTimed(const StagedPlan &of);

} // namespace vramscope
