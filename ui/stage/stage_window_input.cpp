// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/stage/stage_window.h"

#include <QKeyEvent>
#include <QMouseEvent>
#include <QWheelEvent>

#include <algorithm>
#include <utility>

// What keys, a clicker, the mouse and the wheel do.

namespace vramscope {

namespace {

constexpr int kWheelStep = 120;

/// How many items a key goes on, below 0 back; 0: it is no such key.
int stepOf(int key)
{
    switch (key) {
    case Qt::Key_Right:
    case Qt::Key_Down:
    case Qt::Key_Space:
    case Qt::Key_Return:
    case Qt::Key_Enter:
    case Qt::Key_PageDown:
        return 1;
    case Qt::Key_Left:
    case Qt::Key_Up:
    case Qt::Key_Backspace:
    case Qt::Key_PageUp:
        return -1;
    default:
        return 0;
    }
}

} // namespace

// While the screen is black a key that would go on lights it again.
void StageWindow::keyPressEvent(QKeyEvent *event)
{
    const int key = event->key();
    const int step = stepOf(key);
    setCursor(Qt::BlankCursor);
    if (takeNumber(key)) {
        update();
    } else if (key == Qt::Key_Escape) {
        close();
    } else if (key == Qt::Key_B || key == Qt::Key_Period) {
        setBlack(!m_black);
    } else if (m_black && step != 0) {
        setBlack(false);
    } else if (step != 0) {
        goTo(m_current + step);
    } else if (key == Qt::Key_Home || key == Qt::Key_End) {
        goTo(key == Qt::Key_Home ? 0 : count() - 1);
    } else if (key == Qt::Key_T) {
        Q_EMIT otherColorsWanted();
    } else if (key == Qt::Key_N) {
        m_notes = !m_notes;
        discardPicture();
    } else {
        QWidget::keyPressEvent(event);
    }
}

// What is no digit and not Enter forgets the number.
bool StageWindow::takeNumber(int key)
{
    constexpr int kMost = 999;
    const int number = std::exchange(m_number, 0);
    if (Qt::Key_0 <= key && key <= Qt::Key_9) {
        m_number = std::min(number * 10 + (key - Qt::Key_0), kMost);
        return true;
    }
    const bool goes = number > 0 && (key == Qt::Key_Return || key == Qt::Key_Enter);
    if (goes) {
        setBlack(false);
        goTo(number - 1);
    } else if (number > 0) {
        update(); // where it stood
    }
    return goes;
}

void StageWindow::mouseMoveEvent(QMouseEvent *)
{
    setCursor(Qt::ArrowCursor);
    m_still.start();
}

void StageWindow::mousePressEvent(QMouseEvent *event)
{
    if (m_black)
        return setBlack(false);
    if (event->button() == Qt::LeftButton || event->button() == Qt::RightButton)
        goTo(m_current + (event->button() == Qt::LeftButton ? 1 : -1));
}

// A touchpad turns in small steps, which add up.
void StageWindow::wheelEvent(QWheelEvent *event)
{
    m_wheel += event->angleDelta().y();
    const int steps = m_wheel / kWheelStep;
    m_wheel -= steps * kWheelStep;
    if (steps != 0)
        goTo(m_current - steps);
    event->accept();
}

} // namespace vramscope
