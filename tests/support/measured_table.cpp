// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/support/measured_table.h"

#include <QFile>
#include <QStringList>
#include <QTextStream>

namespace vramscope::test {

namespace {

QStringList splitLine(const QString &line)
{
    QStringList cells(QString{});
    bool quoted = false;
    for (const QChar character : line) {
        if (character == u'"')
            quoted = !quoted;
        else if (character == u',' && !quoted)
            cells.append(QString());
        else
            cells.last().append(character);
    }
    return cells;
}

} // namespace

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
    QFile file(path);
    std::vector<TableRow> rows;
    if (!file.open(QIODevice::ReadOnly | QIODevice::Text))
        return rows;
    QTextStream stream(&file);
    const QStringList header = splitLine(stream.readLine());
    while (!stream.atEnd()) {
        const QStringList cells = splitLine(stream.readLine());
        TableRow row;
        for (qsizetype column = 0; column < header.size(); ++column)
            row.cells.insert(header[column], cells.value(column));
        rows.push_back(row);
    }
    return rows;
}

} // namespace vramscope::test
