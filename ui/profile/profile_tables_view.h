// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/export/table.h"
#include "ui/profile/profile_tables.h"

#include <QWidget>

#include <array>
#include <memory>

class QComboBox;
class QLabel;
class QTabBar;

namespace vramscope {

class DataTableView;

/// The tables of a profile in tabs: one is shown and made at a time. A click on a row leads to its
/// longest event and marks all of its name; what is typed in the search leaves out other rows.
class ProfileTablesView : public QWidget
{
    Q_OBJECT

public:
    explicit ProfileTablesView(std::shared_ptr<const ProfileDocument> document,
                               QWidget *parent = nullptr);

    [[nodiscard]] ProfileTab tab() const;
    void setTab(ProfileTab tab);
    /// The tab and how its table is shown; each tab keeps its own choice.
    [[nodiscard]] ProfileTableChoice choice() const;
    void setChoice(const ProfileTableChoice &choice);
    void setTable(DataTable table, ByteUnit unit);
    /// Only rows that hold a text.
    void setSearch(const QString &text);
    /// What the table is of is being worked out.
    void setWorking();

    [[nodiscard]] Table exported(qsizetype most) const;
    [[nodiscard]] DataTableView *view() const { return m_view; }

Q_SIGNALS:
    /// Another table is to be shown.
    void choiceChanged();
    /// A row was chosen that leads to this.
    void rowChosen(const vramscope::DataTable::Target &target);

private:
    void showChoices();

    std::shared_ptr<const ProfileDocument> m_document;
    QTabBar *m_tabs;
    QComboBox *m_choice;
    std::array<std::size_t, kProfileTabCount> m_choices{};
    QLabel *m_note;
    DataTableView *m_view;
};

} // namespace vramscope
