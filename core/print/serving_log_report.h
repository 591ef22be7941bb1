// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/format.h"
#include "core/print/text_table.h"
#include "core/serving_logs/serving_log.h"

#include <string>
#include <string_view>

namespace vramscope {

/// One line of JSON: {"file","engine","engines","version","version_from","version_to","lines",
/// "starts","figures":[{"key","value","unit","rank","line"}],"best":{KEY:{"value","unit","bytes",
/// "meaning"}},"checks":[{"check","rank","left","right","unit","holds"}],"refusals":[{"kind",
/// "sentence","line","count"}],"settings":[{"name","value","line"}],"problems"}. Values stand as
/// printed, in the unit beside them; rank, versions and bytes are null where there are none.
[[nodiscard]] std::string servingLogJson(const ServingLog &log, std::string_view file);

/// The same for people: the answer, the figures that count, checks and refusals.
[[nodiscard]] std::string servingLogText(const ServingLog &log, std::string_view file,
                                         ByteUnit unit = ByteUnit::Binary);

/// "vLLM 0.9.2"; where the log states no version, the oldest and newest that write such lines.
[[nodiscard]] std::string servingLogTitle(const ServingLog &log);
/// What came of the start in a sentence or two: the cache and its sequences, or why it refused.
[[nodiscard]] std::string servingLogAnswer(const ServingLog &log, ByteUnit unit = ByteUnit::Binary);
/// A value with its unit: "6.37 GiB", "46,368 tokens", "2.83 sequences", "0.9764".
[[nodiscard]] std::string figureText(double value, LogUnit unit, int decimals);
/// Headings, then key, value and what it means of each figure that counts.
[[nodiscard]] TextTable bestFiguresTable(const ServingLog &log);

/// "out_of_memory", "free_below_desired", …
[[nodiscard]] std::string_view refusalId(LogRefusalKind kind);
/// What to do about a refusal, in a sentence.
[[nodiscard]] std::string_view refusalRemedy(LogRefusalKind kind);

} // namespace vramscope
