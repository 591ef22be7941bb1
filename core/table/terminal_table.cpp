// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/table/terminal_table.h"

#include "core/base/counted.h"
#include "core/base/text.h"

#include <algorithm>

namespace vramscope {

namespace {

using Columns = std::vector<const DataTable::Column *>;

TextTable emptyTable(const Columns &columns)
{
    std::vector<Align> sides;
    for (const DataTable::Column *column : columns)
        sides.push_back(column->isText() ? Align::Left : Align::Right);
    return TextTable(std::move(sides));
}

void addTitles(TextTable &text, const Columns &columns)
{
    std::vector<std::string> titles;
    for (const DataTable::Column *column : columns)
        titles.push_back(briefTitle(*column));
    text.addRow(std::move(titles));
}

void addRows(TextTable &text, const Columns &columns, std::size_t rows, std::size_t widest,
             ByteUnit unit)
{
    for (std::size_t row = 0; row < rows; ++row) {
        std::vector<std::string> cells;
        cells.reserve(columns.size());
        for (const DataTable::Column *column : columns)
            cells.push_back(elided(printable(cellText(*column, column->cell(row), unit)), widest));
        text.addRow(std::move(cells));
    }
}

Columns columnsShown(const DataTable &table)
{
    Columns columns;
    for (const DataTable::Column &column : table.columns)
        if (column.isShown)
            columns.push_back(&column);
    return columns;
}

} // namespace

std::string briefTitle(const DataTable::Column &column)
{
    return column.brief.empty() ? lowered(column.title) : column.brief;
}

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
    Columns columns = as.keys.empty() ? columnsShown(table) : Columns();
    for (const std::string_view key : as.keys)
        if (const auto at = table.columnOf(key))
            columns.push_back(&table.columns[*at]);
    TextTable text = emptyTable(columns);
    addTitles(text, columns);
    addRows(text, columns, shownRows(table.rows, as.most), as.widest, as.unit);
    return text;
}

TextTable textRows(const DataTable &table, ByteUnit unit)
{
    const Columns columns = columnsShown(table);
    TextTable text = emptyTable(columns);
    addRows(text, columns, table.rows, std::string::npos, unit);
    return text;
}

std::string terminalText(const DataTable &table, ByteUnit unit)
{
    const Columns columns = columnsShown(table);
    TextTable text = emptyTable(columns);
    if (std::ranges::any_of(columns,
                            [](const auto *column) { return !briefTitle(*column).empty(); }))
        addTitles(text, columns);
    addRows(text, columns, table.rows, std::string::npos, unit);
    return text.text();
}

std::string terminalText(const DataTable &table, const TerminalTable &as)
{
    return textTable(table, as).text() + leftOut(table.rows, as.most);
}

} // namespace vramscope
