// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QPainter>
#include <QPen>

#include <algorithm>
#include <cmath>

namespace vramscope {

/// Draws parallel lines at 45° over a place, equally dense at every scale of the painter; the lines
/// of neighbouring places meet. Each ends at the place's edge, without a clip: one inside another
/// stays in force in an exported SVG.
inline void fillHatched(QPainter &painter, const QRectF &place, const QPen &pen, double apart = 6)
{
    painter.save();
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setPen(pen);
    const auto first = static_cast<int>(std::ceil((place.left() + place.top()) / apart));
    const auto end = static_cast<int>(std::ceil((place.right() + place.bottom()) / apart));
    for (int line = first; line < end; ++line) {
        const double sum = line * apart;
        const double high = std::min(sum - place.top(), place.right());
        const double low = std::max(sum - place.bottom(), place.left());
        painter.drawLine(QPointF(high, sum - high), QPointF(low, sum - low));
    }
    painter.restore();
}

} // namespace vramscope
