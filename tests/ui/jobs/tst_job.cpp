// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/support/test.h"
#include "ui/jobs/job.h"

#include <QSignalSpy>
#include <QThread>
#include <QThreadPool>

#include <atomic>
#include <memory>

using namespace vramscope;
using namespace Qt::StringLiterals;

namespace {

/// Works until told to stop, in steps of a millisecond; `running` counts those still at it.
struct Endless
{
    std::shared_ptr<std::atomic<int>> running;

    int operator()(const Progress &progress) const
    {
        ++*running;
        while (progress(0.5))
            QThread::msleep(1);
        --*running;
        return -1;
    }
};

} // namespace

class TestJob : public test::Test
{
    Q_OBJECT

private Q_SLOTS:
    void givesTheResultOnTheThreadOfItsOwner()
    {
        int result = 0;
        QThread *calledOn = nullptr;
        QThread *workedOn = nullptr;
        Job job(
            [&workedOn](const Progress &) {
                workedOn = QThread::currentThread();
                return 42;
            },
            [&](int value) {
                result = value;
                calledOn = QThread::currentThread();
            });
        QTRY_COMPARE(result, 42);
        QCOMPARE(calledOn, thread());
        QVERIFY(workedOn != thread());
        QVERIFY(!job.isRunning());
    }

    void movesResultsThatCannotBeCopied()
    {
        std::unique_ptr<int> result;
        Job job([](const Progress &) { return std::make_unique<int>(7); },
                [&](std::unique_ptr<int> value) { result = std::move(value); });
        QTRY_VERIFY(result != nullptr);
        QCOMPARE(*result, 7);
    }

    void tellsHowFarTheWorkIs()
    {
        bool done = false;
        Job job(
            [](const Progress &progress) {
                for (int step = 0; step <= 10; ++step) {
                    progress(step / 10.0);
                    QThread::msleep(10);
                }
                return 0;
            },
            [&](int) { done = true; });
        const QSignalSpy spy(&job, &Job::progressed);
        QTRY_VERIFY(done);
        QVERIFY(spy.count() >= 2);
        double before = 0;
        for (const auto &arguments : spy) {
            const double share = arguments.first().toDouble();
            QVERIFY(share >= before && share <= 1);
            before = share;
        }
        QVERIFY(before > 0.5);
    }

    void stopsTheWorkWhenCancelledAndGivesNoResult()
    {
        const auto running = std::make_shared<std::atomic<int>>(0);
        bool done = false;
        Job job(Endless{running}, [&](int) { done = true; });
        const QSignalSpy ended(&job, &Job::ended);
        QTRY_COMPARE(running->load(), 1);
        job.cancel();
        QTRY_COMPARE(running->load(), 0);
        QTRY_COMPARE(ended.count(), 1);
        QVERIFY(!done);
    }

    void canBeCancelledBeforeTheWorkBegins()
    {
        bool done = false;
        Job job([](const Progress &) { return 1; }, [&](int) { done = true; });
        job.cancel();
        QTRY_VERIFY(!job.isRunning());
        QCoreApplication::processEvents();
        QVERIFY(!done);
    }

    void isSafeToDestroyWhileTheWorkRuns()
    {
        const auto running = std::make_shared<std::atomic<int>>(0);
        bool done = false;
        auto job = std::make_unique<Job>(Endless{running}, [&](int) { done = true; });
        QTRY_COMPARE(running->load(), 1);
        job.reset();
        QTRY_COMPARE(running->load(), 0);
        QCoreApplication::processEvents();
        QVERIFY(!done);
    }

    void aLackOfMemoryIsAnErrorOfTheResult()
    {
        QString sentence;
        Job job([](const Progress &) -> Result<int> { throw std::bad_alloc(); },
                [&](const Result<int> &result) {
                    sentence =
                        result ? u"a result"_s : QString::fromStdString(result.error().text());
                });
        QTRY_VERIFY(!sentence.isEmpty());
        QVERIFY2(sentence.startsWith(u"There is not enough memory"), qPrintable(sentence));
    }

    void aLackOfMemoryIsToldWhereTheResultCannotSayIt()
    {
        bool done = false;
        Job job([](const Progress &) -> int { throw std::bad_alloc(); }, [&](int) { done = true; });
        const QSignalSpy failed(&job, &Job::failed);
        const QSignalSpy ended(&job, &Job::ended);
        const QSignalSpy told(JobFailures::instance(), &JobFailures::happened);
        QTRY_COMPARE(ended.count(), 1);
        QCOMPARE(failed.count(), 1);
        QCOMPARE(told.count(), 1);
        QVERIFY(told.front().front().toString().startsWith(u"There is not enough memory"));
        QVERIFY(!done);
        QVERIFY(!job.isRunning());
    }

    void mayBeDestroyedByItsOwnResult()
    {
        std::unique_ptr<Job> job;
        bool done = false;
        job = std::make_unique<Job>([](const Progress &) { return 1; },
                                    [&](int) {
                                        done = true;
                                        job.release()->deleteLater();
                                    });
        QTRY_VERIFY(done);
    }

    void cleanupTestCase() { QVERIFY(QThreadPool::globalInstance()->waitForDone(5000)); }
};

VRAMSCOPE_TEST(TestJob)
#include "tst_job.moc"
