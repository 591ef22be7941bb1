// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "tests/support/test.h"

#include <QJsonDocument>
#include <QJsonObject>
#include <QProcess>

namespace vramscope::test {

/// What a run of vramscope-cli ended with.
struct Outcome
{
    int status = -1;
    QString out;
    QString err;
};

inline QString example(QLatin1StringView name)
{
    return projectFile(QLatin1StringView("resources/examples/") + name);
}

/// Runs in the folder of the examples, so that their names are short in what is printed.
inline Outcome run(const QStringList &arguments)
{
    QProcess process;
    process.setWorkingDirectory(example({}));
    process.start(QStringLiteral(VRAMSCOPE_CLI), arguments);
    if (!process.waitForFinished(60'000) || process.exitStatus() != QProcess::NormalExit)
        return {-1, {}, process.errorString()};
    return {process.exitCode(), QString::fromUtf8(process.readAllStandardOutput()),
            QString::fromUtf8(process.readAllStandardError())};
}

inline QJsonObject json(const QString &text)
{
    return QJsonDocument::fromJson(text.toUtf8()).object();
}

} // namespace vramscope::test
