// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/timeline/usage_painter.h"

#include "ui/timeline/view_state.h"

#include <QPainter>

namespace vramscope {

QImage paintUsage(const TimelineData &data, const TimelineState &state, const QRectF &place,
                  QSize size, double ratio, const Theme &theme)
{
    QImage image(size * ratio, QImage::Format_ARGB32_Premultiplied);
    image.setDevicePixelRatio(ratio);
    image.fill(Qt::transparent);
    if (!data.valid() || place.width() < 1 || place.height() < 1)
        return image;
    const UsageCurve &curve = *data.curve;
    const LinearScale up{state.whole().bytes, place.height()};
    const auto y = [&](Bytes bytes) {
        return place.bottom() - up.toPixel(static_cast<double>(bytes));
    };
    QPainter painter(&image);
    const QColor solid = QColor(seriesColors()[0]);
    QColor faint = solid;
    faint.setAlphaF(0.55F);
    const auto columns = static_cast<int>(place.width() * ratio);
    const LinearScale byColumn{state.whole().x, static_cast<double>(columns)};
    QPolygonF reserved;
    for (int column = 0; column < columns; ++column) {
        const EventSpan events = state.axis().column(byColumn, column);
        const double x = place.left() + column / ratio;
        const double low = y(curve.active(curve.lowestActive(events.first, events.last)));
        const double high = y(curve.active(curve.highestActive(events.first, events.last)));
        painter.fillRect(QRectF(x, low, 1 / ratio, place.bottom() - low), solid);
        painter.fillRect(QRectF(x, high, 1 / ratio, low - high), faint);
        reserved << QPointF(x, y(curve.reserved(curve.highestReserved(events.first, events.last))));
    }
    painter.setPen(QPen(theme.dim, 1));
    painter.drawPolyline(reserved);
    return image;
}

} // namespace vramscope
