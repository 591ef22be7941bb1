// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/export/formats.h"
#include "ui/export/pdf_file.h"

#include <QBuffer>
#include <QPageSize>
#include <QPainter>
#include <QPdfWriter>

namespace vramscope {

using namespace Qt::StringLiterals;

QByteArray pdf(const Drawing &drawing, const About &about)
{
    return pdfFile(about.date, [&](QPdfWriter &writer) {
        constexpr int kPixelsPerInch = 96;
        writer.setResolution(kPixelsPerInch);
        const QSizeF inches = QSizeF(drawing.size) / kPixelsPerInch;
        writer.setPageSize(QPageSize(inches, QPageSize::Inch, {}, QPageSize::ExactMatch));
        writer.setPageMargins({});
        writer.setTitle(about.title);
        writer.setCreator(about.subject.isEmpty() ? u"VRAMscope"_s
                                                  : u"VRAMscope, "_s + about.subject);
        QPainter painter(&writer);
        painter.setRenderHint(QPainter::LosslessImageRendering);
        paint(painter, drawing);
    });
}

QByteArray png(const QImage &image)
{
    QByteArray file;
    QBuffer buffer(&file);
    buffer.open(QIODevice::WriteOnly);
    if (!image.save(&buffer, "png"))
        file.clear();
    return file;
}

} // namespace vramscope
