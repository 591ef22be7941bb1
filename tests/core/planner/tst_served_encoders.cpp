// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/csv.h"
#include "core/base/format.h"
#include "core/estimate/estimate.h"
#include "core/plan/field.h"
#include "core/plan/plan.h"
#include "core/settings/settings.h"
#include "core/solver/engine_share.h"
#include "core/solver/ways_to_fit.h"
#include "tests/support/test.h"

#include <QFile>

#include <algorithm>
#include <cmath>

using namespace vramscope;
using namespace Qt::StringLiterals;

namespace {

Plan served(Engine engine)
{
    Plan plan;
    plan.workload = Workload::Inference;
    plan.model.preset = "bge-m3";
    plan.hardware.gpu = "l4-24gb";
    plan.hardware.gpus = 1;
    plan.inference.engine = engine;
    return plan;
}

} // namespace

class TestServedEncoders : public test::Test
{
    Q_OBJECT

private slots:
    void passesAreThoseOfTransformers();
    void vllmKeepsNoCache();
    void aBatchOfVllmHoldsTheLongestText();
    void graphsOfPiecesAloneAreCaptured();
    void whatWasNotReadIsRefused_data();
    void whatWasNotReadIsRefused();
    void aPassDecidesHowManyTextsFit();
    void noShareIsAskedFor();
    void textsAreReadWhole();
};

/// tests/measure/record_encoders.py: peaks above the weights.
void TestServedEncoders::passesAreThoseOfTransformers()
{
    QFile file(test::projectFile(u"tests/data/encoder_passes.csv"_s));
    QVERIFY(file.open(QIODevice::ReadOnly));
    const auto table = parseCsv(file.readAll().toStdString());
    QVERIFY(table.ok());
    QVERIFY(table->rows.size() > 90);
    for (const CsvRow &line : table->rows) {
        const auto &row = line.cells;
        Plan plan = served(Engine::Hf);
        plan.model = {};
        plan.model.config = row[6];
        plan.hardware.gpu = "h200-sxm-141gb";
        plan.inference.weightFormat = row[1] == "fp32"   ? WeightFormat::Fp32
                                      : row[1] == "fp16" ? WeightFormat::Fp16
                                                         : WeightFormat::Bf16;
        plan.inference.concurrentSequences = std::stoll(row[3]);
        plan.inference.meanSequenceLength = std::stoll(row[4]);
        const Estimate it = estimate(plan);
        QVERIFY2(it.computed, whyNotComputed(it).c_str());
        const auto recorded = std::stod(row[5]);
        const auto pass = static_cast<double>(it.inference->activationPeak);
        QVERIFY2(std::abs(pass / recorded - 1) < 0.001,
                 qPrintable(u"%1: %2 of %3"_s.arg(row[0].c_str()).arg(pass).arg(recorded)));
    }
}

void TestServedEncoders::vllmKeepsNoCache()
{
    const Estimate it = estimate(served(Engine::Vllm));
    QVERIFY2(it.computed, whyNotComputed(it).c_str());
    QCOMPARE(it.inference->kvCache, 0);
    QCOMPARE(it.inference->kvBytesPerToken, 0);
    QVERIFY(!it.inference->keepsCache());
    QVERIFY(it.fits && *it.fits);
    QVERIFY(it.peakDevice < 3 * kGiB); // nothing fills the share of the GPU
    QCOMPARE(it.work.tokens, 0.0);     // it decodes nothing

    Plan decoder = served(Engine::Vllm);
    decoder.model.preset = "qwen3-embedding-0.6b";
    QVERIFY(estimate(decoder).inference->kvCache > 10 * kGiB);
}

void TestServedEncoders::aBatchOfVllmHoldsTheLongestText()
{
    Plan plan = served(Engine::Vllm);
    QCOMPARE(resolve(plan).settings.maxNumBatchedTokens, 8194); // longer than the usual 2,048
    plan.inference.maxModelLen = 512;
    QCOMPARE(resolve(plan).settings.maxNumBatchedTokens, 2048);
    plan.inference.maxNumBatchedTokens = 4096;
    QCOMPARE(estimate(plan).inference->activationPeak,
             Bytes(4) * (4096 + 1024) * 4096 + resolve(plan).settings.cublasWorkspaceBytes);
}

void TestServedEncoders::graphsOfPiecesAloneAreCaptured()
{
    Plan plan = served(Engine::Vllm);
    const Bytes encoder = resolve(plan).settings.cudaGraphBytes;
    plan.model.preset = "qwen3-embedding-0.6b";
    QVERIFY(encoder > 0);
    QVERIFY(encoder < resolve(plan).settings.cudaGraphBytes);
}

void TestServedEncoders::whatWasNotReadIsRefused_data()
{
    QTest::addColumn<int>("engine");
    QTest::addColumn<QString>("version");
    QTest::addColumn<int>("pipeline");
    QTest::addRow("llama.cpp") << static_cast<int>(Engine::LlamaCpp) << QString() << 1;
    QTest::addRow("SGLang") << static_cast<int>(Engine::Sglang) << QString() << 1;
    QTest::addRow("TensorRT-LLM") << static_cast<int>(Engine::TrtLlm) << QString() << 1;
    QTest::addRow("vLLM of V0") << static_cast<int>(Engine::Vllm) << u"0.8.5"_s << 1;
    QTest::addRow("a pipeline") << static_cast<int>(Engine::Vllm) << QString() << 2;
}

void TestServedEncoders::whatWasNotReadIsRefused()
{
    QFETCH(int, engine);
    QFETCH(QString, version);
    QFETCH(int, pipeline);
    Plan plan = served(static_cast<Engine>(engine));
    if (!version.isEmpty())
        plan.inference.engineVersion = version.toStdString();
    plan.hardware.gpus = plan.parallel.pipeline = pipeline;
    const Estimate it = estimate(plan);
    QVERIFY(!it.computed);
    QVERIFY2(whyNotComputed(it).find("encoder") != std::string::npos, whyNotComputed(it).c_str());
}

void TestServedEncoders::aPassDecidesHowManyTextsFit()
{
    Plan plan = served(Engine::Hf);
    plan.inference.meanSequenceLength = 512;
    plan.inference.concurrentSequences = 1;
    const auto most = static_cast<std::int64_t>(estimate(plan).inference->maxConcurrency);
    QVERIFY(most > 100);
    plan.inference.concurrentSequences = most;
    QVERIFY(*estimate(plan).fits);
    plan.inference.concurrentSequences = most + most / 20;
    QVERIFY(!*estimate(plan).fits);
}

void TestServedEncoders::noShareIsAskedFor()
{
    const Field *share = findField("inference.gpu_memory_utilization");
    QVERIFY(share);
    QVERIFY(!engineShare(served(Engine::Vllm), *share).ok());
}

/// vllm/config/scheduler.py of 0.33 refuses a batch of fewer tokens than the longest text.
void TestServedEncoders::textsAreReadWhole()
{
    Plan plan = served(Engine::Vllm);
    plan.inference.maxNumBatchedTokens = 4096;
    QVERIFY(!estimate(plan).computed);
    QVERIFY(whyNotComputed(estimate(plan)).find("whole") != std::string::npos);
    plan.inference.maxModelLen = 4096;
    QVERIFY(estimate(plan).computed);
    const auto halves = [&plan] {
        return std::ranges::any_of(waysToFit(plan), [](const WayToFit &way) {
            return way.title.starts_with("Tokens a pass");
        });
    };
    QVERIFY(!halves());
    plan.inference.maxModelLen = 512;
    QVERIFY(halves());
}

VRAMSCOPE_TEST(TestServedEncoders)
#include "tst_served_encoders.moc"
