// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/estimate/estimate.h"
#include "core/estimate/verdict.h"
#include "core/plan/plan.h"
#include "core/settings/engines/sglang_values.h"
#include "core/settings/engines/vllm_releases.h"
#include "core/settings/settings.h"
#include "core/settings/vllm_graphs.h"
#include "tests/support/test.h"

#include <algorithm>
#include <cmath>

using namespace vramscope;

namespace {

Plan served(Engine engine, const char *preset, const char *gpu, std::int64_t tensor = 1)
{
    Plan plan;
    plan.workload = Workload::Inference;
    plan.model.preset = preset;
    plan.hardware.gpu = gpu;
    plan.hardware.gpus = plan.parallel.tensor = tensor;
    plan.inference.engine = engine;
    return plan;
}

Plan vllm(const char *preset, const char *gpu, const char *version)
{
    Plan plan = served(Engine::Vllm, preset, gpu);
    plan.inference.engineVersion = version;
    return plan;
}

const Component *part(const std::vector<Component> &components, std::string_view name)
{
    const auto found = std::ranges::find(components, name, &Component::name);
    return found == components.end() ? nullptr : &*found;
}

Bytes bytesOf(const Estimate &result, std::string_view name)
{
    for (const Moment &moment : result.moments)
        if (const Component *component = part(moment.components, name))
            return component->bytes;
    const Component *outside = part(result.outside, name);
    return outside ? outside->bytes : 0;
}

bool saysOf(const Estimate &result, std::string_view field, std::string_view words)
{
    return std::ranges::any_of(result.issues, [&](const Issue &issue) {
        return issue.field == field && issue.text.find(words) != std::string::npos;
    });
}

} // namespace

class TestEngines : public test::Test
{
    Q_OBJECT

private slots:
    void aVersionIsReadByItsNumbers_data();
    void aVersionIsReadByItsNumbers();
    void aReleaseDecidesTheShareAndWhatItCovers_data();
    void aReleaseDecidesTheShareAndWhatItCovers();
    void aPlanWithoutAVersionIsThatOfTheNewest();
    void graphsLeaveTheCacheFromRelease021On();
    void whatCountsAsOutsideTorchFollowsTheRelease();
    void theProfileRunSortsTheLogitsBeforeRelease017();
    void aKnownLogGivesTheMemoryOutsideTorch();
    void gpusWithoutNvlinkServeWhatALogSays();
    void everyTermNamesItsRelease();
    void batchesFollowTheGpuAndTheUse_data();
    void batchesFollowTheGpuAndTheUse();
    void capturedSizesAreThoseOfTheLogs_data();
    void capturedSizesAreThoseOfTheLogs();
    void graphsAreThoseOfTheLogs_data();
    void graphsAreThoseOfTheLogs();
    void aCacheIn8BitsBringsTheWorkspaceOfItsKernels();
    void thePrintedSizeOfAHybridCacheFollowsTheRelease();
    void aShareThatIsNotFreeAtTheStartIsRefused();
    void versionsThatAreNoneAreRefusedAndUnknownOnesSaid();
    void slotsForAdaptersAreThoseOfEveryMatrix();
    void sglangsDefaultFractionFollowsTheRelease_data();
    void sglangsDefaultFractionFollowsTheRelease();
    void sglangChoosesByTheMemoryOfTheGpu_data();
    void sglangChoosesByTheMemoryOfTheGpu();
    void sglangsPoolsAreThoseOfItsLogs_data();
    void sglangsPoolsAreThoseOfItsLogs();
    void layersWithAWindowHaveAPoolOfTheirOwn();
    void sglangsFractionIsOfWhatIsFreeAtTheStart();
    void sglangsTwoWaysOutOfMemoryHaveOppositeCures();
    void statesAreCutOffBeforeTheCache();
    void tensorRtTakesItsPartOfWhatIsLeft();
};

void TestEngines::aVersionIsReadByItsNumbers_data()
{
    QTest::addColumn<QByteArray>("text");
    QTest::addColumn<QByteArray>("numbers");
    QTest::newRow("plain") << QByteArray("0.21.0") << QByteArray("0 21 0");
    QTest::newRow("v") << QByteArray("v0.6.4.post1") << QByteArray("0 6 4");
    QTest::newRow("candidate") << QByteArray("0.29.1rc1") << QByteArray("0 29 1");
    QTest::newRow("two parts") << QByteArray("0.11") << QByteArray("0 11 0");
    QTest::newRow("of a wheel") << QByteArray("0.11.0+cu129") << QByteArray("0 11 0");
    QTest::newRow("source tree") << QByteArray("0.1.dev20058+g1f1617e26") << QByteArray();
    QTest::newRow("nothing") << QByteArray() << QByteArray();
    QTest::newRow("word") << QByteArray("latest") << QByteArray();
    QTest::newRow("one part") << QByteArray("21") << QByteArray();
    QTest::newRow("too large") << QByteArray("0.99999999999") << QByteArray();
}

void TestEngines::aVersionIsReadByItsNumbers()
{
    QFETCH(QByteArray, text);
    QFETCH(QByteArray, numbers);
    const auto version = engineVersion(text.toStdString());
    const QByteArray read = !version ? QByteArray()
                                     : QByteArray::number(version->major) + ' ' +
                                           QByteArray::number(version->minor) + ' ' +
                                           QByteArray::number(version->patch);
    QCOMPARE(read, numbers);
}

void TestEngines::aReleaseDecidesTheShareAndWhatItCovers_data()
{
    QTest::addColumn<double>("share");
    QTest::addColumn<bool>("graphsWithin");
    QTest::addColumn<bool>("contextBeside");
    QTest::addColumn<qint64>("host");
    QTest::newRow("0.6.3") << 0.9 << false << true << qint64(4 * kGiB);
    QTest::newRow("0.6.4") << 0.9 << false << false << qint64(4 * kGiB);
    QTest::newRow("0.7.3") << 0.9 << false << true << qint64(4 * kGiB);
    QTest::newRow("0.8.5") << 0.9 << false << false << qint64(0);
    QTest::newRow("0.9.1") << 0.9 << false << true << qint64(0);
    QTest::newRow("0.11.0") << 0.9 << false << true << qint64(0);
    QTest::newRow("0.20.2") << 0.9 << false << true << qint64(0);
    QTest::newRow("0.21.0") << 0.92 << true << true << qint64(0);
    QTest::newRow("0.33.0") << 0.92 << true << true << qint64(0);
}

void TestEngines::aReleaseDecidesTheShareAndWhatItCovers()
{
    QFETCH(double, share);
    QFETCH(bool, graphsWithin);
    QFETCH(bool, contextBeside);
    QFETCH(qint64, host);
    Plan plan = vllm("llama-3.1-8b", "h100-sxm-80gb", QTest::currentDataTag());
    const Estimate result = estimate(plan);
    QVERIFY(result.computed);
    QCOMPARE(result.settings->gpuMemoryUtilization, share);
    QCOMPARE(bytesOf(result, "CUDA context") > 0, contextBeside);
    QCOMPARE(result.hostBytes, Bytes(host));
    const InferenceFigures &figures = *result.inference;
    const auto usable = static_cast<Bytes>(static_cast<double>(*result.capacity) * share);
    const Bytes graphs = graphsWithin ? result.settings->cudaGraphBytes : 0;
    QCOMPARE(figures.kvCache,
             usable - figures.weights - figures.activationPeak - figures.nonTorch - graphs);
}

void TestEngines::aPlanWithoutAVersionIsThatOfTheNewest()
{
    const Plan plan = served(Engine::Vllm, "llama-3.1-8b", "h100-sxm-80gb");
    const Estimate newest = estimate(plan);
    const std::string version(traitsOf(Engine::Vllm).newest);
    const Estimate named = estimate(vllm("llama-3.1-8b", "h100-sxm-80gb", version.c_str()));
    QCOMPARE(newest.settings->engineVersion, version);
    QCOMPARE(newest.inference->kvCache, named.inference->kvCache);
    QCOMPARE(newest.peakDevice, named.peakDevice);
}

// vLLM's own log of 0.18 to 0.20: "The current --gpu-memory-utilization=0.8200 is equivalent to
// --gpu-memory-utilization=0.8048 without CUDA graph memory profiling".
void TestEngines::graphsLeaveTheCacheFromRelease021On()
{
    Plan plan = vllm("llama-3.1-8b", "h100-sxm-80gb", "0.20.0");
    plan.inference.gpuMemoryUtilization = 0.9;
    const Estimate before = estimate(plan);
    plan.inference.engineVersion = "0.21.0";
    const Estimate after = estimate(plan);
    const Bytes graphs = after.settings->cudaGraphBytes;
    QVERIFY(graphs > kGiB / 2);
    QCOMPARE(before.inference->kvCache - after.inference->kvCache, graphs);
    QCOMPARE(before.peakDevice - after.peakDevice, graphs); // they stay inside the share
    plan.inference.cudaGraphBytes = 0;                      // --enforce-eager
    QCOMPARE(estimate(plan).inference->kvCache, before.inference->kvCache);
}

void TestEngines::whatCountsAsOutsideTorchFollowsTheRelease()
{
    const auto nonTorch = [](const char *version, std::int64_t tensor) {
        Plan plan = vllm("llama-3.1-8b", "h100-sxm-80gb", version);
        plan.hardware.gpus = plan.parallel.tensor = tensor;
        return estimate(plan).inference->nonTorch;
    };
    Plan two = vllm("llama-3.1-8b", "h100-sxm-80gb", "0.11.0");
    two.hardware.gpus = two.parallel.tensor = 2;
    const Settings settings = resolve(two).settings;
    QVERIFY(settings.ncclBytes > 0);
    QCOMPARE(nonTorch("0.10.1", 2) - nonTorch("0.11.0", 2), settings.ncclBytes);
    QCOMPARE(nonTorch("0.8.5", 2) - nonTorch("0.10.1", 2), settings.contextBytes);
    QCOMPARE(nonTorch("0.10.1", 1), nonTorch("0.11.0", 1)); // no communicators on one GPU
    // What a log states is taken as it is.
    two.inference.engineVersion = "0.8.5";
    two.inference.nonTorchBytes = 1000;
    QCOMPARE(estimate(two).inference->nonTorch, Bytes(1000));
}

// llm-d-planner's runs of Qwen3-14B on an H100: 5.64 GiB with 0.15 and 0.16, 2.23 with 0.17.
void TestEngines::theProfileRunSortsTheLogitsBeforeRelease017()
{
    Plan plan = vllm("qwen3-14b", "h100-sxm-80gb", "0.16.0");
    const auto peak = [&plan](const char *version) {
        plan.inference.engineVersion = version;
        return double(estimate(plan).inference->activationPeak) / double(kGiB);
    };
    QVERIFY(std::abs(peak("0.16.0") - 5.64) < 0.02);
    QVERIFY(std::abs(peak("0.17.0") - 2.23) < 0.03);
    QCOMPARE(peak("0.8.5"), peak("0.16.0"));
    plan.inference.maxNumSeqs = 4096; // no more sequences than a batch has tokens
    plan.inference.maxNumBatchedTokens = 1024;
    const double all = peak("0.17.0");
    plan.inference.maxNumSeqs = 1024;
    QCOMPARE(peak("0.17.0"), all);
}

void TestEngines::aKnownLogGivesTheMemoryOutsideTorch()
{
    const auto outside = [](const char *version, const char *gpu, std::int64_t tensor) {
        Plan plan = vllm("llama-3.1-8b", gpu, version);
        plan.hardware.gpus = plan.parallel.tensor = tensor;
        return estimate(plan);
    };
    const Estimate logged = outside("0.19.1", "h100-sxm-80gb", 2);
    QCOMPARE(logged.inference->nonTorch, Bytes(2.07 * double(kGiB)));
    const Component *part = ::part(logged.outside, "Outside PyTorch");
    QVERIFY(part && part->source.starts_with("As vLLM 0.19 logged it on this GPU: llm-d"));
    // One patch of a release, which counted more than those before and after it.
    QCOMPARE(outside("0.6.5", "h100-sxm-80gb", 2).inference->nonTorch, Bytes(3.58 * double(kGiB)));
    QVERIFY(outside("0.6.6", "h100-sxm-80gb", 2).inference->nonTorch < 2 * kGiB);
    // Another GPU, and another layout: what its link and its ranks take.
    const Estimate other = outside("0.19.1", "a100-sxm-80gb", 2);
    QVERIFY(!::part(other.outside, "Outside PyTorch")->source.starts_with("As vLLM"));
    QVERIFY(outside("0.19.1", "l40s-48gb", 2).inference->nonTorch < kGiB / 2);
}

// vllm-project/vllm#14447: DeepSeek-R1 in 4 bits over 16 RTX 3090, which is two nodes or one.
void TestEngines::gpusWithoutNvlinkServeWhatALogSays()
{
    Plan plan = vllm("deepseek-v3", "rtx-3090", "0.8.3");
    plan.hardware.gpus = plan.parallel.tensor = 16;
    plan.inference.weightFormat = WeightFormat::AwqInt4;
    plan.inference.gpuMemoryUtilization = 0.99;
    plan.inference.maxModelLen = 2048;
    plan.inference.maxNumSeqs = 16;
    plan.inference.cudaGraphBytes = 0; // --enforce-eager: the share leaves nothing for graphs
    for (const std::int64_t perNode : {8, 16}) {
        plan.hardware.gpusPerNode = perNode;
        const Estimate result = estimate(plan);
        QCOMPARE(result.inference->nonTorch, Bytes(0.2 * double(kGiB)));
        QVERIFY(result.inference->startsServing);
        QVERIFY(verdictOf(result) != Verdict::DoesNotFit);
    }
    plan.inference.engineVersion = "0.19.0"; // without a log: no buffers of NVLink either
    QVERIFY(estimate(plan).inference->nonTorch < kGiB / 2);
}

void TestEngines::everyTermNamesItsRelease()
{
    for (const VllmRelease &release : vllmReleases()) {
        const Plan plan = vllm("llama-3.1-8b", "h100-sxm-80gb", std::string(release.name).c_str());
        const Estimate result = estimate(plan);
        QCOMPARE(engineVersion(release.name), std::optional(release.since));
        const Component *cache = part(result.components(), "Key-value cache");
        QVERIFY(cache);
        QCOMPARE(cache->source, std::string(release.source));
        QVERIFY(cache->source.starts_with("vLLM 0."));
        QVERIFY(cache->formula.find("utilization") != std::string::npos);
        const Component *graphs = part(result.outside, "CUDA graphs");
        QVERIFY(graphs && graphs->formula.find("captured sizes") != std::string::npos);
    }
}

void TestEngines::batchesFollowTheGpuAndTheUse_data()
{
    QTest::addColumn<QByteArray>("version");
    QTest::addColumn<QByteArray>("gpu");
    QTest::addColumn<int>("server");
    QTest::addColumn<int>("library");
    QTest::addColumn<int>("sequences");
    const auto row = [](const char *version, const char *gpu, int server, int library,
                        int sequences) {
        QTest::addRow("%s on %s", version, gpu)
            << QByteArray(version) << QByteArray(gpu) << server << library << sequences;
    };
    row("0.22.0", "h100-sxm-80gb", 8192, 16384, 1024);
    row("0.22.0", "h200-sxm-141gb", 8192, 16384, 1024);
    row("0.22.0", "a100-sxm-80gb", 2048, 8192, 256);
    row("0.22.0", "rtx-4090", 2048, 8192, 256);
    row("0.6.4", "h100-sxm-80gb", 20000, 20000, 256); // max_model_len of the plan
}

void TestEngines::batchesFollowTheGpuAndTheUse()
{
    QFETCH(QByteArray, version);
    QFETCH(QByteArray, gpu);
    QFETCH(int, server);
    QFETCH(int, library);
    QFETCH(int, sequences);
    Plan plan = vllm("llama-3.1-8b", gpu.constData(), version.constData());
    plan.inference.maxModelLen = 20000;
    const Settings settings = resolve(plan).settings;
    QCOMPARE(settings.maxNumBatchedTokens, std::int64_t(server));
    QCOMPARE(settings.maxNumSeqs, std::int64_t(sequences));
    QCOMPARE(vllmBatches(settings, VllmUse::Library).tokens, std::int64_t(library));
    plan.inference.maxModelLen = 65536; // V0 cuts long contexts into chunks
    if (version == "0.6.4")
        QCOMPARE(resolve(plan).settings.maxNumBatchedTokens, std::int64_t(2048));
}

void TestEngines::capturedSizesAreThoseOfTheLogs_data()
{
    QTest::addColumn<QByteArray>("version");
    QTest::addColumn<int>("sequences");
    QTest::addColumn<int>("drafted");
    QTest::addColumn<int>("sizes");
    const auto row = [](const char *version, int sequences, int drafted, int sizes) {
        QTest::addRow("%s, %d sequences, %d drafted", version, sequences, drafted)
            << QByteArray(version) << sequences << drafted << sizes;
    };
    row("0.22.0", 1024, 0, 51);
    row("0.10.0", 1024, 0, 67); // "67 sizes" in a log of V1
    row("0.7.3", 256, 0, 35);
    row("0.22.0", 1, 0, 2);
    row("0.22.0", 8, 0, 5);   // 1, 2, 4, 8, 16
    row("0.22.0", 16, 2, 15); // up to 96
    row("0.22.0", 128, 0, 35);
}

void TestEngines::capturedSizesAreThoseOfTheLogs()
{
    QFETCH(QByteArray, version);
    QFETCH(int, sequences);
    QFETCH(int, drafted);
    QFETCH(int, sizes);
    Plan plan = vllm("llama-3.1-8b", "h100-sxm-80gb", version.constData());
    plan.inference.maxNumSeqs = sequences;
    if (drafted > 0) {
        plan.inference.speculative.method = SpeculativeMethod::Ngram;
        plan.inference.speculative.tokens = drafted;
    }
    QCOMPARE(capturedSizes(resolve(plan).settings).count, std::int64_t(sizes));
    plan.model.preset = "gpt-oss-20b"; // up to 1,024 tokens: 83 in a log of 0.19
    plan.inference.engineVersion = "0.19.0";
    plan.inference.maxNumSeqs = 1024;
    plan.inference.speculative.method.reset();
    QCOMPARE(capturedSizes(resolve(plan).settings).count, std::int64_t(83));
}

void TestEngines::graphsAreThoseOfTheLogs_data()
{
    QTest::addColumn<QByteArray>("model");
    QTest::addColumn<QByteArray>("version");
    QTest::addColumn<QByteArray>("gpu");
    QTest::addColumn<int>("tensor");
    QTest::addColumn<int>("sequences");
    QTest::addColumn<int>("pieces");
    QTest::addColumn<int>("whole");
    QTest::addColumn<double>("gib");
    const auto row = [](const char *model, const char *version, const char *gpu, int tensor,
                        int sequences, int pieces, int whole, double gib) {
        QTest::addRow("%s, %s, %d ranks", model, version, tensor)
            << QByteArray(model) << QByteArray(version) << QByteArray(gpu) << tensor << sequences
            << pieces << whole << gib;
    };
    row("llama-3.1-8b", "0.19.0", "h100-sxm-80gb", 1, 1024, 51, 51, 0.91);
    row("llama-3.1-8b", "0.19.0", "h100-sxm-80gb", 4, 1024, 51, 51, 0.67);
    row("llama-3.1-8b", "0.16.0", "l40s-48gb", 1, 256, 51, 35, 0.55);
    row("llama-3.1-8b", "0.10.1", "l40s-48gb", 1, 256, 67, 0, 0.52);
    row("qwen3-30b-a3b", "0.19.0", "h100-sxm-80gb", 1, 1024, 51, 51, 1.41);
    row("deepseek-v2-lite", "0.19.0", "h100-sxm-80gb", 1, 1024, 51, 51, 1.57);
    row("llama-3.1-8b", "0.7.3", "l40s-48gb", 1, 256, 0, 35, 0.32); // V0 captures no pieces
}

void TestEngines::graphsAreThoseOfTheLogs()
{
    QFETCH(QByteArray, model);
    QFETCH(QByteArray, version);
    QFETCH(QByteArray, gpu);
    QFETCH(int, tensor);
    QFETCH(int, sequences);
    QFETCH(int, pieces);
    QFETCH(int, whole);
    QFETCH(double, gib);
    Plan plan = vllm(model.constData(), gpu.constData(), version.constData());
    plan.hardware.gpus = plan.parallel.tensor = tensor;
    plan.inference.maxNumSeqs = sequences;
    plan.inference.maxNumBatchedTokens = 8192;
    const Settings settings = resolve(plan).settings;
    const VllmGraphs graphs = vllmGraphs(settings);
    QCOMPARE(graphs.pieces, std::int64_t(pieces));
    QCOMPARE(graphs.whole, std::int64_t(whole));
    QCOMPARE(graphs.bytes(), settings.cudaGraphBytes);
    QVERIFY(std::abs(double(graphs.bytes()) / double(kGiB) / gib - 1) < 0.12);
}

// A cache in 8 bits takes FlashInfer and its workspace of 394 MiB, but on Hopper.
void TestEngines::aCacheIn8BitsBringsTheWorkspaceOfItsKernels()
{
    const auto graphs = [](const char *gpu, double bytes) {
        Plan plan = vllm("qwen2.5-14b", gpu, "0.19.0");
        plan.inference.kvBytesPerElement = bytes;
        return resolve(plan).settings.cudaGraphBytes;
    };
    QCOMPARE(graphs("l40s-48gb", 1) - graphs("l40s-48gb", 2), 394 * kMiB);
    QCOMPARE(graphs("h100-sxm-80gb", 1), graphs("h100-sxm-80gb", 2));
}

void TestEngines::thePrintedSizeOfAHybridCacheFollowsTheRelease()
{
    Plan plan = vllm("gpt-oss-20b", "h100-sxm-80gb", "0.19.0");
    plan.inference.maxModelLen = 32768;
    const auto figures = [&](const char *version) {
        plan.inference.engineVersion = version;
        return *estimate(plan).inference;
    };
    const InferenceFigures before = figures("0.19.0");
    QCOMPARE(before.printedTokens, before.kvBlocks / 2 * 16); // two groups of layers
    const InferenceFigures after = figures("0.22.0");
    QCOMPARE(after.printedTokens, std::int64_t(after.maxConcurrency * 32768));
    QVERIFY(after.printedTokens > before.printedTokens * 3 / 2);
    plan.model.preset = "llama-3.1-8b"; // where layers are alike the words mean the same
    plan.inference.kvCacheMemoryBytes = 16 * kGiB;
    QCOMPARE(figures("0.19.0").printedTokens, figures("0.22.0").printedTokens);
}

void TestEngines::aShareThatIsNotFreeAtTheStartIsRefused()
{
    Plan plan = vllm("llama-3.1-8b", "rtx-4090", "0.22.0");
    constexpr const char *kField = "inference.gpu_memory_utilization";
    plan.inference.maxModelLen = 4096;
    plan.inference.gpuMemoryUtilization = 0.99;
    const Estimate refused = estimate(plan);
    QVERIFY(saysOf(refused, kField, "is less than desired GPU memory utilization"));
    QCOMPARE(refused.fits, std::optional(false));
    plan.inference.gpuMemoryUtilization = 0.95;
    QVERIFY(!saysOf(estimate(plan), kField, "free"));
    plan.inference.engineVersion = "0.7.3"; // which did not ask
    plan.inference.gpuMemoryUtilization = 0.99;
    QVERIFY(!saysOf(estimate(plan), kField, "free"));
}

void TestEngines::versionsThatAreNoneAreRefusedAndUnknownOnesSaid()
{
    constexpr const char *kField = "inference.engine_version";
    const Estimate none = estimate(vllm("llama-3.1-8b", "rtx-4090", "nightly"));
    QVERIFY(!none.computed);
    QVERIFY(saysOf(none, kField, "\"nightly\" is no release"));
    const Estimate newer = estimate(vllm("llama-3.1-8b", "h100-sxm-80gb", "9.0"));
    QVERIFY(newer.computed && saysOf(newer, kField, "Newer than 0.33.0"));
    const Estimate older = estimate(vllm("llama-3.1-8b", "h100-sxm-80gb", "0.2.1"));
    QVERIFY(older.computed && saysOf(older, kField, "Older than the oldest release"));
    Plan other = served(Engine::Hf, "llama-3.1-8b", "h100-sxm-80gb");
    other.inference.engineVersion = "0.21.0";
    QVERIFY(saysOf(estimate(other), kField, "Without effect"));
}

void TestEngines::slotsForAdaptersAreThoseOfEveryMatrix()
{
    Plan plan = vllm("llama-3.1-8b", "h100-sxm-80gb", "0.22.0");
    const Bytes weights = estimate(plan).inference->weights;
    plan.inference.maxLoras = 1;
    // q, k, v; o; gate, up; down: the widths in and out of a block's matrices.
    const Bytes block = 3 * 4096 + 4096 + 2 * 1024 + 2 * 4096 + 2 * (4096 + 14336) + 14336 + 4096;
    const Bytes ends = 2 * (128256 + 4096); // embedding and head, whole on every rank
    const Estimate one = estimate(plan);
    QCOMPARE(bytesOf(one, "Adapter slots"), 2 * 16 * (32 * block + ends));
    QCOMPARE(one.inference->weights - weights, 2 * 16 * (32 * block + ends));
    plan.inference.maxLoras = 4;
    plan.inference.maxLoraRank = 64;
    QCOMPARE(bytesOf(estimate(plan), "Adapter slots"), 16 * 2 * 16 * (32 * block + ends));
    plan.hardware.gpus = plan.parallel.tensor = 2; // one factor of each is whole on every rank
    const Bytes half = 3 * 4096 + 2048 + 1024 + 2048 + 4096 + 2 * 4096 + 14336 + 7168 + 4096;
    QCOMPARE(bytesOf(estimate(plan), "Adapter slots"), 16 * 2 * 16 * (32 * half + ends));
}

// server_args.py: the table of automatic values.
void TestEngines::sglangChoosesByTheMemoryOfTheGpu_data()
{
    QTest::addColumn<qint64>("mebibytes");
    QTest::addColumn<int>("tensor");
    QTest::addColumn<int>("chunk");
    QTest::addColumn<int>("graphBatch");
    QTest::addColumn<double>("fraction");
    const auto row = [](qint64 mebibytes, int tensor, int chunk, int batch, double fraction) {
        QTest::addRow("%lld MiB, tp %d", static_cast<long long>(mebibytes), tensor)
            << mebibytes << tensor << chunk << batch << fraction;
    };
    // reserve: 512 + 1.5 · 2048 + tp / 8 · 1024 + 2 · batch + 8 · sizes, in MiB; sizes of prefill
    // up to 2048, 4096, 8192 and 16384 tokens: 42, 50, 58 and 74.
    const auto of = [](double memory, double reserved) {
        return std::round((memory - reserved) / memory * 1000) / 1000;
    };
    row(16376, 1, 2048, 8, of(16376, 512 + 3072 + 128 + 16 + 8 * 42));
    row(24564, 1, 2048, 24, of(24564, 512 + 3072 + 128 + 48 + 8 * 42));
    row(24564, 4, 2048, 80, of(24564, 512 + 3072 + 512 + 160 + 8 * 42));
    row(46068, 1, 4096, 32, of(46068, 512 + 6144 + 128 + 64 + 8 * 50));
    row(46068, 8, 4096, 160, of(46068, 512 + 6144 + 1024 + 320 + 8 * 50));
    row(81559, 1, 8192, 256, of(81559, 512 + 12288 + 128 + 512 + 8 * 58));
    row(81559, 8, 8192, 512, of(81559, 512 + 12288 + 1024 + 1024 + 8 * 58));
    row(143771, 2, 8192, 256, of(143771, 512 + 12288 + 256 + 512 + 8 * 58));
    row(183359, 1, 16384, 512, of(183359, 512 + 24576 + 128 + 1024 + 8 * 74));
}

// server_args.py of the releases named, in MiB.
void TestEngines::sglangsDefaultFractionFollowsTheRelease_data()
{
    QTest::addColumn<QByteArray>("version");
    QTest::addColumn<QByteArray>("model");
    QTest::addColumn<qint64>("mebibytes");
    QTest::addColumn<int>("tensor");
    QTest::addColumn<double>("fraction");
    const auto row = [](const char *name, const char *version, const char *model, qint64 mebibytes,
                        int tensor, double fraction) {
        QTest::newRow(name) << QByteArray(version) << QByteArray(model) << mebibytes << tensor
                            << fraction;
    };
    const auto of = [](double memory, double reserved) {
        return std::round((memory - reserved) / memory * 1000) / 1000;
    };
    const char *const text = "llama-3.1-8b";
    row("ranks", "0.4.4", text, 143771, 1, 0.88);
    row("ranks up to 80 GiB", "0.4.7", text, 81559, 4, 0.85);
    row("18 GiB stay free", "0.4.7", text, 143771, 1, (143771.0 - 18 * 1024) / 143771);
    row("table", "0.4.9", text, 81559, 2, of(81559, 10.5 * 1024));
    row("table, large", "0.5.2", text, 183359, 1, of(183359, 32.0 * 1024));
    row("table, small", "0.5.2", text, 24564, 1, of(24564, 2.9 * 1024));
    row("sum", "0.5.4", text, 143771, 8, of(143771, 512 + 12288 + 1024 + 1024));
    row("latent attention", "0.5.10", "deepseek-v3", 143771, 8,
        of(143771, 512 + 12288 + 1024 + 1024 + 1536));
    row("sees, 0.4.4", "0.4.4", "gemma-3-4b", 143771, 1, 0.88 * 0.95); // a log has 0.836
    row("sees, 0.4.9", "0.4.9", "gemma-3-4b", 143771, 1, of(143771, 12.5 * 1024) * 0.9);
    // SigLIP: 27 layers of 1152.
    const double siglip = 27.0 * 1152 * 1152 / (24.0 * 1024 * 1024);
    row("sees, 0.5.4", "0.5.4", "gemma-3-4b", 143771, 1,
        of(143771, 512 + 12288 + 128 + 512) * 0.95 * (1 - 0.1 * (siglip - 1)));
}

void TestEngines::sglangsDefaultFractionFollowsTheRelease()
{
    QFETCH(QByteArray, version);
    QFETCH(QByteArray, model);
    QFETCH(qint64, mebibytes);
    QFETCH(int, tensor);
    QFETCH(double, fraction);
    Plan plan = served(Engine::Sglang, model.constData(), "h100-sxm-80gb", tensor);
    plan.hardware.capacity = mebibytes * kMiB;
    plan.inference.engineVersion = version.toStdString();
    QCOMPARE(resolve(plan).settings.sglang.memFractionStatic, fraction);
}

void TestEngines::sglangChoosesByTheMemoryOfTheGpu()
{
    QFETCH(qint64, mebibytes);
    QFETCH(int, tensor);
    QFETCH(int, chunk);
    QFETCH(int, graphBatch);
    QFETCH(double, fraction);
    Plan plan = served(Engine::Sglang, "llama-3.1-8b", "h100-sxm-80gb", tensor);
    plan.hardware.capacity = mebibytes * kMiB;
    const Settings settings = resolve(plan).settings;
    QCOMPARE(settings.sglang.chunkedPrefillSize, std::int64_t(chunk));
    QCOMPARE(settings.sglang.cudaGraphMaxBs, std::int64_t(graphBatch));
    QCOMPARE(settings.sglang.memFractionStatic, fraction);
    plan.inference.engineVersion = "0.4.3"; // by the ranks alone
    const double old = tensor == 1 ? 0.88 : tensor == 2 ? 0.87 : tensor == 4 ? 0.85 : 0.81;
    QCOMPARE(resolve(plan).settings.sglang.memFractionStatic, old);
}

// Figures that SGLang printed: tokens and the sizes of its pools.
void TestEngines::sglangsPoolsAreThoseOfItsLogs_data()
{
    QTest::addColumn<QByteArray>("preset");
    QTest::addColumn<QByteArray>("gpu");
    QTest::addColumn<int>("tensor");
    QTest::addColumn<QByteArray>("version");
    QTest::addColumn<qint64>("tokens");
    QTest::addColumn<int>("page");
    QTest::addColumn<double>("gib"); // keys and values together
    QTest::newRow("Gemma 3 4B on an H200, 0.4.4")
        << QByteArray("gemma-3-4b") << QByteArray("h200-sxm-141gb") << 1 << QByteArray("0.4.4")
        << qint64(834'615) << 1 << 2 * 54.12;
    QTest::newRow("Llama 3 70B over 8 H200, 0.5.4")
        << QByteArray("llama-3.1-70b") << QByteArray("h200-sxm-141gb") << 8 << QByteArray("0.5.4")
        << qint64(2'795'207) << 1 << 2 * 53.31;
    QTest::newRow("Qwen3 235B over 4 H100, 0.4.9")
        << QByteArray("qwen3-235b-a22b") << QByteArray("h100-sxm-80gb") << 4 << QByteArray("0.4.9")
        << qint64(367'404) << 1 << 2 * 8.23;
}

void TestEngines::sglangsPoolsAreThoseOfItsLogs()
{
    QFETCH(QByteArray, preset);
    QFETCH(QByteArray, gpu);
    QFETCH(int, tensor);
    QFETCH(QByteArray, version);
    QFETCH(qint64, tokens);
    QFETCH(int, page);
    QFETCH(double, gib);
    Plan plan = served(Engine::Sglang, preset.constData(), gpu.constData(), tensor);
    plan.model.textOnly = true;
    plan.inference.weightFormat =
        preset.startsWith("qwen3-235b") ? WeightFormat::Fp8 : WeightFormat::Bf16;
    plan.inference.engineVersion = version.toStdString();
    plan.inference.sglang.memFractionStatic = 0.97;
    plan.inference.sglang.maxTotalTokens = tokens;
    plan.inference.sglang.pageSize = page;
    const Estimate result = estimate(plan);
    QVERIFY2(result.computed, whyNotComputed(result).c_str());
    QCOMPARE(result.inference->kvTokens, std::int64_t(tokens));
    QVERIFY(std::abs(double(bytesOf(result, "Key-value cache")) / double(kGiB) - gib) < 0.011);
}

// MiMo-V2-Flash over 4 GPUs, 0.5.8: "full_layer_tokens=375360, swa_layer_tokens=300288", then a
// pool of 300,288 tokens with K of 8.38 and V of 5.59 GiB.
void TestEngines::layersWithAWindowHaveAPoolOfTheirOwn()
{
    Plan plan = served(Engine::Sglang, "mimo-v2-flash", "h200-sxm-141gb", 4);
    plan.inference.weightFormat = WeightFormat::Fp8;
    plan.inference.engineVersion = "0.5.8";
    plan.inference.sglang.memFractionStatic = 0.9;
    plan.inference.sglang.maxTotalTokens = 375'360;
    plan.inference.sglang.pageSize = 64;
    const Estimate result = estimate(plan);
    QVERIFY2(result.computed, whyNotComputed(result).c_str());
    QCOMPARE(result.inference->kvTokens, std::int64_t(375'360));
    const double gib = double(bytesOf(result, "Cache of windowed layers")) / double(kGiB);
    QVERIFY2(std::abs(gib - 8.38 - 5.59) < 0.011, qPrintable(QString::number(gib)));
    QCOMPARE(bytesOf(result, "Cache of windowed layers") % 300'288, Bytes(0));
    plan.inference.engineVersion = "0.4.4"; // all layers in one pool
    QCOMPARE(bytesOf(estimate(plan), "Cache of windowed layers"), Bytes(0));
}

void TestEngines::sglangsFractionIsOfWhatIsFreeAtTheStart()
{
    Plan plan = served(Engine::Sglang, "llama-3.1-8b", "h100-sxm-80gb");
    plan.inference.sglang.memFractionStatic = 0.8;
    plan.inference.sglang.pageSize = 64;
    const Estimate result = estimate(plan);
    QVERIFY(result.computed);
    const InferenceFigures &figures = *result.inference;
    const Settings &s = *result.settings;
    const Bytes free = s.capacity - s.contextBytes - s.ncclBytes;
    const Bytes rest = static_cast<Bytes>(0.8 * static_cast<double>(free)) - figures.weights;
    QCOMPARE(figures.kvTokens, rest / 131072 / 64 * 64);
    QCOMPARE(figures.kvCache, figures.kvTokens * 131072);
    QCOMPARE(figures.kvBlocks, figures.kvTokens / 64);
    QCOMPARE(figures.maxContext, figures.kvTokens);
    // Most requests: as many as an estimate says, and no more than half the tokens.
    QCOMPARE(bytesOf(result, "Table of requests"), Bytes(4) * 2048 * (s.maxModelLen + 4));
    plan.inference.sglang.maxRunningRequests = 8;
    plan.inference.meanSequenceLength = 100;
    QCOMPARE(estimate(plan).inference->maxConcurrency, 8.0);
    plan.inference.concurrentSequences = 9;
    const Estimate waiting = estimate(plan);
    QCOMPARE(waiting.fits, std::optional(false));
    QVERIFY(saysOf(waiting, "inference.concurrent_sequences", "the rest waits"));
    plan.hardware.gpu.reset();
    QVERIFY(!estimate(plan).computed);
}

void TestEngines::sglangsTwoWaysOutOfMemoryHaveOppositeCures()
{
    constexpr const char *kField = "inference.sglang.mem_fraction_static";
    Plan plan = served(Engine::Sglang, "llama-3.1-8b", "rtx-4090");
    plan.inference.meanSequenceLength = 4096;
    const Estimate usual = estimate(plan);
    QVERIFY(usual.fits.value_or(false));
    QVERIFY(!saysOf(usual, kField, ""));
    plan.inference.sglang.memFractionStatic = 0.6; // 14.4 GiB for weights of 15
    const Estimate little = estimate(plan);
    QCOMPARE(little.fits, std::optional(false));
    QVERIFY(saysOf(little, kField, "Raise it"));
    plan.inference.sglang.memFractionStatic = 0.98;
    const Estimate much = estimate(plan);
    QCOMPARE(much.fits, std::optional(false));
    QVERIFY(saysOf(much, kField, "Lower it, chunked_prefill_size or cuda_graph_max_bs"));
    QVERIFY(!saysOf(much, kField, "Raise it"));
}

void TestEngines::statesAreCutOffBeforeTheCache()
{
    Plan plan = served(Engine::Sglang, "qwen3-next-80b-a3b", "h100-sxm-80gb", 4);
    plan.inference.maxModelLen = 32768;
    const auto states = [&](double ratio) {
        plan.inference.sglang.mambaFullMemoryRatio = ratio;
        const Estimate result = estimate(plan);
        return std::pair(bytesOf(result, "Recurrent states"), bytesOf(result, "Key-value cache"));
    };
    const auto [even, rest] = states(1);
    QVERIFY(even > 0 && std::abs(double(even) / double(rest) - 1) < 0.01);
    const auto [less, more] = states(0.25);
    QVERIFY(std::abs(double(less) / double(more) - 0.25) < 0.01);
}

void TestEngines::tensorRtTakesItsPartOfWhatIsLeft()
{
    Plan plan = served(Engine::TrtLlm, "llama-3.1-8b", "h100-sxm-80gb");
    plan.inference.trtLlm.freeGpuMemoryFraction = 0.8;
    const Estimate result = estimate(plan);
    QVERIFY(result.computed && result.fits.value_or(false));
    const InferenceFigures &figures = *result.inference;
    const Settings &s = *result.settings;
    QCOMPARE(s.maxNumSeqs, std::int64_t(2048));
    const Bytes left = s.capacity - s.contextBytes - figures.weights - figures.activationPeak;
    QCOMPARE(figures.kvTokens, static_cast<Bytes>(0.8 * static_cast<double>(left)) / 131072);
    plan.hardware.gpu = "rtx-3060-12gb";
    const Estimate none = estimate(plan);
    QCOMPARE(none.fits, std::optional(false));
    QVERIFY(saysOf(none, "inference.trtllm.free_gpu_memory_fraction", "does not start"));
}

VRAMSCOPE_TEST(TestEngines)
#include "tst_engines.moc"
