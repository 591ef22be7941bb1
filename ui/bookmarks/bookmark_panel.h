// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QWidget>

class QLabel;
class QListView;
class QPlainTextEdit;
class QPushButton;

namespace vramscope {

class BookmarkModel;

/// The list of bookmarks with the note of the current one under it. A double click or Enter goes
/// there, F2 renames, Delete deletes, Alt+Up and Alt+Down or a drag reorder. Explains bookmarks
/// while the list is empty.
class BookmarkPanel : public QWidget
{
    Q_OBJECT

public:
    explicit BookmarkPanel(BookmarkModel *model, QWidget *parent = nullptr);

    /// The chosen row, or -1.
    [[nodiscard]] int current() const;
    void setCurrent(int row);
    /// Goes to the next or the previous bookmark; at the end of the list, to the same one again.
    void step(bool forward);

Q_SIGNALS:
    /// The user wants a bookmark of the current view.
    void bookmarkWanted();
    /// The user wants to go to the bookmark of this row.
    void chosen(int row);

protected:
    bool eventFilter(QObject *watched, QEvent *event) override;

private:
    void setUpParts();
    void arrange();
    void connectParts();
    void addActions();
    void moveCurrent(int by);
    void showNote();
    void refresh();

    BookmarkModel *m_model;
    QLabel *m_title;
    QPushButton *m_add;
    QLabel *m_hint;
    QListView *m_list;
    QPlainTextEdit *m_note;
    bool m_showing = false; ///< the note is being set, not typed
};

} // namespace vramscope
