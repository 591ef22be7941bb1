// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// render_icons THEME CONTEXT FILE.svg: draws an icon into THEME/NxN/CONTEXT/FILE.png at every size
// that desktops ask for.
// render_icons ICON FILE.svg: draws it at the sizes of Windows or macOS into one file, ICON.ico or
// ICON.icns, as pictures in PNG.
// Run by the build, so that pictures never differ from their drawing.
#include <QBuffer>
#include <QDir>
#include <QFileInfo>
#include <QImage>
#include <QPainter>
#include <QSvgRenderer>
#include <QtEndian>

#include <array>
#include <cstdio>

namespace {

using namespace Qt::StringLiterals;

QImage drawn(QSvgRenderer &renderer, int size)
{
    QImage image(size, size, QImage::Format_ARGB32_Premultiplied);
    image.fill(Qt::transparent);
    QPainter painter(&image);
    renderer.render(&painter);
    return image;
}

QByteArray png(QSvgRenderer &renderer, int size)
{
    QByteArray bytes;
    QBuffer buffer(&bytes);
    return buffer.open(QIODevice::WriteOnly) && drawn(renderer, size).save(&buffer, "PNG")
               ? bytes
               : QByteArray();
}

template<class Number>
QByteArray littleEndian(Number number)
{
    number = qToLittleEndian(number);
    return {reinterpret_cast<const char *>(&number), sizeof number};
}

QByteArray bigEndian(qsizetype number)
{
    const quint32 big = qToBigEndian(static_cast<quint32>(number));
    return {reinterpret_cast<const char *>(&big), sizeof big};
}

/// Windows: a list of the pictures, then the pictures. A size of 0 means 256.
QByteArray ico(QSvgRenderer &renderer)
{
    constexpr std::array kSizes{16, 20, 24, 32, 40, 48, 64, 256};
    constexpr quint32 kHead = 6;
    constexpr quint32 kEntry = 16;
    QByteArray list = littleEndian<quint16>(0) + littleEndian<quint16>(1) +
                      littleEndian<quint16>(static_cast<quint16>(kSizes.size()));
    QByteArray pictures;
    for (const int size : kSizes) {
        const QByteArray picture = png(renderer, size);
        list += QByteArray(2, static_cast<char>(size)) + QByteArray(2, '\0') +
                littleEndian<quint16>(1) + littleEndian<quint16>(32) +
                littleEndian(static_cast<quint32>(picture.size())) +
                littleEndian(static_cast<quint32>(kHead + kEntry * kSizes.size() +
                                                  static_cast<quint32>(pictures.size())));
        pictures += picture;
    }
    return list + pictures;
}

/// macOS: each picture behind the name of its size, of which some are for screens of double
/// density.
QByteArray icns(QSvgRenderer &renderer)
{
    struct Picture
    {
        QByteArrayView name;
        int size;
    };
    constexpr qsizetype kHead = 8;
    QByteArray pictures;
    for (const Picture &each : {Picture{"ic11", 32}, Picture{"ic12", 64}, Picture{"ic07", 128},
                                Picture{"ic13", 256}, Picture{"ic08", 256}, Picture{"ic14", 512},
                                Picture{"ic09", 512}, Picture{"ic10", 1024}}) {
        const QByteArray picture = png(renderer, each.size);
        pictures += each.name.toByteArray() + bigEndian(kHead + picture.size()) + picture;
    }
    return "icns" + bigEndian(kHead + pictures.size()) + pictures;
}

bool drawTheme(QSvgRenderer &renderer, const QString &theme, const QString &context,
               const QString &name)
{
    for (const int size : {16, 22, 24, 32, 48, 64, 128, 256, 512}) {
        const QString folder = u"%1/%2x%2/%3"_s.arg(theme).arg(size).arg(context);
        if (!QDir().mkpath(folder) || !drawn(renderer, size).save(u"%1/%2.png"_s.arg(folder, name)))
            return false;
    }
    return true;
}

bool drawIcon(QSvgRenderer &renderer, const QString &icon)
{
    const QByteArray bytes = icon.endsWith(u".ico") ? ico(renderer) : icns(renderer);
    QFile file(icon);
    return file.open(QIODevice::WriteOnly) && file.write(bytes) == bytes.size();
}

} // namespace

int main(int argc, char **argv)
{
    if (argc != 3 && argc != 4) {
        std::fputs("usage: render_icons THEME CONTEXT FILE.svg | ICON FILE.svg\n", stderr);
        return 2;
    }
    const QString into = QFile::decodeName(argv[1]);
    const QString drawing = QFile::decodeName(argv[argc - 1]);
    QSvgRenderer renderer(drawing);
    const bool isDrawn =
        renderer.isValid() && (argc == 3 ? drawIcon(renderer, into)
                                         : drawTheme(renderer, into, QFile::decodeName(argv[2]),
                                                     QFileInfo(drawing).completeBaseName()));
    if (!isDrawn)
        std::fprintf(stderr, "render_icons: %s could not be drawn into %s\n", argv[argc - 1],
                     argv[1]);
    return isDrawn ? 0 : 1;
}
