// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/print/run_report.h"
#include "core/ranks/rank_filter.h"
#include "core/ranks/rank_matrix.h"
#include "core/ranks/run_study.h"
#include "core/ranks/summarize_folder.h"
#include "tests/core/ranks/summarized_run.h"
#include "tests/support/test.h"

#include <QTemporaryDir>

#include <fstream>

using namespace vramscope;

namespace {

const test::RankRun kStudiedRun{.ranks = 32, .stages = 4, .failing = 21, .beside = 2, .later = 30};

void writeStudied(const std::filesystem::path &file, const std::string &bytes)
{
    std::filesystem::create_directories(file.parent_path());
    std::ofstream(file, std::ios::binary) << bytes;
}

/// The snapshots of a run, without rank 5 and with rank 9 cut off, and their summaries in parts and
/// as one file.
class StudiedFolder
{
public:
    StudiedFolder()
    {
        for (int rank = 0; rank < kStudiedRun.ranks; ++rank) {
            const std::string bytes = test::rankSnapshot(kStudiedRun, rank).bytes;
            if (rank != 5)
                writeStudied(recordings() / kStudiedRun.fileName(rank),
                             rank == 9 ? bytes.substr(0, bytes.size() / 2) : bytes);
        }
        for (std::int64_t part = 0; part < 3; ++part) {
            SummaryTask task;
            task.folder = recordings();
            task.out = parts();
            task.part = {part, 3, {}, recordings().string(), false};
            if (!summarizeFolder(task))
                qFatal("not summarised");
        }
        const std::array paths{parts()};
        writeStudied(whole(), runFileBytes(collectRuns(paths).value().run));
    }
    [[nodiscard]] std::filesystem::path root() const { return m_root.path().toStdString(); }
    [[nodiscard]] std::filesystem::path recordings() const { return root() / "snapshots"; }
    [[nodiscard]] std::filesystem::path parts() const { return root() / "parts"; }
    [[nodiscard]] std::filesystem::path whole() const { return root() / "run.vramranks"; }

private:
    QTemporaryDir m_root;
};

/// The same file read in one go, with all that a study of it takes in.
RunStudy readAtOnce(const std::filesystem::path &file)
{
    const WantedKinds wanted = [](std::string_view kind) { return kind != "reserved"; };
    return runStudy(file, collectRuns(std::span(&file, 1), {}, wanted).value());
}

/// All that is known of ranks, but for what RankSummary::lacks names.
std::vector<std::string> knownOf(const std::vector<RankSummary> &ranks)
{
    std::vector<std::string> lines;
    for (const RankSummary &rank : ranks) {
        for (const RunRecord &record : recordsOf({rank, {}}))
            lines.push_back(record.line);
        lines.insert(lines.end(), rank.lacks.begin(), rank.lacks.end());
    }
    return lines;
}

void compareStudies(const RunStudy &study, const RunStudy &other)
{
    QCOMPARE(knownOf(study.run.ranks), knownOf(other.run.ranks));
    QCOMPARE(knownOf(study.run.earlier), knownOf(other.run.earlier));
    QCOMPARE(study.troubles.size(), other.troubles.size());
    QCOMPARE(study.redo.has_value(), other.redo.has_value());
    if (study.redo)
        QCOMPARE(study.redo->all(), other.redo->all());
}

std::string toldOf(const RunStudy &study)
{
    return runText(study, 0) + runJson(study, 0);
}

} // namespace

class TestRunStudy : public test::Test
{
    Q_OBJECT

    std::unique_ptr<StudiedFolder> m_folder;
    RunStudyPointer m_study;

private slots:
    void initTestCase()
    {
        m_folder = std::make_unique<StudiedFolder>();
        m_study = readRunStudy(m_folder->recordings()).value();
    }
    void aFolderIsTheSameAsItsSummaries();
    void figuresComeBeforeCurves();
    void curvesOfADamagedFileAreLacking();
    void whatIsWrongIsInAllOfThem();
    void theRecordingIsFound();
    void aSummaryLeadsNowhereElse();
    void namesAreTakenOut();
    void filtersKeepWhatTheySay_data();
    void filtersKeepWhatTheySay();
    void wrongFiltersAreSentences_data();
    void wrongFiltersAreSentences();
    void columnsHoldTheHighest();
    void nothingRecordedIsNothing();
    void stepsHaveAColumnEach();
    void readingStopsWhenAsked();
};

void TestRunStudy::aFolderIsTheSameAsItsSummaries()
{
    const auto parts = readRunStudy(m_folder->parts()).value();
    const auto whole = readRunStudy(m_folder->whole()).value();
    QVERIFY(!m_study->isSummary);
    QVERIFY(parts->isSummary);
    QCOMPARE(toldOf(*parts), toldOf(*m_study));
    QCOMPARE(toldOf(*whole), toldOf(*m_study));
    for (std::size_t at = 0; at < m_study->count(); ++at) {
        QCOMPARE(whole->rank(at).active.highest, m_study->rank(at).active.highest);
        QCOMPARE(whole->rank(at).figures.peakActive, m_study->rank(at).figures.peakActive);
        QCOMPARE(whole->rank(at).steps.rows.size(), m_study->rank(at).steps.rows.size());
    }
    QCOMPARE(m_study->number(m_study->mostTelling()), kStudiedRun.failing);
}

void TestRunStudy::figuresComeBeforeCurves()
{
    for (const auto &path : {m_folder->parts(), m_folder->whole()}) {
        const auto figures = readRunFigures(path).value();
        QVERIFY(!figures->run.areCurvesRead);
        QCOMPARE(toldOf(*figures), toldOf(*m_study)); // all that is said of the run
        for (const RankSummary &rank : figures->run.ranks)
            QVERIFY(rank.active.highest.empty());
        QCOMPARE(axesOf(figures->run), axesOf(m_study->run));
        const RankMatrix peaks(figures->run, axesOf(figures->run).front(), 480);
        const RankMatrix curves(m_study->run, peaks.axis(), 480);
        QCOMPARE(peaks.end(), curves.end());
        for (std::size_t rank = 0; rank < peaks.rows(); ++rank)
            QCOMPARE(std::ranges::max(peaks.row(rank)), std::ranges::max(curves.row(rank)));

        const auto whole = withCurves(figures).value();
        QVERIFY(whole->run.areCurvesRead);
        compareStudies(*whole, readAtOnce(path));
        QCOMPARE(toldOf(*whole), toldOf(*m_study));
        QCOMPARE(withCurves(whole).value(), whole);
        for (std::size_t rank = 0; rank < peaks.rows(); ++rank) {
            const RankMatrix now(whole->run, peaks.axis(), 480);
            QVERIFY(std::ranges::equal(now.row(rank), curves.row(rank)));
        }
    }
    QVERIFY(m_study->run.areCurvesRead);
    const auto figures = readRunFigures(m_folder->whole()).value();
    const auto stopped = withCurves(figures, [](double) { return false; });
    QVERIFY(!stopped);
    QCOMPARE(stopped.error().code, ErrorCode::Cancelled);
}

void TestRunStudy::curvesOfADamagedFileAreLacking()
{
    const QTemporaryDir folder;
    const std::filesystem::path file =
        std::filesystem::path(folder.path().toStdString()) / "a.vramranks";
    std::ifstream whole(m_folder->whole(), std::ios::binary);
    std::string bytes(std::istreambuf_iterator<char>(whole), {});
    const std::size_t active = bytes.find("active"); // the kind in the head of its member
    QVERIFY(active != bytes.npos);
    bytes[active + 40] = static_cast<char>(bytes[active + 40] ^ 0x55);
    writeStudied(file, bytes);
    const auto study = readRunStudy(file).value();
    compareStudies(*study, readAtOnce(file));
    QCOMPARE(study->rank(0).lacks, (std::vector<std::string>{"active", "reserved"}));
    QCOMPARE(study->troubles.size(), std::size_t(1));
    // Another file in its place has the curves of another state.
    const auto figures = readRunFigures(m_folder->whole()).value();
    auto moved = std::make_shared<RunStudy>(*figures);
    for (RankSummary &rank : moved->run.ranks)
        ++rank.source.stamp.modified;
    const auto lacking = withCurves(moved).value();
    QVERIFY(lacking->rank(0).active.highest.empty());
    QCOMPARE(lacking->rank(0).lacks, (std::vector<std::string>{"active", "reserved"}));
    moved->path += ".gone";
    QVERIFY(!withCurves(moved));
}

void TestRunStudy::whatIsWrongIsInAllOfThem()
{
    for (const auto &path : {m_folder->recordings(), m_folder->parts(), m_folder->whole()}) {
        const auto study = readRunStudy(path).value();
        QCOMPARE(study->run.missing, (std::vector<RankRange>{{5, 5}}));
        QCOMPARE(study->run.unusable.size(), std::size_t(1));
        QCOMPARE(study->run.unusable.front().source.rank.value(), 9);
    }
}

void TestRunStudy::theRecordingIsFound()
{
    const auto study = readRunStudy(m_folder->whole()).value();
    const RankSummary &rank = study->rank(3);
    // Where it was summarised.
    QCOMPARE(recordingOf(*study, rank).value(), m_folder->recordings() / rank.source.path);
    // Below the folder of the file first.
    const QTemporaryDir other;
    const std::filesystem::path moved = std::filesystem::path(other.path().toStdString());
    std::filesystem::copy(m_folder->recordings() / rank.source.path, moved / rank.source.path);
    std::filesystem::copy(m_folder->whole(), moved / "run.vramranks");
    const auto there = readRunStudy(moved / "run.vramranks").value();
    QCOMPARE(recordingOf(*there, rank).value(), moved / rank.source.path);
    // One of another size is none of this run while there is a better one, …
    writeStudied(moved / rank.source.path, "other");
    QCOMPARE(recordingOf(*there, rank).value(), m_folder->recordings() / rank.source.path);
    // … and what was named counts before both.
    const QTemporaryDir named;
    const std::filesystem::path chosen = named.path().toStdString();
    std::filesystem::copy(m_folder->recordings() / rank.source.path, chosen / rank.source.path);
    QCOMPARE(recordingOf(*there, rank, chosen).value(), chosen / rank.source.path);
    RunStudy lost = *there;
    lost.path = "/nowhere/run.vramranks";
    lost.recordings.clear();
    QVERIFY(!recordingOf(lost, rank));
}

void TestRunStudy::aSummaryLeadsNowhereElse()
{
    writeStudied(m_folder->root() / "secret", "x");
    RankSummary rank = m_study->rank(0);
    for (const char *path : {"../secret", "a/../../secret", "", "/etc/passwd"}) {
        rank.source.path = path;
        QVERIFY2(!recordingOf(*m_study, rank), path);
    }
}

void TestRunStudy::namesAreTakenOut()
{
    RunStudy study = *m_study;
    study.path = "/home/mirabelle/run.vramranks";
    study.recordings = "/home/mirabelle/snapshots";
    study.run.ranks[0].source.path = "home/mirabelle/rank0.pickle";
    study.run.ranks[1].source.path = "home/mirabelle/rank1.pickle";
    study.run.unusable[0].error = "/home/mirabelle/x cannot be read.";
    study.run.problems = {"Rank 1 was recorded twice: /home/mirabelle/a and /home/mirabelle/b."};
    Redaction names;
    gatherNames(names, study);
    names.gather("/home/mirabelle/train.py", Redaction::Kind::Path);
    QVERIFY(toldOf(study).find("mirabelle") != std::string::npos);
    QVERIFY(toldOf(study).find("node0002") != std::string::npos);
    const RunStudy redacted = withoutNames(study, names);
    const std::string told = toldOf(redacted) + redacted.path + redacted.recordings;
    QVERIFY2(told.find("mirabelle") == std::string::npos, told.c_str());
    QVERIFY(redacted.rank(7).source.node.empty());
    QVERIFY(redacted.rank(0).source.path != redacted.rank(1).source.path);
    QCOMPARE(redacted.rank(0).figures.peakActive, study.rank(0).figures.peakActive);
}

void TestRunStudy::filtersKeepWhatTheySay_data()
{
    QTest::addColumn<QString>("query");
    QTest::addColumn<int>("kept");
    const auto row = [](const char *query, int kept) {
        QTest::newRow(query) << QString(query) << kept;
    };
    row("", 30);
    row("oom", 3);
    row("outlier", 1);
    row("oom outlier", 1);
    row("rank:21", 1);
    row("rank<4", 4);
    row("rank>=30", 2);
    row("node:0002", 8);
    row("NODE0002", 8);
    row("\"rank21.\"", 1);
    row("device:0", 4);
    row("peak>1KiB", 30);
    row("peak>900TiB", 0);
    row("distance>1GiB", 1);
    row("peak<1KiB", 0);
    row("problems", 0);
    row("nosuchword", 0);
}

void TestRunStudy::filtersKeepWhatTheySay()
{
    QFETCH(QString, query);
    QFETCH(int, kept);
    const auto filter = parseRankFilter(query.toStdString());
    QVERIFY(filter.ok());
    int count = 0;
    for (std::size_t at = 0; at < m_study->count(); ++at)
        count += keeps(*filter, *m_study, at) ? 1 : 0;
    QCOMPARE(count, kept);
}

void TestRunStudy::wrongFiltersAreSentences_data()
{
    QTest::addColumn<QString>("query");
    QTest::addColumn<QString>("says");
    QTest::newRow("no size") << "peak>"
                             << "such as peak>70GiB";
    QTest::newRow("no unit") << "reserved>70GIGA"
                             << "such as reserved>70GiB";
    QTest::newRow("no relation") << "peak:70GiB"
                                 << "<, <=, =, >= or >";
    QTest::newRow("no number") << "rank:x"
                               << "such as rank:5";
    QTest::newRow("no node") << "node:"
                             << "node:0216";
}

void TestRunStudy::wrongFiltersAreSentences()
{
    QFETCH(QString, query);
    QFETCH(QString, says);
    const auto filter = parseRankFilter(query.toStdString());
    QVERIFY(!filter.ok());
    QVERIFY2(QString::fromStdString(filter.error().text()).contains(says),
             filter.error().text().c_str());
}

void TestRunStudy::columnsHoldTheHighest()
{
    for (const std::size_t columns : {1U, 7U, 240U, 480U}) {
        const RankMatrix matrix(m_study->run, RankAxis::Events, columns);
        QCOMPARE(matrix.columns(), columns);
        for (std::size_t at = 0; at < m_study->count(); ++at) {
            const auto row = matrix.row(at);
            const RankSummary &rank = m_study->rank(at);
            QCOMPARE(*std::ranges::max_element(row), static_cast<float>(rank.figures.peakActive));
            Bytes highest = 0;
            for (std::size_t column = 0; column < columns; ++column) {
                const auto exact = matrix.highestIn(rank, column);
                QCOMPARE(exact.has_value(), row[column] >= 0);
                if (exact)
                    QCOMPARE(row[column], static_cast<float>(*exact));
                highest = std::max(highest, exact.value_or(0));
            }
            QCOMPARE(highest, rank.figures.peakActive); // to the byte
        }
    }
}

void TestRunStudy::nothingRecordedIsNothing()
{
    RankedRun run = m_study->run;
    run.ranks[1].active.events /= 4;
    const RankMatrix matrix(run, RankAxis::Events, 100);
    QVERIFY(matrix.row(1)[90] < 0);
    QVERIFY(matrix.row(0)[20] >= 0);
    run.ranks[2].firstTime.reset();
    const std::vector<RankAxis> axes = axesOf(run);
    QVERIFY(std::ranges::find(axes, RankAxis::Time) == axes.end());
    const RankMatrix byTime(run, RankAxis::Time, 100);
    QVERIFY(std::ranges::all_of(byTime.row(2), [](float bytes) { return bytes < 0; }));
    QCOMPARE(RankMatrix(RankedRun(), RankAxis::Time, 100).columns(), std::size_t(0));
}

void TestRunStudy::stepsHaveAColumnEach()
{
    RankedRun run = m_study->run;
    for (RankSummary &rank : run.ranks) {
        rank.steps.rows.clear();
        for (std::int64_t step = 10; step < 14; ++step) {
            SummaryStep &row = rank.steps.rows.emplace_back();
            row.number = step;
            row.peakActive = step * kGiB;
        }
    }
    const RankMatrix matrix(run, RankAxis::Steps, 480);
    QCOMPARE(matrix.columns(), std::size_t(4));
    QCOMPARE(matrix.row(0)[0], static_cast<float>(10 * kGiB));
    QCOMPARE(matrix.row(0)[3], static_cast<float>(13 * kGiB));
}

void TestRunStudy::readingStopsWhenAsked()
{
    for (const auto &path : {m_folder->recordings(), m_folder->parts(), m_folder->whole()}) {
        const auto read = readRunStudy(path, [](double) { return false; });
        QVERIFY(!read);
        QCOMPARE(read.error().code, ErrorCode::Cancelled);
    }
}

VRAMSCOPE_TEST(TestRunStudy)
#include "tst_run_study.moc"
