// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/app/cli_run.h"
#include "tests/support/process.h"
#include "tests/support/test.h"

#include <QFile>
#include <QJsonArray>
#include <QTemporaryDir>

using namespace vramscope;
using namespace Qt::StringLiterals;
using test::example, test::json, test::Outcome, test::run;

namespace {

/// As run(), with a text as standard input.
Outcome runOn(const QStringList &arguments, const QByteArray &input)
{
    QProcess process;
    process.setWorkingDirectory(example({}));
    process.start(QStringLiteral(VRAMSCOPE_CLI), arguments);
    process.write(input);
    process.closeWriteChannel();
    if (!process.waitForFinished(60'000))
        return {-1, {}, process.errorString()};
    return {process.exitCode(), QString::fromUtf8(process.readAllStandardOutput()),
            QString::fromUtf8(process.readAllStandardError())};
}

QByteArray contentOf(const QString &path)
{
    QFile file(path);
    return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
}

const QString kPlan = u"llama-70b-8xh200.vramplan"_s; // does not fit
const QString kServing = u"llama-70b-serving-2xh200.vramplan"_s;

QString config()
{
    return test::projectFile("tests/data/exchange/gemma3_config.json"_L1);
}

} // namespace

/// Plans from one line, and the limits that a job in CI holds them to.
class TestCliPlan : public test::Test
{
    Q_OBJECT

private Q_SLOTS:
    void wordsAndOptionsAreOnePlan()
    {
        const Outcome words = run({u"plan"_s, u"Qwen3-32B full fine-tune on 8 H100, 8k"_s});
        const Outcome options = run({u"plan"_s, u"qwen3-32b"_s, u"--gpus"_s, u"8xh100"_s,
                                     u"--full"_s, u"--seq"_s, u"8192"_s});
        QCOMPARE(words.status, 0);
        QCOMPARE(options.status, 0);
        QVERIFY(words.err.isEmpty());
        const auto answer = [](const QString &out) {
            return out.mid(out.indexOf(u"\nParameters"_s));
        };
        QCOMPARE(answer(options.out), answer(words.out));
        QVERIFY(words.out.startsWith(u"Understood: Qwen3-32B = Qwen3 32B; "_s));
        QVERIFY(words.out.contains(u"\nAssumed: micro-batch 1, checkpointing full, "_s));
        // Operands need no quotes where the shell leaves them whole.
        const Outcome bare = run({u"plan"_s, u"qwen3-32b"_s, u"full"_s, u"8xh100"_s, u"8k"_s});
        QCOMPARE(answer(bare.out), answer(words.out));
    }

    // A plan whose degrees do not divide its GPUs, and what each command that takes it says.
    void aPlanThatContradictsItselfIsRefusedByEveryCommand_data()
    {
        QTest::addColumn<QByteArray>("parallel");
        QTest::newRow("tensor") << QByteArray(R"("tensor":4096)");
        QTest::newRow("pipeline") << QByteArray(R"("pipeline":4096)");
        QTest::newRow("context") << QByteArray(R"("context":3000)");
        QTest::newRow("all") << QByteArray(
            R"("tensor":1000000,"pipeline":1000000,"context":1000000)");
    }

    void aPlanThatContradictsItselfIsRefusedByEveryCommand()
    {
        QFETCH(QByteArray, parallel);
        const QTemporaryDir folder;
        const QString path = folder.filePath(u"mistyped.vramplan"_s);
        QFile file(path);
        QVERIFY(file.open(QIODevice::WriteOnly));
        file.write(R"({"vramscope":1,"workload":"inference","model":{"preset":"llama-3.1-70b"},)"
                   R"("hardware":{"gpu":"h200-sxm-141gb","gpus":2},"parallel":{)" +
                   parallel + "}}");
        file.close();
        const QString says = u"The 2 GPUs do not divide by "_s;
        const Outcome planned = run({u"plan"_s, path});
        const bool divides = !parallel.contains(',');
        QVERIFY2(!divides || (planned.out + planned.err).contains(says), qPrintable(planned.out));
        for (const QStringList &command :
             {QStringList{u"project"_s}, QStringList{u"project"_s, u"--json"_s},
              QStringList{u"project"_s, u"--gpus"_s, u"1,2,8"_s}, QStringList{u"fit"_s},
              QStringList{u"project"_s, u"--speed"_s, u"60000"_s}}) {
            const Outcome outcome = run(command + QStringList{path});
            QCOMPARE(outcome.status, 1);
            QVERIFY(outcome.out.isEmpty());
            QCOMPARE(outcome.err.count(u'\n'), 1);
            QVERIFY2(!divides || outcome.err.contains(says), qPrintable(outcome.err));
        }
    }

    void tokensOfARunAreWrittenInThousands()
    {
        const QString said = u"20,000,000,000 tokens: "_s;
        for (const QStringList &words :
             {QStringList{u"qwen3-8b"_s, u"8xh100"_s, u"20B"_s, u"tokens"_s},
              QStringList{u"qwen3-8b"_s, u"8xh100"_s, u"--set"_s, u"run.tokens=20B"_s}}) {
            const Outcome outcome = run(QStringList{u"plan"_s} + words);
            QCOMPARE(outcome.status, 0);
            QVERIFY2(outcome.out.contains(said), qPrintable(outcome.out));
        }
        const Outcome wrong =
            run({u"plan"_s, u"qwen3-8b"_s, u"8xh100"_s, u"--set"_s, u"run.tokens=20x"_s});
        QCOMPARE(wrong.status, 2);
        QVERIFY(wrong.out.isEmpty());
    }

    void formulasAreTheSameAtEachRun()
    {
        const QStringList words{u"plan"_s, u"--json"_s, u"FLUX.1 dev lora rank 16 4090"_s};
        const Outcome first = run(words);
        QCOMPARE(first.status, 0);
        QCOMPARE(run(words).out, first.out);
        QVERIFY(first.out.contains(u"2 h ("_s));
    }

    void jsonHoldsHowTheWordsWereTaken()
    {
        const QJsonObject answer = json(run({u"plan"_s, u"--json"_s, u"lora qwen3-8b h100"_s}).out);
        QCOMPARE(answer["verdict"_L1].toString(), u"fits"_s);
        const QJsonArray understood = answer["asked"_L1]["understood"_L1].toArray();
        QCOMPARE(understood[0]["text"_L1].toString(), u"lora"_s);
        QCOMPARE(understood[0]["fields"_L1][1].toString(), u"adapters.kind"_s);
        bool isAssumed = false;
        for (const QJsonValue each : answer["asked"_L1]["assumed"_L1].toArray())
            isAssumed |= each["fields"_L1][0].toString() == u"batch.sequence_length"_s;
        QVERIFY(isAssumed);
        QVERIFY(!json(run({u"plan"_s, u"--json"_s, kPlan}).out).contains("asked"_L1));
    }

    void aWordThatIsNotKnownIsToldBesideTheAnswer()
    {
        const QString words = u"serve qwen3-8b on an h100 with blubber"_s;
        const Outcome text = run({u"plan"_s, words});
        QCOMPARE(text.status, 0);
        QVERIFY2(text.out.contains(u"\nWithout: \"blubber\" is not known"_s), qPrintable(text.out));
        const QJsonObject asked =
            json(run({u"plan"_s, u"--json"_s, words}).out)["asked"_L1].toObject();
        QCOMPARE(asked["not_understood"_L1][0]["text"_L1].toString(), u"blubber"_s);
    }

    void aQuestionIsAnsweredWithItsValue()
    {
        const QString words = u"largest batch to train qwen3-0.6b on an h100 at 4k"_s;
        const QJsonObject answer = json(run({u"plan"_s, u"--json"_s, words}).out);
        const QJsonObject sought = answer["sought"_L1].toObject();
        QCOMPARE(sought["field"_L1].toString(), u"batch.micro_batch"_s);
        QVERIFY(sought["value"_L1].toInt() > 1);
        const QString sentence = sought["answer"_L1].toString();
        QVERIFY2(sentence.startsWith(
                     u"The largest micro-batch that fits is %1."_s.arg(sought["value"_L1].toInt())),
                 qPrintable(sentence));
        // Never "fits" beside a verdict that says less.
        QCOMPARE(sentence.contains(u" It is tight there"_s), answer["verdict"_L1] == u"tight"_s);
        QVERIFY(run({u"plan"_s, words}).out.contains(sentence));
        // Of two machines, and of no machine at all.
        QVERIFY(run({u"plan"_s, u"serve qwen3-8b on a 4090 or 2x 3060"_s})
                    .out.contains(u" Choose 1 × GeForce RTX 4090 24 GB."_s));
        QVERIFY(run({u"plan"_s, u"serve qwen3-8b bf16"_s})
                    .out.contains(u"\nThe smallest GPUs that hold it: "_s));
    }

    void whatIsWrongWithTheWordsEndsWithStatusTwo_data()
    {
        QTest::addColumn<QStringList>("arguments");
        QTest::addColumn<QString>("says");
        const auto row = [](const char *name, const QStringList &arguments, const QString &says) {
            QTest::newRow(name) << arguments << says;
        };
        row("GPUs", {u"qwen3-8b 2 h100 4 h200"_s}, u"contradicts \"2 h100\""_s);
        row("models", {u"qwen3-8b qwen3-32b h100"_s}, u"is a second model beside Qwen3 8B"_s);
        row("no model", {u"--gpus"_s, u"8xh100"_s, u"lora"_s}, u"No model is named."_s);
        row("twice", {u"qwen3-8b 4k"_s, u"--seq"_s, u"8k"_s}, u"contradicts \"4k\""_s);
        row("field", {u"qwen3-8b"_s, u"--set"_s, u"batch.mikro_batch=2"_s},
            u"did you mean 'batch.micro_batch'?"_s);
        row("field of a file", {kPlan, u"--set"_s, u"batch.mikro_batch=2"_s},
            u"did you mean 'batch.micro_batch'?"_s);
        row("value", {kPlan, u"--set"_s, u"optimizer.name=adamv"_s}, u"did you mean 'adamw'?"_s);
        row("list", {u"qwen3-8b lora"_s, u"--set"_s, u"adapters.targets=q,qq"_s},
            u"adapters.targets holds \"qq\""_s);
        row("option for a plan", {kPlan, u"--seq"_s, u"8k"_s}, u"a plan is changed by --set"_s);
        row("size", {kPlan, u"--fail-over"_s, u"72Gip"_s}, u"\"72Gip\" is not a size"_s);
        row("conf", {kPlan, u"--alloc-conf"_s, u"a:1"_s}, u"give --simulate too"_s);
        row("two out", {kPlan, kServing, u"--out"_s, u"x"_s}, u"--out writes one plan"_s);
    }

    void whatIsWrongWithTheWordsEndsWithStatusTwo()
    {
        QFETCH(QStringList, arguments);
        QFETCH(QString, says);
        const Outcome outcome = run(QStringList{u"plan"_s} + arguments);
        QCOMPARE(outcome.status, 2);
        QVERIFY2(outcome.err.contains(says), qPrintable(outcome.err));
        QVERIFY(outcome.out.isEmpty());
    }

    void fieldsOfAFileAreSet()
    {
        const auto peak = [](const QStringList &more) {
            const Outcome outcome = run(QStringList{u"plan"_s, u"--json"_s, kPlan} + more);
            return json(outcome.out)["peak"_L1]["allocated"_L1].toInteger();
        };
        QVERIFY(peak({u"--set"_s, u"batch.micro_batch=4"_s}) > peak({}));
        QCOMPARE(peak({u"--set=batch.micro_batch=4"_s, u"--set=batch.micro_batch=1"_s}), peak({}));
    }

    void aConfigIsRunAsTheOptionsSay()
    {
        const Outcome outcome = run({u"plan"_s, config(), u"--lora"_s, u"--gpus"_s, u"8xh100"_s});
        QCOMPARE(outcome.status, 0);
        QVERIFY(outcome.err.contains("read as Hugging Face config.json"_L1)); // and what it lacks
        QVERIFY(outcome.out.contains("lora = training of LoRA adapters"_L1));
        QVERIFY(outcome.out.contains(u"on 8 × H100 SXM5 80 GB"_s));
        const Outcome served = run({u"plan"_s, config(), u"--serve"_s});
        QVERIFY2(served.out.contains("while serving"_L1), qPrintable(served.out + served.err));
    }

    void standardInputIsAPlanAConfigOrWords()
    {
        const Outcome plan =
            runOn({u"plan"_s, u"-"_s}, contentOf(example("llama-70b-8xh200.vramplan"_L1)));
        QCOMPARE(plan.status, 0);
        QVERIFY(plan.out.startsWith(u"Llama 3.1 70B, ZeRO-3 on 8 × H200 (standard input)\n"_s));
        const Outcome words =
            runOn({u"plan"_s, u"-"_s, u"--seq"_s, u"4k"_s}, "lora qwen3-8b on h100\n");
        QCOMPARE(words.status, 0);
        QVERIFY(words.out.contains("seq 4k = sequence length 4,096"_L1));
        const Outcome read =
            runOn({u"plan"_s, u"-"_s, u"--gpus"_s, u"8xh100"_s}, contentOf(config()));
        QCOMPARE(read.status, 0);
        const Outcome line = runOn({u"plan"_s, u"-"_s, u"--gpus"_s, u"2xh100"_s},
                                   "vllm serve Qwen/Qwen3-8B -tp 2 --max-model-len 8192");
        QVERIFY2(line.out.contains(u"Qwen3 8B, served by vLLM on 2 × H100 SXM5 80 GB"_s),
                 qPrintable(line.out + line.err));
        QCOMPARE(runOn({u"plan"_s, u"-"_s}, "{\"vramscope\": 1, \"nonsense\": 2}").status, 1);
        QCOMPARE(runOn({u"plan"_s, u"-"_s}, "").status, 2);
    }

    void aFileThatIsMissingIsNoSentence()
    {
        for (const QString &name : {u"missing.vramplan"_s, u"./missing"_s, u"config.json"_s}) {
            const Outcome outcome = run({u"plan"_s, name});
            QCOMPARE(outcome.status, 1);
            QVERIFY(outcome.err.contains("There is no such file"_L1));
        }
        // A name between those of files is of one.
        QCOMPARE(run({u"plan"_s, kPlan, u"qwen3-8b"_s}).status, 1);
    }

    void limitsHaveAStatusOfTheirOwn_data()
    {
        QTest::addColumn<QStringList>("arguments");
        QTest::addColumn<int>("status");
        QTest::addColumn<QString>("says");
        const auto row = [](const char *name, const QStringList &arguments, int status,
                            const QString &says) {
            QTest::newRow(name) << arguments << status << says;
        };
        row("fits", {u"lora qwen3-8b h100"_s, u"--must-fit"_s}, 0, {});
        row("tight", {u"flux.1-dev 1024x1024 on a 4090 model offload"_s, u"--must-fit"_s}, 0, {});
        row("probably not", {u"qwen3-32b full 8xh100 8k"_s, u"--must-fit"_s}, 3,
            u"--must-fit: the plan probably does not fit"_s);
        row("does not fit", {kPlan, u"--must-fit"_s}, 3, u"--must-fit: the plan does not fit"_s);
        row("no capacity", {u"lora qwen3-8b h100-sxm-96gb"_s, u"--must-fit"_s}, 3,
            u"--must-fit: the capacity of the GPU is not known"_s);
        row("no figures", {u"qwen3-8b 7 h100 tp 2"_s, u"--must-fit"_s}, 3, u"--must-fit: "_s);
        row("below", {kPlan, u"--fail-over"_s, u"180GiB"_s}, 0, {});
        row("above", {kPlan, u"--fail-over"_s, u"170 GiB"_s}, 3,
            u"the likely peak on the device is 174 GiB, more than 170 GiB"_s);
        row("one of two", {kServing, kPlan, u"--must-fit"_s}, 3, kPlan);
        row("a file is worse", {kPlan, u"missing.vramplan"_s, u"--must-fit"_s}, 1, kPlan);
    }

    void limitsHaveAStatusOfTheirOwn()
    {
        QFETCH(QStringList, arguments);
        QFETCH(int, status);
        QFETCH(QString, says);
        const Outcome outcome = run(QStringList{u"plan"_s} + arguments);
        QVERIFY2(outcome.status == status, qPrintable(outcome.err + outcome.out));
        QVERIFY2(outcome.err.contains(says), qPrintable(outcome.err));
        QVERIFY(!outcome.out.isEmpty()); // the answer is given all the same
    }

    void thePlanOfWordsIsWritten()
    {
        const QTemporaryDir folder;
        const QString out = folder.filePath("asked.vramplan"_L1);
        const Outcome asked = run({u"plan"_s, u"lora qwen3-8b h100"_s, u"--out"_s, out});
        QCOMPARE(asked.status, 0);
        const Outcome again = run({u"plan"_s, out});
        QCOMPARE(again.status, 0);
        QVERIFY(again.out.contains(u"\nQwen3 8B, LoRA on 1 × H100 SXM5 80 GB: fits"_s));
        const auto answer = [](const QString &text) {
            return text.mid(text.indexOf(u"\nParameters"_s));
        };
        QCOMPARE(answer(again.out), answer(asked.out));
        QCOMPARE(run({u"plan"_s, out, u"--out"_s, out}).status, 1); // what is read is kept
    }

    void helpOfACommandIsItsOwn()
    {
        QCOMPARE(run({u"help"_s, u"plan"_s}).out, run({u"plan"_s, u"--help"_s}).out);
        QVERIFY(run({u"help"_s, u"plan"_s})
                    .out.contains(
                        "2 wrong arguments, 3 a plan is beyond --must-fit or --fail-over\n"_L1));
        const Outcome unknown = run({u"help"_s, u"pln"_s});
        QCOMPARE(unknown.status, 2);
        QVERIFY(unknown.err.contains("did you mean 'plan'?"_L1));
        QVERIFY(run({u"hepl"_s}).err.contains("did you mean 'help'?"_L1));
        QVERIFY(run({u"presets"_s, u"qwen3"_s}).out.contains("qwen3-32b"_L1));
    }

    void theScriptsOfShellsAreSound_data()
    {
        QTest::addColumn<QString>("shell");
        for (const QString &shell : {u"bash"_s, u"zsh"_s, u"fish"_s})
            QTest::newRow(qPrintable(shell)) << shell;
    }

    void theScriptsOfShellsAreSound()
    {
        QFETCH(QString, shell);
        const Outcome script = run({u"completion"_s, shell});
        QCOMPARE(script.status, 0);
        for (const char *word : {"must-fit", "presets", "fail-over", "--help"})
            QVERIFY2(script.out.contains(QLatin1StringView(word)) ||
                         (shell == u"fish"_s && QLatin1StringView(word) == "--help"_L1),
                     word);
        QProcess check;
        check.start(shell, {u"-n"_s, u"/dev/stdin"_s});
        if (!check.waitForStarted())
            return; // a shell that is not installed
        check.write(script.out.toUtf8());
        check.closeWriteChannel();
        QVERIFY(check.waitForFinished());
        QVERIFY2(check.exitCode() == 0, check.readAllStandardError().constData());
    }

    void bashCompletesWords_data()
    {
        QTest::addColumn<QString>("line");
        QTest::addColumn<QString>("completed");
        QTest::newRow("command") << u"pla"_s << u"plan plan-from"_s;
        QTest::newRow("help") << u"help pre"_s << u"presets"_s;
        QTest::newRow("option") << u"plan --mu"_s << u"--must-fit"_s;
        QTest::newRow("options") << u"plan --f"_s << u"--full --fail-over"_s;
        QTest::newRow("operand") << u"completion fi"_s << u"fish"_s;
        QTest::newRow("words of an option") << u"export a --as tr"_s << u"trainer trl"_s;
        QTest::newRow("value") << u"plan --out x"_s << QString(); // the names of files
        QTest::newRow("file") << u"plan lla"_s << QString();
    }

    void bashCompletesWords()
    {
        if (!test::kPosix)
            QSKIP("It runs a POSIX shell.");
        QFETCH(QString, line);
        QFETCH(QString, completed);
        const QString script = run({u"completion"_s, u"bash"_s}).out;
        const QStringList words = line.split(u' ');
        const QString ask =
            u"\nCOMP_WORDS=(vramscope-cli %1); COMP_CWORD=%2\n_vramscope_cli\necho \"${COMPREPLY[*]}\"\n"_s
                .arg(line)
                .arg(words.size());
        QProcess bash;
        bash.start(u"bash"_s, {u"--norc"_s, u"-c"_s, script + ask});
        QVERIFY2(bash.waitForFinished(), "bash is not installed");
        QCOMPARE(QString::fromUtf8(bash.readAllStandardOutput()).trimmed(), completed);
        QVERIFY(bash.readAllStandardError().isEmpty());
    }
};

VRAMSCOPE_TEST(TestCliPlan)
#include "tst_cli_plan.moc"
