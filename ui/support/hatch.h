// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QPainter>
#include <QPen>

#include <cmath>

namespace vramscope {

/// Draws parallel lines at 45° over a place, equally dense at every scale of the painter; the lines
/// of neighbouring places meet.
inline void fillHatched(QPainter &painter, const QRectF &place, const QPen &pen, double apart = 6)
{
    painter.save();
    painter.setClipRect(place, Qt::IntersectClip);
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setPen(pen);
    const double end = place.right() + place.bottom();
    for (double sum = std::ceil((place.left() + place.top()) / apart) * apart; sum < end;
         sum += apart)
        painter.drawLine(QPointF(sum - place.top(), place.top()),
                         QPointF(sum - place.bottom(), place.bottom()));
    painter.restore();
}

} // namespace vramscope
