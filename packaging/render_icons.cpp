// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// render_icons THEME CONTEXT FILE.svg: draws an icon into THEME/NxN/CONTEXT/FILE.png at every size
// that desktops ask for. Run by the build, so that pictures never differ from their drawing.
#include <QDir>
#include <QFileInfo>
#include <QImage>
#include <QPainter>
#include <QSvgRenderer>

#include <cstdio>

int main(int argc, char **argv)
{
    using namespace Qt::StringLiterals;

    if (argc != 4) {
        std::fputs("usage: render_icons THEME CONTEXT FILE.svg\n", stderr);
        return 2;
    }
    const QString theme = QFile::decodeName(argv[1]);
    const QString context = QFile::decodeName(argv[2]);
    const QString drawing = QFile::decodeName(argv[3]);
    QSvgRenderer renderer(drawing);
    for (const int size : {16, 22, 24, 32, 48, 64, 128, 256, 512}) {
        QImage image(size, size, QImage::Format_ARGB32_Premultiplied);
        image.fill(Qt::transparent);
        QPainter painter(&image);
        renderer.render(&painter);
        painter.end();
        const QString folder = u"%1/%2x%2/%3"_s.arg(theme).arg(size).arg(context);
        const QString file = u"%1/%2.png"_s.arg(folder, QFileInfo(drawing).completeBaseName());
        if (!renderer.isValid() || !QDir().mkpath(folder) || !image.save(file)) {
            std::fprintf(stderr, "render_icons: %s could not be drawn into %s\n", argv[3],
                         qPrintable(file));
            return 1;
        }
    }
    return 0;
}
