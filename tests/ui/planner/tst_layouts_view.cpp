// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/support/test.h"
#include "tests/ui/planner/sample_plan.h"
#include "ui/charts/trade_chart.h"
#include "ui/document/document_page.h"
#include "ui/planner/layouts_view.h"
#include "ui/planner/lower_card.h"
#include "ui/planner/plan_cards.h"
#include "ui/planner/plan_document.h"
#include "ui/planner/plan_page.h"
#include "ui/support/choice_table.h"
#include "ui/support/text.h"

#include <QPushButton>
#include <QSignalSpy>
#include <QUndoStack>

using namespace vramscope;
using namespace Qt::StringLiterals;

namespace {

Plan layoutsPlan()
{
    Plan plan = test::samplePlan();
    plan.batch.sequenceLength = 2048;
    return plan;
}

/// A page whose layouts are in front, with the first question answered.
std::unique_ptr<PlanPage> shownLayouts(const Plan &plan)
{
    auto page = std::make_unique<PlanPage>();
    page->resize(1500, 900);
    page->setPlan(plan, u"a plan"_s);
    page->show();
    page->charts()->lower()->setCurrentPage(page->layoutsView());
    return page;
}

bool answered(const LayoutsView &view)
{
    return QTest::qWaitFor([&] { return view.answer().has_value(); }, 30'000);
}

Result<Fit> asked(const Plan &plan, std::vector<std::string_view> vary)
{
    return fit(plan, vary, 200);
}

} // namespace

class LayoutsViewTest : public test::Test
{
    Q_OBJECT

private Q_SLOTS:
    void theLargestBatchIsThatOfTheSolverAndIsApplied();
    void theLongestSequenceNamesTheStepThatDoesNotFit();
    void theFewestGpusBringTheirLayoutAlong();
    void layoutsAreThoseOfTheSolver();
    void everyLayoutLeadsToWhatTheSolverWeighed();
    void whereNoneFitsTheNearestAreShown();
    void chartAndTableSelectTheSameLayout();
    void keysWalkOverTheChartAndTakeALayout();
    void theLastQuestionWins();
    void aNewPlanIsAskedAnew();
    void withoutAnEventLoopItIsAnsweredAtOnce();
    void cancellingSaysSo();
    void withoutAGpuItSaysWhatToDoInTheWindow();
    void aRefusalIsShownAsItIs();
    void servingHasItsOwnQuestions();
};

void LayoutsViewTest::theLargestBatchIsThatOfTheSolverAndIsApplied()
{
    const auto page = shownLayouts(layoutsPlan());
    LayoutsView &view = *page->layoutsView();
    QVERIFY(answered(view));
    const Result<Fit> expected = asked(layoutsPlan(), {"batch.micro_batch"});
    const auto &found = std::get<ValueThatFits>(expected->found);
    QVERIFY(view.sentence().contains(
        u"Micro-batch: the largest that fits is %1"_s.arg(countText(found.answer->value))));
    QVERIFY(view.sentence().contains(countText(found.next->value)));
    view.applyButton()->click();
    QCOMPARE(page->plan().batch.microBatch, std::optional(found.answer->value));
    QCOMPARE(page->estimate().peakDevice, found.answer->standing->device);
    QVERIFY(page->undoStack()->undoText().startsWith(u"Micro-batch"_s));
    page->undoStack()->undo();
    QVERIFY(page->plan() == layoutsPlan());
}

void LayoutsViewTest::theLongestSequenceNamesTheStepThatDoesNotFit()
{
    const auto page = shownLayouts(layoutsPlan());
    LayoutsView &view = *page->layoutsView();
    view.ask(LayoutsView::Length);
    QVERIFY(answered(view));
    const Result<Fit> expected = asked(layoutsPlan(), {"batch.sequence_length"});
    const auto &found = std::get<ValueThatFits>(expected->found);
    QVERIFY(view.sentence().contains(countText(found.answer->value)));
    QVERIFY(view.sentence().contains(countText(found.next->value)));
    QVERIFY(view.sentence().contains(u"Step: 64"_s));
}

void LayoutsViewTest::theFewestGpusBringTheirLayoutAlong()
{
    const auto page = shownLayouts(layoutsPlan());
    LayoutsView &view = *page->layoutsView();
    view.ask(LayoutsView::Gpus);
    QVERIFY(answered(view));
    const Result<Fit> expected = asked(layoutsPlan(), {"hardware.gpus"});
    const auto &found = std::get<FewestGpus>(expected->found);
    QVERIFY(found.gpus && *found.gpus < 8);
    view.applyButton()->click();
    QCOMPARE(page->plan().hardware.gpus, found.gpus);
    QCOMPARE(page->estimate().peakDevice, found.layout->standing.device);
    QCOMPARE(page->undoStack()->count(), 1);
}

void LayoutsViewTest::whereNoneFitsTheNearestAreShown()
{
    Plan plan = layoutsPlan();
    plan.hardware.capacity = Bytes(3) << 30;
    const auto page = shownLayouts(plan);
    LayoutsView &view = *page->layoutsView();
    view.ask(LayoutsView::Best);
    QVERIFY(answered(view));
    const Result<Fit> expected = asked(plan, {"parallel", "activations.checkpointing"});
    const auto &found = std::get<Layouts>(expected->found);
    QVERIFY(found.best.empty() && found.nearest.size() == 5);
    QVERIFY(view.sentence().contains(u"None of "_s));
    QVERIFY2(view.sentence().contains(QString::fromStdString(found.held)),
             qPrintable(view.sentence()));
    QCOMPARE(view.table()->topLevelItemCount(), 5);
    QVERIFY(view.table()->isVisible());
}

void LayoutsViewTest::layoutsAreThoseOfTheSolver()
{
    const auto page = shownLayouts(layoutsPlan());
    LayoutsView &view = *page->layoutsView();
    view.ask(LayoutsView::Best);
    QVERIFY(answered(view));
    const Result<Fit> expected = asked(layoutsPlan(), {"parallel", "activations.checkpointing"});
    const auto &found = std::get<Layouts>(expected->found);
    QVERIFY(found.best.size() > 3);
    QVERIFY(view.sentence().contains(u"%1 of %2 possible layouts fit"_s.arg(
        countText(found.fitting), countText(found.evaluated))));
    QCOMPARE(view.table()->topLevelItemCount(), static_cast<int>(found.best.size()));
    QCOMPARE(view.chart()->content().points.size(), found.best.size());
    for (std::size_t i = 0; i < found.best.size(); ++i) {
        const TradePoint &point = view.chart()->content().points[i];
        QCOMPARE(point.bytes, found.best[i].standing.device);
        QCOMPARE(point.cost, static_cast<double>(found.best[i].communicationBytes));
    }
}

void LayoutsViewTest::everyLayoutLeadsToWhatTheSolverWeighed()
{
    Plan plan = layoutsPlan();
    plan.parallel.pipeline = 2;
    plan.parallel.data = 4;
    plan.parallel.layersPerStage = CountList{15, 17}; // of two stages only
    const auto page = shownLayouts(plan);
    LayoutsView &view = *page->layoutsView();
    view.ask(LayoutsView::Best);
    QVERIFY(answered(view));
    const std::vector<Layout> best = std::get<Layouts>(view.answer()->value().found).best;
    QVERIFY(best.size() > 3);
    for (std::size_t i = 0; i < best.size(); ++i) {
        QVERIFY(answered(view));
        view.selectLayout(i);
        const Plan before = page->plan();
        view.applyButton()->click();
        QCOMPARE(page->estimate().peakDevice, best[i].standing.device);
        if (page->undoStack()->canUndo())
            page->undoStack()->undo();
        QVERIFY(page->plan() == before);
    }
}

void LayoutsViewTest::chartAndTableSelectTheSameLayout()
{
    const auto page = shownLayouts(layoutsPlan());
    LayoutsView &view = *page->layoutsView();
    view.ask(LayoutsView::Best);
    QVERIFY(answered(view));
    const std::size_t last = view.chart()->content().points.size() - 1;
    QCoreApplication::processEvents();
    const std::optional<std::size_t> there = view.chart()->pointAt(view.chart()->positionOf(last));
    QVERIFY(there);
    QTest::mouseClick(view.chart(), Qt::LeftButton, {}, view.chart()->positionOf(last).toPoint());
    QCOMPARE(view.table()->selected(), view.chart()->selected());
    QVERIFY(view.table()->selected());
    view.table()->sortItems(1, Qt::DescendingOrder);
    view.table()->setCurrentItem(view.table()->topLevelItem(0));
    QCOMPARE(view.chart()->selected(), view.table()->selected());
    Bytes largest = 0;
    for (const TradePoint &point : view.chart()->content().points)
        largest = std::max(largest, point.bytes);
    QCOMPARE(view.chart()->content().points[*view.chart()->selected()].bytes, largest);
}

void LayoutsViewTest::keysWalkOverTheChartAndTakeALayout()
{
    const auto page = shownLayouts(layoutsPlan());
    LayoutsView &view = *page->layoutsView();
    QVERIFY(!view.chart()->accessibleName().isEmpty() && !view.table()->accessibleName().isEmpty());
    view.ask(LayoutsView::Best);
    QVERIFY(answered(view));
    const std::vector<Layout> best = std::get<Layouts>(view.answer()->value().found).best;
    // As in every chart of points, each key leads to the next point in its direction.
    const auto here = [&] { return view.chart()->positionOf(*view.chart()->selected()); };
    const auto walk = [&](Qt::Key on, Qt::Key back, auto isOnward) {
        while (view.chart()->selected() != std::nullopt) {
            const auto before = view.chart()->selected();
            QTest::keyClick(view.chart(), back);
            if (view.chart()->selected() == before)
                break; // the first
        }
        for (std::size_t step = 1; step < best.size(); ++step) {
            const QPointF left = here();
            const auto before = view.chart()->selected();
            QTest::keyClick(view.chart(), on);
            QVERIFY(view.chart()->selected() != before);
            QVERIFY(isOnward(left, here()));
        }
    };
    walk(Qt::Key_Right, Qt::Key_Left, [](QPointF from, QPointF to) { return to.x() >= from.x(); });
    walk(Qt::Key_Up, Qt::Key_Down, [](QPointF from, QPointF to) { return to.y() <= from.y(); });
    QTest::keyClick(view.chart(), Qt::Key_Return);
    const std::size_t taken = *view.chart()->selected();
    QCOMPARE(page->estimate().peakDevice, best[taken].standing.device);
    QCOMPARE(page->undoStack()->undoText(),
             u"Layout %1"_s.arg(QChar(u'A' + static_cast<int>(taken))));
}

void LayoutsViewTest::theLastQuestionWins()
{
    const auto page = shownLayouts(layoutsPlan());
    LayoutsView &view = *page->layoutsView();
    QSignalSpy answers(&view, &LayoutsView::answered);
    for (const auto question : {LayoutsView::Best, LayoutsView::Batch, LayoutsView::Best,
                                LayoutsView::Gpus, LayoutsView::Length})
        view.ask(question);
    QVERIFY(answered(view));
    QTest::qWait(50);
    QCOMPARE(answers.count(), 1);
    QCOMPARE(view.answer()->value().vary.front(), std::string_view("batch.sequence_length"));
}

void LayoutsViewTest::aNewPlanIsAskedAnew()
{
    const auto page = shownLayouts(layoutsPlan());
    LayoutsView &view = *page->layoutsView();
    QVERIFY(answered(view));
    const QString before = view.sentence();
    QVERIFY(page->edit(*findField("batch.sequence_length"), std::int64_t(4096)).ok());
    QVERIFY(!view.applyButton()->isEnabled()); // the answer that stands is of another plan
    QVERIFY(answered(view));
    QVERIFY(view.sentence() != before);
}

// As a picture that is written needs it, with the question that stands in the window.
void LayoutsViewTest::withoutAnEventLoopItIsAnsweredAtOnce()
{
    const auto page = shownLayouts(layoutsPlan());
    LayoutsView &view = *page->layoutsView();
    view.ask(LayoutsView::Gpus);
    QVERIFY(!view.answer());
    workNow(*page);
    QVERIFY(view.answer());
    QVERIFY(!view.isRunning());
    const QString found = view.sentence();
    QTest::qWait(50); // what was looked for on a thread comes to nothing
    QCOMPARE(view.sentence(), found);
    const Result<Fit> expected = asked(layoutsPlan(), {"hardware.gpus"});
    QCOMPARE(found, fitSentence(*expected, ByteUnit::Binary));

    const auto document = planDocument(layoutsPlan());
    const auto first = document->makePage(u"a plan"_s, {}, nullptr);
    first->planEditing()->showPlanView(PlanView::Layouts);
    first->findChild<LayoutsView *>()->ask(LayoutsView::Gpus);
    const auto second = document->makePage(u"a plan"_s, {}, nullptr);
    second->restore(first->chosen(nullptr));
    QCOMPARE(second->findChild<LayoutsView *>()->question(), LayoutsView::Gpus);
}

void LayoutsViewTest::cancellingSaysSo()
{
    const auto page = shownLayouts(layoutsPlan());
    LayoutsView &view = *page->layoutsView();
    view.ask(LayoutsView::Best);
    view.cancel();
    QVERIFY(view.sentence().contains(u"stopped"_s));
    QTest::qWait(50);
    QVERIFY(view.sentence().contains(u"stopped"_s));
    view.ask(LayoutsView::Batch);
    QVERIFY(answered(view));
    QVERIFY(view.answer()->ok());
}

void LayoutsViewTest::withoutAGpuItSaysWhatToDoInTheWindow()
{
    Plan plan = layoutsPlan();
    plan.hardware.gpu.reset();
    const auto page = shownLayouts(plan);
    QVERIFY(answered(*page->layoutsView()));
    QVERIFY(page->layoutsView()->sentence().contains(u"choose a GPU under Hardware"_s));
    QVERIFY(!page->layoutsView()->sentence().contains(u"vramscope-cli"_s));
}

void LayoutsViewTest::aRefusalIsShownAsItIs()
{
    Plan plan = layoutsPlan();
    plan.model.preset = "nothing-of-the-kind";
    const auto page = shownLayouts(plan);
    LayoutsView &view = *page->layoutsView();
    QVERIFY(answered(view));
    const Result<Fit> expected = asked(plan, {"batch.micro_batch"});
    QVERIFY(!expected.ok());
    QCOMPARE(view.sentence(), toQString(expected.error().detail).toHtmlEscaped());
    QVERIFY(!view.applyButton()->isVisible());
}

void LayoutsViewTest::servingHasItsOwnQuestions()
{
    Plan plan;
    plan.workload = Workload::Inference;
    plan.model.preset = "llama-3-8b";
    plan.hardware.gpu = "h100-sxm-80gb";
    plan.hardware.gpus = 2;
    plan.parallel.data = 2;
    const auto page = shownLayouts(plan);
    LayoutsView &view = *page->layoutsView();
    for (int i = 0; i < LayoutsView::QuestionCount; ++i) {
        view.ask(static_cast<LayoutsView::Question>(i));
        QVERIFY(answered(view));
        QVERIFY(!view.sentence().isEmpty());
        view.grab();
    }
    QVERIFY(std::get_if<Layouts>(&view.answer()->value().found));
}

VRAMSCOPE_TEST(LayoutsViewTest)
#include "tst_layouts_view.moc"
