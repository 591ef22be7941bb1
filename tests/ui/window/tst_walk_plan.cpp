// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/planner/plan_json.h"
#include "core/solver/largest_value.h"
#include "core/solver/ways_to_fit.h"
#include "tests/support/test.h"
#include "tests/ui/window/system_events.h"
#include "ui/document/document_page.h"
#include "ui/planner/answer_view.h"
#include "ui/planner/breakdown_panel.h"
#include "ui/planner/choice_box.h"
#include "ui/planner/layouts_view.h"
#include "ui/planner/lower_card.h"
#include "ui/planner/plan_cards.h"
#include "ui/planner/plan_form.h"
#include "ui/planner/plan_page.h"
#include "ui/planner/plans_compare_view.h"
#include "ui/planner/scenario_list.h"
#include "ui/planner/ways_list.h"
#include "ui/window/document_tab.h"
#include "ui/window/main_window.h"
#include "ui/window/recovery.h"
#include "ui/window/start_page.h"

#include <QApplication>
#include <QDirIterator>
#include <QLineEdit>
#include <QPushButton>
#include <QScrollArea>
#include <QTabBar>
#include <QTemporaryDir>
#include <QTreeView>
#include <QTreeWidget>
#include <QUndoStack>

using namespace vramscope;
using namespace Qt::StringLiterals;
using test::click;

/// A new user's way to a plan that fits: a large model on eight GPUs.
class TestWalkPlan : public test::Test
{
    Q_OBJECT

private Q_SLOTS:
    void initTestCase();
    void startWithANewPlan();
    void chooseModelAndGpu();
    void seeThatItDoesNotFitAndWhy();
    void applyTheCheapestWayThatFits();
    void findTheLargestMicroBatch();
    void pinAndTakeSixteenGpus();
    void readTheWaterfall();
    void save();
    void endWithoutClosingAndRecover();

private:
    void startProgram();
    [[nodiscard]] DocumentTab *tab() const { return m_window->tabs()->current(); }
    [[nodiscard]] PlanPage *page() const
    {
        return qobject_cast<PlanPage *>(tab()->page()->widget());
    }
    void key(Qt::Key code, Qt::KeyboardModifiers modifiers = {})
    {
        QTest::keyClick(test::handleOf(*m_window), code, modifiers);
    }
    void type(const QString &text)
    {
        for (const QChar letter : text)
            QTest::keyClick(test::handleOf(*m_window), letter.toLatin1());
    }
    void chooseByTyping(std::string_view path, const QString &value);

    QTemporaryDir m_folder;
    QString m_name;
    std::unique_ptr<MainWindow> m_window;
    Bytes m_before = 0;
};

void TestWalkPlan::initTestCase()
{
    startProgram();
}

void TestWalkPlan::startProgram()
{
    MainWindow::Options options;
    options.preferencesFile = m_folder.filePath(u"settings.ini"_s);
    Questions questions;
    questions.askForName = [this](const QString &) { return m_name; };
    questions.tell = [](const QString &text) { QFAIL(qPrintable(text)); };
    options.questions = std::move(questions);
    m_window = std::make_unique<MainWindow>(std::move(options));
    m_window->resize(1500, 950);
    m_window->show();
    QVERIFY(QTest::qWaitForWindowExposed(m_window.get()));
    m_window->activateWindow(); // without a window manager nobody else does
    QVERIFY(QTest::qWaitForWindowActive(m_window.get()));
}

void TestWalkPlan::startWithANewPlan()
{
    QVERIFY(!tab());
    key(Qt::Key_N, Qt::ControlModifier);
    QVERIFY(tab() && page());
    QVERIFY(page()->estimate().computed);
    QVERIFY(!tab()->isModified());
}

// As one does it: into the box, the name of what is wanted, Enter.
void TestWalkPlan::chooseByTyping(std::string_view path, const QString &value)
{
    auto *box = page()->form()->row(path)->findChild<ChoiceBox *>();
    QVERIFY(box);
    page()->form()->goTo(path);
    QApplication::processEvents();
    const int index = box->findData(value);
    QVERIFY2(index >= 0, "no such choice");
    click(*(box->lineEdit() ? static_cast<QWidget *>(box->lineEdit()) : box));
    if (box->lineEdit())
        key(Qt::Key_A, Qt::ControlModifier);
    type(box->itemText(index));
    key(Qt::Key_Return);
}

void TestWalkPlan::chooseModelAndGpu()
{
    chooseByTyping("model.preset", u"llama-3.1-70b"_s);
    QCOMPARE(page()->plan().model.preset, std::optional<std::string>("llama-3.1-70b"));
    chooseByTyping("hardware.gpu", u"h200-sxm-141gb"_s);
    QCOMPARE(page()->plan().hardware.gpu, std::optional<std::string>("h200-sxm-141gb"));
    QCOMPARE(page()->plan().hardware.gpus, std::optional<std::int64_t>(8));
    QVERIFY(tab()->isModified());
    QCOMPARE(page()->undoStack()->count(), 2);
}

void TestWalkPlan::seeThatItDoesNotFitAndWhy()
{
    const Estimate expected = estimate(page()->plan()); // what the command line prints
    QCOMPARE(page()->estimate().peakDevice, expected.peakDevice);
    QVERIFY(expected.fits && !*expected.fits);
    QVERIFY2(page()->answer()->headline().startsWith(u"Does not fit"),
             qPrintable(page()->answer()->headline()));
    m_before = expected.peakDevice;

    QTreeView *tree = page()->breakdown()->tree();
    const QModelIndex states =
        tree->model()
            ->match(tree->model()->index(0, 0), Qt::DisplayRole, u"Optimizer states"_s)
            .value(0);
    QVERIFY(states.isValid());
    click(*tree->viewport(), tree->visualRect(states).center());
    QVERIFY(page()->breakdown()->selection().has_value());
    const QString why = page()->breakdown()->whyText();
    QVERIFY2(why.contains(u"70,553,706,496"), qPrintable(why)); // the numbers put in
}

void TestWalkPlan::applyTheCheapestWayThatFits()
{
    WaysList *ways = page()->ways();
    QTRY_VERIFY(!ways->ways().empty());
    const std::vector<WayToFit> expected = waysToFit(page()->plan());
    QCOMPARE(ways->ways().size(), expected.size());
    QCOMPARE(ways->ways().front().title, expected.front().title);
    QCOMPARE(expected.front().standing.verdict, Verdict::Fits);
    page()->breakdown()->ensureWidgetVisible(ways->list());
    QApplication::processEvents();
    click(*ways->list()->viewport(), ways->list()->visualItemRect(ways->list()->item(0)).center());
    QCOMPARE(page()->estimate().peakDevice, expected.front().standing.device);
    QVERIFY(page()->estimate().fits.value_or(false));
    QVERIFY(page()->answer()->headline().startsWith(u"Fits"));
    QCOMPARE(page()->undoStack()->undoText(), QString::fromStdString(expected.front().title));
    key(Qt::Key_Z, Qt::ControlModifier);
    QCOMPARE(page()->estimate().peakDevice, m_before);
    key(Qt::Key_Z, Qt::ControlModifier | Qt::ShiftModifier);
    QVERIFY(page()->estimate().fits.value_or(false));
}

void TestWalkPlan::findTheLargestMicroBatch()
{
    LowerCard *card = page()->charts()->lower();
    QTabBar *tabs = card->tabs();
    int layouts = 0;
    while (layouts < tabs->count() && tabs->tabText(layouts) != u"Layouts")
        ++layouts;
    QVERIFY(layouts < tabs->count());
    click(*tabs, tabs->tabRect(layouts).center());
    LayoutsView *view = page()->layoutsView();
    QVERIFY(view->isVisible());
    QTRY_VERIFY(view->answer().has_value());
    const auto expected = largestThatFits(page()->plan(), *findField("batch.micro_batch"));
    QVERIFY(expected.ok() && expected->answer);
    QVERIFY2(view->sentence().contains(QString::number(expected->answer->value)),
             qPrintable(view->sentence()));
    if (view->applyButton()->isEnabled()) {
        click(*view->applyButton());
        QCOMPARE(page()->plan().batch.microBatch, std::optional(expected->answer->value));
    }
    QVERIFY(page()->estimate().fits.value_or(false));
}

void TestWalkPlan::pinAndTakeSixteenGpus()
{
    key(Qt::Key_P, Qt::ControlModifier | Qt::ShiftModifier);
    QTRY_COMPARE(page()->scenarios()->all().size(), std::size_t(1)); // the button moves first
    const Plan pinned = page()->plan();
    page()->form()->goTo("hardware.gpus");
    QApplication::processEvents();
    auto *box = page()->form()->row("hardware.gpus")->findChild<QLineEdit *>();
    click(*box);
    key(Qt::Key_A, Qt::ControlModifier);
    type(u"16"_s);
    key(Qt::Key_Return);
    QCOMPARE(page()->plan().hardware.gpus, std::optional<std::int64_t>(16));
    QVERIFY(page()->scenarios()->all().front().plan == pinned);
    // What was moved to the host is spread over twice the GPUs.
    QVERIFY(page()->estimate().peakDevice <=
            page()->scenarios()->all().front().estimate.peakDevice);
}

void TestWalkPlan::readTheWaterfall()
{
    QTabBar *tabs = page()->charts()->lower()->tabs();
    click(*tabs, tabs->tabRect(tabs->count() - 1).center());
    PlansCompareView *view = page()->compareView();
    QVERIFY(view->isVisible());
    view->from()->setCurrentIndex(
        view->from()->findText(page()->scenarios()->all().front().title(), Qt::MatchContains));
    Q_EMIT view->from()->activated(view->from()->currentIndex());
    QStringList fields;
    for (int at = 0; at < view->fields()->topLevelItemCount(); ++at)
        fields += view->fields()->topLevelItem(at)->text(0);
    QVERIFY2(fields.contains(u"GPUs"_s), qPrintable(fields.join(u", "_s)));
    for (const QSize size : {QSize(1100, 700), QSize(1500, 950)}) {
        m_window->resize(size);
        QApplication::processEvents();
        QVERIFY(m_window->grab().save(test::pictureFolder() +
                                      u"/walk-plan-%1.png"_s.arg(size.width())));
    }
}

void TestWalkPlan::save()
{
    m_name = m_folder.filePath(u"seventy.vramplan"_s);
    key(Qt::Key_S, Qt::ControlModifier);
    QVERIFY(!tab()->isModified());
    const auto written = readPlan(m_name.toStdString());
    QVERIFY(written.ok());
    QVERIFY(*written == page()->plan());
}

// A window that goes without being closed leaves what a killed program leaves (tst_recovery kills
// one).
void TestWalkPlan::endWithoutClosingAndRecover()
{
    page()->form()->goTo("batch.micro_batch");
    QApplication::processEvents();
    click(*page()->form()->row("batch.micro_batch")->findChild<QLineEdit *>());
    key(Qt::Key_A, Qt::ControlModifier);
    type(u"3"_s);
    key(Qt::Key_Return);
    const Plan edited = page()->plan();
    QCOMPARE(edited.batch.microBatch, std::optional<std::int64_t>(3));
    QVERIFY(tab()->isModified());
    const auto isKept = [&] {
        QDirIterator files(m_folder.filePath(u"unsaved"_s), {u"*.vramplan"_s}, QDir::Files,
                           QDirIterator::Subdirectories);
        while (files.hasNext()) {
            const auto copy = readPlan(files.next().toStdString());
            if (copy.ok() && *copy == edited)
                return true;
        }
        return false;
    };
    QTRY_VERIFY(isKept());
    m_window.reset();
    startProgram();
    m_window->recovery()->restore();
    QVERIFY(tab() && tab()->isModified());
    QVERIFY(page()->plan() == edited);
    QCOMPARE(tab()->path(), m_name);
}

VRAMSCOPE_TEST(TestWalkPlan)
#include "tst_walk_plan.moc"
