// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/charts/error_strip.h"

#include "ui/support/theme.h"

#include <QPainter>

#include <algorithm>
#include <cmath>

namespace vramscope {

void paintErrorStrip(QPainter &painter, const QRectF &place, std::span<const double> errors,
                     double range, double met, const Theme &theme)
{
    if (range <= 0)
        return;
    const auto position = [&](double error) {
        const double share = std::clamp(error / range, -1.0, 1.0);
        return place.center().x() + share * (place.width() / 2 - 2);
    };
    painter.save();
    painter.setRenderHint(QPainter::Antialiasing);
    QColor within = theme.accent;
    within.setAlphaF(0.13F);
    painter.fillRect(
        QRectF(QPointF(position(-met), place.top()), QPointF(position(met), place.bottom())),
        within);
    painter.setPen(QPen(theme.track(), 1));
    painter.drawLine(QPointF(position(0), place.top()), QPointF(position(0), place.bottom()));
    QColor stroke = theme.text;
    stroke.setAlphaF(0.6F);
    painter.setPen(QPen(stroke, 1.6));
    for (const double error : errors) {
        const double half = place.height() * (std::abs(error) > met ? 0.36 : 0.22);
        const double x = position(error);
        painter.drawLine(QPointF(x, place.center().y() - half),
                         QPointF(x, place.center().y() + half));
    }
    painter.restore();
}

} // namespace vramscope
