// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/estimate/estimate.h"
#include "core/plan/choices.h"
#include "core/plan/field_value.h"
#include "core/plan/plan.h"
#include "core/settings/settings.h"
#include "tests/support/test.h"

#include <algorithm>
#include <cmath>

using namespace vramscope;

namespace {

Plan served(const char *preset, Engine engine = Engine::Plain)
{
    Plan plan;
    plan.workload = Workload::Inference;
    plan.model.preset = preset;
    plan.hardware.gpu = "h100-sxm-80gb";
    plan.inference.engine = engine;
    return plan;
}

InferenceFigures curveMetrics(const Plan &plan)
{
    return estimate(plan).inference.value_or(InferenceFigures());
}

Bytes part(const Estimate &result, std::string_view name)
{
    for (const Moment &moment : result.moments)
        for (const Component &component : moment.components)
            if (component.name == name)
                return component.bytes;
    return 0;
}

} // namespace

class TestServing : public test::Test
{
    Q_OBJECT

private slots:
    void theCacheOfATokenIsWhatTheModelsShapeSays_data();
    void theCacheOfATokenIsWhatTheModelsShapeSays();
    void cachesInFewerBitsShrinkWithTheirFormat();
    void theProfileRunTakesTheLargerOfMlpAndSampler();
    void fusedExpertsKeepAWorkspaceOfAllRows();
    void pipelineStagesHoldWhatTheyHandOn();
    void vllmCountsItsTablesWithTheWeights();
    void expertsInMxfp4ArePaddedForVllmAlone();
    void kernelsOfExpertsFollowReleaseGpuAndModel();
    void kernelsLayOutExpertsEachInTheirWay();
    void aPresetIsServedInTheFormatThatItIsPublishedIn();
    void theCacheGivesWaySoVllmsShareIsSure();
    void aCacheTooSmallForOneSequenceDoesNotFit();
    void aCacheTooSmallForTheSequencesAskedForDoesNotFit();
    void windowedLayersLetALongerSequenceStartThanThereAreTokens();
    void layersOfTwoKindsShareOnePoolOfBlocks();
    void rareLayersSetTheGroupsSize();
    void theLargestConcurrencyAndContextJustFit_data();
    void theLargestConcurrencyAndContextJustFit();
};

void TestServing::theCacheOfATokenIsWhatTheModelsShapeSays_data()
{
    QTest::addColumn<qint64>("bytes");
    const std::pair<const char *, qint64> rows[] = {
        {"gpt2-xl", 307200},       {"llama-2-7b", 524288},      {"llama-3-8b", 131072},
        {"llama-3.1-70b", 327680}, {"llama-3.1-405b", 516096},  {"qwen2.5-7b", 57344},
        {"qwen3-30b-a3b", 98304},  {"qwen3-235b-a22b", 192512}, {"deepseek-v3", 70272},
        {"gpt-oss-20b", 24576},    {"gpt-oss-120b", 36864},
    };
    for (const auto &[preset, bytes] : rows)
        QTest::newRow(preset) << bytes;
}

void TestServing::theCacheOfATokenIsWhatTheModelsShapeSays()
{
    QFETCH(qint64, bytes);
    QCOMPARE(curveMetrics(served(QTest::currentDataTag())).kvBytesPerToken, bytes);
}

void TestServing::cachesInFewerBitsShrinkWithTheirFormat()
{
    Plan plan = served("llama-3-8b", Engine::LlamaCpp);
    plan.inference.maxModelLen = 1024;
    plan.inference.kvBytesPerElement = 34.0 / 32; // q8_0
    QCOMPARE(curveMetrics(plan).kvCache, Bytes(131072) / 2 * 34 / 32 * 1024);
    plan.inference.kvBytesPerElement = 18.0 / 32; // q4_0
    QCOMPARE(curveMetrics(plan).kvCache, Bytes(131072) / 2 * 18 / 32 * 1024);
    // Logits of 512 tokens, and the mask of attention over 1,024 cells.
    QCOMPARE(curveMetrics(plan).activationPeak, Bytes(512) * (4 * 128256 + 2 * 1024));
}

void TestServing::theProfileRunTakesTheLargerOfMlpAndSampler()
{
    Plan plan = served("llama-3.1-8b", Engine::Vllm);
    plan.inference.maxNumSeqs = 1024;
    const Bytes workspace = 64 * kMiB;
    const Bytes sampler = Bytes(14) * 1024 * 128256 + Bytes(4) * 4096 * 8192;
    QCOMPARE(curveMetrics(plan).activationPeak, sampler + workspace);
    plan.inference.maxNumSeqs = 8;
    const Bytes mlp = Bytes(6) * (14336 + 4096) * 8192;
    QCOMPARE(curveMetrics(plan).activationPeak, mlp + workspace);
    plan.parallel.tensor = 4;
    QCOMPARE(curveMetrics(plan).activationPeak, Bytes(6) * (14336 / 4 + 4096) * 8192 + workspace);
    plan.inference.activationPeakBytes = 1000;
    QCOMPARE(curveMetrics(plan).activationPeak, Bytes(1000));
}

void TestServing::fusedExpertsKeepAWorkspaceOfAllRows()
{
    Plan plan = served("qwen3-30b-a3b", Engine::Vllm);
    const char *name = "Workspace of the fused experts";
    QCOMPARE(part(estimate(plan), name), Bytes(2) * 8 * 8192 * (2048 + 2048));
    plan.inference.maxNumBatchedTokens = 2048;
    QCOMPARE(part(estimate(plan), name), Bytes(2) * 8 * 2048 * (2048 + 2048));
    plan.model.preset = "llama-3-8b";
    QCOMPARE(part(estimate(plan), name), Bytes(0));
}

void TestServing::pipelineStagesHoldWhatTheyHandOn()
{
    Plan plan = served("llama-3.1-8b", Engine::Vllm);
    QCOMPARE(part(estimate(plan), "Hidden states between stages"), Bytes(0));
    plan.parallel.pipeline = 2;
    QCOMPARE(part(estimate(plan), "Hidden states between stages"), Bytes(4) * 4096 * 8192);
}

void TestServing::vllmCountsItsTablesWithTheWeights()
{
    Plan plan = served("llama-3.1-8b", Engine::Vllm);
    const Bytes table = Bytes(2) * 131072 * 128;
    QCOMPARE(curveMetrics(plan).weights, Bytes(2) * 8030261248 + table);
    plan.inference.engine = Engine::Plain;
    QCOMPARE(curveMetrics(plan).weights, Bytes(2) * 8030261248);
    plan = served("deepseek-v2-lite", Engine::Vllm);
    QCOMPARE(part(estimate(plan), "Absorbed latent projections"),
             Bytes(2) * 27 * 16 * (128 + 128) * 512);
}

void TestServing::expertsInMxfp4ArePaddedForVllmAlone()
{
    Plan plan = served("gpt-oss-20b");
    plan.inference.weightFormat = WeightFormat::MxFp4;
    plan.inference.notConverted = TextList{"embedding", "head", "attention", "router"};
    const Bytes exact = Bytes(24) * 32 * 3 * 2880 * 2880 / 32 * 17;
    QCOMPARE(part(estimate(plan), "Quantised weights"), exact);
    plan.inference.engine = Engine::Vllm;
    plan.inference.moeBackend = MoeBackend::Marlin;
    const Bytes padded = Bytes(24) * 32 * 3 * 3072 * 2944 / 32 * 17;
    QCOMPARE(part(estimate(plan), "Quantised weights"), padded);
}

void TestServing::kernelsOfExpertsFollowReleaseGpuAndModel()
{
    const auto chosen = [](const char *gpu, const char *release,
                           const char *preset = "gpt-oss-20b") {
        Plan plan = served(preset, Engine::Vllm);
        plan.hardware.gpu = gpu;
        plan.inference.engineVersion = release;
        return resolve(plan).settings.moeBackend;
    };
    QCOMPARE(chosen("h100-sxm-80gb", "0.11.0"), MoeBackend::Marlin);
    QCOMPARE(chosen("h100-sxm-80gb", "0.12.0"), MoeBackend::Triton);
    QCOMPARE(chosen("h100-sxm-80gb", "0.33.0", "deepseek-v3"), MoeBackend::Marlin);
    QCOMPARE(chosen("a100-sxm-80gb", "0.33.0"), MoeBackend::Marlin);
    QCOMPARE(chosen("rtx-5090", "0.33.0"), MoeBackend::Marlin);
    QCOMPARE(chosen("b200-sxm-192gb", "0.33.0"), MoeBackend::FlashInferTrtLlm);
    Plan adapters = served("gpt-oss-20b", Engine::Vllm);
    adapters.hardware.gpu = "h100-sxm-80gb";
    adapters.inference.maxLoras = 1;
    QCOMPARE(resolve(adapters).settings.moeBackend, MoeBackend::Marlin);
    adapters.inference.moeBackend = MoeBackend::Triton;
    QCOMPARE(resolve(adapters).settings.moeBackend, MoeBackend::Triton);
}

void TestServing::kernelsLayOutExpertsEachInTheirWay()
{
    const auto weights = [](MoeBackend backend, const char *release, std::int64_t gpus = 1) {
        Plan plan = served("gpt-oss-120b", Engine::Vllm);
        plan.hardware.gpu = "h100-sxm-80gb";
        plan.parallel.tensor = plan.hardware.gpus = gpus;
        plan.inference.engineVersion = release;
        plan.inference.moeBackend = backend;
        return estimate(plan);
    };
    constexpr Bytes kExperts = Bytes(36) * 128;
    const auto packed = [](Bytes hidden, Bytes inner) {
        return kExperts * 3 * hidden * inner / 32 * 17;
    };
    const auto quantised = [](const Estimate &result) { return part(result, "Quantised weights"); };
    const auto copies = [](const Estimate &result) {
        return part(result, "Copies of expert kernels");
    };
    const Estimate marlin = weights(MoeBackend::Marlin, "0.11.0");
    QCOMPARE(quantised(marlin), packed(3072, 2944));
    QCOMPARE(copies(marlin), Bytes(0));
    QCOMPARE(quantised(weights(MoeBackend::FlashInferTrtLlm, "0.26.0")), packed(3072, 3072));
    QCOMPARE(quantised(weights(MoeBackend::FlashInferTrtLlm, "0.27.0")), packed(3072, 2944));
    // vllm-project/vllm#33155, one H100, "Using Triton backend": "Model loading took 64.38 GiB".
    const Estimate triton = weights(MoeBackend::Triton, "0.14.1");
    QCOMPARE(quantised(triton), packed(2880, 2880));
    const Bytes ordered = kExperts * (5888 + 3072) * 90;
    const Bytes biases = kExperts * (2 * 2880 + 2880) * 2;
    QCOMPARE(copies(triton), ordered + biases);
    const double loaded = 64.38 * double(kGiB);
    QVERIFY(std::abs(double(triton.inference->weights) / loaded - 1) < 0.002);
    // Later releases drop the scales that they have put in order.
    const Bytes plain = kExperts * 3 * 2880 * 90;
    QCOMPARE(copies(weights(MoeBackend::Triton, "0.25.0")), ordered - plain + biases);
    // Every rank pads its own share: 360 to 384.
    QCOMPARE(quantised(weights(MoeBackend::Triton, "0.14.1", 8)), packed(2880, 384));
    QCOMPARE(quantised(weights(MoeBackend::Marlin, "0.11.0", 8)), packed(3072, 384));
}

void TestServing::aPresetIsServedInTheFormatThatItIsPublishedIn()
{
    const auto onGpus = [](const char *preset, std::int64_t gpus, const char *gpu,
                           std::optional<WeightFormat> format = {},
                           std::optional<MoeBackend> backend = {}) {
        Plan plan = served(preset, Engine::Vllm);
        plan.inference.moeBackend = backend;
        plan.hardware.gpu = gpu;
        plan.parallel.tensor = plan.hardware.gpus = gpus;
        plan.inference.weightFormat = format;
        return estimate(plan);
    };
    const Estimate fp8 = onGpus("deepseek-v3", 8, "h200-sxm-141gb");
    QVERIFY2(fp8.fits.value_or(false), whyNotComputed(fp8).c_str());
    // One byte a weight, four bytes a block of 128 × 128 of it.
    const Bytes blocks = part(fp8, "Quantised weights");
    QVERIFY(blocks > 669'000'000'000 / 8 && blocks < 672'000'000'000 / 8);
    QCOMPARE(blocks % 4097, Bytes(0));
    QVERIFY(std::ranges::any_of(fp8.issues, [](const Issue &issue) {
        return issue.field == "inference.weight_format" &&
               issue.text.starts_with("Served in fp8, as the model is published (");
    }));
    QVERIFY(!*onGpus("deepseek-v3", 8, "h200-sxm-141gb", WeightFormat::Bf16).fits);
    // vllm-project/vllm#23278, 0.10.1 on one H100: "Model loading took 65.9651 GiB", by
    // Marlin.
    const Estimate mxfp4 = onGpus("gpt-oss-120b", 1, "h100-sxm-80gb", {}, MoeBackend::Marlin);
    const double loaded = 65.9651 * double(kGiB);
    QVERIFY(std::abs(double(mxfp4.inference->weights) / loaded - 1) < 0.002);
    // It starts with a third of its context; all of it does not go there, as issue 27508 tells.
    QVERIFY(mxfp4.inference->maxContext > 40'000 && mxfp4.inference->maxContext < 131'072);
    QVERIFY(part(onGpus("kimi-k2", 16, "h200-sxm-141gb"), "Quantised weights") > 0);
    // The published format is known by name too, and keeps what its files keep in 16 bit.
    QCOMPARE(onGpus("gpt-oss-120b", 1, "h100-sxm-80gb").peakDevice,
             onGpus("gpt-oss-120b", 1, "h100-sxm-80gb", WeightFormat::MxFp4).peakDevice);
    // Training starts from 16 bit.
    Plan training = served("deepseek-v3");
    training.workload = Workload::Training;
    for (const Issue &issue : estimate(training).issues)
        QVERIFY(issue.field != "inference.weight_format");
}

void TestServing::theCacheGivesWaySoVllmsShareIsSure()
{
    Plan plan = served("llama-3.1-8b", Engine::Vllm);
    plan.inference.cudaGraphBytes = 0;
    plan.parallel.tensor = 2;
    const auto above = [&] {
        const Estimate result = estimate(plan);
        return static_cast<double>(result.uncertaintyHigh - result.peakDevice) /
               static_cast<double>(result.peakDevice);
    };
    const double sure = above();
    QVERIFY(sure > 0 && sure < 0.03);
    plan.inference.kvCacheMemoryBytes = 10 * kGiB; // now what else is there decides
    QVERIFY(above() > sure);
    plan.inference.kvCacheMemoryBytes.reset();
    plan.inference.cudaGraphBytes.reset();
    plan.inference.engineVersion = "0.20.0"; // where graphs lie beside the share
    const Estimate graphs = estimate(plan);
    QVERIFY(graphs.uncertaintyHigh - graphs.peakDevice > kGiB / 2);
    plan.inference.engineVersion = "0.21.0"; // the cache gives way to them too
    QVERIFY(above() < 0.03);
}

void TestServing::aCacheTooSmallForOneSequenceDoesNotFit()
{
    // vLLM does not start where one sequence of max_model_len has no room in its cache.
    Plan plan = served("llama-3.1-8b", Engine::Vllm);
    plan.hardware.gpu = "rtx-4090";
    plan.inference.maxModelLen = 16384;
    const Estimate fitting = estimate(plan);
    QCOMPARE(fitting.fits, std::optional(true));
    QVERIFY(fitting.issues.empty());
    plan.inference.maxModelLen = fitting.inference->kvTokens + 1;
    const Estimate refused = estimate(plan);
    QVERIFY(*refused.headroom > 0);
    QCOMPARE(refused.fits, std::optional(false));
    QCOMPARE(refused.issues.front().field, std::string("inference.max_model_len"));

    plan.inference.gpuMemoryUtilization = 0.1;
    const Estimate none = estimate(plan);
    QCOMPARE(none.inference->kvTokens, std::int64_t(0));
    QCOMPARE(none.fits, std::optional(false));
    QCOMPARE(none.issues.front().field, std::string("inference.gpu_memory_utilization"));
}

void TestServing::aCacheTooSmallForTheSequencesAskedForDoesNotFit()
{
    Plan plan = served("llama-3.1-8b", Engine::Vllm);
    plan.inference.maxModelLen = 8192;
    plan.inference.concurrentSequences = 40;
    plan.inference.meanSequenceLength = 8192;
    QCOMPARE(estimate(plan).fits, std::optional(true));
    plan.inference.concurrentSequences = 400;
    const Estimate result = estimate(plan);
    QCOMPARE(result.fits, std::optional(false));
    QCOMPARE(result.issues.front().field, std::string("inference.concurrent_sequences"));
}

void TestServing::windowedLayersLetALongerSequenceStartThanThereAreTokens()
{
    // vLLM prints tokens as if every layer kept all of them; half of these keep 128.
    Plan plan = served("gpt-oss-120b", Engine::Vllm);
    plan.inference.weightFormat = WeightFormat::MxFp4;
    plan.inference.engineVersion = "0.11.0"; // of issue 27508
    plan.inference.maxNumSeqs = 256;
    plan.inference.gpuMemoryUtilization = 0.92;
    const Estimate result = estimate(plan);
    QVERIFY(result.inference->kvTokens < 131'072); // max_model_len
    QVERIFY(result.inference->maxConcurrency > 1);
    QCOMPARE(result.fits, std::optional(true));
    QVERIFY(result.issues.empty());
}

void TestServing::layersOfTwoKindsShareOnePoolOfBlocks()
{
    // 12 full and 12 windowed layers: two groups, blocks of 16 tokens in 12 layers.
    Plan plan = served("gpt-oss-20b", Engine::Vllm);
    const Bytes block = Bytes(16) * 12 * 2 * 8 * 64 * 2;
    plan.inference.kvCacheMemoryBytes = 1000 * block + 5;
    plan.inference.maxModelLen = 4096;
    plan.inference.maxNumBatchedTokens = 2048;
    const InferenceFigures figures = curveMetrics(plan);
    QCOMPARE(figures.kvBlocks, std::int64_t(1000));
    QCOMPARE(figures.kvTokens, std::int64_t(8000));
    // Full layers keep 4,096 tokens; windowed ones 127 and a batch, from within a block.
    const int windowed = (127 + 2048 + 15) / 16 + 1;
    QCOMPARE(figures.maxConcurrency, 1000.0 / (4096 / 16 + windowed));
    QCOMPARE(figures.maxContext, std::int64_t(1000 - windowed) * 16);
    QCOMPARE(figures.blockWaste, Bytes(15) * 24576);
}

void TestServing::rareLayersSetTheGroupsSize()
{
    // 10 full layers and 52 windowed ones, which fill six groups of ten.
    Plan plan = served("gemma-3-27b", Engine::Vllm);
    const Bytes block = Bytes(16) * 10 * 2 * 16 * 128 * 2;
    plan.inference.kvCacheMemoryBytes = 700 * block;
    QCOMPARE(curveMetrics(plan).kvBlocks, std::int64_t(700));
    QCOMPARE(curveMetrics(plan).kvTokens, std::int64_t(700 / 7 * 16));
}

void TestServing::theLargestConcurrencyAndContextJustFit_data()
{
    QTest::addColumn<int>("engine");
    QTest::addColumn<QByteArray>("preset");
    QTest::newRow("plain") << int(Engine::Plain) << QByteArray("llama-3-8b");
    QTest::newRow("plain, windows") << int(Engine::Plain) << QByteArray("gemma-2-9b");
    QTest::newRow("hf") << int(Engine::Hf) << QByteArray("qwen2.5-7b");
    QTest::newRow("hf, latent") << int(Engine::Hf) << QByteArray("deepseek-v2-lite");
    QTest::newRow("llama.cpp") << int(Engine::LlamaCpp) << QByteArray("llama-3-8b");
}

void TestServing::theLargestConcurrencyAndContextJustFit()
{
    QFETCH(int, engine);
    QFETCH(QByteArray, preset);
    Plan plan = served(preset.constData(), static_cast<Engine>(engine));
    const bool llamaCpp = engine == int(Engine::LlamaCpp);
    plan.inference.concurrentSequences = 3;
    plan.inference.meanSequenceLength = 3000;
    plan.inference.maxModelLen = 6000;
    const InferenceFigures figures = curveMetrics(plan);
    const auto fits = [&](std::int64_t sequences, std::int64_t length) {
        Plan other = plan;
        other.inference.concurrentSequences = sequences;
        (llamaCpp ? other.inference.maxModelLen : other.inference.meanSequenceLength) = length;
        return estimate(other).fits.value_or(false);
    };
    QVERIFY(figures.maxContext > 0);
    QVERIFY(fits(3, figures.maxContext));
    QVERIFY(!fits(3, figures.maxContext + 1));
    if (llamaCpp) { // its context is shared: two sequences of 3,000 tokens
        QCOMPARE(figures.maxConcurrency, 2.0);
        return;
    }
    const auto most = static_cast<std::int64_t>(figures.maxConcurrency);
    QVERIFY(most > 3);
    QVERIFY(fits(most, 3000));
    QVERIFY(!fits(most + 1, 3000));
    plan.hardware.gpu.reset();
    QCOMPARE(curveMetrics(plan).maxContext, std::int64_t(0));
}

VRAMSCOPE_TEST(TestServing)
#include "tst_serving.moc"
