// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/app/cli_run.h"
#include "tests/support/canonical_json.h"
#include "tests/support/nsight_export.h"
#include "tests/support/test.h"

#include <QFile>
#include <QJsonArray>
#include <QTemporaryDir>

using namespace vramscope;
using namespace Qt::StringLiterals;
using test::json, test::Outcome, test::run;

namespace {

QString profileFile(const QString &name)
{
    return test::projectFile(u"tests/data/profiles/"_s + name);
}

/// What was printed as JSON but for its problems, of which the reference says nothing.
QJsonObject figures(const QString &printed)
{
    return json(QString::fromStdString(test::withoutMember(printed.toStdString(), "problems")));
}

/// The same before any other word of the output.
bool beginsWithTheCut(const Outcome &outcome)
{
    const bool begins =
        outcome.out.startsWith(u"Problem"_s) && outcome.out.section(u"\n\n"_s, 0, 0)
                                                    .simplified()
                                                    .contains(u"The file ends in the middle"_s);
    if (!begins)
        qWarning("%s", qPrintable(outcome.out));
    return begins;
}

} // namespace

class TestCliProfiles : public test::Test
{
    Q_OBJECT

private slots:
    void aProfileIsTheReferencesFigures();
    void tablesAreAsLongAsIsAsked();
    void operatorsAreSummedAsIsAsked();
    void namesOfPeopleAreLeftOut();
    void runsStandBesideEachOtherWithTheirTargets();
    void aFolderOfRanksNamesTheLateOne();
    void whatIsNoProfileInAFolderIsLeftOutAndSaid();
    void rulesOfAFileReplaceThoseThatShip();
    void theShippedRulesCanBeEdited();
    void twoProfilesAreComparedStepByStep();
    void wrongArgumentsSayWhatThereIs_data();
    void wrongArgumentsSayWhatThereIs();
    void aFileThatIsNoProfileIsNamed();
    void tablesOfNsightAreShownAndJoined();
    void theGpusOfAnExportAreRanksOfARun();
    void aCutTraceIsNamedFirst();
    void aCutRankIsNamedFirstAndComesLastNowhere();
    void rowsInALogOfSqliteAreNotPassedOver();
    void nsightsOwnDiagnosticsStandFirst();
    void tablesInColumnsAreThoseOfTheirCsv();
};

void TestCliProfiles::aCutTraceIsNamedFirst()
{
    const QString file = profileFile(u"flawed/cut_trace.json"_s);
    const Outcome text = run({u"profile"_s, file});
    QCOMPARE(text.status, 0);
    QVERIFY(beginsWithTheCut(text));
    QVERIFY2(!text.out.contains(u"Nothing ran"_s) && text.out.contains(u"missing end"_s),
             qPrintable(text.out));
    const QJsonArray problems =
        json(run({u"profile"_s, u"--json"_s, file}).out)["problems"_L1].toArray();
    QVERIFY(problems.first()["kind"_L1].toString().startsWith(u"The file ends in the middle"_s));
    QVERIFY(problems.first()["first"_L1].toInteger() > 0);
    const QString whole = profileFile(u"late/rank0.json.gz"_s);
    QVERIFY(beginsWithTheCut(run({u"diff"_s, whole, file})));
    QCOMPARE(json(run({u"diff"_s, u"--json"_s, whole, file}).out)["problems"_L1]
                 .toArray()
                 .first()["side"_L1]
                 .toString(),
             u"b"_s);
    const Outcome table = run({u"profile"_s, u"--table"_s, file});
    QVERIFY2(table.err.contains(u"The file ends in the middle"_s), qPrintable(table.err));
    QCOMPARE(json(run({u"profile"_s, u"--json"_s, whole}).out)["problems"_L1].toArray().size(), 0);
}

void TestCliProfiles::aCutRankIsNamedFirstAndComesLastNowhere()
{
    const QString folder = profileFile(u"flawed/cut_ranks"_s);
    const Outcome text = run({u"profile"_s, folder});
    QVERIFY(beginsWithTheCut(text));
    QVERIFY2(text.out.startsWith(u"Problem: Rank 1 (rank1.json) does not count in waits"_s),
             qPrintable(text.out));
    QVERIFY2(!text.out.contains(u"came last in"_s), qPrintable(text.out));
    const QJsonObject printed = json(run({u"profile"_s, u"--json"_s, folder}).out);
    QVERIFY(!printed["problems"_L1].toArray().isEmpty());
    QVERIFY(printed["ranks"_L1].toArray().at(0)["problems"_L1].toArray().isEmpty());
    QVERIFY(!printed["ranks"_L1].toArray().at(1)["problems"_L1].toArray().isEmpty());
    const QString a = folder + u"/rank0.json"_s;
    QVERIFY(beginsWithTheCut(run({u"diff"_s, a, folder + u"/rank1.json"_s})));
    QVERIFY(beginsWithTheCut(run({u"profile"_s, u"--table"_s, folder})));

    // And where it passes through a summary.
    const QTemporaryDir work;
    const QString collected = work.filePath(u"run.vramranks"_s);
    QCOMPARE(run({u"summarize"_s, folder, u"--part"_s, u"0/1"_s, u"--out"_s, work.path()}).status,
             0);
    QCOMPARE(run({u"collect"_s, work.path(), u"--out"_s, collected}).status, 0);
    const Outcome run1 = run({u"diff"_s, collected});
    QVERIFY(beginsWithTheCut(run1));
    QVERIFY2(run1.out.contains(u"does not count in waits"_s), qPrintable(run1.out));
    QVERIFY2(!run1.out.contains(u"came last in"_s), qPrintable(run1.out));
    const QJsonObject summary = json(run({u"diff"_s, u"--json"_s, collected}).out);
    QVERIFY(!summary["problems"_L1].toArray().isEmpty());
    QVERIFY(summary["activity"_L1]["late"_L1].isNull());
    QCOMPARE(summary["per_rank"_L1].toArray().at(1)["profile"_L1]["cut"_L1].toBool(), true);
}

void TestCliProfiles::rowsInALogOfSqliteAreNotPassedOver()
{
    const QTemporaryDir folder;
    const QString file = folder.filePath(u"report.sqlite"_s);
    QVERIFY(QFile::copy(profileFile(u"flawed/nsys_wal.sqlite"_s), file));
    QCOMPARE(json(run({u"profile"_s, u"--json"_s, file}).out)["device_events"_L1].toInteger(), 36);
    QVERIFY(QFile::copy(profileFile(u"flawed/nsys_wal.sqlite-wal"_s), file + u"-wal"_s));
    for (const QString &command : {u"profile"_s, u"trace"_s}) {
        const Outcome outcome = run({command, file});
        QCOMPARE(outcome.status, 1);
        QVERIFY2(outcome.err.contains(u"report.sqlite-wal"_s) &&
                     outcome.err.contains(u"wal_checkpoint(TRUNCATE)"_s),
                 qPrintable(outcome.err));
        QVERIFY(outcome.out.isEmpty());
    }
    // A log that was merged and started anew has other salts in its frames.
    QFile log(file + u"-wal"_s);
    QVERIFY(log.open(QIODevice::ReadWrite));
    QVERIFY(log.seek(16));
    log.write("newsalts");
    log.close();
    QCOMPARE(run({u"profile"_s, file}).status, 0);
    QVERIFY(log.remove());
    QFile journal(file + u"-journal"_s);
    QVERIFY(journal.open(QIODevice::WriteOnly));
    journal.write("\xD9\xD5\x05\xF9\x20\xA1\x63\xD7");
    journal.close();
    const Outcome hot = run({u"profile"_s, file});
    QCOMPARE(hot.status, 1);
    QVERIFY2(hot.err.contains(u"report.sqlite-journal"_s), qPrintable(hot.err));
}

void TestCliProfiles::nsightsOwnDiagnosticsStandFirst()
{
    const QString file = profileFile(u"flawed/nsys_launches_no_kernels.sqlite.gz"_s);
    const Outcome text = run({u"profile"_s, file});
    QVERIFY2(text.out.startsWith(u"Problem: Nsight Systems"_s), qPrintable(text.out));
    const QString words = text.out.simplified();
    for (const QString &part :
         {u"CUPTI_ERROR_INVALID_DEVICE"_s, u"Installed CUDA driver version (13.3)"_s,
          u"The recording has no device event."_s, u"200 launches (cudaLaunchKernel"_s})
        QVERIFY2(words.contains(part), qPrintable(text.out));
    QVERIFY(!words.contains(u"Nothing ran"_s));
}

void TestCliProfiles::tablesInColumnsAreThoseOfTheirCsv()
{
    const Outcome columns = run({u"profile"_s, profileFile(u"flawed/nsys_stats_columns.txt"_s)});
    QCOMPARE(columns.status, 0);
    for (const QString &part : {u"ampere_sgemm_128x64_tn"_s, u"[CUDA memset]"_s, u"1200"_s})
        QVERIFY2(columns.out.contains(part), qPrintable(columns.out));
    const Outcome early =
        run({u"profile"_s, profileFile(u"flawed/nsys_gpu_trace_from_1.9_s.csv"_s)});
    QCOMPARE(early.status, 0);
    QVERIFY2(early.out.contains(u"ampere_sgemm_128x64_tn"_s), qPrintable(early.out));
}

void TestCliProfiles::aProfileIsTheReferencesFigures()
{
    QFile expected(profileFile(u"late.expected.json"_s));
    QVERIFY(expected.open(QIODevice::ReadOnly));
    const QJsonObject folder = json(QString::fromUtf8(expected.readAll()));
    QCOMPARE(figures(run({u"profile"_s, u"--json"_s, profileFile(u"late"_s)}).out), folder);
    QCOMPARE(figures(run({u"profile"_s, u"--json"_s, profileFile(u"late/rank1.json.gz"_s)}).out),
             folder["ranks"_L1].toArray().at(1).toObject());
}

void TestCliProfiles::tablesOfNsightAreShownAndJoined()
{
    const QTemporaryDir folder;
    const auto write = [&](const QString &name, const QByteArray &bytes) {
        QFile file(folder.filePath(name));
        return file.open(QIODevice::WriteOnly) && file.write(bytes) == bytes.size();
    };
    QVERIFY(write(u"sums.csv"_s, "Time (%),Total Time (ns),Instances,Name\n"
                                 "90.0,1500000,3,gemm\n10.0,100,1,scale\n"));
    QVERIFY(write(u"counters.csv"_s,
                  "==PROF== Connected to process 1\n"
                  "\"ID\",\"Kernel Name\",\"Metric Name\",\"Metric Unit\",\"Metric Value\"\n"
                  "\"0\",\"void gemm(int)\",\"Achieved Occupancy\",\"%\",\"62.50\"\n"
                  "\"0\",\"void gemm(int)\",\"DRAM Throughput\",\"%\",\"20.00\"\n"
                  "\"1\",\"other\",\"Achieved Occupancy\",\"%\",\"1.00\"\n"));
    QVERIFY(write(u"trace.json"_s,
                  R"x({"schemaVersion": 1, "traceEvents": [
{"ph": "X", "cat": "kernel", "name": "void gemm(int)", "pid": 0, "tid": 7, "ts": 1, "dur": 4,
 "args": {"device": 0, "stream": 7}},
{"ph": "X", "cat": "kernel", "name": "void gemm(int)", "pid": 0, "tid": 7, "ts": 9, "dur": 4,
 "args": {"device": 0, "stream": 7}}]})x"));
    const Outcome sums = run({u"profile"_s, folder.filePath(u"sums.csv"_s)});
    QCOMPARE(sums.status, 0);
    QVERIFY(sums.out.contains(u"1 table of nsys stats"_s));
    QVERIFY(sums.out.contains(u"1.5 ms"_s));
    const QJsonObject cells =
        json(run({u"profile"_s, u"--json"_s, folder.filePath(u"sums.csv"_s)}).out);
    const QJsonObject table = cells["tables"_L1].toArray().first().toObject();
    QCOMPARE(table["rows"_L1].toArray().size(), 2);
    QCOMPARE(table["rows"_L1].toArray().first().toArray()[1].toInt(), 1'500'000);

    const QStringList joined{u"profile"_s, folder.filePath(u"trace.json"_s), u"--counters"_s,
                             folder.filePath(u"counters.csv"_s)};
    const Outcome text = run(joined);
    QCOMPARE(text.status, 0);
    QVERIFY(text.out.contains(u"62.5 %"_s));
    QVERIFY(text.out.contains(u"1 of 2 launches"_s));
    QVERIFY(text.out.contains(u"Left out: 1 launch of kernels that were not recorded here"_s));
    QVERIFY(text.out.contains(u"no SM throughput"_s));
    const QJsonObject counted = json(run(joined + QStringList{u"--json"_s}).out);
    QCOMPARE(counted["counters"_L1].toObject()["joined"_L1].toInt(), 1);
    const QJsonObject kernel = counted["kernels"_L1].toArray().first().toObject();
    QCOMPARE(kernel["counters"_L1].toObject()["achieved_occupancy"_L1].toDouble(), 62.5);
    QVERIFY(kernel["counters"_L1].toObject()["sm_throughput"_L1].isNull());

    for (const QString &command : {u"trace"_s, u"oom"_s})
        QVERIFY(run({command, folder.filePath(u"sums.csv"_s)}).err.contains(u"profile shows it"_s));
    const Outcome wrong = run({u"profile"_s, folder.filePath(u"trace.json"_s), u"--counters"_s,
                               folder.filePath(u"sums.csv"_s)});
    QVERIFY(wrong.status != 0);
    QVERIFY(wrong.err.contains(u"sums of nsys stats"_s));
    const Outcome many =
        run({u"profile"_s, folder.path(), u"--counters"_s, folder.filePath(u"counters.csv"_s)});
    QVERIFY(many.status != 0);
    QVERIFY(many.err.contains(u"a recording alone"_s));
}

void TestCliProfiles::theGpusOfAnExportAreRanksOfARun()
{
    const QTemporaryDir folder;
    QFile file(folder.filePath(u"report.sqlite"_s));
    QVERIFY(file.open(QIODevice::WriteOnly));
    file.write(QByteArray::fromStdString(test::sampleNsightExport()));
    file.close();
    const QJsonObject alone = json(run({u"profile"_s, u"--json"_s, file.fileName()}).out);
    QCOMPARE(alone["devices"_L1].toObject().size(), 2);
    QVERIFY(run({u"trace"_s, file.fileName()}).out.contains(u"nsight-systems"_s));
    for (const QStringList &arguments :
         {QStringList{u"--ranks"_s, file.fileName()}, QStringList{folder.path()}}) {
        const Outcome ranks = run(QStringList{u"profile"_s} + arguments);
        QCOMPARE(ranks.status, 0);
        QVERIFY(ranks.out.contains(u"2 GPUs, each a rank; one recording on one clock"_s));
        QVERIFY(ranks.out.contains(u"GPU 1 of process 12"_s));
        QVERIFY(ranks.out.contains(u"4.00 KiB"_s));
    }
    QFile report(folder.filePath(u"report.nsys-rep"_s));
    QVERIFY(report.open(QIODevice::WriteOnly));
    report.write("\x01\x02\x03");
    report.close();
    const Outcome closed = run({u"profile"_s, report.fileName()});
    QVERIFY(closed.status != 0);
    QVERIFY2(closed.err.contains(u"nsys export --type sqlite"_s), qPrintable(closed.err));
}

void TestCliProfiles::tablesAreAsLongAsIsAsked()
{
    const QString file = profileFile(u"late/rank0.json.gz"_s);
    const Outcome cut = run({u"profile"_s, u"--json"_s, u"--top"_s, u"2"_s, file});
    QCOMPARE(json(cut.out)["operators"_L1].toArray().size(), 2);
    const Outcome text = run({u"profile"_s, u"--top"_s, u"1"_s, file});
    QVERIFY(text.out.contains(u"--top 0 lists them"_s));
    QVERIFY(!text.out.contains(u"HTA"_s));
    QVERIFY(run({u"profile"_s, u"--as-hta"_s, file}).out.contains(u"As HTA"_s));
}

void TestCliProfiles::operatorsAreSummedAsIsAsked()
{
    const QString file = profileFile(u"late/rank0.json.gz"_s);
    const auto by = [&](const QString &grouping) {
        return run({u"profile"_s, u"--by"_s, grouping, u"--top"_s, u"0"_s, file});
    };
    const QString name = by(u"name"_s).out;
    QVERIFY(name.contains(u"nccl:allreduce\n"_s));
    static const QRegularExpression shapes(u"nccl:allreduce +\\[\\[8, 1023\\]\\]"_s);
    QVERIFY(!name.contains(shapes));
    QVERIFY(by(u"shapes"_s).out.contains(shapes));
    QVERIFY(by(u"module"_s).out.contains(u"no module recorded"_s));
    const Outcome wrong = by(u"colour"_s);
    QCOMPARE(wrong.status, 2);
    QVERIFY2(wrong.err.contains(u"shapes"_s), qPrintable(wrong.err));
}

void TestCliProfiles::namesOfPeopleAreLeftOut()
{
    const QTemporaryDir folder;
    QFile trace(folder.filePath(u"node7.alice.pt.trace.json"_s));
    QVERIFY(trace.open(QIODevice::WriteOnly));
    trace.write(R"({"traceEvents": [
{"ph": "X", "cat": "user_annotation", "name": "/home/alice/train.py", "pid": 1, "tid": 1, "ts": 5, "dur": 9},
{"ph": "X", "cat": "kernel", "name": "gemm", "pid": 0, "tid": 7, "ts": 6, "dur": 4,
 "args": {"device": 0, "stream": 7, "correlation": 1}}]})");
    trace.close();
    for (const QString &format : {u"--json"_s, u"--by"_s}) {
        QStringList arguments{u"profile"_s, u"--redact"_s, format};
        if (format == u"--by"_s)
            arguments += u"path"_s;
        const Outcome outcome = run(arguments + QStringList{trace.fileName()});
        QCOMPARE(outcome.status, 0);
        QVERIFY2(!outcome.out.contains(u"alice"_s), qPrintable(outcome.out));
        QVERIFY2(outcome.out.contains(u"gemm"_s) || format == u"--json"_s, qPrintable(outcome.out));
    }
}

void TestCliProfiles::runsStandBesideEachOtherWithTheirTargets()
{
    const QString folder = profileFile(u"late"_s);
    const Outcome table =
        run({u"profile"_s, u"--table"_s, u"--json"_s, folder, folder + u"/rank0.json.gz"_s});
    const QJsonObject all = json(table.out);
    const QJsonArray runs = all["runs"_L1].toArray();
    QCOMPARE(runs.size(), 4);
    const QJsonObject late = runs[2].toObject();
    QCOMPARE(late["file"_L1].toString(), u"rank2.json.gz"_s);
    QCOMPARE(late["steps"_L1].toInteger(), 3);
    QCOMPARE(late["compute"_L1].toInteger() + late["non_compute"_L1].toInteger() +
                 late["idle"_L1].toInteger(),
             late["span"_L1].toInteger());
    QVERIFY(late["compute_share"_L1].toDouble() > all["targets"_L1]["compute_share"_L1].toDouble());
    QCOMPARE(runs[3].toObject(), runs[0].toObject());
    const Outcome text = run({u"profile"_s, u"--table"_s, folder});
    QVERIFY2(text.out.contains(u"97.7 % ok"_s), qPrintable(text.out));
    QVERIFY2(text.out.contains(u"75.2 % low"_s), qPrintable(text.out));
    QCOMPARE(run({u"profile"_s, u"--table"_s, u"no such file"_s}).status, 1);
    const QTemporaryDir cutOff; // what a folder lacks is told, as without --table
    QFile whole(profileFile(u"late/rank0.json.gz"_s));
    QVERIFY(whole.open(QIODevice::ReadOnly));
    QVERIFY(QFile::copy(whole.fileName(), cutOff.filePath(u"rank0.json.gz"_s)));
    QFile broken(cutOff.filePath(u"rank1.json.gz"_s));
    QVERIFY(broken.open(QIODevice::WriteOnly));
    broken.write(whole.read(200));
    broken.close();
    const Outcome partly = run({u"profile"_s, u"--table"_s, u"--json"_s, cutOff.path()});
    QCOMPARE(partly.status, 1);
    QVERIFY2(partly.err.contains(u"rank1.json.gz"_s), qPrintable(partly.err));
    QCOMPARE(json(partly.out)["runs"_L1].toArray().size(), 1);
}

void TestCliProfiles::aFolderOfRanksNamesTheLateOne()
{
    const Outcome outcome = run({u"profile"_s, profileFile(u"late"_s)});
    QCOMPARE(outcome.status, 0);
    QVERIFY2(outcome.out.contains(u"Rank 2 came last in 6 of 6"_s), qPrintable(outcome.out));
}

void TestCliProfiles::whatIsNoProfileInAFolderIsLeftOutAndSaid()
{
    const QTemporaryDir folder;
    for (const QString &rank : {u"rank0.json.gz"_s, u"rank1.json.gz"_s})
        QVERIFY(QFile::copy(profileFile(u"apart/"_s + rank), folder.filePath(rank)));
    QVERIFY(QFile::copy(test::example("training-out-of-memory.pickle"_L1),
                        folder.filePath(u"memory.pickle"_s)));
    const Outcome outcome = run({u"profile"_s, u"--json"_s, folder.path()});
    QCOMPARE(outcome.status, 0);
    QVERIFY2(outcome.err.contains(u"no profiler trace: 1 file"_s), qPrintable(outcome.err));
    QCOMPARE(json(outcome.out)["ranks"_L1].toArray().size(), 2);
}

void TestCliProfiles::rulesOfAFileReplaceThoseThatShip()
{
    const QTemporaryDir folder;
    QFile rules(folder.filePath(u"rules.json"_s));
    QVERIFY(rules.open(QIODevice::WriteOnly));
    rules.write(R"([{"pattern": "^nvjet", "class": "communication"}])");
    rules.close();
    const QString file = profileFile(u"late/rank0.json.gz"_s);
    const Outcome outcome = run({u"profile"_s, u"--json"_s, u"--rules"_s, rules.fileName(), file});
    const QJsonObject classes = json(outcome.out)["devices"_L1]["0"_L1]["classes"_L1].toObject();
    QCOMPARE(classes["communication"_L1].toInteger(), 48);
    QVERIFY(rules.open(QIODevice::WriteOnly));
    rules.write(R"([{"pattern": "a||b", "class": "copy"}])");
    rules.close();
    const Outcome wrong = run({u"profile"_s, u"--rules"_s, rules.fileName(), file});
    QCOMPARE(wrong.status, 2);
    QVERIFY2(wrong.err.contains(u"rule 1"_s), qPrintable(wrong.err));
}

void TestCliProfiles::theShippedRulesCanBeEdited()
{
    const Outcome printed = run({u"profile"_s, u"--print-rules"_s});
    QCOMPARE(printed.status, 0);
    const QTemporaryDir folder;
    QFile rules(folder.filePath(u"rules.json"_s));
    QVERIFY(rules.open(QIODevice::WriteOnly));
    rules.write(printed.out.toUtf8());
    rules.close();
    const QString file = profileFile(u"late/rank0.json.gz"_s);
    QCOMPARE(run({u"profile"_s, u"--json"_s, u"--rules"_s, rules.fileName(), file}).out,
             run({u"profile"_s, u"--json"_s, file}).out);
}

void TestCliProfiles::twoProfilesAreComparedStepByStep()
{
    QFile expected(profileFile(u"late.diff.json"_s));
    QVERIFY(expected.open(QIODevice::ReadOnly));
    const QString a = profileFile(u"late/rank0.json.gz"_s);
    const QString b = profileFile(u"late/rank2.json.gz"_s);
    QCOMPARE(figures(run({u"diff"_s, u"--json"_s, a, b}).out),
             json(QString::fromUtf8(expected.readAll())));
    const Outcome all = run({u"diff"_s, u"--step"_s, u"all"_s, a, b});
    QVERIFY2(all.out.contains(u"all that was recorded"_s), qPrintable(all.out));
    const Outcome named = run({u"diff"_s, u"--step"_s, u"ProfilerStep#6"_s, a, b});
    QCOMPARE(named.out.count(u"ProfilerStep#6"_s), 2);
}

void TestCliProfiles::wrongArgumentsSayWhatThereIs_data()
{
    QTest::addColumn<QStringList>("arguments");
    QTest::addColumn<QString>("says");
    const QString a = profileFile(u"late/rank0.json.gz"_s);
    const QString b = profileFile(u"late/rank1.json.gz"_s);
    QTest::newRow("no file") << QStringList{u"profile"_s} << u"name a file or folder"_s;
    QTest::newRow("no number") << QStringList{u"profile"_s, u"--top"_s, u"x"_s, a}
                               << u"whole number"_s;
    QTest::newRow("no such step") << QStringList{u"diff"_s, u"--step"_s, u"9"_s, a, b}
                                  << u"it has \"ProfilerStep#5\" to \"ProfilerStep#7\""_s;
    QTest::newRow("steps of snapshots")
        << QStringList{u"diff"_s, u"--step"_s, u"all"_s, u"training-out-of-memory.pickle"_s,
                       u"training-out-of-memory.pickle"_s}
        << u"only profiler traces"_s;
}

void TestCliProfiles::wrongArgumentsSayWhatThereIs()
{
    QFETCH(QStringList, arguments);
    QFETCH(QString, says);
    const Outcome outcome = run(arguments);
    QCOMPARE(outcome.status, 2);
    QVERIFY2(outcome.err.contains(says), qPrintable(outcome.err));
}

void TestCliProfiles::aFileThatIsNoProfileIsNamed()
{
    const Outcome outcome = run({u"profile"_s, u"training-out-of-memory.pickle"_s});
    QCOMPARE(outcome.status, 1);
    QVERIFY2(outcome.err.contains(u"is no profiler trace"_s), qPrintable(outcome.err));
    const QTemporaryDir folder;
    QCOMPARE(run({u"profile"_s, folder.path()}).status, 1);
}

VRAMSCOPE_TEST(TestCliProfiles)
#include "tst_cli_profiles.moc"
