// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/report/report.h"
#include "ui/profile/profile_table_model.h"
#include "ui/stage/stage_item.h"

namespace vramscope {

/// Its first rows and columns, to be read from afar.
[[nodiscard]] StageScene tableScene(const ProfileTable &table);

/// Its first rows, and how many are left out.
void addReportTable(Report &report, const ProfileTable &table);

} // namespace vramscope
