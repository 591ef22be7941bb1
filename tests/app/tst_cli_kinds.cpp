// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/app/cli_run.h"
#include "tests/support/compress.h"
#include "tests/support/process.h"
#include "tests/support/sample_snapshot.h"
#include "tests/support/test.h"

#include <QFile>
#include <QJsonArray>
#include <QRegularExpression>
#include <QTemporaryDir>

using namespace vramscope;
using namespace Qt::StringLiterals;
using test::json, test::Outcome, test::run;

/// Files that go to the wrong command, and what is said of flawed and of very large ones.
class TestCliKinds : public test::Test
{
    Q_OBJECT

    QTemporaryDir m_folder;

    QString write(const QString &name, const QByteArray &bytes) const
    {
        QFile out(m_folder.filePath(name));
        return out.open(QIODevice::WriteOnly) && out.write(bytes) == bytes.size() ? out.fileName()
                                                                                  : QString();
    }

private slots:
    void aFileGoesToTheCommandThatReadsIt_data();
    void aFileGoesToTheCommandThatReadsIt();
    void problemsOfAFileStandInEveryReport_data();
    void problemsOfAFileStandInEveryReport();
    void formatsOfOtherProgramsStayWhole();
    void gpusWithoutEndTakeLittleMemory();
    void veryLittleAddressSpaceIsASentence_data();
    void veryLittleAddressSpaceIsASentence();
};

void TestCliKinds::aFileGoesToTheCommandThatReadsIt_data()
{
    const QString runs = m_folder.filePath(u"run.vramranks"_s);
    QFile::copy(test::example("training-out-of-memory.pickle"_L1),
                m_folder.filePath(u"rank0.pickle"_s));
    QCOMPARE(
        run({u"summarize"_s, m_folder.path(), u"--out"_s, m_folder.filePath(u"parts"_s)}).status,
        0);
    QCOMPARE(run({u"collect"_s, m_folder.filePath(u"parts"_s), u"--out"_s, runs}).status, 0);
    const QString snapshot = m_folder.filePath(u"rank0.pickle"_s);
    const QString profile =
        write(u"trace.json"_s, R"({"traceEvents":[{"ph":"X","cat":"kernel","name":"k","pid":0,)"
                               R"("tid":7,"ts":1,"dur":2,"args":{"device":0,"stream":7}}]})");
    const QString timeline = write(u"timeline.json"_s, "[[1,2],[[0,1,2,3,4,5,6,7,8],"
                                                       "[0,1,2,3,4,5,6,7,8]]]");
    const QString gpus = write(u"gpus.csv"_s, "timestamp, index, memory.used [MiB]\n"
                                              "2023/06/22 18:56:56.252, 0, 841 MiB\n");
    const QString screen = test::projectFile(u"tests/data/recordings/smi_screen.log"_s);
    const QString table = write(u"table.csv"_s, "Time (%),Total Time (ns),Instances,Avg (ns),Name\n"
                                                "100.0,500,5,100.0,kernel\n");
    const QString log = write(u"serve.log"_s, "INFO Model loading took 14.99 GiB and 3.2 seconds\n"
                                              "INFO Available KV cache memory: 50.00 GiB\n");
    const QString plan = m_folder.filePath(u"a.vramplan"_s);
    QCOMPARE(run({u"plan"_s, u"llama 3.1 8b lora"_s, u"--out"_s, plan}).status, 0);
    const QString weights = test::projectFile(u"tests/data/weight_files/experts.gguf"_s);
    const QString config =
        write(u"config.json"_s,
              R"({"model_type":"llama","architectures":["LlamaForCausalLM"],"hidden_size":64,)"
              R"("num_hidden_layers":2,"num_attention_heads":4,"intermediate_size":128,)"
              R"("vocab_size":100})");
    struct Kind
    {
        const char *name;
        QString file;
        QStringList readers; // the first is the one to name
    };
    const QList<Kind> kinds{
        {"a snapshot", snapshot, {u"trace"_s, u"diff"_s}},
        {"a packed snapshot",
         write(u"packed.pickle.gz"_s,
               QByteArray::fromStdString(test::gzipped(test::pickled(test::sampleSnapshot())))),
         {u"trace"_s, u"diff"_s}},
        {"a profiler trace", profile, {u"profile"_s, u"trace"_s, u"diff"_s}},
        {"a memory timeline", timeline, {u"trace"_s}},
        {"a log of nvidia-smi", gpus, {u"trace"_s}},
        {"a screen of nvidia-smi", screen, {u"trace"_s}},
        {"a table", table, {u"profile"_s}},
        {"a serving log", log, {u"serving-log"_s}},
        {"a plan", plan, {u"plan"_s, u"diff"_s}},
        {"weights", weights, {u"weights"_s, u"plan"_s, u"import"_s}},
        {"a config", config, {u"import"_s, u"plan"_s}},
        {"summaries", runs, {u"diff"_s}},
    };
    QTest::addColumn<QString>("command");
    QTest::addColumn<QString>("file");
    QTest::addColumn<QString>("reader"); // empty: the command itself
    for (const Kind &kind : kinds) {
        for (const QString &command : {u"trace"_s, u"profile"_s, u"serving-log"_s, u"weights"_s,
                                       u"plan"_s, u"import"_s, u"diff"_s})
            QTest::addRow("%s to %s", kind.name, qPrintable(command))
                << command << kind.file
                << (kind.readers.contains(command) ? QString() : kind.readers.front());
    }
}

void TestCliKinds::aFileGoesToTheCommandThatReadsIt()
{
    QFETCH(QString, command);
    QFETCH(QString, file);
    QFETCH(QString, reader);
    QVERIFY(!file.isEmpty());
    QStringList arguments{command, file};
    if (command == "diff"_L1 && !file.endsWith(".vramranks"_L1))
        arguments << file;
    const Outcome outcome = run(arguments);
    if (reader.isEmpty()) {
        QVERIFY2(outcome.status == 0, qPrintable(outcome.err));
        return;
    }
    QCOMPARE(outcome.status, 1);
    QVERIFY2(outcome.err.contains(u"vramscope-cli %1 "_s.arg(reader)), qPrintable(outcome.err));
    QCOMPARE(outcome.err.count(QRegularExpression(u"vramscope-cli [a-z-]+ "_s)), 1);
    QCOMPARE(run({reader, file}).status, reader == "diff"_L1 && !file.endsWith("ranks"_L1) ? 2 : 0);
}

void TestCliKinds::problemsOfAFileStandInEveryReport_data()
{
    QTest::addColumn<QString>("command");
    for (const char *command : {"live", "stacks", "oom", "peak", "leaks", "steps"})
        QTest::newRow(command) << QString::fromLatin1(command);
}

void TestCliKinds::problemsOfAFileStandInEveryReport()
{
    QFETCH(QString, command);
    QByteArray bytes = QByteArray::fromStdString(test::pickled(test::sampleSnapshot()));
    bytes += "more"; // behind the end
    const QString file = write(u"flawed.pickle"_s, bytes);
    const Outcome text = run({command, file});
    QVERIFY2(text.out.contains("Bytes after the end of the pickle"_L1), qPrintable(text.out));
    QCOMPARE(text.out.count("Bytes after the end of the pickle"_L1), 1);
    const Outcome object = run({command, u"--json"_s, file});
    const QStringList lines = object.out.split(u'\n', Qt::SkipEmptyParts);
    QVERIFY(!lines.isEmpty());
    for (const QString &line : lines) {
        const QJsonArray problems = json(line)["problems"_L1].toArray();
        QCOMPARE(problems.size(), 1);
        QCOMPARE(problems[0].toObject()["kind"_L1].toString(),
                 u"Bytes after the end of the pickle."_s);
    }
}

void TestCliKinds::formatsOfOtherProgramsStayWhole()
{
    QByteArray bytes = QByteArray::fromStdString(test::pickled(test::sampleSnapshot()));
    bytes += "more";
    const QString file = write(u"flawed.pickle"_s, bytes);
    for (const char *form : {"--folded", "--speedscope"}) {
        const Outcome outcome = run({u"stacks"_s, QString::fromLatin1(form), file});
        QCOMPARE(outcome.status, 0);
        QVERIFY(!outcome.out.contains("Bytes after"_L1));
        QVERIFY2(outcome.err.contains("Bytes after"_L1), qPrintable(outcome.err));
    }
}

void TestCliKinds::gpusWithoutEndTakeLittleMemory()
{
#ifdef VRAMSCOPE_SANITIZED
    QSKIP("A sanitizer's own memory would be measured (sanitizer).");
#endif
    if (!test::kPosix)
        QSKIP("It limits memory with ulimit, which Windows has not.");
    constexpr int kGpus = 100'000;
    QByteArray log = "timestamp, index, memory.used [MiB], memory.total [MiB]\n";
    for (int at = 0; at < kGpus; ++at)
        log += "2026/11/02 10:11:12.252, " + QByteArray::number(at) + ", 841 MiB, 81559 MiB\n";
    const QString file = write(u"many.csv"_s, log);
    QProcess process;
    process.start(u"/usr/bin/env"_s,
                  {u"python3"_s, u"-c"_s,
                   u"import resource, subprocess, sys\n"
                   "out = subprocess.run(sys.argv[1:], capture_output=True, check=True).stdout\n"
                   "most = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss * 1024\n"
                   "print(len(out), most)"_s,
                   QStringLiteral(VRAMSCOPE_CLI), u"trace"_s, u"--json"_s, file});
    QVERIFY(process.waitForFinished(120'000));
    const QByteArrayList figures = process.readAllStandardOutput().trimmed().split(' ');
    QCOMPARE(figures.size(), 2);
    const qint64 printed = figures[0].toLongLong();
    const qint64 taken = figures[1].toLongLong();
    QVERIFY2(printed > 40'000'000, figures[0].constData());
    QVERIFY2(taken < 3 * printed, figures[1].constData());
}

void TestCliKinds::veryLittleAddressSpaceIsASentence_data()
{
    QTest::addColumn<int>("kilobytes");
    for (int kilobytes = 20'000; kilobytes <= 64'000; kilobytes += 4'000)
        QTest::addRow("%d", kilobytes) << kilobytes;
}

void TestCliKinds::veryLittleAddressSpaceIsASentence()
{
#ifdef VRAMSCOPE_SANITIZED
    QSKIP("More addresses are taken than any limit leaves (sanitizer).");
#endif
    if (!test::kPosix)
        QSKIP("It limits memory with ulimit, which Windows has not.");
    QFETCH(int, kilobytes);
    QProcess process;
    process.start(u"/bin/sh"_s,
                  {u"-c"_s, u"ulimit -v %1; exec \"$0\" trace \"$1\""_s.arg(kilobytes),
                   QStringLiteral(VRAMSCOPE_CLI),
                   test::example("training-out-of-memory.pickle"_L1)});
    QVERIFY(process.waitForFinished(60'000));
    QCOMPARE(process.exitStatus(), QProcess::NormalExit);
    const QByteArray said = process.readAllStandardError();
    if (process.exitCode() == 127) // the libraries themselves do not fit
        return;
    QVERIFY2(process.exitCode() == 0 || process.exitCode() == 1, said.constData());
    if (process.exitCode() == 1)
        QVERIFY2(said.count('\n') == 1 && said.contains("There is not enough memory"),
                 said.constData());
}

VRAMSCOPE_TEST(TestCliKinds)
#include "tst_cli_kinds.moc"
