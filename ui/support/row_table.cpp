// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/support/row_table.h"

#include "ui/support/row_delegate.h"

#include <QHeaderView>
#include <QTableView>

namespace vramscope {

void setUpPlainRows(QTableView &table, int padding)
{
    table.setShowGrid(false);
    table.setFrameShape(QFrame::NoFrame);
    table.setWordWrap(false);
    table.setTextElideMode(Qt::ElideMiddle);
    table.setSelectionBehavior(QAbstractItemView::SelectRows);
    table.setSelectionMode(QAbstractItemView::SingleSelection);
    table.verticalHeader()->hide();
    table.verticalHeader()->setDefaultSectionSize(table.fontMetrics().height() + padding);
    table.horizontalHeader()->setHighlightSections(false);
}

void setUpRowTable(QTableView &table)
{
    constexpr int kPadding = 6;
    table.setItemDelegate(new RowDelegate(&table));
    setUpPlainRows(table, kPadding);
    table.setTabKeyNavigation(false);
    table.verticalHeader()->setSectionResizeMode(QHeaderView::Fixed);
    table.horizontalHeader()->setStretchLastSection(true);
}

} // namespace vramscope
