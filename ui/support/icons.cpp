// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/support/icons.h"

#include <QFile>
#include <QPainter>
#include <QSvgRenderer>

namespace vramscope {

using namespace Qt::StringLiterals;

QPixmap tintedPixmap(const QString &name, const QColor &color, int size, qreal ratio)
{
    QFile file(u":/icons/%1.svg"_s.arg(name));
    if (!file.open(QIODevice::ReadOnly))
        return {};
    QSvgRenderer renderer(file.readAll().replace("currentColor", color.name().toLatin1()));
    QPixmap pixmap(QSize(size, size) * ratio);
    pixmap.fill(Qt::transparent);
    QPainter painter(&pixmap);
    renderer.render(&painter, QRectF(pixmap.rect()));
    painter.end();
    pixmap.setDevicePixelRatio(ratio);
    return pixmap;
}

QIcon tintedIcon(const QString &name, const QColor &color)
{
    QIcon icon;
    for (const qreal ratio : {1.0, 2.0}) {
        const QPixmap pixmap = tintedPixmap(name, color, 16, ratio);
        if (!pixmap.isNull())
            icon.addPixmap(pixmap);
    }
    return icon;
}

QIcon applicationIcon()
{
    return QIcon(u":/icons/vramscope.svg"_s);
}

} // namespace vramscope
