// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/plan/plan_json.h"
#include "core/planned_requests/planned_reserve.h"
#include "core/settings/settings.h"
#include "core/solver/ways_to_fit.h"
#include "tests/support/random_plans.h"
#include "tests/support/test.h"

#include <algorithm>

using namespace vramscope;
using test::Random;

namespace {

/// Llama 3 8B in bf16, too large for one GPU of 80 GB with these activations.
Plan planToFit()
{
    Plan plan;
    plan.model.preset = "llama-3-8b";
    plan.hardware.gpu = "h100-sxm-80gb";
    plan.precision.regime = Regime::PureBf16;
    plan.batch.microBatch = 4;
    plan.batch.sequenceLength = 4096;
    return plan;
}

const WayToFit *named(const std::vector<WayToFit> &ways, std::string_view title)
{
    const auto found = std::ranges::find(ways, title, &WayToFit::title);
    return found == ways.end() ? nullptr : &*found;
}

} // namespace

class TestWaysToFit : public test::Test
{
    Q_OBJECT

private slots:
    void eachWayIsThePlanWithItsFields();
    void thoseThatFitComeFirstThenTheCheapest();
    void whatIsSoAlreadyIsNotOffered();
    void costsAreStated();
    void aCacheThatTakesWhatIsLeftGrows();
    void expandableSegmentsGiveWhatTheSimulatedAllocatorSays();
    void whatOnlyMovesMemoryIntoTheCacheIsNoSaving();
    void aChangeIsNamedByItsValueAndTheGpusItTakes();
    void whatIsPutUnderFsdp2RunsInItsMixedPrecision();
    void expertsMoveToTheHost();
    void aMacTakesSmallerWeightsAndNoSecondGpu();
    void nothingIsOfferedWithoutFiguresOrCapacity();
};

void TestWaysToFit::aMacTakesSmallerWeightsAndNoSecondGpu()
{
    Plan plan;
    plan.workload = Workload::Inference;
    plan.model.preset = "qwen3-32b";
    plan.hardware.gpu = "apple-m2-24gb";
    plan.inference.engine = Engine::LlamaCpp;
    plan.inference.weightFormat = WeightFormat::Q4_K_M;
    plan.inference.maxModelLen = 4096;
    const std::vector<WayToFit> ways = waysToFit(plan);
    const WayToFit *smaller = named(ways, "Weights in Q3_K_M");
    QVERIFY(smaller && smaller->standing.verdict == Verdict::Fits);
    QVERIFY(!named(ways, "Weights in Q4_K_M")); // in force
    for (const WayToFit &way : ways)
        QVERIFY2(way.title.find("parallel") == std::string::npos, way.title.c_str());
    plan.hardware.gpu = "rtx-4080";
    QVERIFY(named(waysToFit(plan), "Tensor parallel 2, +1 GPU"));
}

void TestWaysToFit::eachWayIsThePlanWithItsFields()
{
    Random random(21);
    int checked = 0;
    for (int trial = 0; trial < 300; ++trial) {
        Plan plan = test::randomPlan(random);
        plan.hardware.capacity = static_cast<Bytes>(1 + random() % 200) << 30;
        const Estimate before = estimate(plan);
        for (const WayToFit &way : waysToFit(plan)) {
            Plan changed = plan;
            QVERIFY(!way.fields.empty() && !way.title.empty() && !way.price.empty());
            for (const FieldSetting &setting : way.fields)
                QVERIFY(setField(changed, fieldAt(setting.path), setting.value).ok());
            const Estimate after = estimate(changed);
            const QByteArray json = way.title.c_str() + QByteArray::fromStdString(planJson(plan));
            QVERIFY2(after.computed, json);
            QVERIFY2(way.saved == before.peakDevice - after.peakDevice, json);
            QVERIFY2(way.saved > 0 || way.standing.fits || (way.cache && way.cache->tokens > 0),
                     json);
            QVERIFY2(after.peakDevice == way.standing.device, json);
            QVERIFY2(way.standing.verdict == verdictOf(after), json);
            if (way.cache) {
                QVERIFY2(way.cache->tokens ==
                             after.inference->kvTokens - before.inference->kvTokens,
                         json);
            }
            QVERIFY2(way.hostBytes == after.hostBytes - before.hostBytes, json);
            ++checked;
        }
    }
    QVERIFY2(checked > 1000, qPrintable(QString::number(checked)));
}

void TestWaysToFit::thoseThatFitComeFirstThenTheCheapest()
{
    const std::vector<WayToFit> ways = waysToFit(planToFit());
    const auto verdict = [](const WayToFit &way) { return way.standing.verdict; };
    QVERIFY(ways.size() > 5 && verdict(ways.front()) == Verdict::Fits &&
            verdict(ways.back()) == Verdict::DoesNotFit);
    QVERIFY(std::ranges::is_sorted(ways, {}, verdict));
    const auto fitting = std::ranges::count(ways, Verdict::Fits, verdict);
    QVERIFY(std::is_partitioned(ways.begin(), ways.begin() + fitting,
                                [](const WayToFit &way) { return !way.changesResults; }));
}

void TestWaysToFit::whatIsSoAlreadyIsNotOffered()
{
    Plan plan = planToFit();
    QVERIFY(named(waysToFit(plan), "Checkpoint every block"));
    plan.batch.microBatch = 1;
    plan.batch.sequenceLength = 512; // now the step is the highest moment
    QVERIFY(named(waysToFit(plan), "Fused optimizer step"));
    plan.batch = planToFit().batch;
    plan.activations.checkpointing = Checkpointing::Full;
    plan.optimizer.implementation = OptimizerImplementation::Fused;
    const std::vector<WayToFit> ways = waysToFit(plan);
    QVERIFY(!named(ways, "Checkpoint every block") && !named(ways, "Fused optimizer step"));
    QVERIFY(!named(ways, "Recompute every second product"));
    QVERIFY(!named(ways, "Shard parameters, gradients and states")); // one GPU has no shards
}

void TestWaysToFit::costsAreStated()
{
    const std::vector<WayToFit> ways = waysToFit(planToFit());
    const WayToFit *checkpoint = named(ways, "Checkpoint every block");
    QVERIFY(checkpoint && checkpoint->recomputeShare > 0.2 && checkpoint->recomputeShare < 0.25);
    const WayToFit *offload = named(ways, "Offload the optimizer states");
    QVERIFY(offload && offload->hostBytes > 0 && !offload->changesResults);
    const WayToFit *more = named(ways, "Data parallel 2, +1 GPU");
    QVERIFY(more && more->gpus == 1 && more->communicationBytes > 0);
    Plan four = planToFit();
    four.parallel.strategy = Strategy::Fsdp2;
    four.parallel.data = four.hardware.gpus.emplace(4);
    const std::vector<WayToFit> onFour = waysToFit(four);
    const WayToFit *inside = named(onFour, "Tensor parallel 4"); // takes the data-parallel GPUs
    const WayToFit *beyond = named(onFour, "Tensor parallel 8, +4 GPUs"); // and as many again
    QVERIFY(inside && inside->gpus == 0 && beyond && beyond->gpus == 4);
    const WayToFit *small = named(ways, "8-bit optimizer states");
    QVERIFY(small && small->changesResults && small->recomputeShare == 0);
}

void TestWaysToFit::aCacheThatTakesWhatIsLeftGrows()
{
    Plan plan;
    plan.workload = Workload::Inference;
    plan.model.preset = "llama-3-8b";
    plan.hardware.gpu = "rtx-4090";
    plan.inference.engine = Engine::Vllm;
    plan.inference.maxModelLen = 65'536; // no room for one such sequence beside 16 GB of weights
    const Estimate before = estimate(plan);
    const std::vector<WayToFit> ways = waysToFit(plan);
    const WayToFit *fp8 = named(ways, "Weights in fp8");
    QVERIFY(fp8 && fp8->standing.fits && fp8->changesResults && fp8->cache);
    plan.inference.weightFormat = WeightFormat::Fp8;
    QCOMPARE(fp8->cache->bytes, estimate(plan).inference->kvCache - before.inference->kvCache);
}

void TestWaysToFit::whatOnlyMovesMemoryIntoTheCacheIsNoSaving()
{
    Plan plan;
    plan.workload = Workload::Inference;
    plan.model.preset = "llama-3-8b";
    plan.hardware.gpu = "h100-sxm-80gb";
    plan.inference.engine = Engine::Vllm;
    const Estimate before = estimate(plan);
    const std::vector<WayToFit> ways = waysToFit(plan);
    QVERIFY(allGiveToCache(ways));
    const WayToFit *quantised = named(ways, "Cache in 8 bits");
    QVERIFY(quantised && quantised->saved == 0 && quantised->cache->bytes == 0);
    QVERIFY(quantised->cache->tokens >= before.inference->kvTokens - 16);
    QVERIFY(quantised->cache->sequences > 1);
    const WayToFit *utilization = named(ways, "Memory utilization 0.95");
    QVERIFY(utilization && utilization->saved < 0 && utilization->cache->tokens > 0);
    plan.inference.kvCacheMemoryBytes = Bytes(20) << 30; // a cache that is stated takes no rest
    const std::vector<WayToFit> stated = waysToFit(plan);
    const WayToFit *fp8 = named(stated, "Weights in fp8");
    QVERIFY(fp8 && fp8->saved > 0 && !fp8->givesToCache() && !allGiveToCache(stated));
    QVERIFY(named(stated, "Cache in 8 bits")->givesToCache());
    QVERIFY(!named(stated, "Memory utilization 0.95"));
}

void TestWaysToFit::aChangeIsNamedByItsValueAndTheGpusItTakes()
{
    Plan plan = planToFit();
    plan.parallel.strategy = Strategy::Fsdp2;
    plan.parallel.data = 4;
    plan.parallel.context = 8;
    plan.hardware.gpus = 32;
    plan.batch.sequenceLength = 131'072;
    const std::vector<WayToFit> ways = waysToFit(plan);
    const WayToFit *context = named(ways, "Context parallel 16 (now 8)");
    QVERIFY(context && context->gpus == 0);
    QVERIFY(withFields(plan, context->fields).parallel.context == 16);
    QVERIFY(withFields(plan, context->fields).parallel.data == 2);
    QVERIFY(named(ways, "Sequence length 65,536 (now 131,072)"));
    QVERIFY(named(ways, "Micro-batch 2 (now 4)"));
    QVERIFY(named(ways, "Data parallel 8 (now 4), +32 GPUs"));
    plan.parallel.data = 1;
    plan.parallel.strategy = std::nullopt;
    plan.parallel.context = 1;
    plan.parallel.tensor = 2;
    plan.hardware.gpus = 2;
    plan.batch.sequenceLength = 4096;
    const std::vector<WayToFit> onTwo = waysToFit(plan);
    const WayToFit *tensor = named(onTwo, "Tensor parallel 4 (now 2), +2 GPUs");
    QVERIFY(tensor && tensor->gpus == 2);
}

void TestWaysToFit::whatIsPutUnderFsdp2RunsInItsMixedPrecision()
{
    Plan plan = planToFit();
    plan.precision.regime = Regime::AutocastBf16;
    plan.parallel.strategy = Strategy::Ddp;
    plan.parallel.data = plan.hardware.gpus.emplace(8);
    const std::vector<WayToFit> ways = waysToFit(plan);
    const WayToFit *shards = named(ways, "Shard parameters, gradients and states");
    QVERIFY(shards);
    const Settings after = resolve(withFields(plan, shards->fields)).settings;
    QVERIFY(after.strategy == Strategy::Fsdp2 && after.regime == Regime::FsdpMixedBf16);
}

void TestWaysToFit::expandableSegmentsGiveWhatTheSimulatedAllocatorSays()
{
    Plan plan = planToFit();
    plan.hardware.gpus = plan.parallel.data.emplace(8);
    plan.parallel.strategy = Strategy::Fsdp1;
    const std::string_view title = "Expandable segments";
    const std::vector<WayToFit> ways = waysToFit(plan);
    const WayToFit *way = named(ways, title);
    QVERIFY(way);
    const std::vector<std::string> configurations{"", "expandable_segments:True"};
    const std::vector<PlannedReserve> reserves = plannedReserves(plan, configurations);
    QCOMPARE(way->standing.reserved, reserves[1].result.figures.peakReserved);
    QVERIFY(way->standing.reserved > way->standing.allocated); // some of the slack stays
    QVERIFY(reserves[1].verdict == way->standing.verdict);
    // With it the plan is what it was said to be, under whatever setting, and is offered no more.
    const Plan after = withFields(plan, way->fields);
    QCOMPARE(after.overheads.allocConf.value_or(""), std::string("expandable_segments:True"));
    QVERIFY(!named(waysToFit(after), title));
    for (const PlannedReserve &reserve : plannedReserves(after, configurations))
        QCOMPARE(reserve.result.figures.peakReserved, way->standing.reserved);
    plan.parallel.strategy = Strategy::Fsdp2; // its factor is that of runs that had them on
    QVERIFY(!named(waysToFit(plan), title));
}

void TestWaysToFit::expertsMoveToTheHost()
{
    Plan plan;
    plan.workload = Workload::Inference;
    plan.model.preset = "qwen3-30b-a3b";
    plan.hardware.gpu = "rtx-3060-12gb";
    plan.inference.engine = Engine::LlamaCpp;
    plan.inference.weightFormat = WeightFormat::Q4_K_M;
    plan.inference.maxModelLen = 8192;
    constexpr std::string_view kTitle = "Experts of all layers on the host";
    const std::vector<WayToFit> ways = waysToFit(plan);
    const WayToFit *way = named(ways, kTitle);
    QVERIFY(way && way->standing.verdict == Verdict::Fits);
    QVERIFY(way->hostBytes > Bytes(14) << 30); // 29 of 30.5 G parameters in 4 to 6 bits
    QVERIFY(way->saved > Bytes(14) << 30);
    plan.inference.hostExpertLayers = 48;
    QVERIFY(!named(waysToFit(plan), kTitle));
    plan.inference.hostExpertLayers.reset();
    plan.inference.engine = Engine::Vllm;
    plan.inference.weightFormat = WeightFormat::AwqInt4;
    QVERIFY(!named(waysToFit(plan), kTitle));
}

void TestWaysToFit::nothingIsOfferedWithoutFiguresOrCapacity()
{
    Plan plan = planToFit();
    plan.hardware.gpu = std::nullopt;
    QVERIFY(waysToFit(plan).empty());
    plan = planToFit();
    plan.parallel.tensor = 5;
    QVERIFY(waysToFit(plan).empty());
}

VRAMSCOPE_TEST(TestWaysToFit)
#include "tst_ways_to_fit.moc"
