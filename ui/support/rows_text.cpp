// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/support/rows_text.h"

#include <QRegularExpression>
#include <QStringList>
#include <QTableView>

namespace vramscope {

using namespace Qt::StringLiterals;

QString rowsText(const QTableView &table)
{
    QStringList lines;
    for (const QModelIndex &row : table.selectionModel()->selectedRows()) {
        QStringList cells;
        for (int column = 0; column < table.model()->columnCount(); ++column)
            cells += spreadsheetText(row.siblingAtColumn(column).data().toString());
        lines += cells.join(u'\t');
    }
    return lines.join(u'\n');
}

QString spreadsheetText(const QString &text)
{
    static const QRegularExpression number(
        u"^[-+][0-9][0-9.,]*( ?(%|[a-zA-Zµ]{1,3}(·[a-z]+)?))?$"_s);
    const bool begins = text.size() > 1 && u"=+-@\t\r"_s.contains(text.front());
    return begins && !number.match(text).hasMatch() ? u'\'' + text : text;
}

} // namespace vramscope
