// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/support/test.h"
#include "ui/jobs/job.h"

#include <QProgressBar>
#include <QThread>
#include <QWidget>

#include <atomic>
#include <memory>

using namespace vramscope;

class TestJobLine : public test::Test
{
    Q_OBJECT

private Q_SLOTS:
    void aLongJobIsShownUntilItEnds();
    void aJobThatIsGivenUpIsNotShownAnyMore();
    void whatIsDoneAlreadyIsNotShown();
    void noPictureMadeOnNoScreenShowsIt();
};

namespace {

/// Half done until `goesOn` is false.
auto halfDone(std::shared_ptr<std::atomic<bool>> goesOn)
{
    return [goesOn = std::move(goesOn)](const Progress &progress) {
        while (*goesOn && progress(0.5))
            QThread::msleep(1);
        return 0;
    };
}

} // namespace

void TestJobLine::aLongJobIsShownUntilItEnds()
{
    QWidget page;
    page.resize(400, 300);
    page.show();
    const auto goesOn = std::make_shared<std::atomic<bool>>(true);
    Job job(halfDone(goesOn), [](int) {});
    showProgress(job, &page);
    auto *line = page.findChild<QProgressBar *>();
    QVERIFY(line && !line->isVisible());
    QTRY_VERIFY(line->isVisible());
    QTRY_COMPARE(line->value(), line->maximum() / 2);
    page.resize(700, 300);
    QTRY_COMPARE(line->width(), 700);
    QCOMPARE(line->y(), 0);
    *goesOn = false;
    QTRY_VERIFY(!page.findChild<QProgressBar *>());
}

void TestJobLine::aJobThatIsGivenUpIsNotShownAnyMore()
{
    QWidget page;
    page.show();
    const auto goesOn = std::make_shared<std::atomic<bool>>(true);
    auto job = std::make_unique<Job>(halfDone(goesOn), [](int) {});
    showProgress(*job, &page);
    QVERIFY(page.findChild<QProgressBar *>());
    job.reset();
    QTRY_VERIFY(!page.findChild<QProgressBar *>());
}

void TestJobLine::whatIsDoneAlreadyIsNotShown()
{
    QWidget page;
    Job job([](const Progress &) { return 0; }, [](int) {});
    QTRY_VERIFY(!job.isRunning());
    showProgress(job, &page);
    QVERIFY(!page.findChild<QProgressBar *>());
}

void TestJobLine::noPictureMadeOnNoScreenShowsIt()
{
    QWidget page;
    page.setAttribute(Qt::WA_DontShowOnScreen);
    page.show();
    const auto goesOn = std::make_shared<std::atomic<bool>>(true);
    Job job(halfDone(goesOn), [](int) {});
    showProgress(job, &page);
    const auto *line = page.findChild<QProgressBar *>();
    QTest::qWait(600); // twice as long as one waits for it on a screen
    QVERIFY(line && !line->isVisible());
    *goesOn = false;
    QTRY_VERIFY(!page.findChild<QProgressBar *>());
}

VRAMSCOPE_TEST(TestJobLine)
#include "tst_job_line.moc"
