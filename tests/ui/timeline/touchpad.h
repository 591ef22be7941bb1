// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QApplication>
#include <QNativeGestureEvent>
#include <QPointingDevice>
#include <QWidget>

namespace vramscope::test {

/// Two fingers on a touchpad moved apart by `by` of their distance, together where it is negative.
inline void pinch(QWidget &widget, QPointF place, double by)
{
    QNativeGestureEvent event(Qt::ZoomNativeGesture, QPointingDevice::primaryPointingDevice(), 2,
                              place, place, widget.mapToGlobal(place), by, {});
    QApplication::sendEvent(&widget, &event);
}

} // namespace vramscope::test
