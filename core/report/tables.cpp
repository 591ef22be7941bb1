// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/report/tables.h"

#include "core/base/text.h"
#include "core/table/terminal_table.h"

#include <algorithm>

namespace vramscope {

namespace {

constexpr std::size_t kNarrow = 3; // columns that stand beside each other on a phone

/// Whether a heading or a cell is too long for that.
bool hasLongCell(const std::vector<std::string> &headings, const TextTable &table)
{
    constexpr std::size_t kLong = 60;
    constexpr std::size_t kLongHeading = 20;
    if (std::ranges::any_of(headings,
                            [](const auto &text) { return characters(text) > kLongHeading; }))
        return true;
    return std::ranges::any_of(table.rows(), [](const auto &row) {
        return std::ranges::any_of(row, [](const auto &cell) { return characters(cell) > kLong; });
    });
}

/// The table without columns of which no row has anything to say.
ReportTable withoutEmptyColumns(const std::vector<std::string> &headings, const TextTable &whole)
{
    std::vector<std::size_t> kept;
    std::vector<Align> columns;
    for (std::size_t at = 0; at < whole.columns().size(); ++at) {
        if (std::ranges::all_of(whole.rows(), [at](const auto &row) { return row[at].empty(); }))
            continue;
        kept.push_back(at);
        columns.push_back(whole.columns()[at]);
    }
    const auto pick = [&kept](const std::vector<std::string> &cells) {
        std::vector<std::string> picked;
        picked.reserve(kept.size());
        for (const std::size_t at : kept)
            picked.push_back(at < cells.size() ? cells[at] : std::string());
        return picked;
    };
    TextTable rows(columns);
    for (const auto &row : whole.rows())
        rows.addRow(pick(row));
    return {headings.empty() ? headings : pick(headings), rows, ReportTable::Shape::Plain};
}

} // namespace

void addTable(Report &report, const std::string &title, const std::vector<std::string> &headings,
              const TextTable &rows)
{
    if (rows.rows().empty())
        return;
    if (!title.empty())
        addHeading(report, 2, title);
    ReportTable table = withoutEmptyColumns(headings, rows);
    const bool wide =
        table.rows.columns().size() > kNarrow || hasLongCell(table.headings, table.rows);
    table.shape = wide ? ReportTable::Shape::Cards : ReportTable::Shape::Plain;
    report.blocks.emplace_back(std::move(table));
}

void addHeadedTable(Report &report, const std::string &title, const TextTable &table)
{
    if (table.rows().size() < 2)
        return;
    TextTable rest(table.columns());
    for (std::size_t at = 1; at < table.rows().size(); ++at)
        rest.addRow(table.rows()[at]);
    addTable(report, title, table.rows().front(), rest);
}

void addTable(Report &report, const std::string &title, const DataTable &table, ByteUnit unit)
{
    std::vector<std::string> headings;
    for (const DataTable::Column &column : table.columns)
        if (column.isShown)
            headings.push_back(briefTitle(column));
    addTable(report, title, headings, textRows(table, unit));
}

void addPairs(Report &report, const TextTable &rows)
{
    if (!rows.rows().empty())
        report.blocks.emplace_back(ReportTable{{}, rows, ReportTable::Shape::Pairs});
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
