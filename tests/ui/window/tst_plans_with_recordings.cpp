// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/plan/plan_json.h"
#include "tests/support/test.h"
#include "tests/ui/planner/sample_plan.h"
#include "tests/ui/trace/sample_trace.h"
#include "ui/offscreen/examples.h"
#include "ui/offscreen/render.h"
#include "ui/reconcile/reconcile_page.h"
#include "ui/serving_log/serving_log_page.h"
#include "ui/support/fact_table.h"
#include "ui/trace/trace_document.h"
#include "ui/window/commands.h"
#include "ui/window/document_tab.h"
#include "ui/window/error_page.h"
#include "ui/window/main_window.h"
#include "ui/window/notice_bar.h"

#include <QAction>
#include <QApplication>
#include <QDragEnterEvent>
#include <QFile>
#include <QFileInfo>
#include <QImage>
#include <QMenu>
#include <QMimeData>
#include <QPushButton>
#include <QTemporaryDir>
#include <QUndoStack>

#include <atomic>

using namespace vramscope;
using namespace Qt::StringLiterals;

using State = DocumentTab::State;

namespace {

std::atomic<int> s_traces = 0;

/// "*.pickle" is a recording; everything else is read as it is.
Result<DocumentPointer> readSamples(const QString &path, const Progress &progress)
{
    if (!path.endsWith(u".pickle"_s))
        return readDocument(path, progress);
    ++s_traces;
    return DocumentPointer(analyse(test::SampleTrace().finish()));
}

struct ReconcileBench
{
    QTemporaryDir folder;
    QStringList files;
    QStringList told;

    QString planFile(const QString &name = u"a.vramplan"_s) const
    {
        const QString path = folder.filePath(name);
        const auto written = writePlan(test::samplePlan(), QFileInfo(path).filesystemFilePath());
        return written.ok() ? path : QString();
    }
    /// By its first bytes a snapshot.
    QString traceFile() const
    {
        QFile copy(folder.filePath(u"run.pickle"_s));
        QFile example(u":/examples/training-out-of-memory.pickle"_s);
        if (copy.open(QIODevice::WriteOnly) && example.open(QIODevice::ReadOnly))
            copy.write(example.readAll());
        return copy.fileName();
    }

    /// Of an engine that served a model of the catalogue.
    QString logFile() const
    {
        QFile log(folder.filePath(u"serve.log"_s));
        if (log.open(QIODevice::WriteOnly))
            log.write("INFO [c.py:2] Initializing a V1 LLM engine (v0.10.2) with config: "
                      "model='meta-llama/Llama-3.1-8B-Instruct', max_seq_len=8192\n"
                      "INFO [w.py:1] Model loading took 14.99 GiB memory and 4.0 seconds\n"
                      "INFO [w.py:2] Available KV cache memory: 17.00 GiB\n"
                      "INFO [w.py:6] Free memory on device (39.00/40.00 GiB) on startup. Desired "
                      "GPU memory utilization is (0.9, 36.00 GiB). Actual usage is 14.99 GiB for "
                      "weight, 3.25 GiB for peak activation, 0.76 GiB for non-torch memory, and "
                      "0.75 GiB for CUDAGraph memory.\n");
        return log.fileName();
    }

    std::unique_ptr<MainWindow> window()
    {
        MainWindow::Options options;
        options.preferencesFile = folder.filePath(u"settings.ini"_s);
        options.reader = readSamples;
        Questions questions;
        questions.askForFiles = [this] { return files; };
        questions.askToSave = [](const QString &) { return SaveAnswer::Discard; };
        questions.tell = [this](const QString &text) { told += text; };
        options.questions = std::move(questions);
        s_traces = 0;
        auto window = std::make_unique<MainWindow>(std::move(options));
        window->resize(1100, 700);
        window->show();
        return window;
    }
};

DocumentTab *current(const MainWindow &window)
{
    return window.tabs()->current();
}

ReconcilePage *heldPage(const MainWindow &window)
{
    DocumentPage *page = current(window) ? current(window)->page() : nullptr;
    return page ? qobject_cast<ReconcilePage *>(page) : nullptr;
}

ServingLogPage *logPage(const MainWindow &window)
{
    DocumentPage *page = current(window) ? current(window)->page() : nullptr;
    return page ? qobject_cast<ServingLogPage *>(page) : nullptr;
}

void open(MainWindow &window, const QStringList &files)
{
    window.openFiles(files);
    for (const DocumentTab *tab : window.tabs()->documents())
        QTRY_COMPARE(tab->state(), State::Ready);
}

void drop(MainWindow &window, const QString &file, Qt::KeyboardModifiers keys = {})
{
    QMimeData data;
    data.setUrls({QUrl::fromLocalFile(file)});
    const QPoint place = window.rect().center();
    QDragEnterEvent enter(place, Qt::CopyAction, &data, Qt::LeftButton, keys);
    QApplication::sendEvent(&window, &enter);
    QDropEvent event(place, Qt::CopyAction, &data, Qt::LeftButton, keys);
    QApplication::sendEvent(&window, &event);
}

QMenu *filled(QMenu *menu)
{
    Q_EMIT menu->aboutToShow();
    return menu;
}

QPushButton *buttonIn(const FactTable *table)
{
    return table->findChild<QPushButton *>();
}

} // namespace

class PlansWithRecordingsTest : public test::Test
{
    Q_OBJECT

private Q_SLOTS:
    void aRecordingDroppedOnAPlanIsHeldAgainstIt();
    void aPlanDroppedOnARecordingIsHeldAgainstIt();
    void withShiftADroppedFileOpens();
    void theMenusHoldFilesAndWhatIsOpen();
    void aPlanMadeOfARecordingOpensUnsavedAndIsCompared();
    void editsOfThePlanAreFollowed();
    void tryingASettingIsAnUndoableEditOfThePlan();
    void takingOverAConstantIsUndoableAndSaved();
    void aClosedPlanIsTold();
    void aPlanThatCannotBeReadIsTold();
    void aFileThatIsNoRecordingIsRefused();
    void aPlanDroppedOnALogStandsBesideIt();
    void aLogDroppedOnAPlanStandsBesideIt();
    void aPictureIsDrawn();
};

void PlansWithRecordingsTest::aRecordingDroppedOnAPlanIsHeldAgainstIt()
{
    ReconcileBench bench;
    const auto window = bench.window();
    open(*window, {bench.planFile()});
    drop(*window, bench.traceFile());
    QTRY_VERIFY(heldPage(*window));
    QTRY_VERIFY(heldPage(*window)->reconciliation());
    QCOMPARE(current(*window)->title(), u"a.vramplan against run.pickle"_s);
    QCOMPARE(window->tabs()->documents().size(), 2);
}

void PlansWithRecordingsTest::aPlanDroppedOnARecordingIsHeldAgainstIt()
{
    ReconcileBench bench;
    const auto window = bench.window();
    open(*window, {bench.traceFile()});
    drop(*window, bench.planFile());
    QTRY_VERIFY(heldPage(*window) && heldPage(*window)->reconciliation());
    QCOMPARE(s_traces, 1);                           // what is open is not read again
    QCOMPARE(window->tabs()->documents().size(), 3); // the plan can be edited
    QVERIFY(window->tabs()->documents()[1]->page()->plan());
}

void PlansWithRecordingsTest::withShiftADroppedFileOpens()
{
    ReconcileBench bench;
    const auto window = bench.window();
    open(*window, {bench.planFile()});
    drop(*window, bench.traceFile(), Qt::ShiftModifier);
    QTRY_COMPARE(current(*window)->state(), State::Ready);
    QVERIFY(!heldPage(*window));
    QCOMPARE(current(*window)->title(), u"run.pickle"_s);
}

void PlansWithRecordingsTest::theMenusHoldFilesAndWhatIsOpen()
{
    ReconcileBench bench;
    const auto window = bench.window();
    auto *commands = window->findChild<Commands *>();
    QVERIFY(!commands->action(Command::CompareWithPlan)->isEnabled());
    QVERIFY(!commands->action(Command::CompareWithRecording)->isEnabled());
    open(*window, {bench.planFile()});
    QVERIFY(commands->action(Command::CompareWithRecording)->isEnabled());
    QVERIFY(!filled(commands->recordingsMenu())->actions().front()->isEnabled());
    bench.files = {u"/runs/other.pickle"_s};
    window->run(Command::CompareWithRecording);
    QTRY_VERIFY(heldPage(*window) && heldPage(*window)->reconciliation());
    QCOMPARE(heldPage(*window)->recording().path, u"/runs/other.pickle"_s);

    open(*window, {bench.traceFile()});
    QVERIFY(commands->action(Command::CompareWithPlan)->isEnabled());
    const QList<QAction *> plans = filled(commands->plansMenu())->actions();
    QCOMPARE(plans.size(), 1);
    QCOMPARE(plans.front()->text(), u"a.vramplan"_s);
    plans.front()->trigger();
    QTRY_VERIFY(heldPage(*window) && heldPage(*window)->reconciliation());
    QCOMPARE(current(*window)->title(), u"a.vramplan against run.pickle"_s);

    window->tabs()->setCurrentIndex(1); // the plan
    const QList<QAction *> recordings = filled(commands->recordingsMenu())->actions();
    QCOMPARE(recordings.size(), 1);
    QCOMPARE(recordings.front()->text(), u"run.pickle"_s);
}

void PlansWithRecordingsTest::aPlanMadeOfARecordingOpensUnsavedAndIsCompared()
{
    ReconcileBench bench;
    const auto window = bench.window();
    const QAction *make = window->findChild<Commands *>()->action(Command::PlanFromRecording);
    open(*window, {bench.planFile()});
    QVERIFY(!make->isEnabled());
    open(*window, {bench.traceFile()});
    QVERIFY(make->isEnabled());
    window->run(Command::PlanFromRecording);
    QTRY_COMPARE_WITH_TIMEOUT(window->tabs()->documents().size(), 3, 60'000);
    const DocumentTab *made = current(*window);
    QVERIFY(made->page()->plan() && made->isModified() && made->path().isEmpty());
    NoticeBar *notice = made->notice();
    QVERIFY(notice->isVisible() && notice->text().contains(u"Not determined"_s));
    for (QPushButton *button : notice->findChildren<QPushButton *>()) {
        if (button->text() == u"Compare with the recording")
            button->click();
    }
    QTRY_VERIFY_WITH_TIMEOUT(heldPage(*window) != nullptr, 60'000);
}

void PlansWithRecordingsTest::editsOfThePlanAreFollowed()
{
    ReconcileBench bench;
    const auto window = bench.window();
    window->reconcileFiles(bench.planFile(), u"/runs/run.pickle"_s);
    QTRY_VERIFY(heldPage(*window) && heldPage(*window)->reconciliation());
    const Bytes before = heldPage(*window)->reconciliation()->comparedMoment().predicted.total();
    DocumentTab *plan = window->tabs()->documents().front();
    Plan edited = *plan->page()->plan();
    edited.batch.microBatch = 4;
    plan->page()->planEditing()->replacePlan(edited, u"another batch"_s);
    QTRY_VERIFY(heldPage(*window)->reconciliation()->comparedMoment().predicted.total() > before);
    plan->page()->undoStack()->undo();
    QTRY_COMPARE(heldPage(*window)->reconciliation()->comparedMoment().predicted.total(), before);
}

void PlansWithRecordingsTest::tryingASettingIsAnUndoableEditOfThePlan()
{
    ReconcileBench bench;
    const auto window = bench.window();
    window->reconcileFiles(bench.planFile(), u"/runs/run.pickle"_s);
    QTRY_VERIFY(heldPage(*window) && heldPage(*window)->reconciliation());
    const ReconcilePage *page = heldPage(*window);
    QPushButton *button =
        buttonIn(page->reasons()) ? buttonIn(page->reasons()) : buttonIn(page->candidates());
    QVERIFY(button);
    DocumentTab *plan = window->tabs()->documents().front();
    const Plan before = *plan->page()->plan();
    button->click();
    QVERIFY(*plan->page()->plan() != before);
    QVERIFY(plan->isModified());
    QVERIFY(plan->page()->undoStack()->undoText().startsWith(u"try "_s));
    plan->page()->undoStack()->undo();
    QVERIFY(*plan->page()->plan() == before);
}

void PlansWithRecordingsTest::takingOverAConstantIsUndoableAndSaved()
{
    ReconcileBench bench;
    const QString file = bench.planFile();
    const auto window = bench.window();
    window->reconcileFiles(file, u"/runs/run.pickle"_s);
    QTRY_VERIFY(heldPage(*window) && heldPage(*window)->reconciliation());
    QPushButton *button = buttonIn(heldPage(*window)->constants());
    QVERIFY(button);
    QCOMPARE(button->text(), u"Apply"_s);
    const Calibration constant = heldPage(*window)->reconciliation()->calibrations.front();
    DocumentTab *plan = window->tabs()->documents().front();
    const Plan before = *plan->page()->plan();
    button->click();
    const Plan after = *plan->page()->plan();
    QVERIFY(after != before);
    QVERIFY(plan->page()->undoStack()->undoText().endsWith(u" from run.pickle"_s));
    // Once taken over there is nothing left to take.
    QTRY_VERIFY(heldPage(*window)->constants()->rows().front().button.isEmpty());
    QVERIFY(window->tabs()->save(plan));
    const auto saved = readPlan(QFileInfo(file).filesystemFilePath());
    QVERIFY(saved.ok());
    QVERIFY(*saved == after);
    plan->page()->undoStack()->undo();
    QVERIFY(*plan->page()->plan() == before);
}

void PlansWithRecordingsTest::aClosedPlanIsTold()
{
    ReconcileBench bench;
    const auto window = bench.window();
    window->reconcileFiles(bench.planFile(), u"/runs/run.pickle"_s);
    QTRY_VERIFY(heldPage(*window) && heldPage(*window)->reconciliation());
    QVERIFY(window->tabs()->close(window->tabs()->documents().front()));
    QTRY_VERIFY(!buttonIn(heldPage(*window)->constants())->isEnabled());
    QVERIFY(heldPage(*window)->reconciliation());
    QCOMPARE(current(*window)->title(), u"a.vramplan against run.pickle"_s);
}

void PlansWithRecordingsTest::aPlanThatCannotBeReadIsTold()
{
    ReconcileBench bench;
    const auto window = bench.window();
    QFile broken(bench.folder.filePath(u"broken.vramplan"_s));
    QVERIFY(broken.open(QIODevice::WriteOnly));
    broken.write("{\"vramscope\": 1, \"modle\": {}}");
    broken.close();
    window->reconcileFiles(broken.fileName(), u"/runs/run.pickle"_s);
    QTRY_VERIFY(heldPage(*window));
    QTRY_COMPARE(heldPage(*window)->emptyText(),
                 u"broken.vramplan cannot be read; its tab says why."_s);
    // A recording in its place is no plan.
    window->reconcileFiles(u"/runs/a.pickle"_s, u"/runs/run.pickle"_s);
    QTRY_VERIFY(heldPage(*window));
    QTRY_VERIFY(heldPage(*window)->emptyText().startsWith(u"a.pickle is no plan."_s));
}

void PlansWithRecordingsTest::aFileThatIsNoRecordingIsRefused()
{
    ReconcileBench bench;
    const auto window = bench.window();
    window->reconcileFiles(bench.planFile(), bench.planFile(u"b.vramplan"_s));
    QTRY_COMPARE(current(*window)->state(), State::Failed);
    QVERIFY(current(*window)->errorPage()->sentence().contains(u"b.vramplan"_s));
}

void PlansWithRecordingsTest::aPlanDroppedOnALogStandsBesideIt()
{
    ReconcileBench bench;
    const auto window = bench.window();
    auto *commands = window->findChild<Commands *>();
    open(*window, {bench.logFile()});
    QVERIFY(commands->action(Command::CompareWithPlan)->isEnabled());
    QVERIFY(!logPage(*window)->plan());
    drop(*window, bench.planFile());
    QVERIFY(logPage(*window)); // the log stays in front
    QTRY_VERIFY(logPage(*window)->plan());
    QCOMPARE(logPage(*window)->planTitle(), u"a.vramplan"_s);
    QCOMPARE(window->tabs()->documents().size(), 2);

    DocumentTab *log = current(*window);
    DocumentTab *plan = window->tabs()->documents().at(1);
    const Plan before = *plan->page()->plan();
    logPage(*window)->takeOverButton()->click();
    QVERIFY(!(*plan->page()->plan() == before));
    QVERIFY(plan->isModified());
    QCOMPARE(*logPage(*window)->plan(), *plan->page()->plan()); // it follows
    QVERIFY(plan->page()->undoStack()->undoText().contains(u"serve.log"_s));
    plan->page()->undoStack()->undo();
    QCOMPARE(*plan->page()->plan(), before);
    QCOMPARE(*logPage(*window)->plan(), before);
    window->tabs()->setCurrentWidget(plan);
    window->run(Command::CloseTab);
    QVERIFY(!qobject_cast<ServingLogPage *>(log->page())->takeOverButton()->isEnabled());
}

void PlansWithRecordingsTest::aLogDroppedOnAPlanStandsBesideIt()
{
    ReconcileBench bench;
    const auto window = bench.window();
    auto *commands = window->findChild<Commands *>();
    open(*window, {bench.planFile()});
    drop(*window, bench.logFile());
    QTRY_VERIFY(logPage(*window) && logPage(*window)->plan());
    QCOMPARE(logPage(*window)->planTitle(), u"a.vramplan"_s);

    // The same by the menus: of the plan, and of the log.
    open(*window, {bench.planFile(u"b.vramplan"_s)});
    const QList<QAction *> logs = filled(commands->recordingsMenu())->actions();
    QCOMPARE(logs.size(), 1);
    logs.front()->trigger();
    QCOMPARE(logPage(*window)->planTitle(), u"b.vramplan"_s);
    const QList<QAction *> plans = filled(commands->plansMenu())->actions();
    QCOMPARE(plans.size(), 2);
    plans.front()->trigger();
    QCOMPARE(logPage(*window)->planTitle(), u"a.vramplan"_s);
    bench.files = {bench.folder.filePath(u"serve.log"_s)};
    window->tabs()->setCurrentWidget(window->tabs()->documents().front()); // a.vramplan
    window->run(Command::CompareWithRecording);
    QVERIFY(logPage(*window));
    QCOMPARE(logPage(*window)->planTitle(), u"a.vramplan"_s);
    QCOMPARE(window->tabs()->documents().size(), 3);
}

void PlansWithRecordingsTest::aPictureIsDrawn()
{
    ReconcileBench bench;
    RenderRequest request;
    request.view = u"reconcile"_s;
    request.files = {bench.planFile(), bench.traceFile()};
    request.size = {1100, 700};
    request.out = bench.folder.filePath(u"held.png"_s);
    const Outcome outcome = render(request);
    QVERIFY2(outcome.status == 0, qPrintable(outcome.message));
    QCOMPARE(QImage(request.out).size(), request.size);
    request.out = bench.folder.filePath(u"held.csv"_s);
    QCOMPARE(render(request).status, 0);
    QFile table(request.out);
    QVERIFY(table.open(QIODevice::ReadOnly));
    const QList<QByteArray> first = table.readAll().split('\n').value(1).split(',');
    bool isNumber = false;
    first.value(1).toLongLong(&isNumber);
    QVERIFY2(isNumber, first.value(1).constData());
    std::swap(request.files[0], request.files[1]);
    const Outcome swapped = render(request);
    QCOMPARE(swapped.status, 1);
    QVERIFY2(swapped.message.contains(u"a.vramplan"_s), qPrintable(swapped.message));
}

VRAMSCOPE_TEST(PlansWithRecordingsTest)
#include "tst_plans_with_recordings.moc"
