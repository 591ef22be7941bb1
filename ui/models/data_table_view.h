// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/models/data_table_model.h"

#include <QTableView>

namespace vramscope {

/// A DataTable: its rows sort by any column, a search leaves out others, and names take the width
/// that figures leave.
class DataTableView : public QTableView
{
    Q_OBJECT

public:
    explicit DataTableView(const QString &name, QWidget *parent = nullptr);

    /// Sorting and widths begin again where the columns are others than before.
    void setTable(DataTable table, ByteUnit unit);
    [[nodiscard]] const DataTable &table() const { return m_model->table(); }
    /// Only rows that have a text, in whichever case, in their first cell.
    void setSearch(const QString &text) { m_model->setFilter(text); }

Q_SIGNALS:
    /// A row of the table was clicked, or Return pressed on it.
    void rowChosen(std::size_t row);

protected:
    void resizeEvent(QResizeEvent *event) override;

private:
    void fitColumns();
    void shareWidth();

    DataTableModel *m_model;
    std::vector<int> m_widths; ///< of the texts of each column but the first
};

} // namespace vramscope
