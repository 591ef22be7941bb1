// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/profile/breakdown.h"
#include "core/table/json_rows.h"

#include <nlohmann/json_fwd.hpp>

#include <optional>

namespace vramscope {

/// part / whole as rateJson() has it; null of nothing.
[[nodiscard]] nlohmann::ordered_json ratioJson(std::int64_t part, std::int64_t whole);

/// Adds {"span","compute","communication","memory","busy","idle","overlapped_communication",
/// "exposed_communication","exposed_copy","overlap"}.
void addTimes(nlohmann::ordered_json &json, const TimeBreakdown &times);

} // namespace vramscope
