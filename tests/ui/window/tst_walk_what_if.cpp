// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/planner/plan_json.h"
#include "core/simulator/recommendation.h"
#include "tests/support/test.h"
#include "tests/ui/window/system_events.h"
#include "ui/charts/waterfall.h"
#include "ui/document/document_page.h"
#include "ui/models/what_if_model.h"
#include "ui/reconcile/reconcile_page.h"
#include "ui/support/fact_table.h"
#include "ui/trace/trace_page.h"
#include "ui/trace/view_bar.h"
#include "ui/trace/what_if_view.h"
#include "ui/window/commands.h"
#include "ui/window/document_tab.h"
#include "ui/window/main_window.h"

#include <QClipboard>
#include <QLabel>
#include <QPushButton>
#include <QScrollArea>
#include <QTabBar>
#include <QTableView>
#include <QTemporaryDir>
#include <QUndoStack>

using namespace vramscope;
using namespace Qt::StringLiterals;
using test::click;
using test::drop;

namespace {

/// Presses a button of a page that scrolls, as one does who scrolls there first.
void press(QWidget &button)
{
    for (QWidget *parent = button.parentWidget(); parent; parent = parent->parentWidget()) {
        if (auto *area = qobject_cast<QScrollArea *>(parent))
            area->ensureWidgetVisible(&button);
    }
    click(button);
}

QPushButton *buttonOfRow(const FactTable &table, QStringView word)
{
    for (int row = 0; row < table.rowCount(); ++row) {
        if (!table.rows()[static_cast<std::size_t>(row)].cells.front().text.contains(word))
            continue;
        return qobject_cast<QPushButton *>(table.cellWidget(row, table.columnCount() - 1));
    }
    return nullptr;
}

} // namespace

/// A new user's way from a recording that ran out of memory to a plan that agrees with it: would
/// another setting of the allocator have saved the run, and was it what had been planned?
class TestWalkWhatIf : public test::Test
{
    Q_OBJECT

private Q_SLOTS:
    void initTestCase();
    void openTheRecording();
    void askWhatExpandableSegmentsWouldHaveDone();
    void copyTheSetting();
    void dropTheRecordingOnThePlan();
    void readTheWaterfall();
    void tryWhatExplainsIt();
    void takeAConstantOver();
    void saveThePlan();

private:
    [[nodiscard]] DocumentTab *tab() const { return m_window->tabs()->current(); }
    [[nodiscard]] const Plan &plan() const { return *m_planTab->page()->plan(); }
    [[nodiscard]] const Reconciliation &reconciliation() const { return *m_page->reconciliation(); }
    void look(const QString &name) const
    {
        QVERIFY(
            m_window->grab().save(u"%1/walk-what-if-%2.png"_s.arg(test::pictureFolder(), name)));
    }

    QTemporaryDir m_folder;
    QString m_recording;
    QString m_planFile;
    std::unique_ptr<MainWindow> m_window;
    DocumentTab *m_planTab = nullptr;
    ReconcilePage *m_page = nullptr;
};

void TestWalkWhatIf::initTestCase()
{
    m_recording = m_folder.filePath(u"run.pickle"_s);
    m_planFile = m_folder.filePath(u"as-planned.vramplan"_s);
    const QString examples = test::projectFile(u"resources/examples/training-out-of-memory"_s);
    QVERIFY(QFile::copy(examples + u".pickle"_s, m_recording));
    QVERIFY(QFile::copy(examples + u"-as-planned.vramplan"_s, m_planFile));
    MainWindow::Options options;
    options.preferencesFile = m_folder.filePath(u"settings.ini"_s);
    Questions questions;
    questions.tell = [](const QString &text) { QFAIL(qPrintable(text)); };
    options.questions = std::move(questions);
    m_window = std::make_unique<MainWindow>(std::move(options));
    m_window->resize(1440, 900);
    m_window->show();
    QVERIFY(QTest::qWaitForWindowExposed(m_window.get()));
    m_window->activateWindow(); // without a window manager nobody else does
    QVERIFY(QTest::qWaitForWindowActive(m_window.get()));
}

void TestWalkWhatIf::openTheRecording()
{
    drop(*m_window, m_recording);
    QTRY_VERIFY(tab() && tab()->state() == DocumentTab::State::Ready);
    auto *page = qobject_cast<TracePage *>(tab()->page()->widget());
    QVERIFY(page);
    QTRY_VERIFY(page->study() != nullptr);
}

void TestWalkWhatIf::askWhatExpandableSegmentsWouldHaveDone()
{
    auto *views = tab()->findChild<ViewBar *>()->findChild<QTabBar *>();
    const int whatIfTab = static_cast<int>(TraceView::WhatIf);
    QCOMPARE(views->tabText(whatIfTab), u"What if"_s);
    click(*views, views->tabRect(whatIfTab).center());
    auto *whatIf = tab()->findChild<WhatIfView *>();
    QTRY_VERIFY(whatIf && whatIf->findings());
    const WhatIfs &found = whatIf->findings()->whatIfs;
    const auto expandable =
        std::ranges::find(found.others, "expandable_segments:True", &WhatIf::configuration);
    QVERIFY(expandable != found.others.end());
    const int row =
        whatIf->model()->rowOf(static_cast<std::size_t>(expandable - found.others.begin()) + 1);
    const QString setting = whatIf->model()->index(row, WhatIfModel::Setting).data().toString();
    QVERIFY2(setting.contains(u"xpandable"), qPrintable(setting));
    QVERIFY(whatIf->table()->visualRect(whatIf->model()->index(row, 0)).isValid());
    look(u"settings"_s);
}

void TestWalkWhatIf::copyTheSetting()
{
    auto *whatIf = tab()->findChild<WhatIfView *>();
    QGuiApplication::clipboard()->clear();
    QVERIFY(whatIf->copyButton()->isVisible());
    click(*whatIf->copyButton());
    const WhatIfs &found = whatIf->findings()->whatIfs;
    const QString copied = QGuiApplication::clipboard()->text();
    QVERIFY2(std::ranges::any_of(found.others,
                                 [&](const WhatIf &other) {
                                     return copied.contains(
                                         QString::fromStdString(other.configuration));
                                 }),
             qPrintable(copied));
}

void TestWalkWhatIf::dropTheRecordingOnThePlan()
{
    m_window->openFiles({m_planFile});
    QTRY_VERIFY(tab() && tab()->path() == m_planFile &&
                tab()->state() == DocumentTab::State::Ready);
    m_planTab = tab();
    drop(*m_window, m_recording);
    QTRY_VERIFY(tab() != m_planTab && tab()->page());
    m_page = qobject_cast<ReconcilePage *>(tab()->page()->widget());
    QVERIFY(m_page);
    QTRY_VERIFY(m_page->reconciliation());
    QVERIFY(m_page->answer()->text().startsWith(u"At the loss: "));
    QVERIFY(reconciliation().failed.has_value());
    bool named = false; // the allocation that failed
    for (const QLabel *label : m_page->findChildren<QLabel *>())
        named = named || label->text().contains(u"logits in fp32: 20,480 tokens"_s);
    QVERIFY(named);
    look(u"held"_s);
    m_window->run(Command::AppearanceDark);
    look(u"held-dark"_s);
    m_window->run(Command::AppearanceLight);
}

void TestWalkWhatIf::readTheWaterfall()
{
    // Predicted, each reason, what is unexplained, recorded.
    const std::vector<WaterfallBar> &bars = m_page->waterfall()->bars();
    QCOMPARE(bars.size(), reconciliation().reasons.size() + 3);
    const MatchedMoment &moment = reconciliation().comparedMoment();
    QCOMPARE(bars.front().to, moment.predicted.total());
    QCOMPARE(bars.back().to, moment.recorded.total());
    QVERIFY(std::abs(reconciliation().unexplained) < moment.recorded.total() / 100);
    QVERIFY(buttonOfRow(*m_page->reasons(), u"Micro-batch"));
}

void TestWalkWhatIf::tryWhatExplainsIt()
{
    press(*buttonOfRow(*m_page->reasons(), u"Micro-batch"));
    QCOMPARE(plan().batch.microBatch, std::optional<std::int64_t>(10));
    QTRY_VERIFY(!buttonOfRow(*m_page->reasons(), u"Micro-batch"));
    m_planTab->page()->undoStack()->undo();
    QCOMPARE(plan().batch.microBatch, std::optional<std::int64_t>(4));
    QTRY_VERIFY(buttonOfRow(*m_page->reasons(), u"Micro-batch"));
}

void TestWalkWhatIf::takeAConstantOver()
{
    const Calibration factor = reconciliation().calibrations.front();
    QCOMPARE(factor.field, std::string("overheads.reserved_factor"));
    QVERIFY(!plan().overheads.reservedFactor);
    auto *button = m_page->constants()->findChild<QPushButton *>();
    QVERIFY(button && button->text() == u"Take over");
    press(*button);
    QVERIFY(plan().overheads.reservedFactor);
    QVERIFY(std::abs(*plan().overheads.reservedFactor - factor.recorded) < 1e-4);
    QVERIFY(plan().overheads.calibrated);
    QCOMPARE(plan().overheads.calibrated->front(), std::string("reserved_factor from run.pickle"));
    QVERIFY(m_planTab->page()->undoStack()->undoText().contains(u"run.pickle"));
    QTRY_VERIFY(m_page->constants()->rows().front().button.isEmpty());
    look(u"taken"_s);
}

void TestWalkWhatIf::saveThePlan()
{
    QVERIFY(m_window->tabs()->save(m_planTab));
    const Result<Plan> saved = readPlan(QFileInfo(m_planFile).filesystemFilePath());
    QVERIFY(saved.ok());
    QVERIFY(*saved == plan());
}

VRAMSCOPE_TEST(TestWalkWhatIf)
#include "tst_walk_what_if.moc"
