// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/timeline/usage_painter.h"

#include "core/analysis/replayed/usage_curve.h"
#include "ui/timeline/view_state.h"

#include <QPainter>
#include <QTransform>

#include <cmath>

namespace vramscope {

void paintUsage(QPainter &painter, const UsageCurve &curve, const TimelineState &state,
                const QRectF &place, const Theme &theme)
{
    if (place.width() < 1 || place.height() < 1)
        return;
    const LinearScale up{state.whole().bytes, place.height()};
    const auto y = [&](Bytes bytes) {
        return place.bottom() - up.toPixel(static_cast<double>(bytes));
    };
    const QColor solid = QColor(seriesColors()[0]);
    QColor faint = solid;
    faint.setAlphaF(0.55F);
    // Columns are whole pixels of the device: between others it would show through.
    const QTransform toDevice = painter.deviceTransform();
    const double first = std::round(toDevice.map(place.topLeft()).x());
    const double end = std::round(toDevice.map(place.topRight()).x());
    const auto columns = static_cast<int>(end - first);
    const LinearScale byColumn{state.whole().x, static_cast<double>(columns)};
    const auto leftOf = [&](int column) {
        return toDevice.inverted().map(QPointF(first + column, 0)).x();
    };
    QPolygonF reserved;
    for (int column = 0; column < columns; ++column) {
        const EventSpan events = state.axis().column(byColumn, column);
        const double x = leftOf(column);
        const double width = leftOf(column + 1) - x;
        const double low = y(curve.active(curve.lowestActive(events.first, events.last)));
        const double high = y(curve.active(curve.highestActive(events.first, events.last)));
        painter.fillRect(QRectF(x, low, width, place.bottom() - low), solid);
        painter.fillRect(QRectF(x, high, width, low - high), faint);
        reserved << QPointF(x, y(curve.reserved(curve.highestReserved(events.first, events.last))));
    }
    painter.setPen(QPen(theme.dim, 1));
    painter.drawPolyline(reserved);
}

} // namespace vramscope
