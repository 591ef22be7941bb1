// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/ask/asked.h"
#include "core/estimate/estimate.h"
#include "tests/support/test.h"

using namespace vramscope;
using namespace Qt::StringLiterals;

// Words of adapters: slots while a model is served, DoRA and experts while it is trained.
class TestAskedAdapters : public test::Test
{
    Q_OBJECT

private slots:
    void servedAdaptersAreSlots_data();
    void servedAdaptersAreSlots();
    void doraIsNotLora();
    void adaptersOfExpertsAreRefusedByName();
};

void TestAskedAdapters::servedAdaptersAreSlots_data()
{
    QTest::addColumn<QString>("sentence");
    QTest::addColumn<int>("count");
    QTest::addColumn<int>("rank");
    const auto row = [](const QString &sentence, int count, int rank) {
        QTest::newRow(qPrintable(sentence)) << sentence << count << rank;
    };
    row(u"serve llama-3.1-8b with 8 loras rank 64 on l40s vllm"_s, 8, 64);
    row(u"serve llama-3.1-8b with loras on l40s vllm"_s, 1, 0);
    row(u"vllm serve llama-3.1-8b lora rank 32 on an h100"_s, 1, 32);
    row(u"multi-lora llama-3.1-8b vllm max loras 4 max lora rank 16 on l40s"_s, 4, 16);
}

void TestAskedAdapters::servedAdaptersAreSlots()
{
    QFETCH(QString, sentence);
    QFETCH(int, count);
    QFETCH(int, rank);
    const Asked asked = understand(sentence.toStdString());
    QVERIFY(asked.understood());
    const Plan &plan = *asked.plan;
    QVERIFY(plan.workload == Workload::Inference);
    QCOMPARE(plan.inference.maxLoras.value_or(0), count);
    QCOMPARE(plan.inference.maxLoraRank.value_or(0), rank);
    QVERIFY(plan.adapters.kind.value_or(AdapterKind::None) == AdapterKind::None);
    QVERIFY(estimate(plan).computed);
}

void TestAskedAdapters::doraIsNotLora()
{
    const auto bytes = [](const char *sentence) {
        const Asked asked = understand(sentence);
        const Estimate answer = asked.plan ? estimate(*asked.plan) : Estimate();
        return answer.computed ? answer.peakAllocated : 0;
    };
    const Asked asked = understand("llama-3.1-8b dora rank 16 on 4090");
    QVERIFY(asked.plan && asked.plan->adapters.dora == true);
    QVERIFY(bytes("llama-3.1-8b dora rank 16 on 4090") >
            bytes("llama-3.1-8b lora rank 16 on 4090"));
    QVERIFY(bytes("llama-3.1-8b qdora rank 16 on 4090") > 0);
    QVERIFY(!understand("flux.1-dev dora rank 16 on 4090").understood());
}

void TestAskedAdapters::adaptersOfExpertsAreRefusedByName()
{
    const Asked asked = understand("qwen3-30b-a3b lora on experts on h100");
    QVERIFY(asked.plan && asked.plan->adapters.targets);
    const Estimate answer = estimate(*asked.plan);
    QVERIFY(!answer.computed);
}

VRAMSCOPE_TEST(TestAskedAdapters)
#include "tst_asked_adapters.moc"
