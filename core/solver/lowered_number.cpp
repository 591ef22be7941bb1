// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/solver/lowered_number.h"

#include "core/plan/field.h"
#include "core/solver/edits.h"
#include "core/solver/largest_value.h"
#include "core/solver/plan_evaluator.h"

#include <algorithm>
#include <ranges>

namespace vramscope {

namespace {

/// The last of rising values that holds, where those that hold come first.
template<class Values, class Holds>
std::optional<std::int64_t> lastThatHolds(const Values &rising, Holds holds)
{
    const auto end = std::ranges::partition_point(rising, holds);
    return end == rising.begin() ? std::nullopt
                                 : std::optional<std::int64_t>(*std::ranges::prev(end));
}

} // namespace

bool raiseNumber(const Change &change, const Settings &before, PlanEvaluator &trial,
                 const std::function<bool(const FitSummary &)> &reaches)
{
    const Plan plan = trial.plan;
    trial.update();
    const Settings s = trial.settings();
    const FieldPath path = *change.number;
    const auto inForce = std::get<std::int64_t>(fieldAt(path).inForce(before));
    const std::int64_t step = stepOf(s, fieldAt(path));
    const auto holds = [&](std::int64_t value) {
        setNumber(trial.plan, s, path, value);
        const std::optional<PeakSummary> peak = trial.weigh();
        if (!peak || !trial.fits(*peak))
            return false;
        const std::optional<FitSummary> summary = fitSummary(trial.plan);
        return summary && reaches(*summary);
    };
    const std::optional<std::int64_t> largest =
        path == FieldPath("batch.micro_batch")
            ? lastThatHolds(microBatchesBelow(s, inForce), holds)
            : lastThatHolds(std::views::iota(std::int64_t(1), (inForce + step - 1) / step) |
                                std::views::transform([=](std::int64_t it) { return it * step; }),
                            holds);
    trial.plan = plan;
    if (largest)
        setNumber(trial.plan, s, path, *largest);
    return largest.has_value();
}

} // namespace vramscope
