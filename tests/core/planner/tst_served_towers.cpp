// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/estimate/estimate.h"
#include "core/model/missing_parts.h"
#include "core/plan/plan.h"
#include "core/settings/settings.h"
#include "tests/support/test.h"

#include <QFile>

using namespace vramscope;
using namespace Qt::StringLiterals;

// The towers of multimodal models where they are served, and where they are not.
class TestServedTowers : public test::Test
{
    Q_OBJECT

private slots:
    void theTowerIsAPartOfItsOwn();
    void vllmDividesItAmongRanks();
    void theFirstStageAloneHasIt();
    void textOnlyLeavesItOut();
    void quantisedModelsKeepItIn16Bits();
    void trainingSaysThatItIsMissing();
    void statedParametersHoldItAlready();
    void anUnknownTowerBesideAKnownOneIsMissing();
    void aTextModelHasNone();
};

namespace {

constexpr std::int64_t kText = 3'880'263'168;
constexpr std::int64_t kTower = 416'866'032 + 2'950'272;
constexpr std::int64_t kDivided =
    27 * (4 * 1152 * 1152 + 2 * 1152 * 4304 + 3 * 1152 + 4304) + 4096 * 1152;

Plan gemma(Engine engine = Engine::Vllm)
{
    QFile file(test::projectFile(u"resources/models/configs/gemma-3-4b-it.json"_s));
    Plan plan;
    plan.workload = Workload::Inference;
    plan.model.config =
        file.open(QIODevice::ReadOnly) ? file.readAll().toStdString() : std::string();
    plan.hardware.gpu = "h100-sxm-80gb";
    plan.inference.engine = engine;
    return plan;
}

Bytes bytesOf(const Estimate &it, std::string_view name)
{
    for (const Moment &moment : it.moments)
        for (const Component &component : moment.components)
            if (component.name == name)
                return component.bytes;
    return 0;
}

QString missingIn(const Estimate &it)
{
    QStringList all;
    for (const std::string_view sentence : notCounted(it.issues))
        all.append(QString::fromUtf8(sentence.data(), qsizetype(sentence.size())));
    return all.join(u' ');
}

} // namespace

void TestServedTowers::theTowerIsAPartOfItsOwn()
{
    for (const Engine engine : {Engine::Plain, Engine::Hf, Engine::Vllm, Engine::LlamaCpp}) {
        const Estimate it = estimate(gemma(engine));
        QVERIFY2(it.computed, whyNotComputed(it).c_str());
        QCOMPARE(bytesOf(it, "Vision tower"), Bytes(2 * kTower));
        QCOMPARE(it.parametersTotal, kText + kTower);
        QCOMPARE(it.parametersPerRank, kText + kTower);
        QCOMPARE(missingIn(it),
                 engine == Engine::Vllm
                     ? QString()
                     : u"Of the vision tower only the weights are counted, not the encoding."_s);
    }
}

void TestServedTowers::vllmDividesItAmongRanks()
{
    Plan plan = gemma();
    plan.parallel.tensor = 4;
    plan.inference.multimodal.profiled = false;
    const std::int64_t held = kTower - kDivided + (kDivided + 3) / 4;
    const Estimate it = estimate(plan);
    QCOMPARE(bytesOf(it, "Vision tower"), Bytes(2 * held));
    // What vLLM has for its cache is less by as much.
    plan.model.textOnly = true;
    const Estimate text = estimate(plan);
    QCOMPARE(text.inference->kvCache - it.inference->kvCache, Bytes(2 * held));
    QCOMPARE(it.inference->weights - text.inference->weights, Bytes(2 * held));
    plan = gemma(Engine::Plain);
    plan.parallel.tensor = 4;
    QCOMPARE(bytesOf(estimate(plan), "Vision tower"), Bytes(2 * kTower));
}

void TestServedTowers::theFirstStageAloneHasIt()
{
    Plan plan = gemma();
    plan.parallel.pipeline = 2;
    plan.parallel.stage = 0;
    QCOMPARE(bytesOf(estimate(plan), "Vision tower"), Bytes(2 * kTower));
    plan.parallel.stage = 1;
    const Estimate last = estimate(plan);
    QVERIFY(last.computed);
    QCOMPARE(bytesOf(last, "Vision tower"), Bytes(0));
}

void TestServedTowers::textOnlyLeavesItOut()
{
    Plan plan = gemma();
    plan.model.textOnly = true;
    const Estimate it = estimate(plan);
    QVERIFY(it.computed);
    QCOMPARE(bytesOf(it, "Vision tower"), Bytes(0));
    QCOMPARE(it.parametersTotal, kText);
    QCOMPARE(missingIn(it), QString());
}

void TestServedTowers::quantisedModelsKeepItIn16Bits()
{
    Plan plan = gemma();
    for (const auto &[format, bytes] :
         {std::pair(WeightFormat::Fp8, 2), std::pair(WeightFormat::Nf4, 2),
          std::pair(WeightFormat::Fp16, 2), std::pair(WeightFormat::Fp32, 4)}) {
        plan.inference.weightFormat = format;
        QCOMPARE(bytesOf(estimate(plan), "Vision tower"), Bytes(bytes * kTower));
    }
}

void TestServedTowers::trainingSaysThatItIsMissing()
{
    Plan plan = gemma();
    plan.workload = Workload::Training;
    const Estimate it = estimate(plan);
    QVERIFY(it.computed);
    QCOMPARE(it.parametersTotal, kText);
    QCOMPARE(missingIn(it), u"Text part only: the vision tower is not counted."_s);
    plan.model.textOnly = true;
    QCOMPARE(missingIn(estimate(plan)), QString());
}

void TestServedTowers::statedParametersHoldItAlready()
{
    Plan plan = gemma();
    plan.model.parametersOverride = kText + kTower;
    const Estimate it = estimate(plan);
    QVERIFY(it.computed);
    QCOMPARE(it.parametersTotal, kText + kTower);
    QCOMPARE(bytesOf(it, "Vision tower"), Bytes(0));
}

void TestServedTowers::anUnknownTowerBesideAKnownOneIsMissing()
{
    Plan plan = gemma();
    std::string &config = *plan.model.config;
    config.insert(config.find('{') + 1, R"("audio_config": {"hidden_size": 32},)");
    const Estimate it = estimate(plan);
    QCOMPARE(bytesOf(it, "Vision tower"), Bytes(2 * kTower));
    QVERIFY(
        missingIn(it).startsWith(u"Beside the counted tower: the audio tower is not counted."_s));
}

void TestServedTowers::aTextModelHasNone()
{
    Plan plan = gemma();
    plan.model.config.reset();
    plan.model.preset = "llama-3-8b";
    const Estimate it = estimate(plan);
    plan.model.textOnly = true;
    const Estimate text = estimate(plan);
    QVERIFY(it.settings->towers.empty());
    QCOMPARE(text.peakAllocated, it.peakAllocated);
    QCOMPARE(text.parametersTotal, it.parametersTotal);
}

VRAMSCOPE_TEST(TestServedTowers)
#include "tst_served_towers.moc"
