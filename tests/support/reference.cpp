// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/support/reference.h"

#include "tests/support/test.h"

#include <QDir>
#include <QJsonDocument>
#include <QProcess>
#include <QStandardPaths>

namespace vramscope::test {

using namespace Qt::StringLiterals;

QStringList recordedSnapshots()
{
    QStringList files;
    const QString folder = corpusFolder();
    for (const QFileInfo &file : QDir(folder).entryInfoList({"*.pickle"_L1}))
        files.append(file.filePath());
    return folder.isEmpty() ? QStringList() : files;
}

ReferenceFigures referenceFigures(const QStringList &files)
{
    const QString folder = corpusFolder();
    if (folder.isEmpty())
        return {{}, u"The folder of recorded snapshots is not there (VRAMSCOPE_CORPUS)."_s};
    const QString oracle = QDir(folder).filePath("../tools/trace_oracle.py"_L1);
    if (!QFile::exists(oracle))
        return {{},
                u"The reference program tools/trace_oracle.py is not there (VRAMSCOPE_CORPUS)."_s};
    const QString python = QStandardPaths::findExecutable("python3"_L1);
    if (python.isEmpty())
        return {{}, u"The reference program needs python3."_s};
    QProcess process;
    process.start(python, QStringList(oracle) + files);
    ReferenceFigures figures;
    if (process.waitForFinished(120'000)) {
        const QList<QByteArray> lines = process.readAllStandardOutput().split('\n');
        for (qsizetype at = 0; at < std::min(files.size(), lines.size()); ++at)
            figures.files.append(QJsonDocument::fromJson(lines[at]).object());
    }
    return figures;
}

} // namespace vramscope::test
