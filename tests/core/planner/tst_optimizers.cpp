// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/estimate/estimate.h"
#include "tests/core/planner/sample_plans.h"
#include "tests/support/test.h"

#include <algorithm>

using namespace vramscope;
using namespace vramscope::test;

namespace {

constexpr std::int64_t kParameters = 8'030'261'248; // Llama 3 8B
// Its blocks hold q, k, v, o, gate, up and down.
constexpr std::int64_t kMatrices = 32LL * (2 * 4096 * 4096 + 2 * 4096 * 1024 + 3 * 4096LL * 14336);

Plan planWith(OptimizerName name)
{
    Plan plan = smallPlan();
    plan.optimizer.name = name;
    return plan;
}

Bytes statesOf(const Plan &plan)
{
    const Estimate result = estimate(plan);
    Bytes sum = 0;
    for (const Moment &moment : result.moments)
        for (const Component &component : moment.components)
            if (moment.name == "at rest" && component.category == Category::OptimizerStates)
                sum += component.bytes;
    return sum;
}

} // namespace

class TestOptimizers : public Test
{
    Q_OBJECT

private slots:
    void everyOptimizerIsComputed()
    {
        for (std::size_t i = 0; i < choiceTexts<OptimizerName>.size(); ++i)
            for (const Strategy strategy : {Strategy::None, Strategy::Fsdp2, Strategy::Zero3}) {
                Plan plan = planWith(static_cast<OptimizerName>(i));
                plan.parallel.strategy = strategy;
                plan.parallel.data = strategy == Strategy::None ? 1 : 8;
                QVERIFY2(estimate(plan).computed, choiceTexts<OptimizerName>[i].data());
            }
    }

    void muonKeepsOneMomentOfMatricesAndTwoOfTheRest()
    {
        const Bytes expected = 2 * kMatrices + 2 * 2 * (kParameters - kMatrices); // bf16 states
        QCOMPARE(statesOf(planWith(OptimizerName::Muon)), expected);
        Plan sharded = planWith(OptimizerName::Muon);
        sharded.parallel.strategy = Strategy::Fsdp2;
        sharded.parallel.data = 8;
        QCOMPARE(statesOf(sharded), expected / 8);
    }

    void muonsUpdateOfTheLargestMatrixIsPartOfTheStep()
    {
        // gate is 14,336 × 4,096: update, iterate and successor in bf16, two 4,096² products.
        Plan plan = planWith(OptimizerName::Muon);
        plan.optimizer.implementation = OptimizerImplementation::Fused;
        const Bytes update =
            test::partAt(estimate(plan), "optimizer step", "Orthogonalised update");
        QCOMPARE(update, Bytes(6LL * 14336 * 4096 + 4LL * 4096 * 4096));
    }

    void aLoopOverTensorsHoldsTheTemporariesOfTheLargest()
    {
        const auto temporaries = [](OptimizerName name) {
            Plan plan = planWith(name);
            plan.optimizer.implementation = OptimizerImplementation::ForLoop;
            return test::partAt(estimate(plan), "optimizer step", "Update of the largest tensor");
        };
        const Bytes embedding = 2LL * 128'256 * 4096; // bf16
        QCOMPARE(temporaries(OptimizerName::AdamW), 2 * embedding);
        QCOMPARE(temporaries(OptimizerName::Lion), 2 * embedding);
        QCOMPARE(temporaries(OptimizerName::Adafactor), 8 * embedding); // in fp32
        QCOMPARE(temporaries(OptimizerName::Muon), 2 * embedding);      // AdamW's part
        QCOMPARE(temporaries(OptimizerName::SgdMomentum), Bytes(0));
    }

    void shampooKeepsAFactorAndARootForEachSideOfEachBlock()
    {
        // Blocks of 1,024 × 1,024 have two sides; embedding and head end in 4 of 256 rows each.
        const Bytes whole = (kMatrices + 2LL * (128'256 - 256) * 4096) / (1024 * 1024);
        const Bytes ends = 2 * 4;
        const Bytes partial = ends * (256 * 256 + 1024 * 1024);
        const Bytes factors = 8 * (2 * whole * 1024 * 1024 + partial);
        QCOMPARE(test::partAt(estimate(planWith(OptimizerName::Shampoo)), "at rest",
                              "Shampoo factors and their roots"),
                 factors);
    }

    void adafactorFactorsRowShardsButNotFlatOnes()
    {
        Plan rows = planWith(OptimizerName::Adafactor);
        const Bytes whole = statesOf(rows);
        QVERIFY(whole < 64 * kMiB);
        rows.parallel.strategy = Strategy::Fsdp2;
        rows.parallel.data = 8;
        QVERIFY(statesOf(rows) < whole);
        rows.parallel.strategy = Strategy::Zero3; // flat shards: a whole second moment
        QCOMPARE(statesOf(rows), Bytes(4 * kParameters / 8));
    }

    void adaptersAreDividedWhereTheirMatricesAre()
    {
        Plan plan = planWith(OptimizerName::AdamW);
        plan.adapters.kind = AdapterKind::Lora;
        plan.adapters.rank = 16;
        plan.adapters.targets = TextList{"q", "o"};
        const auto adapters = [&] {
            return test::partAt(estimate(plan), "at rest", "Adapter weights") / 4; // fp32
        };
        QCOMPARE(adapters(), Bytes(32 * 16 * 2 * (4096 + 4096)));
        plan.parallel.tensor = 4; // q: the outer factor; o: the inner one
        QCOMPARE(adapters(), Bytes(32 * 16 * 2 * (4096 + 1024)));
        plan.parallel.tensor = 1;
        plan.parallel.pipeline = 4;
        QCOMPARE(adapters(), Bytes(8 * 16 * 2 * (4096 + 4096)));
    }

    void stagesWithoutAnAdaptedMatrixTrainNothing()
    {
        Plan plan = planWith(OptimizerName::AdamW);
        plan.parallel.pipeline = 4;
        plan.parallel.stage = 0;
        plan.adapters.kind = AdapterKind::Lora;
        plan.adapters.rank = 16;
        plan.adapters.targets = TextList{"head"};
        QCOMPARE(statesOf(plan), Bytes(0));
        plan.parallel.stage = 3;
        QCOMPARE(statesOf(plan), Bytes(2 * 4 * 16 * (4096 + 128'256)));
    }

    void adaptersOfExpertsAreSpreadWithTheExperts()
    {
        Plan plan = smallPlan();
        plan.model.preset = "mixtral-8x7b";
        plan.parallel.strategy = Strategy::Ddp;
        plan.parallel.data = 4;
        plan.adapters.kind = AdapterKind::Lora;
        plan.adapters.rank = 8;
        plan.adapters.targets = TextList{"gate"};
        const Bytes all = test::partAt(estimate(plan), "at rest", "Adapter weights");
        QCOMPARE(all, Bytes(4LL * 8 * 32 * 8 * (4096 + 14336)));
        plan.parallel.expert = 4;
        QCOMPARE(test::partAt(estimate(plan), "at rest", "Adapter weights"), all / 4);
    }

    void fp4OperandsStandBesideTheLayerThatRuns()
    {
        Plan plan = smallPlan();
        plan.precision.linear = LinearFormat::NvFp4;
        const Bytes bytes =
            test::partAt(estimate(plan), "forward", "Quantised operands of a linear layer");
        QCOMPARE(bytes, Bytes(9LL * (4096 * 14336LL + 2 * 2048 * 14336LL) / 16));
    }

    void fp4LayersSaveCodesInPlaceOfInputs()
    {
        // Codes and scales of 9 bits for 16 elements, of the input and the weight of each product;
        // the norms' outputs and the product of gate and up are not saved for them.
        Plan plan = smallPlan();
        constexpr std::int64_t kTokens = 2 * 2048;
        const auto saved = [&] {
            return test::partAt(estimate(plan), "loss", "Saved activations");
        };
        const Bytes inputs = saved();
        plan.precision.linear = LinearFormat::NvFp4;
        QCOMPARE(inputs - saved(), Bytes(32LL * 2 * (2 * 4096 + 14336) * kTokens));
        constexpr std::int64_t kWeights = 4096LL * (2 * 4096 + 2 * 1024 + 3 * 14336);
        constexpr std::int64_t kInputs = (6 * 4096LL + 14336) * kTokens;
        const auto codes = [&](std::string_view moment) {
            const Estimate result = estimate(plan);
            return test::partAt(result, moment, "NVFP4 codes of inputs") +
                   test::partAt(result, moment, "NVFP4 codes of weights");
        };
        QCOMPARE(codes("loss"), Bytes(32 * 9 * (kWeights + kInputs) / 16));
        plan.activations.checkpointing = Checkpointing::Full;
        QCOMPARE(codes("loss"), Bytes(0));
        QCOMPARE(codes("first backward block"), Bytes(9 * (kWeights + kInputs) / 16));
        plan.precision.linear = LinearFormat::MxFp8; // saves them as bf16 does
        QCOMPARE(codes("first backward block"), Bytes(0));
    }

    void wholeTensorsMakeTheRankOfTheEmbeddingTheWorst()
    {
        // Megatron's functional test of Muon without its layer-wise layout
        // (gpt3_moe_mcore_te_ep8_resume_torch_dist_dist_muon): 994,063,360 bytes at rest, of which
        // the states are the embedding's 12 bytes, a share of the rest and the rank's expert.
        Plan plan = shardedPlan(8, Strategy::MegatronDistributedOptimizer);
        plan.precision.regime = Regime::MegatronBf16;
        plan.activations.kernels = Kernels::MegatronTe;
        plan.optimizer.name = OptimizerName::Muon;
        constexpr std::int64_t kVocabulary = 128'256LL * 4096;
        const auto rest = [&] {
            for (const Moment &moment : estimate(plan).moments)
                if (moment.name == "at rest")
                    return moment.allocated;
            return Bytes(0);
        };
        const Bytes spread = rest();
        plan.optimizer.partition = StatePartition::Tensors;
        // Embedding and head belong to two ranks, instead of an eighth of both to each.
        const Bytes more = rest() - spread;
        QVERIFY(more > 12 * (kVocabulary - 2 * kVocabulary / 8) * 8 / 10);
        QVERIFY(more < 12 * kVocabulary);
        plan.optimizer.name = OptimizerName::AdamW; // cuts its states anywhere
        const Bytes adam = rest();
        plan.optimizer.partition = StatePartition::Elements;
        QCOMPARE(rest(), adam);
    }
};

VRAMSCOPE_TEST(TestOptimizers)
#include "tst_optimizers.moc"
