// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/format.h"
#include "core/estimate/estimate.h"
#include "core/plan/plan.h"
#include "core/table/table.h"

#include <string>

namespace vramscope {

/// A plan by its file, with what it needs.
struct EstimatedPlan
{
    std::string file;
    Plan plan;
    Estimate estimate;
};

/// What two plans need, side by side, as one line of JSON: {"a":{"file","job","at",
/// "time","peak","reserved","device","at_rest"},"b":{…},"chosen":"a" or
/// "b","reason","delta":{…},"components":[{"category","name","a","b","delta"}],
/// "moments":[{"name","a","b","delta"}]}. The components are those of each plan's peak and add up
/// to its `peak`; null where a plan has no such part or moment. Both estimates must be computed.
[[nodiscard]] std::string planDiffJson(const EstimatedPlan &a, const EstimatedPlan &b);

// The figures of both and how far they are apart: levels, parts at the peak of each, moments of the
// step.
[[nodiscard]] DataTable planDiffLevels(const EstimatedPlan &a, const EstimatedPlan &b);
[[nodiscard]] DataTable planDiffParts(const EstimatedPlan &a, const EstimatedPlan &b);
[[nodiscard]] DataTable planDiffMoments(const EstimatedPlan &a, const EstimatedPlan &b);

/// The same for people.
[[nodiscard]] std::string planDiffText(const EstimatedPlan &a, const EstimatedPlan &b,
                                       ByteUnit unit = ByteUnit::Binary);

} // namespace vramscope
