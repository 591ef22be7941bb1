// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QStringList>
#include <QWidget>

class QHBoxLayout;
class QLabel;
class QTabBar;

namespace vramscope {

/// Tabs over one view that shows the chosen table, with a note about that table next to the tabs.
/// The page fills the view on tabChanged().
class TabbedTables : public QWidget
{
    Q_OBJECT

public:
    /// `role` is that of the style sheet; empty: none.
    TabbedTables(const QStringList &titles, QWidget *view,
                 const QString &role = QStringLiteral("side-below"));

    [[nodiscard]] int tab() const;
    void setTab(int tab);
    void setNote(const QString &note);
    [[nodiscard]] QLabel *note() const { return m_note; }
    [[nodiscard]] QTabBar *tabs() const { return m_tabs; }
    /// Controls between the tabs and the note, and behind the note.
    void addBeforeNote(QWidget *control);
    void addAfterNote(QWidget *control);
    /// The row of tabs, note and controls.
    [[nodiscard]] QHBoxLayout *top() const { return m_top; }

Q_SIGNALS:
    void tabChanged(int tab);

private:
    QTabBar *m_tabs;
    QLabel *m_note;
    QHBoxLayout *m_top;
};

} // namespace vramscope
