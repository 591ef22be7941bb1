// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/stage/large_picture.h"

#include "ui/support/pixel_ratio.h"
#include "ui/trace/render.h"

#include <QAbstractScrollArea>
#include <QCheckBox>
#include <QComboBox>
#include <QCoreApplication>
#include <QLineEdit>
#include <QPainter>
#include <QPushButton>

#include <cmath>

namespace vramscope {

namespace {

void hideControls(const QWidget &view)
{
    for (QWidget *widget : view.findChildren<QWidget *>()) {
        if (qobject_cast<QPushButton *>(widget) || qobject_cast<QCheckBox *>(widget) ||
            qobject_cast<QComboBox *>(widget) || qobject_cast<QLineEdit *>(widget))
            widget->hide();
        if (auto *area = qobject_cast<QAbstractScrollArea *>(widget)) {
            area->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
            area->setVerticalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
        }
    }
}

} // namespace

QImage largePicture(QWidget &view, QSize pixels, double scale)
{
    QImage image(pixels, QImage::Format_ARGB32_Premultiplied);
    if (image.isNull())
        return image;
    image.setDevicePixelRatio(scale);
    image.fill(view.palette().color(view.backgroundRole()));
    view.setProperty(kPixelRatioProperty, scale);
    view.setAttribute(Qt::WA_DontShowOnScreen);
    view.setAttribute(Qt::WA_ShowWithoutActivating);
    view.setMinimumSize(1, 1); // a picture has the size asked for
    view.resize(static_cast<int>(std::floor(pixels.width() / scale)),
                static_cast<int>(std::floor(pixels.height() / scale)));
    hideControls(view);
    view.show();
    workNow(view);
    QCoreApplication::sendPostedEvents(nullptr, QEvent::LayoutRequest);
    hideControls(view); // some show themselves with what they belong to
    view.render(&image, {}, {}, QWidget::DrawChildren); // the ground is there already
    view.hide();
    return image;
}

} // namespace vramscope
