// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/profile/profile_table_parts.h"

#include "core/report/tables.h"
#include "ui/models/data_table_model.h"
#include "ui/models/fact_rows.h"
#include "ui/stage/stage_views.h"
#include "ui/support/text.h"

#include <algorithm>

namespace vramscope {

using namespace Qt::StringLiterals;

namespace {

constexpr std::size_t kStagedColumns = 7;
constexpr qsizetype kStagedName = 38; // characters
constexpr std::size_t kReportRows = 20;

/// The end of a path of operators, and a long name without its middle.
QString shortened(const QString &text)
{
    if (text.size() <= kStagedName)
        return text;
    QString name = text.section(u" > "_s, -1).section(u" › "_s, -1);
    if (name.startsWith(u"void "_s))
        name.remove(0, 5);
    if (name.size() <= kStagedName)
        return name;
    const qsizetype half = (kStagedName - 1) / 2;
    return name.first(half) + u'…' + name.last(half);
}

} // namespace

StageScene tableScene(const DataTable &table, ByteUnit unit, std::size_t most)
{
    DataTable staged = table;
    staged.columns.resize(std::min(table.columns.size(), kStagedColumns));
    QStringList columns;
    std::vector<int> words;
    for (const DataTable::Column &column : staged.columns) {
        if (column.isText())
            words.push_back(static_cast<int>(columns.size()));
        columns << foreignText(column.title);
    }
    std::vector<FactRow> rows = factRows(staged, most, unit);
    for (FactRow &row : rows)
        for (FactCell &cell : row.cells)
            cell.text = shortened(cell.text);
    const QString title = foreignText(table.title);
    return {table.rows == 0 ? foreignText(table.note) : title,
            tableView(title, columns, std::move(words), std::move(rows))};
}

void addReportTable(Report &report, const DataTable &table, ByteUnit unit)
{
    std::vector<Align> alignment;
    std::vector<std::string> headings;
    for (const DataTable::Column &column : table.columns) {
        alignment.push_back(column.isText() ? Align::Left : Align::Right);
        headings.push_back(column.title);
    }
    TextTable rows(alignment);
    for (std::size_t at = 0; at < std::min(table.rows, kReportRows); ++at) {
        std::vector<std::string> cells;
        for (const DataTable::Column &column : table.columns)
            cells.push_back(shownText(column, column.cell(at), unit).toStdString());
        rows.addRow(cells);
    }
    addTable(report, table.title, headings, rows);
    if (table.rows > kReportRows)
        addParagraph(report,
                     formatCount(static_cast<std::int64_t>(table.rows - kReportRows)) +
                         " more rows are left out.",
                     Tone::Note);
}

} // namespace vramscope
