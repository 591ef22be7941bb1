// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/export/report_figure.h"

#include "ui/export/exported_view.h"
#include "ui/export/formats.h"
#include "ui/support/pixel_ratio.h"

#include <QPainter>
#include <QWidget>

namespace vramscope {

using namespace Qt::StringLiterals;

namespace {

constexpr int kWide = 1060;  // width of a picture on a report's page
constexpr int kNarrow = 380; // width on a phone, with a margin
constexpr qsizetype kMostTimes = 2;

QByteArray pixelsOf(const Drawing &drawing)
{
    const QImage pixels =
        image([&](QPainter &painter, double) { paint(painter, drawing); }, drawing.size, kFineness);
    // Without alpha and marks of the resolution: smaller, and the same on every machine.
    return png(pixels.convertToFormat(QImage::Format_RGB888));
}

PictureFile fileOf(const Drawing &drawing, const QString &name)
{
    const QByteArray shapes = svgElement(drawing, name);
    const QByteArray pixels = pixelsOf(drawing);
    const bool vectors = shapes.size() <= kMostTimes * pixels.size();
    return {(vectors ? shapes : pixels).toStdString(), drawing.size.width(), drawing.size.height(),
            vectors ? PictureFile::Kind::SvgElement : PictureFile::Kind::Png};
}

} // namespace

Drawing pageDrawing(QSize size, const Theme &theme, const std::function<void(QPainter &)> &paint)
{
    Drawing drawing = recorded(size, [&](QPainter &painter) {
        painter.fillRect(QRect(QPoint(), size), theme.window);
        paint(painter);
    });
    for (Drawing::Item &item : drawing.items) {
        auto *shape = std::get_if<Drawing::Shape>(&item.what);
        if (shape && shape->brush.style() != Qt::NoBrush && shape->brush.color() == theme.window)
            shape->brush.setColor(theme.card);
    }
    return drawing;
}

Drawing widgetDrawing(QWidget &widget, QSize size, const Theme &theme)
{
    widget.setAttribute(Qt::WA_DontShowOnScreen);
    setPixelRatio(widget, kFineness);
    widget.setStyleSheet(themeStyleSheet(theme));
    widget.setPalette(themePalette(theme));
    // Style sheets block the inheritance of palettes: set it on every widget.
    for (QWidget *child : widget.findChildren<QWidget *>())
        child->setPalette(themePalette(theme));
    widget.setMinimumSize(1, 1);
    widget.resize(size);
    widget.show();
    return pageDrawing(size, theme, [&](QPainter &painter) { widget.render(&painter); });
}

bool staysVectors(const Drawing &drawing)
{
    return svgElement(drawing, {}).size() <= kMostTimes * pixelsOf(drawing).size();
}

Pictures picturesOf(const std::vector<ReportFigure> &figures, PageColors colors)
{
    Pictures pictures;
    for (std::size_t at = 0; at < figures.size(); ++at) {
        const ReportFigure &figure = figures[at];
        const auto file = [&](int width, const Theme &theme, QStringView kind) {
            return fileOf(figure.paint(width, theme), u"p%1%2"_s.arg(at + 1).arg(kind));
        };
        Picture picture;
        if (colors != PageColors::Dark) {
            picture.light = file(kWide, lightTheme(), u"wl");
            picture.narrowLight = file(kNarrow, lightTheme(), u"nl");
        }
        if (colors != PageColors::Light) {
            picture.dark = file(kWide, darkTheme(), u"wd");
            picture.narrowDark = file(kNarrow, darkTheme(), u"nd");
        }
        if (figure.data)
            picture.data = figure.data();
        pictures.emplace(figure.id, std::move(picture));
    }
    return pictures;
}

} // namespace vramscope
