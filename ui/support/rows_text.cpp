// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/support/rows_text.h"

#include "ui/support/spreadsheet_text.h"

#include <QStringList>
#include <QTableView>

namespace vramscope {

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

} // namespace vramscope
