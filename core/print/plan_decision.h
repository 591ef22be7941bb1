// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/format.h"
#include "core/projection/step_time.h"
#include "core/solver/plan_choice.h"
#include "core/solver/recommendation.h"

#include <functional>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace vramscope {

/// Several plans with what they take for the same tokens.
struct ComparedPlans
{
    static constexpr double kAlike = 0.05; ///< below this share figures count as equal

    explicit ComparedPlans(std::vector<PlanToChoose> compared);

    std::vector<PlanToChoose> plans;
    std::vector<std::optional<StepTime>> times;
    double tokens = 0;
    PlanChoice choice;

    /// Whether the time of each is projected.
    [[nodiscard]] bool timed() const;
    /// Whether each states the price of its GPU hour.
    [[nodiscard]] bool priced() const;
    /// Whether fitting does not decide, so that time and cost do.
    [[nodiscard]] bool allFit() const;
    [[nodiscard]] Projected gpuHours(std::size_t at) const { return times[at]->gpuHours(tokens); }
    /// In the currency of the prices, else in GPU hours.
    [[nodiscard]] Projected cost(std::size_t at) const;
    [[nodiscard]] Projected seconds(std::size_t at) const;
    [[nodiscard]] std::int64_t gpus(std::size_t at) const;
    /// The one of the least figure, and by what share it is below the next; nothing if they are
    /// alike: the rates are rough.
    [[nodiscard]] std::optional<std::pair<std::size_t, double>>
    leastOf(const std::function<double(std::size_t)> &figure) const;
};

/// What is recommended and what else could be done, each with all that is known of the plan once it
/// is taken.
struct TakenOption
{
    Recommendation::Kind kind;
    Combination combination;
    Plan plan; ///< once it is taken
    Estimate then;
};

/// The plan that a decision is about: a place among the plans, and what is recommended for it.
struct Decision
{
    std::size_t side = 0;
    std::vector<TakenOption> taken;
    std::string why; ///< of several plans: what sets it apart
};
/// The plan that choosePlan() names, or the cheapest once each is changed as recommended; `names`
/// as they are called within a sentence.
[[nodiscard]] Decision decide(std::vector<PlanToChoose> plans, std::span<const std::string> names,
                              ByteUnit unit);

} // namespace vramscope
