// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/window/folding_menu_bar.h"

#include <QActionEvent>
#include <QApplication>
#include <QMainWindow>
#include <QMenu>

namespace vramscope {

int FoldingMenuBar::heightForWidth(int width) const
{
    return m_isOpen ? QMenuBar::heightForWidth(width) : 0;
}

QSize FoldingMenuBar::sizeHint() const
{
    return {QMenuBar::sizeHint().width(), m_isOpen ? QMenuBar::sizeHint().height() : 0};
}

QSize FoldingMenuBar::minimumSizeHint() const
{
    return m_isOpen ? QMenuBar::minimumSizeHint() : QSize();
}

void FoldingMenuBar::actionEvent(QActionEvent *event)
{
    QMenuBar::actionEvent(event);
    if (const QMenu *menu = event->action()->menu(); menu && event->type() == QEvent::ActionAdded)
        connect(menu, &QMenu::aboutToHide, this, &FoldingMenuBar::fold, Qt::QueuedConnection);
}

void FoldingMenuBar::focusInEvent(QFocusEvent *event)
{
    QMenuBar::focusInEvent(event);
    m_isOpen = true;
    updateGeometry();
}

void FoldingMenuBar::focusOutEvent(QFocusEvent *event)
{
    QMenuBar::focusOutEvent(event);
    QMetaObject::invokeMethod(this, &FoldingMenuBar::fold, Qt::QueuedConnection);
}

void FoldingMenuBar::leaveEvent(QEvent *event)
{
    QMenuBar::leaveEvent(event);
    fold();
}

void FoldingMenuBar::fold()
{
    if (!m_isOpen || hasFocus() || QApplication::activePopupWidget())
        return;
    m_isOpen = false;
    updateGeometry();
}

FoldingMenuBar *foldingMenuBar(QMainWindow &window)
{
    auto *bar = new FoldingMenuBar(&window);
    window.setMenuBar(bar);
    return bar;
}

} // namespace vramscope
