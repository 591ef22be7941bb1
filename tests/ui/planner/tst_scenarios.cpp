// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/report/comparison_sections.h"
#include "core/report/html.h"
#include "core/settings/job_text.h"
#include "core/settings/settings.h"
#include "core/solver/stage_estimates.h"
#include "tests/support/test.h"
#include "tests/ui/planner/sample_plan.h"
#include "ui/charts/stacked_bar_chart.h"
#include "ui/charts/waterfall.h"
#include "ui/planner/breakdown_panel.h"
#include "ui/planner/field_row.h"
#include "ui/planner/form_search.h"
#include "ui/planner/lower_card.h"
#include "ui/planner/plan_bars.h"
#include "ui/planner/plan_cards.h"
#include "ui/planner/plan_form.h"
#include "ui/planner/plan_items.h"
#include "ui/planner/plan_page.h"
#include "ui/planner/plan_slides.h"
#include "ui/planner/plans_compare_view.h"
#include "ui/planner/scenario_bar.h"
#include "ui/planner/scenario_list.h"
#include "ui/planner/step_page.h"
#include "ui/support/theme.h"

#include <QApplication>
#include <QComboBox>
#include <QMenu>
#include <QToolButton>
#include <QTreeWidget>
#include <QUndoStack>

#include <numeric>
#include <random>

using namespace vramscope;
using namespace Qt::StringLiterals;
using test::samplePlan;

namespace {

QStringList barNames(const PlanPage &page)
{
    QStringList names;
    for (const StackedBar &bar : page.charts()->breakdown()->content().bars)
        names.append(bar.name);
    return names;
}

/// An action of a scenario's menu, chosen.
void choose(const PlanPage &page, std::size_t letter, qsizetype action)
{
    page.scenarioBar()->letters()[letter]->menu()->actions()[action]->trigger();
}

} // namespace

class ScenariosTest : public test::Test
{
    Q_OBJECT

private Q_SLOTS:
    void aPinnedPlanStaysBesideTheOneThatIsEdited();
    void comparedPlansAreCalledByTheirJobsOnce();
    void theSamePlanIsPinnedOnce();
    void theWayBackNamesTheBaselineAndItsValue();
    void theHeadsOfTheViewsFitASmallWindow();
    void noMoreThanEightArePinned();
    void aRemovedLetterIsUsedAgain();
    void aScenarioComesBackAsOneEdit();
    void changesAreMarkedAgainstTheBaseline();
    void aFieldGoesBackToTheBaseline();
    void removingTheBaselineLeavesThePlanAsOpened();
    void barsFarBeyondTheCapacityAreCutOff();
    void partsAreLeftOutOfTheBarsAndPutBack();
    void everyStageThatDiffersHasItsBar();
    void theStepsOfAWaterfallAddUp();
    void theComparisonGoesFromTheBaselineToThisPlan();
    void aClickInTheWaterfallSelectsThePart();
    void theWaterfallIsReachedByKeys();
    void aPlanWithoutFiguresSaysWhy();
    void theFieldsThatDifferAreListed();
};

/// On slides and in reports alike.
void ScenariosTest::comparedPlansAreCalledByTheirJobsOnce()
{
    const Plan plan = samplePlan();
    Plan other = plan;
    other.batch.microBatch = 2;
    const StagedPlan of{
        plan,
        estimate(plan),
        {{u'A', u"small"_s, plan, estimate(plan)}, {u'B', u"large"_s, other, estimate(other)}}};
    const std::string job = jobText(plan, *of.estimate.settings);
    const std::vector<PlanSide> sides = planSides(of);
    QCOMPARE(sides.size(), std::size_t(2));
    QCOMPARE(sides[1].job, toQString(job) + u" (large)"_s);
    QCOMPARE(sides[1].name, u"B "_s + sides[1].job);
    Report report;
    Plan first = plan;
    first.name = sides[0].pinned.toStdString();
    other.name = sides[1].pinned.toStdString();
    const Estimate large = estimate(other);
    const std::vector<PlanSubject> subjects{{first, of.estimate, "x.vramplan", 1},
                                            {other, large, "x.vramplan", 2}};
    addPlansComparison(report, subjects);
    const std::string page = htmlBlocks(report, [](const Figure &) { return std::string(); });
    for (const PlanSide &side : sides)
        QVERIFY2(page.find('>' + htmlText(side.job.toStdString()) + '<') != std::string::npos,
                 page.c_str());
}

void ScenariosTest::aPinnedPlanStaysBesideTheOneThatIsEdited()
{
    PlanPage page;
    page.setPlan(samplePlan(), {});
    page.scenarioBar()->pinButton()->click();
    const Bytes before = page.estimate().peakDevice;
    QVERIFY(page.edit(test::field("batch.micro_batch"), std::int64_t(2)).ok());
    page.scenarioBar()->pinButton()->click();
    QVERIFY(page.edit(test::field("batch.micro_batch"), std::int64_t(4)).ok());
    QCOMPARE(barNames(page),
             QStringList({u"This plan"_s, u"As opened"_s, u"A as opened"_s, u"B Micro-batch 2"_s}));
    QCOMPARE(page.charts()->breakdown()->content().bars[2].total(), before);
    QCOMPARE(page.scenarioBar()->letters().size(), std::size_t(2));
    page.scenarios()->rename(1, u"  twice   the batch "_s);
    QCOMPARE(barNames(page).last(), u"B twice the batch"_s);
}

void ScenariosTest::theSamePlanIsPinnedOnce()
{
    PlanPage page;
    page.setPlan(samplePlan(), {});
    page.show();
    page.pinScenario();
    QCOMPARE(page.scenarioBar()->notice(), QString());
    QCoreApplication::processEvents(); // the letter is shown
    page.pinScenario();
    QCOMPARE(page.scenarios()->all().size(), std::size_t(1));
    QCOMPARE(page.scenarioBar()->notice(), u"pinned already as A"_s);
    QCOMPARE(page.focusWidget(), page.scenarioBar()->letters().front());
    QVERIFY(page.edit(test::field("batch.micro_batch"), std::int64_t(2)).ok());
    QCOMPARE(page.scenarioBar()->notice(), QString());
}

void ScenariosTest::theWayBackNamesTheBaselineAndItsValue()
{
    PlanPage page;
    page.setPlan(samplePlan(), {});
    const auto *reset = page.form()->row("batch.micro_batch")->findChild<QToolButton *>();
    const auto *all = page.form()->head()->findChild<QToolButton *>();
    QVERIFY(page.edit(test::field("batch.micro_batch"), std::int64_t(2)).ok());
    QCOMPARE(reset->toolTip(), u"Back to the opened plan: 1"_s);
    QCOMPARE(all->toolTip(), u"Every setting back to the opened plan; can be undone"_s);
    page.pinScenario();
    page.scenarios()->setBaseline(0);
    QVERIFY(page.edit(test::field("batch.micro_batch"), std::int64_t(4)).ok());
    QCOMPARE(reset->toolTip(), u"Back to A: 2"_s);
    QCOMPARE(all->toolTip(), u"Every setting back to A; can be undone"_s);
    page.scenarios()->setBaseline(std::nullopt);
    QCOMPARE(reset->toolTip(), u"Back to the opened plan: 1"_s);
}

void ScenariosTest::theHeadsOfTheViewsFitASmallWindow()
{
    qApp->setStyleSheet(themeStyleSheet(lightTheme()));
    PlanPage page;
    page.setPlan(samplePlan(), {});
    page.pinScenario();
    page.scenarios()->rename(0, QString(200, u'n'));
    page.scenarios()->setBaseline(0);
    page.resize(1100, 700);
    page.show();
    // Both views have buttons that must not be cut off.
    for (QWidget *view : {static_cast<QWidget *>(page.charts()->step()),
                          static_cast<QWidget *>(page.compareView())}) {
        page.charts()->lower()->setCurrentPage(view);
        QCoreApplication::processEvents();
        for (const auto *one : view->findChildren<QWidget *>(Qt::FindDirectChildrenOnly)) {
            if (!one->isVisible())
                continue;
            QVERIFY2(view->rect().contains(one->geometry()), one->metaObject()->className());
            const QString what = u"%1 %2: %3 of %4"_s.arg(
                QLatin1StringView(one->metaObject()->className()), one->property("text").toString(),
                QString::number(one->width()), QString::number(one->minimumSizeHint().width()));
            QTRY_VERIFY2_WITH_TIMEOUT(one->width() >= one->minimumSizeHint().width(),
                                      qPrintable(what), 1000);
        }
    }
    const QComboBox *to = page.compareView()->to();
    QVERIFY(to->width() > to->fontMetrics().horizontalAdvance(to->currentText()) + 30);
    QCOMPARE(page.compareView()->from()->toolTip(), page.scenarios()->baselineTitle());
    qApp->setStyleSheet({});
}

void ScenariosTest::noMoreThanEightArePinned()
{
    PlanPage page;
    page.setPlan(samplePlan(), {});
    for (int batch = 1; batch <= 12; ++batch) {
        QVERIFY(page.edit(test::field("batch.micro_batch"), std::int64_t(batch)).ok());
        page.pinScenario();
    }
    QCOMPARE(page.scenarios()->all().size(), ScenarioList::kMost);
    QVERIFY(!page.scenarioBar()->pinButton()->isEnabled());
    choose(page, 0, 3);
    QVERIFY(page.scenarioBar()->pinButton()->isEnabled());
}

void ScenariosTest::aRemovedLetterIsUsedAgain()
{
    PlanPage page;
    page.setPlan(samplePlan(), {});
    for (int batch = 1; batch <= 3; ++batch) {
        QVERIFY(page.edit(test::field("batch.micro_batch"), std::int64_t(batch)).ok());
        page.pinScenario();
    }
    choose(page, 1, 3);
    QVERIFY(page.edit(test::field("batch.micro_batch"), std::int64_t(7)).ok());
    page.pinScenario();
    QCOMPARE(page.scenarios()->all()[1].letter, QChar(u'B'));
    QCOMPARE(page.scenarios()->all()[1].plan.batch.microBatch, std::optional<std::int64_t>(7));
}

void ScenariosTest::aScenarioComesBackAsOneEdit()
{
    PlanPage page;
    page.setPlan(samplePlan(), {});
    page.pinScenario();
    QVERIFY(page.edit(test::field("batch.micro_batch"), std::int64_t(2)).ok());
    QVERIFY(page.edit(test::field("activations.checkpointing"), std::string("full")).ok());
    const Plan edited = page.plan();
    choose(page, 0, 0);
    QVERIFY(page.plan() == samplePlan());
    QCOMPARE(page.undoStack()->undoText(), u"scenario A"_s);
    page.undoStack()->undo();
    QVERIFY(page.plan() == edited);
}

void ScenariosTest::changesAreMarkedAgainstTheBaseline()
{
    PlanPage page;
    page.setPlan(samplePlan(), {});
    QVERIFY(page.edit(test::field("batch.micro_batch"), std::int64_t(2)).ok());
    const FieldRow *row = page.form()->row("batch.micro_batch");
    QVERIFY(row->isChanged());
    page.pinScenario();
    choose(page, 0, 1);
    QCOMPARE(page.scenarios()->baseline(), std::optional<std::size_t>(0));
    QVERIFY(!row->isChanged());
    QVERIFY(!barNames(page).contains(u"As opened"_s));
    QVERIFY(page.edit(test::field("batch.micro_batch"), std::int64_t(1)).ok());
    QVERIFY(row->isChanged());
    choose(page, 0, 1); // again: against the plan as opened
    QVERIFY(!page.scenarios()->baseline());
}

void ScenariosTest::aFieldGoesBackToTheBaseline()
{
    PlanPage page;
    page.setPlan(samplePlan(), {});
    QVERIFY(page.edit(test::field("batch.micro_batch"), std::int64_t(2)).ok());
    page.pinScenario();
    page.scenarios()->setBaseline(0);
    QVERIFY(page.edit(test::field("batch.micro_batch"), std::int64_t(8)).ok());
    Q_EMIT page.form()->resetWanted(test::field("batch.micro_batch"));
    QCOMPARE(page.plan().batch.microBatch, std::optional<std::int64_t>(2));
}

void ScenariosTest::removingTheBaselineLeavesThePlanAsOpened()
{
    PlanPage page;
    page.setPlan(samplePlan(), {});
    QVERIFY(page.edit(test::field("batch.micro_batch"), std::int64_t(2)).ok());
    page.pinScenario();
    page.scenarios()->setBaseline(0);
    page.scenarios()->remove(0);
    QVERIFY(page.scenarios()->baselinePlan() == samplePlan());
    QVERIFY(page.form()->row("batch.micro_batch")->isChanged());
}

void ScenariosTest::barsFarBeyondTheCapacityAreCutOff()
{
    StackedBarChart chart(Qt::Horizontal);
    chart.resize(800, 300);
    chart.show();
    StackedBars bars;
    bars.capacity = 80 * kGiB;
    bars.bars = {{u"This plan"_s, {60 * kGiB}}, {u"A"_s, {400 * kGiB}}};
    chart.setContent(bars);
    QVERIFY(chart.geometryOfBars().range < double(200 * kGiB));
    QVERIFY(chart.geometryOfBars().range > double(80 * kGiB));
    bars.bars = {{u"This plan"_s, {400 * kGiB}}, {u"A"_s, {60 * kGiB}}};
    chart.setContent(bars);
    QVERIFY(chart.geometryOfBars().range >= double(400 * kGiB));
}

void ScenariosTest::partsAreLeftOutOfTheBarsAndPutBack()
{
    StackedBarChart chart(Qt::Horizontal);
    chart.resize(800, 300);
    chart.setLegendVisible(true);
    chart.show();
    StackedBars bars;
    bars.bars = {{u"This plan"_s, {60 * kGiB, 5 * kGiB}}, {u"A"_s, {30 * kGiB, 7 * kGiB}}};
    chart.setContent(bars);
    connect(&chart, &StackedBarChart::partClicked, &chart, &StackedBarChart::setSelectedPart);
    QTest::keyClick(&chart, Qt::Key_Right);
    QCOMPARE(chart.selectedPart(), std::optional<std::size_t>(0));
    QTest::keyClick(&chart, Qt::Key_H);
    QCOMPARE(chart.shown().bars[0].parts[0], Bytes(0));
    QCOMPARE(chart.shown().bars[0].parts[1], 5 * kGiB);
    QVERIFY(chart.geometryOfBars().range < double(30 * kGiB));
    QVERIFY(chart.content() == bars); // what is shown is all there
    QTest::keyClick(&chart, Qt::Key_H);
    QCOMPARE(chart.shown().bars[0].parts[0], 60 * kGiB);
}

void ScenariosTest::everyStageThatDiffersHasItsBar()
{
    Plan plan = samplePlan();
    plan.parallel.pipeline = 4;
    plan.parallel.data = 2;
    plan.parallel.strategy = Strategy::Megatron;
    plan.precision.regime = Regime::MegatronBf16;
    plan.batch.accumulationSteps = 8;
    const Estimate figures = estimate(plan);
    QVERIFY2(figures.computed, whyNotComputed(figures).c_str());
    QCOMPARE(figures.stages.size(), std::size_t(4));
    const std::vector<StageEstimate> stages = stageEstimates(plan, figures);
    QVERIFY(stages.size() >= 2);
    QCOMPARE(stages.front().estimate.peakAllocated, figures.stages.front());
    QCOMPARE(stages.back().estimate.peakAllocated, figures.stages.back());
    PlanPage page;
    page.setPlan(plan, {});
    QCOMPARE(page.charts()->breakdown()->content().bars.size(), stages.size() + 1);
    QVERIFY(stageEstimates(samplePlan(), estimate(samplePlan())).empty());
}

void ScenariosTest::theStepsOfAWaterfallAddUp()
{
    std::mt19937_64 random(3);
    for (int round = 0; round < 200; ++round) {
        PartBytes from{};
        PartBytes to{};
        for (std::size_t part = 0; part < kPartCount; ++part) {
            from[part] = random() % 3 ? Bytes(random() % (1ULL << 40)) : 0;
            to[part] = random() % 3 ? Bytes(random() % (1ULL << 40)) : from[part];
        }
        const auto bars = waterfall(u"A"_s, from, u"B"_s, to);
        const Bytes first = std::accumulate(from.begin(), from.end(), Bytes(0));
        const Bytes last = std::accumulate(to.begin(), to.end(), Bytes(0));
        QCOMPARE(bars.front().to, first);
        QCOMPARE(bars.back().to, last);
        Bytes level = first;
        for (std::size_t bar = 1; bar + 1 < bars.size(); ++bar) {
            QCOMPARE(bars[bar].from, level);
            QCOMPARE(bars[bar].change(), to[*bars[bar].part] - from[*bars[bar].part]);
            QVERIFY(bars[bar].change() != 0);
            level += bars[bar].change();
        }
        QCOMPARE(level, last);
    }
}

void ScenariosTest::theComparisonGoesFromTheBaselineToThisPlan()
{
    PlanPage page;
    page.resize(1400, 900);
    page.setPlan(samplePlan(), {});
    page.show();
    PlansCompareView *view = page.compareView();
    page.charts()->lower()->setCurrentPage(view);
    const Bytes opened = page.estimate().peakAllocated;
    QVERIFY(page.edit(test::field("batch.micro_batch"), std::int64_t(2)).ok());
    QCOMPARE(view->chart()->bars().front().to, opened);
    QCOMPARE(view->chart()->bars().back().to, page.estimate().peakAllocated);
    QVERIFY(view->chart()->label(1).startsWith(u'+'));
    QVERIFY(view->chart()->hoverText(view->chart()->row(1).center()).contains(u" bytes)"_s));
    view->setDeviceLevel(true);
    QCOMPARE(view->chart()->bars().back().to, page.estimate().peakDevice);
    page.setUnit(ByteUnit::Decimal);
    QVERIFY(view->chart()->label(0).endsWith(u" GB"_s));
    page.pinScenario();
    page.scenarios()->setBaseline(0);
    QCOMPARE(view->chart()->bars().size(), std::size_t(2)); // nothing differs
    view->from()->setCurrentIndex(view->from()->findText(u"As opened"_s));
    Q_EMIT view->from()->activated(view->from()->currentIndex());
    QVERIFY(view->chart()->bars().size() > 2);
}

void ScenariosTest::aClickInTheWaterfallSelectsThePart()
{
    PlanPage page;
    page.resize(1400, 900);
    page.setPlan(samplePlan(), {});
    page.show();
    page.charts()->lower()->setCurrentPage(page.compareView());
    QVERIFY(page.edit(test::field("batch.micro_batch"), std::int64_t(2)).ok());
    WaterfallChart *chart = page.compareView()->chart();
    const int bar = int(chart->bars().size()) - 2;
    QTest::mouseClick(chart, Qt::LeftButton, {}, chart->row(bar).center().toPoint());
    QVERIFY(page.breakdown()->selection() == PartKey({*chart->bars()[std::size_t(bar)].part, {}}));
}

void ScenariosTest::theWaterfallIsReachedByKeys()
{
    WaterfallChart chart;
    chart.resize(500, 300);
    chart.setBars(waterfall(u"A"_s, {kGiB, 2 * kGiB}, u"B"_s, {3 * kGiB, kGiB}), {});
    chart.show();
    std::optional<std::size_t> part;
    connect(&chart, &WaterfallChart::partClicked, this, [&](std::size_t one) { part = one; });
    QTest::keyClick(&chart, Qt::Key_Down);
    QTest::keyClick(&chart, Qt::Key_Return);
    QVERIFY(!part); // a total is no part
    QTest::keyClick(&chart, Qt::Key_Down);
    QTest::keyClick(&chart, Qt::Key_Return);
    QCOMPARE(part, std::optional<std::size_t>(0));
    QCOMPARE(chart.accessibleDescription(), u"Parameters +2.00 GiB"_s);
}

void ScenariosTest::aPlanWithoutFiguresSaysWhy()
{
    PlanPage page;
    page.resize(1400, 900);
    page.setPlan(samplePlan(), {});
    page.show();
    page.charts()->lower()->setCurrentPage(page.compareView());
    page.pinScenario();
    QVERIFY(page.edit(test::field("parallel.tensor"), std::int64_t(3)).ok());
    QVERIFY(page.compareView()->chart()->bars().empty());
    page.pinScenario(); // one without figures says so
    QCOMPARE(barNames(page).last(), page.scenarios()->all()[1].title() + u", no figures"_s);
    QCOMPARE(page.charts()->breakdown()->content().bars.back().total(), Bytes(0));
    QVERIFY(barNames(page).contains(u"A as opened"_s)); // the others stay
}

void ScenariosTest::theFieldsThatDifferAreListed()
{
    Plan other = samplePlan();
    other.batch.microBatch = 1; // the default, stated
    QVERIFY(differingFields(samplePlan(), resolve(samplePlan()).settings, other,
                            resolve(other).settings, ByteUnit::Binary)
                .empty());
    other.batch.microBatch = 4;
    other.activations.checkpointing = Checkpointing::Full;
    const auto differences = differingFields(samplePlan(), resolve(samplePlan()).settings, other,
                                             resolve(other).settings, ByteUnit::Binary);
    QCOMPARE(differences.size(), std::size_t(2));
    QCOMPARE(differences[0].field->path, std::string_view("batch.micro_batch"));
    QCOMPARE(differences[0].before, u"1"_s);
    QCOMPARE(differences[0].after, u"4"_s);
}

VRAMSCOPE_TEST(ScenariosTest)
#include "tst_scenarios.moc"
