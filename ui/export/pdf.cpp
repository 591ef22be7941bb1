// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/export/formats.h"

#include <QBuffer>
#include <QHashFunctions>
#include <QPageSize>
#include <QPainter>
#include <QPdfWriter>

namespace vramscope {

using namespace Qt::StringLiterals;

namespace {

/// Puts `date` where the writer put the time of writing: the file has places by their offset, so
/// nothing may move.
void setDate(QByteArray &file, const QDateTime &date)
{
    const QDateTime at = date.isValid() ? date.toUTC() : QDateTime::fromSecsSinceEpoch(0, Qt::UTC);
    const QByteArray key = "/CreationDate (";
    const qsizetype found = file.lastIndexOf(key);
    const qsizetype from = found + key.size();
    const qsizetype end = file.indexOf(')', from);
    if (found < 0 || end < 0)
        return;
    // Fills the rest with the offset from UTC, a text like "+00'00'", as far as there is room.
    const QByteArray text = at.toString(u"'D:'yyyyMMddHHmmss"_s).toLatin1() + "+00'00'";
    const qsizetype room = end - from;
    file.replace(from, room, text.left(room).leftJustified(room, ' '));
}

/// Zeroes the numbers that make each file unique.
void clearIdentity(QByteArray &file)
{
    const qsizetype found = file.lastIndexOf("/ID [");
    const qsizetype end = found < 0 ? -1 : file.indexOf(']', found);
    bool inside = false;
    for (qsizetype at = found; at < end; ++at) {
        if (file[at] == '<' || file[at] == '>')
            inside = file[at] == '<';
        else if (inside)
            file[at] = '0';
    }
}

} // namespace

QByteArray pdfFile(const QDateTime &date, const std::function<void(QPdfWriter &)> &write)
{
    QByteArray file;
    QBuffer buffer(&file);
    buffer.open(QIODevice::WriteOnly);
    // The writer stores its fonts in hash order, which differs between processes.
    QHashSeed::setDeterministicGlobalSeed();
    {
        QPdfWriter writer(&buffer);
        write(writer);
    }
    QHashSeed::resetRandomGlobalSeed();
    setDate(file, date);
    clearIdentity(file);
    return file;
}

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
