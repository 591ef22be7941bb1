// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QApplication>
#include <QDragEnterEvent>
#include <QMimeData>
#include <QWidget>
#include <QWindow>
#include <QtTest>

namespace vramscope::test {

// Events go to the window as from its system: what is covered, hidden or without focus gets none.

inline QWindow *handleOf(const QWidget &widget)
{
    return widget.window()->windowHandle();
}

inline void click(QWidget &widget, QPoint at)
{
    const QPoint place = widget.mapTo(widget.window(), at);
    QWidget *there = widget.window()->childAt(place);
    QVERIFY2(there == &widget || widget.isAncestorOf(there), "it is covered, or out of the window");
    QTest::mouseClick(handleOf(widget), Qt::LeftButton, {}, place);
}

inline void click(QWidget &widget)
{
    click(widget, widget.rect().center());
}

inline void doubleClick(QWidget &widget, QPoint at)
{
    click(widget, at);
    QTest::mouseDClick(handleOf(widget), Qt::LeftButton, {}, widget.mapTo(widget.window(), at));
}

/// Drops a file on the middle of a window, which has to accept it.
inline void drop(QWidget &window, const QString &file)
{
    QMimeData data;
    data.setUrls({QUrl::fromLocalFile(file)});
    const QPoint place = window.rect().center();
    QDragEnterEvent enter(place, Qt::CopyAction, &data, Qt::LeftButton, Qt::NoModifier);
    QApplication::sendEvent(&window, &enter);
    QVERIFY(enter.isAccepted());
    QDropEvent event(place, Qt::CopyAction, &data, Qt::LeftButton, Qt::NoModifier);
    QApplication::sendEvent(&window, &event);
}

} // namespace vramscope::test
