// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/estimate/estimate.h"
#include "core/exchange/import.h"
#include "core/plan/plan_json.h"
#include "core/print/plan_report.h"
#include "tests/support/stored_checkpoint.h"
#include "tests/support/test.h"

#include <QFile>
#include <QJsonDocument>
#include <QJsonObject>
#include <QTemporaryDir>

using namespace vramscope;
using namespace Qt::StringLiterals;

/// A folder becomes a plan that serves the model with the weights of its files. The files are those
/// of tests/measure/checkpoints/layouts.py, which loaded them by Transformers.
class TestImportCheckpoint : public test::Test
{
    Q_OBJECT

private slots:
    void weightsAreWhatTransformersHolds_data();
    void weightsAreWhatTransformersHolds();
    void whatIsNotLoadedIsNoted_data();
    void whatIsNotLoadedIsNoted();
    void blocksAtTheEdgesHaveScalesToo();
    void thePlanStandsWithoutTheFolder();
    void anIndexAloneLeavesThePlanAsItWas();
    void otherFilesOfAModelDiffer();
    void anIndexAsTextSaysWhatToDo();
    void weightsOfAnUnknownKindAreStated();
};

namespace {

Result<Imported> imported(const std::string &name, const Plan &base = {})
{
    const QTemporaryDir folder;
    test::writeCheckpoint(name, folder.path().toStdString());
    return importFile(base, folder.path().toStdString());
}

Plan servedBy(const std::string &name, Engine engine)
{
    auto read = imported(name);
    if (!read)
        return {};
    Plan plan = std::move(read->plan);
    plan.inference.engine = engine;
    plan.hardware.capacity = 10 * kGiB;
    return plan;
}

QString allNotes(const Imported &read)
{
    QString text;
    for (const ImportNote &note : read.notes)
        text += QString::fromStdString(note.text) + u'\n';
    return text;
}

} // namespace

void TestImportCheckpoint::weightsAreWhatTransformersHolds_data()
{
    QTest::addColumn<QString>("name");
    for (const char *name : {"llama-sharded", "llama-tied", "llama-tied-twice", "llama-rotary",
                             "llama-fp32", "gpt2-masks", "qwen3-moe", "llama-nf4"})
        QTest::newRow(name) << QString::fromLatin1(name);
}

void TestImportCheckpoint::weightsAreWhatTransformersHolds()
{
    QFETCH(QString, name);
    const Estimate figures = estimate(servedBy(name.toStdString(), Engine::Hf));
    QVERIFY2(figures.computed, whyNotComputed(figures).c_str());
    const QJsonObject truth =
        QJsonDocument::fromJson(
            QByteArray::fromStdString(test::checkpointText(name.toStdString(), "truth.json")))
            .object();
    QCOMPARE(figures.inference->weights, truth[u"held"_s].toInteger());
    for (const Issue &issue : figures.issues)
        QVERIFY2(issue.severity != Issue::Severity::Warning || issue.field != "model.checkpoint",
                 issue.text.c_str());
}

void TestImportCheckpoint::whatIsNotLoadedIsNoted_data()
{
    QTest::addColumn<QString>("name");
    QTest::addColumn<QString>("words");
    QTest::newRow("tied head")
        << u"llama-tied-twice"_s
        << u"Not loaded: the head, which is the embedding once more, 500 KiB of the files"_s;
    QTest::newRow("rotary") << u"llama-rotary"_s
                            << u"Not loaded: tables of rotary positions, 128 B of the files"_s;
    QTest::newRow("masks") << u"gpt2-masks"_s
                           << u"Not loaded: buffers of masks and positions, 32.0 KiB"_s;
    QTest::newRow("prediction")
        << u"deepseek-fp8"_s
        << u"Not loaded: the modules for multi-token prediction, 2.14 MiB of the files"_s;
    QTest::newRow("types") << u"deepseek-fp8"_s
                           << u"1 file, 170 tensors of 4.73 MiB: F8_E4M3 2.76 MiB, BF16"_s;
}

void TestImportCheckpoint::whatIsNotLoadedIsNoted()
{
    QFETCH(QString, name);
    QFETCH(QString, words);
    const auto read = imported(name.toStdString());
    QVERIFY2(read.ok(), read.ok() ? "" : read.error().text().c_str());
    QVERIFY2(allNotes(*read).contains(words), qPrintable(allNotes(*read)));
    QVERIFY2(!allNotes(*read).contains(u"not known, from"_s), qPrintable(allNotes(*read)));
    QVERIFY2(!allNotes(*read).contains(u"Check that the files"_s), qPrintable(allNotes(*read)));
}

/// A scale of each block of 128 × 128, those at the edges whole: the formula spreads them.
void TestImportCheckpoint::blocksAtTheEdgesHaveScalesToo()
{
    Plan plan = servedBy("deepseek-fp8", Engine::Hf);
    QCOMPARE(plan.inference.weightFormat, std::optional(WeightFormat::Fp8));
    const Bytes stored = estimate(plan).inference->weights;
    plan.model.checkpoint.reset();
    const Bytes counted = estimate(plan).inference->weights;
    QVERIFY2(stored > counted && stored < counted + 100,
             qPrintable(u"%1 stored, %2 counted"_s.arg(stored).arg(counted)));
}

void TestImportCheckpoint::thePlanStandsWithoutTheFolder()
{
    const auto read = imported("qwen3-moe"); // whose folder is gone by now
    QVERIFY(read.ok());
    const auto again = parsePlan(planJson(read->plan));
    QVERIFY2(again.ok(), again.ok() ? "" : again.error().detail.c_str());
    QVERIFY(*again == read->plan);
    QCOMPARE(estimate(*again).inference->weights, Bytes(3'263'232));
}

void TestImportCheckpoint::anIndexAloneLeavesThePlanAsItWas()
{
    const QTemporaryDir folder;
    const QString index = folder.filePath(u"model.safetensors.index.json"_s);
    QVERIFY(QFile::copy(
        test::projectFile(u"tests/data/checkpoints/llama-sharded/model.safetensors.index.json"_s),
        index));
    Plan base;
    base.model.preset = "llama-3.1-8b";
    const auto read = importFile(base, index.toStdString());
    QVERIFY2(read.ok(), read.ok() ? "" : read.error().text().c_str());
    QVERIFY(read->plan == base);
    QVERIFY2(
        allNotes(*read).startsWith(u"The index names 21 tensors in 6 files, 3.10 MiB in all"_s),
        qPrintable(allNotes(*read)));
}

void TestImportCheckpoint::otherFilesOfAModelDiffer()
{
    Plan plan = servedBy("llama-sharded", Engine::Hf);
    plan.model.config.reset();
    plan.model.preset = "llama-3.1-8b";
    const Estimate figures = estimate(plan);
    const auto warned = std::ranges::find_if(figures.issues, [](const Issue &issue) {
        return issue.field == "model.checkpoint" && issue.severity == Issue::Severity::Warning;
    });
    QVERIFY(warned != figures.issues.end());
    QVERIFY2(warned->text.starts_with("Of the embedding the files hold 256,000 values, but the "
                                      "model has 525,336,576."),
             warned->text.c_str());
}

void TestImportCheckpoint::anIndexAsTextSaysWhatToDo()
{
    const auto read = importInto({}, R"({"metadata": {}, "weight_map": {"a": "b.safetensors"}})");
    QVERIFY(!read.ok());
    QVERIFY(read.error().detail.find("import its folder") != std::string::npos);
}

/// What a model's files hold is known whatever its layers do; all else is said to be missing.
void TestImportCheckpoint::weightsOfAnUnknownKindAreStated()
{
    const QTemporaryDir folder;
    test::writeSafetensors(folder.filePath(u"model.safetensors"_s).toStdString(),
                           R"({"layers.0.mix": {"dtype": "BF16", "shape": [1024, 1024],
                               "data_offsets": [0, 2097152]}})",
                           2 * kMiB);
    QFile config(folder.filePath(u"config.json"_s));
    QVERIFY(config.open(QIODevice::WriteOnly));
    config.write(R"({"model_type": "splinenet", "hidden_size": 1024, "num_hidden_layers": 1})");
    config.close();
    const auto read = importFile({}, folder.path().toStdString());
    QVERIFY(read.ok());
    Plan plan = read->plan;
    plan.hardware.gpu.reset();
    plan.hardware.capacity = kGiB;
    QString answer = QString::fromStdString(answerLine(plan, estimate(plan)));
    QVERIFY2(answer.startsWith(u"The weights take 2.00 MiB, by the tensors of the checkpoint; "
                               "cache and activations are not known. No figures: "),
             qPrintable(answer));
    QVERIFY(answer.contains(u"splinenet"));
    QVERIFY(!estimate(plan).computed);
    plan.hardware.capacity = kMiB;
    answer = QString::fromStdString(answerLine(plan, estimate(plan)));
    QVERIFY2(answer.contains(u"more than the 1.00 MiB of one GPU"), qPrintable(answer));
}

VRAMSCOPE_TEST(TestImportCheckpoint)
#include "tst_import_checkpoint.moc"
