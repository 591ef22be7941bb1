// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/estimate/estimate.h"
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
    void adaptersOfTheActivationsTypeShareTheirInput();
    void litgptsAdaptersKeepMasksAndCopies();
    void aProductThatIsNotKeptReturnsAsAGradient();
    void compiledSelectiveCheckpointingDropsWhatBackwardNeverReads();
    void theFallbackOfAttentionKeepsItsInputsInFullPrecision();
    void aTrainedHeadAddsUpItsGradientOverTheChunks();
    void eagerExpertsPassOneAfterAnother();
    void theMemoryEfficientKernelKeepsAMaskOnlyWhereThereIsOne();
    void torchtitanRoutesAndCombinesInFp32();
    void repeatedKeysAndValuesAreKeptForEveryHead();
    void selectiveRecomputationDropsTheScoresOfUnfusedAttention();
    void megatronsLocalLayersKeepTurnedQueriesAndKeys();
    void megatronsLocalAttentionHoldsFourMatricesOfScoresInBackward();
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

void TestOperatorTables::adaptersOfTheActivationsTypeShareTheirInput()
{
    // What frozen matrices and norms keep, and the one input that the adapters of queries and
    // values read. PEFT 0.21 on torch 2.15 (tests/measure).
    const Bytes always =
        2 * 4 * kHidden + 2 * kHidden + 2 * (2 * kKv) + 2 * kHidden + 4 * kHeads + 3 * 2 * kInner;
    const auto kept = [](TextList targets) {
        return part(adapted(std::move(targets), 2), "Saved activations", "loss");
    };
    const std::int64_t rows = 32 * kTokens;
    QCOMPARE(kept({"q", "v"}), rows * (always + 2 * kHidden + 2 * 2 * 64));
    QCOMPARE(kept({"q", "v", "o"}), kept({"q", "v"}) + rows * 2 * 64); // attention keeps its output
    QCOMPARE(kept({"down"}), rows * (always + 2 * kInner + 2 * 64));
}

void TestOperatorTables::litgptsAdaptersKeepMasksAndCopies()
{
    const auto kept = [](double dropout, TextList targets) {
        Plan plan = adapted(std::move(targets), 2);
        plan.adapters.fusedQkv = true;
        plan.adapters.dropout = dropout;
        return part(plan, "Saved activations", "loss");
    };
    const std::int64_t rows = 32 * kTokens;
    // A mask and a copy for the one adapter of the fused matrix.
    QCOMPARE(kept(0.05, {"q", "k", "v"}) - kept(0, {"q", "k", "v"}), rows * kHidden);
    // Where keys have none, what queries and values get is copied into place.
    QCOMPARE(kept(0.05, {"q", "v"}) - kept(0.05, {"q", "k", "v"}),
             rows * (2 * kHidden + 2 * kKv - 2 * 64));
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

void TestOperatorTables::theFallbackOfAttentionKeepsItsInputsInFullPrecision()
{
    Plan plan = smallPlan();
    plan.activations.attention = AttentionKind::Eager;
    const Bytes eager = part(plan, "Saved activations", "loss");
    plan.activations.attention = AttentionKind::Math;
    // Softmax, queries, keys and values, which are repeated for each head, in fp32.
    const Bytes wider = 2 * 32 * 2048 + 3 * 2 * kHidden;
    QCOMPARE(part(plan, "Saved activations", "loss") - eager, 32 * wider * kTokens);
}

void TestOperatorTables::aTrainedHeadAddsUpItsGradientOverTheChunks()
{
    const char *name = "Gradients of the head, chunk by chunk";
    Plan plan = smallPlan();
    plan.loss = LossKind::Chunked;
    plan.lossChunks = 8;
    // The first sum of two chunks' gradients is a third tensor.
    QCOMPARE(part(plan, name, "loss"), Bytes(3) * 2 * 128256 * kHidden);
    QCOMPARE(part(plan, "Gradients of the chunks' logits", "loss"),
             Bytes(2) * 128256 * kTokens * 6 / 8);
    QCOMPARE(part(plan, "Loss of the chunks", "loss"), Bytes(0));
    plan.lossChunks = 2; // the log-softmax of all tokens outweighs the head
    QCOMPARE(part(plan, "Loss of the chunks", "loss"), Bytes(8) * 128256 * kTokens);
    QCOMPARE(part(plan, name, "loss"), Bytes(0));
    plan.lossChunks = 8;
    plan.activations.kernels = Kernels::Compiled;
    QCOMPARE(part(plan, "Loss of one chunk", "loss"), Bytes(2) * 128256 * kTokens / 8);
    QCOMPARE(part(plan, name, "loss"), Bytes(2) * 2 * 128256 * kHidden);
    plan.adapters = adapted({"q"}, 2).adapters;
    QCOMPARE(part(plan, name, "loss"), Bytes(0));
}

void TestOperatorTables::eagerExpertsPassOneAfterAnother()
{
    Plan plan = smallPlan();
    plan.model.preset = "mixtral-8x7b";
    plan.activations.checkpointing = Checkpointing::Full;
    plan.activations.expertKernels = ExpertKernels::Loop;
    const auto temporaries = [&] {
        const Bytes moe = part(plan, "Backward temporaries, expert block", "first backward block");
        return moe > 0 ? moe : part(plan, "Backward temporaries", "first backward block");
    };
    const Bytes oneByOne = temporaries() - 2 * kHidden * kTokens; // the output's gradient is whole
    plan.activations.kernels = Kernels::Fused;
    QCOMPARE(temporaries(), 8 * oneByOne);
    QCOMPARE(oneByOne, Bytes(2) * 2 * 14336 * (2 * kTokens) / 8);
    plan.activations.kernels = Kernels::Eager;
    plan.activations.expertKernels = ExpertKernels::Grouped;
    // Less the rows that the products gave; two of eight experts read a token.
    QCOMPARE(temporaries() - 2 * kHidden * kTokens, 8 * oneByOne - 2 * 2 * kHidden * kTokens);
}

void TestOperatorTables::theMemoryEfficientKernelKeepsAMaskOnlyWhereThereIsOne()
{
    Plan plan = smallPlan();
    const auto held = [&] {
        const Estimate result = estimate(plan);
        const auto at = std::ranges::find(result.moments, "first backward block", &Moment::name);
        return at == result.moments.end() ? Bytes(0) : at->allocated;
    };
    for (const Checkpointing checkpointing : {Checkpointing::None, Checkpointing::Full}) {
        plan.activations.checkpointing = checkpointing;
        plan.batch.attentionMask = false;
        plan.activations.attention = AttentionKind::Flash;
        const Bytes flash = held();
        plan.activations.attention = AttentionKind::MemoryEfficient;
        QCOMPARE(held(), flash);
        plan.batch.attentionMask = true;
        QVERIFY(held() > flash && flash > 0);
    }
}

// torchtitan/models/common/moe.py, token_dispatcher.py: Qwen3 30B-A3B.
void TestOperatorTables::torchtitanRoutesAndCombinesInFp32()
{
    constexpr Bytes h = 2048, a = 32, q = 4096, kv = 512, d = 128, e = 128, k = 8, f = 768;
    Plan plan = smallPlan();
    plan.model.preset = "qwen3-30b-a3b";
    plan.trainer = "torchtitan";
    plan.activations.kernels = Kernels::Fused;
    const Bytes norms = 4 * (a + kv / d); // of queries and keys
    const Bytes aToken = 10 * h + 6 * q + 6 * kv + 4 * a + norms + 8 * d + 4 * e + 32 * k;
    QCOMPARE(part(plan, "Saved activations, expert blocks", "loss"),
             48 * (aToken + k * (6 * h + 8 * f)) * kTokens);
    QCOMPARE(part(plan, "Routers' weights in fp32", "loss"), 48 * 4 * e * h);
    const char *temporaries = "Backward temporaries, expert block";
    QCOMPARE(part(plan, temporaries, "first backward block"), (12 * k * h + 2 * h) * kTokens);
    QCOMPARE(part(plan, "Working tensors of the expert block", "forward"),
             (8 * k * h + 4 * h) * kTokens);
    plan.activations.checkpointing = Checkpointing::SelectiveOp;
    QCOMPARE(part(plan, "Activations kept by the policy, expert blocks", "loss"),
             48 * (2 * h + 4 * q + 4 * kv + 4 * a + 12 * k) * kTokens);
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

namespace {

Plan megatronPlan(Kernels kernels)
{
    Plan plan = smallPlan();
    plan.precision.regime = Regime::MegatronBf16;
    plan.parallel.strategy = Strategy::Megatron;
    plan.activations.kernels = kernels;
    return plan;
}

constexpr Bytes kScores = 2 * kHeads * 2048;

} // namespace

void TestOperatorTables::selectiveRecomputationDropsTheScoresOfUnfusedAttention()
{
    Plan plan = megatronPlan(Kernels::MegatronTe);
    const Bytes always = 8 * kHidden + 4 * kHidden + 4 * kKv + 6 * kInner;
    plan.activations.attentionBackend = AttentionBackend::Unfused;
    const auto aToken = [&](std::string_view name) {
        return part(plan, name, "loss") / (32 * kTokens);
    };
    QCOMPARE(aToken("Saved activations"), always + kScores);
    plan.activations.attention = AttentionKind::Eager;
    QCOMPARE(aToken("Saved activations"), always + kScores);
    plan.activations.attentionBackend = AttentionBackend::Cudnn;
    QCOMPARE(aToken("Saved activations"), always + kScores);
    plan.activations.checkpointing = Checkpointing::SelectiveAttention;
    QCOMPARE(aToken("Activations kept by the policy"), always);
    plan.activations.attentionBackend = AttentionBackend::Unfused;
    QCOMPARE(aToken("Activations kept by the policy"), always);
}

void TestOperatorTables::megatronsLocalLayersKeepTurnedQueriesAndKeys()
{
    Plan plan = megatronPlan(Kernels::MegatronLocal);
    const auto aToken = [&](std::string_view name) {
        return part(plan, name, "loss") / (32 * kTokens);
    };
    const Bytes others = 8 * kHidden + 8 + 6 * kInner;
    QCOMPARE(aToken("Saved activations"), others + 8 * kHidden + kScores);
    QCOMPARE(part(plan, "Rotary tables", "loss"), 32 * 8 * 128 * 2048); // for both sequences
    plan.activations.checkpointing = Checkpointing::SelectiveAttention;
    QCOMPARE(aToken("Activations kept by the policy"), others + 6 * kHidden + 6 * kKv);
}

void TestOperatorTables::megatronsLocalAttentionHoldsFourMatricesOfScoresInBackward()
{
    constexpr std::string_view kName = "Attention's backward pass, beyond the block";
    constexpr std::string_view kMoment = "first backward block";
    Plan plan = megatronPlan(Kernels::MegatronLocal);
    QCOMPARE(part(plan, kName, kMoment), // the feed-forward, gone by then, took less
             kTokens * (3 * kScores - 4 * kHidden - 6 * kInner - 8));
    QCOMPARE(part(plan, "GlobalMemoryBuffer", "at rest"), kTokens * kScores);
    plan.batch.sequenceLength = 256;
    QCOMPARE(part(plan, kName, kMoment), 0);
}

VRAMSCOPE_TEST(TestOperatorTables)
#include "tst_operator_tables.moc"
