// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/format.h"
#include "core/ranks/run_study.h"
#include "core/report/report.h"
#include "ui/export/report_figure.h"
#include "ui/stage/stage_item.h"

#include <string>
#include <vector>

namespace vramscope {

/// What can be shown of the ranks of a run: how far apart they peak, all of them in one picture, by
/// number and by peak, and what fills the memory of the one that tells most.
[[nodiscard]] std::vector<StageItem> rankItems(const RunStudyPointer &study, ByteUnit unit);

/// The ranks of a run under `name`: what happened, what is missing, the picture "ranks", the groups
/// and the figures of each rank, or of a large run of those that failed or stand out.
void addRanksSection(Report &report, const RunStudy &study, const std::string &name,
                     std::size_t number, ByteUnit unit);
/// "ranks-N": the ranks as small multiples, or as a heat map.
[[nodiscard]] std::vector<ReportFigure> ranksFigures(const RunStudyPointer &study,
                                                     std::size_t number, ByteUnit unit);

} // namespace vramscope
