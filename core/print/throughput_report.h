// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/validation/throughput.h"

#include <nlohmann/json_fwd.hpp>

#include <string>

namespace vramscope {

/// {"rows":[{"id","family","model","gpu","gpus","layout","basis","published","predicted","low",
/// "high","error_percent","calibrated_on","arithmetic_share","catalogue":{"predicted","low","high",
/// "inside","error_percent"},"step":{"seconds","terms":[{"name","seconds","rate","source"}]},
/// "why_not","missed","source","note"}],"families":[{"name","kind","calibrated_on","predicted",
/// "worst_percent","target_percent","met"}],"summary":{…}}. Speeds are tokens a second and GPU;
/// what is not known, or is no prediction, is null.
[[nodiscard]] nlohmann::ordered_json throughputJson(const SpeedValidation &speeds);

/// How far projected speeds can be trusted, in a few sentences.
[[nodiscard]] std::string throughputAccuracyText(const SpeedValidation &speeds);

/// For people: a line a row, with what it rests on; a line a family; what is not computed, or known
/// to miss its target, and why; and throughputAccuracyText().
[[nodiscard]] std::string throughputText(const SpeedValidation &speeds);

} // namespace vramscope
