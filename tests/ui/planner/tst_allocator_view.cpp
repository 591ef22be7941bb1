// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/describe/allocator_tables.h"
#include "core/planned_requests/planned_reserve.h"
#include "core/simulator/recommendation.h"
#include "tests/support/test.h"
#include "tests/ui/planner/sample_plan.h"
#include "ui/models/data_table_model.h"
#include "ui/planner/allocator_view.h"
#include "ui/planner/lower_card.h"
#include "ui/planner/plan_cards.h"
#include "ui/planner/plan_page.h"
#include "ui/planner/plan_view.h"
#include "ui/support/exact_role.h"
#include "ui/support/setting_field.h"
#include "ui/support/text.h"
#include "ui/support/verdict_color.h"

#include <QAbstractItemModelTester>
#include <QClipboard>
#include <QGuiApplication>
#include <QLabel>
#include <QPushButton>
#include <QSignalSpy>
#include <QTableView>

#include <algorithm>

using namespace vramscope;
using namespace Qt::StringLiterals;
using test::samplePlan;

namespace {

const std::string kExpandable = "expandable_segments:True";

/// A page of a plan, with the settings of the allocator in front and simulated.
struct Shown
{
    explicit Shown(const Plan &plan = samplePlan())
    {
        page.resize(1500, 900);
        page.setPlan(plan, u"a plan"_s);
        QSignalSpy answers(&view, &AllocatorView::answered);
        page.show();
        page.showPlanView(PlanView::Allocator);
        if (!answers.wait(30'000))
            qFatal("Nothing was simulated.");
    }

    [[nodiscard]] QString cell(int row, int column) const
    {
        return view.model()->index(row, column).data().toString();
    }
    /// The configuration of the current row.
    [[nodiscard]] QString current() const
    {
        return toQString(view.reserves()
                             .reserves[view.model()->rowAt(view.table()->currentIndex().row())]
                             .configuration);
    }
    [[nodiscard]] bool shows(const QString &text) const
    {
        return std::ranges::any_of(view.findChildren<QLabel *>(), [&](const QLabel *label) {
            return label->isVisible() && label->text() == text;
        });
    }
    void chooseRow(const QString &name) const
    {
        for (int row = 0; row < view.table()->model()->rowCount(); ++row) {
            const QModelIndex at = view.table()->model()->index(row, AllocatorView::Setting);
            if (at.data().toString() == name)
                view.table()->setCurrentIndex(at);
        }
    }
    void type(const QString &own)
    {
        QSignalSpy answers(&view, &AllocatorView::answered);
        view.ownField()->setText(own);
        QTest::keyClick(view.ownField(), Qt::Key_Return);
        QVERIFY(answers.wait(30'000));
    }

    PlanPage page;
    AllocatorView &view = *page.allocatorView();
};

std::vector<PlannedReserve> expected(const Plan &plan, const AllocatorView &view)
{
    std::vector<std::string> configurations;
    for (const PlannedReserve &reserve : view.reserves().reserves)
        configurations.push_back(reserve.configuration);
    return plannedReserves(plan, configurations);
}

} // namespace

class AllocatorViewTest : public test::Test
{
    Q_OBJECT

private Q_SLOTS:
    void rowsShowWhatIsSimulatedForThePlan();
    void whereMemoryDoesNotSufficeItSaysWhen();
    void theFactorStandsBesideItWithBothErrors();
    void theSettingWorthAChangeIsNamedAndChosen();
    void anOwnSettingBecomesARowAndIsChosen();
    void anUnknownKeyIsNamedWhileItIsTypedAndInItsRow();
    void nothingIsSimulatedBeforeItIsSeen();
    void aNewPlanIsSimulatedAnewAndTheLatestWins();
    void theChosenSettingIsCopied();
    void rowsAreSortedByTheirFigures();
    void aPlanThatServesSaysWhyNothingIsSimulated();
    void aPlanWithErrorsNamesThem();
};

void AllocatorViewTest::rowsShowWhatIsSimulatedForThePlan()
{
    const Shown shown;
    const QAbstractItemModelTester tester(shown.view.model());
    const std::vector<PlannedReserve> reserves = expected(samplePlan(), shown.view);
    QVERIFY(reserves.size() > 5);
    QCOMPARE(shown.view.table()->model()->rowCount(), int(reserves.size()));
    QVERIFY(std::ranges::find(reserves, kExpandable, &PlannedReserve::configuration) !=
            reserves.end());
    QCOMPARE(shown.cell(0, AllocatorView::Setting), u"PyTorch's default"_s);
    const Bytes capacity = *allocatorCapacity(estimate(samplePlan()));
    for (int row = 0; row < int(reserves.size()); ++row) {
        const PlannedReserve &reserve = reserves[std::size_t(row)];
        const AllocatorFigures &figures = reserve.result.figures;
        if (row > 0)
            QCOMPARE(shown.cell(row, AllocatorView::Setting), toQString(reserve.configuration));
        QCOMPARE(shown.cell(row, AllocatorView::Reserved), bytesText(figures.peakReserved));
        QCOMPARE(shown.cell(row, AllocatorView::Word), verdictText(*reserve.verdict));
        for (const Bytes end : {reserve.low, reserve.high})
            QVERIFY(shown.cell(row, AllocatorView::Likely).contains(bytesText(end)));
        QCOMPARE(shown.cell(row, AllocatorView::Stranded),
                 bytesText(reserve.result.strandedAtPeak));
        QCOMPARE(shown.cell(row, AllocatorView::Segments), countText(reserve.segments()));
        QCOMPARE(shown.cell(row, AllocatorView::Retries), countText(figures.retries));
        QCOMPARE(shown.cell(row, AllocatorView::Where), toQString(whereText(reserve)));
        const QModelIndex reserved = shown.view.model()->index(row, AllocatorView::Reserved);
        QVERIFY(
            reserved.data(Qt::ToolTipRole).toString().contains(countText(figures.peakReserved)));
        QCOMPARE(shown.view.reserves().share(reserve).value_or(0),
                 double(figures.peakReserved) / double(capacity));
    }
}

void AllocatorViewTest::whereMemoryDoesNotSufficeItSaysWhen()
{
    Plan plan = samplePlan();
    plan.hardware.gpu = "rtx-4090";
    const Shown shown(plan);
    const PlannedReserve first = expected(plan, shown.view).front();
    QVERIFY(first.result.runsOut());
    QCOMPARE(shown.cell(0, AllocatorView::Where),
             u"out of memory at the "_s + toQString(first.outOfMemoryAt));
    QVERIFY(shown.cell(0, AllocatorView::Where).endsWith(u"first step"_s));
    QCOMPARE(shown.cell(0, AllocatorView::Word), u"does not fit"_s);
    const QString toolTip =
        shown.view.model()->index(0, AllocatorView::Reserved).data(Qt::ToolTipRole).toString();
    QVERIFY2(toolTip.contains(u"out of memory"_s), qPrintable(toolTip));
}

void AllocatorViewTest::theFactorStandsBesideItWithBothErrors()
{
    const Shown shown;
    const Estimate figures = estimate(samplePlan());
    const QString factor = factorText(samplePlan(), figures, ByteUnit::Binary);
    QVERIFY(shown.shows(factor));
    for (const Bytes bytes : {figures.peakReserved, figures.reservedLow, figures.reservedHigh})
        QVERIFY2(factor.contains(bytesText(bytes)), qPrintable(factor));
    const ReserveErrors errors = shippedReserveErrors();
    const QString why = whyFactorText(errors);
    QVERIFY(shown.shows(why));
    for (const double percent : {errors.factor.median, errors.factor.percentile95,
                                 errors.simulated.median, errors.simulated.percentile95})
        QVERIFY2(why.contains(toQString(formatNumber(percent, 3)) + u" %"_s), qPrintable(why));
}

void AllocatorViewTest::theSettingWorthAChangeIsNamedAndChosen()
{
    Plan larger = samplePlan();
    larger.parallel.strategy = Strategy::Fsdp1;  // FSDP2's factor promises nothing more
    larger.hardware.capacity = Bytes(200) << 30; // where nothing fits, nothing is worth a change
    Plan smaller = larger;
    smaller.batch.sequenceLength = 2048;
    QVERIFY(!Shown().view.reserves().best);
    for (const Plan &plan : {larger, smaller}) {
        const Shown shown(plan);
        const PlanReserves &found = shown.view.reserves();
        QVERIFY(found.best);
        const SimulationResult &now = found.reserves.front().result;
        const PlannedReserve &best = found.reserves[*found.best];
        QVERIFY(now.figures.peakReserved > best.result.figures.peakReserved);
        QCOMPARE(now.figures.peakReserved, estimate(plan).peakReserved);
        QVERIFY(!best.result.runsOut());
        const QString advice = reserveAdvice(found, ByteUnit::Binary);
        QVERIFY(shown.shows(advice));
        for (const QString &part :
             {toQString(best.configuration), bytesText(best.result.figures.peakReserved)})
            QVERIFY2(advice.contains(part), qPrintable(advice));
        QCOMPARE(shown.current(), toQString(best.configuration));
    }
}

void AllocatorViewTest::anOwnSettingBecomesARowAndIsChosen()
{
    Shown shown;
    const int rows = shown.view.model()->rowCount();
    const QString own = u"max_split_size_mb:64"_s;
    shown.type(own);
    QCOMPARE(shown.view.model()->rowCount(), rows + 1);
    QCOMPARE(shown.cell(rows, AllocatorView::Setting), own);
    const PlannedReserve last = expected(samplePlan(), shown.view).back();
    QVERIFY(shown.cell(rows, AllocatorView::Reserved)
                .endsWith(bytesText(last.result.figures.peakReserved)));
    QCOMPARE(shown.current(), own);
    shown.type(u"max_split_size_mb:128"_s); // one of the usual
    QCOMPARE(shown.view.model()->rowCount(), rows);
}

void AllocatorViewTest::anUnknownKeyIsNamedWhileItIsTypedAndInItsRow()
{
    Shown shown;
    const QString own = u"no_such_key:1,expandable_segments:True"_s;
    QTest::keyClicks(shown.view.ownField(), own);
    const QString problem = settingProblems(own.toStdString()).join(u'\n');
    QVERIFY(problem.contains(u"no_such_key"_s));
    QVERIFY(shown.shows(problem));
    shown.type(own);
    const int row = shown.view.model()->rowCount() - 1;
    const QModelIndex name = shown.view.model()->index(row, AllocatorView::Setting);
    QVERIFY(name.data(Qt::ToolTipRole).toString().contains(problem));
    shown.view.ownField()->clear();
    QVERIFY(!shown.shows(problem));
}

void AllocatorViewTest::nothingIsSimulatedBeforeItIsSeen()
{
    PlanPage page;
    page.resize(1500, 900);
    QSignalSpy answers(page.allocatorView(), &AllocatorView::answered);
    page.setPlan(samplePlan(), u"a plan"_s);
    page.show();
    QVERIFY(page.edit(*findField("batch.sequence_length"), std::int64_t(4096)).ok());
    QTest::qWait(50);
    QCOMPARE(answers.count(), 0);
    QCOMPARE(page.allocatorView()->model()->rowCount(), 0);
    page.showPlanView(PlanView::Allocator);
    QVERIFY(answers.wait(30'000));
    QCOMPARE(answers.count(), 1);
    page.showPlanView(PlanView::Step);
    QVERIFY(page.edit(*findField("batch.sequence_length"), std::int64_t(2048)).ok());
    QTest::qWait(50);
    QCOMPARE(answers.count(), 1);
    page.showPlanView(PlanView::Allocator);
    QVERIFY(answers.wait(30'000));
}

void AllocatorViewTest::aNewPlanIsSimulatedAnewAndTheLatestWins()
{
    Shown shown;
    shown.chooseRow(u"max_split_size_mb:256"_s);
    QSignalSpy answers(&shown.view, &AllocatorView::answered);
    for (const std::int64_t length : {1024, 2048, 4096})
        QVERIFY(shown.page.edit(*findField("batch.sequence_length"), length).ok());
    QVERIFY(answers.wait(30'000));
    QTest::qWait(50);
    QCOMPARE(answers.count(), 1);
    const PlannedReserve now = expected(shown.page.plan(), shown.view).front();
    QVERIFY(shown.cell(0, AllocatorView::Reserved)
                .endsWith(bytesText(now.result.figures.peakReserved)));
    QVERIFY(
        shown.shows(factorText(shown.page.plan(), estimate(shown.page.plan()), ByteUnit::Binary)));
    QCOMPARE(shown.view.table()->currentIndex().siblingAtColumn(0).data().toString(),
             u"max_split_size_mb:256"_s); // what was chosen stays so
}

void AllocatorViewTest::theChosenSettingIsCopied()
{
    const Shown shown;
    shown.chooseRow(u"max_split_size_mb:256"_s);
    shown.view.copyButton()->click();
    QCOMPARE(QGuiApplication::clipboard()->text(),
             u"PYTORCH_CUDA_ALLOC_CONF=max_split_size_mb:256"_s);
    shown.chooseRow(toQString(kExpandable));
    shown.view.copyButton()->click();
    QCOMPARE(QGuiApplication::clipboard()->text(),
             u"PYTORCH_CUDA_ALLOC_CONF=expandable_segments:True"_s);
    shown.chooseRow(u"PyTorch's default"_s);
    QVERIFY(!shown.view.copyButton()->isEnabled()); // it takes no setting
}

void AllocatorViewTest::rowsAreSortedByTheirFigures()
{
    const Shown shown;
    shown.view.table()->sortByColumn(AllocatorView::Reserved, Qt::AscendingOrder);
    qlonglong before = 0;
    for (int row = 0; row < shown.view.table()->model()->rowCount(); ++row) {
        const qlonglong here = shown.view.table()
                                   ->model()
                                   ->index(row, AllocatorView::Reserved)
                                   .data(kExactRole)
                                   .toLongLong();
        QVERIFY(here >= before);
        before = here;
    }
}

void AllocatorViewTest::aPlanThatServesSaysWhyNothingIsSimulated()
{
    Plan plan = samplePlan();
    plan.workload = Workload::Inference;
    plan.parallel.strategy.reset();
    const Shown shown(plan);
    QVERIFY2(shown.view.emptyText().contains(u"serving"_s), qPrintable(shown.view.emptyText()));
    QVERIFY(shown.shows(shown.view.emptyText()));
    QVERIFY(!shown.view.table()->isVisible());
}

void AllocatorViewTest::aPlanWithErrorsNamesThem()
{
    Plan plan = samplePlan();
    plan.model.preset = "nothing-of-the-kind";
    Shown shown(plan);
    QCOMPARE(shown.view.emptyText(), toQString(whyNotComputed(estimate(plan))));
    QVERIFY(shown.shows(shown.view.emptyText()));
    QSignalSpy answers(&shown.view, &AllocatorView::answered);
    shown.page.setPlan(samplePlan(), u"a plan"_s);
    QVERIFY(answers.wait(30'000));
    QVERIFY(shown.view.table()->isVisible());
}

VRAMSCOPE_TEST(AllocatorViewTest)
#include "tst_allocator_view.moc"
