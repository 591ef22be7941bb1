// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/plan/field_value.h"
#include "core/solver/fit_summary.h"

#include <nlohmann/json_fwd.hpp>

#include <optional>
#include <string>
#include <vector>

// What every answer of the solver is printed with.

namespace vramscope {

/// "parallel.tensor = 8, parallel.sequence = true"
[[nodiscard]] std::string shownFields(const std::vector<FieldSetting> &fields);
[[nodiscard]] std::string shownValue(const FieldValue &value);

/// Adds where a plan stands; nulls where that is more than can be counted.
void addFitSummary(nlohmann::ordered_json &json, const std::optional<FitSummary> &standing);

} // namespace vramscope
