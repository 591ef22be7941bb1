// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/estimate/estimate.h"
#include "core/projection/step_time.h"

#include <nlohmann/json_fwd.hpp>

#include <string>

namespace vramscope {

/// "131,072 tokens of context".
[[nodiscard]] std::string contextText(std::int64_t tokens);
/// The sequences that a plan serves, over all replicas: "4 sequences at a time".
[[nodiscard]] std::string sequencesText(const Settings &settings);
/// "4 sequences at a time, with 131,072 tokens of context".
[[nodiscard]] std::string loadText(const Settings &settings);

/// "about 12.3 s a step, 5,330 tokens/s (4,020 to 7,110)"; of serving "about 21 ms a token at 4,096
/// tokens of context, …".
[[nodiscard]] std::string speedText(const Settings &settings, const StepTime &time);
/// The likely figures alone: "12.3 s a step · 5,330 tokens/s".
[[nodiscard]] std::string shortSpeedText(const Settings &settings, const StepTime &time);
/// "1,000,000,000 tokens"; of serving with the load: "1,000,000,000 tokens, 1 sequence at a time,
/// with 4,096 tokens of context".
[[nodiscard]] std::string tokensOfRunText(const Settings &settings);
/// What a run takes, if the plan says how long it is, else a billion tokens: "1,000,000,000 tokens:
/// 417 GPU hours (313 to 553), 52 h on 8 GPUs"; with a price also "1,040 at 2.5 a GPU hour (…)".
[[nodiscard]] std::string runText(const Settings &settings, const StepTime &time);
/// That it is rough, and what it is made of.
[[nodiscard]] std::string_view projectionRemark();
/// What its range rests on: the published speeds of its class, or that none has been compared.
[[nodiscard]] std::string speedRangeText(const StepTime &time);

/// The projection of an estimate in lines that end, its terms as a table; or why there is none.
[[nodiscard]] std::string timeText(const Estimate &estimate);
/// The same: null where the estimate has no figures.
[[nodiscard]] nlohmann::ordered_json timeJson(const Estimate &estimate);

/// {"likely","low","high"}.
[[nodiscard]] nlohmann::ordered_json bandJson(const Projected &band);
/// {"name","seconds","rate","source"}.
[[nodiscard]] nlohmann::ordered_json termJson(const TimeTerm &term);

} // namespace vramscope
