// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/exchange/export.h"
#include "core/exchange/import.h"
#include "core/plan/plan.h"
#include "tests/support/test.h"

using namespace vramscope;
using namespace Qt::StringLiterals;

// Adapters in the files of other tools: slots of serving engines, modules of trainers.
class TestImportAdapters : public test::Test
{
    Q_OBJECT

private slots:
    void slotsOfVllmAreReadAndWritten();
    void slotsOfSglangAreRead();
    void modulesOfMixersAreTheirs_data();
    void modulesOfMixersAreTheirs();
    void doraIsReadAndWritten();
};

void TestImportAdapters::slotsOfVllmAreReadAndWritten()
{
    const auto read = importInto(
        {},
        "vllm serve meta-llama/Llama-3.1-8B -tp 2 --enable-lora --max-loras 8 --max-lora-rank 64 "
        "--fully-sharded-loras --max-cpu-loras 32 --lora-target-modules qkv_proj o_proj");
    QVERIFY(read.ok());
    const PlanInference &it = read->plan.inference;
    QCOMPARE(it.maxLoras, 8);
    QCOMPARE(it.maxLoraRank, 64);
    QCOMPARE(it.fullyShardedLoras, true);
    QCOMPARE(it.loraTargets, (TextList{"q", "k", "v", "o"}));
    const auto written = exportPlan(read->plan, ExportFormat::Vllm);
    QVERIFY(written.ok());
    const QString line = QString::fromStdString(written->text).simplified();
    for (const QString &option :
         {u"--enable-lora"_s, u"--max-loras 8"_s, u"--max-lora-rank 64"_s,
          u"--fully-sharded-loras"_s, u"--lora-target-modules q_proj k_proj v_proj o_proj"_s})
        QVERIFY2(line.contains(option), qPrintable(line));
    const auto again = importInto({}, written->text);
    QVERIFY(again.ok());
    QCOMPARE(again->plan.inference.loraTargets, it.loraTargets);
}

void TestImportAdapters::slotsOfSglangAreRead()
{
    const std::string line = "python -m sglang.launch_server --model-path meta-llama/Llama-3.1-8B ";
    const auto read = importInto({}, line + "--lora-paths a=x/a b=x/b --max-loras-per-batch 4 "
                                            "--max-lora-rank 32 --lora-target-modules all");
    QVERIFY(read.ok());
    const PlanInference &it = read->plan.inference;
    QCOMPARE(it.maxLoras, 4);
    QCOMPARE(it.maxLoraRank, 32);
    QCOMPARE(it.loraTargets->size(), std::size_t(9));
    QCOMPARE(importInto({}, line + "--enable-lora")->plan.inference.maxLoras, 8);
    QVERIFY(!importInto({}, line)->plan.inference.maxLoras);
}

void TestImportAdapters::modulesOfMixersAreTheirs_data()
{
    QTest::addColumn<QString>("model");
    QTest::addColumn<QString>("modules");
    QTest::addColumn<QStringList>("targets");
    const auto row = [](const QString &model, const QString &modules, const QStringList &targets) {
        QTest::newRow(qPrintable(model + u' ' + modules)) << model << modules << targets;
    };
    row(u"openai-community/gpt2"_s, u"out_proj"_s, {u"o"_s});
    row(u"Qwen/Qwen3-Next-80B-A3B-Instruct"_s, u"in_proj_qkvz, in_proj_ba, out_proj, o_proj"_s,
        {u"in_proj"_s, u"out_proj"_s, u"o"_s});
    row(u"LiquidAI/LFM2-1.2B"_s, u"in_proj, out_proj"_s, {u"in_proj"_s, u"o"_s, u"out_proj"_s});
}

void TestImportAdapters::modulesOfMixersAreTheirs()
{
    QFETCH(QString, model);
    QFETCH(QString, modules);
    QFETCH(QStringList, targets);
    const auto read = importInto(
        {}, (u"base_model: "_s + model +
             u"\nlearning_rate: 2e-5\nadapter: lora\nlora_r: 8\nlora_target_modules: ["_s +
             modules + u"]\n"_s)
                .toStdString());
    QVERIFY(read.ok());
    QVERIFY(read->plan.adapters.targets);
    QStringList names;
    for (const std::string &name : *read->plan.adapters.targets)
        names << QString::fromStdString(name);
    QCOMPARE(names, targets);
}

void TestImportAdapters::doraIsReadAndWritten()
{
    const auto read = importInto({}, "base_model: meta-llama/Llama-3.1-8B\nlearning_rate: 2e-5\n"
                                     "adapter: lora\nlora_r: 8\nlora_target_linear: true\n"
                                     "peft_use_dora: true\n");
    QVERIFY(read.ok());
    QCOMPARE(read->plan.adapters.dora, true);
    const auto written = exportPlan(read->plan, ExportFormat::LlamaFactory);
    QVERIFY(written.ok());
    QVERIFY(written->text.find("use_dora: true") != std::string::npos);
}

VRAMSCOPE_TEST(TestImportAdapters)
#include "tst_import_adapters.moc"
