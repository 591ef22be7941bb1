// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/report/report.h"
#include "ui/export/report_figure.h"
#include "ui/profile_difference/difference_document.h"
#include "ui/stage/stage_item.h"

#include <vector>

namespace vramscope {

/// What a presentation can show: the answer over both bars, and the tables.
[[nodiscard]] std::vector<StageItem> differenceItems(const DifferencePointer &document);

/// What a report tells: the answer, both sides, the bars, and the tables' first rows.
void addDifferenceSection(Report &report, const ProfileDifferenceDocument &document,
                          std::size_t number);
/// "difference-N"
[[nodiscard]] std::vector<ReportFigure> differenceFigures(const DifferencePointer &document,
                                                          std::size_t number);

} // namespace vramscope
