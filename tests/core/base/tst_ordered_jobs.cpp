// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/folder.h"
#include "core/base/ordered_jobs.h"
#include "tests/support/process.h"
#include "tests/support/test.h"

#include <QDir>
#include <QFile>
#include <QTemporaryDir>

#include <algorithm>
#include <atomic>
#include <new>
#include <random>
#include <thread>

using namespace vramscope;
using namespace Qt::StringLiterals;

namespace {

void touch(const QString &file)
{
    QFile out(file);
    QVERIFY(out.open(QIODevice::WriteOnly));
}

QStringList namesIn(const QString &folder)
{
    QStringList names;
    const auto files = filesOfFolder(folder.toStdString());
    for (const auto &file : *files)
        names << QDir(folder).relativeFilePath(QString::fromStdString(file.string()));
    return names;
}

} // namespace

class TestOrderedJobs : public test::Test
{
    Q_OBJECT

private slots:
    void everyJobRunsOnceAndFinishesInOrder();
    void jobsDoNotRunFarAhead();
    void threadsKeepToTheProcessorsThatTheProcessMayUse();
    void aThreadThatLeavesAProcessorMayUseAllAgain();
    void whatEitherOfBothThrowsIsThrown();
    void nothingBeginsAfterAStop();
    void jobsTogetherReportTheShareOfAll();
    void jobsTogetherStopWhenAsked();
    void whatAJobThrowsIsThrownToTheCaller();
    void whatTakingNoteThrowsLeavesNoThreadBehind();
    void numbersInNamesAreComparedAsNumbers();
    void theNaturalOrderIsAnOrder();
    void aFolderGivesItsFilesInNaturalOrder();
    void aFolderWithoutFilesGivesThoseOneLevelDown();
};

void TestOrderedJobs::everyJobRunsOnceAndFinishesInOrder()
{
    for (const std::size_t count : {0U, 1U, 2U, 3U, 500U}) {
        std::vector<int> runs(count);
        std::vector<std::size_t> finished;
        runInOrder(
            count,
            [&](std::size_t at) {
                if (at % 7 == 0)
                    std::this_thread::yield();
                ++runs[at];
            },
            [&](std::size_t at) {
                finished.push_back(at);
                return true;
            });
        QCOMPARE(runs, std::vector<int>(count, 1));
        QCOMPARE(finished.size(), count);
        QVERIFY(std::ranges::is_sorted(finished));
    }
}

void TestOrderedJobs::aThreadThatLeavesAProcessorMayUseAllAgain()
{
    const std::size_t all = usableProcessors();
    std::size_t after = 0;
    std::thread([&after, here = currentProcessor()] {
        for (const int processor : {here, -1, 1'000'000})
            leaveProcessor(processor);
        after = usableProcessors();
    }).join();
    QCOMPARE(after, all);
}

void TestOrderedJobs::whatAJobThrowsIsThrownToTheCaller()
{
    const auto failAt = [](std::size_t at) {
        if (at == 5)
            throw std::bad_alloc();
    };
    QVERIFY_THROWS_EXCEPTION(std::bad_alloc,
                             runInOrder(40, failAt, [](std::size_t) { return true; }));
    QVERIFY_THROWS_EXCEPTION(std::bad_alloc,
                             static_cast<void>(runTogether(
                                 40, [&](std::size_t at, const Progress &) { failAt(at); }, {})));
}

void TestOrderedJobs::whatTakingNoteThrowsLeavesNoThreadBehind()
{
    const auto failAtOnce = [](std::size_t) -> bool { throw std::bad_alloc(); };
    const int before = test::threadCount();
    QVERIFY_THROWS_EXCEPTION(std::bad_alloc, runInOrder(
                                                 40, [](std::size_t) {}, failAtOnce));
    QCOMPARE(test::threadCount(), before);
}

void TestOrderedJobs::jobsDoNotRunFarAhead()
{
    const std::size_t ahead = 2 * usableProcessors();
    std::atomic<std::size_t> finished = 0;
    std::atomic<std::size_t> farthest = 0;
    runInOrder(
        200,
        [&](std::size_t at) {
            const std::size_t distance = at - std::min(at, finished.load());
            std::size_t known = farthest;
            while (distance > known && !farthest.compare_exchange_weak(known, distance)) {
            }
        },
        [&](std::size_t) {
            std::this_thread::yield();
            ++finished;
            return true;
        });
    QVERIFY(farthest <= ahead);
}

void TestOrderedJobs::threadsKeepToTheProcessorsThatTheProcessMayUse()
{
#ifdef __linux__
    cpu_set_t all;
    QCOMPARE(sched_getaffinity(0, sizeof all, &all), 0);
    const int count = CPU_COUNT(&all);
    QCOMPARE(usableProcessors(), static_cast<std::size_t>(count));
    cpu_set_t one;
    CPU_ZERO(&one);
    for (std::size_t cpu = 0; CPU_COUNT(&one) == 0; ++cpu) {
        if (CPU_ISSET(cpu, &all))
            CPU_SET(cpu, &one);
    }
    QCOMPARE(sched_setaffinity(0, sizeof one, &one), 0);
    const std::size_t bound = usableProcessors();
    std::vector<std::thread::id> threads(2);
    runBoth([&] { threads[0] = std::this_thread::get_id(); },
            [&] { threads[1] = std::this_thread::get_id(); });
    QCOMPARE(sched_setaffinity(0, sizeof all, &all), 0);
    QCOMPARE(bound, std::size_t(1));
    QVERIFY(threads == std::vector(2, std::this_thread::get_id()));
#else
    QSKIP("Only Linux binds a process here.");
#endif
}

void TestOrderedJobs::whatEitherOfBothThrowsIsThrown()
{
    const auto fail = [] { throw std::bad_alloc(); };
    int runs = 0;
    const auto count = [&runs] { ++runs; };
    runBoth(count, [] {});
    runBoth([] {}, count);
    QCOMPARE(runs, 2);
    const int before = test::threadCount();
    QVERIFY_THROWS_EXCEPTION(std::bad_alloc, runBoth(fail, [] {}));
    QVERIFY_THROWS_EXCEPTION(std::bad_alloc, runBoth([] {}, fail));
    QVERIFY_THROWS_EXCEPTION(std::bad_alloc, runBoth(fail, fail));
    QCOMPARE(test::threadCount(), before);
}

void TestOrderedJobs::nothingBeginsAfterAStop()
{
    const std::size_t ahead = 2 * usableProcessors();
    std::atomic<std::size_t> begun = 0;
    std::size_t last = 0;
    runInOrder(
        1000, [&](std::size_t) { ++begun; },
        [&](std::size_t at) {
            last = at;
            return at < 10;
        });
    QCOMPARE(last, std::size_t(10));
    const std::size_t afterwards = begun;
    QVERIFY(afterwards >= 11 && afterwards <= 11 + ahead);
}

void TestOrderedJobs::jobsTogetherReportTheShareOfAll()
{
    for (const std::size_t count : {0U, 1U, 2U, 9U}) {
        std::vector<int> runs(count);
        std::atomic<double> last = 0;
        const bool through = runTogether(
            count,
            [&](std::size_t at, const Progress &progress) {
                for (int part = 0; part < 4; ++part) {
                    std::this_thread::sleep_for(std::chrono::milliseconds(9));
                    runs[at] += progress(part / 4.0) ? 1 : 100;
                }
                for (int wait = 0; last <= 0 && wait < 2000; ++wait) // on a busy machine
                    std::this_thread::sleep_for(std::chrono::milliseconds(1));
            },
            [&](double share) {
                const bool ahead = share >= last;
                last = share;
                return ahead;
            });
        QVERIFY(through);
        QCOMPARE(runs, std::vector<int>(count, 4));
        QVERIFY(last <= 1);
        QCOMPARE(last > 0, count > 0);
    }
}

void TestOrderedJobs::jobsTogetherStopWhenAsked()
{
    for (const std::size_t count : {1U, 2U, 40U}) {
        std::atomic<int> begun = 0;
        std::atomic<int> running = 0;
        int calls = 0;
        const bool through = runTogether(
            count,
            [&](std::size_t, const Progress &progress) {
                ++begun;
                ++running;
                while (progress(0.5))
                    std::this_thread::sleep_for(std::chrono::milliseconds(1));
                --running;
            },
            [&](double) { return ++calls < 3; });
        QVERIFY(!through);
        QCOMPARE(calls, 3);
        QCOMPARE(running.load(), 0);
        QVERIFY(begun.load() <= static_cast<int>(usableProcessors()));
    }
}

void TestOrderedJobs::numbersInNamesAreComparedAsNumbers()
{
    QVERIFY(naturallyBefore("rank2.pickle", "rank10.pickle"));
    QVERIFY(!naturallyBefore("rank10.pickle", "rank2.pickle"));
    QVERIFY(naturallyBefore("a", "a1"));
    QVERIFY(naturallyBefore("x99999999999999999999998", "x99999999999999999999999"));
    QVERIFY(naturallyBefore("iteration_9/rank10", "iteration_10/rank2"));
    QVERIFY(naturallyBefore("r01", "r1") != naturallyBefore("r1", "r01"));
}

void TestOrderedJobs::theNaturalOrderIsAnOrder()
{
    std::mt19937 random(5);
    std::vector<std::string> names(60);
    for (std::string &name : names) {
        for (auto length = random() % 6; length > 0; --length)
            name += "a01b9"[random() % 5];
    }
    for (const std::string &a : names) {
        QVERIFY(!naturallyBefore(a, a));
        for (const std::string &b : names) {
            QCOMPARE(a != b, naturallyBefore(a, b) || naturallyBefore(b, a));
            for (const std::string &c : names)
                QVERIFY(!naturallyBefore(a, b) || !naturallyBefore(b, c) || naturallyBefore(a, c));
        }
    }
}

void TestOrderedJobs::aFolderGivesItsFilesInNaturalOrder()
{
    const QTemporaryDir folder;
    for (const auto name : {"rank10.pickle"_L1, "rank2.pickle"_L1, ".hidden"_L1})
        touch(folder.filePath(name));
    QVERIFY(QDir(folder.path()).mkdir(u"inner"_s));
    touch(folder.filePath(u"inner/rank1.pickle"_s));
    QCOMPARE(namesIn(folder.path()), (QStringList{u"rank2.pickle"_s, u"rank10.pickle"_s}));
    const auto missing = filesOfFolder(folder.filePath(u"missing"_s).toStdString());
    QVERIFY(!missing.ok());
}

void TestOrderedJobs::aFolderWithoutFilesGivesThoseOneLevelDown()
{
    const QTemporaryDir folder;
    const QDir dir(folder.path());
    QVERIFY(dir.mkpath(u"iteration_10"_s));
    QVERIFY(dir.mkpath(u"iteration_9/deeper"_s));
    touch(folder.filePath(u"iteration_10/rank0"_s));
    touch(folder.filePath(u"iteration_9/rank0"_s));
    touch(folder.filePath(u"iteration_9/deeper/rank0"_s));
    if (test::kPosix) { // elsewhere Qt makes files that only the desktop follows
        QVERIFY(QFile::link(folder.path(), folder.filePath(u"iteration_9/loop"_s)));
        QVERIFY(QFile::link(folder.path(), folder.filePath(u"again"_s)));
        QVERIFY(QFile::link(u"/nowhere/at/all"_s, folder.filePath(u"broken"_s)));
    }
    QCOMPARE(namesIn(folder.path()),
             (QStringList{u"iteration_9/rank0"_s, u"iteration_10/rank0"_s}));
}

VRAMSCOPE_TEST(TestOrderedJobs)
#include "tst_ordered_jobs.moc"
