// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/format.h"
#include "core/solver/recommendation.h"

#include <nlohmann/json_fwd.hpp>

#include <string>

namespace vramscope {

/// What the likely range, the host's memory and the changes themselves may make of it, in a
/// sentence.
[[nodiscard]] std::string riskText(const Combination &combination, ByteUnit unit);
/// "5,770 tokens/s, 5.68 s a step, no slower", "… a step, 28 % slower" (a token takes 28 % longer),
/// "… a step, 12 % faster" (12 % more tokens/s); empty where no time is projected.
[[nodiscard]] std::string slowdownText(const Combination &combination);

/// "tight, 76.8 of 79.2 GiB".
[[nodiscard]] std::string memoryText(const FitSummary &standing, Bytes capacity, ByteUnit unit);

/// In lines that end: what is recommended with its fields, and what else could be done. Where
/// nothing is, why not.
[[nodiscard]] std::string recommendationText(const Recommendation &recommendation, Bytes capacity,
                                             ByteUnit unit);
[[nodiscard]] nlohmann::ordered_json recommendationJson(const Recommendation &recommendation);

} // namespace vramscope
