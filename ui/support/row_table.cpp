// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/support/row_table.h"

#include "ui/support/row_delegate.h"

#include <QHeaderView>
#include <QTableView>

namespace vramscope {

void setUpRowTable(QTableView &table)
{
    table.setItemDelegate(new RowDelegate(&table));
    table.setShowGrid(false);
    table.setFrameShape(QFrame::NoFrame);
    table.setWordWrap(false);
    table.setTextElideMode(Qt::ElideMiddle);
    table.setSelectionBehavior(QAbstractItemView::SelectRows);
    table.setSelectionMode(QAbstractItemView::SingleSelection);
    table.setTabKeyNavigation(false);
    table.verticalHeader()->hide();
    table.verticalHeader()->setSectionResizeMode(QHeaderView::Fixed);
    table.verticalHeader()->setDefaultSectionSize(table.fontMetrics().height() + 6);
    table.horizontalHeader()->setHighlightSections(false);
    table.horizontalHeader()->setStretchLastSection(true);
}

} // namespace vramscope
