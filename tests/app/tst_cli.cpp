// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/app/cli_run.h"
#include "tests/support/process.h"
#include "tests/support/test.h"

#include <QFile>
#include <QJsonArray>
#include <QProcess>
#include <QTemporaryDir>

#include <cmath>

using namespace vramscope;
using namespace Qt::StringLiterals;
using test::example, test::json, test::Outcome, test::run;

class TestCli : public test::Test
{
    Q_OBJECT

private slots:
    void helpListsTheCommandsAndEachHasItsOwn();
    void theVersionIsPrinted();
    void wrongArgumentsEndWithStatusTwoAndSayWhatIsWrong_data();
    void wrongArgumentsEndWithStatusTwoAndSayWhatIsWrong();
    void anUnusableFileDoesNotKeepTheOthersFromBeingRead();
    void outputThatCannotBeWrittenIsNoSuccess();
    void aWordThatLooksLikeHelpMayBeAFileOrAValue();
    void anImportKeepsWhatItReads();
    void aPlanGoesToTheOutputByTheNameOfADash();
    void aLackOfMemoryIsASentence();
    void theBlocksAtThePeakAddUpToThePeak();
    void liveKnowsTheStateBeforeTheFirstEvent();
    void thePresetsAreListedInBothForms();
    void presetsAreFoundByWordsFamilyAndSize();
    void aSearchSaysWhyAModelIsNotComputed();
    void validationSaysEachRowThatItCannotUse();
    void validationWithoutAFileHoldsTheShippedRows();
    void validationHoldsPublishedSpeedsToo();
    void seedsAreListedInBothFormsWithExactBytes();
    void filesOfOtherToolsBecomeOnePlan();
    void anImportGoesOntoAPlanAndIntoAFile();
    void aPlanIsSimulatedUnderEverySettingAskedFor();
    void aPlanIsExportedInEveryFormat();
    void fitAnswersEachQuestionInBothForms_data();
    void fitAnswersEachQuestionInBothForms();
    void fitWritesNumbersForPeople();
    void fitSaysWhatAPlanLacks();
    void projectGivesThePlanOverItsGpus();
    void projectSaysWhyThereIsNoTime();
};

void TestCli::helpListsTheCommandsAndEachHasItsOwn()
{
    const Outcome help = run({"--help"_L1});
    QCOMPARE(help.status, 0);
    for (const auto command : {"trace"_L1, "live"_L1, "diff"_L1, "recipe"_L1, "presets"_L1,
                               "validate"_L1, "seeds"_L1, "weights"_L1, "fit"_L1}) {
        QVERIFY(help.out.contains("\n  "_L1 + command));
        const Outcome own = run({command, "--help"_L1});
        QCOMPARE(own.status, 0);
        QVERIFY(own.out.startsWith("usage: vramscope-cli "_L1 + command));
        QVERIFY(own.out.contains("--json"_L1));
    }
}

void TestCli::theVersionIsPrinted()
{
    const Outcome version = run({"--version"_L1});
    QCOMPARE(version.status, 0);
    QVERIFY(version.out.startsWith("vramscope-cli "_L1));
}

void TestCli::wrongArgumentsEndWithStatusTwoAndSayWhatIsWrong_data()
{
    const QString file = example("training-out-of-memory.pickle"_L1);
    QTest::addColumn<QStringList>("arguments");
    QTest::addColumn<QString>("says");
    QTest::newRow("nothing") << QStringList{} << u"usage: "_s;
    QTest::newRow("no such command") << QStringList{u"tarce"_s} << u"tarce: no such command"_s;
    QTest::newRow("no file") << QStringList{u"trace"_s} << u"needs FILE"_s;
    QTest::newRow("empty")
        << QStringList{u"trace"_s, u""_s}
        << u"trace: an argument is empty, as of a variable without a value; give "
           "FILE"_s;
    QTest::newRow("option") << QStringList{u"trace"_s, u"--jsn"_s, file} << u"--jsn"_s;
    QTest::newRow("value") << QStringList{u"live"_s, file, u"--at"_s} << u"needs a value"_s;
    QTest::newRow("no number") << QStringList{u"live"_s, file, u"--at"_s, u"1x"_s} << u"1x"_s;
    QTest::newRow("no event") << QStringList{u"live"_s, file, u"--at=99999"_s}
                              << u"device 0 has events 0 to 3939; give one of them"_s;
    QTest::newRow("no device") << QStringList{u"live"_s, file, u"--device"_s, u"3"_s}
                               << u"it has: 0"_s;
    QTest::newRow("two plans") << QStringList{u"fit"_s, file, file} << u"one plan is fitted"_s;
    QTest::newRow("no format") << QStringList{u"export"_s, file} << u"is none of hf-config"_s;
    QTest::newRow("no field") << QStringList{u"fit"_s, file, u"--vary=batch.mikro_batch"_s}
                              << u"did you mean 'batch.micro_batch'?"_s;
    QTest::newRow("GPUs in a list")
        << QStringList{u"fit"_s, file, u"--vary=parallel,hardware.gpus"_s}
        << u"hardware.gpus cannot be varied with other fields"_s;
    QTest::newRow("no number of GPUs")
        << QStringList{u"project"_s, file, u"--gpus=8,x"_s} << u"\"x\" is no number of GPUs"_s;
    QTest::newRow("two calibrations")
        << QStringList{u"project"_s, file, u"--speed=9"_s, u"--trace=a.json"_s}
        << u"both calibrate"_s;
    QTest::newRow("no limit") << QStringList{u"fit"_s, file, u"--limit=0"_s} << u"--limit"_s;
    QTest::newRow("flag with value")
        << QStringList{u"presets"_s, u"--json=1"_s} << u"takes no value"_s;
}

void TestCli::wrongArgumentsEndWithStatusTwoAndSayWhatIsWrong()
{
    QFETCH(QStringList, arguments);
    QFETCH(QString, says);
    const Outcome outcome = run(arguments);
    QCOMPARE(outcome.status, 2);
    QVERIFY2(outcome.err.contains(says), qPrintable(outcome.err));
    QVERIFY(outcome.out.isEmpty());
}

void TestCli::anUnusableFileDoesNotKeepTheOthersFromBeingRead()
{
    const QTemporaryDir folder;
    QFile empty(folder.filePath("empty.pickle"_L1));
    QVERIFY(empty.open(QIODevice::WriteOnly));
    empty.close();
    const QStringList files{example("training-out-of-memory.pickle"_L1), empty.fileName(),
                            folder.filePath("missing.pickle"_L1),
                            example("training-expandable-segments.pickle"_L1)};
    const Outcome outcome = run(QStringList{u"trace"_s, u"--json"_s} + files);
    QCOMPARE(outcome.status, 1);
    const QStringList lines = outcome.out.split(u'\n', Qt::SkipEmptyParts);
    QCOMPARE(lines.size(), 2);
    QCOMPARE(json(lines[0])["file"_L1].toString(), files[0]);
    QCOMPARE(json(lines[1])["file"_L1].toString(), files[3]);
    const QStringList complaints = outcome.err.split(u'\n', Qt::SkipEmptyParts);
    QCOMPARE(complaints.size(), 2);
    QVERIFY(complaints[0].startsWith("vramscope-cli: "_L1 + files[1] + ": "_L1));
    QVERIFY(complaints[1].startsWith("vramscope-cli: "_L1 + files[2] + ": "_L1));
}

void TestCli::outputThatCannotBeWrittenIsNoSuccess()
{
    if (!test::kPosix)
        QSKIP("Windows has no device that is always full.");
    QProcess process;
    process.setStandardOutputFile("/dev/full"_L1);
    process.start(QStringLiteral(VRAMSCOPE_CLI), {u"presets"_s});
    QVERIFY(process.waitForFinished(60'000));
    QCOMPARE(process.exitCode(), 1);
    QVERIFY(process.readAllStandardError().contains("could not be written"));
}

void TestCli::aWordThatLooksLikeHelpMayBeAFileOrAValue()
{
    const Outcome file = run({u"trace"_s, u"--"_s, u"--help"_s});
    QCOMPARE(file.status, 1);
    QVERIFY2(file.err.contains("--help: There is no such file"_L1) ||
                 file.err.contains("--help: "_L1),
             qPrintable(file.err));
    QVERIFY(file.out.isEmpty());
    const QString trace = example("training-out-of-memory.pickle"_L1);
    const Outcome value =
        run({u"stacks"_s, u"--tree"_s, u"top-down"_s, u"--hide"_s, u"-h"_s, trace});
    QCOMPARE(value.status, 0);
    QVERIFY(!value.out.startsWith("usage:"_L1));
}

void TestCli::anImportKeepsWhatItReads()
{
    const QTemporaryDir folder;
    const QString file = folder.filePath(u"config.json"_s);
    const QByteArray config = R"({"model_type":"llama","hidden_size":1024,"num_hidden_layers":4,
        "num_attention_heads":8,"intermediate_size":4096,"vocab_size":32000})";
    QFile made(file);
    QVERIFY(made.open(QIODevice::WriteOnly) && made.write(config) == config.size());
    made.close();
    const Outcome outcome = run({u"import"_s, file, u"--out"_s, file});
    QCOMPARE(outcome.status, 1);
    QVERIFY2(outcome.err.contains("is not overwritten"_L1), qPrintable(outcome.err));
    QVERIFY(made.open(QIODevice::ReadOnly));
    QCOMPARE(made.readAll(), config);
}

void TestCli::aPlanGoesToTheOutputByTheNameOfADash()
{
    const QTemporaryDir folder;
    QFile made(folder.filePath(u"config.json"_s));
    QVERIFY(made.open(QIODevice::WriteOnly) &&
            made.write(R"({"model_type":"llama","hidden_size":1024,
        "num_hidden_layers":4,"num_attention_heads":8,"intermediate_size":4096,"vocab_size":32000})") >
                0);
    made.close();
    const Outcome named = run({u"import"_s, made.fileName(), u"--out=-"_s});
    QCOMPARE(named.status, 0);
    QCOMPARE(named.out, run({u"import"_s, made.fileName()}).out);
    QVERIFY(!QFile::exists(example("-"_L1)));
    const Outcome both = run({u"import"_s, made.fileName(), u"--out"_s, u"-"_s, u"--json"_s});
    QCOMPARE(both.status, 2);
}

void TestCli::aLackOfMemoryIsASentence()
{
#ifdef VRAMSCOPE_SANITIZED
    QSKIP("More addresses are taken than any limit leaves; tst_short_memory has its test "
          "(sanitizer).");
#endif
    const QTemporaryDir folder;
    QFile made(folder.filePath(u"big.json"_s));
    QVERIFY(made.open(QIODevice::WriteOnly));
    made.write(R"({"segments":[],"device_traces":[[)");
    const QByteArray event = R"({"action":"alloc","addr":4096,"size":512,"stream":0})";
    QByteArray events = event;
    for (int at = 1; at < 10'000; ++at)
        events += ',' + event;
    for (int at = 0; at < 100; ++at)
        made.write(at == 0 ? events : ',' + events);
    made.write("]]}");
    made.close();
    if (!test::kPosix)
        QSKIP("It limits memory with ulimit, which Windows has not.");
    constexpr int kNotLoaded = 127; // the loader finds no room for the program itself
    int refused = 0;
    bool isNeedKnown = false;
    for (int kilobytes = 20'000; kilobytes <= 100'000; kilobytes += 8'000) {
        QProcess process;
        process.start(u"/bin/sh"_s,
                      {u"-c"_s, u"ulimit -v \"$2\"; exec \"$0\" peak \"$1\""_s,
                       QStringLiteral(VRAMSCOPE_CLI), made.fileName(), QString::number(kilobytes)});
        QVERIFY(process.waitForFinished(120'000));
        QCOMPARE(process.exitStatus(), QProcess::NormalExit);
        if (process.exitCode() == kNotLoaded)
            continue;
        const QByteArray said = process.readAllStandardError();
        QCOMPARE(process.exitCode(), 1);
        QVERIFY2(said.contains("There is not enough memory: "), said.constData());
        QCOMPARE(said.count('\n'), 1);
        isNeedKnown |= said.contains(": this needs about ");
        ++refused;
    }
    QVERIFY(refused > 5);
    QVERIFY(isNeedKnown); // where there was room for a part of the file
}

void TestCli::theBlocksAtThePeakAddUpToThePeak()
{
    const QString file = example("training-expandable-segments.pickle"_L1);
    const QJsonObject device =
        json(run({u"trace"_s, u"--json"_s, file}).out)["devices"_L1].toArray()[0].toObject();
    const Outcome outcome = run({u"live"_s, u"--json"_s, u"--at"_s, u"peak"_s, file});
    QCOMPARE(outcome.status, 0);
    const QJsonObject live = json(outcome.out);
    QCOMPARE(live["event"_L1], device["peak_active_event"_L1]);
    QCOMPARE(live["active"_L1], device["peak_active"_L1]);
    qint64 bytes = 0;
    for (const QJsonValue group : live["groups"_L1].toArray())
        bytes += group["bytes"_L1].toInteger();
    QCOMPARE(bytes, device["peak_active"_L1].toInteger());
    QVERIFY(bytes > 0);
}

void TestCli::liveKnowsTheStateBeforeTheFirstEvent()
{
    const Outcome outcome =
        run({u"live"_s, u"--at"_s, u"-1"_s, example("training-out-of-memory.pickle"_L1)});
    QCOMPARE(outcome.status, 0);
    QVERIFY(outcome.out.contains("before the first event"_L1));
    QVERIFY(outcome.out.contains("0 B active in 0 allocations"_L1));
}

void TestCli::thePresetsAreListedInBothForms()
{
    const QJsonObject presets = json(run({u"presets"_s, u"--json"_s}).out);
    const QJsonArray models = presets["models"_L1].toArray();
    QVERIFY(models.size() >= 50);
    QVERIFY(!presets["gpus"_L1].toArray().isEmpty());
    const QString table = run({u"presets"_s}).out;
    for (const QJsonValue model : models) {
        QVERIFY(table.contains("  "_L1 + model["name"_L1].toString() + u' '));
        QVERIFY(model["year"_L1].toInt() >= 2018);
        const bool computed = model["not_computed"_L1].isNull();
        QCOMPARE(model["parameters"_L1].isObject(), computed);
        QVERIFY(!computed || model["parameters"_L1]["total"_L1].toInteger() > 0);
    }
}

void TestCli::presetsAreFoundByWordsFamilyAndSize()
{
    const auto found = [](const QStringList &words) {
        QStringList names;
        const QJsonObject presets = json(run(QStringList{u"presets"_s, u"--json"_s} + words).out);
        for (const auto list : {"models"_L1, "gpus"_L1}) {
            for (const QJsonValue one : presets[list].toArray())
                names += one["name"_L1].toString();
        }
        return names;
    };
    QCOMPARE(found({u"mixtral"_s}), (QStringList{u"mixtral-8x7b"_s, u"mixtral-8x22b"_s}));
    QCOMPARE(found({u"MoE"_s, u"<100B"_s, u"mixtral"_s}), QStringList{u"mixtral-8x7b"_s});
    QCOMPARE(found({u"--family=phi"_s, u"2023"_s}), (QStringList{u"phi-1.5"_s, u"phi-2"_s}));
    QCOMPARE(found({u"h100"_s, u"nvl"_s}), QStringList{u"h100-nvl-94gb"_s});
    QVERIFY(found({u"qwen"_s, u"2025"_s}).contains(u"qwen3-4b"_s));
    QVERIFY(found({u"zebra"_s}).isEmpty());
    QCOMPARE(run({u"presets"_s, u"zebra"_s}).out,
             u"No model and no GPU of that name or size is known.\n"_s);
    const QString table = run({u"presets"_s, u"olmo-2-7b"_s}).out;
    QVERIFY2(table.contains(u"  olmo-2-7b  OLMo 2 7B  2024      7.30 B              32   4,096"_s),
             qPrintable(table));
    const Outcome family = run({u"presets"_s, u"--family"_s, u"lama"_s});
    QCOMPARE(family.status, 2);
    QVERIFY(family.err.contains("there are: GPT-2, Llama, "_L1));
}

// Which models these are is up to the reader of configs.
void TestCli::aSearchSaysWhyAModelIsNotComputed()
{
    const QJsonObject presets = json(run({u"presets"_s, u"--json"_s}).out);
    for (const QJsonValue model : presets["models"_L1].toArray()) {
        const QString whyNot = model["not_computed"_L1].toString();
        if (whyNot.isEmpty())
            continue;
        const QString name = model["name"_L1].toString();
        const QString table = run({u"presets"_s, name}).out;
        QVERIFY2(table.contains("not computed\n"_L1), qPrintable(table));
        QVERIFY2(table.simplified().contains(name + ": "_L1 + whyNot), qPrintable(table));
        QVERIFY(run({u"presets"_s}).out.contains("vramscope-cli presets "_L1));
        return;
    }
}

void TestCli::validationSaysEachRowThatItCannotUse()
{
    const QTemporaryDir folder;
    QFile table(folder.filePath("rows.csv"_L1));
    QVERIFY(table.open(QIODevice::WriteOnly));
    const QString setup = example("gpt2-small-h100.vramplan"_L1);
    QTextStream(&table) << "id,setup,figure,value,quality,family,covered\n"
                        << "count," << setup << ",parameters.total,100000000,A,small,1\n"
                        << "typo," << setup << ",peak.alocated,1,A,small,1\n"
                        << "gone,none.json,peak.allocated,1,A,lost,1\n";
    table.close();
    const Outcome outcome = run({u"validate"_s, u"--json"_s, table.fileName()});
    QCOMPARE(outcome.status, 1);
    const QJsonObject answer = json(outcome.out);
    QCOMPARE(answer["rows"_L1].toArray().size(), 1);
    QCOMPARE(answer["rows"_L1][0]["predicted"_L1].toInteger(), 124439808);
    QCOMPARE(answer["unusable"_L1].toArray().size(), 2);
    const QStringList complaints = outcome.err.split(u'\n', Qt::SkipEmptyParts);
    QCOMPARE(complaints.size(), 2);
    QVERIFY(complaints[0].contains(": typo: "_L1));
    QVERIFY(complaints[1].contains(": gone: none.json: There is no such file"_L1));

    const Outcome family = run({u"validate"_s, u"--family=large"_s, table.fileName()});
    QCOMPARE(family.status, 2);
    QVERIFY(family.err.contains("the file has: small, lost"_L1));
}

void TestCli::validationWithoutAFileHoldsTheShippedRows()
{
    const Outcome outcome = run({u"validate"_s, u"--json"_s});
    QCOMPARE(outcome.status, 0);
    QVERIFY(outcome.err.isEmpty());
    const QJsonObject answer = json(outcome.out);
    QVERIFY(answer["rows"_L1].toArray().size() >= 339);
    for (const QJsonValue row : answer["rows"_L1].toArray())
        QVERIFY(!row["source"_L1].toString().isEmpty());
    const Outcome table = run({u"validate"_s, u"--family=zero"_s});
    QCOMPARE(table.status, 0);
    QVERIFY(table.out.startsWith("shipped figures\n"_L1));
    QVERIFY(table.out.contains("  zero-zero1-1 "_L1));
    QVERIFY(!table.out.contains("megatron-golden"_L1));
    // The same rows, read from their files.
    const QString file = test::projectFile("resources/measured/recorded/rows.csv"_L1);
    const QJsonArray read =
        json(run({u"validate"_s, u"--json"_s, u"--family=zero"_s, file}).out)["rows"_L1].toArray();
    const QJsonArray shipped =
        json(run({u"validate"_s, u"--json"_s, u"--family=zero"_s}).out)["rows"_L1].toArray();
    QCOMPARE(read.size(), shipped.size());
    for (qsizetype i = 0; i < read.size(); ++i)
        QCOMPARE(read[i]["error_percent"_L1], shipped[i]["error_percent"_L1]);
}

void TestCli::validationHoldsPublishedSpeedsToo()
{
    const QJsonObject speeds =
        json(run({u"validate"_s, u"--json"_s}).out)["throughput"_L1].toObject();
    QCOMPARE(speeds["rows"_L1].toArray().size(), 209);
    QVERIFY(!speeds["families"_L1].toArray().isEmpty());
    // One family alone, which is of one table.
    const Outcome family = run({u"validate"_s, u"--family=mpt-70b-h100"_s});
    QCOMPARE(family.status, 0);
    QVERIFY(family.out.startsWith("  tokens a second and GPU"_L1));
    QVERIFY(family.out.contains("calibrated on mpt-003"_L1));
    QVERIFY(family.out.contains("calibrates its family"_L1));
    QVERIFY(!family.out.contains("mpt-007"_L1) && !family.out.contains("megatron-golden"_L1));
    // A table of one's own has figures of memory alone.
    const QString file = test::projectFile("resources/measured/published/rows.csv"_L1);
    QVERIFY(!json(run({u"validate"_s, u"--json"_s, file}).out).contains("throughput"_L1));
    QVERIFY(run({u"validate"_s, u"--family=none"_s}).err.contains("mpt-70b-h100"_L1));
}

void TestCli::seedsAreListedInBothFormsWithExactBytes()
{
    const Outcome text = run({u"seeds"_s});
    QCOMPARE(text.status, 0);
    QVERIFY(text.out.contains("85,899,345,920 bytes"_L1));
    const Outcome outcome = run({u"seeds"_s, u"--json"_s});
    QCOMPARE(outcome.status, 0);
    const QJsonArray seeds = json(outcome.out)["seeds"_L1].toArray();
    QCOMPARE(seeds.size(), 5);
    const QJsonObject cache = seeds[2]["claims"_L1][0].toObject();
    QCOMPARE(cache["recomputed"_L1].toInteger(), 85899345920);
    QCOMPARE(cache["written"_L1]["low"_L1].toInteger(), 42000000000);
    QCOMPARE(cache["difference"_L1].toInteger(), 43899345920);
    for (const QJsonValue seed : seeds)
        QVERIFY(text.out.contains("Seed "_L1 + seed["seed"_L1].toString() + ": "_L1));
}

void TestCli::filesOfOtherToolsBecomeOnePlan()
{
    const QString model = test::projectFile("tests/data/exchange/gemma3_config.json"_L1);
    const QString zero = test::projectFile("tests/data/exchange/ds_zero3.json"_L1);
    const Outcome text = run({u"import"_s, model, zero});
    QCOMPARE(text.status, 0);
    QVERIFY(text.err.contains(zero + ": read as DeepSpeed JSON\n"_L1));
    QVERIFY(text.err.contains("  zero_quantized_gradients_typo: is not known"_L1));
    const Outcome whole = run({u"import"_s, u"--json"_s, model, zero});
    QCOMPARE(whole.status, 0);
    QVERIFY(whole.err.isEmpty());
    QCOMPARE(json(whole.out)["plan"_L1].toObject(), json(text.out));
    const QJsonObject note = json(whole.out)["notes"_L1].toArray().first().toObject();
    QCOMPARE(note["file"_L1].toString(), model);
    QCOMPARE(note["place"_L1].toString(), u"vision_config"_s);
    const Outcome broken = run({u"import"_s, model, example("training-out-of-memory.pickle"_L1)});
    QCOMPARE(broken.status, 1);
    QVERIFY(broken.out.isEmpty());
    QVERIFY2(broken.err.contains("This is a memory snapshot of PyTorch"_L1),
             qPrintable(broken.err));
}

void TestCli::anImportGoesOntoAPlanAndIntoAFile()
{
    const QTemporaryDir folder;
    const QString out = folder.filePath("plan.vramplan"_L1);
    const Outcome imported =
        run({u"import"_s, test::projectFile("tests/data/exchange/ds_zero3.json"_L1), u"--onto"_s,
             example("llama-70b-8xh200.vramplan"_L1), u"--out"_s, out});
    QCOMPARE(imported.status, 0);
    QVERIFY(imported.out.isEmpty());
    const Outcome plan = run({u"plan"_s, u"--json"_s, out});
    QCOMPARE(plan.status, 0);
    QCOMPARE(json(plan.out)["parameters"_L1]["total"_L1].toInteger(), qint64(70553706496));
    QVERIFY(json(plan.out)["peak"_L1]["allocated"_L1].toInteger() > 0);
}

void TestCli::aPlanIsSimulatedUnderEverySettingAskedFor()
{
    const QString file = u"gpt2-large-2xh100.vramplan"_s;
    const Outcome outcome =
        run({u"plan"_s, u"--simulate"_s, u"--alloc-conf"_s, u"no_such_key:1"_s, u"--json"_s, file});
    QCOMPARE(outcome.status, 0);
    const QJsonObject answer = json(outcome.out);
    const QJsonObject plain = json(run({u"plan"_s, u"--json"_s, file}).out);
    QCOMPARE(answer["factor"_L1]["reserved"_L1], plain["peak"_L1]["reserved"_L1]);
    const QJsonArray simulated = answer["simulated"_L1].toArray();
    QCOMPARE(simulated.size(), 3);
    QCOMPARE(simulated[1]["configuration"_L1].toString(), u"expandable_segments:True"_s);
    QCOMPARE(simulated[2]["issues"_L1][0]["key"_L1].toString(), u"no_such_key"_s);
    for (const QJsonValue row : simulated)
        QVERIFY(row["reserved"_L1].toInteger() >= answer["allocated"_L1].toInteger());
    const Outcome text = run({u"plan"_s, u"--simulate"_s, file});
    QVERIFY(text.out.contains("\n  expandable_segments:True "_L1));
    // The default is the plan's own figure, band and verdict.
    QCOMPARE(simulated[0]["reserved"_L1], plain["peak"_L1]["reserved"_L1]);
    QCOMPARE(simulated[0]["low"_L1], plain["uncertainty"_L1]["reserved_low"_L1]);
    QCOMPARE(simulated[0]["high"_L1], plain["uncertainty"_L1]["reserved_high"_L1]);
    QCOMPARE(simulated[0]["verdict"_L1], plain["verdict"_L1]);
    QVERIFY(text.out.contains("The default is the plan's own figure"_L1));
    const Outcome serving =
        run({u"plan"_s, u"--simulate"_s, u"llama-70b-serving-2xh200.vramplan"_s});
    QCOMPARE(serving.status, 0);
    QVERIFY(serving.out.contains("Only the steps of a training plan are simulated"_L1));
}

void TestCli::aPlanIsExportedInEveryFormat()
{
    const QString file = example("llama-70b-8xh200.vramplan"_L1);
    for (const auto format :
         {"hf-config"_L1, "deepspeed"_L1, "torchtitan"_L1, "megatron"_L1, "vllm"_L1,
          "accelerate"_L1, "trainer"_L1, "trl"_L1, "axolotl"_L1, "llama-factory"_L1}) {
        const Outcome text = run({u"export"_s, file, u"--as"_s, format});
        QCOMPARE(text.status, 0);
        const QJsonObject whole =
            json(run({u"export"_s, file, u"--as"_s, format, u"--json"_s}).out);
        QCOMPARE(whole["text"_L1].toString(), text.out);
        QCOMPARE(whole["notes"_L1].toArray().size(), text.err.count(u'\n'));
    }
}

void TestCli::fitAnswersEachQuestionInBothForms_data()
{
    QTest::addColumn<QString>("vary");
    QTest::addColumn<QString>("member"); // of the answer, that is neither null nor empty
    QTest::addColumn<QString>("says");
    QTest::newRow("value") << u"batch.micro_batch"_s << u"answer"_s
                           << u"The largest batch.micro_batch that fits: "_s;
    QTest::newRow("GPUs") << u"hardware.gpus"_s << u"answer"_s << u"The fewest GPUs"_s;
    QTest::newRow("layouts") << u"parallel,activations.checkpointing"_s << u"layouts"_s
                             << u"possible layouts fit."_s;
    QTest::newRow("ways") << u""_s << u"ways"_s << u"single change"_s;
}

void TestCli::fitAnswersEachQuestionInBothForms()
{
    QFETCH(QString, vary);
    QFETCH(QString, member);
    QFETCH(QString, says);
    const QString file = example("gpt2-large-2xh100.vramplan"_L1);
    QStringList arguments{u"fit"_s, file};
    if (!vary.isEmpty())
        arguments << u"--vary"_s << vary;
    const Outcome text = run(arguments);
    QCOMPARE(text.status, 0);
    QVERIFY2(text.out.contains(says), qPrintable(text.out));

    const Outcome outcome = run(arguments << u"--json"_s);
    QCOMPARE(outcome.status, 0);
    const QJsonObject answer = json(outcome.out);
    for (const auto key : {"answer"_L1, "layouts"_L1, "ways"_L1}) {
        const bool empty = answer[key].isNull() || answer[key] == QJsonArray();
        QCOMPARE(!empty, key == member);
    }
    QCOMPARE(answer["vary"_L1].toArray().size(), vary.isEmpty() ? 0 : vary.count(u',') + 1);
    const QJsonValue found = answer[member];
    const QJsonObject first = found.isArray() ? found[0].toObject() : found.toObject();
    const qint64 device = first["peak"_L1]["device"_L1].toInteger();
    QVERIFY(device > 0);
    QCOMPARE(first["headroom"_L1].toInteger(), answer["capacity"_L1].toInteger() - device);
    QVERIFY(first["binding"_L1]["bytes"_L1].toInteger() > 0);
}

void TestCli::fitWritesNumbersForPeople()
{
    const Outcome ways = run({u"fit"_s, example("dense-4b-8xa100.vramplan"_L1)});
    QVERIFY2(ways.out.contains(" +8 %"_L1), qPrintable(ways.out)); // what recomputation adds
    QVERIFY2(!ways.out.contains("-0.0"_L1), qPrintable(ways.out));
    const Outcome gpus =
        run({u"fit"_s, example("gpt2-small-h100.vramplan"_L1), u"--vary=hardware.gpus"_s});
    QVERIFY2(gpus.out.contains("  1 GPU  "_L1), qPrintable(gpus.out));
}

void TestCli::fitSaysWhatAPlanLacks()
{
    const QTemporaryDir folder;
    QFile plan(folder.filePath("plan.vramplan"_L1));
    QVERIFY(plan.open(QIODevice::WriteOnly));
    plan.write(R"({"vramscope":1,"model":{"preset":"gpt2"}})");
    plan.close();
    const Outcome outcome = run({u"fit"_s, plan.fileName()});
    QCOMPARE(outcome.status, 1);
    QVERIFY(outcome.err.contains("hardware.capacity_bytes"_L1));
    QVERIFY(outcome.out.isEmpty());
}

void TestCli::projectGivesThePlanOverItsGpus()
{
    const QString file = u"gpt2-large-2xh100.vramplan"_s;
    const Outcome outcome =
        run({u"project"_s, file, u"--speed=62244"_s, u"--gpus=2,1"_s, u"--json"_s});
    QVERIFY2(outcome.status == 0, qPrintable(outcome.err));
    const QJsonObject answer = json(outcome.out);
    const QJsonArray strong = answer["strong"_L1].toArray();
    QCOMPARE(strong.size(), 2);
    const auto speed = [&](int at) {
        return strong[at]["tokens_per_second"_L1]["likely"_L1].toDouble();
    };
    QCOMPARE(strong[1]["gpus"_L1].toInt(), 2);
    QVERIFY(std::abs(speed(1) / 62'244 - 1) < 1e-6);
    // The same run on one GPU was measured too: 32,582 tokens a second.
    QVERIFY(std::abs(speed(0) / 32'582 - 1) < 0.02);
    const QJsonObject strategies = answer["strategies"_L1].toObject();
    QVERIFY(!strategies["options"_L1].toArray().isEmpty());
    QVERIFY(!strategies["reasons"_L1].toArray().isEmpty());
}

void TestCli::projectSaysWhyThereIsNoTime()
{
    const Outcome outcome = run({u"project"_s, u"gpt2-large-2xh100.vramplan"_s});
    QCOMPARE(outcome.status, 1);
    QVERIFY(outcome.err.contains("no rates for arithmetic in fp32"_L1));
    QVERIFY(outcome.out.isEmpty());
    const Outcome missing = run({u"project"_s, u"gpt2-large-2xh100.vramplan"_s,
                                 u"--trace=training-out-of-memory.pickle"_s});
    QCOMPARE(missing.status, 1);
    QVERIFY(missing.err.contains("no profiler trace"_L1));
}

VRAMSCOPE_TEST(TestCli)
#include "tst_cli.moc"
