// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/support/process.h"
#include "tests/support/snapshot_generator.h"
#include "tests/support/test.h"
#include "ui/document/document_page.h"
#include "ui/trace/trace_page.h"
#include "ui/window/document_tab.h"
#include "ui/window/loading_page.h"
#include "ui/window/main_window.h"

#include <QApplication>
#include <QPixmapCache>
#include <QTemporaryDir>
#include <QThreadPool>

using namespace vramscope;
using namespace Qt::StringLiterals;

namespace {

/// How a document is opened and left again.
enum class Visit {
    WaitForAll,  ///< until it is read and studied, every view looked at
    WaitForPage, ///< closed while the study runs
    Cancel,      ///< in the middle of reading
    CloseAtOnce, ///< before reading has begun
};
constexpr std::array kVisits{Visit::WaitForAll, Visit::Cancel, Visit::WaitForPage,
                             Visit::CloseAtOnce, Visit::Cancel};

/// A file long enough that reading it can be left in the middle.
QString longRecording(const QTemporaryDir &folder)
{
    test::Story story = test::trainingOutOfMemory();
    const std::vector<test::ModelEvent> once = story.events;
    while (story.events.size() < 20'000)
        story.events.insert(story.events.end(), once.begin(), once.end());
    QFile file(folder.filePath(u"long.pickle"_s));
    if (file.open(QIODevice::WriteOnly))
        file.write(QByteArray::fromStdString(test::snapshotOf(story)));
    return file.fileName();
}

void lookAtEveryView(TracePage &page)
{
    QTRY_VERIFY(page.study() != nullptr);
    for (const TraceViewRow &row : traceViews()) {
        page.setView(row.view);
        QApplication::processEvents();
        QVERIFY(!page.grab().isNull());
    }
}

void visit(MainWindow &window, const QString &file, Visit how)
{
    window.openFiles({file});
    DocumentTab *tab = window.tabs()->current();
    QVERIFY(tab);
    if (how == Visit::Cancel) {
        QTest::qWait(1);
        Q_EMIT tab->findChild<LoadingPage *>()->cancelled();
    } else if (how == Visit::CloseAtOnce) {
        window.tabs()->close(tab);
    } else {
        QTRY_VERIFY_WITH_TIMEOUT(tab->state() == DocumentTab::State::Ready, 60'000);
        if (how == Visit::WaitForAll)
            lookAtEveryView(*qobject_cast<TracePage *>(tab->page()));
        window.tabs()->close(tab);
    }
    QVERIFY(!window.tabs()->current());
}

// Whatever was left running has heard of it, and whatever was to be deleted is.
void settle()
{
    QThreadPool::globalInstance()->waitForDone();
    QPixmapCache::clear();
    for (int turn = 0; turn < 3; ++turn) {
        QApplication::sendPostedEvents(nullptr, QEvent::DeferredDelete);
        QApplication::processEvents();
    }
}

} // namespace

class TestReopening : public test::Test
{
    Q_OBJECT

private Q_SLOTS:
    void opensAndClosesWithoutLeavingMemoryOrThreads();
};

void TestReopening::opensAndClosesWithoutLeavingMemoryOrThreads()
{
    // Caches of fonts, glyphs and styles fill, threads start. A sanitizer finds by itself what
    // leaks.
    constexpr int kWarm = test::kSanitized ? 20 : 40;
    constexpr int kVisitCount = test::kSanitized ? 40 : 200;
    constexpr Bytes kMostGrowth = 5'000'000;
    QTemporaryDir folder;
    const QString file = longRecording(folder);
    MainWindow::Options options;
    options.preferencesFile = folder.filePath(u"settings.ini"_s);
    MainWindow window(std::move(options));
    window.resize(1280, 800);
    window.show();
    Bytes before = 0;
    int threads = 0;
    for (int at = 0; at < kWarm + kVisitCount; ++at) {
        if (at == kWarm) {
            settle();
            before = test::heapBytes();
            threads = test::threadCount();
        }
        visit(window, file, kVisits[static_cast<std::size_t>(at) % kVisits.size()]);
        if (QTest::currentTestFailed())
            return;
    }
    settle();
    const Bytes growth = test::heapBytes() - before;
    QVERIFY2(growth < kMostGrowth, qPrintable(u"grew by %1 bytes"_s.arg(growth)));
    QVERIFY2(test::threadCount() <= threads,
             qPrintable(u"%1 threads, %2 before"_s.arg(test::threadCount()).arg(threads)));
    QCOMPARE(QThreadPool::globalInstance()->activeThreadCount(), 0);
    qInfo("%lld bytes more after %d visits, %d threads", static_cast<long long>(growth),
          kVisitCount, test::threadCount());
}

VRAMSCOPE_TEST(TestReopening)
#include "tst_reopening.moc"
