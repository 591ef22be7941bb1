// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/table/table.h"
#include "ui/support/fact_table.h"

#include <vector>

namespace vramscope {

/// The first rows of a table for a FactTable, with all columns and tips.
[[nodiscard]] std::vector<FactRow> factRows(const DataTable &table, std::size_t most,
                                            ByteUnit unit);

} // namespace vramscope
