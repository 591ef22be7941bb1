// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QBrush>
#include <QFont>
#include <QImage>
#include <QPainterPath>
#include <QPen>
#include <QString>
#include <QTransform>

#include <functional>
#include <optional>
#include <variant>
#include <vector>

class QPainter;

namespace vramscope {

/// A recording of what was painted, in order: shapes, images and texts, each within its clip, in
/// pixels from the top left. The vector formats are written from it; texts are kept as texts.
struct Drawing
{
    struct Shape
    {
        QPainterPath path;
        QPen pen;
        QBrush brush; ///< solid, or none
    };
    struct Image
    {
        QRectF place;
        QImage image;
    };
    struct Text
    {
        QPointF at; ///< the left end of its base line
        QString text;
        QFont font;
        double pixelSize = 0; ///< height of the font
        double width = 0;     ///< as it was set, which another font should keep to
        QColor color;
    };
    struct Item // NOLINT(bugprone-exception-escape): values of Qt are moved without throwing
    {
        std::variant<Shape, Image, Text> what;
        QTransform transform;             ///< of images and texts that are turned; else none
        std::optional<QPainterPath> clip; ///< only where it cuts
        double opacity = 1;
    };

    QSize size;
    std::vector<Item> items;
};

/// What `paint` paints on an area of `size`.
[[nodiscard]] Drawing recorded(QSize size, const std::function<void(QPainter &)> &paint);

/// Paints it again.
void paint(QPainter &painter, const Drawing &drawing);

} // namespace vramscope
