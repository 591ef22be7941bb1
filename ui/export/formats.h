// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/export/drawing.h"

#include <QByteArray>
#include <QDateTime>

#include <functional>

class QPdfWriter;

namespace vramscope {

/// The metadata of a picture's file.
struct About
{
    QString title;
    QString subject; ///< what the picture shows; may be empty
    QDateTime date;  ///< none: the epoch, so that the same drawing gives the same bytes
};

/// A drawing as a file, byte for byte the same for the same drawing. Texts stay texts. SVG clips,
/// so viewers of SVG Tiny show more than they should; in PDF a pixel is 1/96 inch and fonts are
/// embedded.
[[nodiscard]] QByteArray svg(const Drawing &drawing, const About &about);
[[nodiscard]] QByteArray pdf(const Drawing &drawing, const About &about);

/// The same as svg() for an HTML page: an element; `name`, letters and digits, is the prefix of the
/// names in it and must be unique on the page.
[[nodiscard]] QByteArray svgElement(const Drawing &drawing, const QString &name);

/// A picture as PNG; empty for a null picture.
[[nodiscard]] QByteArray png(const QImage &image);

/// A PDF laid out by `write`, with its date, or the epoch without one: the same bytes for the same
/// layout, on every run.
[[nodiscard]] QByteArray pdfFile(const QDateTime &date,
                                 const std::function<void(QPdfWriter &)> &write);

} // namespace vramscope
