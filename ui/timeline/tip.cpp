// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/timeline/tip.h"

#include <QFontMetricsF>
#include <QPainter>

#include <cmath>

namespace vramscope {

namespace {

constexpr double kPadding = 8;
constexpr double kDistance = 14; // from the mouse
constexpr double kWidest = 520;

double textWidth(const QFontMetricsF &metrics, const QStringList &lines, const QRectF &bounds)
{
    double width = 0;
    for (const QString &line : lines)
        width = std::max(width, std::ceil(metrics.horizontalAdvance(line)));
    return std::min(width, std::min(kWidest, bounds.width() - 2 * kPadding));
}

} // namespace

QRectF tipBox(const QFont &font, const QStringList &lines, QPointF mouse, const QRectF &bounds)
{
    const QFontMetricsF metrics(font);
    QRectF box(mouse.x() + kDistance, mouse.y() + kDistance,
               textWidth(metrics, lines, bounds) + 2 * kPadding,
               std::ceil(metrics.lineSpacing()) * static_cast<double>(lines.size()) + 2 * kPadding -
                   2);
    if (box.right() > bounds.right())
        box.moveRight(mouse.x() - kDistance);
    if (box.bottom() > bounds.bottom())
        box.moveBottom(mouse.y() - kDistance);
    box.moveLeft(std::max(box.left(), bounds.left()));
    box.moveTop(std::max(box.top(), bounds.top()));
    return box;
}

void paintTip(QPainter &painter, const QStringList &lines, QPointF mouse, const QRectF &bounds,
              const Theme &theme)
{
    const QFontMetricsF metrics(painter.font());
    const double width = textWidth(metrics, lines, bounds);
    const QRectF box = tipBox(painter.font(), lines, mouse, bounds);
    painter.setPen(theme.line);
    painter.setBrush(theme.card);
    painter.drawRoundedRect(box.toAlignedRect().toRectF().adjusted(0.5, 0.5, -0.5, -0.5), 4, 4);
    QRectF place = box.adjusted(kPadding, kPadding - 1, -kPadding, 0);
    for (qsizetype at = 0; at < lines.size(); ++at) {
        painter.setPen(at == 0 ? theme.text : theme.dim);
        place.setHeight(std::ceil(metrics.lineSpacing()));
        painter.drawText(place, Qt::AlignLeft | Qt::AlignVCenter,
                         metrics.elidedText(lines[at], Qt::ElideMiddle, width));
        place.translate(0, place.height());
    }
}

} // namespace vramscope
