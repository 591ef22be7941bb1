// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/plan/plan_json.h"
#include "core/simulator/recommendation.h"
#include "tests/ui/window/walk.h"
#include "ui/charts/waterfall.h"
#include "ui/document/document_page.h"
#include "ui/models/what_if_model.h"
#include "ui/reconcile/reconcile_page.h"
#include "ui/support/fact_table.h"
#include "ui/trace/trace_page.h"
#include "ui/trace/view_bar.h"
#include "ui/trace/what_if_view.h"
#include "ui/window/commands.h"

#include <QClipboard>
#include <QLabel>
#include <QPushButton>
#include <QScrollArea>
#include <QTabBar>
#include <QTableView>
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
    QApplication::processEvents(); // the page is laid out before anyone sees it
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
class TestWalkWhatIf : public test::Walk
{
    Q_OBJECT

private Q_SLOTS:
    void init() override;
    void openTheRecording();
    void askWhatExpandableSegmentsWouldHaveDone();
    void copyTheSetting();
    void dropTheRecordingOnThePlan();
    void readTheWaterfall();
    void tryWhatExplainsIt();
    void takeAConstantOver();
    void saveThePlan();

private:
    // The way to where the functions above look around.
    [[nodiscard]] bool openRecording();
    [[nodiscard]] bool askWhatIf();
    [[nodiscard]] bool reconcile();
    void takeFirstConstant();

    [[nodiscard]] const Plan &plan() const { return *m_planTab->page()->plan(); }
    [[nodiscard]] const Reconciliation &reconciliation() const { return *m_page->reconciliation(); }
    [[nodiscard]] WhatIfView *whatIf() const { return tab()->findChild<WhatIfView *>(); }

    QString m_recording;
    QString m_planFile;
    DocumentTab *m_planTab = nullptr;
    ReconcilePage *m_page = nullptr;
};

void TestWalkWhatIf::init()
{
    Walk::init();
    m_recording = inFolder(u"run.pickle"_s);
    m_planFile = inFolder(u"as-planned.vramplan"_s);
    const QString examples = test::projectFile(u"resources/examples/training-out-of-memory"_s);
    QVERIFY(QFile::copy(examples + u".pickle"_s, m_recording));
    QVERIFY(QFile::copy(examples + u"-as-planned.vramplan"_s, m_planFile));
    Questions questions;
    questions.tell = [](const QString &text) { QFAIL(qPrintable(text)); };
    start({1440, 900}, std::move(questions));
}

bool TestWalkWhatIf::openRecording()
{
    drop(window(), m_recording);
    return waitFor([this] {
        const auto *page = tabIsReady() ? tab()->findChild<TracePage *>() : nullptr;
        return page && page->study();
    });
}

bool TestWalkWhatIf::askWhatIf()
{
    if (!openRecording())
        return false;
    auto *views = tab()->findChild<ViewBar *>()->findChild<QTabBar *>();
    const int whatIfTab = static_cast<int>(TraceView::WhatIf);
    click(*views, views->tabRect(whatIfTab).center());
    return views->tabText(whatIfTab) == u"What if" &&
           waitFor([this] { return whatIf() && whatIf()->findings(); });
}

bool TestWalkWhatIf::reconcile()
{
    window().openFiles({m_planFile});
    if (!waitFor([this] { return tabIsReady() && tab()->path() == m_planFile; }))
        return false;
    m_planTab = tab();
    drop(window(), m_recording);
    return waitFor([this] {
        const bool shown = tab() != m_planTab && tab()->page();
        m_page = shown ? qobject_cast<ReconcilePage *>(tab()->page()) : nullptr;
        return m_page && m_page->reconciliation();
    });
}

void TestWalkWhatIf::takeFirstConstant()
{
    auto *button = m_page->constants()->findChild<QPushButton *>();
    QVERIFY(button && button->text() == u"Apply");
    press(*button);
}

void TestWalkWhatIf::openTheRecording()
{
    QVERIFY(openRecording());
    QVERIFY(qobject_cast<TracePage *>(tab()->page()));
}

void TestWalkWhatIf::askWhatExpandableSegmentsWouldHaveDone()
{
    QVERIFY(askWhatIf());
    const WhatIfs &found = whatIf()->findings()->whatIfs;
    const auto expandable =
        std::ranges::find(found.others, "expandable_segments:True", &WhatIf::configuration);
    QVERIFY(expandable != found.others.end());
    const int row =
        whatIf()->model()->placeOf(static_cast<std::size_t>(expandable - found.others.begin()) + 1);
    const QString setting = whatIf()->model()->index(row, WhatIfModel::Setting).data().toString();
    QVERIFY2(setting.contains(u"xpandable"), qPrintable(setting));
    QVERIFY(whatIf()->table()->visualRect(whatIf()->model()->index(row, 0)).isValid());
    look(u"what-if-settings"_s);
}

void TestWalkWhatIf::copyTheSetting()
{
    QVERIFY(askWhatIf());
    QGuiApplication::clipboard()->clear();
    QVERIFY(whatIf()->copyButton()->isVisible());
    click(*whatIf()->copyButton());
    const WhatIfs &found = whatIf()->findings()->whatIfs;
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
    QVERIFY(reconcile());
    QVERIFY(m_page->answer()->text().startsWith(u"At the loss: "));
    QVERIFY(reconciliation().failed.has_value());
    bool named = false; // the allocation that failed
    for (const QLabel *label : m_page->findChildren<QLabel *>())
        named = named || label->text().contains(u"logits in fp32: 20,480 tokens"_s);
    QVERIFY(named);
    look(u"what-if-reconciled"_s);
    window().run(Command::AppearanceDark);
    look(u"what-if-reconciled-dark"_s);
    window().run(Command::AppearanceLight);
}

void TestWalkWhatIf::readTheWaterfall()
{
    QVERIFY(reconcile());
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
    QVERIFY(reconcile());
    press(*buttonOfRow(*m_page->reasons(), u"Micro-batch"));
    QCOMPARE(plan().batch.microBatch, std::optional<std::int64_t>(10));
    QTRY_VERIFY(!buttonOfRow(*m_page->reasons(), u"Micro-batch"));
    m_planTab->page()->undoStack()->undo();
    QCOMPARE(plan().batch.microBatch, std::optional<std::int64_t>(4));
    QTRY_VERIFY(buttonOfRow(*m_page->reasons(), u"Micro-batch"));
}

void TestWalkWhatIf::takeAConstantOver()
{
    QVERIFY(reconcile());
    const Calibration factor = reconciliation().calibrations.front();
    QVERIFY(factor.field == "overheads.reserved_factor");
    QVERIFY(!plan().overheads.reservedFactor);
    takeFirstConstant();
    QVERIFY(plan().overheads.reservedFactor);
    QVERIFY(std::abs(*plan().overheads.reservedFactor - factor.recorded) < 1e-4);
    QVERIFY(plan().overheads.calibrated);
    QCOMPARE(plan().overheads.calibrated->front(), std::string("reserved_factor from run.pickle"));
    QVERIFY(m_planTab->page()->undoStack()->undoText().contains(u"run.pickle"));
    QTRY_VERIFY(m_page->constants()->rows().front().button.isEmpty());
    look(u"what-if-taken"_s);
}

void TestWalkWhatIf::saveThePlan()
{
    QVERIFY(reconcile());
    takeFirstConstant();
    QVERIFY(window().tabs()->save(m_planTab));
    const Result<Plan> saved = readPlan(QFileInfo(m_planFile).filesystemFilePath());
    QVERIFY(saved.ok());
    QVERIFY(*saved == plan());
}

VRAMSCOPE_TEST(TestWalkWhatIf)
#include "tst_walk_what_if.moc"
