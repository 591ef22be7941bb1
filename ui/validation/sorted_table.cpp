// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/validation/sorted_table.h"

#include "ui/models/data_table_model.h"
#include "ui/support/row_table.h"

#include <QHeaderView>
#include <QItemSelectionModel>
#include <QTableView>

namespace vramscope {

QTableView *makeSortedTable(DataTableModel *model, const QString &name, int sortedBy)
{
    auto *view = new QTableView;
    view->setModel(model);
    view->setAccessibleName(name);
    setUpPlainRows(*view);
    view->setTextElideMode(Qt::ElideRight);
    view->setTabKeyNavigation(false);
    QHeaderView *header = view->horizontalHeader();
    header->setMinimumSectionSize(40);
    header->setSortIndicator(sortedBy, Qt::DescendingOrder);
    view->setSortingEnabled(true);
    return view;
}

void fitColumns(QTableView *view, const DataTableModel &model,
                std::initializer_list<std::pair<std::string_view, QString>> widest)
{
    for (const auto &[key, text] : widest)
        view->horizontalHeader()->resizeSection(model.columnOf(key),
                                                view->fontMetrics().horizontalAdvance(text) + 22);
}

void chooseRow(QTableView *view, int row)
{
    if (row < 0)
        return view->clearSelection();
    const QModelIndex index = view->model()->index(row, 0);
    view->selectionModel()->setCurrentIndex(index, QItemSelectionModel::ClearAndSelect |
                                                       QItemSelectionModel::Rows);
    view->scrollTo(index);
}

} // namespace vramscope
