// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/support/hatch.h"

#include <QPainter>

#include <cmath>

namespace vramscope {

void fillHatched(QPainter &painter, const QRectF &place, const QPen &pen, double apart)
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
