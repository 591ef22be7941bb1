// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/report/tables.h"

#include "core/base/sentence.h"
#include "core/base/text.h"
#include "core/table/terminal_table.h"

#include <algorithm>

namespace vramscope {

namespace {

constexpr std::size_t kNarrow = 3; // columns that stand beside each other on a phone

/// Whether a heading or a cell is too long for that.
bool hasLongCell(const ReportTable &table)
{
    constexpr std::size_t kLong = 60;
    constexpr std::size_t kLongHeading = 20;
    if (std::ranges::any_of(table.headings,
                            [](const auto &text) { return characters(text) > kLongHeading; }))
        return true;
    return std::ranges::any_of(table.rows.rows(), [](const auto &row) {
        return std::ranges::any_of(row, [](const auto &cell) { return characters(cell) > kLong; });
    });
}

bool isEmpty(const DataTable &table, const DataTable::Column &column)
{
    for (std::size_t row = 0; row < table.rows; ++row)
        if (!cellText(column, column.cell(row)).empty())
            return false;
    return true;
}

} // namespace

void addTable(Report &report, const std::string &title, const DataTable &table, ByteUnit unit)
{
    if (table.rows == 0)
        return;
    if (!title.empty())
        addHeading(report, 2, title);
    DataTable shown = table;
    std::erase_if(shown.columns, [&](const DataTable::Column &column) {
        return !column.isShown || isEmpty(table, column);
    });
    ReportTable made{{}, textRows(shown, unit)};
    for (const DataTable::Column &column : shown.columns)
        made.headings.push_back(capitalized(briefTitle(column)));
    if (shown.columns.size() > kNarrow || hasLongCell(made))
        made.shape = ReportTable::Shape::Cards;
    report.blocks.emplace_back(std::move(made));
}

void addTable(Report &report, const DataTable &table, ByteUnit unit)
{
    addTable(report, table.title, table, unit);
}

void addFirstRows(Report &report, DataTable table, ByteUnit unit)
{
    constexpr std::size_t kMostRows = 20;
    const std::size_t left = table.rows - shownRows(table.rows, kMostRows);
    table.rows -= left;
    for (DataTable::Column &column : table.columns)
        column.brief = column.title;
    addTable(report, table, unit);
    if (left > 0)
        addParagraph(report,
                     formatCount(static_cast<std::int64_t>(left)) + " more rows are left out.",
                     Tone::Note);
}

void addPairs(Report &report, const DataTable &table, ByteUnit unit)
{
    if (table.rows > 0)
        report.blocks.emplace_back(
            ReportTable{{}, textRows(table, unit), ReportTable::Shape::Pairs});
}

void addHeading(Report &report, int level, std::string text)
{
    report.blocks.emplace_back(Heading{level, std::move(text)});
}

void addParagraph(Report &report, std::string text, Tone tone)
{
    report.blocks.emplace_back(Paragraph{std::move(text), tone, false});
}

void addAnswer(Report &report, std::string text, Tone tone)
{
    report.blocks.emplace_back(Paragraph{std::move(text), tone, true});
}

std::string figureId(std::string_view kind, std::size_t number)
{
    return std::string(kind) + "-" + std::to_string(number);
}

void addFigure(Report &report, std::string_view kind, std::size_t number, std::string caption)
{
    report.blocks.emplace_back(Figure{figureId(kind, number), std::move(caption)});
}

} // namespace vramscope
