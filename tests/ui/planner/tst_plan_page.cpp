// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/support/test.h"
#include "tests/ui/planner/sample_plan.h"
#include "ui/charts/stacked_bar_chart.h"
#include "ui/charts/step_chart.h"
#include "ui/planner/answer_view.h"
#include "ui/planner/breakdown_panel.h"
#include "ui/planner/breakdown_picture.h"
#include "ui/planner/field_row.h"
#include "ui/planner/plan_cards.h"
#include "ui/planner/plan_form.h"
#include "ui/planner/plan_page.h"
#include "ui/planner/step_page.h"
#include "ui/planner/stop_slider.h"
#include "ui/support/theme.h"

#include <QLabel>
#include <QSignalSpy>
#include <QToolButton>
#include <QUndoStack>

using namespace vramscope;
using namespace Qt::StringLiterals;

namespace {

Plan pagePlan()
{
    Plan plan = test::samplePlan();
    plan.activations.checkpointing = Checkpointing::Full;
    return plan;
}

constexpr auto kLoss = static_cast<std::size_t>(Category::LossAndLogits);
constexpr auto kParameters = static_cast<std::size_t>(Category::Parameters);

} // namespace

class PlanPageTest : public test::Test
{
    Q_OBJECT

private Q_SLOTS:
    void aSliderStepRecomputesThePage();
    void theStepsOfOneDragAreOneUndo();
    void undoAndRedoBringBackPlanAndPage();
    void theSavedStateIsNotModified();
    void closingAModifiedPageSaysNothing();
    void aChangedFieldGoesBackToTheOpenedPlan();
    void theChartsShowWhatTheEstimateSays();
    void treeAndChartsSelectTheSamePart();
    void aPartThatAMomentLacksIsSaidToBeMissing();
    void theSelectionSurvivesARecomputation();
    void aMomentOfTheChartShowsItsBreakdown();
    void aRefusedPlanShowsTheReasonAndNoFigures();
    void theAnswerNamesTheModelAndTheGpus();
    void dataParallelWithoutAStrategyLeadsToTheStrategy();
    void parametersOnAGpuAreNamedOnlyWhereTheModelIsSplit();
    void theSettingsFoldBeforeTheBreakdownMovesBelow();
    void theFoldedSettingsAreOneClickAway();
    void withoutACapacityThereIsNoVerdict();
    void theUnitIsOneEverywhere();
    void aVeryLongPresetNameIsNoTrouble();
    void theBreakdownIsDrawnAsAPicture();
};

void PlanPageTest::aSliderStepRecomputesThePage()
{
    PlanPage page;
    page.setPlan(pagePlan(), u"a plan"_s);
    const Bytes before = page.estimate().peakAllocated;
    const QString answer = page.answer()->headline();
    const QSignalSpy changed(&page, &PlanPage::changed);
    auto *slider = page.form()->row("batch.micro_batch")->findChild<StopSlider *>();
    slider->setValue(slider->value() + 1);
    QCOMPARE(page.plan().batch.microBatch, std::optional<std::int64_t>(2));
    QVERIFY(page.estimate().peakAllocated > before);
    QVERIFY(page.answer()->headline() != answer);
    QCOMPARE(page.charts()->breakdown()->content().bars[0].allocated(),
             page.estimate().peakAllocated);
    QCOMPARE(changed.count(), 1);
}

void PlanPageTest::theStepsOfOneDragAreOneUndo()
{
    PlanPage page;
    page.setPlan(pagePlan(), {});
    page.resize(1200, 800);
    page.show();
    auto *slider = page.form()->row("batch.micro_batch")->findChild<StopSlider *>();
    const auto at = [&](int stop) { return QPoint(slider->pixelOf(stop), slider->height() / 2); };
    QTest::mousePress(slider, Qt::LeftButton, {}, at(1));
    QTest::mouseMove(slider, at(2));
    QTest::mouseMove(slider, at(3));
    QTest::mouseRelease(slider, Qt::LeftButton, {}, at(3));
    QCOMPARE(page.plan().batch.microBatch, std::optional<std::int64_t>(8));
    QCOMPARE(page.undoStack()->count(), 1);
    QTest::mouseClick(slider, Qt::LeftButton, {}, at(4));
    QCOMPARE(page.undoStack()->count(), 2);
    page.undoStack()->undo();
    QCOMPARE(page.plan().batch.microBatch, std::optional<std::int64_t>(8));
    page.undoStack()->undo();
    QVERIFY(page.plan() == pagePlan());
}

void PlanPageTest::undoAndRedoBringBackPlanAndPage()
{
    PlanPage page;
    page.setPlan(pagePlan(), {});
    const Bytes before = page.estimate().peakAllocated;
    QVERIFY(page.edit(test::field("batch.micro_batch"), std::int64_t(4)).ok());
    const Bytes after = page.estimate().peakAllocated;
    QVERIFY(!page.undoStack()->undoText().isEmpty());
    page.undoStack()->undo();
    QCOMPARE(page.estimate().peakAllocated, before);
    QCOMPARE(page.charts()->breakdown()->content().bars.size(), std::size_t(1));
    page.undoStack()->redo();
    QCOMPARE(page.estimate().peakAllocated, after);
}

void PlanPageTest::theSavedStateIsNotModified()
{
    PlanPage page;
    page.setPlan(pagePlan(), {});
    const QSignalSpy modified(&page, &PlanPage::modifiedChanged);
    QVERIFY(!page.isModified());
    QVERIFY(page.edit(test::field("batch.micro_batch"), std::int64_t(4)).ok());
    QVERIFY(page.isModified());
    page.markSaved();
    QVERIFY(!page.isModified());
    page.undoStack()->undo();
    QVERIFY(page.isModified());
    QCOMPARE(modified.count(), 3);
}

void PlanPageTest::closingAModifiedPageSaysNothing()
{
    auto page = std::make_unique<PlanPage>();
    page->setPlan(pagePlan(), {});
    QVERIFY(page->edit(test::field("batch.micro_batch"), std::int64_t(4)).ok());
    const QSignalSpy modified(page.get(), &PlanPage::modifiedChanged);
    const QSignalSpy index(page->undoStack(), &QUndoStack::indexChanged);
    page.reset();
    QCOMPARE(modified.count(), 0);
    QCOMPARE(index.count(), 0);
}

void PlanPageTest::aChangedFieldGoesBackToTheOpenedPlan()
{
    PlanPage page;
    page.setPlan(pagePlan(), {});
    FieldRow *row = page.form()->row("batch.sequence_length");
    QVERIFY(!row->isChanged());
    QVERIFY(page.edit(test::field("batch.sequence_length"), std::int64_t(4096)).ok());
    QVERIFY(row->isChanged());
    QVERIFY(page.charts()->breakdown()->content().bars.size() == 2); // beside the opened plan
    row->findChild<QToolButton *>()->click();
    QVERIFY(!row->isChanged());
    QVERIFY(page.plan() == pagePlan());
    page.undoStack()->undo(); // a reset is an edit too
    QCOMPARE(page.plan().batch.sequenceLength, std::optional<std::int64_t>(4096));
}

void PlanPageTest::theChartsShowWhatTheEstimateSays()
{
    PlanPage page;
    page.setPlan(pagePlan(), {});
    page.show();
    StepPage *step = page.charts()->step();
    step->setView(StepPage::View::Moments);
    const Estimate &estimate = page.estimate();
    const auto &drawn = step->moments()->shown().bars;
    QCOMPARE(drawn.size(), estimate.moments.size());
    for (std::size_t moment = 0; moment < drawn.size(); ++moment)
        QCOMPARE(drawn[moment].total(), estimate.moments[moment].allocated);
    QCOMPARE(page.charts()->breakdown()->content().bars[0].total(), estimate.peakDevice);
    QCOMPARE(page.charts()->breakdown()->content().capacity, estimate.capacity);
    QCOMPARE(step->moments()->content().marked, std::optional<int>(int(estimate.peakMoment)));
}

void PlanPageTest::treeAndChartsSelectTheSamePart()
{
    PlanPage page;
    page.setPlan(pagePlan(), {});
    Q_EMIT page.charts()->breakdown()->partClicked(kParameters);
    QVERIFY(page.breakdown()->selection() == PartKey({kParameters, {}}));
    QVERIFY(page.breakdown()->model().keyAt(page.breakdown()->tree()->currentIndex()) ==
            PartKey({kParameters, {}}));
    const QModelIndex loss = page.breakdown()->model().indexOf({kLoss, {}});
    page.breakdown()->tree()->setCurrentIndex(loss);
    QCOMPARE(page.charts()->breakdown()->selectedPart(), std::optional(kLoss));
    QCOMPARE(page.charts()->step()->course()->selectedPart(), std::optional(kLoss));
    const Component component = page.breakdown()->model().componentsAt(loss).front();
    QVERIFY(page.breakdown()->whyText().contains(u"V vocabulary size"_s));
    QVERIFY2(page.breakdown()->whyText().contains(u"128,256"_s), // the vocabulary, put in
             qPrintable(page.breakdown()->whyText()));
}

// It stays outlined in the bars, so that the text may not ask for a selection.
void PlanPageTest::aPartThatAMomentLacksIsSaidToBeMissing()
{
    PlanPage page;
    page.setPlan(pagePlan(), {});
    Q_EMIT page.charts()->breakdown()->partClicked(kLoss);
    const Estimate &estimate = page.estimate();
    std::size_t without = estimate.moments.size();
    for (std::size_t moment = 0; moment < estimate.moments.size(); ++moment) {
        if (partBytes(estimate, moment)[kLoss] == 0)
            without = moment;
    }
    QVERIFY(without < estimate.moments.size());
    Q_EMIT page.charts()->momentClicked(static_cast<int>(without));
    QCOMPARE(page.charts()->breakdown()->selectedPart(), std::optional(kLoss));
    QCOMPARE(page.breakdown()->whyText(), u"At this moment there is none."_s);
}

void PlanPageTest::theSelectionSurvivesARecomputation()
{
    PlanPage page;
    page.setPlan(pagePlan(), {});
    const QModelIndex parent = page.breakdown()->model().indexOf({kParameters, {}});
    const QModelIndex child = page.breakdown()->model().index(0, 0, parent);
    page.breakdown()->tree()->setCurrentIndex(child);
    const PartKey key = *page.breakdown()->selection();
    QVERIFY(!key.component.empty());
    QVERIFY(page.edit(test::field("batch.micro_batch"), std::int64_t(2)).ok());
    QVERIFY(page.edit(test::field("parallel.strategy"), std::string("fsdp1")).ok());
    QVERIFY(page.breakdown()->selection() == key);
    QVERIFY(page.breakdown()->tree()->currentIndex().isValid());
}

void PlanPageTest::aMomentOfTheChartShowsItsBreakdown()
{
    PlanPage page;
    page.setPlan(pagePlan(), {});
    const std::size_t last = page.estimate().moments.size() - 1;
    QVERIFY(last != page.estimate().peakMoment);
    Q_EMIT page.charts()->step()->moments()->barClicked(int(last));
    Bytes sum = 0;
    const EstimateModel &model = page.breakdown()->model();
    for (int row = 0; row < model.rowCount(); ++row) {
        for (const Component &component : model.componentsAt(model.index(row, 0)))
            sum += component.bytes;
    }
    QCOMPARE(sum, page.estimate().moments[last].allocated);
}

void PlanPageTest::aRefusedPlanShowsTheReasonAndNoFigures()
{
    PlanPage page;
    page.setPlan(pagePlan(), {});
    page.show();
    QVERIFY(page.edit(test::field("parallel.tensor"), std::int64_t(3)).ok());
    QVERIFY(!page.estimate().computed);
    QVERIFY(page.answer()->headline().contains(u"32 attention heads"_s));
    QVERIFY(page.answer()->levels().isEmpty());
    QVERIFY(page.charts()->step()->course()->curve().columns.empty());
    QVERIFY(page.charts()->step()->course()->curve().emptyText.contains(u"32"_s));
    QVERIFY(!page.charts()->breakdown()->content().emptyText.isEmpty());
    QCOMPARE(page.breakdown()->model().rowCount(), 0);
    page.undoStack()->undo();
    QVERIFY(page.estimate().computed);
    QVERIFY(page.breakdown()->model().rowCount() > 0);
}

void PlanPageTest::theAnswerNamesTheModelAndTheGpus()
{
    PlanPage page;
    page.setPlan(pagePlan(), {});
    QVERIFY(page.answer()->headline().startsWith(
        u"Llama 3 8B, full training on 8 × H100 SXM5 80 GB: "_s));
    QVERIFY(page.edit(test::field("parallel.tensor"), std::int64_t(8)).ok()); // GPUs stay
    QVERIFY(page.answer()->headline().startsWith(
        u"Llama 3 8B, full training on 8 × H100 SXM5 80 GB: "_s));
    QVERIFY(page.edit(test::field("hardware.gpus"), std::int64_t(16)).ok());
    QVERIFY(page.answer()->headline().startsWith(
        u"Llama 3 8B, full training on 16 × H100 SXM5 80 GB: "_s));
    Plan unnamed;
    unnamed.model.config = R"({"model_type": "llama", "hidden_size": 64, "num_hidden_layers": 2,
        "num_attention_heads": 4, "intermediate_size": 128, "vocab_size": 100})";
    page.setPlan(unnamed, {});
    QVERIFY(
        page.answer()->headline().startsWith(u"A model of type llama, full training on 1 GPU: "_s));
}

void PlanPageTest::dataParallelWithoutAStrategyLeadsToTheStrategy()
{
    PlanPage page;
    Plan plan = pagePlan();
    plan.parallel = {};
    plan.precision.regime = Regime::PureBf16;
    plan.hardware.gpus.reset();
    page.setPlan(plan, {});
    page.show();
    auto *slider = page.form()->row("parallel.data")->findChild<StopSlider *>();
    slider->setValue(slider->value() + 1);
    QVERIFY(!page.estimate().computed);
    const FieldRow *strategy = page.form()->row("parallel.strategy");
    QVERIFY(page.answer()->headline().contains(strategy->issueText()));
    auto *headline = page.answer()->findChild<QLabel *>(u"headline"_s);
    QVERIFY(headline->text().contains(u"href=\"parallel.strategy\""_s));
    page.activateWindow();
    Q_EMIT headline->linkActivated(u"parallel.strategy"_s);
    QVERIFY(strategy->isAncestorOf(page.focusWidget()));
}

void PlanPageTest::parametersOnAGpuAreNamedOnlyWhereTheModelIsSplit()
{
    const auto figures = [](const Plan &plan) {
        return figuresHtml(estimate(plan), lightTheme(), ByteUnit::Binary);
    };
    Plan plan = pagePlan();
    QVERIFY(!figures(plan).contains(u"on this GPU"_s));
    plan.parallel.data = 4;
    plan.parallel.tensor = 2;
    QVERIFY(estimate(plan).computed);
    QVERIFY(figures(plan).contains(u"on this GPU"_s));
}

void PlanPageTest::theSettingsFoldBeforeTheBreakdownMovesBelow()
{
    PlanPage page;
    page.setPlan(pagePlan(), {});
    const auto panelIsBeside = [&] {
        return page.breakdown()->mapTo(&page, QPoint()).x() >
               page.answer()->mapTo(&page, QPoint()).x() + 100;
    };
    for (const int width : {1600, 1000, 720, 1200}) {
        page.resize(width, 700);
        page.show();
        QCoreApplication::sendPostedEvents();
        QCOMPARE(page.width(), width);
        QCOMPARE(panelIsBeside(), width >= 800);
        QCOMPARE(page.form()->isVisible(), width >= 1200);
        const QRect panel(page.breakdown()->mapTo(&page, QPoint()), page.breakdown()->size());
        QVERIFY(page.rect().contains(panel));
        QVERIFY(page.charts()->width() >= 360);
    }
}

void PlanPageTest::theFoldedSettingsAreOneClickAway()
{
    PlanPage page;
    page.setPlan(pagePlan(), {});
    page.resize(1000, 700);
    page.show();
    const auto buttons = page.findChildren<QToolButton *>();
    const auto settings = std::ranges::find(buttons, u"Settings"_s, &QToolButton::text);
    QVERIFY(settings != buttons.end());
    QVERIFY((*settings)->isVisible() && !page.form()->isVisible());
    (*settings)->click();
    QVERIFY(page.form()->isVisible());
    QVERIFY(page.rect().contains(QRect(page.form()->mapTo(&page, QPoint()), page.form()->size())));
    (*settings)->click();
    QVERIFY(!page.form()->isVisible());
    // What is wrong with a setting leads to it.
    Q_EMIT page.answer()->fieldClicked(u"batch.sequence_length"_s);
    QVERIFY(page.form()->isVisible());
    page.resize(1200, 700);
    QVERIFY(page.form()->isVisible() && !(*settings)->isVisible());
}

void PlanPageTest::withoutACapacityThereIsNoVerdict()
{
    Plan plan = pagePlan();
    plan.hardware.gpu.reset();
    PlanPage page;
    page.setPlan(plan, {});
    QVERIFY(page.estimate().computed);
    QVERIFY(!page.charts()->breakdown()->content().capacity);
    QVERIFY(!page.answer()->headline().contains(u"fit"_s, Qt::CaseInsensitive));
}

void PlanPageTest::theUnitIsOneEverywhere()
{
    PlanPage page;
    page.setPlan(pagePlan(), {});
    page.setUnit(ByteUnit::Decimal);
    QVERIFY(!page.answer()->headline().contains(u"GiB"_s));
    QVERIFY(!page.answer()->levels().contains(u"GiB"_s));
    QVERIFY(!page.breakdown()->whyText().contains(u"GiB"_s));
    const QModelIndex size = page.breakdown()->model().index(0, EstimateModel::SizeColumn);
    QVERIFY(size.data().toString().endsWith(u" GB"_s));
}

void PlanPageTest::aVeryLongPresetNameIsNoTrouble()
{
    Plan plan = pagePlan();
    plan.model.preset = std::string(400, 'm');
    PlanPage page;
    page.resize(1000, 700);
    page.setPlan(plan, {});
    page.show();
    QVERIFY(!page.estimate().computed);
    QCOMPARE(page.width(), 1000);
    QVERIFY(!page.form()->row("model.preset")->issueText().isEmpty());
}

void PlanPageTest::theBreakdownIsDrawnAsAPicture()
{
    const Plan plan = pagePlan();
    for (const bool dark : {false, true}) {
        const Theme &theme = dark ? darkTheme() : lightTheme();
        for (const QSize size : {QSize(1200, 700), QSize(600, 500)}) {
            const QImage picture =
                image(breakdownPainting(plan, estimate(plan), size, theme, ByteUnit::Binary), size);
            QCOMPARE(picture.size(), size);
            QCOMPARE(picture.pixelColor(2, 2), theme.window);
            QVERIFY(picture.save(
                test::pictureFolder() +
                u"/breakdown-%1-%2.png"_s.arg(dark ? u"dark"_s : u"light"_s).arg(size.width())));
        }
    }
}

VRAMSCOPE_TEST(PlanPageTest)
#include "tst_plan_page.moc"
