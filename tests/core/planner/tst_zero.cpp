// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/estimate/estimate.h"
#include "core/plan/plan_json.h"
#include "tests/core/planner/sample_plans.h"
#include "tests/support/test.h"

#include <algorithm>
#include <vector>

using namespace vramscope;
using namespace vramscope::test;
using namespace Qt::StringLiterals;

// Memory of DeepSpeed's ZeRO as its source allocates it (runtime/zero/stage3.py,
// stage_1_and_2.py), for Llama 3 8B in bf16.

namespace {

constexpr std::int64_t kParametersOf8B = 8'030'261'248;
constexpr std::int64_t kEmbedding = 128'256LL * 4096;
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

    /// Llama 3.1 8B's tensors in their order, each of which a rank averages whole that holds a part
    /// of it: the most of any rank, counted one rank after the other. With the largest piece of a
    /// rank that counts `perElement` bytes beside the 2 of a gradient.
    static Bytes mostOfARank(std::int64_t ranks, Bytes perElement = 0)
    {
        constexpr std::int64_t kHidden = 4096;
        constexpr std::int64_t kVocabulary = 128256 * kHidden;
        std::vector<std::int64_t> tensors = {kVocabulary};
        for (int block = 0; block < 32; ++block)
            for (const std::int64_t out : {4096, 1024, 1024, 4096, 14336, 14336, 14336, 1, 1})
                tensors.push_back(out * kHidden);
        tensors.insert(tensors.end(), {kHidden, kVocabulary});
        const std::int64_t share = (kParametersOf8B + ranks - 1) / ranks;
        Bytes most = 0;
        for (std::int64_t rank = 0; rank < ranks; ++rank) {
            std::int64_t begin = 0;
            std::int64_t whole = 0;
            std::int64_t largest = 0;
            for (const std::int64_t tensor : tensors) {
                const std::int64_t piece =
                    std::min(begin + tensor, (rank + 1) * share) - std::max(begin, rank * share);
                if (piece > 0) {
                    whole += tensor;
                    largest = std::max(largest, piece);
                }
                begin += tensor;
            }
            most = std::max(most, 2 * whole + perElement * largest);
        }
        return most;
    }

    void onManyGpusTheNormOfTheGradientsIsTheHighestMomentOfTheStep()
    {
        const std::int64_t share = kParametersOf8B / 64;
        const Plan plan = zeroPlan(Strategy::Zero2, 64);
        QVERIFY(about(allocatedAt(plan, "gradient norm"),
                      2 * kParametersOf8B + 12 * share + mostOfARank(64, 8)));
        QVERIFY(allocatedAt(plan, "gradient norm") > allocatedAt(plan, "optimizer step"));
    }

    // With a count below what the blocks hold, a partition's share is below nothing.
    void fewerParametersThanTheBlocksHoldAreRefused()
    {
        for (const Strategy strategy : {Strategy::Zero1, Strategy::Zero2, Strategy::Zero3}) {
            Plan plan = zeroPlan(strategy, 8);
            plan.model.parametersOverride = 8;
            QVERIFY(!estimate(plan).computed);
        }
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
        const Bytes sum = mostOfARank(8);
        QCOMPARE(grown(Strategy::Zero3, "loss"), Bytes(0));
        QCOMPARE(grown(Strategy::Zero3, "end of backward"), Bytes(0));
        QCOMPARE(grown(Strategy::Zero2, "loss"), sum);
        QCOMPARE(grown(Strategy::Zero2, "end of backward"), sum);
        // Whole gradients, and the bucket that waits for the last micro-batch.
        QCOMPARE(grown(Strategy::Zero1, "loss"), Bytes(2 * kParametersOf8B + 2 * kBucket));
    }

    void theSharesOfOffloadedStatesAreNotOnTheGpu()
    {
        Plan plan = zeroPlan(Strategy::Zero3, 8);
        plan.optimizer.offload = true;
        QVERIFY(about(allocatedAt(plan, "at rest"), 2 * kParametersOf8B / 8 + 2 * kBucket));
        plan = zeroPlan(Strategy::Zero2, 8);
        plan.optimizer.offload = true;
        QVERIFY(about(allocatedAt(plan, "optimizer step"), 2 * kParametersOf8B + 2 * kEmbedding));
    }

    void withStatesOnTheHostTheNormOfAGradientIsTakenInBackward()
    {
        const auto atEnd = [](Strategy strategy, std::int64_t gpus, std::int64_t bucket) {
            Plan plan = zeroPlan(strategy, gpus);
            plan.optimizer.offload = true;
            plan.parallel.bucket.reduce = bucket;
            return allocatedAt(plan, "end of backward");
        };
        // Up to 8 ranks the largest piece in fp64, on many the clone of an embedding that is larger
        // than the bucket.
        constexpr std::int64_t kSmall = 50'000'000;
        const Bytes few = atEnd(Strategy::Zero1, 8, kSmall);
        const Bytes many = atEnd(Strategy::Zero1, 64, kSmall);
        QCOMPARE(few - many, 8 * kEmbedding - 2 * kEmbedding);
        QCOMPARE(atEnd(Strategy::Zero1, 64, 600'000'000) - many,
                 8 * (kParametersOf8B / 64) - 2 * kEmbedding + 2 * (600'000'000 - kSmall));
    }

    void parametersOnTheHostSaveTheirShard()
    {
        Plan plan = zeroPlan(Strategy::Zero3, 8);
        plan.optimizer.offload = true;
        const Estimate without = estimate(plan);
        plan.parallel.cpuOffload = true;
        const Estimate with = estimate(plan);
        QCOMPARE(without.peakAllocated - with.peakAllocated, Bytes(2 * kParametersOf8B / 8));
        QCOMPARE(without.atRest - with.atRest, Bytes(2 * kParametersOf8B / 8));
        QCOMPARE(with.hostBytes - without.hostBytes, Bytes(2 * kParametersOf8B / 8));
        plan.optimizer.offload = false; // the step then is the GPU's
        QVERIFY(allocatedAt(plan, "optimizer step") > allocatedAt(plan, "at rest"));
    }

    void theReuseDistanceBoundsWhatStaysGathered()
    {
        Plan plan = zeroPlan(Strategy::Zero3, 8);
        const Bytes usual = allocatedAt(plan, "loss");
        plan.parallel.bucket.maxLiveParameters = 100'000'000;
        QCOMPARE(allocatedAt(plan, "loss"), usual);
        plan.parallel.bucket.maxReuseDistance = 100'000'000; // the head alone is read next
        // Head, norm and blocks up to the first tensor beyond 10^9.
        QVERIFY(usual - allocatedAt(plan, "loss") >= 2 * (1'000'000'000 - kEmbedding - 4096));
        QVERIFY(usual - allocatedAt(plan, "loss") < 2 * (1'100'000'000 - kEmbedding));
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
