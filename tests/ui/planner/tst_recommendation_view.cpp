// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/print/recommendation_report.h"
#include "tests/support/test.h"
#include "ui/planner/answer_view.h"
#include "ui/planner/plan_page.h"
#include "ui/planner/recommendation_view.h"
#include "ui/support/text.h"

#include <QUndoStack>

using namespace vramscope;
using namespace Qt::StringLiterals;

namespace {

/// Qwen3 32B in full on eight H100s: the foreach step is too large by its temporaries.
Plan tightPlan()
{
    Plan plan;
    plan.model.preset = "qwen3-32b";
    plan.hardware.gpu = "h100-sxm-80gb";
    plan.hardware.gpus = plan.parallel.data = 8;
    plan.parallel.strategy = Strategy::Fsdp2;
    plan.precision.regime = Regime::FsdpMixedBf16;
    plan.batch.sequenceLength = 8192;
    plan.activations.checkpointing = Checkpointing::Full;
    return plan;
}

} // namespace

class RecommendationViewTest : public test::Test
{
    Q_OBJECT

private Q_SLOTS:
    void aPlanIsAnsweredOnceItStaysAsItIs();
    void aClickTakesTheOptionInOneStepOfTheHistory();
    void aPlanThatFitsIsNotToldToChange();
    void withoutACapacityNothingIsRecommended();
    void theAnswerTellsTheTime();
};

void RecommendationViewTest::aPlanIsAnsweredOnceItStaysAsItIs()
{
    PlanPage page;
    page.resize(1300, 900);
    page.show();
    page.setPlan(tightPlan(), {});
    QTRY_VERIFY(!page.recommendation()->recommendation().options.empty());
    const QString text = page.recommendation()->text();
    const Combination &best = page.recommendation()->recommendation().options.front().combination;
    QVERIFY2(text.contains(toQString(combinedTitle(best))), qPrintable(text));
    QVERIFY(text.contains(u"Apply"_s) && page.recommendation()->isVisible());
}

void RecommendationViewTest::aClickTakesTheOptionInOneStepOfTheHistory()
{
    PlanPage page;
    page.setPlan(tightPlan(), {});
    page.workNow();
    const Combination best = page.recommendation()->recommendation().options.front().combination;
    Q_EMIT page.recommendation()->linkActivated(u"0"_s);
    QVERIFY(page.plan() == withFields(tightPlan(), best.fields));
    QCOMPARE(page.estimate().peakDevice, best.standing.device);
    // The old answer's links are gone until there is a new one.
    QVERIFY(!page.recommendation()->text().contains(u"Apply"_s));
    page.undoStack()->undo();
    QVERIFY(page.plan() == tightPlan());
}

void RecommendationViewTest::aPlanThatFitsIsNotToldToChange()
{
    PlanPage page;
    Plan plan = tightPlan();
    plan.model.preset = "qwen3-8b";
    page.setPlan(plan, {});
    page.workNow();
    QVERIFY(!page.recommendation()->text().contains(u"Recommended"_s));
    QVERIFY(page.recommendation()->text().contains(u"Fewer GPUs"_s));
}

void RecommendationViewTest::withoutACapacityNothingIsRecommended()
{
    PlanPage page;
    page.setPlan(tightPlan(), {});
    page.workNow();
    Plan plan = tightPlan();
    plan.hardware.gpu = std::nullopt;
    page.setPlan(plan, {});
    page.workNow();
    QVERIFY(page.recommendation()->text().isEmpty());
}

void RecommendationViewTest::theAnswerTellsTheTime()
{
    PlanPage page;
    Plan plan = tightPlan();
    page.setPlan(plan, {});
    QVERIFY(page.answer()->time().contains(u"tokens/s"_s));
    QVERIFY(page.answer()->time().contains(u"a rough projection"_s));
    plan.run.gpuHourPrice = 3;
    page.setPlan(plan, {});
    QVERIFY(page.answer()->time().contains(u" at 3 a GPU hour"_s));
    plan.precision.regime = Regime::Fp32; // no rate is known
    page.setPlan(plan, {});
    QVERIFY(page.answer()->time().isEmpty());
}

VRAMSCOPE_TEST(RecommendationViewTest)
#include "tst_recommendation_view.moc"
