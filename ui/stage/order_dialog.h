// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/stage/stage_item.h"

#include <QDialog>

#include <optional>

class QLabel;
class QListWidget;
class QListWidgetItem;
class QPlainTextEdit;
class QPushButton;

namespace vramscope {

/// Arranges a presentation: which items are shown (ticks), in which order (dragging, buttons,
/// Alt+Up and Alt+Down), and the note of each. The page's current view can be added. Nothing
/// changes before the dialog is accepted.
class OrderDialog : public QDialog
{
    Q_OBJECT

public:
    /// `items` in their own order, the order to begin with, and an item that can be added: the
    /// page's current view, if `items` lacks it.
    OrderDialog(std::vector<StageItem> items, const RunningOrder &order,
                std::optional<StageItem> view = {}, QWidget *parent = nullptr);

    /// The chosen arrangement; empty if it is the items' own.
    [[nodiscard]] RunningOrder order() const;
    /// Whether the view was added and should be shown.
    [[nodiscard]] bool isViewWanted() const { return rowOfView() >= 0; }

    [[nodiscard]] QListWidget *list() const { return m_list; }
    [[nodiscard]] QPlainTextEdit *note() const { return m_note; }
    [[nodiscard]] QPushButton *up() const { return m_up; }
    [[nodiscard]] QPushButton *down() const { return m_down; }
    [[nodiscard]] QPushButton *add() const { return m_add; }
    [[nodiscard]] QPushButton *presentButton() const { return m_present; }
    /// "5 of 9 are shown"
    [[nodiscard]] QString countText() const;

Q_SIGNALS:
    /// The user accepted the order and wants to present it immediately.
    void presentWanted();

private:
    [[nodiscard]] QWidget *makeMoves();
    void connectParts();
    void fill(const RunningOrder &order);
    void insert(int row, const StageItem &item);
    void addView();
    void move(int by);
    void showRow();
    void showCount();
    /// The row of the view if it is ticked, else -1.
    [[nodiscard]] int rowOfView() const;

    std::vector<StageItem> m_items;
    std::optional<StageItem> m_view;
    QListWidget *m_list;
    QPlainTextEdit *m_note;
    QPushButton *m_up;
    QPushButton *m_down;
    QPushButton *m_add;
    QPushButton *m_reset;
    QPushButton *m_present;
    QLabel *m_count;
};

} // namespace vramscope
