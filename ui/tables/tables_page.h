// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/tables/tables_document.h"

#include <QWidget>

class QLabel;
class QTabBar;

namespace vramscope {

class ProfileTableView;

/// What nsys stats or Nsight Compute wrote: what it is in a sentence, what is not known of it, and
/// its tables, one at a time.
class TablesPage : public QWidget
{
    Q_OBJECT

public:
    explicit TablesPage(std::shared_ptr<const TablesDocument> document, QWidget *parent = nullptr);

    [[nodiscard]] int tab() const;
    void setTab(int tab);
    [[nodiscard]] ProfileTableView *view() const { return m_view; }
    [[nodiscard]] QString statusText() const;

Q_SIGNALS:
    void statusChanged();

private:
    QWidget *makeHead();
    QWidget *makeTables();
    void showTable();

    std::shared_ptr<const TablesDocument> m_document;
    QTabBar *m_tabs = nullptr;
    QLabel *m_note = nullptr;
    ProfileTableView *m_view = nullptr;
};

} // namespace vramscope
