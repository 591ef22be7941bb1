// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/format.h"
#include "core/solver/plan_choice.h"

#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace vramscope {

/// A figure of several plans, a text for each.
struct CostFigure
{
    enum class Kind { Speed, Step, Load, GpuHours, Price };
    Kind kind = Kind::Speed;
    std::string name;
    std::vector<std::string> values;
};

/// What the plans cost: tokens a second, the time of a step with its tokens, the sequences at a
/// time where they serve, GPU hours for as many tokens and, where a plan states a price, what they
/// cost; "-" where nothing is projected. Empty where nothing is projected for any.
[[nodiscard]] std::vector<CostFigure> costFigures(std::span<const PlanToChoose> plans);

/// The tokens for which plans are compared: those of the run, where the plans that state one state
/// the same, else a billion.
[[nodiscard]] double tokensToCompare(std::span<const PlanToChoose> plans);

/// Why the plan is chosen, as a sentence in which the plans have the names of their places: "B
/// takes 52.1 GPU hours for 1,000,000,000 tokens, A 104."
[[nodiscard]] std::string choiceSentence(const PlanChoice &choice,
                                         std::span<const PlanToChoose> plans,
                                         std::span<const std::string> names, ByteUnit unit);

} // namespace vramscope
