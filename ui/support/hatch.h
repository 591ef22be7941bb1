// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QLineF>
#include <QList>
#include <QPainter>
#include <QPen>

#include <algorithm>
#include <cmath>

namespace vramscope {

/// Draws parallel lines at 45° over places, equally dense at every scale of the painter; the lines
/// of neighbouring places meet. Each ends at the place's edge, without a clip: one inside another
/// stays in force in an exported SVG.
inline void fillHatched(QPainter &painter, const QList<QRectF> &places, const QPen &pen,
                        double apart = 6)
{
    QList<QLineF> lines;
    for (const QRectF &place : places) {
        const auto first = static_cast<int>(std::ceil((place.left() + place.top()) / apart));
        const auto end = static_cast<int>(std::ceil((place.right() + place.bottom()) / apart));
        for (int line = first; line < end; ++line) {
            const double sum = line * apart;
            const double high = std::min(sum - place.top(), place.right());
            const double low = std::max(sum - place.bottom(), place.left());
            lines.append(QLineF(high, sum - high, low, sum - low));
        }
    }
    painter.save();
    // One pixel wide, a line at 45° is even without it, and much faster.
    painter.setRenderHint(QPainter::Antialiasing, pen.widthF() > 1);
    painter.setPen(pen);
    painter.drawLines(lines);
    painter.restore();
}

} // namespace vramscope
