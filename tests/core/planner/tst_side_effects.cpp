// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/estimate/estimate.h"
#include "tests/core/planner/sample_plans.h"
#include "tests/support/test.h"

#include <cmath>

using namespace vramscope;

namespace {

/// Llama 3 70B with short sequences, so that neither head nor attention weighs much.
Plan largePlan()
{
    Plan plan = test::smallPlan();
    plan.model.preset = "llama-3.1-70b";
    plan.batch.sequenceLength = 64;
    return plan;
}

double recomputeShare(Plan plan, Checkpointing policy)
{
    plan.activations.checkpointing = policy;
    return estimate(plan).recomputeShare;
}

double bubbleShare(std::int64_t stages, std::int64_t microBatches, std::int64_t virtualStages,
                   Schedule schedule = Schedule::OneForwardOneBackward)
{
    Plan plan = largePlan();
    plan.parallel.pipeline = stages;
    plan.parallel.virtualStages = virtualStages;
    plan.parallel.schedule = schedule;
    plan.batch.accumulationSteps = microBatches;
    return estimate(plan).bubbleShare;
}

} // namespace

class TestSideEffects : public test::Test
{
    Q_OBJECT

private slots:
    void fullCheckpointingTakesOneForwardPassMore();
    void partOfTheBlocksTakesPartOfIt();
    void longSequencesMakeTheAttentionCoreDear();
    void aPipelineWaitsWhileItFillsAndDrains();
    void servingHasNone();
};

void TestSideEffects::fullCheckpointingTakesOneForwardPassMore()
{
    const double full = recomputeShare(largePlan(), Checkpointing::Full);
    QVERIFY(full < 0.25 && full > 0.247); // 2 of 8, the head (1.5 % of the weights) aside
    QCOMPARE(recomputeShare(largePlan(), Checkpointing::EveryK), full);
    QCOMPARE(recomputeShare(largePlan(), Checkpointing::None), 0.0);
    Plan adapters = largePlan(); // frozen weights have no gradients: 2 of 6
    adapters.adapters.kind = AdapterKind::Lora;
    adapters.adapters.rank = 8;
    adapters.adapters.targets = TextList{"all-linear"};
    const double lora = recomputeShare(adapters, Checkpointing::Full);
    QVERIFY(lora < 1.0 / 3 && lora > 0.325);
}

void TestSideEffects::partOfTheBlocksTakesPartOfIt()
{
    Plan plan = largePlan();
    plan.activations.checkpointedBlocks = 20;
    const double part = recomputeShare(plan, Checkpointing::Block);
    const double full = recomputeShare(plan, Checkpointing::Full);
    // 20 of 80 blocks: extra work a quarter of full's, as a share of once and extra.
    QVERIFY(std::abs(part / (1 - part) - full / (1 - full) / 4) < 1e-12);
    plan.parallel.pipeline = 8; // 20 blocks of each stage of 10
    QVERIFY(std::abs(recomputeShare(plan, Checkpointing::Block) - full) < 1e-12);
    const double half = recomputeShare(largePlan(), Checkpointing::SelectiveOp);
    QVERIFY(half > 0.13 && half < 0.145);
}

void TestSideEffects::longSequencesMakeTheAttentionCoreDear()
{
    Plan plan = largePlan();
    QVERIFY(recomputeShare(plan, Checkpointing::SelectiveAttention) < 0.001);
    plan.batch.sequenceLength = 131'072;
    // 2 h s a layer and token against 2 · 855,638,016 weights of its products, for all of 80 layers
    const double core = 2.0 * 8192 * 131'072;
    const double products = 2.0 * 855'638'016;
    const double head = 2.0 * 128'256 * 8192 / 80;
    const double expected = core / (3 * (core + products + head) + core);
    QVERIFY(std::abs(recomputeShare(plan, Checkpointing::SelectiveAttention) - expected) < 1e-9);
}

void TestSideEffects::aPipelineWaitsWhileItFillsAndDrains()
{
    QCOMPARE(bubbleShare(1, 8, 1), 0.0);
    QCOMPARE(bubbleShare(4, 9, 1), 3.0 / 12);
    QCOMPARE(bubbleShare(4, 9, 1, Schedule::GPipe), 3.0 / 12);
    QCOMPARE(bubbleShare(4, 8, 4), 3.0 / 35);
    QCOMPARE(bubbleShare(4, 9, 1, Schedule::ZeroBubble), 1.0 / 10);
}

void TestSideEffects::servingHasNone()
{
    Plan plan = largePlan();
    plan.workload = Workload::Inference;
    plan.parallel.pipeline = 2;
    const Estimate it = estimate(plan);
    QVERIFY(it.computed && it.recomputeShare == 0 && it.bubbleShare == 0);
}

VRAMSCOPE_TEST(TestSideEffects)
#include "tst_side_effects.moc"
