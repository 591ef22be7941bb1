// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/app/cli_run.h"
#include "tests/support/process.h"
#include "tests/support/rank_run.h"
#include "tests/support/test.h"

#include <QDir>
#include <QFile>
#include <QJsonArray>
#include <QTemporaryDir>

using namespace vramscope;
using namespace Qt::StringLiterals;
using test::json, test::Outcome, test::run;

namespace {

constexpr int kRunParts = 4;

/// The snapshots of a run of 64 ranks, and the commands over them.
class RunFolder
{
public:
    RunFolder()
    {
        QDir(m_root.path()).mkdir(u"snap shots"_s); // a name that shells take apart
        for (int rank = 0; rank < made.ranks; ++rank)
            put(rank, test::rankSnapshot(made, rank).bytes);
    }

    void put(int rank, const std::string &bytes) const
    {
        QFile file(snapshots() + u'/' + QString::fromStdString(made.fileName(rank)));
        QVERIFY(file.open(QIODevice::WriteOnly));
        file.write(bytes.data(), qint64(bytes.size()));
    }
    [[nodiscard]] Outcome summarizePart(int part) const
    {
        return run({u"summarize"_s, snapshots(), u"--ranks=64"_s,
                    u"--part=%1/%2"_s.arg(part).arg(kRunParts), u"--out"_s, out()});
    }
    void summarizeAll() const
    {
        for (int part = 0; part < kRunParts; ++part)
            QCOMPARE(summarizePart(part).status, 0);
    }
    [[nodiscard]] QString part(int at) const
    {
        return out() + u"/part-0000%1-of-0000%2.vramranks"_s.arg(at).arg(kRunParts);
    }
    [[nodiscard]] Outcome collect() const
    {
        return run({u"collect"_s, out(), u"--ranks"_s, u"64"_s, u"--out"_s, whole()});
    }

    [[nodiscard]] QString snapshots() const { return m_root.filePath(u"snap shots"_s); }
    [[nodiscard]] QString out() const { return m_root.filePath(u"out"_s); }
    [[nodiscard]] QString whole() const { return m_root.filePath(u"run.vramranks"_s); }

    test::RankRun made{.ranks = 64, .failing = 43, .beside = 2, .later = 60};

private:
    QTemporaryDir m_root;
};

} // namespace

class TestCliRuns : public test::Test
{
    Q_OBJECT

private slots:
    void aRunIsSummarisedCollectedAndCompared();
    void figuresAreThoseOfTrace();
    void whatIsMissingIsHealedByThePrintedLine();
    void wrongArgumentsAreSentences_data();
    void wrongArgumentsAreSentences();
    void recipesAreThere();
    void profilerTracesAreSummarisedAndCompared();
};

void TestCliRuns::aRunIsSummarisedCollectedAndCompared()
{
    const RunFolder folder;
    const Outcome first = folder.summarizePart(0);
    QCOMPARE(first.status, 0);
    QVERIFY2(first.out.startsWith("Part 0 of 4: 16 files; 16 ranks summarised; "_L1),
             qPrintable(first.out));
    QVERIFY(folder.summarizePart(0).out.contains("summarised already in"_L1));
    folder.summarizeAll();
    const Outcome collected = folder.collect();
    QCOMPARE(collected.status, 0);
    QVERIFY2(collected.out.startsWith("64 of 64 ranks.\n"_L1), qPrintable(collected.out));
    QVERIFY(collected.err.isEmpty());
    const Outcome text = run({u"diff"_s, folder.whole()});
    QCOMPARE(text.status, 0);
    QVERIFY2(text.out.contains("Rank 43 (node0005, device 3) failed first of 3 ranks"_L1),
             qPrintable(text.out));
    const QJsonObject whole =
        json(run({u"diff"_s, folder.whole(), u"--json"_s, u"--layout=dp=8,pp=8"_s}).out);
    QCOMPARE(whole["ranks"_L1].toInt(), 64);
    QCOMPARE(whole["groups"_L1].toArray().size(), qsizetype(8));
    QCOMPARE(whole["outliers"_L1].toArray()[0]["rank"_L1].toInt(), 43);
    QCOMPARE(whole["explained"_L1].toArray()[0]["by"_L1].toString(), u"pp"_s);
    const Outcome trace = run({u"trace"_s, folder.whole()});
    QCOMPARE(trace.status, 1);
    QVERIFY(trace.err.contains("vramscope-cli diff"_L1));
    // The folder of the parts says the same.
    QCOMPARE(run({u"diff"_s, folder.out(), u"--json"_s, u"--layout=dp=8,pp=8"_s}).out,
             run({u"diff"_s, folder.whole(), u"--json"_s, u"--layout=dp=8,pp=8"_s}).out);
}

void TestCliRuns::figuresAreThoseOfTrace()
{
    if (!test::kPosix)
        QSKIP("It runs a POSIX shell.");
    const RunFolder folder;
    folder.summarizeAll();
    QCOMPARE(folder.collect().status, 0);
    QHash<QString, QJsonObject> summaries;
    QProcess shell;
    shell.start(u"sh"_s, {u"-c"_s, u"zcat < '%1'"_s.arg(folder.whole())});
    QVERIFY(shell.waitForFinished());
    for (const QByteArray &line : shell.readAllStandardOutput().split('\n')) {
        const QJsonObject record = QJsonDocument::fromJson(line).object();
        if (record["kind"_L1].toString() == "rank"_L1)
            summaries[record["source"_L1].toString()] = record;
    }
    QCOMPARE(summaries.size(), qsizetype(64));
    const QStringList traces =
        run({u"trace"_s, u"--json"_s, folder.snapshots()}).out.split(u'\n', Qt::SkipEmptyParts);
    QCOMPARE(traces.size(), qsizetype(64));
    for (const QString &line : traces) {
        const QJsonObject trace = json(line);
        const QJsonObject device = trace["devices"_L1].toArray()[0].toObject();
        const QString name = QFileInfo(trace["file"_L1].toString()).fileName();
        const QJsonObject figures = summaries[name]["figures"_L1].toObject();
        QVERIFY(figures.size() > 15);
        for (auto each = figures.begin(); each != figures.end(); ++each)
            QVERIFY2(device[each.key()] == each.value(), qPrintable(name + u' ' + each.key()));
        QCOMPARE(summaries[name]["device"_L1], device["device"_L1]);
        QCOMPARE(summaries[name]["failure_count"_L1].toInt(),
                 int(device["oom"_L1].toArray().size()));
        QVERIFY(summaries[name]["producer"_L1] == trace["producer"_L1]);
    }
}

void TestCliRuns::whatIsMissingIsHealedByThePrintedLine()
{
    const RunFolder folder;
    const std::string broken = test::rankSnapshot(folder.made, 20).bytes;
    folder.put(20, broken.substr(0, 1000));
    folder.summarizeAll();
    const Outcome unusable = run({u"summarize"_s, folder.snapshots(), u"--ranks=64"_s,
                                  u"--part=1/4"_s, u"--out"_s, folder.out(), u"--again"_s});
    QCOMPARE(unusable.status, 0); // it is a record
    QVERIFY2(unusable.err.contains("node0002_rank20.pickle: "_L1), qPrintable(unusable.err));
    QVERIFY(unusable.out.contains("15 ranks summarised, 1 that cannot be used"_L1));
    QCOMPARE(folder.collect().status, 0);

    QVERIFY(QFile::remove(folder.part(2)));
    QFile cut(folder.part(3));
    QVERIFY(cut.resize(cut.size() / 2));
    const Outcome collected = folder.collect();
    QCOMPARE(collected.status, 1);
    QVERIFY(collected.err.contains("Part 2 of 4 is missing."_L1));
    QVERIFY(collected.err.contains("Part 3 of 4 is not complete."_L1));
    QString line;
    for (const QString &each : collected.err.split(u'\n')) {
        if (each.contains("for part in"_L1))
            line = each.trimmed();
    }
    if (!test::kPosix)
        QSKIP("It runs a POSIX shell.");
    // As a user would paste it, where the program is in the path.
    QProcess shell;
    QProcessEnvironment environment = QProcessEnvironment::systemEnvironment();
    environment.insert(u"PATH"_s, QFileInfo(QStringLiteral(VRAMSCOPE_CLI)).path() + u':' +
                                      environment.value(u"PATH"_s));
    shell.setProcessEnvironment(environment);
    shell.start(u"sh"_s, {u"-c"_s, line});
    QVERIFY(shell.waitForFinished(60'000));
    QCOMPARE(shell.exitCode(), 0);
    const Outcome healed = folder.collect();
    QCOMPARE(healed.status, 0);
    QVERIFY(healed.err.isEmpty());
    QVERIFY2(healed.out.startsWith("63 of 64 ranks.\nRank 20's node0002_rank20.pickle cannot be "
                                   "used."_L1),
             qPrintable(healed.out));
}

void TestCliRuns::wrongArgumentsAreSentences_data()
{
    QTest::addColumn<QStringList>("arguments");
    QTest::addColumn<int>("status");
    QTest::addColumn<QString>("says");
    const auto row = [](const char *name, const QStringList &arguments, int status,
                        const char *says) {
        QTest::newRow(name) << arguments << status << QString::fromUtf8(says);
    };
    row("no output", {u"summarize"_s, u"."_s}, 2, "--out names the folder");
    row("part", {u"summarize"_s, u"."_s, u"--part=3"_s, u"--out=/tmp"_s}, 2, "is no part");
    row("last part", {u"summarize"_s, u"."_s, u"--part=4/4"_s, u"--out=/tmp"_s}, 2,
        "counted from 0");
    row("empty part", {u"summarize"_s, u"."_s, u"--part=/4"_s, u"--out=/tmp"_s}, 2, "is no part");
    row("ranks", {u"summarize"_s, u"."_s, u"--ranks=0"_s, u"--out=/tmp"_s}, 2, "--ranks: \"0\"");
    row("jobs", {u"summarize"_s, u"."_s, u"--jobs=x"_s, u"--out=/tmp"_s}, 2, "--jobs: \"x\"");
    row("no folder", {u"summarize"_s, u"/nowhere"_s, u"--out=/tmp"_s}, 1, "no folder");
    row("collect without output", {u"collect"_s, u"."_s}, 2, "--out names the file");
    row("nothing to collect", {u"collect"_s, u"."_s, u"--out=/dev/null"_s}, 1,
        "there are no summaries");
    row("no summaries", {u"collect"_s, u"training-out-of-memory.pickle"_s, u"--out=/dev/null"_s}, 1,
        "no summaries of ranks");
    row("layout", {u"diff"_s, u"a"_s, u"b"_s, u"--layout=tp=2"_s}, 2,
        "--layout: it says something");
}

void TestCliRuns::wrongArgumentsAreSentences()
{
    QFETCH(QStringList, arguments);
    QFETCH(int, status);
    QFETCH(QString, says);
    const Outcome outcome = run(arguments);
    QCOMPARE(outcome.status, status);
    QVERIFY2(outcome.err.contains(says), qPrintable(outcome.err));
    QVERIFY(outcome.out.isEmpty());
}

void TestCliRuns::recipesAreThere()
{
    for (const auto topic : {"slurm"_L1, "kubernetes"_L1, "mpi"_L1, "parallel"_L1}) {
        const Outcome recipe = run({u"recipe"_s, topic});
        QCOMPARE(recipe.status, 0);
        QVERIFY(recipe.out.contains("vramscope-cli summarize"_L1));
        QVERIFY(recipe.out.contains("vramscope-cli collect"_L1));
    }
}

void TestCliRuns::profilerTracesAreSummarisedAndCompared()
{
    const QTemporaryDir folder;
    const QString traces = test::projectFile(u"tests/data/profiles/late"_s);
    const QString out = folder.filePath(u"parts"_s);
    for (const QString &part : {u"0/2"_s, u"1/2"_s})
        QCOMPARE(run({u"summarize"_s, traces, u"--part"_s, part, u"--out"_s, out}).status, 0);
    const QString whole = folder.filePath(u"run.vramranks"_s);
    const Outcome collected = run({u"collect"_s, out, u"--out"_s, whole});
    QCOMPARE(collected.status, 0);
    QVERIFY2(collected.out.startsWith("3 of 3 ranks"_L1), qPrintable(collected.out));
    const Outcome text = run({u"diff"_s, whole});
    QVERIFY2(text.out.contains("Rank 2 came last in 6 of 6 collectives"_L1), qPrintable(text.out));
    QVERIFY(!text.out.contains("out of memory"_L1)); // of which nothing is known
    // The same of the traces themselves.
    const QJsonObject summaries = json(run({u"diff"_s, u"--json"_s, whole}).out);
    const QJsonObject here = json(run({u"diff"_s, u"--json"_s, traces}).out);
    QCOMPARE(summaries["activity"_L1]["late"_L1].toInt(), 2);
    QCOMPARE(summaries["activity"_L1], here["activity"_L1]);
    QCOMPARE(summaries["per_rank"_L1], here["per_rank"_L1]);
}

VRAMSCOPE_TEST(TestCliRuns)
#include "tst_cli_runs.moc"
