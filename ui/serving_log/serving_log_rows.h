// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/format.h"
#include "ui/export/table.h"
#include "ui/serving_log/serving_log_document.h"
#include "ui/support/fact_table.h"

#include <vector>

namespace vramscope {

/// What it is, value: of every figure that counts.
[[nodiscard]] std::vector<FactRow> figureRows(const ServingLog &log, ByteUnit unit);
/// Name, log, plan, difference, why.
[[nodiscard]] std::vector<FactRow> comparisonRows(const LogComparison &comparison, ByteUnit unit);
/// Identity, both sides, whether it holds.
[[nodiscard]] std::vector<FactRow> checkRows(const ServingLog &log);
/// Setting, value, what says it.
[[nodiscard]] std::vector<FactRow> settingRows(const std::vector<LogPlanSetting> &settings);
/// The figures as a table for export: key, value in the unit as printed, what it is.
[[nodiscard]] Table figuresTable(const ServingLog &log, qsizetype most);

} // namespace vramscope
