// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/format.h"
#include "core/estimate/estimate.h"
#include "core/plan/plan.h"
#include "ui/planner/scenario_list.h"
#include "ui/stage/stage_item.h"

#include <vector>

namespace vramscope {

/// A plan with what was found of it, and the scenarios pinned beside it.
struct StagedPlan
{
    Plan plan;
    Estimate estimate;
    std::vector<Scenario> scenarios;
    ByteUnit unit = ByteUnit::Binary;
};

/// What can be shown of a plan, as it is told by itself: the answer with what it is about, where
/// the memory goes, each two of the plans that are pinned and what leads from one to the other, the
/// options, the recommendation. Each scenario, the step and its moments are there too, but not
/// shown before somebody wants them. Of a plan without figures the answer alone.
[[nodiscard]] std::vector<StageItem> planItems(StagedPlan plan);

} // namespace vramscope
