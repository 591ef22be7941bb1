// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>

class QAbstractItemModel;
class QTableView;

namespace vramscope {

/// A table of plain rows over a model that sorts itself, sorted by a column, the largest first.
[[nodiscard]] QTableView *makeSortedTable(QAbstractItemModel *model, const QString &name,
                                          int sortedBy);

/// Makes a column wide enough for such a text.
void fitColumn(QTableView *view, int column, const QString &widest);

/// Chooses a row of a table and brings it into sight.
void chooseRow(QTableView *view, int row);

} // namespace vramscope
