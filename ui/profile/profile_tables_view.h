// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/export/table.h"
#include "ui/profile/profile_tables.h"

#include <QWidget>

#include <memory>

class QLabel;
class QSortFilterProxyModel;
class QTabBar;
class QTableView;

namespace vramscope {

class ProfileTableModel;

/// The tables of a profile in tabs: one is shown and made at a time. A click on a row leads to its
/// longest event and marks all of its name; what is typed in the search leaves out other rows.
class ProfileTablesView : public QWidget
{
    Q_OBJECT

public:
    explicit ProfileTablesView(QWidget *parent = nullptr);

    [[nodiscard]] ProfileTab tab() const;
    void setTab(ProfileTab tab);
    void setTable(ProfileTable table);
    /// Only rows that hold a text.
    void setSearch(const QString &text);
    /// What the table is of is being worked out.
    void setWorking();

    [[nodiscard]] Table exported(qsizetype most) const;
    [[nodiscard]] QTableView *view() const { return m_view; }

Q_SIGNALS:
    void tabChanged();
    void rowChosen(const vramscope::ProfileTableRow &row);

private:
    void fitColumns();

    QTabBar *m_tabs;
    QLabel *m_note;
    QTableView *m_view;
    ProfileTableModel *m_model;
    QSortFilterProxyModel *m_sorted;
};

} // namespace vramscope
