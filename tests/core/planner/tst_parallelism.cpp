// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/estimate/estimate.h"
#include "tests/core/planner/sample_plans.h"
#include "tests/support/test.h"

#include <algorithm>

using namespace vramscope;
using namespace vramscope::test;

namespace {

Plan pipelinedPlan(std::int64_t stages, std::int64_t microBatches)
{
    Plan plan = smallPlan();
    plan.parallel.pipeline = stages;
    plan.batch.accumulationSteps = microBatches;
    return plan;
}

/// Bytes of a part at a moment; 0 where it is not there.
std::string firstIssue(const Plan &plan)
{
    const Estimate result = estimate(plan);
    return result.issues.empty() ? std::string() : result.issues.front().field;
}

} // namespace

class TestParallelism : public Test
{
    Q_OBJECT

private slots:
    void unevenStagesHoldTheLayersTheyAreGiven()
    {
        Plan plan = pipelinedPlan(4, 8);
        const std::int64_t even = estimate(plan).parametersPerRank;
        plan.parallel.layersPerStage = CountList{6, 9, 9, 8};
        plan.parallel.stage = 0;
        const Estimate first = estimate(plan);
        QVERIFY(first.computed);
        QVERIFY(first.parametersPerRank < even);
        constexpr std::int64_t kBlock = 218'112'000; // of Llama 3 8B
        constexpr std::int64_t kEmbedding = 128'256LL * 4096;
        QCOMPARE(first.parametersPerRank, 6 * kBlock + kEmbedding);
        std::int64_t sum = 0;
        for (std::int64_t stage = 0; stage < 4; ++stage) {
            plan.parallel.stage = stage;
            sum += estimate(plan).parametersPerRank;
        }
        QCOMPARE(sum, std::int64_t(8'030'261'248));
    }

    void listsThatDoNotFitTheStagesAreRefused()
    {
        Plan plan = pipelinedPlan(4, 8);
        plan.parallel.layersPerStage = CountList{16, 16};
        QCOMPARE(firstIssue(plan), std::string("parallel.layers_per_stage"));
        plan.parallel.layersPerStage = CountList{8, 8, 8, 9};
        QCOMPARE(firstIssue(plan), std::string("parallel.layers_per_stage"));
        QVERIFY(!estimate(plan).computed);
        plan.parallel.layersPerStage = CountList{8, 8, 8, 8};
        QVERIFY(estimate(plan).computed);
    }

    void gpipeKeepsEveryMicroBatchAndOneForwardOneBackwardOnlyTheFirstFew()
    {
        Plan plan = pipelinedPlan(4, 16);
        plan.parallel.stage = 0;
        const std::string saved = "Saved activations";
        const auto kept = [&](Schedule schedule, std::int64_t stage) {
            plan.parallel.schedule = schedule;
            plan.parallel.stage = stage;
            return test::partAt(estimate(plan), "forward", saved);
        };
        const Bytes one = kept(Schedule::OneForwardOneBackward, 3);
        QVERIFY(one > 0);
        QCOMPARE(kept(Schedule::OneForwardOneBackward, 0), 4 * one);
        QCOMPARE(kept(Schedule::GPipe, 0), 16 * one);
        QCOMPARE(kept(Schedule::GPipe, 3), 16 * one);
        QCOMPARE(kept(Schedule::ZeroBubble, 3), 4 * one);
    }

    void interleavedStagesKeepMoreThanPlainOnes()
    {
        // Stage 0 of 4 with 2 chunks: min(32, 2·3 + 4 + 1) = 11 chunks of 4 layers.
        Plan plan = pipelinedPlan(4, 16);
        plan.parallel.stage = 0;
        const Bytes plain = test::partAt(estimate(plan), "forward", "Saved activations");
        plan.parallel.virtualStages = 2;
        const Bytes interleaved = test::partAt(estimate(plan), "forward", "Saved activations");
        QCOMPARE(interleaved * 8, plain * 11);
    }

    void otherMicroBatchesInFlightStayWhileOneRunsBackward()
    {
        Plan plan = pipelinedPlan(4, 16);
        plan.parallel.stage = 0;
        const Estimate result = estimate(plan);
        const Bytes whole = test::partAt(result, "forward", "Saved activations");
        const Bytes block = whole / (4 * 8);
        QCOMPARE(test::partAt(result, "last backward block", "Saved activations"),
                 whole - 7 * block);
    }

    void contextExchangesTakeWhatTheySend()
    {
        Plan plan = smallPlan();
        plan.parallel.context = 2;
        plan.parallel.strategy = Strategy::Megatron;
        constexpr std::int64_t kTokens = 2 * 2048 / 2;
        constexpr std::int64_t kKeyWidth = 8 * 128;
        plan.parallel.contextExchange = ContextExchange::Ring;
        QCOMPARE(test::partAt(estimate(plan), "forward", "Ring attention blocks"),
                 Bytes(2 * 2 * 2 * kKeyWidth * kTokens));
        plan.parallel.contextExchange = ContextExchange::AllGather;
        QCOMPARE(test::partAt(estimate(plan), "forward", "Gathered keys and values"),
                 Bytes(2 * 2 * kKeyWidth * kTokens * 2));
        plan.parallel.contextExchange = ContextExchange::Ulysses;
        QCOMPARE(test::partAt(estimate(plan), "forward", "Ulysses all-to-all buffers"),
                 Bytes(2 * (4096 + 2 * kKeyWidth) * kTokens));
    }

    // torch's own: _context_parallel/_attention.py, with as many heads of keys as of queries.
    void aRingOfTorchHoldsItsBuffersWhereTheMlpIsGone()
    {
        Plan plan = smallPlan();
        plan.model.preset = "llama-2-7b";
        plan.parallel.strategy = Strategy::Ddp;
        plan.parallel.context = 4;
        constexpr Bytes kTokens = 2 * 2048 / 4;
        constexpr Bytes kHidden = 4096; // also the width of queries and of keys
        plan.parallel.contextExchange = ContextExchange::Ulysses;
        const Bytes saved = test::partAt(estimate(plan), "loss", "Saved activations");
        const auto expect = [&](ContextExchange exchange, Bytes buffers) {
            plan.parallel.contextExchange = exchange;
            const Estimate result = estimate(plan);
            QCOMPARE(test::partAt(result, "loss", "Saved activations"),
                     saved + 32 * 2 * kHidden * kTokens); // the merged output once more
            const Bytes gone = (8 + 2) * kHidden + 8 * 11008;
            const char *block = "first backward block";
            QCOMPARE(test::partAt(result, block, "Attention across context ranks"),
                     ((2 + 2 + buffers) * kHidden - gone) * kTokens);
            QCOMPARE(test::partAt(result, block, "Backward temporaries"), Bytes(0));
        };
        expect(ContextExchange::Ring, 9 + 44);
        expect(ContextExchange::AllGather, 6 + 40 + 4 * 4);
    }

    void contextExchangesSendWhatARankHolds()
    {
        Plan plan = smallPlan();
        plan.parallel.context = 4;
        plan.parallel.strategy = Strategy::Megatron;
        constexpr Bytes kTokens = 2 * 2048 / 4;
        const auto sent = [&](std::int64_t tensor, ContextExchange exchange) {
            plan.parallel.tensor = tensor;
            plan.parallel.contextExchange = exchange;
            return estimate(plan).communicationBytes;
        };
        const Bytes ring = 32LL * 2 * 2 * 3 * 8 * 128 * kTokens; // L · 2 · 2 K (c - 1) T
        const Bytes ulysses = 32LL * 2 * 2 * (2 * 4096 + 2 * 8 * 128) * kTokens / 4 * 3;
        QCOMPARE(sent(1, ContextExchange::Ulysses) - sent(1, ContextExchange::Ring),
                 ulysses - ring);
        QCOMPARE(sent(1, ContextExchange::AllGather), sent(1, ContextExchange::Ring));
        // Each of two tensor-parallel ranks holds half of the heads.
        QCOMPARE(sent(2, ContextExchange::Ulysses) - sent(2, ContextExchange::Ring),
                 (ulysses - ring) / 2);
    }

    void keyValueHeadsAreRepeatedWhereTheyDoNotDivide()
    {
        // Llama 3 8B has 8 key-value heads: under tensor 16 each rank holds one whole head.
        Plan plan = smallPlan();
        plan.parallel.tensor = 16;
        const Estimate result = estimate(plan);
        QVERIFY(result.computed);
        constexpr std::int64_t kQuery = 4096LL * 4096 / 16;
        constexpr std::int64_t kOneHead = 4096LL * 128;
        constexpr std::int64_t kMlp = 3LL * 4096 * 14336 / 16;
        const std::int64_t block = 2 * kQuery + 2 * kOneHead + kMlp + 2 * 4096;
        QCOMPARE(result.parametersPerRank, 32 * block + 2 * 128'256LL * 4096 / 16 + 4096);
    }

    void fp8CopiesAreOfTheWeightsThatAGpuHolds()
    {
        // Transformer Engine copies each linear weight twice on Hopper: experts elsewhere have no
        // copies here.
        Plan plan = smallPlan();
        plan.model.preset = "mixtral-8x7b";
        plan.hardware.gpu = "h100-sxm-80gb";
        plan.precision.regime = Regime::Fp8;
        plan.parallel.strategy = Strategy::MegatronDistributedOptimizer;
        plan.parallel.data = 8;
        plan.parallel.expert = 8;
        const Estimate result = estimate(plan);
        QVERIFY(result.computed);
        constexpr std::int64_t kAttention = 2 * 4096LL * 4096 + 2 * 4096LL * 1024;
        constexpr std::int64_t kOneExpert = 3 * 4096LL * 14336;
        QCOMPARE(test::partAt(result, "forward", "fp8 weight copies"),
                 2 * 32 * (kAttention + kOneExpert));
    }

    void forwardPrefetchGathersOneUnitMore()
    {
        Plan plan = shardedPlan(8, Strategy::Fsdp1);
        const std::string name = "Gathered block weights in forward";
        const Bytes two = test::partAt(estimate(plan), "forward", name);
        plan.parallel.forwardPrefetch = true;
        QCOMPARE(test::partAt(estimate(plan), "forward", name), two / 2 * 3);
    }

    void shardGradOpFreesBlocksAsTheyRunBackward()
    {
        Plan plan = shardedPlan(8);
        plan.parallel.sharding = Sharding::ShardGradOp;
        const Estimate result = estimate(plan);
        const Bytes all = test::partAt(result, "loss", "Gathered weights");
        QVERIFY(all > 0);
        QCOMPARE(test::partAt(result, "last backward block", "Gathered weights"), all / 32);
        QCOMPARE(test::partAt(result, "end of backward", "Gathered weights"), Bytes(0));
    }
};

VRAMSCOPE_TEST(TestParallelism)
#include "tst_parallelism.moc"
