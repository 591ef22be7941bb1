// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/solver/plan_evaluator.h"

#include "core/base/format.h"
#include "core/estimate/formulas/inference.h"
#include "core/estimate/formulas/step_work.h"

#include "core/plan/field.h"
#include "core/settings/checks.h"
#include "core/settings/job_text.h"
#include "core/solver/fit_summary.h"

#include <algorithm>

namespace vramscope {

PlanEvaluator::PlanEvaluator(const Plan &stated, Settings settings)
    : plan(stated)
    , m_settings(std::move(settings))
    , m_counts(countParameters(m_settings.architecture))
{
}

Result<void> checkComputed(const Plan &plan)
{
    const Estimate figures = estimate(plan);
    if (figures.computed)
        return {};
    std::string why;
    for (const Issue &issue : figures.issues)
        if (issue.severity == Issue::Severity::Blocking)
            why += (why.empty() ? "" : " ") + placed(issue);
    return invalid(why.empty() ? "There are no figures for this plan." : why);
}

Result<FitSummary> knownFitSummary(const Plan &plan)
{
    if (std::optional<FitSummary> known = fitSummary(plan))
        return *std::move(known);
    const Result<void> computed = checkComputed(plan);
    return computed ? invalid("The memory of the plan's GPU is not known.") : computed.error();
}

Result<PlanEvaluator> PlanEvaluator::of(const Plan &plan)
{
    ResolvedPlan resolved = resolve(plan);
    const Settings &s = resolved.settings;
    const std::vector<Issue> wrong = issuesOfNames(plan);
    const auto barred = std::ranges::find(wrong, Issue::Severity::Blocking, &Issue::severity);
    if (barred != wrong.end()) // no change fixes it
        return invalid(printable(barred->text));
    if (!s.diffusion && !countable(s.architecture))
        return invalid("The model is too large to be counted.");
    if (s.capacity <= 0)
        return invalid(unknownCapacity(s) +
                       (s.gpu ? ": state hardware.capacity_bytes."
                              : ": name a GPU of `vramscope-cli presets` as hardware.gpu, or state "
                                "hardware.capacity_bytes."));
    return PlanEvaluator(plan, std::move(resolved.settings));
}

void PlanEvaluator::take(const Field &field)
{
    static const Settings kDefaults;
    if (field.take)
        field.take(m_settings, plan, kDefaults);
}

void PlanEvaluator::update()
{
    updateSettings(m_settings, plan);
}

std::optional<StepWork> PlanEvaluator::work()
{
    if (m_settings.diffusion || m_settings.workload != Workload::Training) {
        const std::optional<PeakSummary> peak = weigh();
        return peak ? std::optional(peak->work) : std::nullopt;
    }
    update();
    return soundPlan(plan, m_settings) ? trainingWork(m_settings, m_counts) : std::nullopt;
}

std::optional<PeakSummary> PlanEvaluator::weigh()
{
    update();
    if (!soundPlan(plan, m_settings))
        return std::nullopt;
    ++m_weighed;
    return peakSummary(m_settings, m_counts);
}

bool PlanEvaluator::fits(const PeakSummary &it) const
{
    return it.device <= it.capacity && cacheSuffices(it.inference);
}

} // namespace vramscope
