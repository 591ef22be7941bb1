// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/export/table.h"
#include "ui/profile/profile_table_model.h"

#include <QTableView>

class QSortFilterProxyModel;

namespace vramscope {

/// One table of a profile: its rows sort by any column, and a search leaves out others.
class ProfileTableView : public QTableView
{
    Q_OBJECT

public:
    explicit ProfileTableView(const QString &name, QWidget *parent = nullptr);

    /// Sorting and widths begin anew where the columns are others than before.
    void setTable(ProfileTable table);
    [[nodiscard]] const ProfileTable &table() const { return m_model->table(); }
    /// Only rows that hold a text, in whichever case, in their first cell.
    void setSearch(const QString &text);
    [[nodiscard]] Table exported(qsizetype most) const;

Q_SIGNALS:
    void rowChosen(const vramscope::ProfileTableRow &row);

protected:
    void resizeEvent(QResizeEvent *event) override;

private:
    void fitColumns();
    void shareWidth();

    ProfileTableModel *m_model;
    QSortFilterProxyModel *m_sorted;
    std::vector<int> m_widths; ///< of the texts of each column but the first
};

} // namespace vramscope
