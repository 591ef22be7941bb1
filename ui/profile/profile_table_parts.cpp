// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/profile/profile_table_parts.h"

#include "core/report/tables.h"
#include "ui/stage/stage_views.h"
#include "ui/support/fact_table.h"
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

StageScene tableScene(const ProfileTable &table, std::size_t most)
{
    QStringList columns;
    std::vector<int> words;
    const std::size_t width = std::min<std::size_t>(table.columns.size(), kStagedColumns);
    for (std::size_t at = 0; at < width; ++at) {
        columns << table.columns[at].title;
        if (table.columns[at].isWord)
            words.push_back(static_cast<int>(at));
    }
    std::vector<FactRow> rows;
    for (std::size_t at = 0; at < std::min(table.rows.size(), most); ++at) {
        FactRow row;
        for (std::size_t column = 0; column < width; ++column) {
            const ProfileCell &cell = table.rows[at].cells[column];
            row.cells.push_back({shortened(cell.text), cell.tip, cell.exact});
        }
        rows.push_back(std::move(row));
    }
    return {table.rows.empty() ? table.note : table.title,
            tableView(table.title, columns, std::move(words), std::move(rows))};
}

void addReportTable(Report &report, const ProfileTable &table)
{
    std::vector<Align> alignment;
    std::vector<std::string> headings;
    for (const ProfileColumn &column : table.columns) {
        alignment.push_back(column.isWord ? Align::Left : Align::Right);
        headings.push_back(column.title.toStdString());
    }
    TextTable rows(alignment);
    for (std::size_t at = 0; at < std::min(table.rows.size(), kReportRows); ++at) {
        std::vector<std::string> cells;
        for (const ProfileCell &cell : table.rows[at].cells)
            cells.push_back(cell.text.toStdString());
        rows.addRow(cells);
    }
    addTable(report, table.title.toStdString(), headings, rows);
    if (table.rows.size() > kReportRows)
        addParagraph(report,
                     u"%1 more rows are left out."_s
                         .arg(countText(static_cast<std::int64_t>(table.rows.size() - kReportRows)))
                         .toStdString(),
                     Tone::Note);
}

} // namespace vramscope
