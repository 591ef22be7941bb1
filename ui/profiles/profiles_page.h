// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/profiles/profiles_tables.h"

#include <QWidget>

#include <memory>

class QLabel;
class QTabBar;

namespace vramscope {

class BreakdownBar;
class ProfileTableView;

/// The page of a folder of profiler traces: who is late, in a sentence; what else stands out; a bar
/// a rank on one scale; tables. A row of a rank opens its trace.
class ProfilesPage : public QWidget
{
    Q_OBJECT

public:
    explicit ProfilesPage(std::shared_ptr<const ProfileFolder> folder, QWidget *parent = nullptr);

    void setUnit(ByteUnit unit);
    [[nodiscard]] ByteUnit unit() const { return m_unit; }
    [[nodiscard]] RanksTab tab() const;
    void setTab(RanksTab tab);
    [[nodiscard]] QString statusText() const;
    [[nodiscard]] ProfileTableView *view() const { return m_view; }
    [[nodiscard]] BreakdownBar *bar() const { return m_bar; }

Q_SIGNALS:
    void statusChanged();
    /// The file of a rank is to be opened.
    void openWanted(const QString &path, std::size_t device);

private:
    [[nodiscard]] QWidget *makeHead();
    [[nodiscard]] QWidget *makeBars();
    [[nodiscard]] QWidget *makeTables();
    void showTable();
    void openFile(const QString &name);

    std::shared_ptr<const ProfileFolder> m_folder;
    ByteUnit m_unit = ByteUnit::Binary;
    BreakdownBar *m_bar = nullptr;
    QTabBar *m_tabs = nullptr;
    QLabel *m_note = nullptr;
    ProfileTableView *m_view = nullptr;
};

} // namespace vramscope
