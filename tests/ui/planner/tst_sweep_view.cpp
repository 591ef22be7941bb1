// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/settings/plan_edit.h"
#include "tests/support/test.h"
#include "tests/ui/planner/sample_plan.h"
#include "ui/charts/column_chart.h"
#include "ui/planner/lower_card.h"
#include "ui/planner/number_box.h"
#include "ui/planner/plan_cards.h"
#include "ui/planner/plan_page.h"
#include "ui/planner/sweep_view.h"
#include "ui/support/text.h"

#include <QUndoStack>

#include <algorithm>
#include <cmath>

using namespace vramscope;
using namespace Qt::StringLiterals;
using test::samplePlan;

namespace {

/// A page whose sweep is in front.
std::unique_ptr<PlanPage> shownSweep(const Plan &plan)
{
    auto page = std::make_unique<PlanPage>();
    page->resize(1300, 900);
    page->show();
    page->charts()->lower()->setCurrentPage(page->sweepView());
    page->setPlan(plan, u"a plan"_s);
    return page;
}

QPointF middleOf(const SweepView &view, int column)
{
    return view.chart()->geometryOfColumns().slot(column).center();
}

} // namespace

class SweepViewTest : public test::Test
{
    Q_OBJECT

private Q_SLOTS:
    void everyColumnIsTheEstimateOfItsValue();
    void theSentenceIsTheAnswerOfTheSolver();
    void theCrossingStandsBetweenFittingAndNot();
    void aClickSetsTheFieldInOneStep();
    void keysWalkOverTheValuesAndTakeOne();
    void theRangeCanBeTyped();
    void gpusAreFollowedByDataParallelismAsInTheForm();
    void aRefusedValueSaysWhy();
    void everyFieldOfTheListCanBeSwept();
    void aRefusalOfTheSolverIsTheSentence();
    void aPlanWithErrorsHasNoAnswer();
    void servingIsSweptOverItsOwnFields();
    void aPipelineIsSweptOverItsOwnFields();
    void whatIsNotSeenIsNotComputed();
};

void SweepViewTest::everyColumnIsTheEstimateOfItsValue()
{
    const auto page = shownSweep(samplePlan());
    const SweepView &view = *page->sweepView();
    const std::vector<StackedColumn> &columns = view.chart()->content().columns;
    QVERIFY(columns.size() > 10 && columns.size() == view.points().size());
    for (std::size_t i = 0; i < columns.size(); ++i) {
        Plan plan = samplePlan();
        plan.batch.sequenceLength = std::llround(view.points()[i].value);
        const Estimate it = estimate(plan);
        QCOMPARE(columns[i].total(), it.peakDevice);
        QVERIFY(columns[i].parts == partBytes(it, it.peakMoment));
        const QString text = view.chart()->hoverText(middleOf(view, static_cast<int>(i)));
        QVERIFY(text.contains(countText(*plan.batch.sequenceLength)));
        QVERIFY(text.contains(u"bytes)"_s));
    }
    const int current = view.chart()->content().current.value_or(-1);
    QCOMPARE(view.points()[static_cast<std::size_t>(current)].value, 8192.0);
}

void SweepViewTest::theSentenceIsTheAnswerOfTheSolver()
{
    Plan plan = samplePlan();
    plan.batch.sequenceLength = 1024;
    const auto page = shownSweep(plan);
    for (const char *path : {"batch.sequence_length", "batch.micro_batch"}) {
        page->sweepView()->setField(test::field(path));
        const Result<ValueThatFits> largest = largestThatFits(plan, test::field(path));
        QVERIFY2(largest.ok(), largest.ok() ? "" : largest.error().detail.c_str());
        QVERIFY(largest->answer && largest->next);
        QVERIFY(page->sweepView()->sentence().contains(u"fits up to %1; %2 does not"_s.arg(
            countText(largest->answer->value), countText(largest->next->value))));
    }
}

void SweepViewTest::theCrossingStandsBetweenFittingAndNot()
{
    const auto page = shownSweep(samplePlan());
    const SweepView &view = *page->sweepView();
    const std::optional<int> crossing = view.chart()->content().crossing;
    QVERIFY(crossing && *crossing > 0);
    for (std::size_t i = 0; i < view.points().size(); ++i)
        QCOMPARE(view.points()[i].verdict == Verdict::Fits, static_cast<int>(i) < *crossing);
    for (std::size_t i = 0; i < view.points().size(); ++i)
        QCOMPARE(view.chart()->content().columns[i].verdict, view.points()[i].verdict);
}

void SweepViewTest::aClickSetsTheFieldInOneStep()
{
    const auto page = shownSweep(samplePlan());
    const SweepView &view = *page->sweepView();
    const SweepPoint point = view.points()[3];
    QTest::mouseClick(view.chart(), Qt::LeftButton, {}, middleOf(view, 3).toPoint());
    QCOMPARE(page->plan().batch.sequenceLength, std::optional<std::int64_t>(point.value));
    QCOMPARE(page->estimate().peakDevice, point.device);
    QCOMPARE(page->undoStack()->undoText(), u"sequence length"_s);
    QTest::mouseClick(view.chart(), Qt::LeftButton, {}, middleOf(view, 5).toPoint());
    QCOMPARE(page->undoStack()->count(), 2);
    page->undoStack()->setIndex(0);
    QVERIFY(page->plan() == samplePlan());
}

void SweepViewTest::keysWalkOverTheValuesAndTakeOne()
{
    const auto page = shownSweep(samplePlan());
    SweepView &view = *page->sweepView();
    QVERIFY(!view.chart()->accessibleName().isEmpty());
    const int current = *view.chart()->content().current;
    const double next = view.points()[static_cast<std::size_t>(current) + 1].value;
    QTest::keyClick(view.chart(), Qt::Key_Right);
    QTest::keyClick(view.chart(), Qt::Key_Return);
    QCOMPARE(page->plan().batch.sequenceLength, std::optional<std::int64_t>(next));
    QTest::keyClick(view.chart(), Qt::Key_Home);
    const double first = view.points().front().value;
    QTest::keyClick(view.chart(), Qt::Key_Return);
    QCOMPARE(page->plan().batch.sequenceLength, std::optional<std::int64_t>(first));
}

void SweepViewTest::theRangeCanBeTyped()
{
    const auto page = shownSweep(samplePlan());
    SweepView &view = *page->sweepView();
    QTest::keyClicks(view.fromBox(), u"4096"_s);
    QTest::keyClicks(view.toBox(), u"16384"_s);
    QCOMPARE(view.points().front().value, 4096.0);
    QCOMPARE(view.points().back().value, 16384.0);
    view.fromBox()->clear();
    view.setRange(std::nullopt, std::nullopt);
    QVERIFY(view.points().front().value < 4096);
    view.setRange(9000, 10); // the wrong way round: one value, no crash
    QCOMPARE(view.points().size(), std::size_t(1));
}

void SweepViewTest::gpusAreFollowedByDataParallelismAsInTheForm()
{
    const auto page = shownSweep(samplePlan());
    SweepView &view = *page->sweepView();
    view.setField(test::field("hardware.gpus"));
    int computed = 0;
    for (const SweepPoint &point : view.points()) {
        const Result<Plan> plan =
            editedPlan(samplePlan(), *view.field(), numberFor(*view.field(), point.value));
        QCOMPARE(point.device, estimate(*plan).peakDevice);
        computed += point.refused.empty() ? 1 : 0;
    }
    QVERIFY(computed > 3);
    QVERIFY(view.sentence().contains(u"of the values shown"_s));
}

void SweepViewTest::aRefusedValueSaysWhy()
{
    const auto page = shownSweep(samplePlan());
    SweepView &view = *page->sweepView();
    view.setField(test::field("parallel.tensor"));
    const auto refused = std::ranges::find_if(
        view.points(), [](const SweepPoint &point) { return !point.refused.empty(); });
    QVERIFY(refused != view.points().end());
    const auto column = static_cast<int>(refused - view.points().begin());
    QVERIFY(view.chart()->hoverText(middleOf(view, column)).size() > 30);
}

void SweepViewTest::everyFieldOfTheListCanBeSwept()
{
    const auto page = shownSweep(samplePlan());
    SweepView &view = *page->sweepView();
    QVERIFY(view.fieldBox()->count() > 15);
    for (int i = 0; i < view.fieldBox()->count(); ++i) {
        const std::string path = view.fieldBox()->itemData(i).toString().toStdString();
        view.setField(*findField(path));
        QVERIFY2(!view.sentence().isEmpty() && !view.points().empty(), path.c_str());
        QVERIFY2(view.points().size() <= 80, path.c_str());
        view.grab();
    }
}

void SweepViewTest::aRefusalOfTheSolverIsTheSentence()
{
    const auto page = shownSweep(samplePlan());
    SweepView &view = *page->sweepView();
    int refusals = 0;
    for (const char *path :
         {"activations.every", "batch.accumulation_steps", "parallel.bucket.overlap_comm",
          "overheads.cublas_workspace_bytes", "optimizer.state_bytes", "precision.reduce_bytes",
          "overheads.resident_bytes"}) {
        if (view.fieldBox()->findData(QString::fromLatin1(path)) < 0 ||
            test::field(path).kind == FieldKind::Number)
            continue;
        view.setField(test::field(path));
        const Result<ValueThatFits> answer = largestThatFits(samplePlan(), test::field(path));
        if (answer.ok())
            continue;
        QCOMPARE(view.sentence(), QString::fromStdString(answer.error().detail));
        ++refusals;
    }
    QVERIFY(refusals > 0);
}

void SweepViewTest::aPlanWithErrorsHasNoAnswer()
{
    Plan plan = samplePlan();
    plan.parallel.data = 3;
    const auto page = shownSweep(plan);
    QVERIFY(!page->estimate().computed);
    QVERIFY(page->sweepView()->sentence().contains(u"no figures"_s));
    page->sweepView()->grab();
}

void SweepViewTest::servingIsSweptOverItsOwnFields()
{
    Plan plan;
    plan.workload = Workload::Inference;
    plan.model.preset = "llama-3-8b";
    plan.hardware.gpu = "h100-sxm-80gb";
    const auto page = shownSweep(plan);
    const SweepView &view = *page->sweepView();
    QVERIFY(view.field()->path.text().starts_with("inference."));
    QVERIFY(view.fieldBox()->findData(u"batch.micro_batch"_s) < 0);
    for (const SweepPoint &point : view.points()) {
        Plan changed = plan;
        view.field()->set(changed, numberFor(*view.field(), point.value));
        QCOMPARE(point.device, estimate(changed).peakDevice);
    }
}

void SweepViewTest::aPipelineIsSweptOverItsOwnFields()
{
    Plan plan;
    plan.workload = Workload::Inference;
    plan.model.pipeline = "flux.1-dev";
    plan.hardware.gpu = "h100-sxm-80gb";
    const auto page = shownSweep(plan);
    const SweepView &view = *page->sweepView();
    QVERIFY(view.field()->path.text().starts_with("diffusion."));
    QVERIFY(!view.points().empty());
    QVERIFY(view.fieldBox()->findData(u"batch.sequence_length"_s) < 0);
}

void SweepViewTest::whatIsNotSeenIsNotComputed()
{
    PlanPage page;
    page.resize(1300, 900);
    page.show();
    page.setPlan(samplePlan(), {});
    QVERIFY(page.sweepView()->points().empty());
    page.charts()->lower()->setCurrentPage(page.sweepView());
    QVERIFY(!page.sweepView()->points().empty());
}

VRAMSCOPE_TEST(SweepViewTest)
#include "tst_sweep_view.moc"
