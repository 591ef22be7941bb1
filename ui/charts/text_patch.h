// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QColor>
#include <QPainter>
#include <QRectF>
#include <QString>

namespace vramscope {

/// Text over a patch of the card's colour, so that lines and bars below do not cut through it.
inline void drawOnPatch(QPainter &painter, const QRectF &rect, Qt::Alignment alignment,
                        const QString &text, const QColor &patch)
{
    const QRectF bounds = painter.boundingRect(rect, static_cast<int>(alignment), text);
    painter.fillRect(bounds.adjusted(-3, 0, 3, 0), patch);
    painter.drawText(rect, static_cast<int>(alignment), text);
}

} // namespace vramscope
