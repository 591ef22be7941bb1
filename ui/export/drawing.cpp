// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/export/drawing.h"

#include <QPainter>

namespace vramscope {

namespace {

void paintItem(QPainter &painter, const Drawing::Shape &shape)
{
    painter.setPen(shape.pen);
    painter.setBrush(shape.brush);
    painter.drawPath(shape.path);
}

void paintItem(QPainter &painter, const Drawing::Image &image)
{
    painter.drawImage(image.place, image.image);
}

void paintItem(QPainter &painter, const Drawing::Text &text)
{
    QFont font = text.font;
    // Otherwise the painter takes properties that a widget's font inherited, such as its weight,
    // from its own font.
    font.setResolveMask(QFont::AllPropertiesResolved);
    font.setPointSizeF(text.pixelSize * 72 / painter.device()->logicalDpiY());
    painter.setFont(font);
    painter.setPen(text.color);
    painter.drawText(text.at, text.text);
}

} // namespace

void paint(QPainter &painter, const Drawing &drawing)
{
    painter.setRenderHints(QPainter::Antialiasing | QPainter::SmoothPixmapTransform);
    for (const Drawing::Item &item : drawing.items) {
        painter.save();
        if (item.clip)
            painter.setClipPath(*item.clip, Qt::IntersectClip);
        painter.setOpacity(painter.opacity() * item.opacity);
        painter.setTransform(item.transform, true);
        std::visit([&painter](const auto &what) { paintItem(painter, what); }, item.what);
        painter.restore();
    }
}

} // namespace vramscope
