// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/planner/estimate.h"
#include "core/planner/plan_json.h"
#include "tests/core/planner/sample_plans.h"
#include "tests/support/test.h"

#include <algorithm>

using namespace vramscope;
using namespace vramscope::test;
using namespace Qt::StringLiterals;

// Memory of DeepSpeed's ZeRO as its source allocates it (runtime/zero/stage3.py,
// stage_1_and_2.py), for Llama 3 8B in bf16.

namespace {

constexpr std::int64_t kParametersOf8B = 8'030'261'248;
constexpr std::int64_t kBucket = 500'000'000;     // reduce_bucket_size
constexpr std::int64_t kSubGroup = 1'000'000'000; // sub_group_size

Plan zeroPlan(Strategy strategy, std::int64_t gpus)
{
    Plan plan = shardedPlan(gpus, strategy);
    plan.precision.regime = Regime::DeepSpeedBf16;
    plan.activations.checkpointing = Checkpointing::Full;
    plan.overheads.cublasWorkspaceBytes = 0;
    return plan;
}

Bytes allocatedAt(const Plan &plan, std::string_view moment)
{
    const Estimate result = estimate(plan);
    const auto found = std::ranges::find(result.moments, moment, &Moment::name);
    return found == result.moments.end() ? 0 : found->allocated;
}

/// Beyond states: norms that ZeRO-3 keeps whole, the batch, rounding.
bool about(Bytes bytes, std::int64_t expected)
{
    return bytes >= expected && bytes < expected + 4 * kMiB;
}

} // namespace

class TestZero : public Test
{
    Q_OBJECT

private slots:
    void zero3KeepsPartitionsOfTheGradientsAndTheBucketForGood()
    {
        for (const std::int64_t d : {4, 8, 64})
            QVERIFY(about(allocatedAt(zeroPlan(Strategy::Zero3, d), "at rest"),
                          16 * kParametersOf8B / d + 2 * kBucket));
    }

    void zero3UpdatesASubGroupAtATime()
    {
        // 24 bytes a parameter with one sub-group, where torch's foreach lists stand beside it.
        const std::int64_t share = kParametersOf8B / 8;
        static_assert(kParametersOf8B / 8 > kSubGroup && kParametersOf8B / 16 < kSubGroup);
        const auto step = [](const Plan &plan) { return allocatedAt(plan, "optimizer step"); };
        Plan plan = zeroPlan(Strategy::Zero3, 8);
        QVERIFY(about(step(plan), 16 * share + 2 * kBucket + 6 * kSubGroup));
        plan.optimizer.implementation = OptimizerImplementation::Foreach;
        QVERIFY(about(step(plan), 16 * share + 2 * kBucket + 8 * kSubGroup));
        plan.optimizer.implementation = OptimizerImplementation::ForLoop; // of one flat tensor
        QVERIFY(about(step(plan), 16 * share + 2 * kBucket + 12 * kSubGroup));
        plan.optimizer.implementation = OptimizerImplementation::Fused;
        plan.parallel.bucket.subGroup = 100'000'000;
        QVERIFY(about(step(plan), 16 * share + 2 * kBucket + 600'000'000));
        plan = zeroPlan(Strategy::Zero3, 16); // less than a sub-group
        QVERIFY(about(step(plan), 22 * kParametersOf8B / 16 + 2 * kBucket));
    }

    void zero2AndZero1AverageInOneBufferAndCastAFlatCopy()
    {
        // Replayed in the order of the source: 36.25 GB at the cast, 38.26 GB in a foreach update.
        for (const Strategy strategy : {Strategy::Zero1, Strategy::Zero2}) {
            Plan plan = zeroPlan(strategy, 8);
            QVERIFY(about(allocatedAt(plan, "at rest"),
                          2 * kParametersOf8B + 12 * kParametersOf8B / 8));
            QVERIFY(about(allocatedAt(plan, "optimizer step"),
                          2 * kParametersOf8B + 20 * kParametersOf8B / 8));
            plan.optimizer.implementation = OptimizerImplementation::Foreach;
            QVERIFY(about(allocatedAt(plan, "optimizer step"),
                          2 * kParametersOf8B + 22 * kParametersOf8B / 8));
        }
    }

    void onManyGpusTheOverflowCheckIsTheHighestMomentOfTheStep()
    {
        // The embedding is larger than the rank's share: 11 bytes of each of its elements.
        const std::int64_t share = kParametersOf8B / 64;
        QVERIFY(about(allocatedAt(zeroPlan(Strategy::Zero2, 64), "optimizer step"),
                      2 * kParametersOf8B + (12 + 2 + 11) * share));
    }

    void theAllGatherTakesNoBucket()
    {
        Plan plan = zeroPlan(Strategy::Zero2, 8);
        const Bytes peak = allocatedAt(plan, "optimizer step");
        plan.parallel.bucket.allgather = 4'000'000'000;
        QCOMPARE(allocatedAt(plan, "optimizer step"), peak);
    }

    void accumulationAddsNothingToZero3AndASecondSumToZero2()
    {
        const auto grown = [](Strategy strategy, const char *moment) {
            Plan plan = zeroPlan(strategy, 8);
            const Bytes once = allocatedAt(plan, moment);
            plan.batch.accumulationSteps = 4;
            return allocatedAt(plan, moment) - once;
        };
        constexpr Bytes kSum = 2 * kParametersOf8B / 8;
        QCOMPARE(grown(Strategy::Zero3, "loss"), Bytes(0));
        QCOMPARE(grown(Strategy::Zero3, "end of backward"), Bytes(0));
        QCOMPARE(grown(Strategy::Zero2, "loss"), kSum);
        QCOMPARE(grown(Strategy::Zero2, "end of backward"), kSum);
        QCOMPARE(grown(Strategy::Zero1, "loss"), Bytes(2 * kParametersOf8B));
    }

    void theSharesOfOffloadedStatesAreNotOnTheGpu()
    {
        Plan plan = zeroPlan(Strategy::Zero3, 8);
        plan.optimizer.offload = true;
        QVERIFY(about(allocatedAt(plan, "at rest"), 2 * kParametersOf8B / 8 + 2 * kBucket));
        plan = zeroPlan(Strategy::Zero2, 8);
        plan.optimizer.offload = true;
        QVERIFY(about(allocatedAt(plan, "optimizer step"), 2 * kParametersOf8B));
    }

    void aCommonRunOfSevenBillionOnFourCardsOf40GbFits()
    {
        Plan plan = zeroPlan(Strategy::Zero3, 4);
        plan.model.preset = "llama-2-7b";
        plan.hardware.gpu = "a100-sxm-40gb";
        plan.batch.microBatch = 1;
        plan.batch.sequenceLength = 4096;
        plan.overheads = {};
        plan.precision = {}; // DeepSpeed's own, under ZeRO
        const Estimate result = estimate(plan);
        QVERIFY2(result.fits == true, std::to_string(result.peakDevice).c_str());
    }

    void theExampleOf70BillionNamesTheLossAsItsPeak()
    {
        const QString file = projectFile(u"resources/examples/llama-70b-8xh200.vramplan"_s);
        const Result<Plan> plan = readPlan(file.toStdString());
        QVERIFY(plan.ok());
        const Estimate result = estimate(*plan);
        const auto gib = [](Bytes bytes) { return double(bytes) / double(kGiB); };
        QVERIFY(gib(result.atRest) > 131.4 && gib(result.atRest) < 132.5);
        QVERIFY(gib(allocatedAt(*plan, "optimizer step")) < 138.1); // one sub-group: 5.6
        QCOMPARE(result.peakAt, std::string("loss"));
    }
};

VRAMSCOPE_TEST(TestZero)
#include "tst_zero.moc"
