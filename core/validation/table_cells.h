// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/csv.h"

#include <string>
#include <string_view>

namespace vramscope {

/// A cell by the name of its column; empty where the table has no such column.
class Cells
{
public:
    Cells(const CsvTable &table, const CsvRow &row)
        : m_table(table)
        , m_row(row)
    {
    }
    [[nodiscard]] std::string operator[](std::string_view column) const
    {
        const Result<std::size_t> place = m_table.column(column);
        return place ? m_row.cells[*place] : std::string();
    }

private:
    const CsvTable &m_table;
    const CsvRow &m_row;
};

} // namespace vramscope
