// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/result.h"

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace vramscope {

/// A line of a CSV file, with as many cells as its header.
struct CsvRow
{
    std::int64_t line = 0; ///< in the file, from 1; the first of several if a cell contains breaks
    std::vector<std::string> cells;
};

struct CsvTable
{
    std::vector<std::string> columns;
    std::vector<CsvRow> rows;

    /// The index of the column; the error names it and the existing columns.
    [[nodiscard]] Result<std::size_t> column(std::string_view name) const;
};

/// Reads comma-separated values strictly by RFC 4180: a header line, then rows of as many cells; a
/// cell in double quotes may hold commas, line breaks and doubled quotes. Lines may end in CR LF,
/// and empty ones are skipped. An error names the line.
[[nodiscard]] Result<CsvTable> parseCsv(std::string_view text);

/// An error that begins with its line.
[[nodiscard]] Error csvError(std::int64_t line, std::string_view text);

} // namespace vramscope
