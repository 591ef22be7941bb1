// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/stage/large_picture.h"

#include "ui/support/pixel_ratio.h"
#include "ui/support/work_now.h"

#include <QAbstractScrollArea>
#include <QCheckBox>
#include <QComboBox>
#include <QCoreApplication>
#include <QLabel>
#include <QLineEdit>
#include <QPaintDevice>
#include <QPainter>
#include <QPushButton>
#include <QScrollBar>
#include <QToolButton>

#include <cmath>

namespace vramscope {

using namespace Qt::StringLiterals;

namespace {

constexpr double kMostGrowth = 1.6;  ///< of a view only as high as its content
constexpr double kLeastScale = 0.94; ///< of a view with too little room: small type is 14 points
constexpr double kScaleStep = 0.02;

bool isControl(const QWidget &widget)
{
    const bool isMore = qobject_cast<const QToolButton *>(&widget) && widget.isEnabled() &&
                        widget.property("role") == u"quiet"_s;
    const bool isButton = qobject_cast<const QPushButton *>(&widget) &&
                          widget.property("role") != u"curve"_s; // which names a line
    return isMore || isButton || qobject_cast<const QCheckBox *>(&widget) ||
           qobject_cast<const QComboBox *>(&widget) || qobject_cast<const QLineEdit *>(&widget) ||
           qobject_cast<const QScrollBar *>(&widget);
}

/// Including the labels that name the controls.
void hideControls(const QWidget &view)
{
    const QList<QWidget *> widgets = view.findChildren<QWidget *>();
    for (QWidget *widget : widgets) {
        const auto *label = qobject_cast<QLabel *>(widget);
        if (isControl(*widget) || (label && label->buddy() && isControl(*label->buddy())))
            widget->hide();
        if (auto *area = qobject_cast<QAbstractScrollArea *>(widget)) {
            area->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
            area->setVerticalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
        }
    }
}

/// Lays the view out for a picture of `pixels` and returns its scale relative to a window: `scale`,
/// or one at which everything fits.
double layOut(QWidget &view, QSize pixels, double scale)
{
    const bool asHighAsContent = view.sizePolicy().verticalPolicy() == QSizePolicy::Maximum;
    for (double factor = asHighAsContent ? kMostGrowth : 1;; factor -= kScaleStep) {
        const double used = scale * factor;
        setPixelRatio(view, used);
        view.resize(static_cast<int>(std::floor(pixels.width() / used)),
                    static_cast<int>(std::floor(pixels.height() / used)));
        QCoreApplication::sendPostedEvents(nullptr, QEvent::LayoutRequest);
        hideControls(view); // some show themselves with their owner
        const auto *area = qobject_cast<const QAbstractScrollArea *>(&view);
        const bool isCut = area && area->verticalScrollBar()->maximum() > 0;
        const QSize least = asHighAsContent ? view.sizeHint() : view.minimumSizeHint();
        const bool fits = !isCut && least.height() <= view.height() &&
                          (!asHighAsContent || least.width() <= view.width());
        if (fits || factor - kScaleStep < kLeastScale)
            return used;
    }
}

} // namespace

namespace {

/// Prepares the view for painting into `pixels`; returns its scale relative to a window.
double showLarge(QWidget &view, QSize pixels, double scale)
{
    view.setAttribute(Qt::WA_DontShowOnScreen);
    view.setAttribute(Qt::WA_ShowWithoutActivating);
    view.setMinimumSize(1, 1); // a picture has the requested size
    setPixelRatio(view, scale);
    view.resize((QSizeF(pixels) / scale).toSize());
    hideControls(view);
    view.show();
    workNow(view);
    const double used = layOut(view, pixels, scale);
    workNow(view); // lists that became visible
    hideControls(view);
    return used;
}

} // namespace

QImage largePicture(QWidget &view, QSize pixels, double scale)
{
    QImage image(pixels, QImage::Format_ARGB32_Premultiplied);
    if (image.isNull())
        return image;
    image.fill(view.palette().color(view.backgroundRole()));
    image.setDevicePixelRatio(showLarge(view, pixels, scale));
    view.render(&image, {}, {}, QWidget::DrawChildren); // the background is already painted
    view.hide();
    return image;
}

void paintLarge(QPainter &painter, QWidget &view, const QRectF &place, double scale)
{
    const double used = showLarge(view, place.size().toSize(), scale);
    setPixelRatio(view,
                  used * painter.device()->devicePixelRatioF()); // for its pixel-by-pixel parts
    painter.save();
    painter.translate(place.topLeft());
    painter.scale(used, used);
    view.render(&painter, {}, {}, QWidget::DrawChildren);
    painter.restore();
    view.hide();
}

} // namespace vramscope
