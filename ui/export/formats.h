// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/export/drawing.h"

#include <QByteArray>
#include <QDateTime>

namespace vramscope {

/// What a file says of itself beside its picture.
struct About
{
    QString title;
    QString subject; ///< what it was made of; may be empty
    QDateTime date;  ///< none: the epoch, so that the same drawing gives the same bytes
};

/// A drawing as a file, byte for byte the same for the same drawing. Texts stay texts. SVG clips,
/// so viewers of SVG Tiny show more than there is; in PDF a pixel is 1/96 inch and fonts are
/// embedded.
[[nodiscard]] QByteArray svg(const Drawing &drawing, const About &about);
[[nodiscard]] QByteArray pdf(const Drawing &drawing, const About &about);

/// The same as svg() for a page of HTML: an element; `name`, letters and digits, begins the names
/// in it, which no two elements of a page may share.
[[nodiscard]] QByteArray svgElement(const Drawing &drawing, const QString &name);

/// A picture as PNG; empty where there is none.
[[nodiscard]] QByteArray png(const QImage &image);

} // namespace vramscope
