// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/core/ranks/summarized_run.h"
#include "tests/support/test.h"

#include <random>

using namespace vramscope;

namespace {

std::vector<int> firstRanks(int count)
{
    std::vector<int> ranks;
    for (int rank = 0; rank < count; ++rank)
        ranks.push_back(rank);
    return ranks;
}

/// A record of a source with a stamp, such as no analysis would make.
RunRecord madeUp(const std::string &source, const SourceStamp &stamp, const std::string &kind,
                 const std::string &what)
{
    const std::string line = "{\"analysis\":" + std::to_string(stamp.analysis) +
                             ",\"device\":0,\"kind\":\"" + kind +
                             "\",\"mtime_us\":" + std::to_string(stamp.modified) +
                             ",\"size\":" + std::to_string(stamp.size) + ",\"source\":\"" + source +
                             "\",\"what\":\"" + what + "\"}";
    return recordOf(line).value();
}

} // namespace

class TestRunSummary : public test::Test
{
    Q_OBJECT

private slots:
    void recordsAreReadBackAsTheyWereWritten();
    void aRecordHasOneForm();
    void aWrongRecordIsASentence_data();
    void aWrongRecordIsASentence();
    void theLaterStateOfAFileCounts();
    void anUsableFileCountsMoreThanAnError();
    void recordsOfAnOlderStateGoWithIt();
    void anyTreeOfJoinsGivesTheSameBytes();
    void kindsThatAreNotKnownAreKept();
    void figuresThatCannotBeAreProblems_data();
    void figuresThatCannotBeAreProblems();
    void whatIsCutOffIsSaid();
};

void TestRunSummary::recordsAreReadBackAsTheyWereWritten()
{
    const test::RankRun run{.ranks = 64, .failing = 33};
    for (const int rank : {0, 33}) {
        const SummarizedDevice device = test::summaryOfRank(run, rank).front();
        RunSummary summary;
        summary.add(device);
        std::vector<std::string> problems;
        const RunSummary::Devices read = summary.devices(problems);
        QVERIFY(problems.empty());
        QCOMPARE(read.devices.size(), std::size_t(1));
        QVERIFY(read.devices.front().lacks.empty());
        QVERIFY(read.stacks == device.stacks);
        // What was read makes the same records.
        const auto again = recordsOf({read.devices.front(), read.stacks});
        const auto records = recordsOf(device);
        QCOMPARE(again.size(), records.size());
        for (std::size_t at = 0; at < records.size(); ++at)
            QCOMPARE(again[at].line, records[at].line);
    }
    const RankSummary error = unusable(summarySourceOf("rank4.pickle", test::stampOfRank(4)),
                                       {ErrorCode::Truncated, "The file is cut off."});
    std::vector<std::string> problems;
    RunSummary summary;
    summary.add({error, {}});
    const RankSummary read = summary.devices(problems).devices.front();
    QCOMPARE(read.error, error.error);
    QVERIFY(read.isRecording);
    QCOMPARE(read.source.rank, std::optional<std::int64_t>(4));
}

void TestRunSummary::aRecordHasOneForm()
{
    const std::string line = recordsOf(test::summaryOfRank({.ranks = 64}, 3).front())[0].line;
    // With blanks and another order of keys it is the same record.
    const std::string loose = "{ \"kind\": \"rank\"," + line.substr(1, line.find("\"kind\"") - 1) +
                              line.substr(line.find("\"last_us\""));
    QVERIFY(loose != line);
    const Result<RunRecord> record = recordOf(loose);
    QVERIFY(record.ok());
    QCOMPARE(record->line, line);
}

void TestRunSummary::aWrongRecordIsASentence_data()
{
    QTest::addColumn<QString>("line");
    QTest::newRow("nothing") << "";
    QTest::newRow("no JSON") << "{\"kind\":";
    QTest::newRow("no object") << "[1]";
    QTest::newRow("no kind") << "{}";
    QTest::newRow("kind") << "{\"kind\":\"Rank 1\"}";
    QTest::newRow("no source") << "{\"kind\":\"rank\",\"mtime_us\":1,\"size\":1,\"analysis\":1,"
                                  "\"device\":0}";
    QTest::newRow("negative size") << "{\"kind\":\"rank\",\"source\":\"a\",\"mtime_us\":1,"
                                      "\"size\":-1,\"analysis\":1,\"device\":0}";
    QTest::newRow("large number") << "{\"kind\":\"rank\",\"source\":\"a\",\"mtime_us\":1,"
                                     "\"size\":18446744073709551615,\"analysis\":1,\"device\":0}";
    QTest::newRow("no number") << "{\"kind\":\"rank\",\"source\":\"a\",\"mtime_us\":1.5,"
                                  "\"size\":1,\"analysis\":1,\"device\":0}";
    QTest::newRow("device of an error")
        << "{\"kind\":\"rank\",\"source\":\"a\",\"mtime_us\":1,\"size\":1,\"analysis\":1,"
           "\"device\":0,\"error\":\"e\"}";
    QTest::newRow("key twice") << "{\"kind\":\"x\",\"kind\":\"y\"}";
    QTest::newRow("sites without moment")
        << "{\"kind\":\"sites\",\"source\":\"a\",\"mtime_us\":1,\"size\":1,\"analysis\":1,"
           "\"device\":0}";
}

void TestRunSummary::aWrongRecordIsASentence()
{
    QFETCH(QString, line);
    const Result<RunRecord> record = recordOf(line.toStdString());
    QVERIFY(!record.ok());
    QVERIFY(record.error().detail.ends_with('.'));
}

void TestRunSummary::theLaterStateOfAFileCounts()
{
    const SourceStamp older{10, 5, true, 1};
    for (const SourceStamp &newer :
         {SourceStamp{11, 4, true, 1}, SourceStamp{10, 6, true, 1}, SourceStamp{10, 5, true, 2}}) {
        for (const bool isFirst : {true, false}) {
            RunSummary run;
            run.add(madeUp("a", isFirst ? older : newer, "rank", isFirst ? "old" : "new"));
            run.add(madeUp("a", isFirst ? newer : older, "rank", isFirst ? "new" : "old"));
            QVERIFY(run.stampOf("a") == newer);
            QCOMPARE(run.linesByKind().front().second.size(), std::size_t(1));
            QVERIFY(run.linesByKind().front().second.front().find("new") != std::string::npos);
        }
    }
    QVERIFY(!RunSummary().stampOf("a"));
}

void TestRunSummary::anUsableFileCountsMoreThanAnError()
{
    const SummarizedDevice usable = test::summaryOfRank({.ranks = 64}, 3).front();
    const SummarizedDevice error{unusable(usable.summary.source, {ErrorCode::Truncated, "Cut."}),
                                 {}};
    RunSummary a;
    a.add(usable);
    a.add(error);
    RunSummary b;
    b.add(error);
    b.add(usable);
    QCOMPARE(runFileBytes(a), runFileBytes(b));
    std::vector<std::string> problems;
    QCOMPARE(a.devices(problems).devices.size(), std::size_t(1));
    QVERIFY(a.devices(problems).devices.front().isUsable());
}

void TestRunSummary::recordsOfAnOlderStateGoWithIt()
{
    RunSummary run;
    run.add(madeUp("a", {1, 1, true, 1}, "rank", "old"));
    run.add(madeUp("a", {1, 1, true, 1}, "ooms", "old"));
    run.add(madeUp("a", {2, 1, true, 1}, "rank", "new")); // failed nowhere any more
    QCOMPARE(run.linesByKind().size(), std::size_t(1));
    run.add(madeUp("a", {1, 1, true, 1}, "steps", "old"));
    QCOMPARE(run.linesByKind().size(), std::size_t(1));
}

// Associative, commutative, idempotent: parts joined in whatever order, twice, and through each
// other, with records that contradict each other among them.
void TestRunSummary::anyTreeOfJoinsGivesTheSameBytes()
{
    const test::RankRun run{.ranks = 64};
    const RunSummary whole = test::summaryOfRanks(run, firstRanks(24));
    std::vector<RunSummary> parts(12);
    std::mt19937 random(7);
    const auto kinds = whole.linesByKind();
    for (const auto &[kind, lines] : kinds) {
        for (const std::string_view line : lines) {
            const RunRecord record = recordOf(line).value();
            const std::size_t copies = 1 + random() % 3;
            for (std::size_t copy = 0; copy < copies; ++copy)
                parts[random() % parts.size()].add(record);
        }
    }
    for (int at = 0; at < 200; ++at)
        parts[random() % parts.size()].add(
            madeUp("node0000_rank" + std::to_string(random() % 24) + ".pickle",
                   {std::int64_t(random() % 4), Bytes(random() % 4), true, 1 + at % 2},
                   random() % 2 == 0 ? "rank" : "steps", std::to_string(random() % 5)));
    for (int at = 0; at < 100; ++at)
        parts[random() % parts.size()].add(
            madeUp("other" + std::to_string(random() % 4),
                   {std::int64_t(random() % 3), Bytes(random() % 3), true, 1 + at % 2},
                   random() % 2 == 0 ? "rank" : "steps", std::to_string(random() % 5)));
    std::string expected;
    constexpr int kTrees = 20;
    for (int tree = 0; tree < kTrees; ++tree) {
        std::vector<RunSummary> left = parts;
        while (left.size() > 1) {
            const std::size_t a = random() % left.size();
            const std::size_t b = random() % left.size();
            if (a == b) {
                left.push_back(left[a]); // twice
                if (left.size() > 30)
                    left.pop_back();
                continue;
            }
            RunSummary both = join(left[a], left[b]);
            if (random() % 3 == 0) // through the file and back
                both = test::readBytes(runFileBytes(both))->run;
            left[a] = std::move(both);
            left.erase(left.begin() + static_cast<std::ptrdiff_t>(b));
        }
        const std::string bytes = runFileBytes(left.front());
        if (tree == 0)
            expected = bytes;
        QVERIFY2(bytes == expected, qPrintable(QString::number(tree)));
    }
    QVERIFY(expected.size() > 10'000);
}

void TestRunSummary::kindsThatAreNotKnownAreKept()
{
    RunSummary run;
    run.add(recordOf("{\"kind\":\"weather\",\"rain\":true}").value());
    run.add(recordOf("{\"kind\":\"weather\",\"rain\":false}").value());
    run.add(recordOf("{\"rain\":false,\"kind\":\"weather\"}").value());
    const auto read = test::readBytes(runFileBytes(run));
    QVERIFY(read.ok());
    QVERIFY(read->whyIncomplete.empty());
    QCOMPARE(read->run.linesByKind().size(), std::size_t(1));
    QCOMPARE(read->run.linesByKind().front().second.size(), std::size_t(2));
}

void TestRunSummary::figuresThatCannotBeAreProblems_data()
{
    QTest::addColumn<QString>("kind");
    QTest::addColumn<QString>("from");
    QTest::addColumn<QString>("to");
    QTest::newRow("sites that do not add up") << "sites"
                                              << "\"rest\":{\"allocations\":0,\"bytes\":0"
                                              << "\"rest\":{\"allocations\":0,\"bytes\":1";
    QTest::newRow("a moment of no event") << "sites"
                                          << "\"event\":"
                                          << "\"event\":99999999999";
    QTest::newRow("columns") << "active"
                             << "\"highest\":["
                             << "\"highest\":[1,";
    QTest::newRow("times") << "active"
                           << "\"begins_us\":["
                           << "\"begins_us\":[0,";
    QTest::newRow("step") << "steps"
                          << "\"rows\":[["
                          << "\"rows\":[[1,";
    QTest::newRow("negative peak") << "rank"
                                   << "\"peak_active\":"
                                   << "\"peak_active\":-";
    QTest::newRow("frames") << "stack"
                            << "\"frames\":[[\""
                            << "\"frames\":[[\"x";
}

// What contradicts itself is left out and named, never shown.
void TestRunSummary::figuresThatCannotBeAreProblems()
{
    QFETCH(QString, kind);
    QFETCH(QString, from);
    QFETCH(QString, to);
    RunSummary run;
    bool isChanged = false;
    for (RunRecord record : recordsOf(test::summaryOfRank({.ranks = 64}, 3).front())) {
        QString line = QString::fromStdString(record.line);
        if (kind.toStdString() == record.kind && !isChanged) {
            isChanged = line.contains(from);
            line.replace(line.indexOf(from), from.size(), to);
        }
        run.add(recordOf(line.toStdString()).value());
    }
    QVERIFY(isChanged);
    std::vector<std::string> problems;
    const RunSummary::Devices read = run.devices(problems);
    QVERIFY(!problems.empty());
    QVERIFY2(problems.front().ends_with('.'), problems.front().c_str());
    if (kind != "stack")
        QVERIFY(read.devices.empty() || !read.devices.front().lacks.empty());
}

void TestRunSummary::whatIsCutOffIsSaid()
{
    RunSummary run;
    for (const RunRecord &record : recordsOf(test::summaryOfRank({.ranks = 64}, 3).front())) {
        if (record.kind != "sites")
            run.add(record);
    }
    std::vector<std::string> problems;
    const RankSummary rank = run.devices(problems).devices.front();
    QVERIFY(rank.lacks == std::vector<std::string>{"sites peak"});
    RunSummary without;
    for (const RunRecord &record : recordsOf(test::summaryOfRank({.ranks = 64}, 3).front())) {
        if (record.kind == "sites")
            without.add(record);
    }
    QVERIFY(without.devices(problems).devices.empty());
    QCOMPARE(problems.size(), std::size_t(1));
}

VRAMSCOPE_TEST(TestRunSummary)
#include "tst_run_summary.moc"
