// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/table/table.h"
#include "core/table/text_table.h"

#include <string_view>
#include <vector>

namespace vramscope {

/// Characters of a text in a column of a terminal; longer ones lose their middle.
inline constexpr std::size_t kTerminalText = 52;

/// How a table stands in a terminal.
struct TerminalTable
{
    /// Columns from left to right; those that the table lacks are left out. None: all that it
    /// shows.
    std::vector<std::string_view> keys = {};
    std::size_t most = 0; ///< rows; 0: all
    std::size_t widest = kTerminalText;
    ByteUnit unit = ByteUnit::Binary;
};

/// The title of a column in a terminal and in documents.
[[nodiscard]] std::string briefTitle(const DataTable::Column &column);
/// The first rows under brief titles.
[[nodiscard]] TextTable textTable(const DataTable &table, const TerminalTable &as);
/// All rows of the shown columns, without titles.
[[nodiscard]] TextTable textRows(const DataTable &table, ByteUnit unit = ByteUnit::Binary);
/// The same as lines under brief titles, where any column has one.
[[nodiscard]] std::string terminalText(const DataTable &table, ByteUnit unit = ByteUnit::Binary);
/// Its first rows as lines, and how many rows are left out.
[[nodiscard]] std::string terminalText(const DataTable &table, const TerminalTable &as);

/// How many of `count` rows are shown where `most` may be; 0: all.
[[nodiscard]] std::size_t shownRows(std::size_t count, std::size_t most);
/// What a table leaves out: "(12 others; --top 0 lists them)", or "(12 other sites; …".
[[nodiscard]] std::string othersText(std::int64_t count, const std::string &one = {});
/// "  (3 others; --top 0 lists them)\n", or nothing.
[[nodiscard]] std::string leftOut(std::size_t count, std::size_t most);

} // namespace vramscope
