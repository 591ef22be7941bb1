// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/analysis/study/study.h"
#include "core/readers/read_trace.h"
#include "core/reconcile/recovered_plan.h"
#include "core/settings/settings.h"
#include "tests/core/reconcile/planned_recording.h"
#include "tests/support/test.h"

#include <algorithm>

using namespace vramscope;
using namespace vramscope::test;
using namespace Qt::StringLiterals;

namespace {

RecoveredPlan recovered(const std::shared_ptr<const Trace> &recording)
{
    const auto studies = studiesOf(recording);
    return planFromRecording(*studies[mainDevice(studies)]);
}

const RecoveredField *field(const RecoveredPlan &found, std::string_view subject)
{
    const auto at = std::ranges::find(found.fields, subject, &RecoveredField::subject);
    return at == found.fields.end() ? nullptr : &*at;
}

bool isDetermined(const RecoveredPlan &found, std::string_view subject)
{
    const RecoveredField *at = field(found, subject);
    return at && at->certainty == Certainty::Determined;
}

QString valueOf(const RecoveredPlan &found, std::string_view subject)
{
    const RecoveredField *at = field(found, subject);
    return at ? QString::fromStdString(at->value) : QString();
}

} // namespace

class TestRecoveredPlan : public Test
{
    Q_OBJECT

private Q_SLOTS:
    void theExampleGivesThePlanOfItsRun();
    void torchtitansRunIsKnownByItsShards();
    void modelsOfNobodyAreReadOffTheirSizes_data();
    void modelsOfNobodyAreReadOffTheirSizes();
    void whatIsNoKnownModelIsNotDetermined_data();
    void whatIsNoKnownModelIsNotDetermined();
    void aRecordingThatTellsNothingDeterminesNothing();
};

void TestRecoveredPlan::theExampleGivesThePlanOfItsRun()
{
    const auto trace =
        readTrace(projectFile(u"resources/examples/training-out-of-memory.pickle"_s).toStdString());
    QVERIFY(trace.ok());
    const RecoveredPlan found = recovered(*trace);
    QVERIFY(found.hasModel());
    QVERIFY(isDetermined(found, "Model"));
    const Settings s = resolve(found.plan).settings;
    QCOMPARE(s.architecture.hidden, 2048);
    QCOMPARE(s.architecture.layers, 8);
    QCOMPARE(s.architecture.ffn, 5632);
    QCOMPARE(s.architecture.vocab, 32000);
    QVERIFY(!s.architecture.tiedEmbeddings);
    // The step that failed ran with ten sequences of 2,048 tokens.
    QVERIFY(isDetermined(found, "Tokens of a micro-batch"));
    QCOMPARE(s.microBatch * s.sequenceLength, 20480);
    QVERIFY(isDetermined(found, "Optimizer"));
    QCOMPARE(valueOf(found, "Optimizer"), u"adamw"_s);
    QVERIFY(!isDetermined(found, "GPU")); // several have as much memory
    QVERIFY(field(found, "GPU")->how.find("RTX 4090") != std::string::npos);
    // Predicted and recorded meet.
    const MatchedMoment &moment = found.reconciliation.comparedMoment();
    QVERIFY(std::abs(found.reconciliation.unexplained) < moment.recorded.total() / 50);
}

void TestRecoveredPlan::torchtitansRunIsKnownByItsShards()
{
    const QString folder = corpusFolder();
    if (folder.isEmpty())
        QSKIP("The recordings are not there (VRAMSCOPE_CORPUS).");
    const auto trace = readTrace((folder + "/fsdp_oom_rank0.pickle").toStdString());
    QVERIFY(trace.ok());
    const RecoveredPlan found = recovered(*trace);
    QVERIFY(isDetermined(found, "Model"));
    QCOMPARE(valueOf(found, "Model"), u"Llama 3 8B"_s);
    // Weights in 16 bits over the four GPUs of a node would leave the same as in 32 bits over
    // eight; the four nodes that hold the same leave no trace.
    QVERIFY(!isDetermined(found, "Sharding over ranks"));
    QCOMPARE(valueOf(found, "Sharding over ranks"), u"4"_s);
    QVERIFY(!isDetermined(found, "GPUs"));
    QVERIFY(found.plan.parallel.strategy == Strategy::Fsdp2);
    QVERIFY(isDetermined(found, "Tokens of a micro-batch"));
    QCOMPARE(valueOf(found, "Tokens of a micro-batch"), u"8,192"_s);
    QVERIFY(!isDetermined(found, "Precision"));
    QVERIFY(!isDetermined(found, "Optimizer")); // memory ran out before its first step
    QVERIFY(isDetermined(found, "Attention"));
    QVERIFY(!isDetermined(found, "GPU")); // two cards have as much memory; it was this one
    QVERIFY(field(found, "GPU")->how.find("A100 SXM4 40 GB") != std::string::npos);
    const MatchedMoment &moment = found.reconciliation.comparedMoment();
    QVERIFY(std::abs(found.reconciliation.unexplained) < moment.recorded.total() / 20);
}

void TestRecoveredPlan::modelsOfNobodyAreReadOffTheirSizes_data()
{
    QTest::addColumn<QString>("file");
    QTest::addColumn<int>("hidden");
    QTest::addColumn<int>("layers");
    QTest::addColumn<int>("feedForward");
    QTest::addColumn<int>("tokens");
    QTest::newRow("2.7B") << u"big_27k_entries.pickle"_s << 2560 << 32 << 10240 << 512;
    QTest::newRow("medium") << u"torch211_train_orphans.pickle"_s << 1024 << 24 << 4096 << 2048;
    QTest::newRow("forward alone")
        << u"torch211_expandable_xl.pickle"_s << 2560 << 32 << 10240 << 0;
}

void TestRecoveredPlan::modelsOfNobodyAreReadOffTheirSizes()
{
    const QString folder = corpusFolder();
    if (folder.isEmpty())
        QSKIP("The recordings are not there (VRAMSCOPE_CORPUS).");
    QFETCH(const QString, file);
    const auto trace = readTrace((folder + "/" + file).toStdString());
    QVERIFY(trace.ok());
    const RecoveredPlan found = recovered(*trace);
    QVERIFY(isDetermined(found, "Model"));
    QVERIFY(field(found, "Attention heads")->certainty == Certainty::NotDetermined);
    const Settings s = resolve(found.plan).settings;
    QTEST(int(s.architecture.hidden), "hidden");
    QTEST(int(s.architecture.layers), "layers");
    QTEST(int(s.architecture.ffn), "feedForward");
    QCOMPARE(s.architecture.vocab, 10000);
    QFETCH(const int, tokens); // 0: the recording does not tell
    QVERIFY(tokens > 0 ? valueOf(found, "Tokens of a micro-batch").remove(u',').toInt() == tokens
                       : !field(found, "Tokens of a micro-batch"));
    QVERIFY(tokens == 0 || found.plan.precision.regime == Regime::Fp32);
    QVERIFY(!isDetermined(found, "Attention")); // a function of the program has torch's name
}

void TestRecoveredPlan::whatIsNoKnownModelIsNotDetermined_data()
{
    QTest::addColumn<QString>("file");
    for (const char *file : {"torch21_qlora_notebook.pickle", "slime_pool01_8slots_a.pickle",
                             "oom_expandable_3of4gpus.pickle", "torch24_train_3797.pickle",
                             "torch29_19681.pickle", "synthetic_mosaic.pickle"})
        QTest::newRow(file) << QString::fromLatin1(file);
}

void TestRecoveredPlan::whatIsNoKnownModelIsNotDetermined()
{
    const QString folder = corpusFolder();
    if (folder.isEmpty())
        QSKIP("The recordings are not there (VRAMSCOPE_CORPUS).");
    QFETCH(const QString, file);
    const auto trace = readTrace((folder + "/" + file).toStdString());
    QVERIFY(trace.ok());
    for (const auto &study : studiesOf(*trace)) {
        const RecoveredPlan found = planFromRecording(*study);
        QVERIFY(!found.hasModel());
        for (const std::string_view subject : {"Model", "Batch", "Precision"}) {
            QVERIFY(field(found, subject));
            QVERIFY(field(found, subject)->certainty == Certainty::NotDetermined);
            QVERIFY(!field(found, subject)->how.empty());
        }
    }
}

void TestRecoveredPlan::aRecordingThatTellsNothingDeterminesNothing()
{
    Plan plan;
    plan.model.preset = "llama-3-8b";
    plan.hardware.gpu = "h100-sxm-80gb";
    PlannedRecordingOptions options;
    options.stacks = false;
    const RecoveredPlan found = recovered(PlannedRecording(plan, options).write());
    for (const RecoveredField &each : found.fields)
        QVERIFY2(each.certainty != Certainty::Determined, each.how.c_str());
}

VRAMSCOPE_TEST(TestRecoveredPlan)
#include "tst_recovered_plan.moc"
