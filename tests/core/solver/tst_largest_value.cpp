// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/plan/plan_json.h"
#include "core/settings/settings.h"
#include "core/solver/largest_value.h"
#include "tests/support/random_plans.h"
#include "tests/support/test.h"

#include <array>

using namespace vramscope;
using test::Random;

namespace {

QByteArray shown(const Plan &plan)
{
    return QByteArray::fromStdString(planJson(plan));
}

Plan with(Plan plan, const Field &field, std::int64_t value)
{
    field.set(plan, value);
    return plan;
}

/// Whether a larger value needs less than a smaller one somewhere, and more elsewhere.
bool turns(const Plan &plan, const Field &field)
{
    constexpr std::int64_t kLast = 64;
    bool grows = false;
    bool falls = false;
    Bytes before = estimate(with(plan, field, 1)).peakDevice;
    for (std::int64_t value = 2; value <= kLast; ++value) {
        const Bytes now = estimate(with(plan, field, value)).peakDevice;
        grows |= now > before;
        falls |= now < before;
        before = now;
    }
    return grows && falls;
}

/// Llama 3 8B in bf16 on one GPU of 80 GB, everything checkpointed.
Plan planToGrow()
{
    Plan plan;
    plan.model.preset = "llama-3-8b";
    plan.hardware.gpu = "h100-sxm-80gb";
    plan.precision.regime = Regime::PureBf16;
    plan.activations.checkpointing = Checkpointing::Full;
    plan.batch.sequenceLength = 1024;
    return plan;
}

Plan servingPlan(Engine engine)
{
    Plan plan;
    plan.workload = Workload::Inference;
    plan.model.preset = "llama-3-8b";
    plan.hardware.gpu = "rtx-4090";
    plan.inference.engine = engine;
    return plan;
}

bool saysSo(const Result<ValueThatFits> &result, std::string_view words)
{
    return !result.ok() && result.error().detail.find(words) != std::string::npos;
}

} // namespace

class TestLargestValue : public test::Test
{
    Q_OBJECT

private slots:
    void itFitsAndTheNextStepDoesNot();
    void aWalkFromTheSmallestValueFindsTheSame();
    void sequenceLengthsAreMultiplesOf64ForEveryContextRank();
    void aFieldThatSavesMemoryIsAnsweredFromBelow();
    void theEndsOfTheRangeAreSaid();
    void vllmNeedsRoomForOneWholeSequence();
    void whatHasNoAnswerIsRefusedWithAReason();
};

void TestLargestValue::itFitsAndTheNextStepDoesNot()
{
    constexpr std::array<FieldPath, 4> kTraining = {"batch.micro_batch", "batch.sequence_length",
                                                    "adapters.rank", "overheads.resident_bytes"};
    constexpr std::array<FieldPath, 4> kServing = {
        "inference.concurrent_sequences", "inference.mean_sequence_length",
        "inference.max_num_batched_tokens", "overheads.resident_bytes"};
    Random random(11);
    int found = 0;
    for (int trial = 0; trial < 1500; ++trial) {
        const bool serving = trial % 3 == 0;
        Plan plan = serving ? test::randomServingPlan(random) : test::randomTrainingPlan(random);
        plan.hardware.capacity = static_cast<Bytes>(1 + random() % 200) << 30;
        if (sizesItsCache(resolve(plan).settings))
            plan.inference.engine = Engine::Plain; // see vllmNeedsRoomForOneWholeSequence()
        if (!resolve(plan).computable())
            continue; // drawn for the other engine
        const Field &field = fieldAt((serving ? kServing : kTraining)[random() % 4]);
        const Result<ValueThatFits> result = largestThatFits(plan, field);
        if (!result) {
            QVERIFY2(saysSo(result, "does not change"),
                     result.error().detail.c_str() + shown(plan));
            continue;
        }
        if (!result->answer || !result->next)
            continue;
        ++found;
        const std::int64_t value = result->answer->value;
        QCOMPARE(result->next->value, value + (result->largest ? 1 : -1) * result->step);
        const Estimate fits = estimate(with(plan, field, value));
        const Estimate next = estimate(with(plan, field, result->next->value));
        QVERIFY2(fits.computed && *fits.fits, shown(plan));
        QVERIFY2(!next.computed || !*next.fits, shown(plan));
        QVERIFY2(result->answer->standing->device == fits.peakDevice, shown(plan));
    }
    QVERIFY2(found > 300, qPrintable(QString::number(found)));
}

void TestLargestValue::aWalkFromTheSmallestValueFindsTheSame()
{
    Random random(12);
    int walked = 0;
    for (int trial = 0; trial < 200; ++trial) {
        Plan plan = test::randomTrainingPlan(random);
        plan.hardware.capacity = static_cast<Bytes>(1 + random() % 80) << 30;
        const Field &field = fieldAt("batch.micro_batch");
        const Result<ValueThatFits> result = largestThatFits(plan, field);
        if (!result.ok()) { // as it rightly says where the need turns
            QVERIFY2(turns(plan, field), shown(plan));
            continue;
        }
        if (!result->answer || result->answer->value > 60)
            continue;
        std::int64_t value = 0;
        for (Estimate it = estimate(with(plan, field, 1)); it.computed && *it.fits;
             it = estimate(with(plan, field, value + 1)))
            ++value;
        QVERIFY2(value == result->answer->value, shown(plan));
        ++walked;
    }
    QVERIFY2(walked > 20, qPrintable(QString::number(walked)));
}

void TestLargestValue::sequenceLengthsAreMultiplesOf64ForEveryContextRank()
{
    Plan plan = planToGrow();
    plan.parallel.context = 3;
    plan.parallel.strategy = Strategy::Fsdp2;
    const Result<ValueThatFits> result = largestThatFits(plan, fieldAt("batch.sequence_length"));
    QVERIFY(result.ok() && result->answer && result->next);
    QCOMPARE(result->step, 192);
    QCOMPARE(result->answer->value % 192, 0);
    QCOMPARE(result->next->value, result->answer->value + 192);
}

void TestLargestValue::aFieldThatSavesMemoryIsAnsweredFromBelow()
{
    Plan plan = planToGrow();
    plan.batch.sequenceLength = 8192;
    plan.optimizer.implementation = OptimizerImplementation::Fused;
    plan.loss = LossKind::LinearFused;
    plan.activations.checkpointing = Checkpointing::Block;
    plan.activations.checkpointedBlocks = 32;
    QVERIFY(*estimate(plan).fits);
    const Field &field = fieldAt("activations.blocks");
    const Result<ValueThatFits> result = largestThatFits(plan, field);
    QVERIFY(result.ok() && result->answer && result->next && !result->largest);
    QVERIFY(result->answer->value > 0 && result->answer->value < 32);
    QVERIFY(!*estimate(with(plan, field, result->answer->value - 1)).fits);
}

void TestLargestValue::theEndsOfTheRangeAreSaid()
{
    Plan plan = planToGrow();
    plan.hardware.capacity = 1 << 30;
    const Result<ValueThatFits> none = largestThatFits(plan, fieldAt("batch.micro_batch"));
    QVERIFY(none.ok() && !none->answer && none->next && !none->note.empty());
    QCOMPARE(none->next->value, 1);

    plan.hardware.capacity = 900'000'000'000'000;
    plan.batch.sequenceLength = 1;
    const Result<ValueThatFits> all = largestThatFits(plan, fieldAt("batch.micro_batch"));
    QVERIFY(all.ok() && all->answer && !all->next && !all->note.empty());
    QCOMPARE(all->answer->value, 1'000'000);

    plan.batch.sequenceLength = 8192;
    plan.optimizer.implementation = OptimizerImplementation::Fused;
    plan.loss = LossKind::LinearFused;
    plan.activations.checkpointing = Checkpointing::Block; // more than the 32 layers is refused
    const Result<ValueThatFits> blocks = largestThatFits(plan, fieldAt("activations.blocks"));
    QVERIFY(blocks.ok() && blocks->answer);
    QCOMPARE(blocks->answer->value, 0);
}

void TestLargestValue::vllmNeedsRoomForOneWholeSequence()
{
    Plan plan = servingPlan(Engine::Vllm);
    const Field &field = fieldAt("inference.max_model_len");
    const Result<ValueThatFits> result = largestThatFits(plan, field);
    QVERIFY2(result.ok() && result->answer && result->next, "no answer");
    const auto tokensFor = [&](std::int64_t length) {
        return estimate(with(plan, field, length)).inference->kvTokens;
    };
    QVERIFY(tokensFor(result->answer->value) >= result->answer->value);
    QVERIFY(tokensFor(result->next->value) < result->next->value);

    plan.inference.maxModelLen = 2048;
    const Field &sequences = fieldAt("inference.concurrent_sequences");
    const Result<ValueThatFits> most = largestThatFits(plan, sequences);
    QVERIFY(most.ok() && most->answer);
    QCOMPARE(most->answer->value, tokensFor(2048) / 2048);
}

void TestLargestValue::whatHasNoAnswerIsRefusedWithAReason()
{
    Plan plan = planToGrow();
    QVERIFY(saysSo(largestThatFits(plan, fieldAt("loss")), "no whole number"));
    QVERIFY(saysSo(largestThatFits(plan, fieldAt("loss_chunks")), "does not change"));
    plan.hardware.gpu = std::nullopt;
    QVERIFY(saysSo(largestThatFits(plan, fieldAt("batch.micro_batch")), "capacity_bytes"));
    plan.model.preset = "no-such-model";
    QVERIFY(saysSo(largestThatFits(plan, fieldAt("batch.micro_batch")), "no-such-model"));
    plan = planToGrow();
    plan.parallel.tensor = 7; // 32 heads
    QVERIFY(saysSo(largestThatFits(plan, fieldAt("batch.micro_batch")), "heads"));
}

VRAMSCOPE_TEST(TestLargestValue)
#include "tst_largest_value.moc"
