// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/app/cli_run.h"
#include "tests/support/gguf_writer.h"
#include "tests/support/stored_checkpoint.h"

#include <QJsonArray>
#include <QTemporaryDir>

using namespace vramscope;
using namespace Qt::StringLiterals;
using test::json, test::Outcome, test::run;

/// The command that says what a weight file holds, and what llama.cpp makes of it.
class TestCliWeights : public test::Test
{
    Q_OBJECT

private slots:
    void init() override;
    void sumsOfBothFormatsAreExact();
    void aModelIsDividedOverDevices();
    void fitFindsSettingsThatFit();
    void wrongFlagsEndWithStatusTwo();
    void unusableFilesEndWithStatusOne();
    void anImportMakesAPlan();

private:
    std::optional<QTemporaryDir> m_folder;
    QString m_file;
};

void TestCliWeights::init()
{
    Test::init();
    m_folder.emplace();
    m_file = m_folder->filePath(u"model.gguf"_s);
    test::GgufWriter writer = test::smallModel("llama", 2, 256, 8, 2);
    writer.tensor("token_embd.weight", 1, {256, 100}, 51'200);
    for (const char *name : {"blk.0.ffn_up.weight", "blk.1.ffn_up.weight"})
        writer.tensor(name, 12, {512, 256}, 73'728);
    writer.tensor("output.weight", 1, {256, 100}, 51'200);
    writer.write(m_file.toStdString());
}

void TestCliWeights::sumsOfBothFormatsAreExact()
{
    const Outcome text = run({u"weights"_s, m_file});
    QCOMPARE(text.status, 0);
    QVERIFY(text.out.startsWith("GGUF, 1 file: 4 tensors, 313,344 values in "_L1));
    QVERIFY(text.out.contains("147,456"_L1)); // of Q4_K
    const QJsonObject read = json(run({u"weights"_s, m_file, u"--json"_s}).out);
    QCOMPARE(read["bytes"_L1].toInteger(), 2 * 51'200 + 2 * 73'728);
    QCOMPARE(read["by_layer"_L1].toArray().size(), 2);
    QCOMPARE(read["other_bytes"_L1].toInteger(), 2 * 51'200);
    QVERIFY(read["valid"_L1].toBool());
    QCOMPARE(read["keys"_L1]["tokenizer.ggml.tokens"_L1]["count"_L1].toInteger(), 100);
    test::writeCheckpoint("llama-sharded", m_folder->path().toStdString() + "/llama");
    const Outcome folder = run({u"weights"_s, m_folder->filePath(u"llama"_s), u"--json"_s});
    QCOMPARE(json(folder.out)["format"_L1].toString(), u"safetensors"_s);
    QCOMPARE(json(folder.out)["bytes"_L1].toInteger(), 3'254'784);
}

void TestCliWeights::aModelIsDividedOverDevices()
{
    const QStringList devices = {u"weights"_s, m_file, u"--devices"_s, u"1GiB,1GiB,host 1MiB"_s};
    const auto split = [&](const QStringList &flags) {
        return json(run(devices + flags + QStringList{u"--json"_s}).out)["split"_L1].toObject();
    };
    const QJsonObject all = split({u"-c"_s, u"1024"_s});
    // The first two of three go to the first device; the embedding stays on the host.
    QCOMPARE(all["devices"_L1][0]["model"_L1].toInteger(), 2 * 73'728);
    QCOMPARE(all["devices"_L1][1]["model"_L1].toInteger(), 51'200);
    QCOMPARE(all["host"_L1]["model"_L1].toInteger(), 51'200);
    QCOMPARE(all["devices"_L1][0]["cache"_L1].toInteger(), 2 * 1024 * 128 * 2);
    QVERIFY(all["devices"_L1][0]["fits"_L1].toBool() && !all["host"_L1]["fits"_L1].toBool());
    const QJsonObject some =
        split({u"-ngl"_s, u"2"_s, u"-ts"_s, u"0,1"_s, u"-ctk"_s, u"q8_0"_s, u"-c"_s, u"1024"_s});
    QCOMPARE(some["devices"_L1][0]["model"_L1].toInteger(), 0);
    QCOMPARE(some["devices"_L1][1]["model"_L1].toInteger(), 73'728 + 51'200);
    QCOMPARE(some["devices"_L1][1]["cache"_L1].toInteger(), 1024 * (64 / 32 * 34 + 64 * 2));
    QCOMPARE(some["flags"_L1].toString(), u"-ngl 2 -ts 0,1 -c 1024 -ctk q8_0"_s);
    const Outcome text = run(devices);
    QCOMPARE(text.status, 0);
    QVERIFY(text.out.contains("does not fit: "_L1) && text.out.contains("An estimate"_L1));
}

void TestCliWeights::fitFindsSettingsThatFit()
{
    const Outcome outcome = run({u"weights"_s, m_file, u"--devices"_s, u"4MiB"_s, u"--fit"_s,
                                 u"--fit-target"_s, u"1MiB"_s, u"--json"_s});
    QCOMPARE(outcome.status, 0);
    const QJsonObject read = json(outcome.out);
    QVERIFY(!read["fit"_L1]["steps"_L1].toArray().isEmpty());
    const QJsonValue device = read["split"_L1]["devices"_L1][0];
    QCOMPARE(read["fit"_L1]["fits"_L1].toBool(), device["total"_L1].toInteger() <= 3 * 1'048'576);
}

void TestCliWeights::wrongFlagsEndWithStatusTwo()
{
    const Outcome alone = run({u"weights"_s, m_file, u"-ngl"_s, u"3"_s});
    QCOMPARE(alone.status, 2);
    QVERIFY(alone.err.contains("need --devices"_L1));
    for (const QStringList &flags :
         {QStringList{u"-ctk"_s, u"q6"_s}, QStringList{u"-sm"_s, u"x"_s},
          QStringList{u"-ot"_s, u"(=CPU"_s}, QStringList{u"--fit-target"_s, u"x"_s, u"--fit"_s}}) {
        const Outcome wrong =
            run(QStringList{u"weights"_s, m_file, u"--devices"_s, u"1GiB"_s} + flags);
        QCOMPARE(wrong.status, 2);
        QVERIFY2(wrong.err.contains(flags[0] + " takes "_L1), qPrintable(wrong.err));
    }
    QCOMPARE(run({u"weights"_s, m_file, u"--devices"_s, u"a card"_s}).status, 2);
}

void TestCliWeights::unusableFilesEndWithStatusOne()
{
    QCOMPARE(run({u"weights"_s, m_folder->filePath(u"none.gguf"_s)}).status, 1);
    QFile cut(m_file);
    QVERIFY(cut.resize(100));
    const Outcome outcome = run({u"weights"_s, m_file});
    QCOMPARE(outcome.status, 1);
    QVERIFY2(outcome.err.contains("a file of 100 B cannot hold"_L1), qPrintable(outcome.err));
}

void TestCliWeights::anImportMakesAPlan()
{
    const Outcome outcome = run({u"import"_s, m_file, u"--json"_s});
    QCOMPARE(outcome.status, 0);
    const QJsonValue plan = json(outcome.out)["plan"_L1];
    QCOMPARE(plan["inference"_L1]["engine"_L1].toString(), u"llama.cpp"_s);
    QCOMPARE(plan["model"_L1]["config"_L1]["model_type"_L1].toString(), u"llama"_s);
}

VRAMSCOPE_TEST(TestCliWeights)
#include "tst_cli_weights.moc"
