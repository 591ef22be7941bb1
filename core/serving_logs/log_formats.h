// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/plan/plan.h"
#include "core/serving_logs/serving_log.h"

#include <functional>
#include <optional>
#include <string>

namespace vramscope {

/// A figure of a plan, in the unit of the log's.
using FigureOfPlan = std::function<std::optional<double>(const Plan &)>;

/// The number format that a figure of the log betrays: "The figure is that of fp8 weights within
/// 0.3 % (inference.weight_format fp8); the log does not state their format." Empty where the log
/// states it, the plan's own comes near, or no other does.
[[nodiscard]] std::string betrayedWeightFormat(const Plan &plan, const ServingLog &log,
                                               double logged, const FigureOfPlan &figureOf);
/// The same of keys and values in the cache.
[[nodiscard]] std::string betrayedCacheFormat(const Plan &plan, const ServingLog &log,
                                              double logged, const FigureOfPlan &figureOf);

} // namespace vramscope
