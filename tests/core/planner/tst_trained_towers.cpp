// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/estimate/estimate.h"
#include "core/model/missing_parts.h"
#include "core/plan/plan.h"
#include "tests/core/planner/component_bytes.h"
#include "tests/support/test.h"

#include <QFile>

#include <functional>

using namespace vramscope;
using namespace Qt::StringLiterals;

// Training on images; what was recorded of it is held by tst_recorded, family "vision".
class TestTrainedTowers : public test::Test
{
    Q_OBJECT

private slots:
    void imagesBringTheTower();
    void withoutImagesTheTextIsTrainedAlone();
    void aFrozenTowerHasNoStatesAndKeepsNothing();
    void adaptersFreezeIt();
    void bitsandbytesQuantisesTheTower();
    void aFrozenTowerThatWasNotMeasuredIsCounted();
    void adaptersInTheTowerAreNoted();
    void theLargestImageThatTheProcessorLeaves();
    void aGpuHoldsTheTowersShards();
    void refused_data();
    void refused();
};

Q_DECLARE_METATYPE(std::function<void(vramscope::Plan &)>)

namespace {

constexpr std::int64_t kQwenTower = 676'550'144; // Qwen2.5-VL 7B, encoder and merger

Plan training(const QString &config = u"qwen2.5-vl-7b-instruct.json"_s)
{
    QFile file(test::projectFile(u"resources/models/configs/"_s + config));
    Plan plan;
    plan.model.config =
        file.open(QIODevice::ReadOnly) ? file.readAll().toStdString() : std::string();
    plan.precision.regime = Regime::PureBf16;
    plan.batch.sequenceLength = 4096;
    plan.batch.images = 1;
    return plan;
}

} // namespace

void TestTrainedTowers::imagesBringTheTower()
{
    const Estimate it = estimate(training());
    QVERIFY2(it.computed, whyNotComputed(it).c_str());
    Plan text = training();
    text.batch.images = 0;
    const Estimate without = estimate(text);
    QCOMPARE(it.parametersTotal - without.parametersTotal, kQwenTower);
    QCOMPARE(test::bytesAt(it, "at rest", "Weights") - test::bytesAt(without, "at rest", "Weights"),
             Bytes(2 * kQwenTower));
    // 1024 × 1024 pixels are 37 × 37 cells of 2 × 2 patches; each patch is 14 × 14 × 2 × 3 values.
    QCOMPARE(test::bytesAt(it, "loss", "Pixels of the batch"), Bytes(4) * 37 * 37 * 4 * 1176);
    QVERIFY(test::bytesAt(it, "loss", "Saved by the vision tower's blocks") > 0);
    QVERIFY(notCounted(it.issues).empty());
}

void TestTrainedTowers::withoutImagesTheTextIsTrainedAlone()
{
    Plan plan = training();
    plan.batch.images.reset();
    const Estimate it = estimate(plan);
    QVERIFY(it.computed);
    QCOMPARE(QString::fromStdString(std::string(notCounted(it.issues).front())),
             u"Text part only: the vision tower is not counted."_s);
    QCOMPARE(test::bytesAt(it, "loss", "Pixels of the batch"), Bytes(0));
}

void TestTrainedTowers::aFrozenTowerHasNoStatesAndKeepsNothing()
{
    Plan plan = training();
    plan.batch.visionTower = TowerTraining::Frozen;
    const Estimate it = estimate(plan);
    QVERIFY(it.computed);
    QCOMPARE(test::bytesAt(it, "loss", "Frozen vision tower"), Bytes(2 * kQwenTower));
    QCOMPARE(test::bytesAt(it, "loss", "Saved by the vision tower's blocks"), Bytes(0));
    // AdamW keeps two values of the weights' type for each trained parameter.
    const Estimate all = estimate(training());
    for (const char *states : {"Adam first moment", "Adam second moment"})
        QCOMPARE(test::bytesAt(all, "at rest", states) - test::bytesAt(it, "at rest", states),
                 Bytes(2 * kQwenTower));
}

void TestTrainedTowers::adaptersFreezeIt()
{
    Plan plan = training();
    plan.adapters.kind = AdapterKind::Lora;
    plan.adapters.rank = 16;
    plan.adapters.targets = TextList{"q", "v"};
    const Estimate it = estimate(plan);
    QVERIFY2(it.computed, whyNotComputed(it).c_str());
    QCOMPARE(test::bytesAt(it, "loss", "Saved by the vision tower's blocks"), Bytes(0));
    plan.batch.visionTower = TowerTraining::Trained;
    QVERIFY(!estimate(plan).computed);
}

/// Bytes of transformers 5.23 with bitsandbytes 0.50.2 for this config: 663,552 in NF4 in the text
/// part, 497,664 in the tower (scales among them), and 669,952 parameters that keep 16 bit.
void TestTrainedTowers::bitsandbytesQuantisesTheTower()
{
    Plan plan = training();
    plan.model.config = R"({"model_type": "qwen2_5_vl", "tie_word_embeddings": false,
        "text_config": {"model_type": "qwen2_5_vl_text", "hidden_size": 256, "intermediate_size": 512,
            "num_hidden_layers": 2, "num_attention_heads": 4, "num_key_value_heads": 2,
            "vocab_size": 1000, "max_position_embeddings": 512},
        "vision_config": {"model_type": "qwen2_5_vl_vision", "depth": 3, "hidden_size": 128,
            "intermediate_size": 256, "num_heads": 4, "in_channels": 3, "out_hidden_size": 256,
            "patch_size": 14, "spatial_merge_size": 2, "temporal_patch_size": 2}})";
    plan.adapters.kind = AdapterKind::Lora;
    plan.adapters.rank = 16;
    plan.adapters.targets = TextList{"q", "v"};
    plan.adapters.baseQuantization = BaseQuantization::Nf4;
    plan.adapters.upcastUnquantized = false;
    const Estimate it = estimate(plan);
    QVERIFY2(it.computed, whyNotComputed(it).c_str());
    QCOMPARE(test::bytesAt(it, "at rest", "Quantised weights"), Bytes(663'552 + 497'664));
    QCOMPARE(test::bytesAt(it, "at rest", "Frozen weights"), Bytes(2 * 669'952));
}

/// Gemma 3 makes 256 tokens of an image; a frozen tower gives their features and keeps nothing.
void TestTrainedTowers::aFrozenTowerThatWasNotMeasuredIsCounted()
{
    Plan plan = training(u"gemma-3-4b-it.json"_s);
    plan.adapters.kind = AdapterKind::Lora;
    plan.adapters.rank = 16;
    plan.adapters.targets = TextList{"gate", "up", "down"};
    const Estimate it = estimate(plan);
    QVERIFY2(it.computed, whyNotComputed(it).c_str());
    QCOMPARE(test::bytesAt(it, "forward", "Image features"), Bytes(256) * 4 * 2560);
    QCOMPARE(test::bytesAt(it, "forward", "Pixels of the batch"), Bytes(4) * 3 * 896 * 896);
    QCOMPARE(test::bytesAt(it, "loss", "Saved by the vision tower's blocks"), Bytes(0));
}

void TestTrainedTowers::adaptersInTheTowerAreNoted()
{
    Plan plan = training();
    plan.adapters.kind = AdapterKind::Lora;
    plan.adapters.rank = 16;
    plan.adapters.targets = TextList{"q", "down"};
    const Estimate it = estimate(plan);
    QVERIFY2(it.computed, whyNotComputed(it).c_str());
    QVERIFY(std::ranges::any_of(it.issues, [](const Issue &issue) {
        return issue.field == "adapters.targets" && issue.severity == Issue::Severity::Note &&
               issue.text.find("language model alone") != std::string::npos;
    }));
}

void TestTrainedTowers::theLargestImageThatTheProcessorLeaves()
{
    Plan plan = training();
    plan.batch.imageWidth = plan.batch.imageHeight = 100'000;
    plan.batch.sequenceLength = 20'000;
    const Estimate it = estimate(plan);
    QVERIFY(it.computed);
    // max_pixels leaves 128 × 128 cells of 28 × 28.
    QCOMPARE(test::bytesAt(it, "loss", "Pixels of the batch"), Bytes(4) * 128 * 128 * 4 * 1176);
}

void TestTrainedTowers::aGpuHoldsTheTowersShards()
{
    Plan plan = training();
    plan.parallel.strategy = Strategy::Fsdp2;
    plan.parallel.data = 8;
    plan.precision.regime = Regime::FsdpMixedBf16;
    Plan text = plan;
    text.batch.images = 0;
    const Bytes more = test::bytesAt(estimate(plan), "at rest", "Weight shards") -
                       test::bytesAt(estimate(text), "at rest", "Weight shards");
    QVERIFY(std::abs(more - 4 * kQwenTower / 8) <= 4);
}

void TestTrainedTowers::refused_data()
{
    QTest::addColumn<QString>("config");
    QTest::addColumn<std::function<void(Plan &)>>("change");
    QTest::addColumn<QString>("field");
    QTest::addColumn<QString>("says");
    using Change = std::function<void(Plan &)>;
    const QString qwen = u"qwen2.5-vl-7b-instruct.json"_s;
    const auto add = [](const char *name, const QString &config, Change change,
                        const QString &field, const QString &says) {
        QTest::newRow(name) << config << std::move(change) << field << says;
    };
    add(
        "an unknown step", u"gemma-3-4b-it.json"_s, [](Plan &) {}, u"batch.images"_s,
        u"What a training step keeps of the vision tower (SigLIP) is not known"_s);
    add(
        "no tower", u"internlm2-chat-20b.json"_s, [](Plan &) {}, u"batch.images"_s,
        u"The model has no vision tower that is known here"_s);
    add(
        "too many tokens", qwen, [](Plan &p) { p.batch.images = 3; }, u"batch.images"_s,
        u"3 images take 1,369 tokens each, more than the sequence of 4,096 holds"_s);
    add(
        "ZeRO-1", qwen,
        [](Plan &p) {
            p.parallel.strategy = Strategy::Zero1;
            p.parallel.data = 8;
        },
        u"parallel.strategy"_s, u"choose none, DDP, FSDP2, ZeRO-2 or ZeRO-3"_s);
    add(
        "autocast", qwen, [](Plan &p) { p.precision.regime = Regime::AutocastBf16; },
        u"precision.regime"_s, u"or freeze the tower"_s);
}

void TestTrainedTowers::refused()
{
    QFETCH(QString, config);
    QFETCH(std::function<void(Plan &)>, change);
    QFETCH(QString, field);
    QFETCH(QString, says);
    Plan plan = training(config);
    change(plan);
    const Estimate it = estimate(plan);
    QVERIFY(!it.computed);
    const bool said = std::ranges::any_of(it.issues, [&](const Issue &issue) {
        return QString::fromStdString(issue.field) == field &&
               QString::fromStdString(issue.text).contains(says);
    });
    QVERIFY2(said, whyNotComputed(it).c_str());
}

VRAMSCOPE_TEST(TestTrainedTowers)
#include "tst_trained_towers.moc"
