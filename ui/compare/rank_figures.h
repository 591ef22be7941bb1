// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/format.h"
#include "core/ranks/rank_folder.h"
#include "core/report/report.h"
#include "ui/export/report_figure.h"

#include <string>

namespace vramscope {

using RankFolderPointer = std::shared_ptr<const RankFolder>;

/// The ranks of a run under `name`: how far they lie apart, the picture "ranks", and the figures of
/// each.
void addRanksSection(Report &report, const RankFolder &folder, const std::string &name,
                     std::size_t number, ByteUnit unit);
/// "ranks-N": the ranks as small multiples.
[[nodiscard]] std::vector<ReportFigure> ranksFigures(const RankFolderPointer &folder,
                                                     std::size_t number, ByteUnit unit);

} // namespace vramscope
