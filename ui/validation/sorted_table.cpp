// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/validation/sorted_table.h"

#include "ui/support/row_table.h"

#include <QHeaderView>
#include <QItemSelectionModel>
#include <QTableView>

namespace vramscope {

QTableView *makeSortedTable(QAbstractItemModel *model, const QString &name, int sortedBy)
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

void fitColumn(QTableView *view, int column, const QString &widest)
{
    view->horizontalHeader()->resizeSection(column,
                                            view->fontMetrics().horizontalAdvance(widest) + 22);
}

void chooseRow(QTableView *view, int row)
{
    const QModelIndex index = view->model()->index(row, 0);
    view->selectionModel()->setCurrentIndex(index, QItemSelectionModel::ClearAndSelect |
                                                       QItemSelectionModel::Rows);
    view->scrollTo(index);
}

} // namespace vramscope
