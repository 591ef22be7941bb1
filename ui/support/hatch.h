// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QPen>
#include <QRectF>

class QPainter;

namespace vramscope {

/// Draws parallel lines at 45° over a place, equally dense at every scale of the painter; the lines
/// of neighbouring places meet.
void fillHatched(QPainter &painter, const QRectF &place, const QPen &pen, double apart = 6);

} // namespace vramscope
