// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>

#include <initializer_list>
#include <string_view>
#include <utility>

class QTableView;

namespace vramscope {

class DataTableModel;

/// A table of plain rows over a model that sorts itself, sorted by a column, the largest first.
[[nodiscard]] QTableView *makeSortedTable(DataTableModel *model, const QString &name, int sortedBy);

/// Makes columns, by their keys, wide enough for such texts.
void fitColumns(QTableView *view, const DataTableModel &model,
                std::initializer_list<std::pair<std::string_view, QString>> widest);

/// Chooses a row of a table and brings it into sight; -1: none.
void chooseRow(QTableView *view, int row);

} // namespace vramscope
