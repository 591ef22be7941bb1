// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QObject>
#include <QString>
#include <QtTest>

namespace vramscope::test {

/// Base of every test class: any Qt warning fails the test function that caused it.
class Test : public QObject
{
    Q_OBJECT

protected Q_SLOTS:
    virtual void init();
};

/// Folder of recorded files ($VRAMSCOPE_CORPUS, else ../shared/traces beside the project); empty
/// where it is not there.
[[nodiscard]] QString corpusFolder();

/// Folder of measured figures ($VRAMSCOPE_MEASURED, else ../shared/measured); empty where it is not
/// there.
[[nodiscard]] QString measuredFolder();

/// A file of tests/data or of any folder of the project, by path from the project's root.
[[nodiscard]] QString projectFile(const QString &path);

/// Folder in the build tree for pictures that people look at; made when missing.
[[nodiscard]] QString pictureFolder();

} // namespace vramscope::test
