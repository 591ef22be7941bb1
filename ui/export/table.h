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

/// The figures of a view as rows of text under a header. Where a cell shows a number of bytes or
/// of anything else, it is kept exactly beside the text.
struct Table
{
    struct Cell
    {
        QString text;
        std::optional<qint64> exact;
        int depth = 0; ///< of a tree: how far down the row stands
    };

    QString title;
    QStringList columns;
    std::vector<std::vector<Cell>> rows;
    qsizetype leftOut = 0;  ///< rows of the view beyond these; Markdown and JSON say so
    QStringList units = {}; ///< of the exact numbers in a column, as kUnitRole; may end early

    [[nodiscard]] bool isEmpty() const { return columns.isEmpty(); }
};

/// A size as text with its exact bytes.
[[nodiscard]] Table::Cell sizeCell(Bytes bytes, ByteUnit unit);

/// As many rows as a table has at most.
inline constexpr qsizetype kMostRows = 1'000'000;

/// What a model shows, row by row, a tree from the top down as far as its rows are there; at most
/// `most` rows. Exact numbers are those of kExactRole.
[[nodiscard]] Table tableOf(const QAbstractItemModel &model, const QString &title,
                            qsizetype most = kMostRows);

/// A table that is described once, at most `most` rows of it.
[[nodiscard]] Table tableOf(const DataTable &table, ByteUnit unit, qsizetype most = kMostRows);

/// RFC 4180 in UTF-8: exact numbers where there are any, with their unit in the header, else the
/// texts. No row says what was left out: it would be none of the table.
[[nodiscard]] QByteArray csv(const Table &table);
/// A table of Markdown under its title, numbers to the right: texts as they are seen.
[[nodiscard]] QByteArray markdown(const Table &table);
/// {"title", "columns", "rows": [{column: number or text}]}.
[[nodiscard]] QByteArray json(const Table &table);
/// Lines of cells apart by tabs, as they are seen.
[[nodiscard]] QString plainText(const Table &table);
/// A table of HTML, for programs that paste one. A text that a spreadsheet would run as a formula
/// gets a ' before it in this, in plainText() and in csv().
[[nodiscard]] QString html(const Table &table);

} // namespace vramscope
