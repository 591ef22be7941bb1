// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/app/cli_run.h"
#include "tests/support/test.h"

#include <QFile>
#include <QJsonArray>
#include <QTemporaryDir>

#include <algorithm>

using namespace vramscope;
using namespace Qt::StringLiterals;
using test::json, test::Outcome, test::run;

namespace {

const QString kFails = u"training-out-of-memory.pickle"_s;
const QString kExpands = u"training-expandable-segments.pickle"_s;

qint64 peakOf(const QString &file)
{
    return json(run({u"peak"_s, u"--json"_s, file}).out)["active"_L1].toInteger();
}

} // namespace

class TestCliAnalysis : public test::Test
{
    Q_OBJECT

private slots:
    void wrongArgumentsSayWhatThereIs_data();
    void wrongArgumentsSayWhatThereIs();
    void tablesFitATerminal_data();
    void tablesFitATerminal();
    void thePeakIsToldInFull();
    void groupsAddUpByEveryKey_data();
    void groupsAddUpByEveryKey();
    void aTableThatIsCutShortStillAddsUp();
    void tablesAreAsLongAsIsAsked_data();
    void tablesAreAsLongAsIsAsked();
    void treesAddUpBothWays();
    void foldedStacksAddUpToThePeak();
    void aSpeedscopeProfileIsAsItsFormatSays();
    void profilesOfSeveralDevicesAreOneFile();
    void foldedStacksOfSeveralDevicesNameThem();
    void theEndIsAMomentOfEveryCommand();
    void rulesNextToARecordingDecide();
    void hiddenFramesAreNotInTheProfile();
    void rulesOfAFileReplaceThoseThatShip();
    void stepsAndLeaksComeInBothForms();
    void otherSettingsAreComparedWithTheRecordedOnes();
    void adviceSaysWhereMemoryStillDoesNotSuffice();
    void anotherCapacityIsTriedUnderTheRecordedSettings();
    void aPlanIsHeldAgainstTheRecordingOfItsRun();
    void aPlanIsMadeOfARecordingAndWritten();
};

void TestCliAnalysis::wrongArgumentsSayWhatThereIs_data()
{
    QTest::addColumn<QStringList>("arguments");
    QTest::addColumn<QString>("says");
    QTest::newRow("no file") << QStringList{u"stacks"_s} << u"needs FILE"_s;
    QTest::newRow("key") << QStringList{u"stacks"_s, u"--by=colour"_s, kFails}
                         << u"stack, frame, size"_s;
    QTest::newRow("cost") << QStringList{u"stacks"_s, u"--cost=euros"_s, kFails}
                          << u"live, peak, byte-time"_s;
    QTest::newRow("capacity") << QStringList{u"replay"_s, u"--capacity=80G"_s, kFails}
                              << u"85899345920 for 80 GiB"_s;
    QTest::newRow("moment") << QStringList{u"stacks"_s, u"--at=noon"_s, kFails} << u"--at"_s;
    QTest::newRow("way") << QStringList{u"stacks"_s, u"--tree=sideways"_s, kFails}
                         << u"top-down and bottom-up"_s;
    QTest::newRow("regex") << QStringList{u"stacks"_s, u"--tree=top-down"_s, u"--hide=/(/"_s,
                                          kFails}
                           << u"no regular expression"_s;
    const auto row = [](const char *name, const QStringList &options, const QString &says) {
        QTest::newRow(name) << QStringList(u"stacks"_s) + options + QStringList(kFails) << says;
    };
    const QString oneForm = u"give one of --json, --folded and --speedscope"_s;
    row("json and folded", {u"--json"_s, u"--folded"_s}, oneForm);
    row("json and speedscope", {u"--json"_s, u"--speedscope"_s}, oneForm);
    row("folded and speedscope", {u"--folded"_s, u"--speedscope"_s}, oneForm);
    row("tree of sizes", {u"--tree=top-down"_s, u"--by=size"_s}, u"leave it out"_s);
    row("folded sizes", {u"--folded"_s, u"--by=size"_s}, u"leave it out"_s);
    row("top of a tree", {u"--tree=top-down"_s, u"--top=3"_s}, u"--top"_s);
    row("moment of a total", {u"--at=5"_s, u"--cost=total"_s}, u"--cost live"_s);
    row("moment past the end", {u"--at=99999"_s}, u"events 0 to 3939"_s);
    row("moment past all numbers", {u"--at=99999999999"_s}, u"events 0 to 3939"_s);
    row("hidden without a tree", {u"--hide=linear"_s}, u"add --tree"_s);
    row("shown without a tree", {u"--show=linear"_s}, u"add --tree"_s);
    row("device twice", {u"--device=0"_s, u"--device=0"_s}, u"given twice"_s);
    row("unknown set", {u"--folded"_s, u"--hide=@vendor"_s}, u"@framework"_s);
    row("rules without categories", {u"--rules=rules.json"_s}, u"--by category"_s);
    QTest::newRow("top") << QStringList{u"peak"_s, u"--top=many"_s, kFails} << u"--top"_s;
    QTest::newRow("device") << QStringList{u"leaks"_s, u"--device=7"_s, kFails} << u"it has: 0"_s;
}

void TestCliAnalysis::wrongArgumentsSayWhatThereIs()
{
    QFETCH(QStringList, arguments);
    QFETCH(QString, says);
    const Outcome outcome = run(arguments);
    QCOMPARE(outcome.status, 2);
    QVERIFY2(outcome.err.contains(says), qPrintable(outcome.err));
    QVERIFY(outcome.out.isEmpty());
}

void TestCliAnalysis::tablesFitATerminal_data()
{
    QTest::addColumn<QStringList>("arguments");
    QTest::newRow("peak") << QStringList{u"peak"_s};
    QTest::newRow("live") << QStringList{u"live"_s, u"--top=0"_s};
    QTest::newRow("failures") << QStringList{u"oom"_s};
    QTest::newRow("stacks") << QStringList{u"stacks"_s, u"--top=0"_s};
    QTest::newRow("bytes × time") << QStringList{u"stacks"_s, u"--cost=byte-time"_s};
    QTest::newRow("frames") << QStringList{u"stacks"_s, u"--by=frame"_s};
    QTest::newRow("sizes") << QStringList{u"stacks"_s, u"--by=size"_s};
    QTest::newRow("annotations") << QStringList{u"stacks"_s, u"--by=annotation"_s};
    QTest::newRow("top-down") << QStringList{u"stacks"_s, u"--tree=top-down"_s};
    QTest::newRow("bottom-up") << QStringList{u"stacks"_s, u"--tree=bottom-up"_s};
    QTest::newRow("steps") << QStringList{u"steps"_s};
    QTest::newRow("leaks") << QStringList{u"leaks"_s};
    QTest::newRow("settings") << QStringList{u"replay"_s, u"--usual"_s,
                                             u"--capacity=85899345920"_s};
}

void TestCliAnalysis::tablesFitATerminal()
{
    QFETCH(QStringList, arguments);
    const Outcome outcome = run(arguments + QStringList{kExpands, kFails});
    QCOMPARE(outcome.status, 0);
    const QStringList lines = outcome.out.split(u'\n');
    QVERIFY(lines.size() > 3);
    for (const QString &line : lines) {
        // The head of a report holds the name of the file, as long as it may be.
        if (!line.contains(kExpands) && !line.contains(kFails))
            QVERIFY2(line.size() <= 100, qPrintable(line));
    }
}

void TestCliAnalysis::thePeakIsToldInFull()
{
    const QJsonObject peak = json(run({u"peak"_s, u"--json"_s, kFails}).out);
    qint64 stacks = 0;
    for (const QJsonValue stack : peak["stacks"_L1].toArray())
        stacks += stack["bytes"_L1].toInteger();
    qint64 categories = 0;
    for (const QJsonValue category : peak["categories"_L1].toArray())
        categories += category["bytes"_L1].toInteger();
    QCOMPARE(stacks, peak["active"_L1].toInteger());
    QCOMPARE(categories, stacks);
    QVERIFY(stacks > 0);
    QCOMPARE(peak["running"_L1].toArray()[0].toString(), u"ProfilerStep#3"_s);
    QCOMPARE(peak["step"_L1].toInteger(), 3);
    QVERIFY(!peak["stack"_L1].toArray().isEmpty());
    const QString text = run({u"peak"_s, kFails}).out;
    QVERIFY2(text.startsWith(kFails +
                             u", device 0\nPeak 21.7 GiB active of 22.3 GiB reserved on "
                             "device 0, after event 3,938;\nout of memory at event 3,939: the "
                             "device was full\n"_s),
             qPrintable(text));
    QVERIFY(text.contains("in step 3"_L1));
    QVERIFY(text.contains("optimizer states"_L1));
}

void TestCliAnalysis::groupsAddUpByEveryKey_data()
{
    QTest::addColumn<QString>("by");
    for (const auto *by :
         {"stack", "frame", "size", "category", "stream", "pool", "annotation", "step", "metadata"})
        QTest::newRow(by) << QString::fromLatin1(by);
}

void TestCliAnalysis::groupsAddUpByEveryKey()
{
    QFETCH(QString, by);
    const QJsonObject report = json(run({u"stacks"_s, u"--json"_s, u"--by"_s, by, kExpands}).out);
    QCOMPARE(report["by"_L1].toString(), by);
    for (const auto cost : {"live"_L1, "peak"_L1, "total"_L1, "temporary"_L1, "never_freed"_L1}) {
        qint64 bytes = 0;
        qint64 count = 0;
        for (const QJsonValue group : report["groups"_L1].toArray()) {
            bytes += group["costs"_L1][cost]["bytes"_L1].toInteger();
            count += group["costs"_L1][cost]["count"_L1].toInteger();
        }
        QCOMPARE(bytes, report["total"_L1][cost]["bytes"_L1].toInteger());
        QCOMPARE(count, report["total"_L1][cost]["count"_L1].toInteger());
    }
    QCOMPARE(report["total"_L1]["peak"_L1]["bytes"_L1].toInteger(), peakOf(kExpands));
    const Outcome text = run({u"stacks"_s, u"--by"_s, by, kExpands});
    QCOMPARE(text.status, 0);
    QVERIFY(text.out.contains("alive at the peak"_L1));
}

void TestCliAnalysis::aTableThatIsCutShortStillAddsUp()
{
    const QStringList lines =
        run({u"stacks"_s, u"--cost=total"_s, u"--top=2"_s, kFails}).out.split(u'\n');
    const auto rows = lines.filter(u" % "_s);
    QCOMPARE(rows.size(), 3);
    QVERIFY(rows.last().contains("others; --top 0 lists them"_L1));
    double percent = 0;
    for (const QString &row : rows)
        percent += row.section(u" %"_s, 0, 0).section(u' ', -1).toDouble();
    QVERIFY2(percent > 99.7 && percent < 100.3, qPrintable(rows.join(u'\n')));
}

void TestCliAnalysis::tablesAreAsLongAsIsAsked_data()
{
    QTest::addColumn<QString>("command");
    for (const auto *command : {"live", "peak", "stacks"})
        QTest::newRow(command) << QString::fromLatin1(command);
}

void TestCliAnalysis::tablesAreAsLongAsIsAsked()
{
    QFETCH(QString, command);
    const auto rows = [&](const QString &top) {
        const QString text = run({command, u"--top"_s, top, kFails}).out;
        return text.section(u"allocated in\n"_s, 1).count(u'\n');
    };
    QCOMPARE(rows(u"3"_s), 4); // and one for the others
    QVERIFY(rows(u"0"_s) > 10);
}

void TestCliAnalysis::rulesNextToARecordingDecide()
{
    const QTemporaryDir folder;
    const QString recording = folder.filePath(kFails);
    QVERIFY(QFile::copy(example({}) + kFails, recording));
    const auto write = [&](const char *rules) {
        QFile file(recording + u".vramrules"_s);
        return file.open(QIODevice::WriteOnly) && file.write(rules) > 0;
    };
    const auto states = [](const QJsonObject &peak) {
        for (const auto group : peak["stacks"_L1].toArray())
            if (group["evidence"_L1].toString().startsWith("stated by"_L1))
                return group["category"_L1].toString();
        return QString();
    };
    QVERIFY(write(R"({"vramscope-category-rules": 1, "rules": [{"category": "inputs",
                     "name": "^_init_group$", "priority": 1000, "confidence": 1,
                     "reason": "stated by me"}]})"));
    QCOMPARE(states(json(run({u"peak"_s, u"--json"_s, recording}).out)), u"inputs"_s);
    QVERIFY(run({u"stacks"_s, u"--by"_s, u"category"_s, recording}).out.contains(u"inputs"_s));

    QVERIFY(write("{}"));
    const QString problem = u"built-in rules of categories are used alone"_s;
    QVERIFY(run({u"peak"_s, recording}).out.simplified().contains(problem));
    const QJsonObject peak = json(run({u"peak"_s, u"--json"_s, recording}).out);
    QVERIFY(peak["rules_problem"_L1].toString().contains(problem));
    QVERIFY(peak["rules_problem"_L1].toString().startsWith(kFails));
    const QString redacted = run({u"peak"_s, u"--json"_s, u"--redact"_s, recording}).out;
    QVERIFY(json(redacted)["rules_problem"_L1].toString().contains(problem));
    QVERIFY(!json(redacted)["rules_problem"_L1].toString().contains(kFails));
}

void TestCliAnalysis::treesAddUpBothWays()
{
    for (const auto &way : {u"top-down"_s, u"bottom-up"_s}) {
        const QJsonObject tree =
            json(run({u"stacks"_s, u"--json"_s, u"--tree"_s, way, kExpands}).out);
        const QJsonArray nodes = tree["nodes"_L1].toArray();
        QVERIFY(nodes.size() > 10);
        QCOMPARE(nodes[0]["total"_L1]["peak"_L1]["bytes"_L1].toInteger(), peakOf(kExpands));
        qint64 self = 0;
        for (qsizetype at = 0; at < nodes.size(); ++at) {
            self += nodes[at]["self"_L1]["peak"_L1]["bytes"_L1].toInteger();
            QVERIFY(at == 0 || nodes[at]["parent"_L1].toInteger() < at);
        }
        QCOMPARE(self, peakOf(kExpands));
    }
}

void TestCliAnalysis::foldedStacksAddUpToThePeak()
{
    const Outcome outcome = run({u"stacks"_s, u"--folded"_s, kFails});
    QCOMPARE(outcome.status, 0);
    qint64 bytes = 0;
    for (const QString &line : outcome.out.split(u'\n', Qt::SkipEmptyParts)) {
        bool isNumber = false;
        bytes += line.section(u' ', -1).toLongLong(&isNumber);
        QVERIFY2(isNumber, qPrintable(line));
        QVERIFY2(line.startsWith("<module> (train.py:148);main"_L1) ||
                     line.startsWith("torch::autograd::Engine"_L1) ||
                     line.startsWith("(no stack recorded) "_L1),
                 qPrintable(line));
    }
    QCOMPARE(bytes, peakOf(kFails));
}

void TestCliAnalysis::aSpeedscopeProfileIsAsItsFormatSays()
{
    const QJsonObject file = json(run({u"stacks"_s, u"--speedscope"_s, kFails}).out);
    QCOMPARE(file["$schema"_L1].toString(),
             u"https://www.speedscope.app/file-format-schema.json"_s);
    const QJsonArray frames = file["shared"_L1]["frames"_L1].toArray();
    for (const QJsonValue frame : frames)
        QVERIFY(frame["name"_L1].isString());
    QCOMPARE(file["profiles"_L1].toArray().size(), 1);
    const QJsonObject profile = file["profiles"_L1].toArray()[0].toObject();
    QCOMPARE(profile["type"_L1].toString(), u"sampled"_s);
    QCOMPARE(profile["unit"_L1].toString(), u"bytes"_s);
    QVERIFY(profile["name"_L1].isString());
    QCOMPARE(profile["startValue"_L1].toInteger(), 0);
    const QJsonArray samples = profile["samples"_L1].toArray();
    const QJsonArray weights = profile["weights"_L1].toArray();
    QCOMPARE(samples.size(), weights.size());
    qint64 sum = 0;
    for (qsizetype at = 0; at < samples.size(); ++at) {
        sum += weights[at].toInteger();
        for (const QJsonValue frame : samples[at].toArray())
            QVERIFY(frame.toInteger(-1) >= 0 && frame.toInteger() < frames.size());
    }
    QCOMPARE(sum, peakOf(kFails));
    QCOMPARE(profile["endValue"_L1].toInteger(), sum);
}

void TestCliAnalysis::profilesOfSeveralDevicesAreOneFile()
{
    const auto linesOf = [](const QString &file, qsizetype at, const QJsonObject &from) {
        const QJsonArray frames = from["shared"_L1]["frames"_L1].toArray();
        const QJsonObject profile = from["profiles"_L1].toArray()[at].toObject();
        if (!profile["name"_L1].toString().startsWith(file))
            return QStringList();
        QStringList lines;
        for (const QJsonValue sample : profile["samples"_L1].toArray()) {
            QString line;
            for (const QJsonValue frame : sample.toArray())
                line +=
                    QString::fromUtf8(QJsonDocument(frames[frame.toInteger()].toObject()).toJson());
            lines += line;
        }
        return lines;
    };
    const Outcome outcome = run({u"stacks"_s, u"--speedscope"_s, kFails, kExpands});
    QCOMPARE(outcome.out.count(u'\n'), 1);
    const QJsonObject both = json(outcome.out);
    QCOMPARE(both["profiles"_L1].toArray().size(), 2);
    qsizetype at = 0;
    for (const QString &file : {kFails, kExpands}) {
        const QJsonObject alone = json(run({u"stacks"_s, u"--speedscope"_s, file}).out);
        const QStringList lines = linesOf(file, at, both);
        QVERIFY(!lines.isEmpty());
        QCOMPARE(lines, linesOf(file, 0, alone));
        QCOMPARE(both["profiles"_L1][at]["weights"_L1], alone["profiles"_L1][0]["weights"_L1]);
        ++at;
    }
}

void TestCliAnalysis::foldedStacksOfSeveralDevicesNameThem()
{
    const QString out = run({u"stacks"_s, u"--folded"_s, kFails, kExpands}).out;
    QString expected;
    for (const QString &file : {kFails, kExpands}) {
        const QString alone = run({u"stacks"_s, u"--folded"_s, file}).out;
        for (const QString &line : alone.split(u'\n', Qt::SkipEmptyParts))
            expected += file + u", device 0;"_s + line + u'\n';
    }
    QCOMPARE(out, expected);
}

void TestCliAnalysis::theEndIsAMomentOfEveryCommand()
{
    const QJsonObject live = json(run({u"live"_s, u"--json"_s, u"--at=end"_s, kExpands}).out);
    const QJsonObject stacks = json(run({u"stacks"_s, u"--json"_s, u"--at=end"_s, kExpands}).out);
    const QJsonObject diff =
        json(run({u"diff"_s, u"--json"_s, u"--at=end"_s, kExpands, kExpands}).out);
    QCOMPARE(live["event"_L1], diff["b"_L1]["event"_L1]);
    QCOMPARE(stacks["live_event"_L1], live["event"_L1]);
    QCOMPARE(stacks["cost"_L1].toString(), u"live"_s);
    QCOMPARE(stacks["total"_L1]["live"_L1]["bytes"_L1], live["active"_L1]);
}

void TestCliAnalysis::hiddenFramesAreNotInTheProfile()
{
    const QString all = run({u"stacks"_s, u"--folded"_s, kFails}).out;
    QVERIFY(all.contains("linear.py"_L1));
    const QString fewer =
        run({u"stacks"_s, u"--folded"_s, u"--hide"_s, u"/linear\\.py$/"_s, kFails}).out;
    QVERIFY(!fewer.contains("linear.py"_L1));
    QVERIFY(fewer.contains("model.py"_L1));
    const QString shown = run({u"stacks"_s, u"--folded"_s, u"--show"_s, u"linear"_s, u"--hide"_s,
                               u"linear"_s, kFails})
                              .out;
    QCOMPARE(shown.count("linear.py"_L1), all.count("linear.py"_L1));
}

void TestCliAnalysis::rulesOfAFileReplaceThoseThatShip()
{
    const Outcome shipped = run({u"stacks"_s, u"--print-rules"_s});
    QCOMPARE(shipped.status, 0);
    QVERIFY(json(shipped.out)["rules"_L1].toArray().size() > 50);

    QTemporaryDir folder;
    const QString path = folder.filePath(u"rules.json"_s);
    const auto write = [&path](const QByteArray &text) {
        QFile file(path);
        return file.open(QIODevice::WriteOnly) && file.write(text) == text.size();
    };
    QVERIFY(write(shipped.out.toUtf8()));
    const QStringList query{u"stacks"_s, u"--json"_s, u"--by=category"_s, kFails};
    QCOMPARE(run(query + QStringList{u"--rules"_s, path}).out, run(query).out);

    QVERIFY(write(R"({"vramscope-category-rules":1,"rules":[
        {"category":"communication","file":"train.py","priority":9}]})"));
    const QJsonObject own = json(run(query + QStringList{u"--rules"_s, path}).out);
    QCOMPARE(own["groups"_L1].toArray()[0]["text"_L1].toString(), u"communication"_s);

    QVERIFY(write("{}"));
    const Outcome wrong = run(query + QStringList{u"--rules"_s, path});
    QCOMPARE(wrong.status, 1);
    QVERIFY(wrong.err.contains("no category rules"_L1));
}

void TestCliAnalysis::stepsAndLeaksComeInBothForms()
{
    const QJsonObject steps = json(run({u"steps"_s, u"--json"_s, kFails}).out);
    QCOMPARE(steps["source"_L1].toString(), u"profiler-step"_s);
    const QJsonArray list = steps["steps"_L1].toArray();
    QCOMPARE(list.size(), 4);
    QVERIFY(list[0]["survivors"_L1]["bytes"_L1].toInteger() > 0);
    QVERIFY(list[3]["survivors"_L1].isNull());
    QCOMPARE(list[3]["complete"_L1].toBool(true), false);
    const QString text = run({u"steps"_s, kFails}).out;
    QVERIFY(text.contains("4 steps"_L1));
    QVERIFY(text.contains("3 part"_L1));
    for (const auto explained : {"survivors: "_L1, "alike: "_L1, "sure: "_L1})
        QVERIFY2(text.contains(explained), qPrintable(text));

    const QJsonObject leaks = json(run({u"leaks"_s, u"--json"_s, kFails}).out);
    QCOMPARE(leaks["by"_L1].toString(), u"none"_s);
    QVERIFY(leaks["leaks"_L1].toArray().isEmpty());
    QVERIFY(run({u"leaks"_s, kFails}).out.contains("Complete steps: 3"_L1));
}

void TestCliAnalysis::otherSettingsAreComparedWithTheRecordedOnes()
{
    const QStringList arguments{u"replay"_s, u"--set=expandable_segments:True"_s,
                                u"--set=max_split:1"_s, kFails};
    const QJsonObject found = json(run(arguments + QStringList{u"--json"_s}).out);
    QCOMPARE(found["file"_L1].toString(), kFails);
    QVERIFY(found["exact_events"_L1].toInteger() > 1000);
    QVERIFY(found["complete_history"_L1].toBool());
    const QJsonArray settings = found["settings"_L1].toArray();
    QCOMPARE(settings.size(), 3); // the recorded ones first
    const auto reserved = [&](qsizetype at) {
        return settings[at]["figures"_L1]["peak_reserved"_L1].toInteger();
    };
    QVERIFY(reserved(1) < reserved(0));
    QCOMPARE(reserved(2), reserved(0)); // an unknown key changes nothing …
    QCOMPARE(settings[2]["issues"_L1][0]["kind"_L1].toString(), u"unknown"_s); // … and is named
    QCOMPARE(found["recommended"_L1].toString(), u"expandable_segments:True"_s);
    const QString text = run(arguments).out;
    QVERIFY(text.contains(u"Use PYTORCH_CUDA_ALLOC_CONF=expandable_segments:True"_s));
    QVERIFY(text.contains(u"did you mean 'max_split_size_mb'"_s));
}

void TestCliAnalysis::adviceSaysWhereMemoryStillDoesNotSuffice()
{
    const auto advice = [](const QString &setting, const QStringList &more = {}) {
        return run(QStringList{u"replay"_s, u"--set="_s + setting, kFails} + more).out.simplified();
    };
    QVERIFY(advice(u"expandable_segments:True"_s)
                .contains(u"What ran out of memory in the recording still does."_s));
    QVERIFY(advice(u"large_segment_size_mb:12"_s)
                .contains(u"does so under every setting here that the program can use."_s));
    QVERIFY(advice(u"expandable_segments:True"_s, {u"--capacity=1073741824"_s})
                .contains(u"The device is too small under every setting here"_s));
    QVERIFY(!advice(u"expandable_segments:True"_s, {u"--capacity=85899345920"_s})
                 .contains(u"still does"_s));
}

void TestCliAnalysis::anotherCapacityIsTriedUnderTheRecordedSettings()
{
    const auto simulated = [](const char *capacity) {
        const QStringList arguments{u"replay"_s, u"--capacity="_s + QLatin1StringView(capacity),
                                    kFails};
        return std::pair(json(run(arguments + QStringList{u"--json"_s}).out), run(arguments).out);
    };
    const auto [large, largeText] = simulated("85899345920");
    QCOMPARE(large["capacity"_L1].toInteger(), 85899345920);
    QCOMPARE(large["settings"_L1].toArray().size(), 1);
    QVERIFY(large["settings"_L1][0]["rescued"_L1].toInteger() > 0);
    QVERIFY(largeText.contains(u"as recorded"_s));
    QVERIFY(largeText.contains(u"no longer"_s));
    QVERIFY(!largeText.contains(u"these settings"_s));
    const auto [small, smallText] = simulated("104857600");
    QVERIFY(!small["settings"_L1][0]["out_of_memory_event"_L1].isNull());
    QVERIFY(smallText.contains(u"too small under the recorded settings"_s));
}

// The example's last step came with more sequences than were planned.
void TestCliAnalysis::aPlanIsHeldAgainstTheRecordingOfItsRun()
{
    const QString plan = u"training-out-of-memory-as-planned.vramplan"_s;
    const Outcome text = run({u"reconcile"_s, plan, kFails});
    QCOMPARE(text.status, 0);
    QVERIFY2(text.out.contains(u"At the loss: "), qPrintable(text.out));
    QVERIFY2(text.out.contains(u"logits in fp32: 20,480 tokens"), qPrintable(text.out));
    QVERIFY(text.out.contains(u"overheads.reserved_factor"));

    const QJsonObject found = json(run({u"reconcile"_s, u"--json"_s, plan, kFails}).out);
    QCOMPARE(found["failed"_L1]["bytes"_L1].toInteger(), qint64(4) * 20'480 * 32'000);
    const QJsonArray reasons = found["reasons"_L1].toArray();
    const auto batch = std::ranges::find_if(reasons, [](const QJsonValue &reason) {
        return reason["settings"_L1]["batch.micro_batch"_L1].toInteger() == 10;
    });
    QVERIFY(batch != reasons.end());
    // Predicted, what explains the difference, and the rest are what was recorded.
    const QJsonValue moment = found["moments"_L1].toArray()[found["compared"_L1].toInt()];
    qint64 sum = moment["predicted"_L1]["total"_L1].toInteger();
    for (const QJsonValue &reason : reasons)
        sum += reason["bytes"_L1].toInteger();
    QCOMPARE(sum + found["unexplained"_L1].toInteger(),
             moment["recorded"_L1]["total"_L1].toInteger());
    QVERIFY(std::abs(found["unexplained"_L1].toDouble()) < 100e6);

    const Outcome noPlan = run({u"reconcile"_s, kFails, kFails});
    QCOMPARE(noPlan.status, 1);
    QVERIFY2(noPlan.err.contains(kFails), qPrintable(noPlan.err));
    QCOMPARE(run({u"reconcile"_s, plan}).status, 2);
}

void TestCliAnalysis::aPlanIsMadeOfARecordingAndWritten()
{
    const QTemporaryDir folder;
    const QString file = folder.filePath(u"made.vramplan"_s);
    const Outcome made = run({u"plan-from"_s, u"--json"_s, u"--out"_s, file, kFails});
    QCOMPARE(made.status, 0);
    const QJsonObject found = json(made.out);
    const QJsonArray fields = found["fields"_L1].toArray();
    const auto model = std::ranges::find_if(fields, [](const QJsonValue &field) {
        return field.toObject()["subject"_L1] == u"Model"_s;
    });
    QVERIFY(model != fields.end());
    QCOMPARE((*model).toObject()["certainty"_L1].toString(), u"determined"_s);
    QCOMPARE(found["compared"_L1].toObject()["moment"_L1].toString(), u"loss"_s);
    // What was written is a plan as any other, and predicts what was recorded.
    const Outcome held = run({u"reconcile"_s, u"--json"_s, file, kFails});
    QCOMPARE(held.status, 0);
    QCOMPARE(json(held.out)["unexplained"_L1], found["compared"_L1].toObject()["unexplained"_L1]);
    QCOMPARE(run({u"plan-from"_s, u"--out"_s, u"-"_s, kFails}).status, 2);
    QCOMPARE(run({u"plan-from"_s, file}).status, 1); // a plan is no recording
}

VRAMSCOPE_TEST(TestCliAnalysis)
#include "tst_cli_analysis.moc"
