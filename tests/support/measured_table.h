// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QMap>
#include <QString>

#include <vector>

namespace vramscope::test {

/// One row of a CSV file by the names of its columns.
struct TableRow
{
    QMap<QString, QString> cells;

    /// The cell's text; empty where the file has no such column.
    [[nodiscard]] QString text(const char *column) const;
    /// The cell's whole number; 0 where it is empty.
    [[nodiscard]] qint64 number(const char *column) const;
};

/// The rows of a CSV file; none where it cannot be read.
[[nodiscard]] std::vector<TableRow> readTable(const QString &file);

} // namespace vramscope::test
