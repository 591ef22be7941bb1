// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/format.h"

#include <QByteArray>
#include <QString>
#include <QStringList>

#include <optional>
#include <vector>

class QAbstractItemModel;

namespace vramscope {

struct DataTable;

/// The figures of a view as rows of text under a header. A cell that shows a number of bytes or of
/// anything else also has its exact value.
struct Table
{
    struct Cell
    {
        QString text;
        std::optional<qint64> exact;
        int depth = 0; ///< in a tree: the depth of the row
    };

    QString title;
    QStringList columns;
    std::vector<std::vector<Cell>> rows;
    qsizetype leftOut = 0;  ///< further rows of the view; noted in Markdown and JSON
    QStringList units = {}; ///< of the exact numbers in a column, like kUnitRole; may be shorter

    [[nodiscard]] bool isEmpty() const { return columns.isEmpty(); }
};

/// A size as text with its exact bytes.
[[nodiscard]] Table::Cell sizeCell(Bytes bytes, ByteUnit unit);

/// The maximum number of rows in a table.
inline constexpr qsizetype kMostRows = 1'000'000;

/// The content of a model, row by row, a tree from the top down as far as its rows are loaded; at
/// most `most` rows. Exact numbers come from kExactRole.
[[nodiscard]] Table tableOf(const QAbstractItemModel &model, const QString &title,
                            qsizetype most = kMostRows);

/// A table that is described once, at most `most` rows of it.
[[nodiscard]] Table tableOf(const DataTable &table, ByteUnit unit, qsizetype most = kMostRows);

/// RFC 4180 in UTF-8: exact numbers if available, with their unit in the header, else the texts. No
/// row notes what was left out: it would not be part of the table.
[[nodiscard]] QByteArray csv(const Table &table);
/// A Markdown table under its title, with numbers right-aligned and texts as on the screen.
[[nodiscard]] QByteArray markdown(const Table &table);
/// {"title", "columns", "rows": [{column: number or text}]}.
[[nodiscard]] QByteArray json(const Table &table);
/// Lines of cells separated by tabs, as on the screen.
[[nodiscard]] QString plainText(const Table &table);
/// An HTML table, for programs that paste one. Here, in plainText() and in csv(), a text that a
/// spreadsheet would run as a formula is prefixed with '.
[[nodiscard]] QString html(const Table &table);

} // namespace vramscope
