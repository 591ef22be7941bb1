// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/support/test.h"

#include <QDir>
#include <QFileInfo>
#include <QRegularExpression>

namespace vramscope::test {

namespace {

QString folderOr(const char *variable, const QString &besideProject)
{
    const QString named = qEnvironmentVariable(variable);
    const QString folder = named.isEmpty() ? projectFile(besideProject) : named;
    return QFileInfo(folder).isDir() ? QDir(folder).canonicalPath() : QString();
}

} // namespace

void Test::init()
{
    // The offscreen platform says this of windows and tooltips that are shown; it is no fault of
    // ours.
    QTest::failOnWarning(QRegularExpression(
        QStringLiteral("^(?!This plugin does not support (propagateSizeHints|raise|grabbing))")));
}

QString corpusFolder()
{
    return folderOr("VRAMSCOPE_CORPUS", QStringLiteral("../shared/traces"));
}

QString measuredFolder()
{
    return folderOr("VRAMSCOPE_MEASURED", QStringLiteral("../shared/measured"));
}

QString projectFile(const QString &path)
{
    return QDir(QStringLiteral(VRAMSCOPE_SOURCE_DIR)).filePath(path);
}

QString pictureFolder()
{
    const QDir folder(QStringLiteral(VRAMSCOPE_BINARY_DIR "/pictures"));
    folder.mkpath(QStringLiteral("."));
    return folder.path();
}

} // namespace vramscope::test
