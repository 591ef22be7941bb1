// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/catalog/formats.h"
#include "core/estimate/estimate.h"
#include "core/estimate/formulas/llama_serving.h"
#include "core/llama_cpp/llama_mix.h"
#include "core/settings/settings.h"
#include "tests/support/measured_table.h"
#include "tests/support/test.h"

#include <algorithm>
#include <cmath>
#include <map>

using namespace vramscope;
using namespace Qt::StringLiterals;

/// Plans that name a mix of llama.cpp's against files of that mix.
class TestLlamaMix : public test::Test
{
    Q_OBJECT

private slots:
    void filesAreAsLargeAsPublished_data();
    void filesAreAsLargeAsPublished();
    void theTableHasTenModelsOfFiveFormats();
    void tensorsHaveTheTypesOfTheirMix_data();
    void tensorsHaveTheTypesOfTheirMix();
    void buffersOfAPlanAreThoseThatLogsPrint();
    void aTiedEmbeddingStandsOnTheDeviceToo();
    void devicesDivideLayersAndNoMatrices();
    void namesOfMixesAreFormatsOfPlans();
};

namespace {

Plan planOf(const std::string &model, std::string_view format, std::int64_t context = 8192)
{
    Plan plan;
    plan.workload = Workload::Inference;
    plan.model.preset = model;
    plan.inference.engine = Engine::LlamaCpp;
    plan.inference.maxModelLen = context;
    const auto &names = choiceTexts<WeightFormat>;
    plan.inference.weightFormat =
        static_cast<WeightFormat>(std::ranges::find(names, format) - names.begin());
    return plan;
}

LlamaModel fileOf(const std::string &model, std::string_view format)
{
    return llamaModelOf(resolve(planOf(model, format)).settings);
}

std::vector<test::TableRow> publishedFiles()
{
    return test::readTable(
        QStringLiteral(VRAMSCOPE_SOURCE_DIR "/tests/data/weight_files/mixes.csv"));
}

/// "Q4_K 3, Q6_K 1": the types of all tensors whose name ends so.
QString typesOf(const LlamaModel &model, const std::string &ending)
{
    std::map<std::string_view, int> counts;
    for (const LlamaTensor &each : model.tensors)
        if (each.stored.name.ends_with(ending))
            ++counts[each.stored.type.name];
    QStringList parts;
    for (const auto &[type, count] : counts)
        parts << QString::fromUtf8(type.data(), qsizetype(type.size())) + u' ' +
                     QString::number(count);
    return parts.join(u", "_s);
}

double inMib(Bytes bytes)
{
    return std::round(static_cast<double>(bytes) / 1048576 * 100) / 100;
}

InferenceFigures figuresOf(const Plan &plan)
{
    return *estimate(plan).inference;
}

} // namespace

void TestLlamaMix::filesAreAsLargeAsPublished_data()
{
    QTest::addColumn<QString>("model");
    QTest::addColumn<QString>("format");
    QTest::addColumn<double>("published");
    for (const test::TableRow &row : publishedFiles())
        QTest::addRow("%s %s", qPrintable(row.text("model")), qPrintable(row.text("format")))
            << row.text("model") << row.text("format") << row.text("bytes").toDouble();
}

/// The header of a file, mostly its vocabulary, is not among the tensors: up to 10 MB. Sizes are
/// published with three digits.
void TestLlamaMix::filesAreAsLargeAsPublished()
{
    QFETCH(QString, model);
    QFETCH(QString, format);
    QFETCH(double, published);
    double sum = 0;
    for (const LlamaTensor &each : fileOf(model.toStdString(), format.toStdString()).tensors)
        sum += static_cast<double>(each.stored.bytes);
    QVERIFY2(std::abs(sum / published - 1) < 0.01,
             qPrintable(u"%1 of %2 bytes"_s.arg(sum, 0, 'f', 0).arg(published, 0, 'f', 0)));
}

void TestLlamaMix::theTableHasTenModelsOfFiveFormats()
{
    std::map<QString, int> models;
    for (const test::TableRow &row : publishedFiles()) {
        ++models[row.text("model")];
        QVERIFY(!row.text("source").isEmpty());
    }
    QVERIFY(models.size() >= 10);
    QVERIFY(publishedFiles().size() >= 50);
}

void TestLlamaMix::tensorsHaveTheTypesOfTheirMix_data()
{
    QTest::addColumn<QString>("model");
    QTest::addColumn<QString>("format");
    QTest::addColumn<QString>("ending");
    QTest::addColumn<QString>("types");
    const auto row = [](const char *name, const char *model, const char *format, const char *ending,
                        const char *types) {
        QTest::newRow(name) << QString::fromLatin1(model) << QString::fromLatin1(format)
                            << QString::fromLatin1(ending) << QString::fromLatin1(types);
    };
    row("values", "llama-3.1-8b", "q4_k_m", "attn_v.weight", "Q4_K 16, Q6_K 16");
    row("values of the short name", "llama-3.1-8b", "q4_k", "attn_v.weight", "Q4_K 16, Q6_K 16");
    row("queries", "llama-3.1-8b", "q4_k_m", "attn_q.weight", "Q4_K 32");
    row("down", "llama-3.1-8b", "q4_k_s", "ffn_down.weight", "Q4_K 28, Q5_K 4");
    row("head", "llama-3.1-8b", "q4_k_m", "output.weight", "Q4_K 32, Q6_K 1");
    row("embedding", "llama-3.1-8b", "q4_k_m", "token_embd.weight", "Q4_K 1");
    row("tied embedding", "llama-3.2-3b", "q4_k_m", "token_embd.weight", "Q6_K 1");
    row("vectors", "llama-3.1-8b", "q8_0", "_norm.weight", "F32 33");
    row("values of 70B", "llama-3.1-70b", "q4_k_s", "attn_v.weight", "Q5_K 80");
    row("values beside eight experts", "mixtral-8x7b", "q4_k_m", "attn_v.weight", "Q8_0 32");
    row("routers", "mixtral-8x7b", "q4_k_m", "ffn_gate_inp.weight", "F32 32");
    row("rows of 2,880", "gpt-oss-20b", "q4_k_m", "attn_q.weight", "Q5_0 24");
    row("experts as published", "gpt-oss-20b", "mxfp4", "ffn_up_exps.weight", "MXFP4 24");
}

void TestLlamaMix::tensorsHaveTheTypesOfTheirMix()
{
    QFETCH(QString, model);
    QFETCH(QString, format);
    QFETCH(QString, ending);
    QFETCH(QString, types);
    QCOMPARE(typesOf(fileOf(model.toStdString(), format.toStdString()), ending.toStdString()),
             types);
}

/// "CUDA0 model buffer size = 4403.49 MiB", "KV buffer size = 1024.00 MiB", "compute buffer size =
/// 258.50 MiB" of Llama-3-8B Q4_K_M, -c 8192: many threads of ggml-org/llama.cpp.
void TestLlamaMix::buffersOfAPlanAreThoseThatLogsPrint()
{
    const InferenceFigures figures = figuresOf(planOf("llama-3-8b", "q4_k_m"));
    QCOMPARE(inMib(figures.weights), 4403.49);
    QCOMPARE(inMib(figures.kvCache), 1024.0);
    QCOMPARE(inMib(figures.activationPeak), 258.5);
}

/// "CPU_Mapped model buffer size = 308.23 MiB" of Llama 3.2 3B: the embedding is on the host, and
/// on the device once more as the head.
void TestLlamaMix::aTiedEmbeddingStandsOnTheDeviceToo()
{
    Bytes all = 0;
    for (const LlamaTensor &each : fileOf("llama-3.2-3b", "q4_k_m").tensors)
        all += each.stored.bytes;
    QCOMPARE(figuresOf(planOf("llama-3.2-3b", "q4_k_m")).weights, all);
}

void TestLlamaMix::devicesDivideLayersAndNoMatrices()
{
    Plan plan = planOf("llama-3.1-70b", "q4_k_m");
    const Bytes one = figuresOf(plan).weights;
    plan.hardware.gpus = 2;
    for (const bool isTensor : {true, false}) {
        plan.parallel.tensor = isTensor ? 2 : 1;
        plan.parallel.pipeline = isTensor ? 1 : 2;
        const InferenceFigures half = figuresOf(plan);
        // 81 layers with the output: 41 on the first, 39 and the output on the second.
        QVERIFY(half.weights > one * 49 / 100);
        QVERIFY(half.weights < one * 53 / 100);
        QVERIFY(half.kvCache == figuresOf(planOf("llama-3.1-70b", "q4_k_m")).kvCache * 41 / 80 ||
                half.kvCache == figuresOf(planOf("llama-3.1-70b", "q4_k_m")).kvCache * 39 / 80);
    }
}

void TestLlamaMix::namesOfMixesAreFormatsOfPlans()
{
    std::int64_t mixes = 0;
    for (const std::string_view name : choiceTexts<WeightFormat>) {
        if (!findWeightStorage(name)->gguf)
            continue;
        ++mixes;
        // What most matrices have says how many bits the mix is known for.
        const LlamaModel model = fileOf("llama-3.1-8b", name);
        const auto query = std::ranges::find_if(model.tensors, [](const LlamaTensor &each) {
            return each.stored.name == "blk.15.ffn_gate.weight";
        });
        const double bytes = static_cast<double>(query->stored.type.bits) / 8 /
                             static_cast<double>(query->stored.type.block);
        if (name != "mxfp4_moe" && name != "iq3_xs")
            QCOMPARE(bytes, findWeightStorage(name)->bytesPerElement());
    }
    QCOMPARE(mixes, std::int64_t(30));
}

VRAMSCOPE_TEST(TestLlamaMix)
#include "tst_llama_mix.moc"
