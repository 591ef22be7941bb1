// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/bytes.h"
#include "core/base/csv.h"
#include "core/base/shipped_documents.h"

#include <cassert>
#include <charconv>
#include <cstdint>
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

/// The number that a cell is; 0 where it is empty.
template<typename Number = std::int64_t>
[[nodiscard]] Number numberIn(const std::string &cell)
{
    Number number = 0;
    const char *const end = cell.data() + cell.size();
    [[maybe_unused]] const auto read = std::from_chars(cell.data(), end, number);
    assert(cell.empty() || (read.ec == std::errc() && read.ptr == end));
    return number;
}

/// A number, with or without a unit of bytes: "426 MiB".
[[nodiscard]] inline double quantityIn(std::string_view text)
{
    double number = 0;
    const char *const end = text.data() + text.size();
    const std::string_view unit(std::from_chars(text.data(), end, number).ptr, end);
    assert(unit.empty() || unit == " MiB" || unit == " GiB");
    return number * static_cast<double>(unit == " MiB" ? kMiB : unit == " GiB" ? kGiB : 1);
}

} // namespace vramscope
