// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/solver/lowered_number.h"

#include "core/plan/field.h"
#include "core/solver/edits.h"
#include "core/solver/largest_value.h"
#include "core/solver/plan_evaluator.h"

#include <iterator>
#include <vector>

namespace vramscope {

namespace {

/// The last of `count` rising values that holds, where those that hold come first.
template<class ValueAt, class Holds>
std::optional<std::int64_t> lastThatHolds(std::int64_t count, ValueAt valueAt, Holds holds)
{
    std::int64_t holding = 0;
    while (holding < count) {
        const std::int64_t middle = holding + (count - holding) / 2;
        if (holds(valueAt(middle)))
            holding = middle + 1;
        else
            count = middle;
    }
    return holding == 0 ? std::nullopt : std::optional(valueAt(holding - 1));
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
    const bool batch = path == FieldPath("batch.micro_batch");
    const auto batches = batch ? microBatchesBelow(s, inForce) : std::vector<std::int64_t>();
    const auto valueAt = [&](std::int64_t at) {
        return batch ? batches[static_cast<std::size_t>(at)] : (at + 1) * step;
    };
    const std::int64_t count = batch ? std::ssize(batches) : (inForce + step - 1) / step - 1;
    const std::optional<std::int64_t> largest = lastThatHolds(count, valueAt, holds);
    trial.plan = plan;
    if (largest)
        setNumber(trial.plan, s, path, *largest);
    return largest.has_value();
}

} // namespace vramscope
