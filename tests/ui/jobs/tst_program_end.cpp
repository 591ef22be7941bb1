// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/support/test.h"
#include "ui/jobs/job.h"

#include <QCoreApplication>
#include <QProcess>
#include <QThread>

#include <atomic>
#include <memory>
#include <string_view>

using namespace Qt::StringLiterals;
using namespace vramscope;

namespace {

/// A program that ends while a job runs that asks for nothing.
int endsBesideAJob(int argc, char **argv)
{
    const QCoreApplication application(argc, argv);
    std::atomic<bool> runs = false;
    auto job = std::make_unique<Job>(
        [&runs](const Progress &) {
            runs = true;
            QThread::sleep(3600);
            return 0;
        },
        [](int) {});
    while (!runs)
        QThread::msleep(1);
    job.reset();
    return endJobs(7);
}

} // namespace

class TestProgramEnd : public test::Test
{
    Q_OBJECT

private Q_SLOTS:
    void doesNotWaitForWorkThatAsksForNothing()
    {
        QProcess program;
        program.start(QCoreApplication::applicationFilePath(), {u"beside-a-job"_s});
        QVERIFY(program.waitForFinished());
        QCOMPARE(program.exitStatus(), QProcess::NormalExit);
        QCOMPARE(program.exitCode(), 7);
    }

    void givesItsStatusWhereNothingRuns() { QCOMPARE(endJobs(3), 3); }
};

int main(int argc, char **argv)
{
    if (argc == 2 && std::string_view(argv[1]) == "beside-a-job")
        return endsBesideAJob(argc, argv);
    QCoreApplication application(argc, argv);
    TestProgramEnd test;
    return QTest::qExec(&test, argc, argv);
}

#include "tst_program_end.moc"
