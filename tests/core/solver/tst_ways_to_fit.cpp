// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/plan/plan_json.h"
#include "core/planned_requests/planned_reserve.h"
#include "core/settings/settings.h"
#include "core/solver/ways_to_fit.h"
#include "tests/core/solver/plan_column.h"
#include "tests/support/random_plans.h"
#include "tests/support/test.h"

#include <algorithm>
#include <span>

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
    void toolsAreOfferedWhatTheyHave_data();
    void toolsAreOfferedWhatTheyHave();
    void aNumberIsTheLargestThatFits_data();
    void aNumberIsTheLargestThatFits();
    void whatPeopleEndWithIsAmongTheFirstThree_data();
    void whatPeopleEndWithIsAmongTheFirstThree();
    void offloadThatFitsComesBeforeATightLayout();
    void aServerCapturesFewerGraphsOrNone();
    void noLargerDegreeIsOfferedThanOneThatFits();
    void aHybridKeepsItsCacheInEightBits();
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
    Plan plan = planToFit();
    plan.hardware.gpu = "h200-sxm-141gb";
    const std::vector<WayToFit> ways = waysToFit(plan);
    const auto verdict = [](const WayToFit &way) { return way.standing.verdict; };
    QVERIFY(ways.size() > 5 && verdict(ways.front()) == Verdict::Fits &&
            verdict(ways.back()) == Verdict::DoesNotFit);
    QVERIFY(std::ranges::is_sorted(ways, {}, [&](const WayToFit &way) {
        return std::tuple(verdict(way) == Verdict::DoesNotFit, lastResort(way.toll), verdict(way));
    }));
    const auto fitting = std::ranges::count_if(ways, [&](const WayToFit &way) {
        return verdict(way) == Verdict::Fits && lastResort(way.toll) == 0;
    });
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
    four.batch.microBatch = 32;
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
    QVERIFY(std::ranges::any_of(ways, [](const WayToFit &way) {
        return way.title.starts_with("Sequence length ") && way.title.ends_with(" (now 131,072)");
    }));
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

namespace {

/// A model in full over several GPUs, as people first try it.
Plan trainedBy(std::string_view trainer, Strategy strategy, std::int64_t gpus)
{
    Plan plan;
    plan.model.preset = "llama-2-13b";
    plan.hardware.gpu = "a100-sxm-80gb";
    plan.hardware.gpus = plan.parallel.data = gpus;
    plan.trainer = trainer;
    plan.parallel.strategy = strategy;
    plan.batch.microBatch = 4;
    plan.batch.sequenceLength = 4096;
    plan.activations.checkpointing = Checkpointing::Full;
    return plan;
}

Plan servedBy(Engine engine, const char *model, const char *gpu)
{
    Plan plan;
    plan.workload = Workload::Inference;
    plan.model.preset = model;
    plan.hardware.gpu = gpu;
    plan.inference.engine = engine;
    return plan;
}

bool anySets(const std::vector<WayToFit> &ways, FieldPath field,
             const FieldValue &value = std::monostate())
{
    return std::ranges::any_of(ways, [&](const WayToFit &way) {
        return std::ranges::any_of(way.fields, [&](const FieldSetting &it) {
            return it.path == field && (isStated(value) ? it.value == value : isStated(it.value));
        });
    });
}

} // namespace

void TestWaysToFit::toolsAreOfferedWhatTheyHave_data()
{
    QTest::addColumn<Plan>("plan");
    QTest::addColumn<QString>("field");
    QTest::addColumn<QString>("value"); // empty: any
    QTest::addColumn<bool>("offered");
    const auto row = [](const char *name, const Plan &plan, const char *field, const char *value,
                        bool offered) {
        QTest::newRow(name) << plan << QString(field) << QString(value) << offered;
    };
    const Plan zero2 = trainedBy("hf", Strategy::Zero2, 4);
    row("Trainer, ZeRO: tensor", zero2, "parallel.tensor", "", false);
    row("Trainer, ZeRO: pipeline", zero2, "parallel.pipeline", "", false);
    row("Trainer, ZeRO: context", zero2, "parallel.context", "", false);
    row("Trainer, ZeRO: states on the host", zero2, "optimizer.offload", "", true);
    const Plan fsdp = trainedBy("hf", Strategy::Fsdp2, 4);
    row("Trainer, FSDP: tensor", fsdp, "parallel.tensor", "", false);
    Plan lengthy = fsdp;
    lengthy.model.preset = "llama-3.1-8b";
    lengthy.batch.sequenceLength = 65'536;
    row("Trainer, FSDP: context", lengthy, "parallel.context", "", true);
    row("Trainer, FSDP: states alone on the host", fsdp, "optimizer.offload", "", false);
    row("Trainer, FSDP: shards on the host", fsdp, "parallel.cpu_offload", "", true);
    row("own loop, FSDP: tensor", trainedBy("own", Strategy::Fsdp2, 4), "parallel.tensor", "",
        true);
    row("axolotl, FSDP: tensor", trainedBy("axolotl", Strategy::Fsdp2, 4), "parallel.tensor", "",
        true);
    row("DeepSpeed, ZeRO-3: pipeline", trainedBy("deepspeed", Strategy::Zero3, 4),
        "parallel.pipeline", "", false);
    row("torchtitan: tensor", trainedBy("torchtitan", Strategy::Fsdp2, 4), "parallel.tensor", "",
        true);
    row("torchtitan: 8-bit states", trainedBy("torchtitan", Strategy::Fsdp2, 4), "optimizer.name",
        "", false);
    row("Megatron: adapters", trainedBy("megatron", Strategy::MegatronDistributedOptimizer, 4),
        "adapters.kind", "", false);
    Plan unsloth = trainedBy("unsloth", Strategy::None, 1);
    unsloth.hardware.gpu = "rtx-4090";
    unsloth.batch.microBatch = 1;
    row("Unsloth: sharding", unsloth, "parallel.strategy", "", false);
    row("Unsloth: QLoRA", unsloth, "adapters.base_quantization", "nf4-double", true);
    const Plan llama = servedBy(Engine::LlamaCpp, "qwen3-14b", "rtx-4090");
    row("llama.cpp: fp8", llama, "inference.weight_format", "fp8", false);
    row("llama.cpp: AWQ", llama, "inference.weight_format", "awq-int4-g128", false);
    row("llama.cpp: Q8_0", llama, "inference.weight_format", "q8_0", true);
    const Plan mlx = servedBy(Engine::Mlx, "qwen3-32b", "apple-m2-24gb");
    row("MLX: AWQ", mlx, "inference.weight_format", "awq-int4-g128", false);
    row("MLX: 4 bits", mlx, "inference.weight_format", "mlx-4bit", true);
}

void TestWaysToFit::toolsAreOfferedWhatTheyHave()
{
    QFETCH(Plan, plan);
    QFETCH(QString, field);
    QFETCH(QString, value);
    QFETCH(bool, offered);
    const Field *row = findField(field.toStdString());
    QVERIFY(row && estimate(plan).computed);
    const FieldValue stated = value.isEmpty() ? FieldValue() : FieldValue(value.toStdString());
    QCOMPARE(anySets(waysToFit(plan), row->path, stated), offered);
}

void TestWaysToFit::aNumberIsTheLargestThatFits_data()
{
    QTest::addColumn<Plan>("plan");
    QTest::addColumn<QString>("field");
    QTest::addColumn<int>("step");
    Plan trained = trainedBy("hf", Strategy::Fsdp2, 4);
    trained.batch.sequenceLength = 16'384;
    trained.batch.microBatch = 12;
    trained.model.preset = "llama-3.1-8b";
    QTest::newRow("sequence") << trained << "batch.sequence_length" << 64;
    trained.batch.sequenceLength = 4096;
    QTest::newRow("micro-batch") << trained << "batch.micro_batch" << 1;
    Plan served = servedBy(Engine::Vllm, "llama-3.1-8b", "rtx-4090");
    served.inference.maxModelLen = 131'072;
    QTest::newRow("vLLM, one sequence") << served << "inference.max_model_len" << 16;
    Plan busy = servedBy(Engine::Vllm, "qwen3-next-80b-a3b", "h200-sxm-141gb");
    busy.parallel.tensor = busy.hardware.gpus.emplace(2);
    busy.inference.maxModelLen = 262'144;
    busy.inference.concurrentSequences = 48;
    busy.inference.meanSequenceLength = 131'072;
    QTest::newRow("hybrid, sequences") << busy << "inference.concurrent_sequences" << 1;
    QTest::newRow("hybrid, mean length") << busy << "inference.mean_sequence_length" << 16;
}

/// The largest with which the whole band fits; one step further it does not.
void TestWaysToFit::aNumberIsTheLargestThatFits()
{
    QFETCH(Plan, plan);
    QFETCH(QString, field);
    QFETCH(int, step);
    const Field &row = *findField(field.toStdString());
    const auto now = std::get<std::int64_t>(row.inForce(resolve(plan).settings));
    int checked = 0;
    for (const WayToFit &way : waysToFit(plan)) {
        const auto at = std::ranges::find(way.fields, row.path, &FieldSetting::path);
        if (at == way.fields.end())
            continue;
        const auto value = std::get<std::int64_t>(at->value);
        if (value >= now)
            continue;
        ++checked;
        QVERIFY2(way.standing.verdict == Verdict::Fits, way.title.c_str());
        Plan further = withFields(plan, way.fields);
        if (row.path == FieldPath("batch.micro_batch")) {
            const std::int64_t sequences = value * *further.batch.accumulationSteps;
            std::int64_t larger = value + 1;
            while (sequences % larger != 0)
                ++larger;
            QVERIFY(larger <= now);
            further.batch.microBatch = larger;
            further.batch.accumulationSteps = sequences / larger;
        } else {
            row.set(further, value + step);
        }
        QVERIFY(verdictOf(estimate(further)) != Verdict::Fits);
    }
    QCOMPARE(checked, 1);
}

void TestWaysToFit::whatPeopleEndWithIsAmongTheFirstThree_data()
{
    QTest::addColumn<Plan>("plan");
    QTest::addColumn<QString>("title");
    Plan small = trainedBy("hf", Strategy::Fsdp2, 2);
    small.model.preset = "llama-2-7b";
    small.hardware.gpu = "rtx-4090";
    small.batch.microBatch = 1;
    small.batch.sequenceLength = 2048;
    QTest::newRow("7B in full on two 4090s") << small << "Keep the shards on the host";
    Plan one = small;
    one.parallel = {};
    one.hardware.gpus = 1;
    QTest::newRow("7B in full on one 4090") << one << "Offload parameters, gradients and states";
    one.trainer = "unsloth";
    one.model.preset = "llama-2-13b";
    QTest::newRow("13B with Unsloth on a 4090")
        << one << "Train adapters of rank 16 on weights in 4 bits";
    Plan lora = one;
    lora.trainer = "hf";
    lora.model.preset = "llama-3.1-70b";
    lora.hardware.gpu = "h100-sxm-80gb";
    lora.adapters.kind = AdapterKind::Lora;
    lora.adapters.rank = 16;
    lora.adapters.targets = TextList{"all-linear"};
    QTest::newRow("LoRA of 70B on one H100") << lora << "Frozen weights in 4 bits";
    Plan twice = trainedBy("hf", Strategy::Zero2, 4);
    QTest::newRow("ZeRO-2 of 13B on four A100s") << twice << "Data parallel 8 (now 4), +4 GPUs";
    Plan lengthy = trainedBy("torchtitan", Strategy::Fsdp2, 8);
    lengthy.model.preset = "llama-3.1-8b";
    lengthy.hardware.gpu = "h100-sxm-80gb";
    lengthy.batch.microBatch = 1;
    lengthy.batch.sequenceLength = 131'072;
    QTest::newRow("torchtitan at 128k") << lengthy << "Context parallel 2";
    Plan logits = trainedBy("hf", Strategy::Ddp, 4);
    logits.model.preset = "llama-3.1-8b";
    logits.hardware.gpu = "rtx-4090";
    logits.batch.microBatch = 1;
    logits.batch.sequenceLength = 8192;
    logits.adapters = lora.adapters;
    QTest::newRow("LoRA at 8k on 4090s") << logits << "Fuse head and loss";
    Plan served = servedBy(Engine::Sglang, "llama-3.1-70b", "h100-sxm-80gb");
    served.parallel.tensor = served.hardware.gpus.emplace(2);
    QTest::newRow("70B on two H100s") << served << "Tensor parallel 4 (now 2), +2 GPUs";
}

void TestWaysToFit::whatPeopleEndWithIsAmongTheFirstThree()
{
    QFETCH(Plan, plan);
    QFETCH(QString, title);
    const std::vector<WayToFit> ways = waysToFit(plan);
    QStringList first;
    for (const WayToFit &way : std::span(ways).first(std::min<std::size_t>(3, ways.size())))
        if (way.standing.verdict != Verdict::DoesNotFit)
            first << QString::fromStdString(way.title);
    QVERIFY2(first.contains(title), qPrintable(first.join(u" | ")));
}

void TestWaysToFit::offloadThatFitsComesBeforeATightLayout()
{
    int compared = 0;
    for (const char *model : {"llama-2-7b", "llama-2-13b", "llama-3.1-70b"}) {
        for (const Strategy strategy : {Strategy::Zero2, Strategy::Zero3, Strategy::Fsdp2}) {
            for (const std::int64_t gpus : {2, 4, 8}) {
                Plan plan = trainedBy("own", strategy, gpus);
                plan.model.preset = model;
                const std::vector<WayToFit> ways = waysToFit(plan);
                const auto sure = [](const WayToFit &way) {
                    return way.hostBytes > 0 && way.standing.verdict == Verdict::Fits;
                };
                const auto tight = [](const WayToFit &way) {
                    return way.standing.verdict == Verdict::Tight;
                };
                const auto firstTight = std::ranges::find_if(ways, tight);
                const bool any = std::ranges::any_of(ways, sure) && firstTight != ways.end();
                compared += any ? 1 : 0;
                QVERIFY(std::none_of(firstTight, ways.end(), sure));
            }
        }
    }
    QVERIFY(compared > 0);
}

void TestWaysToFit::aServerCapturesFewerGraphsOrNone()
{
    Plan plan = servedBy(Engine::Vllm, "llama-3.1-8b", "rtx-4090");
    plan.inference.maxModelLen = 32'768;
    const std::vector<WayToFit> ways = waysToFit(plan);
    const WayToFit *eager = named(ways, "Eager mode");
    const WayToFit *fewer = named(ways, "CUDA graphs of 16 sequences at most");
    QVERIFY(eager && fewer && eager->toll == Toll::Limits);
    const auto gain = [](const WayToFit &way) {
        return way.saved + (way.cache ? way.cache->bytes : 0);
    };
    QVERIFY(gain(*eager) > gain(*fewer) && gain(*fewer) > 0);
    plan.inference.cudaGraphBytes = 0;
    QVERIFY(!named(waysToFit(plan), "Eager mode"));
    plan.inference.cudaGraphBytes.reset();
    plan.inference.engine = Engine::Hf;
    QVERIFY(!named(waysToFit(plan), "Eager mode"));
}

void TestWaysToFit::aHybridKeepsItsCacheInEightBits()
{
    for (const Engine engine : {Engine::Vllm, Engine::Sglang}) {
        for (const char *model : {"qwen3-next-80b-a3b", "jamba-mini-1.5", "kimi-linear-48b-a3b"}) {
            Plan plan = servedBy(engine, model, "h200-sxm-141gb");
            plan.parallel.tensor = plan.hardware.gpus.emplace(8);
            plan.inference.maxModelLen = plan.inference.meanSequenceLength = 100'000;
            const std::vector<WayToFit> ways = waysToFit(plan);
            const WayToFit *way = named(ways, "Cache in 8 bits");
            QVERIFY2(way && way->cache && way->cache->tokens > 0, model);
        }
    }
}

void TestWaysToFit::noLargerDegreeIsOfferedThanOneThatFits()
{
    Plan plan = servedBy(Engine::Sglang, "llama-3.1-70b", "h100-sxm-80gb");
    plan.parallel.tensor = plan.hardware.gpus.emplace(2);
    const std::vector<WayToFit> ways = waysToFit(plan);
    QVERIFY(named(ways, "Tensor parallel 4 (now 2), +2 GPUs"));
    QVERIFY(!named(ways, "Tensor parallel 8 (now 2), +6 GPUs"));
}

VRAMSCOPE_TEST(TestWaysToFit)
#include "tst_ways_to_fit.moc"
