// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/report/report.h"
#include "core/table/table.h"
#include "ui/stage/stage_item.h"

namespace vramscope {

inline constexpr std::size_t kStagedRows = 8; ///< that are read from afar

/// Its first rows and columns, to be read from afar: long names are cut in the middle.
[[nodiscard]] StageScene tableScene(const DataTable &table, ByteUnit unit,
                                    std::size_t most = kStagedRows);

/// Its first rows, and how many are left out.
void addReportTable(Report &report, const DataTable &table, ByteUnit unit);

} // namespace vramscope
