// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/report/figures.h"

#include <QBuffer>
#include <QWidget>

namespace vramscope {

namespace {

constexpr int kWide = 1060;  // what a page of a report leaves for a picture
constexpr int kNarrow = 440; // what a telephone does, and a little more

PictureFile fileOf(const QImage &image)
{
    QByteArray bytes;
    QBuffer buffer(&bytes);
    buffer.open(QIODevice::WriteOnly);
    // Without alpha and marks of the resolution: smaller, and the same on every machine.
    QImage plain = image.convertToFormat(QImage::Format_RGB888);
    plain.setDevicePixelRatio(1);
    plain.save(&buffer, "png");
    return {bytes.toStdString(), image.width() / kFineness, image.height() / kFineness};
}

} // namespace

QImage pageImage(QSize size, const Theme &theme)
{
    QImage image(size * kFineness, QImage::Format_ARGB32_Premultiplied);
    image.setDevicePixelRatio(kFineness);
    image.fill(theme.card);
    return image;
}

QImage widgetImage(QWidget &widget, QSize size, const Theme &theme)
{
    widget.setAttribute(Qt::WA_DontShowOnScreen);
    widget.setStyleSheet(themeStyleSheet(theme));
    widget.setPalette(themePalette(theme));
    // A palette does not pass through a style sheet: every widget gets it.
    for (QWidget *child : widget.findChildren<QWidget *>())
        child->setPalette(themePalette(theme));
    widget.setMinimumSize(1, 1);
    widget.resize(size);
    widget.show();
    QImage image = pageImage(size, theme);
    widget.render(&image);
    return image;
}

Pictures picturesOf(const std::vector<ReportFigure> &figures, PageColors colors)
{
    Pictures pictures;
    for (const ReportFigure &figure : figures) {
        Picture picture;
        if (colors != PageColors::Dark) {
            picture.light = fileOf(figure.paint(kWide, lightTheme()));
            picture.narrowLight = fileOf(figure.paint(kNarrow, lightTheme()));
        }
        if (colors != PageColors::Light) {
            picture.dark = fileOf(figure.paint(kWide, darkTheme()));
            picture.narrowDark = fileOf(figure.paint(kNarrow, darkTheme()));
        }
        pictures.emplace(figure.id, std::move(picture));
    }
    return pictures;
}

} // namespace vramscope
