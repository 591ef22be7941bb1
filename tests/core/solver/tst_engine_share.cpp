// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/estimate/estimate.h"
#include "core/solver/fit.h"
#include "tests/support/test.h"

#include <algorithm>
#include <array>
#include <cmath>

using namespace vramscope;

namespace {

constexpr FieldPath kUtilization = "inference.gpu_memory_utilization";
constexpr FieldPath kFraction = "inference.sglang.mem_fraction_static";

Plan served(Engine engine)
{
    Plan plan;
    plan.workload = Workload::Inference;
    plan.model.preset = "llama-3.1-8b";
    plan.hardware.gpu = "h100-sxm-80gb";
    plan.inference.engine = engine;
    plan.inference.maxModelLen = 8192;
    plan.inference.concurrentSequences = 20;
    plan.inference.meanSequenceLength = 8192;
    return plan;
}

Estimate under(Plan plan, FieldPath field, double share)
{
    fieldAt(field).set(plan, share);
    return estimate(plan);
}

const CacheAtShare *sameUnder(const EngineShare &share, std::string_view engine)
{
    const auto found = std::ranges::find(share.same, engine, &CacheAtShare::engine);
    return found == share.same.end() ? nullptr : &*found;
}

} // namespace

class TestEngineShare : public test::Test
{
    Q_OBJECT

private slots:
    void theEndsAreNeighboursOfWhatDoesNotHold_data();
    void theEndsAreNeighboursOfWhatDoesNotHold();
    void anotherReleaseHasTheSameCacheUnderAnotherShare();
    void sglangAndVllmAreTradedForEachOther();
    void whatHasNoShareIsRefused();
    void lengthsAndSequencesAreSoughtForEveryEngine_data();
    void lengthsAndSequencesAreSoughtForEveryEngine();
};

void TestEngineShare::theEndsAreNeighboursOfWhatDoesNotHold_data()
{
    QTest::addColumn<int>("engine");
    QTest::newRow("vLLM") << int(Engine::Vllm);
    QTest::newRow("SGLang") << int(Engine::Sglang);
}

void TestEngineShare::theEndsAreNeighboursOfWhatDoesNotHold()
{
    QFETCH(int, engine);
    const Plan plan = served(static_cast<Engine>(engine));
    const FieldPath field = engine == int(Engine::Vllm) ? kUtilization : kFraction;
    const std::array<std::string_view, 1> vary = {field.text()};
    const Result<Fit> found = fit(plan, vary, 10);
    QVERIFY2(found.ok(), found ? "" : found.error().text().c_str());
    const auto &share = std::get<EngineShare>(found->found);
    QVERIFY(share.least && share.most && *share.least < *share.most);
    QCOMPARE(share.cache, estimate(plan).inference->kvCache);
    constexpr double kStep = 0.001;
    QVERIFY(under(plan, field, *share.least).inference->servesLoad);
    QVERIFY(!under(plan, field, *share.least - kStep).inference->servesLoad);
    const auto device = [&](double value) {
        const Estimate there = under(plan, field, value);
        return there.peakDevice - *there.capacity;
    };
    QVERIFY(device(*share.most) <= 0);
    QVERIFY(*share.most == 1 || device(*share.most + kStep) > 0);
}

void TestEngineShare::anotherReleaseHasTheSameCacheUnderAnotherShare()
{
    Plan plan = served(Engine::Vllm);
    plan.inference.engineVersion = "0.20.0";
    plan.inference.gpuMemoryUtilization = 0.9;
    const Result<EngineShare> share = engineShare(plan, fieldAt(kUtilization));
    QVERIFY(share.ok());
    QVERIFY(!sameUnder(*share, "vLLM 0.20 and older"));
    const CacheAtShare *newer = sameUnder(*share, "vLLM 0.21 and newer");
    QVERIFY(newer);
    // The share that the graphs need on top, to a thousandth.
    const Estimate now = estimate(plan);
    const double graphs = double(now.settings->cudaGraphBytes) / double(*now.capacity);
    QVERIFY(std::abs(newer->share - 0.9 - graphs) <= 0.001);
    QVERIFY(newer->cache >= share->cache &&
            newer->cache - share->cache <= *now.capacity / 1000 + 1);
}

void TestEngineShare::sglangAndVllmAreTradedForEachOther()
{
    const Result<EngineShare> share = engineShare(served(Engine::Vllm), fieldAt(kUtilization));
    const CacheAtShare *sglang = share ? sameUnder(*share, "SGLang") : nullptr;
    QVERIFY(sglang);
    QCOMPARE(sglang->field, kFraction);
    Plan plan = served(Engine::Sglang);
    plan.inference.sglang.memFractionStatic = sglang->share;
    QCOMPARE(estimate(plan).inference->kvCache, sglang->cache);
    QVERIFY(sglang->cache >= share->cache);
    const Result<EngineShare> back = engineShare(plan, fieldAt(kFraction));
    QVERIFY(back.ok() && sameUnder(*back, "vLLM 0.21 and newer"));
}

void TestEngineShare::whatHasNoShareIsRefused()
{
    const auto says = [](const Plan &plan, FieldPath field, std::string_view words) {
        const Result<EngineShare> share = engineShare(plan, fieldAt(field));
        return !share.ok() && share.error().detail.find(words) != std::string::npos;
    };
    QVERIFY(says(served(Engine::Sglang), kUtilization, "has no say in this plan"));
    Plan stated = served(Engine::Vllm);
    stated.inference.kvCacheMemoryBytes = kGiB;
    QVERIFY(says(stated, kUtilization, "states its cache"));
    Plan none = served(Engine::Vllm);
    none.hardware.gpu.reset();
    QVERIFY(says(none, kUtilization, "name a GPU"));
    Plan training;
    training.model.preset = "gpt2";
    training.hardware.gpu = "rtx-4090";
    QVERIFY(says(training, kUtilization, "serving"));
}

void TestEngineShare::lengthsAndSequencesAreSoughtForEveryEngine_data()
{
    QTest::addColumn<int>("engine");
    QTest::addColumn<QByteArray>("field");
    const auto row = [](const char *name, Engine engine, const char *field) {
        QTest::newRow(name) << int(engine) << QByteArray(field);
    };
    row("vLLM, the longest", Engine::Vllm, "inference.max_model_len");
    row("vLLM, most sequences", Engine::Vllm, "inference.concurrent_sequences");
    row("SGLang, the longest", Engine::Sglang, "inference.mean_sequence_length");
    row("SGLang, most sequences", Engine::Sglang, "inference.concurrent_sequences");
    row("TensorRT-LLM, most sequences", Engine::TrtLlm, "inference.concurrent_sequences");
}

void TestEngineShare::lengthsAndSequencesAreSoughtForEveryEngine()
{
    QFETCH(int, engine);
    QFETCH(QByteArray, field);
    Plan plan = served(static_cast<Engine>(engine));
    plan.inference.concurrentSequences = field.contains("length") ? 2 : 20;
    if (field == "inference.max_model_len") {
        plan.inference.concurrentSequences.reset();
        plan.inference.meanSequenceLength.reset();
    }
    const std::array<std::string_view, 1> vary = {std::string_view(field.constData())};
    const Result<Fit> found = fit(plan, vary, 10);
    QVERIFY2(found.ok(), found ? "" : found.error().text().c_str());
    const auto &value = std::get<ValueThatFits>(found->found);
    QVERIFY(value.largest && value.answer && value.next);
    const auto fits = [&](std::int64_t tried) {
        Plan other = plan;
        findField(field.toStdString())->set(other, tried);
        return estimate(other).fits.value_or(false);
    };
    QVERIFY(fits(value.answer->value));
    QVERIFY(!fits(value.next->value));
}

VRAMSCOPE_TEST(TestEngineShare)
#include "tst_engine_share.moc"
