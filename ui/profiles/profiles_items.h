// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/format.h"
#include "core/ranks/profile_folder.h"
#include "core/report/report.h"
#include "ui/export/report_figure.h"
#include "ui/stage/stage_item.h"

#include <memory>
#include <string>
#include <vector>

namespace vramscope {

using ProfileFolderPointer = std::shared_ptr<const ProfileFolder>;

/// What a presentation can show: the answer over the bars of all ranks, and the tables.
[[nodiscard]] std::vector<StageItem> ranksItems(const ProfileFolderPointer &folder, ByteUnit unit);

/// What a report tells: the answer, notes, the bars, and the tables' first rows.
void addRanksSection(Report &report, const ProfileFolder &folder, const std::string &name,
                     std::size_t number, ByteUnit unit);
/// "ranks-N"
[[nodiscard]] std::vector<ReportFigure> ranksFigures(const ProfileFolderPointer &folder,
                                                     std::size_t number);

} // namespace vramscope
