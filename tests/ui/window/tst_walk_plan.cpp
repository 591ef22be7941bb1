// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/ask/new_plan.h"
#include "core/plan/plan_json.h"
#include "core/solver/fit_summary.h"
#include "core/solver/largest_value.h"
#include "core/solver/ways_to_fit.h"
#include "tests/ui/window/walk.h"
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
#include "ui/window/recovery.h"
#include "ui/window/start_page.h"

#include <QApplication>
#include <QDirIterator>
#include <QLineEdit>
#include <QPushButton>
#include <QScrollArea>
#include <QTabBar>
#include <QTreeView>
#include <QTreeWidget>
#include <QUndoStack>

using namespace vramscope;
using namespace Qt::StringLiterals;
using test::click;

/// A new user's way to a plan that fits: a large model on eight GPUs.
class TestWalkPlan : public test::Walk
{
    Q_OBJECT

private Q_SLOTS:
    void init() override;
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
    /// Begins with a plan, unsaved; it fits or does not.
    [[nodiscard]] bool startWith(const Plan &plan);
    [[nodiscard]] bool pinAndTake(const QString &gpus);
    void saveAs(const QString &name);
    [[nodiscard]] PlanPage *page() const { return qobject_cast<PlanPage *>(tab()->page()); }
    void chooseByTyping(std::string_view path, const QString &value);
    void enter(std::string_view path, const QString &value);

    QString m_name;
};

namespace {

/// What has been chosen at the beginning: a large model on eight GPUs, which it does not fit.
Plan largePlan()
{
    Plan plan = newPlan();
    plan.model.preset = "llama-3.1-70b";
    plan.hardware.gpu = "h200-sxm-141gb";
    return plan;
}

/// With the cheapest change that makes it fit.
Plan fittingPlan()
{
    const Plan plan = largePlan();
    return withFields(plan, waysToFit(plan).front().fields);
}

} // namespace

void TestWalkPlan::init()
{
    Walk::init();
    startProgram();
}

void TestWalkPlan::startProgram()
{
    Questions questions;
    questions.askForName = [this](const QString &) { return m_name; };
    questions.tell = [](const QString &text) { QFAIL(qPrintable(text)); };
    start({1500, 950}, std::move(questions));
}

bool TestWalkPlan::startWith(const Plan &plan)
{
    window().tabs()->startUnsaved(plan);
    return tab() && page() && page()->plan() == plan;
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

void TestWalkPlan::enter(std::string_view path, const QString &value)
{
    page()->form()->goTo(path);
    QApplication::processEvents();
    click(*page()->form()->row(path)->findChild<QLineEdit *>());
    key(Qt::Key_A, Qt::ControlModifier);
    type(value);
    key(Qt::Key_Return);
}

void TestWalkPlan::chooseModelAndGpu()
{
    key(Qt::Key_N, Qt::ControlModifier);
    chooseByTyping("model.preset", u"llama-3.1-70b"_s);
    QCOMPARE(page()->plan().model.preset, std::optional<std::string>("llama-3.1-70b"));
    chooseByTyping("hardware.gpu", u"h200-sxm-141gb"_s);
    QCOMPARE(page()->plan().hardware.gpu, std::optional<std::string>("h200-sxm-141gb"));
    QCOMPARE(page()->plan().hardware.gpus, std::optional<std::int64_t>(8));
    QVERIFY(tab()->isModified());
    QCOMPARE(page()->undoStack()->count(), 2);
    QVERIFY(page()->plan() == largePlan()); // with which the other functions begin
}

void TestWalkPlan::seeThatItDoesNotFitAndWhy()
{
    QVERIFY(startWith(largePlan()));
    const Estimate expected = estimate(page()->plan()); // what the command line prints
    QCOMPARE(page()->estimate().peakDevice, expected.peakDevice);
    QVERIFY(expected.fits && !*expected.fits);
    QVERIFY2(page()->answer()->headline().contains(u": does not fit, "),
             qPrintable(page()->answer()->headline()));

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
    QVERIFY(startWith(largePlan()));
    const Bytes before = page()->estimate().peakDevice;
    WaysList *ways = page()->ways();
    QTRY_VERIFY(!ways->ways().empty());
    const std::vector<WayToFit> expected = waysToFit(page()->plan());
    QCOMPARE(ways->ways().size(), expected.size());
    QCOMPARE(ways->ways().front().title, expected.front().title);
    QCOMPARE(expected.front().standing.verdict, Verdict::Fits);
    auto *all = ways->findChild<QToolButton *>();
    page()->breakdown()->ensureWidgetVisible(all);
    QApplication::processEvents();
    click(*all, all->rect().center());
    page()->breakdown()->ensureWidgetVisible(ways->list());
    QApplication::processEvents();
    click(*ways->list()->viewport(), ways->list()->visualItemRect(ways->list()->item(0)).center());
    QCOMPARE(page()->estimate().peakDevice, expected.front().standing.device);
    QVERIFY(page()->estimate().fits.value_or(false));
    QVERIFY(page()->answer()->headline().contains(u": fits, "));
    QCOMPARE(page()->undoStack()->undoText(), QString::fromStdString(expected.front().title));
    key(Qt::Key_Z, Qt::ControlModifier);
    QCOMPARE(page()->estimate().peakDevice, before);
    key(Qt::Key_Z, Qt::ControlModifier | Qt::ShiftModifier);
    QVERIFY(page()->estimate().fits.value_or(false));
}

void TestWalkPlan::findTheLargestMicroBatch()
{
    QVERIFY(startWith(fittingPlan()));
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

bool TestWalkPlan::pinAndTake(const QString &gpus)
{
    key(Qt::Key_P, Qt::ControlModifier | Qt::ShiftModifier);
    if (!waitFor(
            [this] { return page()->scenarios()->all().size() == 1; })) // the button moves first
        return false;
    enter("hardware.gpus", gpus);
    return true;
}

void TestWalkPlan::pinAndTakeSixteenGpus()
{
    const Plan pinned = fittingPlan();
    QVERIFY(startWith(pinned));
    QVERIFY(pinAndTake(u"16"_s));
    QCOMPARE(page()->plan().hardware.gpus, std::optional<std::int64_t>(16));
    QVERIFY(page()->scenarios()->all().front().plan == pinned);
    // What was moved to the host is spread over twice the GPUs.
    QVERIFY(page()->estimate().peakDevice <=
            page()->scenarios()->all().front().estimate.peakDevice);
}

void TestWalkPlan::readTheWaterfall()
{
    QVERIFY(startWith(fittingPlan()));
    QVERIFY(pinAndTake(u"16"_s));
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
        window().resize(size);
        QApplication::processEvents();
        look(u"plan-%1"_s.arg(size.width()));
    }
}

void TestWalkPlan::saveAs(const QString &name)
{
    m_name = inFolder(name);
    key(Qt::Key_S, Qt::ControlModifier);
    QVERIFY(!tab()->isModified());
}

void TestWalkPlan::save()
{
    QVERIFY(startWith(fittingPlan()));
    saveAs(u"seventy.vramplan"_s);
    const auto written = readPlan(m_name.toStdString());
    QVERIFY(written.ok());
    QVERIFY(*written == page()->plan());
}

// A window that goes without being closed leaves what a killed program leaves (tst_recovery kills
// one).
void TestWalkPlan::endWithoutClosingAndRecover()
{
    QVERIFY(startWith(fittingPlan()));
    saveAs(u"seventy.vramplan"_s);
    enter("batch.micro_batch", u"3"_s);
    const Plan edited = page()->plan();
    QCOMPARE(edited.batch.microBatch, std::optional<std::int64_t>(3));
    QVERIFY(tab()->isModified());
    const auto isKept = [&] {
        QDirIterator files(inFolder(u"unsaved"_s), {u"*.vramplan"_s}, QDir::Files,
                           QDirIterator::Subdirectories);
        while (files.hasNext()) {
            const auto copy = readPlan(files.next().toStdString());
            if (copy.ok() && *copy == edited)
                return true;
        }
        return false;
    };
    QTRY_VERIFY(isKept());
    startProgram();
    window().recovery()->restore();
    QVERIFY(tab() && tab()->isModified());
    QVERIFY(page()->plan() == edited);
    QCOMPARE(tab()->path(), m_name);
}

VRAMSCOPE_TEST(TestWalkPlan)
#include "tst_walk_plan.moc"
