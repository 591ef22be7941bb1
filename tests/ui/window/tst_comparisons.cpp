// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/support/test.h"
#include "tests/ui/trace/sample_trace.h"
#include "ui/compare/compare_page.h"
#include "ui/offscreen/examples.h"
#include "ui/offscreen/render.h"
#include "ui/planner/plan_document.h"
#include "ui/ranks/rank_grid.h"
#include "ui/ranks/ranks_page.h"
#include "ui/trace/trace_document.h"
#include "ui/trace/trace_page.h"
#include "ui/window/commands.h"
#include "ui/window/document_tab.h"
#include "ui/window/error_page.h"
#include "ui/window/main_window.h"

#include <QAction>
#include <QApplication>
#include <QDir>
#include <QDragEnterEvent>
#include <QFile>
#include <QMenu>
#include <QMimeData>
#include <QStatusBar>
#include <QTemporaryDir>

#include <atomic>

using namespace vramscope;
using namespace Qt::StringLiterals;

using State = DocumentTab::State;

namespace {

std::atomic<int> s_reads = 0;

/// "*.pickle" is a trace, a folder one of ranks, "broken.pickle" damaged, and the rest a plan.
Result<DocumentPointer> readCompared(const QString &path, const Progress &progress)
{
    ++s_reads;
    if (QFileInfo(path).isDir())
        return readDocument(path, progress);
    if (path.endsWith(u"broken.pickle"_s))
        return Error{ErrorCode::Truncated, "The file ends early; record it again.", 1234};
    if (!path.endsWith(u".pickle"_s))
        return DocumentPointer(planDocument(Plan()));
    return DocumentPointer(analyse(test::SampleTrace().finish()));
}

struct CompareBench
{
    QTemporaryDir folder;
    QStringList files;
    QString chosenFolder;
    QStringList told;

    std::unique_ptr<MainWindow> window(DocumentReader reader = readCompared)
    {
        MainWindow::Options options;
        options.preferencesFile = folder.filePath(u"settings.ini"_s);
        options.reader = std::move(reader);
        Questions questions;
        questions.askForFiles = [this] { return files; };
        questions.askForFolder = [this] { return chosenFolder; };
        questions.tell = [this](const QString &text) { told += text; };
        options.questions = std::move(questions);
        s_reads = 0;
        return std::make_unique<MainWindow>(std::move(options));
    }
};

DocumentTab *currentTab(const MainWindow &window)
{
    return window.tabs()->current();
}

ComparePage *comparison(const MainWindow &window)
{
    DocumentPage *page = currentTab(window) ? currentTab(window)->page() : nullptr;
    return page ? qobject_cast<ComparePage *>(page) : nullptr;
}

void openAndRead(MainWindow &window, const QStringList &files)
{
    window.openFiles(files);
    for (const DocumentTab *tab : window.tabs()->documents())
        QTRY_COMPARE(tab->state(), State::Ready);
}

void dropFiles(MainWindow &window, const QStringList &files, Qt::KeyboardModifiers keys)
{
    QMimeData data;
    QList<QUrl> urls;
    for (const QString &file : files)
        urls += QUrl::fromLocalFile(file);
    data.setUrls(urls);
    QDragEnterEvent enter({20, 20}, Qt::CopyAction, &data, Qt::LeftButton, keys);
    QApplication::sendEvent(&window, &enter);
    QDropEvent event({20, 20}, Qt::CopyAction, &data, Qt::LeftButton, keys);
    QApplication::sendEvent(&window, &event);
}

QMenu *compareMenu(const MainWindow &window)
{
    QMenu *menu = window.findChild<Commands *>()->compareMenu();
    Q_EMIT menu->aboutToShow();
    return menu;
}

} // namespace

class TestComparisons : public test::Test
{
    Q_OBJECT

private slots:
    void openTracesAreComparedWithoutReadingThemAgain();
    void aFileIsComparedByMenu();
    void aDropWithCtrlCompares();
    void filesOfTheCommandLineAreCompared();
    void anErrorNamesTheFile();
    void whatIsNoSnapshotIsRefused();
    void theNumberOfRecordingsIsLimited();
    void aFolderOfRanksOpensAndLeadsOn();
    void aFolderWithoutRecordingsSaysSo();
    void picturesOfComparisonsAndRanksAreDrawn();
};

void TestComparisons::openTracesAreComparedWithoutReadingThemAgain()
{
    CompareBench bench;
    const auto window = bench.window();
    QVERIFY(!window->findChild<Commands *>()->compareMenu()->isEnabled());
    openAndRead(*window, {u"/runs/a.pickle"_s, u"/runs/b.pickle"_s});
    const auto *b = qobject_cast<TracePage *>(currentTab(*window)->page());
    QVERIFY(b);
    const auto document = currentTab(*window)->page()->compared().front().document;
    const QList<QAction *> choices = compareMenu(*window)->actions();
    QCOMPARE(choices.size(), 1); // not with itself
    QCOMPARE(choices[0]->text(), u"a.pickle"_s);
    choices[0]->trigger();
    QTRY_VERIFY(comparison(*window));
    QCOMPARE(s_reads, 2);
    QCOMPARE(comparison(*window)->traces().size(), std::size_t(2));
    QCOMPARE(comparison(*window)->traces()[0].document, document);
    QCOMPARE(currentTab(*window)->title(), u"b.pickle ↔ a.pickle"_s);
    QTRY_VERIFY(comparison(*window)->pair());
    // Another one joins a comparison.
    compareMenu(*window)->actions().front()->trigger();
    QTRY_COMPARE(currentTab(*window)->title(), u"b.pickle ↔ a.pickle +1"_s);
}

void TestComparisons::aFileIsComparedByMenu()
{
    CompareBench bench;
    const auto window = bench.window();
    openAndRead(*window, {u"/runs/a.pickle"_s});
    QCOMPARE(compareMenu(*window)->actions().size(), 1);
    QVERIFY(!compareMenu(*window)->actions().front()->isEnabled()); // says that there is none
    bench.files = {u"/runs/b.pickle"_s};
    window->run(Command::CompareFile);
    QTRY_VERIFY(comparison(*window));
    QCOMPARE(s_reads, 2);
    QCOMPARE(comparison(*window)->traces()[1].path, u"/runs/b.pickle"_s);
    // Its cursor, peak and unit are those of every timeline.
    window->run(Command::Peak);
    QVERIFY(comparison(*window)->state()->cursor() > 0);
    QVERIFY(currentTab(*window)->statusText().contains(u"A "_s));
    window->run(Command::UnitDecimal);
    QVERIFY(currentTab(*window)->statusText().contains(u" GB"_s));
    window->run(Command::UnitBinary);
}

void TestComparisons::aDropWithCtrlCompares()
{
    CompareBench bench;
    const auto window = bench.window();
    dropFiles(*window, {u"/runs/a.pickle"_s}, Qt::ControlModifier); // nothing to compare with
    QTRY_COMPARE(currentTab(*window)->state(), State::Ready);
    QVERIFY(!comparison(*window));
    dropFiles(*window, {u"/runs/b.pickle"_s}, Qt::NoModifier);
    QTRY_COMPARE(currentTab(*window)->state(), State::Ready);
    QVERIFY(!comparison(*window));
    dropFiles(*window, {u"/runs/c.pickle"_s}, Qt::ControlModifier);
    QTRY_VERIFY(comparison(*window));
    QCOMPARE(currentTab(*window)->title(), u"b.pickle ↔ c.pickle"_s);
}

void TestComparisons::filesOfTheCommandLineAreCompared()
{
    CompareBench bench;
    const auto window = bench.window();
    window->compareFiles({u"/runs/a.pickle"_s, u"/runs/b.pickle"_s, u"/runs/c.pickle"_s});
    QCOMPARE(currentTab(*window)->state(), State::Loading);
    QTRY_VERIFY(comparison(*window));
    QCOMPARE(comparison(*window)->traces().size(), std::size_t(3));
    // A file that is named twice is read once.
    s_reads = 0;
    window->compareFiles({u"/runs/a.pickle"_s, u"/runs/a.pickle"_s});
    QTRY_COMPARE(currentTab(*window)->state(), State::Ready);
    QCOMPARE(s_reads, 1);
}

void TestComparisons::anErrorNamesTheFile()
{
    CompareBench bench;
    const auto window = bench.window();
    window->compareFiles({u"/runs/a.pickle"_s, u"/runs/broken.pickle"_s});
    QTRY_COMPARE(currentTab(*window)->state(), State::Failed);
    QCOMPARE(currentTab(*window)->errorPage()->sentence(),
             u"broken.pickle: The file ends early; record it again."_s);
}

void TestComparisons::whatIsNoSnapshotIsRefused()
{
    CompareBench bench;
    const auto window = bench.window();
    window->compareFiles({u"/runs/a.pickle"_s, u"/runs/small.vramplan"_s});
    QTRY_COMPARE(currentTab(*window)->state(), State::Failed);
    QVERIFY(currentTab(*window)->errorPage()->sentence().startsWith(u"small.vramplan: "_s));
    // A recording without any device has nothing to compare.
    const auto empty =
        bench.window([](const QString &, const Progress &) -> Result<DocumentPointer> {
            return DocumentPointer(analyse(TraceBuilder().finish().value()));
        });
    empty->compareFiles({u"/runs/a.pickle"_s, u"/runs/b.pickle"_s});
    QTRY_COMPARE(currentTab(*empty)->state(), State::Failed);
    QVERIFY(currentTab(*empty)->errorPage()->sentence().contains(u"no memory of any device"_s));
}

void TestComparisons::theNumberOfRecordingsIsLimited()
{
    CompareBench bench;
    const auto window = bench.window();
    QStringList files;
    for (int at = 0; at < 9; ++at)
        files += u"/runs/%1.pickle"_s.arg(at);
    window->compareFiles(files);
    QCOMPARE(bench.told.size(), 1);
    QVERIFY(bench.told.front().contains(u"two to 8"_s));
    QCOMPARE(window->tabs()->count(), 1);
    window->compareFiles(files.first(8));
    QTRY_VERIFY(comparison(*window));
}

void TestComparisons::aFolderOfRanksOpensAndLeadsOn()
{
    const QString example = u":/examples/training-out-of-memory.pickle"_s;
    QTemporaryDir run;
    for (int rank = 0; rank < 3; ++rank)
        QVERIFY(QFile::copy(example, run.filePath(u"rank%1.pickle"_s.arg(rank))));
    CompareBench bench;
    const auto window = bench.window(readDocument);
    bench.chosenFolder = run.path() + u'/';
    window->run(Command::OpenRanks);
    QTRY_COMPARE(currentTab(*window)->state(), State::Ready);
    auto *ranks = qobject_cast<RanksPage *>(currentTab(*window)->page());
    QVERIFY(ranks);
    QCOMPARE(currentTab(*window)->title(), QFileInfo(run.path()).fileName());
    DocumentTab *folderTab = currentTab(*window);
    dropFiles(*window, {run.path()}, Qt::NoModifier); // openAndRead already
    QCOMPARE(window->tabs()->documents().size(), 1);

    ranks->grid()->setCurrent(2);
    QTest::keyClick(ranks->grid(), Qt::Key_Return);
    QTRY_COMPARE(currentTab(*window)->path(), run.filePath(u"rank2.pickle"_s));
    QTRY_COMPARE(currentTab(*window)->state(), State::Ready);
    const auto opened = currentTab(*window)->page()->compared().front().document;
    window->tabs()->setCurrentWidget(folderTab);
    QTest::keyClick(ranks->grid(), Qt::Key_C);
    QTRY_VERIFY(comparison(*window));
    const auto &traces = comparison(*window)->traces();
    QCOMPARE(traces[0].title, u"rank0.pickle"_s);
    QCOMPARE(traces[1].document, opened); // which is openAndRead in its tab
}

void TestComparisons::aFolderWithoutRecordingsSaysSo()
{
    const QTemporaryDir empty;
    CompareBench bench;
    const auto window = bench.window(readDocument);
    window->openFiles({empty.path()});
    QTRY_COMPARE(currentTab(*window)->state(), State::Failed);
    QVERIFY(currentTab(*window)->errorPage()->sentence().contains(u"holds no recordings"_s));
}

void TestComparisons::picturesOfComparisonsAndRanksAreDrawn()
{
    const QString example = u":/examples/training-out-of-memory.pickle"_s;
    QTemporaryDir run;
    QVERIFY(QFile::copy(example, run.filePath(u"rank0.pickle"_s)));
    QVERIFY(QFile::copy(example, run.filePath(u"rank1.pickle"_s)));
    RenderRequest request;
    request.size = {900, 600};
    request.view = u"compare"_s;
    request.files = {run.filePath(u"rank0.pickle"_s), run.filePath(u"rank1.pickle"_s)};
    request.out = run.filePath(u"compare.png"_s);
    QCOMPARE(render(request).message, QString());
    QCOMPARE(QImage(request.out).size(), request.size);
    request.view = u"ranks"_s;
    request.files = {run.path()};
    request.out = run.filePath(u"ranks.png"_s);
    QCOMPARE(render(request).message, QString());
    QCOMPARE(QImage(request.out).size(), request.size);
    request.view = u"trace"_s;
    QVERIFY(
        render(request).message.endsWith(u"These are the ranks of a run; their view is ranks."_s));
    request.view = u"compare"_s;
    request.files = {run.filePath(u"rank0.pickle"_s), run.filePath(u"gone.pickle"_s)};
    QVERIFY(render(request).message.startsWith(u"gone.pickle: "_s));
}

VRAMSCOPE_TEST(TestComparisons)
#include "tst_comparisons.moc"
