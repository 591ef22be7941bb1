// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/stage/stage_item.h"

#include <QDialog>

class QListWidget;
class QListWidgetItem;
class QPlainTextEdit;
class QPushButton;

namespace vramscope {

/// Arranges a presentation: which items are shown (ticks), in which order (dragging, buttons,
/// Alt+Up and Alt+Down), and the note of each.
class OrderDialog : public QDialog
{
    Q_OBJECT

public:
    /// `items` as they stand by themselves, and the order to begin with.
    OrderDialog(std::vector<StageItem> items, const RunningOrder &order, QWidget *parent = nullptr);

    /// What was arranged; empty where it is as the items stand by themselves.
    [[nodiscard]] RunningOrder order() const;

    [[nodiscard]] QListWidget *list() const { return m_list; }
    [[nodiscard]] QPlainTextEdit *note() const { return m_note; }
    [[nodiscard]] QPushButton *up() const { return m_up; }
    [[nodiscard]] QPushButton *down() const { return m_down; }

Q_SIGNALS:
    /// The order is accepted and to be shown at once.
    void presentWanted();

private:
    void fill(const RunningOrder &order);
    void move(int by);
    void showRow();

    std::vector<StageItem> m_items;
    QListWidget *m_list;
    QPlainTextEdit *m_note;
    QPushButton *m_up;
    QPushButton *m_down;
};

} // namespace vramscope
