// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/serving_logs/log_plan.h"
#include "core/serving_logs/serving_log.h"
#include "core/table/table.h"

#include <span>
#include <string>

namespace vramscope {

/// A value with its unit: "6.37 GiB", "46,368 tokens", "2.83 sequences", "0.9764".
[[nodiscard]] std::string figureText(double value, LogUnit unit, int decimals);

/// The figures that count: "figure" is the key, "value" the figure as the log printed it, "amount"
/// the same figure with memory in bytes, and "meaning" its words.
[[nodiscard]] DataTable logFiguresTable(const ServingLog &log);
/// The stages of a start in order: "name" with the attempt where there were several, "bytes" and
/// "seconds" where the log states them, and "state": done, failed, or reached.
[[nodiscard]] DataTable logStagesTable(const ServingLog &log);
/// What a stage took, as far as the log states it: "15.0 GiB, 3.7 s".
[[nodiscard]] std::string stageFacts(const LogStageSpan &span, ByteUnit unit = ByteUnit::Binary);
/// The stages in a line: "Load weights (15.0 GiB, 3.7 s) → Cache (failed); then again: Load
/// weights"; empty without stages.
[[nodiscard]] std::string stagesLine(const ServingLog &log, ByteUnit unit = ByteUnit::Binary);
/// The identities among the figures of a log.
[[nodiscard]] DataTable logChecksTable(const ServingLog &log);
/// The settings in a log: name, value and line.
[[nodiscard]] DataTable logSettingsTable(const ServingLog &log);
/// The settings that a plan gets from a log, with the line that each is from.
[[nodiscard]] DataTable planSettingsTable(std::span<const LogPlanSetting> settings);
/// The figures of a log next to those of a plan.
[[nodiscard]] DataTable logDifferencesTable(const LogComparison &comparison);

} // namespace vramscope
