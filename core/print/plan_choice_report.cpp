// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/print/plan_choice_report.h"

#include "core/base/counted.h"
#include "core/base/durations.h"
#include "core/estimate/verdict.h"
#include "core/print/time_report.h"
#include "core/settings/settings.h"

#include <algorithm>
#include <cmath>
#include <optional>

namespace vramscope {

namespace {

constexpr std::string_view kNoFigure = "-";

/// A plan with its projection, if there is one.
struct Timed
{
    const Settings *settings = nullptr;
    std::optional<StepTime> time;
};

std::vector<Timed> timedPlans(std::span<const PlanToChoose> plans)
{
    std::vector<Timed> timed;
    for (const PlanToChoose &plan : plans) {
        Timed &one = timed.emplace_back(Timed{plan.estimate->settings.get(), {}});
        if (!plan.estimate->computed)
            continue;
        if (Result<StepTime> time = projectStep(*one.settings, plan.estimate->work))
            one.time = std::move(*time);
    }
    return timed;
}

/// The tokens for which the plans are compared: those of the run, where the plans that state one
/// state the same, else as many as tokensOfRun() takes by default.
double tokensToCompare(const std::vector<Timed> &plans)
{
    std::optional<double> stated;
    for (const Timed &plan : plans) {
        if (plan.settings->run.tokens <= 0)
            continue;
        if (stated && *stated != tokensOfRun(*plan.settings))
            return tokensOfRun(Settings());
        stated = tokensOfRun(*plan.settings);
    }
    return stated.value_or(tokensOfRun(Settings()));
}

std::string tokensText(double tokens)
{
    return counted(std::llround(tokens), "token");
}

std::string timedStepText(const Timed &plan)
{
    const bool serves = plan.settings->workload == Workload::Inference; // of the load below
    const std::string seconds = formatSeconds(plan.time->seconds.likely);
    return serves ? seconds : seconds + " for " + tokensText(plan.time->tokens);
}

std::string gpuHoursText(const Timed &plan, double tokens)
{
    return formatRounded(plan.time->gpuHours(tokens).likely);
}

std::string priceText(const Timed &plan, double tokens)
{
    return formatRounded(plan.time->gpuHours(tokens).likely * plan.settings->run.gpuHourPrice);
}

} // namespace

double tokensToCompare(std::span<const PlanToChoose> plans)
{
    return tokensToCompare(timedPlans(plans));
}

std::vector<CostFigure> costFigures(std::span<const PlanToChoose> plans)
{
    const std::vector<Timed> timed = timedPlans(plans);
    std::vector<CostFigure> figures;
    if (std::ranges::none_of(timed, [](const Timed &one) { return one.time.has_value(); }))
        return figures;
    const double tokens = tokensToCompare(timed);
    using Kind = CostFigure::Kind;
    const auto add = [&](Kind kind, std::string name, const auto &textOf) {
        CostFigure &figure = figures.emplace_back(CostFigure{kind, std::move(name), {}});
        for (const Timed &one : timed)
            figure.values.push_back(one.time ? textOf(one) : std::string(kNoFigure));
    };
    const auto serves = [](const Timed &one) {
        return one.settings->workload == Workload::Inference;
    };
    const auto priced = [](const Timed &one) { return one.settings->run.gpuHourPrice > 0; };
    add(Kind::Speed, "Speed", [&](const Timed &one) {
        return formatRounded(one.time->tokensPerSecond().likely) + " tokens/s" +
               (serves(one) ? " at " + contextText(one.settings->meanSequenceLength)
                            : std::string());
    });
    const bool allServe = std::ranges::all_of(timed, serves);
    add(Kind::Step, allServe ? "A token" : "A step", timedStepText);
    if (std::ranges::any_of(timed, serves))
        add(Kind::Load, "Load", [&](const Timed &one) {
            return serves(one) ? sequencesText(*one.settings) : std::string(kNoFigure);
        });
    add(Kind::GpuHours, "GPU hours for " + tokensText(tokens),
        [&](const Timed &one) { return gpuHoursText(one, tokens); });
    if (std::ranges::any_of(timed, priced))
        add(Kind::Price, "Price for " + tokensText(tokens), [&](const Timed &one) {
            return priced(one) ? priceText(one, tokens) + " at " +
                                     formatNumber(one.settings->run.gpuHourPrice) + " a GPU hour"
                               : "no price stated";
        });
    return figures;
}

std::string choiceSentence(const PlanChoice &choice, std::span<const PlanToChoose> plans,
                           std::span<const std::string> names, ByteUnit unit)
{
    const std::string &name = names[choice.plan];
    const std::string &other = names[choice.second];
    const std::vector<Timed> timed = timedPlans(plans);
    const Timed &first = timed[choice.plan];
    const Timed &second = timed[choice.second];
    const Estimate &chosen = *plans[choice.plan].estimate;
    const Estimate &left = *plans[choice.second].estimate;
    const double tokens = tokensToCompare(timed);
    const auto verdict = [](const Estimate &it) {
        const std::optional<Verdict> known = verdictOf(it);
        return !it.computed ? std::string("cannot be computed")
               : !known     ? std::string("names no device")
                            : (*known == Verdict::Tight ? "is " : "") + verdictWord(it);
    };
    if (!chosen.fits.value_or(true))
        return "Neither " + name + " nor " + other + " fits as it is.";
    using enum PlanChoice::Reason;
    switch (choice.reason) {
    case Fits:
        return name + ' ' + verdict(chosen) + ", " + other + ' ' + verdict(left) + '.';
    case Price:
        return name + " costs " + priceText(first, tokens) + " for " + tokensText(tokens) + ", " +
               other + ' ' + priceText(second, tokens) + '.';
    case GpuHours:
        return name + " takes " + gpuHoursText(first, tokens) + " GPU hours for " +
               tokensText(tokens) + ", " + other + ' ' + gpuHoursText(second, tokens) +
               (first.settings->gpu == second.settings->gpu
                    ? "."
                    : "; state the price of a GPU hour of each to compare what they cost.");
    case Headroom:
        return name + " leaves " + formatBytes(*chosen.headroom, unit) + " of each GPU free, " +
               other + ' ' + formatBytes(*left.headroom, unit) + '.'; // known of both
    case Alike:
        return name + " and " + other + " cost the same.";
    case Unknown:
        break;
    }
    return name + " and " + other + " cannot be compared by cost, which is not known.";
}

} // namespace vramscope
