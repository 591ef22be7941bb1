// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/csv.h"
#include "core/base/shipped_documents.h"

#include <cassert>
#include <string>
#include <string_view>

namespace vramscope {

/// Reads a table of resources/ and calls `takeRow` for each row with a function that gives the cell
/// of a named column.
template<typename TakeRow>
void readShippedTable(std::string_view path, TakeRow takeRow)
{
    const auto table = parseCsv(shippedDocument(path));
    assert(table);
    for (const CsvRow &row : table->rows)
        takeRow([&](std::string_view column) -> const std::string & {
            return row.cells[table->column(column).value()];
        });
}

} // namespace vramscope
