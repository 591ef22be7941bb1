// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/print/plan_decision.h"

#include "core/base/sentence.h"
#include "core/print/plan_choice_report.h"
#include "core/settings/settings.h"

#include <algorithm>
#include <limits>

namespace vramscope {

namespace {

constexpr double kHourSeconds = 3600;

Projected scaled(const Projected &band, double factor)
{
    return {band.likely * factor, band.low * factor, band.high * factor};
}

std::vector<TakenOption> takenOptions(const Plan &plan)
{
    std::vector<TakenOption> taken;
    for (auto &[kind, combination] : recommend(plan).options) {
        Plan made = withFields(plan, combination.fields);
        Estimate then = estimate(made);
        taken.push_back({kind, std::move(combination), std::move(made), std::move(then)});
    }
    return taken;
}

} // namespace

ComparedPlans::ComparedPlans(std::vector<PlanToChoose> compared)
    : plans(std::move(compared))
{
    for (const PlanToChoose &plan : plans) {
        times.emplace_back();
        if (!plan.estimate->computed)
            continue;
        if (Result<StepTime> time = projectStep(*plan.estimate->settings, plan.estimate->work))
            times.back() = std::move(*time);
    }
    tokens = tokensToCompare(plans);
    choice = choosePlan(plans);
}

bool ComparedPlans::timed() const
{
    return std::ranges::all_of(times, [](const auto &time) { return time.has_value(); });
}

bool ComparedPlans::priced() const
{
    return std::ranges::all_of(plans, [](const PlanToChoose &plan) {
        return plan.estimate->settings->run.gpuHourPrice > 0;
    });
}

bool ComparedPlans::allFit() const
{
    return std::ranges::all_of(
        plans, [](const PlanToChoose &plan) { return plan.estimate->fits.value_or(false); });
}

Projected ComparedPlans::cost(std::size_t at) const
{
    return scaled(gpuHours(at), priced() ? plans[at].estimate->settings->run.gpuHourPrice : 1);
}

Projected ComparedPlans::seconds(std::size_t at) const
{
    return scaled(gpuHours(at), kHourSeconds / static_cast<double>(times[at]->gpus));
}

std::int64_t ComparedPlans::gpus(std::size_t at) const
{
    return plans[at].estimate->settings->gpus;
}

std::optional<std::pair<std::size_t, double>>
ComparedPlans::leastOf(const std::function<double(std::size_t)> &figure) const
{
    std::size_t least = 0;
    for (std::size_t at = 1; at < plans.size(); ++at)
        least = figure(at) < figure(least) ? at : least;
    double next = std::numeric_limits<double>::max();
    for (std::size_t at = 0; at < plans.size(); ++at)
        next = at == least ? next : std::min(next, figure(at));
    const double share = next > 0 ? 1 - figure(least) / next : 0;
    if (share < kAlike)
        return std::nullopt;
    return std::pair(least, share);
}

Decision decide(std::vector<PlanToChoose> plans, std::span<const std::string> names, ByteUnit unit)
{
    const auto why = [&](const PlanChoice &choice) {
        return plans.size() == 1 ? std::string()
                                 : capitalized(choiceSentence(choice, plans, names, unit));
    };
    PlanChoice choice = choosePlan(plans);
    if (plans.size() == 1 || plans[choice.plan].estimate->fits.value_or(false))
        return {choice.plan, takenOptions(*plans[choice.plan].plan), why(choice)};
    // None fits as it is: what those become that give up least decides.
    std::vector<std::vector<TakenOption>> taken;
    taken.reserve(plans.size());
    for (const PlanToChoose &plan : plans)
        taken.push_back(takenOptions(*plan.plan));
    const auto givenUp = [](const std::vector<TakenOption> &options) {
        return options.empty() ? std::numeric_limits<int>::max()
                               : lastResort(options.front().combination.toll);
    };
    const int least = givenUp(*std::ranges::min_element(taken, {}, givenUp));
    for (std::size_t at = 0; at < plans.size(); ++at) {
        if (!taken[at].empty() && givenUp(taken[at]) == least)
            plans[at] = {&taken[at].front().plan, &taken[at].front().then};
    }
    choice = choosePlan(plans);
    const std::string sentence = why(choice);
    return {choice.plan, std::move(taken[choice.plan]),
            least == std::numeric_limits<int>::max()
                ? sentence
                : "No plan fits as it is. Once changed: " + sentence};
}

} // namespace vramscope
