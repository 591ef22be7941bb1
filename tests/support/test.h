// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QObject>
#include <QString>
#include <QtTest>

#define VRAMSCOPE_JOINED(a, b) a##b
#define VRAMSCOPE_NAMED(a, b) VRAMSCOPE_JOINED(a, b)

/// Makes a test class one of those that the program of its folder runs, by the name of its file:
/// "tst_base".
#define VRAMSCOPE_TEST(Class)                                                                      \
    [[maybe_unused]] static const bool VRAMSCOPE_NAMED(added, __COUNTER__) =                       \
        vramscope::test::add(__FILE__, [](int argc, char **argv) {                                 \
            Class test;                                                                            \
            return QTest::qExec(&test, argc, argv);                                                \
        });

namespace vramscope::test {

/// Adds a test class to those of this program; true.
bool add(const char *file, int (*run)(int argc, char **argv));

/// Runs the test class that the first argument names with the arguments behind it, or all of them.
/// Gives the exit status: the number of test functions that failed, at most 127.
[[nodiscard]] int run(int argc, char **argv);

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

/// Folder of start-up logs of serving engines ($VRAMSCOPE_SERVING_LOGS, else ../shared/serving-logs
/// beside the project); empty where it is not there.
[[nodiscard]] QString servingLogsFolder();

/// A file of tests/data or of any folder of the project, by path from the project's root.
[[nodiscard]] QString projectFile(const QString &path);

/// Folder in the build tree for pictures that people look at; made when missing.
[[nodiscard]] QString pictureFolder();

} // namespace vramscope::test
