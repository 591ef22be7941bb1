// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QImage>
#include <QRectF>
#include <QSize>

class QPainter;
class QWidget;

namespace vramscope {

/// A view painted into `pixels`, everything in it `scale` times as large as in a window, and as
/// sharp; smaller if it has too little room, and larger if it is only as high as its content.
/// Controls and scroll bars are left out. The view has no parent and is not on screen.
[[nodiscard]] QImage largePicture(QWidget &view, QSize pixels, double scale);

/// The same painted into a place, for painters that keep shapes and texts.
void paintLarge(QPainter &painter, QWidget &view, const QRectF &place, double scale);

} // namespace vramscope
