// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/profile/breakdown.h"

#include <nlohmann/json_fwd.hpp>

#include <optional>

namespace vramscope {

/// A rate or share for JSON, of six significant digits; null where there is none.
[[nodiscard]] nlohmann::ordered_json rateJson(std::optional<double> value);
/// part / whole, likewise; null of nothing.
[[nodiscard]] nlohmann::ordered_json ratioJson(std::int64_t part, std::int64_t whole);

/// Adds {"span","compute","communication","memory","busy","idle","overlapped_communication",
/// "exposed_communication","exposed_copy","overlap"}.
void addTimes(nlohmann::ordered_json &json, const TimeBreakdown &times);

} // namespace vramscope
