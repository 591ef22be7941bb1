// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/sentence.h"
#include "core/print/plan_choice_report.h"
#include "core/projection/step_time.h"
#include "core/settings/settings.h"
#include "ui/planner/plan_decision.h"
#include "ui/support/text.h"

#include <algorithm>
#include <limits>
#include <optional>
#include <utility>
#include <vector>

namespace vramscope {

inline constexpr double kAlike =
    0.05; ///< below this share figures count as equal: the rates are rough
inline constexpr double kHourSeconds = 3600;

/// Several plans with what they take for the same tokens.
struct Versus
{
    std::vector<PlanSide> sides;
    std::vector<PlanToChoose> plans;
    std::vector<std::optional<StepTime>> times;
    double tokens = 0;
    PlanChoice choice;

    explicit Versus(const StagedPlan &of)
        : sides(planSides(of))
    {
        for (const PlanSide &side : sides) {
            plans.push_back({side.plan, side.estimate});
            times.emplace_back();
            if (!side.estimate->computed)
                continue;
            if (Result<StepTime> time = projectStep(*side.estimate->settings, side.estimate->work))
                times.back() = std::move(*time);
        }
        tokens = tokensToCompare(plans);
        choice = choosePlan(plans);
    }

    [[nodiscard]] bool timed() const
    {
        return std::ranges::all_of(times, [](const auto &time) { return time.has_value(); });
    }
    [[nodiscard]] bool priced() const
    {
        return std::ranges::all_of(sides, [](const PlanSide &side) {
            return side.estimate->settings->run.gpuHourPrice > 0;
        });
    }
    [[nodiscard]] Projected gpuHours(std::size_t at) const { return times[at]->gpuHours(tokens); }
    [[nodiscard]] Projected cost(std::size_t at) const
    {
        const double each = priced() ? sides[at].estimate->settings->run.gpuHourPrice : 1;
        const Projected hours = gpuHours(at);
        return {hours.likely * each, hours.low * each, hours.high * each};
    }
    [[nodiscard]] Projected seconds(std::size_t at) const
    {
        const double each = kHourSeconds / static_cast<double>(times[at]->gpus);
        const Projected hours = gpuHours(at);
        return {hours.likely * each, hours.low * each, hours.high * each};
    }
    [[nodiscard]] QString head(std::size_t at) const { return sideHead(sides[at]); }
    [[nodiscard]] std::int64_t gpus(std::size_t at) const
    {
        return sides[at].estimate->settings->gpus;
    }
    /// The sentence of the choice, as a title.
    [[nodiscard]] QString chosen(ByteUnit unit) const
    {
        std::vector<std::string> names;
        for (const PlanSide &side : sides)
            names.push_back(side.shortName.toStdString());
        QString text = toQString(capitalized(choiceSentence(choice, plans, names, unit)));
        text.chop(text.endsWith(QLatin1Char('.')) ? 1 : 0);
        return text.section(QLatin1Char(';'), 0, 0);
    }
    /// Whether fitting does not decide, so that time and cost do.
    [[nodiscard]] bool allFit() const
    {
        return std::ranges::all_of(
            sides, [](const PlanSide &side) { return side.estimate->fits.value_or(false); });
    }
};

/// The one of the least figure, and by what share it is below the next; nothing if they are alike.
template<class Figure>
std::optional<std::pair<std::size_t, double>> leastOf(const Versus &of, const Figure &figure)
{
    std::size_t least = 0;
    for (std::size_t at = 1; at < of.sides.size(); ++at)
        least = figure(at) < figure(least) ? at : least;
    double next = std::numeric_limits<double>::max();
    for (std::size_t at = 0; at < of.sides.size(); ++at)
        next = at == least ? next : std::min(next, static_cast<double>(figure(at)));
    const double share = next > 0 ? 1 - static_cast<double>(figure(least)) / next : 0;
    if (share < kAlike)
        return std::nullopt;
    return std::pair(least, share);
}

/// All figures of the plans, for the speaker's notes.
[[nodiscard]] QStringList figuresOf(const Versus &of, ByteUnit unit);

} // namespace vramscope
