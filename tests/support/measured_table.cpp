// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/support/measured_table.h"

#include "core/base/csv.h"
#include "core/base/text_file.h"

namespace vramscope::test {

QString TableRow::text(const char *column) const
{
    return cells.value(QString::fromLatin1(column));
}

qint64 TableRow::number(const char *column) const
{
    return text(column).toLongLong();
}

std::vector<TableRow> readTable(const QString &path)
{
    std::vector<TableRow> rows;
    const Result<std::string> text = readTextFile(path.toStdString(), std::size_t(1) << 24);
    const Result<CsvTable> table = text ? parseCsv(*text) : Result<CsvTable>(text.error());
    if (!table)
        return rows;
    for (const CsvRow &line : table->rows) {
        TableRow row;
        for (std::size_t column = 0; column < table->columns.size(); ++column)
            row.cells.insert(QString::fromStdString(table->columns[column]),
                             QString::fromStdString(line.cells[column]));
        rows.push_back(row);
    }
    return rows;
}

} // namespace vramscope::test
