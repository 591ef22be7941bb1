// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/models/fact_rows.h"

#include "ui/models/data_table_model.h"

#include <algorithm>

namespace vramscope {

std::vector<FactRow> factRows(const DataTable &table, std::size_t most, ByteUnit unit)
{
    std::vector<FactRow> rows;
    for (std::size_t at = 0; at < std::min(table.rows, most); ++at) {
        FactRow row;
        for (std::size_t column = 0; column < table.columns.size(); ++column) {
            const DataTable::Column &of = table.columns[column];
            const DataTable::Cell cell = of.cell(at);
            row.cells.push_back({shownText(of, cell, unit), shownTip(table, at, column, unit),
                                 exactValue(of, cell)});
        }
        row.strong = table.isStrong && table.isStrong(at);
        rows.push_back(std::move(row));
    }
    return rows;
}

} // namespace vramscope
