// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/table/terminal_table.h"

#include "core/base/counted.h"
#include "core/base/text.h"

#include <algorithm>

namespace vramscope {

namespace {

std::string briefTitle(const DataTable::Column &column)
{
    return column.brief.empty() ? lowered(column.title) : column.brief;
}

} // namespace

std::size_t shownRows(std::size_t count, std::size_t most)
{
    return most == 0 ? count : std::min(count, most);
}

std::string othersText(std::int64_t count, const std::string &one)
{
    return "(" + counted(count, one.empty() ? "other" : "other " + one) + "; --top 0 lists " +
           (count == 1 ? "it)" : "them)");
}

std::string leftOut(std::size_t count, std::size_t most)
{
    const std::size_t shown = shownRows(count, most);
    return shown == count ? std::string()
                          : "  " + othersText(static_cast<std::int64_t>(count - shown)) + "\n";
}

TextTable textTable(const DataTable &table, const TerminalTable &as)
{
    std::vector<const DataTable::Column *> columns;
    std::vector<Align> sides;
    std::vector<std::string> titles;
    for (const std::string_view key : as.keys) {
        const auto at = table.columnOf(key);
        if (!at)
            continue;
        const DataTable::Column &column = table.columns[*at];
        columns.push_back(&column);
        sides.push_back(column.isText() ? Align::Left : Align::Right);
        titles.push_back(briefTitle(column));
    }
    TextTable text(std::move(sides));
    text.addRow(std::move(titles));
    for (std::size_t row = 0; row < shownRows(table.rows, as.most); ++row) {
        std::vector<std::string> cells;
        cells.reserve(columns.size());
        for (const DataTable::Column *column : columns)
            cells.push_back(
                elided(printable(cellText(*column, column->cell(row), as.unit)), as.widest));
        text.addRow(std::move(cells));
    }
    return text;
}

std::string terminalText(const DataTable &table, const TerminalTable &as)
{
    return textTable(table, as).text() + leftOut(table.rows, as.most);
}

} // namespace vramscope
