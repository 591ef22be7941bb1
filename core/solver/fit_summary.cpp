// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/solver/fit_summary.h"

#include "core/plan/plan.h"
#include "core/settings/calibration_marks.h"

#include <algorithm>

namespace vramscope {

std::optional<FitSummary> fitSummary(const Plan &plan)
{
    const Estimate it = estimate(plan);
    const std::optional<Verdict> verdict = verdictOf(it);
    if (!verdict || !it.headroom || !it.fits || it.components().empty())
        return std::nullopt;
    const auto largest = std::ranges::max_element(it.components(), {}, &Component::bytes);
    return FitSummary{it.peakAllocated,
                      it.peakReserved,
                      it.peakDevice,
                      it.uncertaintyHigh,
                      it.peakAt,
                      *it.headroom,
                      *it.fits,
                      *verdict,
                      mayStillFit(it),
                      it.inference ? it.inference->kvTokens : 0,
                      {largest->name, largest->category, largest->bytes, it.peakAt},
                      it.risk};
}

std::string verdictWord(const FitSummary &summary)
{
    return (summary.mayStillFit ? "probably " : "") + std::string(verdictWord(summary.verdict));
}

std::vector<FieldSetting> changedFields(const Plan &before, const Plan &after)
{
    std::vector<FieldSetting> changed;
    for (const Field &field : planFields())
        if (FieldValue value = field.get(after); value != field.get(before))
            changed.push_back({field.path, std::move(value)});
    return changed;
}

Plan withFields(Plan plan, std::span<const FieldSetting> fields)
{
    for (const FieldSetting &setting : fields) {
        const Field &field = fieldAt(setting.path);
        if (field.get(plan) == setting.value)
            continue;
        field.set(plan, setting.value);
        markCalibrated(plan, setting.path, {}); // a changed constant is from no recording
    }
    return plan;
}

} // namespace vramscope
