// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/app/cli_run.h"
#include "tests/support/sample_snapshot.h"
#include "tests/support/test.h"

#include <QDir>
#include <QFile>
#include <QJsonArray>
#include <QTemporaryDir>

using namespace vramscope;
using namespace Qt::StringLiterals;
using test::example, test::json, test::Outcome, test::run;

namespace {

/// A folder with files of a test.
class Folder
{
public:
    [[nodiscard]] QString path(const QString &name = {}) const
    {
        return name.isEmpty() ? m_folder.path() : m_folder.filePath(name);
    }
    QString write(const QString &name, const QByteArray &bytes) const
    {
        const QString file = path(name);
        QDir().mkpath(QFileInfo(file).path());
        QFile out(file);
        return out.open(QIODevice::WriteOnly) && out.write(bytes) == bytes.size() ? file
                                                                                  : QString();
    }
    QString copy(QLatin1StringView of, const QString &name) const
    {
        const QString file = path(name);
        QDir().mkpath(QFileInfo(file).path());
        return QFile::copy(example(of), file) ? file : QString();
    }

private:
    QTemporaryDir m_folder;
};

constexpr auto kOutOfMemory = "training-out-of-memory.pickle"_L1;
constexpr auto kExpandable = "training-expandable-segments.pickle"_L1;

/// A recording of someone's: an allocation of `bytes` in their own code.
QByteArray privateSnapshot(int bytes)
{
    using test::Py;
    const auto frame = [](const char *name, const char *file) {
        return Py::dict({{"name", name}, {"filename", file}, {"line", 212}});
    };
    const Py frames =
        Py::list({frame("linear", "/home/alice/env/lib/python3.11/site-packages/torch/f.py"),
                  frame("alice_step", "/home/alice/project/train.py")});
    const Py event =
        test::sampleEvent("alloc", 0x7f0000000000, bytes, 1'700'000'000'000'000, frames)
            .with("user_metadata", "by alice@nid001234")
            .with("seen by alice", "/home/bobby");
    const Py snapshot =
        Py::dict({{"segments", Py::list()},
                  {"device_traces", Py::list({Py::list({event})})},
                  {"allocator_settings",
                   Py::dict({{"PYTORCH_CUDA_ALLOC_CONF", "/data/alice/conf"},
                             {"dump", "dump:/home/alice/run/" + std::to_string(bytes) + ".pt"},
                             {"option of alice", "/home/physics/bobby"}})},
                  {"external_annotations", Py::list()},
                  {"notes of alice", "on time"}});
    return QByteArray::fromStdString(test::pickled(snapshot));
}

qint64 sumOf(const QJsonArray &sites, QLatin1StringView key)
{
    qint64 sum = 0;
    for (const QJsonValue site : sites)
        sum += site[key].toInteger();
    return sum;
}

} // namespace

class TestCliTraces : public test::Test
{
    Q_OBJECT

private slots:
    void aFolderStandsForItsRecordingsInNaturalOrder();
    void aFolderWithoutRecordingsIsUnusable();
    void damagedFilesOfAFolderAreComplainedAbout();
    void whatCanBeMendedInAFolderSaysHow();
    void foldersThatAreNotReadAreNamed();
    void manyFilesPrintWhatEachPrintsAlone();
    void everyDeviceIsReportedUnlessOneIsNamed();
    void redactionLeavesFiguresAndNoName_data();
    void redactionLeavesFiguresAndNoName();
    void redactionLeavesNoNameInTheSettingsOfRanks();
    void redactionLeavesNoNameThatAPersonGaveAFile();
    void redactionLeavesNoNameInAnyOutput_data();
    void redactionLeavesNoNameInAnyOutput();
    void theDifferenceOfTwoRecordingsAddsUp();
    void theMomentsThatAreComparedCanBeChosen();
    void ranksAreComparedAndTheOutlierIsNamed();
    void equalRanksHaveNoOutlier();
    void theDevicesOfOneFileAreRanks();
    void oneDeviceAloneCannotBeCompared();
    void anEmptySnapshotSaysWhatToDo();
    void withoutSegmentsNothingIsSaidOfReservedMemory();
    void twoPlansAreComparedPartByPart();
    void wrongComparisonsEndWithStatusTwo_data();
    void wrongComparisonsEndWithStatusTwo();
    void recipesArePrintedInBothForms();
};

void TestCliTraces::aFolderStandsForItsRecordingsInNaturalOrder()
{
    const Folder folder;
    QVERIFY(!folder.copy(kOutOfMemory, u"rank10.pickle"_s).isEmpty());
    QVERIFY(!folder.copy(kExpandable, u"rank2.pickle"_s).isEmpty());
    folder.write(u"notes.txt"_s, "nothing to see");
    folder.write(u"rank2.pickle.vramscope.json"_s, "{}"); // bookmarks, passed over in silence
    folder.write(u"package/__init__.py"_s, "");
    folder.write(u".hidden"_s, "x");
    const Outcome outcome = run({u"trace"_s, u"--json"_s, folder.path()});
    QCOMPARE(outcome.status, 0);
    const QStringList lines = outcome.out.split(u'\n', Qt::SkipEmptyParts);
    QCOMPARE(lines.size(), 2);
    const auto fileOf = [](const QString &line) {
        return QDir::fromNativeSeparators(json(line)["file"_L1].toString());
    };
    QCOMPARE(fileOf(lines[0]), folder.path(u"rank2.pickle"_s));
    QCOMPARE(fileOf(lines[1]), folder.path(u"rank10.pickle"_s));
    QCOMPARE(outcome.err, u"vramscope-cli: "_s + folder.path() +
                              u": no recordings, skipped: notes.txt; folders beside files are "
                              "not read, name them too: package\n"_s);
}

void TestCliTraces::aFolderWithoutRecordingsIsUnusable()
{
    const Folder folder;
    QCOMPARE(run({u"trace"_s, folder.path()}).status, 1);
    folder.write(u"notes.txt"_s, "nothing to see");
    const Outcome outcome = run({u"live"_s, folder.path()});
    QCOMPARE(outcome.status, 1);
    QVERIFY(outcome.out.isEmpty());
    QVERIFY(outcome.err.contains("holds no recording"_L1));
    QCOMPARE(outcome.err.count(u'\n'), 1);
}

void TestCliTraces::damagedFilesOfAFolderAreComplainedAbout()
{
    const Folder folder;
    QFile whole(example(kOutOfMemory));
    QVERIFY(whole.open(QIODevice::ReadOnly));
    folder.write(u"rank0.pickle"_s, whole.read(whole.size() / 2));
    folder.write(u"rank1.pickle"_s, {});
    QVERIFY(!folder.copy(kOutOfMemory, u"rank2.pickle"_s).isEmpty());
    const Outcome outcome = run({u"trace"_s, u"--json"_s, folder.path()});
    QCOMPARE(outcome.status, 1);
    QCOMPARE(outcome.out.count(u'\n'), 1);
    const QStringList complaints = outcome.err.split(u'\n', Qt::SkipEmptyParts);
    QCOMPARE(complaints.size(), 2);
    QVERIFY(complaints[0].contains("rank0.pickle: "_L1));
    QVERIFY(complaints[1].contains("rank1.pickle: The file is empty"_L1));
}

void TestCliTraces::whatCanBeMendedInAFolderSaysHow()
{
    const Folder folder;
    const QByteArray pointer = "version https://git-lfs.github.com/spec/v1\noid sha256:0\nsize 9\n";
    folder.write(u"rank0.pickle"_s, pointer);
    folder.write(u"rank1.json.gz"_s, pointer);
    folder.write(u"rank2.pickle.xz"_s, QByteArray("\xFD\x37zXZ\0\0\0", 8));
    folder.write(u"weights.safetensors"_s, pointer);
    folder.write(u"config.json"_s, R"({"model_type": "llama", "hidden_size": 64})");
    folder.write(u"usage.csv"_s, "timestamp, memory.used [MiB]\n2024/01/02 03:04:05.006, 10 MiB\n");
    QVERIFY(!folder.copy(kOutOfMemory, u"rank3.pickle"_s).isEmpty());
    const Outcome outcome = run({u"peak"_s, u"--json"_s, folder.path()});
    QCOMPARE(outcome.status, 1);
    QCOMPARE(outcome.out.count(u'\n'), 1);
    const QStringList complaints = outcome.err.split(u'\n', Qt::SkipEmptyParts);
    QCOMPARE(complaints.size(), 4);
    QVERIFY2(complaints[0].contains("rank0.pickle: This is a Git LFS pointer"_L1),
             qPrintable(complaints[0]));
    QVERIFY(complaints[1].contains("git lfs pull"_L1));
    QVERIFY(complaints[2].contains("unxz"_L1));
    QVERIFY2(complaints[3].endsWith("skipped: config.json, usage.csv, weights.safetensors"_L1),
             qPrintable(complaints[3]));
}

void TestCliTraces::foldersThatAreNotReadAreNamed()
{
    const Folder folder;
    folder.write(u"notes.txt"_s, "nothing to see");
    QVERIFY(!folder.copy(kOutOfMemory, u"run/rank0.pickle"_s).isEmpty());
    const Outcome none = run({u"peak"_s, folder.path()});
    QCOMPARE(none.status, 1);
    QVERIFY2(none.err.contains("name the one with the snapshots: run"_L1), qPrintable(none.err));
    QVERIFY(!folder.copy(kOutOfMemory, u"rank1.pickle"_s).isEmpty());
    QVERIFY(QFile::remove(folder.path(u"notes.txt"_s)));
    const Outcome beside = run({u"peak"_s, folder.path()});
    QCOMPARE(beside.status, 0);
    QVERIFY2(beside.err.endsWith("are not read, name them too: run\n"_L1), qPrintable(beside.err));
}

void TestCliTraces::manyFilesPrintWhatEachPrintsAlone()
{
    const Folder folder;
    QStringList files;
    QString apart;
    QString complaints;
    for (int at = 0; at < 14; ++at) {
        const QString name = u"r%1.pickle"_s.arg(at);
        files << (at % 5 == 4 ? folder.write(name, "no pickle at all")
                              : folder.copy(at % 2 == 0 ? kOutOfMemory : kExpandable, name));
        const Outcome alone = run({u"live"_s, u"--json"_s, files.back()});
        apart += alone.out;
        complaints += alone.err;
    }
    for (int trial = 0; trial < 5; ++trial) {
        const Outcome together = run(QStringList{u"live"_s, u"--json"_s} + files);
        QCOMPARE(together.status, 1);
        QCOMPARE(together.out, apart);
        QCOMPARE(together.err, complaints);
    }
}

void TestCliTraces::everyDeviceIsReportedUnlessOneIsNamed()
{
    const Folder folder;
    using test::Py;
    const auto event = [](int bytes) {
        return Py::list({test::sampleEvent("alloc", 0x7f0000000000, bytes, 1, Py::list())});
    };
    const QString file = folder.write(
        u"two.pickle"_s, QByteArray::fromStdString(test::pickled(test::sampleSnapshot().with(
                             "device_traces", Py::list({event(100), event(200)})))));
    const QStringList all =
        run({u"live"_s, u"--json"_s, file}).out.split(u'\n', Qt::SkipEmptyParts);
    QCOMPARE(all.size(), 2);
    QCOMPARE(json(all[1])["device"_L1].toInteger(), 1);
    const QStringList folded =
        run({u"stacks"_s, u"--folded"_s, u"--cost=total"_s, file}).out.split(u'\n');
    QCOMPARE(folded.size(), 3);
    QVERIFY2(folded[1].contains(", device 1;"_L1), qPrintable(folded[1]));
    QVERIFY(run({u"stacks"_s, u"--folded"_s, u"--at=-1"_s, file}).out.isEmpty());
    const Outcome one = run({u"live"_s, u"--json"_s, u"--device=1"_s, file});
    QCOMPARE(one.out.trimmed(), all[1]);
    QCOMPARE(json(one.out)["active"_L1].toInteger(), 512); // a block of the 200 bytes
}

void TestCliTraces::redactionLeavesFiguresAndNoName_data()
{
    QTest::addColumn<QStringList>("command");
    QTest::newRow("trace") << QStringList{u"trace"_s};
    QTest::newRow("live") << QStringList{u"live"_s};
    QTest::newRow("diff") << QStringList{u"diff"_s};
}

void TestCliTraces::redactionLeavesFiguresAndNoName()
{
    QFETCH(QStringList, command);
    const Folder folder;
    QStringList files;
    for (const int bytes : {4096, 8192})
        files << folder.write(u"users/alice/rank%1.pickle"_s.arg(bytes), privateSnapshot(bytes));
    const Outcome plain = run(command + files);
    QCOMPARE(plain.status, 0);
    QVERIFY(plain.out.contains("alice"_L1));
    for (const QString &form : {u""_s, u"--json"_s}) {
        const QStringList options = form.isEmpty() ? QStringList() : QStringList{form};
        const Outcome outcome = run(command + options + QStringList{u"--redact"_s} + files);
        QCOMPARE(outcome.status, 0);
        QVERIFY2(!outcome.out.contains("alice"_L1), qPrintable(outcome.out));
        QVERIFY(!outcome.out.contains("nid001234"_L1));
        QVERIFY(outcome.out.contains("~/rank4096.pickle"_L1));
        if (command.front() != "trace"_L1)
            QVERIFY2(outcome.out.contains("train.py"_L1), qPrintable(outcome.out));
        if (command.front() == "diff"_L1) // settings differ
            QVERIFY2(outcome.out.contains("dump:~/run/8192.pt"_L1), qPrintable(outcome.out));
        QVERIFY(outcome.out.contains(form.isEmpty() ? "8.00 KiB"_L1 : "8192"_L1));
    }
    // Complaints are pasted as well.
    const Outcome missing = run(
        command + QStringList{u"--redact"_s, u"/home/alice/x.pickle"_s, u"/home/alice/y.pickle"_s});
    QCOMPARE(missing.status, 1);
    QVERIFY2(!missing.err.contains("alice"_L1), qPrintable(missing.err));
}

void TestCliTraces::redactionLeavesNoNameInTheSettingsOfRanks()
{
    const Folder folder;
    for (const int rank : {0, 1, 2, 3})
        folder.write(u"users/alice/rank%1.pickle"_s.arg(rank),
                     privateSnapshot(rank == 3 ? 1 << 30 : 4096));
    for (const QString &form : {u"--top=9"_s, u"--json"_s}) {
        const Outcome outcome =
            run({u"diff"_s, u"--redact"_s, form, folder.path(u"users/alice"_s)});
        QCOMPARE(outcome.status, 0);
        QVERIFY2(outcome.out.contains("dump:~/run/1073741824.pt"_L1), qPrintable(outcome.out));
        QVERIFY2(!outcome.out.contains("alice"_L1), qPrintable(outcome.out));
    }
}

void TestCliTraces::redactionLeavesNoNameThatAPersonGaveAFile()
{
    const Folder folder;
    const QString plan = folder.write(
        u"zorblatt_8b.vramplan"_s,
        R"({"vramscope":1,"name":"zorblatt","model":{"preset":"gpt2"},"hardware":{"gpu":"t4"}})");
    const QString wrong = folder.write(u"wrong.vramplan"_s, R"({"vramscope":1,"zorblatt":1})");
    const QString odd =
        folder.write(u"odd.vramplan"_s,
                     R"({"vramscope":1,"model":{"preset":"gpt2"},"hardware":{"gpu":"zorblatt"}})");
    const QString recording = folder.copy(kExpandable, u"run_zorblatt/zorblatt.pickle"_s);
    const QString missing = folder.path(u"zorblatt/zorblatt.pickle"_s);
    for (const QStringList &arguments :
         {QStringList{u"reconcile"_s, plan, recording},
          QStringList{u"reconcile"_s, u"--json"_s, plan, recording},
          QStringList{u"reconcile"_s, plan, missing}, QStringList{u"reconcile"_s, wrong, recording},
          QStringList{u"reconcile"_s, missing, recording}, QStringList{u"diff"_s, plan, wrong},
          QStringList{u"diff"_s, plan, odd}, QStringList{u"peak"_s, recording},
          QStringList{u"trace"_s, u"--json"_s, recording}, QStringList{u"trace"_s, missing},
          QStringList{u"trace"_s, folder.path(u"run_zorblatt"_s)}}) {
        const Outcome outcome = run(arguments + QStringList{u"--redact"_s});
        const QString all = outcome.out + outcome.err;
        QVERIFY(!all.isEmpty());
        QVERIFY2(!all.contains("zorblatt"_L1), qPrintable(arguments.join(u' ') + u": "_s + all));
    }
    const Outcome shown = run({u"reconcile"_s, u"--redact"_s, plan, recording});
    QVERIFY2(shown.out.contains("name_8b.vramplan"_L1), qPrintable(shown.out));
}

void TestCliTraces::redactionLeavesNoNameInAnyOutput_data()
{
    QTest::addColumn<QStringList>("command");
    for (const char *command :
         {"trace", "live", "live --at=end", "peak", "oom", "steps", "leaks", "diff", "stacks",
          "stacks --by=frame", "stacks --by=category", "stacks --by=annotation", "stacks --by=step",
          "stacks --tree=top-down", "stacks --tree=bottom-up", "stacks --folded",
          "stacks --speedscope", "stacks --by=category --rules=/home/alice/missing"})
        QTest::newRow(command) << QString::fromUtf8(command).split(u' ');
}

void TestCliTraces::redactionLeavesNoNameInAnyOutput()
{
    QFETCH(QStringList, command);
    const Folder folder;
    const QString owned = u"users/alice/"_s;
    for (const int rank : {0, 1, 2, 3})
        folder.write(owned + u"of_bobby_%1.pickle"_s.arg(rank),
                     privateSnapshot(rank == 3 ? 1 << 30 : 4096));
    folder.write(owned + u"power.csv"_s, // two names that only some of the files tell
                 "timestamp, name, uuid, memory.used [MiB], by alice@nid001234\n"
                 "2024/01/01 00:00:00.000, H100 of alice@nid001234, alice@nid001234, 5 MiB, 3\n");
    folder.write(owned + u"notes of alice.txt"_s, "nothing to see");
    folder.write(owned + u"nid001234_Mar_21_12_00_00.txt"_s, "nothing to see");
    folder.write(owned + u"alice_broken.pickle"_s, "\x80\x04}");
    folder.write(owned + u"results of alice/x.pickle"_s, "");
    folder.write(u"users/alice/nothing/.hidden"_s, "");
    const QString empty = folder.path(owned + u"nothing"_s);
    const QStringList ranks{folder.path(owned + u"of_bobby_0.pickle"_s),
                            folder.path(owned + u"of_bobby_3.pickle"_s)};
    for (const QStringList &files :
         {QStringList{folder.path(u"users/alice"_s)}, QStringList{empty, empty}, ranks,
          QStringList{folder.path(u"users/alice/power.csv"_s)}}) {
        for (const QStringList &form : {QStringList(), QStringList{u"--json"_s}}) {
            const Outcome outcome = run(command + form + QStringList{u"--redact"_s} + files);
            const QString all = outcome.out + outcome.err;
            QVERIFY(!all.isEmpty());
            for (const QString &name : {u"alice"_s, u"nid001234"_s, u"bobby"_s})
                QVERIFY2(!all.contains(name), qPrintable(all));
        }
    }
}

void TestCliTraces::theDifferenceOfTwoRecordingsAddsUp()
{
    const QStringList files{example(kOutOfMemory), example(kExpandable)};
    const QJsonObject diff = json(run(QStringList{u"diff"_s, u"--json"_s} + files).out);
    const QJsonArray sites = diff["sites"_L1].toArray();
    QCOMPARE(sites.size(), diff["sites_total"_L1].toInteger());
    QVERIFY(sites.size() > 3);
    qint64 peaks[2];
    for (int side = 0; side < 2; ++side) {
        const QJsonObject device =
            json(run({u"trace"_s, u"--json"_s, files[side]}).out)["devices"_L1][0].toObject();
        peaks[side] = device["peak_active"_L1].toInteger();
        const QJsonObject figures = diff[side == 0 ? "a"_L1 : "b"_L1].toObject();
        QCOMPARE(figures["file"_L1].toString(), files[side]);
        QCOMPARE(figures["event"_L1], device["peak_active_event"_L1]);
        QCOMPARE(figures["peak_reserved"_L1], device["peak_reserved"_L1]);
        QCOMPARE(sumOf(sites, side == 0 ? "a"_L1 : "b"_L1), peaks[side]);
    }
    QCOMPARE(sumOf(sites, "delta"_L1), peaks[1] - peaks[0]);
    QCOMPARE(diff["delta"_L1]["peak_active"_L1].toInteger(), peaks[1] - peaks[0]);

    const Outcome text = run(QStringList{u"diff"_s, u"--top"_s, u"2"_s} + files);
    QCOMPARE(text.status, 0);
    for (const QString &line : text.out.split(u'\n'))
        QVERIFY2(line.size() <= 100, qPrintable(line));
    QVERIFY(text.out.contains(" other sites; --top 0 lists them)\n"_L1));
    QCOMPARE(json(run(QStringList{u"diff"_s, u"--json"_s, u"--top=2"_s} + files).out)["sites"_L1]
                 .toArray()
                 .size(),
             2);

    const Outcome same = run({u"diff"_s, files[0], files[0]});
    QVERIFY(same.out.contains(" equal sites)\n"_L1));
    QVERIFY(!same.out.contains("grown"_L1) && !same.out.contains("added"_L1));
}

void TestCliTraces::theMomentsThatAreComparedCanBeChosen()
{
    const QString file = example(kOutOfMemory);
    const QJsonObject diff =
        json(run({u"diff"_s, u"--json"_s, u"--at=100"_s, u"--at=end"_s, file, file}).out);
    QCOMPARE(diff["a"_L1]["event"_L1].toInteger(), 100);
    QCOMPARE(diff["b"_L1]["event"_L1].toInteger(), 3939);
    const auto active = [&](const QString &event) {
        return json(run({u"live"_s, u"--json"_s, u"--at"_s, event, file}).out)["active"_L1]
            .toInteger();
    };
    QCOMPARE(diff["delta"_L1]["active"_L1].toInteger(), active(u"3939"_s) - active(u"100"_s));
    QCOMPARE(sumOf(diff["sites"_L1].toArray(), "delta"_L1),
             diff["delta"_L1]["active"_L1].toInteger());
}

void TestCliTraces::ranksAreComparedAndTheOutlierIsNamed()
{
    const Folder folder;
    for (const int rank : {0, 1, 2, 10})
        folder.copy(rank == 10 ? kOutOfMemory : kExpandable, u"rank%1.pickle"_s.arg(rank));
    const Outcome outcome = run({u"diff"_s, u"--json"_s, folder.path()});
    QCOMPARE(outcome.status, 0);
    const QJsonObject diff = json(outcome.out);
    QCOMPARE(diff["ranks"_L1].toInteger(), 4);
    const QJsonArray ranks = diff["per_rank"_L1].toArray();
    QCOMPARE(ranks.size(), 4);
    QCOMPARE(ranks[3]["rank"_L1].toInteger(), 10);
    QCOMPARE(diff["outliers"_L1][0]["rank"_L1].toInteger(), 10);
    QCOMPARE(diff["missing"_L1].toArray(), (QJsonArray{QJsonValue(QJsonArray{3, 9})}));
    const QJsonObject difference = diff["differences"_L1][0].toObject();
    QCOMPARE(difference["rank"_L1].toInteger(), 10);
    QCOMPARE(sumOf(difference["comparison"_L1]["sites"_L1].toArray(), "delta"_L1),
             ranks[3]["peak_active"_L1].toInteger() - ranks[0]["peak_active"_L1].toInteger());
    const Outcome text = run({u"diff"_s, folder.path()});
    QVERIFY2(text.out.contains("Rank 10 (device 0) "_L1), qPrintable(text.out));
    for (const QString &line : text.out.split(u'\n'))
        QVERIFY2(line.size() <= 100 || line.contains("ranks in"_L1), qPrintable(line));
}

void TestCliTraces::equalRanksHaveNoOutlier()
{
    if (test::corpusFolder().isEmpty())
        QSKIP("The recorded snapshots are not there (VRAMSCOPE_CORPUS).");
    QStringList arguments{u"diff"_s};
    for (int rank = 3; rank >= 0; --rank)
        arguments << QDir(test::corpusFolder()).filePath(u"fsdp_oom_rank%1.pickle"_s.arg(rank));
    const Outcome text = run(arguments);
    QCOMPARE(text.status, 0);
    QVERIFY(text.out.contains("No outliers."_L1));
    const QJsonObject diff = json(run(arguments << u"--json"_s).out);
    for (int rank = 0; rank < 4; ++rank) {
        QCOMPARE(diff["per_rank"_L1][rank]["rank"_L1].toInteger(), rank);
        QCOMPARE(diff["per_rank"_L1][rank]["device"_L1].toInteger(), rank);
        QCOMPARE(diff["per_rank"_L1][rank]["failures"_L1].toInteger(), 1);
    }
}

void TestCliTraces::theDevicesOfOneFileAreRanks()
{
    if (test::corpusFolder().isEmpty())
        QSKIP("The recorded snapshots are not there (VRAMSCOPE_CORPUS).");
    const QString file = QDir(test::corpusFolder()).filePath(u"oom_expandable_3of4gpus.pickle"_s);
    const QJsonObject diff = json(run({u"diff"_s, u"--json"_s, u"--top=3"_s, file}).out);
    const QString text = run({u"diff"_s, file}).out;
    QVERIFY2(text.contains("The ranks are numbered by their devices"_L1), qPrintable(text));
    QVERIFY2(text.contains("Rank 1 (B) against rank 2 (A), the typical one"_L1), qPrintable(text));
    QVERIFY(text.contains("skew: the highest less the lowest"_L1));
    QCOMPARE(diff["per_rank"_L1].toArray().size(), 3);
    QCOMPARE(diff["outliers"_L1][0]["rank"_L1].toInteger(), 1);
    QCOMPARE(diff["differences"_L1][0]["comparison"_L1]["sites"_L1].toArray().size(), 3);
}

void TestCliTraces::oneDeviceAloneCannotBeCompared()
{
    const Outcome outcome = run({u"diff"_s, example(kOutOfMemory)});
    QCOMPARE(outcome.status, 1);
    QVERIFY2(outcome.err.contains("has one device"_L1), qPrintable(outcome.err));
}

void TestCliTraces::anEmptySnapshotSaysWhatToDo()
{
    using test::Py;
    const Folder folder;
    const QString file =
        folder.write(u"empty.pickle"_s,
                     QByteArray::fromStdString(test::pickled(Py::dict(
                         {{"segments", Py::list()}, {"device_traces", Py::list({Py::list()})}}))));
    QVERIFY(run({u"trace"_s, file}).out.contains("recipe pytorch"_L1));
    for (const auto &command : {u"live"_s, u"peak"_s, u"oom"_s}) {
        const Outcome outcome = run({command, file});
        QCOMPARE(outcome.status, 1);
        QVERIFY2(outcome.err.contains("Call _record_memory_history() before"_L1),
                 qPrintable(outcome.err));
    }
}

void TestCliTraces::withoutSegmentsNothingIsSaidOfReservedMemory()
{
    const Folder folder;
    const QString file = folder.write(u"a.pickle"_s, privateSnapshot(4096));
    const auto of = [&](const QString &command) {
        return json(run({command, u"--json"_s, file}).out);
    };
    const QJsonObject device = of(u"trace"_s)["devices"_L1][0].toObject();
    QCOMPARE(device["peak_active"_L1].toInteger(), 4096);
    for (const auto key : {"peak_reserved"_L1, "reserved_end"_L1, "active_end"_L1})
        QVERIFY(device.contains(key) && device[key].isNull());
    QVERIFY(of(u"peak"_s)["reserved"_L1].isNull());
    const QJsonObject diff = json(run({u"diff"_s, u"--json"_s, file, file}).out);
    QVERIFY(diff["a"_L1]["peak_reserved"_L1].isNull());
    QVERIFY(diff["delta"_L1]["peak_reserved"_L1].isNull());
    const QString text = run({u"trace"_s, file}).out;
    QVERIFY2(text.contains(u"  peak reserved            –      –\n"_s), qPrintable(text));
    const QString b = folder.write(u"b.pickle"_s, privateSnapshot(4096));
    const QString c = folder.write(u"c.pickle"_s, privateSnapshot(4096));
    const QString ranks = run({u"diff"_s, file, b, c}).out;
    QVERIFY2(ranks.contains(u"     4.00 KiB        0 B              –"_s), qPrintable(ranks));
}

void TestCliTraces::twoPlansAreComparedPartByPart()
{
    const QStringList files{example("llama-70b-8xh200.vramplan"_L1),
                            example("llama-70b-4xa100.vramplan"_L1)};
    const QJsonObject diff = json(run(QStringList{u"diff"_s, u"--json"_s} + files).out);
    const QJsonArray parts = diff["components"_L1].toArray();
    for (int side = 0; side < 2; ++side) {
        const auto key = side == 0 ? "a"_L1 : "b"_L1;
        const QJsonObject plan = json(run({u"plan"_s, u"--json"_s, files[side]}).out);
        const qint64 peak = plan["peak"_L1]["allocated"_L1].toInteger();
        QVERIFY(peak > 0);
        QCOMPARE(diff[key]["peak"_L1].toInteger(), peak);
        QCOMPARE(sumOf(parts, key), peak);
        for (const QJsonValue moment : plan["moments"_L1].toArray()) {
            bool found = false;
            for (const QJsonValue row : diff["moments"_L1].toArray())
                found = found ||
                        (row["name"_L1] == moment["name"_L1] && row[key] == moment["allocated"_L1]);
            QVERIFY(found);
        }
    }
    QCOMPARE(sumOf(parts, "delta"_L1), diff["delta"_L1]["peak"_L1].toInteger());
    const Outcome text = run(QStringList{u"diff"_s} + files);
    QCOMPARE(text.status, 0);
    QVERIFY(text.out.contains("At the peak of each"_L1));
}

void TestCliTraces::wrongComparisonsEndWithStatusTwo_data()
{
    const QString trace = example(kOutOfMemory);
    const QString plan = example("llama-70b-8xh200.vramplan"_L1);
    QTest::addColumn<QStringList>("arguments");
    QTest::addColumn<QString>("says");
    QTest::newRow("nothing") << QStringList{} << u"needs A B"_s;
    QTest::newRow("a plan and a recording") << QStringList{plan, trace} << u"not one with the"_s;
    QTest::newRow("one plan") << QStringList{plan}
                              << u"this is one plan; name the one to compare it with"_s;
    QTest::newRow("top") << QStringList{u"--top=-1"_s, trace, trace} << u"--top"_s;
    QTest::newRow("device") << QStringList{u"--device=4"_s, trace, trace} << u"it has: 0"_s;
    QTest::newRow("event") << QStringList{u"--at=99999"_s, trace, trace} << u"events 0 to 3939"_s;
    QTest::newRow("word") << QStringList{u"--at=top"_s, trace, trace} << u"nor \"peak\""_s;
    QTest::newRow("event of ranks")
        << QStringList{u"--at=5"_s, trace, trace, trace} << u"peak of each"_s;
}

void TestCliTraces::wrongComparisonsEndWithStatusTwo()
{
    QFETCH(QStringList, arguments);
    QFETCH(QString, says);
    const Outcome outcome = run(QStringList{u"diff"_s} + arguments);
    QCOMPARE(outcome.status, 2);
    QVERIFY2(outcome.err.contains(says), qPrintable(outcome.err));
    QVERIFY(outcome.out.isEmpty());
}

void TestCliTraces::recipesArePrintedInBothForms()
{
    QVERIFY(run({u"recipe"_s}).out.contains("  pytorch "_L1));
    const Outcome text = run({u"recipe"_s, u"oom"_s});
    QCOMPARE(text.status, 0);
    QVERIFY(text.out.contains("_cuda_attach_out_of_memory_observer"_L1));
    const QJsonObject oom = json(run({u"recipe"_s, u"oom"_s, u"--json"_s}).out);
    QVERIFY(text.out.endsWith(oom["lines"_L1].toString()));
    const Outcome unknown = run({u"recipe"_s, u"megatrom"_s});
    QCOMPARE(unknown.status, 2);
    QVERIFY(unknown.err.contains("did you mean 'megatron'?"_L1));
}

VRAMSCOPE_TEST(TestCliTraces)
#include "tst_cli_traces.moc"
