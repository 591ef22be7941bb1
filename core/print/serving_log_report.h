// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/format.h"
#include "core/serving_logs/log_plan.h"
#include "core/serving_logs/serving_log.h"

#include <optional>
#include <string>
#include <string_view>

namespace vramscope {

/// A log compared with a plan.
struct LogAgainstPlan
{
    LogPlan plan;
    LogComparison comparison;
    std::optional<LogTakeOver> takeOver; ///< where it was asked for
};

/// One line of JSON: {"file","engine","engines","version","version_from","version_to","lines",
/// "starts","figures":[{"key","value","unit","rank","line"}],"best":{KEY:{"value","unit","bytes",
/// "meaning"}},"checks":[{"check","rank","left","right","unit","holds"}],"refusals":[{"kind",
/// "sentence","line","count","stage","attempt"}],"attempts","stages":[{"stage","attempt","model",
/// "line","bytes","seconds","state"}],"verdict":{"kind","stage","attempt","line","final","cause",
/// "missing","cure":{"change","reason"},"others":[{"change","reason"}]},"findings":[{"title","sentence","fault"}],"settings":[{"name","value","line"}],"problems"},
/// and of a plan
/// "against":{"plan","settings":[{"subject","value","how"}],"not_told","why_not","rows":[{"name",
/// "unit","logged","rounding","planned","relative","reason"}],"taken":[{"subject","value","how"}],
/// "not_taken"}. Values stand as printed, in the unit beside them, those of rows in bytes or ones;
/// rank, versions and bytes are null where there are none.
[[nodiscard]] std::string servingLogJson(const ServingLog &log, std::string_view file,
                                         const LogAgainstPlan *against = nullptr);

/// The same for people: the answer, the figures that count, checks and refusals.
[[nodiscard]] std::string servingLogText(const ServingLog &log, std::string_view file,
                                         ByteUnit unit = ByteUnit::Binary);
/// What the log says of the plan, the plan's figures beside the log's, and what was taken over.
[[nodiscard]] std::string logAgainstPlanText(const LogAgainstPlan &against,
                                             ByteUnit unit = ByteUnit::Binary);

/// "vLLM 0.9.2"; where the log states no version, the oldest and newest that write such lines.
[[nodiscard]] std::string servingLogTitle(const ServingLog &log);
/// What came of the start in a sentence or two: the cache and its sequences, or why it refused.
[[nodiscard]] std::string servingLogAnswer(const ServingLog &log, ByteUnit unit = ByteUnit::Binary);

} // namespace vramscope
