// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/print/run_coverage_report.h"
#include "core/ranks/collect_runs.h"
#include "core/ranks/run_findings.h"
#include "core/ranks/summarize_folder.h"
#include "tests/core/ranks/summarized_run.h"
#include "tests/support/process.h"
#include "tests/support/test.h"

#include <QFile>
#include <QTemporaryDir>

#include <set>

using namespace vramscope;
using namespace Qt::StringLiterals;

namespace {

namespace fs = std::filesystem;

constexpr int kParts = 16;

void put(const fs::path &file, const std::string &bytes)
{
    fs::create_directories(file.parent_path());
    QFile out(QString::fromStdString(file.string()));
    QVERIFY(out.open(QIODevice::WriteOnly));
    QCOMPARE(out.write(bytes.data(), qint64(bytes.size())), qint64(bytes.size()));
}

std::string contentOf(const fs::path &file)
{
    QFile in(QString::fromStdString(file.string()));
    return in.open(QIODevice::ReadOnly) ? in.readAll().toStdString() : std::string();
}

/// A folder with the snapshots of a run, and one for its summaries.
class Runs
{
public:
    explicit Runs(int ranks)
        : made{.ranks = ranks, .failing = ranks * 5 / 8 + 3}
    {
        for (int rank = 0; rank < ranks; ++rank)
            put(snapshots() / made.fileName(rank), test::rankSnapshot(made, rank).bytes);
    }

    [[nodiscard]] fs::path snapshots() const { return root() / "snapshots"; }
    [[nodiscard]] fs::path out() const { return root() / "summaries"; }
    [[nodiscard]] fs::path part(int at) const { return out() / partFileName(task(at).part); }

    [[nodiscard]] SummaryTask task(int at) const
    {
        SummaryTask one;
        one.folder = snapshots();
        one.out = out();
        one.part = {at, kParts, made.ranks, snapshots().string(), false};
        return one;
    }
    SummaryOutcome summarizePart(int at) const { return summarizeFolder(task(at)).value(); }
    void summarizeAll() const
    {
        for (int at = 0; at < kParts; ++at)
            summarizePart(at);
    }
    [[nodiscard]] CollectedRuns collected() const
    {
        const fs::path folder = out();
        return collectRuns(std::span(&folder, 1)).value();
    }
    [[nodiscard]] RankedRun run() const { return rankedRun(collected().run, made.ranks); }

    test::RankRun made;

private:
    [[nodiscard]] fs::path root() const { return m_folder.path().toStdString(); }
    QTemporaryDir m_folder;
};

std::vector<std::size_t> membersOf(const std::string &bytes)
{
    std::vector<std::size_t> places{0};
    const auto byteAt = [&](std::size_t at) {
        return std::size_t(static_cast<unsigned char>(bytes[at]));
    };
    while (places.back() < bytes.size()) {
        const std::size_t at = places.back() + 16;
        places.push_back(places.back() + (byteAt(at) | byteAt(at + 1) << 8 | byteAt(at + 2) << 16));
    }
    return places;
}

} // namespace

class TestSummarizeFolder : public test::Test
{
    Q_OBJECT

private slots:
    void everyFileIsOfOnePart();
    void partsAreNamed();
    void theTasksOfARunGiveItsTruth();
    void aPartThatStandsIsNotDoneAgain();
    void aChangedRecordingIsOutOfDateAndDoneAgain();
    void whatCannotBeReadIsARecord();
    void aPartThatIsCutOffIsNamedAndHealed();
    void aMissingPartIsNamedWithItsLines();
    void partsOfPartsAreTheSame();
    void twoTasksMayDoOnePart();
    void namesAreTakenOut();
    void theOutputIsNoInput();
};

void TestSummarizeFolder::everyFileIsOfOnePart()
{
    for (const std::int64_t ranks : {1, 7, 16, 1000, 4096}) {
        for (const std::int64_t parts : {1, 3, 16, 64}) {
            std::int64_t before = 0;
            for (std::int64_t rank = 0; rank < ranks; ++rank) {
                const std::int64_t part = partOfRank(rank, ranks, parts);
                // In the block I·R/N … (I+1)·R/N, and in order.
                QVERIFY(part >= before && part < parts);
                QVERIFY(part * ranks / parts <= rank);
                QVERIFY(rank < (part + 1) * ranks / parts);
                QCOMPARE(partOfFile("rank" + std::to_string(rank) + ".pickle", ranks, parts), part);
                before = part;
            }
        }
    }
    // Without a rank, or one beyond, by the path alone: nothing else moves it.
    std::set<std::int64_t> seen;
    for (int at = 0; at < 200; ++at) {
        const std::string path = "memory_" + std::string(1, char('a' + at % 26)) +
                                 std::string(std::size_t(at), 'x') + ".pickle";
        const std::int64_t part = partOfFile(path, 64, 8);
        QCOMPARE(partOfFile(path, {}, 8), part);
        seen.insert(part);
    }
    QCOMPARE(seen.size(), std::size_t(8));
    QCOMPARE(partOfFile("rank64.pickle", 64, 8), partOfFile("rank64.pickle", {}, 8));
}

void TestSummarizeFolder::partsAreNamed()
{
    QCOMPARE(partFileName({2, 64, {}, {}, false}), std::string("part-00002-of-00064.vramranks"));
    const auto part = partOfFileName("part-00002-of-00064.vramranks");
    QVERIFY(part && part->part == 2 && part->parts == 64);
    for (const char *other : {"run.vramranks", "part-2.vramranks", "part-00064-of-00064.vramranks",
                              "part-00002-of-00064.pickle", "part--1-of-3.vramranks"})
        QVERIFY2(!partOfFileName(other), other);
}

void TestSummarizeFolder::theTasksOfARunGiveItsTruth()
{
    const Runs runs(256);
    runs.summarizeAll();
    const CollectedRuns collected = runs.collected();
    QVERIFY(!collected.redo);
    QVERIFY(collected.troubles.empty());
    QCOMPARE(collected.files, std::size_t(kParts));
    const RankedRun run = rankedRun(collected.run);
    QCOMPARE(run.ranks.size(), std::size_t(256));
    QVERIFY(run.missing.empty());
    for (const int rank : {0, 127, 255}) {
        const test::RankSnapshot truth = test::rankSnapshot(runs.made, rank);
        QCOMPARE(run.ranks[std::size_t(rank)].figures.peakActive, truth.peakActive);
        QCOMPARE(run.ranks[std::size_t(rank)].figures.peakReserved, truth.peakReserved);
    }
    const RunFindings found = findingsOf(run);
    QCOMPARE(found.groups.size(), std::size_t(runs.made.stages));
    QCOMPARE(*run.ranks[found.failure->rank].source.rank, std::int64_t(runs.made.failing));
    // Typical bytes a rank, of a part and of all; 100 KB would be the most.
    const auto whole = static_cast<double>(runFileBytes(collected.run).size());
    QVERIFY2(whole / 256 < 8'000, qPrintable(QString::number(whole / 256)));
}

void TestSummarizeFolder::aPartThatStandsIsNotDoneAgain()
{
    const Runs runs(64);
    const SummaryOutcome first = runs.summarizePart(3);
    QCOMPARE(first.devices, std::size_t(4));
    QVERIFY(first.isWritten);
    const std::string bytes = contentOf(runs.part(3));
    const SummaryOutcome second = runs.summarizePart(3);
    QVERIFY(!second.isWritten);
    QCOMPARE(second.standing, std::size_t(4));
    SummaryTask again = runs.task(3);
    again.again = true;
    QCOMPARE(summarizeFolder(again)->devices, std::size_t(4));
    QCOMPARE(contentOf(runs.part(3)), bytes); // the same bytes
    // A file that appears meanwhile is added; the others stand.
    put(runs.snapshots() / "late" / "x", "");
    put(runs.snapshots() / "rank12_second.pickle", test::rankSnapshot(runs.made, 12, 1).bytes);
    const SummaryOutcome third = runs.summarizePart(3);
    QCOMPARE(third.devices, std::size_t(1));
    QCOMPARE(third.standing, std::size_t(4));
    // What is gone since keeps its summary.
    fs::remove(runs.snapshots() / runs.made.fileName(13));
    QVERIFY(!runs.summarizePart(3).isWritten);
    QCOMPARE(runs.run().ranks.size(), std::size_t(4));
}

void TestSummarizeFolder::aChangedRecordingIsOutOfDateAndDoneAgain()
{
    const Runs runs(64);
    runs.summarizeAll();
    QVERIFY(!runs.collected().redo);
    const std::string changed = test::rankSnapshot(runs.made, runs.made.failing).bytes;
    put(runs.snapshots() / runs.made.fileName(20), changed);
    const CollectedRuns stale = runs.collected();
    QVERIFY(stale.redo.has_value());
    QVERIFY(stale.redo->outdated == std::vector<std::int64_t>{5});
    QVERIFY(stale.redo->missing.empty() && stale.redo->cutOff.empty());
    QVERIFY(stale.changed == std::vector<std::string>{runs.made.fileName(20)});
    QCOMPARE(runs.summarizePart(5).devices, std::size_t(1)); // the changed one alone
    QVERIFY(!runs.collected().redo);
    QVERIFY(runs.run().ranks[20].figures.peakActive > test::RankRun::kExtra);
    // An older summary of it that turns up again changes nothing.
    const std::string now = runFileBytes(runs.collected().run);
    put(runs.out() / "old.vramranks", runFileBytes(test::summaryOfRanks(runs.made, {20})));
    QCOMPARE(runFileBytes(runs.collected().run), now);
}

void TestSummarizeFolder::whatCannotBeReadIsARecord()
{
    const Runs runs(64);
    const std::string whole = test::rankSnapshot(runs.made, 8).bytes;
    put(runs.snapshots() / runs.made.fileName(8), whole.substr(0, whole.size() / 2));
    put(runs.snapshots() / runs.made.fileName(9), "");
    put(runs.snapshots() / "rank10.txt", "notes on rank 10\n");
    put(runs.snapshots() / (runs.made.fileName(11) + ".vramscope.json"), "{}");
    fs::remove(runs.snapshots() / runs.made.fileName(40));
    runs.summarizeAll();
    const RankedRun run = runs.run();
    QCOMPARE(run.ranks.size(), std::size_t(61));
    QCOMPARE(run.unusable.size(), std::size_t(2));
    QCOMPARE(*run.unusable[0].source.rank, std::int64_t(8));
    QVERIFY(!run.unusable[0].error.empty());
    QCOMPARE(run.others, std::int64_t(1));
    QVERIFY(run.missing == (std::vector<RankRange>{{40, 40}}));
    // They stand: nobody tries them again before they change.
    QVERIFY(!runs.summarizePart(2).isWritten);
    put(runs.snapshots() / runs.made.fileName(8), whole);
    QCOMPARE(runs.summarizePart(2).devices, std::size_t(1));
    QCOMPARE(runs.run().ranks.size(), std::size_t(62));
}

void TestSummarizeFolder::aPartThatIsCutOffIsNamedAndHealed()
{
    const Runs runs(64);
    runs.summarizeAll();
    const std::string good = runFileBytes(runs.collected().run);
    const std::string whole = contentOf(runs.part(4));
    const std::vector<std::size_t> places = membersOf(whole);
    QVERIFY(places.size() > 7);
    for (std::size_t member = 0; member + 1 < places.size(); ++member) {
        for (const std::size_t length : {places[member], places[member] + 11}) {
            put(runs.part(4), whole.substr(0, length));
            const CollectedRuns cut = runs.collected();
            QVERIFY(cut.redo.has_value());
            QVERIFY(cut.redo->cutOff == std::vector<std::int64_t>{4});
            QVERIFY(cut.redo->missing.empty());
            QCOMPARE(cut.redo->like.ranks, std::optional<std::int64_t>(64));
            QVERIFY(!cut.troubles.empty());
            // What is joined of it does not pass for complete later.
            QTemporaryDir other;
            const fs::path joined = fs::path(other.path().toStdString()) / "run.vramranks";
            put(joined, runFileBytes(cut.run));
            const CollectedRuns later = collectRuns(std::span(&joined, 1)).value();
            QVERIFY(later.redo.has_value());
            QVERIFY(later.redo->missing == std::vector<std::int64_t>{4});
        }
    }
    QVERIFY(runs.summarizePart(4).isWritten);
    QVERIFY(!runs.collected().redo);
    QCOMPARE(runFileBytes(runs.collected().run), good);
}

void TestSummarizeFolder::aMissingPartIsNamedWithItsLines()
{
    const Runs runs(64);
    runs.summarizeAll();
    for (const int part : {2, 5, 7, 8, 9})
        fs::remove(runs.part(part));
    const CollectedRuns collected = runs.collected();
    QVERIFY(collected.redo.has_value());
    QVERIFY(collected.redo->all() == (std::vector<std::int64_t>{2, 5, 7, 8, 9}));
    const std::vector<std::string> lines = redoLines(*collected.redo, runs.out());
    QCOMPARE(lines.size(), std::size_t(2));
    if (!test::kPosix)
        QSKIP("The lines are for a POSIX shell, in which other paths need quotes.");
    const std::string folder = runs.snapshots().string();
    QCOMPARE(lines[0], "for part in 2 5 7 8 9; do vramscope-cli summarize " + folder +
                           " --ranks 64 --part $part/16 --out " + runs.out().string() + "; done");
    QCOMPARE(lines[1], "sbatch --array=2,5,7-9 --wrap 'vramscope-cli summarize " + folder +
                           " --ranks 64 --part $SLURM_ARRAY_TASK_ID/16 --out " +
                           runs.out().string() + "'");
    const RankedRun run = rankedRun(collected.run);
    const std::string text = coverageText(run, &*collected.redo);
    QVERIFY2(text.find("Ranks 8 to 11, 20 to 23 and 28 to 39 may have left one") !=
                 std::string::npos,
             text.c_str());
    QVERIFY(text.find("left no snapshot.") == std::string::npos);
    // Names that a shell would take apart, and arrays that are too long for Slurm.
    PartsToRedo odd;
    odd.like = {0, 5000, {}, "/data/it's here", true};
    odd.missing = {4000};
    const std::vector<std::string> quotedLines = redoLines(odd, "/out put");
    QCOMPARE(quotedLines.size(), std::size_t(1));
    QCOMPARE(quotedLines[0],
             std::string("for part in 4000; do vramscope-cli summarize '/data/it'\\''s here' "
                         "--part $part/5000 --redact --out '/out put'; done"));
}

void TestSummarizeFolder::partsOfPartsAreTheSame()
{
    const Runs runs(64);
    runs.summarizeAll();
    const std::string good = runFileBytes(runs.collected().run);
    QTemporaryDir other;
    const fs::path folder = other.path().toStdString();
    std::vector<fs::path> joined;
    for (int from = 0; from < kParts; from += 4) {
        std::vector<fs::path> some;
        for (int at = from; at < std::min(from + 6, kParts); ++at) // some twice
            some.push_back(runs.part(at));
        joined.push_back(folder / (std::to_string(from) + ".vramranks"));
        put(joined.back(), runFileBytes(collectRuns(some)->run));
    }
    std::ranges::reverse(joined);
    const CollectedRuns all = collectRuns(joined).value();
    QVERIFY(!all.redo);
    QCOMPARE(runFileBytes(all.run), good);
    QVERIFY(collectRuns(std::span(joined).first(2))->redo.has_value());
}

void TestSummarizeFolder::twoTasksMayDoOnePart()
{
    const Runs runs(64);
    std::vector<SummaryOutcome> outcomes(4);
    (void)runTogether(4,
                      [&](std::size_t at, const Progress &) {
                          SummaryTask task = runs.task(6);
                          task.again = true;
                          task.jobs = at % 2;
                          outcomes[at] = summarizeFolder(task).value();
                      },
                      {});
    for (const SummaryOutcome &outcome : outcomes)
        QCOMPARE(outcome.devices, std::size_t(4));
    const std::string bytes = contentOf(runs.part(6));
    fs::remove(runs.part(6));
    (void)runs.summarizePart(6);
    QCOMPARE(contentOf(runs.part(6)), bytes);
}

void TestSummarizeFolder::namesAreTakenOut()
{
    const test::RankRun made{.ranks = 16, .stages = 2, .failing = 10, .beside = 2, .later = 12};
    QTemporaryDir root;
    const fs::path folder = fs::path(root.path().toStdString()) / "snapshots";
    for (int rank = 0; rank < 4; ++rank)
        put(folder / ("jdoe_rank" + std::to_string(rank) + ".pickle"),
            test::rankSnapshot(made, rank).bytes);
    SummaryTask task;
    task.folder = folder;
    task.out = fs::path(root.path().toStdString()) / "out";
    task.part = {0, 1, {}, {}, true};
    const SummaryOutcome outcome = summarizeFolder(task).value();
    QCOMPARE(outcome.devices, std::size_t(4));
    QVERIFY(!summarizeFolder(task)->isWritten); // it is found again under its other name
    const fs::path part = outcome.file;
    const RunSummary run = readRunFile(part)->run;
    for (const auto &[kind, lines] : run.linesByKind()) {
        for (const std::string_view line : lines) {
            QVERIFY2(line.find("jdoe") == line.npos, std::string(line).c_str());
            QVERIFY2(line.find("someone") == line.npos, std::string(line).c_str());
            QVERIFY2(line.find(root.path().toStdString()) == line.npos, std::string(line).c_str());
        }
    }
    const RankedRun ranked = rankedRun(run);
    QCOMPARE(ranked.ranks.size(), std::size_t(4));
    QCOMPARE(ranked.ranks[3].figures.peakActive, test::rankSnapshot(made, 3).peakActive);
}

void TestSummarizeFolder::theOutputIsNoInput()
{
    const Runs runs(16);
    runs.summarizeAll();
    const fs::path all = runs.out() / "run.vramranks";
    const fs::path folder = runs.out();
    const auto collect = [&] { return collectRuns(std::span(&folder, 1), all).value(); };
    put(all, runFileBytes(collect().run));
    QCOMPARE(collect().files, std::size_t(kParts));
    QVERIFY(holdsSummaries(folder));
    QVERIFY(holdsSummaries(all));
    QVERIFY(!holdsSummaries(runs.snapshots()));
    // Summaries beside the snapshots are none of these.
    put(runs.snapshots() / "run.vramranks", contentOf(all));
    QVERIFY(!holdsSummaries(runs.snapshots()));
    QVERIFY(std::ranges::none_of(*filesToSummarize(runs.snapshots()), [](const std::string &file) {
        return file.ends_with(kRunFileEnding);
    }));
}

VRAMSCOPE_TEST(TestSummarizeFolder)
#include "tst_summarize_folder.moc"
