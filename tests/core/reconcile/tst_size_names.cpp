// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/model/parameters.h"
#include "core/reconcile/parameter_tensors.h"
#include "core/reconcile/size_names.h"
#include "tests/core/planner/sample_plans.h"
#include "tests/support/models.h"
#include "tests/support/random_plans.h"
#include "tests/support/test.h"

#include <algorithm>
#include <limits>
#include <set>

using namespace vramscope;
using namespace vramscope::test;

namespace {

/// torchtitan's Llama 3 8B on 16 GPUs with sequences of 8,192 tokens.
Plan titan()
{
    Plan plan = shardedPlan(16);
    plan.precision.regime = Regime::FsdpMixedBf16;
    plan.batch.microBatch = 1;
    plan.batch.sequenceLength = 8192;
    plan.loss = LossKind::CrossEntropyFp32;
    return plan;
}

QString first(const Plan &plan, Bytes bytes)
{
    const std::vector<SizeName> names = namesOfSize(plan, bytes);
    return names.empty() ? QString() : QString::fromStdString(names.front().text);
}

QString firstFormula(const Plan &plan, Bytes bytes)
{
    const std::vector<SizeName> names = namesOfSize(plan, bytes);
    return names.empty() ? QString() : QString::fromStdString(names.front().formula);
}

bool named(const Plan &plan, Bytes bytes, std::string_view text)
{
    const std::vector<SizeName> names = namesOfSize(plan, bytes);
    return std::any_of(names.begin(), names.end(),
                       [&](const SizeName &name) { return name.text == text; });
}

Exact elementsOf(const std::vector<ParameterTensor> &tensors)
{
    Exact sum;
    for (const ParameterTensor &tensor : tensors)
        sum += tensor.elements();
    return sum;
}

Exact shardsOf(const std::vector<ParameterTensor> &tensors)
{
    Exact sum;
    for (const ParameterTensor &tensor : tensors)
        sum += tensor.shard;
    return sum;
}

} // namespace

class TestSizeNames : public Test
{
    Q_OBJECT

private Q_SLOTS:
    void logitsOfARecordedFailureAreNamed();
    void shiftedAndChunkedLogitsAreNamed();
    void tensorsOfABlockAreNamed();
    void scoresAreNamedWhereverTheyAreHeld();
    void whatFsdpGathersAndReducesIsNamed();
    void shardsOfSingleMatricesAreNamed();
    void flatShardsOfFsdp1AreNamed();
    void bucketsAreNamed();
    void adaptersAndTheirBaseAreNamed();
    void cachesAreNamed();
    void dividedVocabulariesSayWhatEachRankHas();
    void exactNamesStandBeforeRoundedOnes();
    void namesAreOfTheSizeAndEachIsToldOnce();
    void nothingIsNamedWithoutFigures();
    void tensorsOfEveryPresetAddUpToItsParameters();
    void aRankKeepsWhatItsEngineKeeps();
};

void TestSizeNames::logitsOfARecordedFailureAreNamed()
{
    // The allocation that failed in torchtitan's recording of rank 0.
    const std::vector<SizeName> names = namesOfSize(titan(), 4'202'692'608);
    // Not what is as large in a rarer type, or nearly as large.
    QCOMPARE(names.size(), std::size_t(1));
    QCOMPARE(QString::fromStdString(names.front().text),
             QStringLiteral("logits in fp32: 8,192 tokens × 128,256 entries of the vocabulary × 4 "
                            "bytes"));
    QCOMPARE(QString::fromStdString(names.front().formula),
             QStringLiteral("4 T V = 4 × 8,192 × 128,256"));
    QVERIFY(names.front().category == Category::LossAndLogits);
    QCOMPARE(names.front().bytes, 4'202'692'608);
    QVERIFY(first(titan(), 2'101'346'304).startsWith(QStringLiteral("logits in bf16: ")));
    Plan half = titan();
    half.precision.regime = Regime::AutocastFp16;
    QVERIFY(first(half, 2'101'346'304).startsWith(QStringLiteral("logits in fp16: ")));
}

void TestSizeNames::shiftedAndChunkedLogitsAreNamed()
{
    Plan plan = titan();
    QCOMPARE(firstFormula(plan, Bytes(4) * 8191 * 128'256),
             QStringLiteral("4 b (s - 1) V = 4 × 8,191 × 128,256"));
    plan.loss = LossKind::Chunked;
    plan.lossChunks = 8;
    QCOMPARE(first(plan, Bytes(4) * 1024 * 128'256),
             QStringLiteral("logits of a chunk in fp32: 1,024 tokens of a chunk × 128,256 entries "
                            "of the vocabulary × 4 bytes"));
}

void TestSizeNames::tensorsOfABlockAreNamed()
{
    QCOMPARE(first(titan(), Bytes(2) * 8192 * 14'336),
             QStringLiteral("inner tensor of the feed-forward in bf16: 8,192 tokens × 14,336 inner "
                            "channels × 2 bytes"));
    QVERIFY(named(titan(), Bytes(2) * 8192 * 1024,
                  "keys or values in bf16: 8,192 tokens × 1,024 channels × 2 bytes"));
    // As wide as each other in this model, so both are told.
    QVERIFY(named(titan(), Bytes(2) * 8192 * 4096,
                  "hidden states in bf16: 8,192 tokens × 4,096 channels × 2 bytes"));
    QVERIFY(named(titan(), Bytes(2) * 8192 * 4096,
                  "queries or output of the attention in bf16: 8,192 tokens × 4,096 channels × 2 "
                  "bytes"));
    QVERIFY(
        named(titan(), Bytes(8) * 8192, "token ids or labels in int64: 8,192 tokens × 8 bytes"));
    QVERIFY(named(titan(), Bytes(4) * 8192 * 32,
                  "log-sum-exp of the attention in fp32: 8,192 tokens × 32 heads × 4 bytes"));
}

void TestSizeNames::scoresAreNamedWhereverTheyAreHeld()
{
    Plan plan = smallPlan();
    plan.activations.attention = AttentionKind::Eager;
    QCOMPARE(first(plan, Bytes(2) * 2 * 32 * 2048 * 2048),
             QStringLiteral("attention scores in bf16: 2 sequences × 32 heads × 2,048 queries × "
                            "2,048 keys × 2 bytes"));
    QCOMPARE(firstFormula(plan, Bytes(2) * 2 * 32 * 2048 * 2048),
             QStringLiteral("2 b a s s = 2 × 2 × 32 × 2,048 × 2,048"));
}

void TestSizeNames::whatFsdpGathersAndReducesIsNamed()
{
    const Bytes block = 218'112'000;
    QCOMPARE(first(titan(), 2 * block),
             QStringLiteral("gathered weights or gradients of a block in bf16: 218,112,000 "
                            "parameters × 2 bytes"));
    QCOMPARE(first(titan(), 4 * block), QStringLiteral("gradients to be reduced of a block in "
                                                       "fp32: 218,112,000 parameters × 4 bytes"));
    QCOMPARE(firstFormula(titan(), 4 * block / 16),
             QStringLiteral("4 (u / D) = 4 × ⌈218,112,000 / 16⌉"));
    const Bytes head = Bytes(128'256) * 4096;
    QVERIFY(named(titan(), 2 * (2 * head + 4096),
                  "gathered weights or gradients of the root unit in bf16: 1,050,677,248 "
                  "parameters × 2 bytes"));
    QVERIFY(named(titan(), 2 * head,
                  "gathered weight or gradient of head in bf16: 128,256 rows × 4,096 columns × 2 "
                  "bytes"));
}

void TestSizeNames::shardsOfSingleMatricesAreNamed()
{
    QVERIFY(named(titan(), Bytes(4) * 896 * 4096,
                  "weight shard, gradient shard or optimizer state of gate in fp32: 896 rows × "
                  "4,096 columns × 4 bytes"));
    // 3 ranks do not divide 1,024 rows: each keeps 342 of them.
    Plan odd = titan();
    odd.parallel.data = 3;
    QCOMPARE(firstFormula(odd, Bytes(4) * 342 * 4096),
             QStringLiteral("4 (rows / D) columns = 4 × ⌈1,024 / 3⌉ × 4,096"));
}

void TestSizeNames::flatShardsOfFsdp1AreNamed()
{
    Plan plan = titan();
    plan.parallel.strategy = Strategy::Fsdp1;
    QCOMPARE(first(plan, Bytes(4) * 218'112'000 / 16),
             QStringLiteral("weight shards, reduced gradients or optimizer states of a block in "
                            "fp32: 13,632,000 parameters × 4 bytes"));
}

void TestSizeNames::bucketsAreNamed()
{
    Plan plan = shardedPlan(8, Strategy::Ddp);
    // Backward finishes the head and the final norm first; 25 MiB are reached by one matrix more.
    QVERIFY(first(plan, Bytes(2) * 8'030'261'248).startsWith(QStringLiteral("DDP's first bucket")));
    QVERIFY(named(plan, Bytes(2) * (Bytes(14'336) * 4096 + 2 * 4096),
                  "DDP bucket of 3 gradients: 58,728,448 elements × 2 bytes"));
    plan.parallel.strategy = Strategy::Zero2;
    plan.parallel.bucket.reduce = 200'000'000;
    QVERIFY(named(plan, 400'000'000, "reduce bucket in bf16: 200,000,000 elements × 2 bytes"));
}

void TestSizeNames::adaptersAndTheirBaseAreNamed()
{
    Plan plan = smallPlan();
    plan.precision.regime = Regime::AutocastBf16;
    plan.adapters.kind = AdapterKind::Lora;
    plan.adapters.rank = 16;
    plan.adapters.targets = TextList{"all-linear"};
    plan.adapters.baseQuantization = BaseQuantization::Nf4;
    QVERIFY(named(plan, Bytes(14'336) * 4096 / 2,
                  "quantised weight of gate: 29,360,128 pairs of weights × 1 byte"));
    QVERIFY(named(plan, Bytes(4) * 16 * 14'336,
                  "weight, gradient or optimizer state of adapter of gate, B in fp32: 14,336 rows "
                  "× 16 columns × 4 bytes"));
}

void TestSizeNames::cachesAreNamed()
{
    Plan plan;
    plan.workload = Workload::Inference;
    plan.model.preset = "llama-3-8b";
    plan.hardware.gpu = "h100-sxm-80gb";
    plan.inference.concurrentSequences = 4;
    plan.inference.meanSequenceLength = 8192;
    QCOMPARE(first(plan, Bytes(2) * 4 * 8192 * 1024),
             QStringLiteral("keys or values in bf16: 32,768 tokens × 1,024 channels × 2 bytes"));
    QVERIFY(named(plan, Bytes(2) * 4 * 8192 * 1024,
                  "keys or values of a layer: 4 sequences × 8,192 tokens × 1,024 channels of keys "
                  "or values × 2 bytes"));
    plan.inference.engine = Engine::Vllm;
    const std::int64_t blocks = estimate(plan).inference->kvBlocks;
    const std::vector<SizeName> names = namesOfSize(plan, blocks * 16 * 2048 * 2);
    QVERIFY(!names.empty());
    QVERIFY(names.front().category == Category::KeyValueCache);
    QVERIFY(named(plan, Bytes(2) * 28'672 * 4096,
                  "weight of gate and up in bf16: 28,672 rows × 4,096 columns × 2 bytes"));
}

void TestSizeNames::dividedVocabulariesSayWhatEachRankHas()
{
    Plan plan = smallPlan();
    plan.parallel.strategy = Strategy::Megatron;
    plan.parallel.tensor = 4;
    plan.hardware.gpus = 4;
    QCOMPARE(firstFormula(plan, Bytes(4) * 4096 * 32'064),
             QStringLiteral("4 T (V / t) = 4 × 4,096 × ⌈128,256 / 4⌉"));
}

void TestSizeNames::exactNamesStandBeforeRoundedOnes()
{
    Plan plan = smallPlan();
    plan.batch.microBatch = 1;
    plan.batch.sequenceLength = 100;
    // 8 T = 800 bytes, which the allocator serves as 1,024; 4,096 tokens of a byte have no name.
    QVERIFY(named(plan, 1024, "token ids or labels in int64: 100 tokens × 8 bytes"));
    QVERIFY(!named(plan, 1536, "token ids or labels in int64: 100 tokens × 8 bytes"));
    // Logits of a step of 100 tokens are of no whole number of 2 MiB.
    const Bytes logits = Bytes(4) * 100 * 128'256;
    const Bytes segment = (logits + 2 * kMiB - 1) / (2 * kMiB) * (2 * kMiB);
    QVERIFY(segment != logits);
    const std::vector<SizeName> names = namesOfSize(plan, segment);
    QVERIFY(!names.empty());
    QCOMPARE(names.front().bytes, logits);
}

void TestSizeNames::namesAreOfTheSizeAndEachIsToldOnce()
{
    Random random(20);
    for (int i = 0; i < 300; ++i) {
        const Plan plan = randomPlan(random);
        const std::vector<ParameterTensor> tensors = parameterTensors(plan);
        for (const Bytes bytes :
             {Bytes(1), Bytes(512), Bytes(8192), Bytes(1) << 20, Bytes(1) << 25,
              tensors.empty() ? Bytes(1) : tensors.front().elements().value() * 2,
              std::numeric_limits<Bytes>::max()}) {
            const std::vector<SizeName> names = namesOfSize(plan, bytes);
            QVERIFY(names.size() <= 4);
            std::set<std::string> texts;
            for (const SizeName &name : names) {
                QVERIFY(texts.insert(name.text).second);
                QVERIFY(name.bytes > 0 && name.bytes <= bytes && bytes - name.bytes < 2 * kMiB);
            }
        }
    }
}

void TestSizeNames::nothingIsNamedWithoutFigures()
{
    QVERIFY(namesOfSize(titan(), 0).empty());
    QVERIFY(namesOfSize(titan(), -512).empty());
    QVERIFY(namesOfSize(titan(), 1'234'567'891).empty());
    QVERIFY(namesOfSize(Plan(), 4'202'692'608).empty());
    QVERIFY(parameterTensors(Plan()).empty());
}

void TestSizeNames::tensorsOfEveryPresetAddUpToItsParameters()
{
    for (const CatalogueShape &preset : test::plainModels()) {
        if (preset.architecture.indexHeads > 0)
            continue; // which layers have an index is not listed by tensor
        Plan plan;
        plan.model.preset = preset.model->name;
        plan.precision.regime = Regime::PureBf16;
        const std::vector<ParameterTensor> tensors = parameterTensors(plan);
        const std::int64_t parameters = estimate(plan).parametersTotal;
        QVERIFY2(elementsOf(tensors) == parameters,
                 qPrintable(QStringLiteral("%1: %2 of %3")
                                .arg(QString::fromStdString(preset.model->name))
                                .arg(elementsOf(tensors).value())
                                .arg(parameters)));
    }
    QCOMPARE(parameterTensors(smallPlan()).size(), std::size_t(291));
    QCOMPARE(QString::fromStdString(parameterTensors(smallPlan())[1].name),
             QStringLiteral("block 0: q"));
}

void TestSizeNames::aRankKeepsWhatItsEngineKeeps()
{
    const std::vector<ParameterTensor> shards = parameterTensors(titan());
    QCOMPARE(shards.size(), std::size_t(291));
    QVERIFY(shardsOf(shards) == 8'030'261'248 / 16);
    const std::vector<ParameterTensor> units = parameterTensors(shardedPlan(16, Strategy::Fsdp1));
    QCOMPARE(units.size(), std::size_t(33));
    QVERIFY(shardsOf(units) == 8'030'261'248 / 16);
    const std::vector<ParameterTensor> flat = parameterTensors(shardedPlan(16, Strategy::Zero3));
    QCOMPARE(flat.size(), std::size_t(1));
    QVERIFY(shardsOf(flat) == 8'030'261'248 / 16);
    Plan adapters = smallPlan();
    adapters.adapters.kind = AdapterKind::Lora;
    adapters.adapters.rank = 8;
    adapters.adapters.targets = TextList{"q", "v"};
    const std::vector<ParameterTensor> tensors = parameterTensors(adapters);
    const auto trained = std::count_if(tensors.begin(), tensors.end(),
                                       [](const ParameterTensor &it) { return it.trained; });
    QCOMPARE(trained, 32 * 2 * 2);
    QCOMPARE(tensors.size(), std::size_t(291) + std::size_t(128));
}

VRAMSCOPE_TEST(TestSizeNames)
#include "tst_size_names.moc"
