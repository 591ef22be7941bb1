// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/planner/estimate.h"
#include "tests/core/planner/sample_plans.h"
#include "tests/support/test.h"

using namespace vramscope;
using test::smallPlan;

namespace {

Bytes part(const Plan &plan, std::string_view name, std::string_view moment)
{
    const Estimate result = estimate(plan);
    for (const Moment &it : result.moments)
        for (const Component &component : it.components)
            if (it.name == moment && component.name == name)
                return component.bytes;
    return 0;
}

/// Llama 3 8B with adapters on some of its matrices.
Plan adapted(TextList targets, std::int64_t weightBytes)
{
    Plan plan = smallPlan();
    plan.adapters.kind = AdapterKind::Lora;
    plan.adapters.rank = 64;
    plan.adapters.targets = std::move(targets);
    plan.adapters.weightBytes = weightBytes;
    return plan;
}

constexpr std::int64_t kTokens = 2 * 2048;
constexpr std::int64_t kHidden = 4096; // also the width of queries
constexpr std::int64_t kKv = 1024;
constexpr std::int64_t kInner = 14336;
constexpr std::int64_t kHeads = 32;

} // namespace

class TestOperatorTables : public test::Test
{
    Q_OBJECT

private slots:
    void frozenMatricesKeepNoInputAndWideAdaptersACastOne();
    void adaptersOfTheActivationsTypeKeepEveryInput();
    void aProductThatIsNotKeptReturnsAsAGradient();
    void compiledSelectiveCheckpointingDropsWhatBackwardNeverReads();
    void aTrainedHeadAddsUpItsGradientOverTheChunks();
    void eagerExpertsPassOneAfterAnother();
    void repeatedKeysAndValuesAreKeptForEveryHead();
};

void TestOperatorTables::frozenMatricesKeepNoInputAndWideAdaptersACastOne()
{
    const Bytes always = 2 * 4 * kHidden               // both norms read fp32 copies
                         + 2 * kHidden + 2 * (2 * kKv) // queries, keys and values
                         + 2 * kHidden + 4 * kHeads    // attention's output and statistics
                         + 3 * 2 * kInner;             // gate, its activation, up
    const auto kept = [](TextList targets) {
        return part(adapted(std::move(targets), 4), "Saved activations", "loss");
    };
    const std::int64_t rows = 32 * kTokens;
    QCOMPARE(kept({"q", "v"}), rows * (always + 2 * 4 * kHidden + 2 * 4 * 64));
    QCOMPARE(kept({"down"}), rows * (always + 4 * kInner + 4 * 64));
    QCOMPARE(kept({"all-linear"}), rows * (always + 6 * 4 * kHidden + 4 * kInner + 7 * 4 * 64));
}

void TestOperatorTables::adaptersOfTheActivationsTypeKeepEveryInput()
{
    const Plan full = smallPlan();
    QCOMPARE(part(adapted({"q", "v"}, 2), "Saved activations", "loss"),
             part(full, "Saved activations", "loss"));
}

void TestOperatorTables::aProductThatIsNotKeptReturnsAsAGradient()
{
    const auto temporaries = [](Plan plan) {
        plan.activations.checkpointing = Checkpointing::Full;
        return part(plan, "Backward temporaries", "first backward block");
    };
    const std::int64_t output = 2 * kHidden; // the gradient of the block's output
    QCOMPARE(temporaries(smallPlan()), kTokens * (2 * 2 * kInner + output));
    QCOMPARE(temporaries(adapted({"q"}, 4)), kTokens * 3 * 2 * kInner);
}

void TestOperatorTables::compiledSelectiveCheckpointingDropsWhatBackwardNeverReads()
{
    Plan plan = smallPlan();
    plan.activations.checkpointing = Checkpointing::SelectiveOp;
    const Bytes eager = part(plan, "Activations kept by the policy", "loss");
    plan.activations.kernels = Kernels::Compiled;
    const Bytes compiled = part(plan, "Activations kept by the policy", "loss");
    QCOMPARE(eager - compiled, Bytes(32) * 2 * kHidden * kTokens);
}

void TestOperatorTables::aTrainedHeadAddsUpItsGradientOverTheChunks()
{
    const char *name = "Gradients of the head, chunk by chunk";
    Plan plan = smallPlan();
    plan.loss = LossKind::Chunked;
    plan.lossChunks = 8;
    QCOMPARE(part(plan, name, "loss"), Bytes(2) * 2 * 128256 * kHidden);
    const Bytes eager = part(plan, "Loss of one chunk", "loss");
    plan.activations.kernels = Kernels::Compiled;
    QCOMPARE(part(plan, "Loss of one chunk", "loss") * 6, eager);
    plan.adapters = adapted({"q"}, 2).adapters;
    QCOMPARE(part(plan, name, "loss"), Bytes(0));
}

void TestOperatorTables::eagerExpertsPassOneAfterAnother()
{
    Plan plan = smallPlan();
    plan.model.preset = "mixtral-8x7b";
    plan.activations.checkpointing = Checkpointing::Full;
    const auto temporaries = [&] {
        const Bytes moe = part(plan, "Backward temporaries, expert block", "first backward block");
        return moe > 0 ? moe : part(plan, "Backward temporaries", "first backward block");
    };
    const Bytes oneByOne = temporaries() - 2 * kHidden * kTokens; // the output's gradient is whole
    plan.activations.kernels = Kernels::Fused;
    QCOMPARE(temporaries(), 8 * oneByOne);
    QCOMPARE(oneByOne, Bytes(2) * 2 * 14336 * (2 * kTokens) / 8);
}

// As torchtitan's Llama 3 8B was recorded under PyTorch 2.10: 16 h + 8 f + 4 a a token and block.
void TestOperatorTables::repeatedKeysAndValuesAreKeptForEveryHead()
{
    Plan plan = smallPlan();
    plan.precision.regime = Regime::PureBf16;
    plan.activations.checkpointing = Checkpointing::None;
    plan.activations.kernels = Kernels::Fused;
    const auto aToken = [&] { return part(plan, "Saved activations", "loss") / (32 * kTokens); };
    const Bytes shared = 12 * kHidden + 4 * kKv + 8 * kInner + 4 * kHeads;
    QCOMPARE(aToken(), shared);
    plan.activations.expandedKv = true;
    QCOMPARE(aToken(), 16 * kHidden + 8 * kInner + 4 * kHeads);
    // Eager attention repeats them anyway.
    plan.activations.attention = AttentionKind::Eager;
    const Bytes eager = aToken();
    plan.activations.expandedKv = false;
    QCOMPARE(aToken(), eager);
}

VRAMSCOPE_TEST(TestOperatorTables)
#include "tst_operator_tables.moc"
