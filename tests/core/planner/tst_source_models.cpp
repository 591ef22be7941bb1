// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/estimate/estimate.h"
#include "core/estimate/formulas/inventory.h"
#include "core/estimate/formulas/side_effects.h"
#include "core/model/parameters.h"
#include "core/plan/plan.h"
#include "tests/core/planner/component_bytes.h"
#include "tests/support/test.h"

#include <QFile>

#include <algorithm>
#include <cmath>
#include <functional>

using namespace vramscope;
using namespace Qt::StringLiterals;

namespace {

/// What makes a plan one that is refused.
struct SourceChange
{
    std::function<void(Plan &)> make;
};

} // namespace

Q_DECLARE_METATYPE(SourceChange)

// Models that read a source and write another sequence; what was recorded of their steps is held by
// tst_recorded, family "source", and their counts by tst_catalogue_shapes.
class TestSourceModels : public test::Test
{
    Q_OBJECT

private slots:
    void theEncoderReadsAsManyTokensAsItsSource();
    void whisperReadsThirtySeconds();
    void theDecodersEmbeddingComesBeforeTheEncoder();
    void positionsOfWhispersEncoderAreNotTrained();
    void adaptersReadTheEncodersOutput();
    void arithmeticCountsTheSourcesTokens();
    void anEncoderAloneSaysSo();
    void refused_data();
    void refused();
};

namespace {

std::string sourceConfig(const QString &name)
{
    QFile file(test::projectFile(u"resources/models/configs/"_s + name));
    return file.open(QIODevice::ReadOnly) ? file.readAll().toStdString() : std::string();
}

Plan sourceTraining(const QString &config)
{
    Plan plan;
    plan.model.config = sourceConfig(config);
    plan.precision.regime = Regime::PureBf16;
    plan.batch.microBatch = 4;
    plan.batch.sequenceLength = 128;
    return plan;
}

constexpr auto kEncoderBlocks = "Saved activations, encoder blocks";
constexpr auto kDecoderBlocks = "Saved activations, decoder blocks";

} // namespace

void TestSourceModels::theEncoderReadsAsManyTokensAsItsSource()
{
    Plan plan = sourceTraining(u"bart-large.json"_s);
    const Estimate same = estimate(plan);
    QCOMPARE(same.settings->sourceLength, 128);
    plan.batch.sourceLength = 512;
    const Estimate longer = estimate(plan);
    QVERIFY(test::bytesAt(same, "loss", kEncoderBlocks) > 0);
    QCOMPARE(test::bytesAt(longer, "loss", kEncoderBlocks),
             4 * test::bytesAt(same, "loss", kEncoderBlocks));
    // Keys and values of the 12 decoder blocks, 16 bits each, 1,024 wide, of 4 x 384 tokens more.
    QCOMPARE(test::bytesAt(longer, "loss", kDecoderBlocks) -
                 test::bytesAt(same, "loss", kDecoderBlocks),
             Bytes(12) * 2 * 2 * 1024 * 4 * 384);
    QCOMPARE(test::bytesAt(longer, "loss", "Logits of the training loop"),
             test::bytesAt(same, "loss", "Logits of the training loop"));
}

void TestSourceModels::whisperReadsThirtySeconds()
{
    const Estimate it = estimate(sourceTraining(u"whisper-small.json"_s));
    QCOMPARE(it.settings->sourceLength, 1500);
    QCOMPARE(it.parametersTotal, 241'734'912);
    // Spectra of 80 values, and twice as many frames as tokens through the first convolution.
    QCOMPARE(test::bytesAt(it, "loss", "Saved by the convolutions"),
             Bytes(2) * 4 * ((80 + 2 * 768) * 3000 + 768 * 1500));
}

void TestSourceModels::theDecodersEmbeddingComesBeforeTheEncoder()
{
    Plan plan = sourceTraining(u"bart-large.json"_s);
    for (const std::string_view key : {"encoder_layers", "decoder_layers"}) {
        const std::size_t at = plan.model.config->find(key);
        plan.model.config->replace(plan.model.config->find("12", at), 2, "6");
    }
    plan.batch.sourceLength = 512;
    plan.optimizer.implementation = OptimizerImplementation::Fused;
    const Estimate it = estimate(plan);
    constexpr auto kTied = "Gradients of the tied embedding, before their sum";
    QCOMPARE(test::bytesAt(it, "end of backward", kTied), Bytes(0));
    QCOMPARE(it.peakPhase, StepPhase::Backward);
}

void TestSourceModels::positionsOfWhispersEncoderAreNotTrained()
{
    const Estimate it = estimate(sourceTraining(u"whisper-small.json"_s));
    constexpr std::int64_t kPositions = 1500 * 768;
    QCOMPARE(test::bytesAt(it, "loss", "Positions of the encoder, which are not trained"),
             Bytes(2 * kPositions));
    QCOMPARE(test::bytesAt(it, "loss", "Adam first moment"), Bytes(2 * (241'734'912 - kPositions)));
}

void TestSourceModels::adaptersReadTheEncodersOutput()
{
    Plan plan = sourceTraining(u"bart-large.json"_s);
    plan.adapters.kind = AdapterKind::Lora;
    plan.adapters.targets = {"q", "v"};
    plan.adapters.rank = 8;
    const Estimate it = estimate(plan);
    // 12 blocks with one attention and 12 with two, two matrices in each, 1,024 wide, in fp32.
    QCOMPARE(test::bytesAt(it, "loss", "Adapter weights"), Bytes(4) * 36 * 2 * 2 * 1024 * 8);
    plan.batch.sourceLength = 512;
    const Estimate longer = estimate(plan);
    QVERIFY(test::bytesAt(longer, "loss", kDecoderBlocks) >
            test::bytesAt(it, "loss", kDecoderBlocks));
}

void TestSourceModels::arithmeticCountsTheSourcesTokens()
{
    const Estimate it = estimate(sourceTraining(u"whisper-small.json"_s));
    const Settings &s = *it.settings;
    const ParameterCounts counts = countParameters(s.architecture);
    double products = 0; // of a sequence
    double scores = 0;
    for (const BlockGroup &group : counts.groups) {
        const bool encodes = group.kind.encodes();
        for (const Matrix &matrix : blockMatrices(s, group.kind)) {
            const bool readsSource = encodes || (matrix.module == kCrossAttention &&
                                                 matrix.target != "q" && matrix.target != "o");
            products +=
                2.0 * double(group.count * matrix.in * matrix.out) * (readsSource ? 1500 : 128);
        }
        const double pairs = encodes ? 1500.0 * 1500 : 128.0 * (64 + 1500);
        scores += 4.0 * double(group.count) * 768 * pairs;
    }
    const StepArithmetic token = stepArithmetic(s, counts);
    const auto isNear = [](double one, double other) {
        return std::abs(one - other) < 0.002 * other; // biases
    };
    QVERIFY(isNear(token.products * 128, 3 * products));
    QVERIFY(isNear(token.attention * 128, 3.5 * scores));
}

void TestSourceModels::anEncoderAloneSaysSo()
{
    Plan plan;
    plan.model.config = sourceConfig(u"t5-v1-1-xxl-encoder-.json"_s);
    QCOMPARE(estimate(plan).parametersTotal, 4'762'310'656);
    plan.model.config = R"({"model_type": "t5", "d_model": 512, "d_kv": 64, "d_ff": 2048,
                            "num_layers": 6, "num_heads": 8, "vocab_size": 32128})";
    const Estimate unclear = estimate(plan);
    QVERIFY(!unclear.computed);
    QVERIFY(unclear.issues.front().text.find("may be the encoder alone") != std::string::npos);
}

void TestSourceModels::refused_data()
{
    QTest::addColumn<SourceChange>("change");
    QTest::addColumn<QString>("field");
    QTest::newRow("serving") << SourceChange{[](Plan &p) { p.workload = Workload::Inference; }}
                             << u"workload"_s;
    QTest::newRow("tensor") << SourceChange{[](Plan &p) { p.parallel.tensor = 2; }}
                            << u"parallel.tensor"_s;
    QTest::newRow("pipeline") << SourceChange{[](Plan &p) { p.parallel.pipeline = 2; }}
                              << u"parallel.pipeline"_s;
    QTest::newRow("policy") << SourceChange{[](Plan &p) {
        p.activations.checkpointing = Checkpointing::KeepMatmuls;
    }} << u"activations.checkpointing"_s;
    QTest::newRow("adapters of T5") << SourceChange{[](Plan &p) {
        p.model.config = sourceConfig(u"t5-small.json"_s);
        p.adapters.kind = AdapterKind::Lora;
    }} << u"adapters.kind"_s;
}

void TestSourceModels::refused()
{
    QFETCH(SourceChange, change);
    QFETCH(QString, field);
    Plan plan = sourceTraining(u"bart-large.json"_s);
    QVERIFY(estimate(plan).computed);
    change.make(plan);
    const Estimate it = estimate(plan);
    QVERIFY(!it.computed);
    const bool named = std::ranges::any_of(it.issues, [&](const Issue &issue) {
        return QString::fromStdString(issue.field) == field;
    });
    QVERIFY(named);
    QVERIFY(it.parametersTotal > 0); // which are known all the same
}

VRAMSCOPE_TEST(TestSourceModels)
#include "tst_source_models.moc"
