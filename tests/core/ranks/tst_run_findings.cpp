// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/describe/ranks_story.h"
#include "core/print/run_coverage_report.h"
#include "core/print/run_report.h"
#include "core/ranks/run_findings.h"
#include "tests/core/ranks/summarized_run.h"
#include "tests/support/test.h"

#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>

#include <cmath>
#include <numeric>

using namespace vramscope;
using namespace Qt::StringLiterals;

namespace {

RunStudy studyOf(const RankedRun &run, RunFindings findings)
{
    RunStudy study;
    study.run = run;
    study.findings = std::move(findings);
    return study;
}

std::vector<int> allRanksBut(const test::RankRun &run, const std::vector<int> &left)
{
    std::vector<int> ranks;
    for (int rank = 0; rank < run.ranks; ++rank) {
        if (std::ranges::find(left, rank) == left.end())
            ranks.push_back(rank);
    }
    return ranks;
}

/// A run of ranks with these sites at their peaks, by number of site.
RankedRun runWithSites(const std::vector<std::vector<std::pair<int, Bytes>>> &ranks)
{
    RankedRun run;
    for (const auto &sites : ranks) {
        RankSummary &rank = run.ranks.emplace_back();
        rank.source.rank = static_cast<std::int64_t>(run.ranks.size()) - 1;
        for (const auto &[site, bytes] : sites) {
            rank.atPeak.sites.push_back({{0, std::uint64_t(site)}, bytes, 1});
            rank.figures.peakActive += bytes;
        }
    }
    return run;
}

} // namespace

class TestRunFindings : public test::Test
{
    Q_OBJECT

private slots:
    void theTruthOfALargeRunIsFound();
    void missingAndSecondRecordingsAreSaid();
    void rangesOfMissingRanks();
    void ranksWithoutNamesAreNumbered();
    void aStrayDeviceDoesNotCountForItsRank();
    void classesAreJoinedAsDescribed();
    void theLimitGrowsWithTheRanks();
    void layoutsAreReadAndExplain();
    void theFirstFailureIsTheEarliest();
    void growthIsJudgedToo();
};

void TestRunFindings::theTruthOfALargeRunIsFound()
{
    const test::RankRun made{};
    const RunSummary summary = test::summaryOfRanks(made, allRanksBut(made, {77}));
    const RankedRun run = rankedRun(summary, made.ranks);
    QCOMPARE(run.ranks.size(), std::size_t(made.ranks - 1));
    QVERIFY(run.missing == (std::vector<RankRange>{{77, 77}}));
    QVERIFY(run.problems.empty());
    const RankLayout layout = rankLayout("dp=128,pp=8").value();
    const RunFindings found = findingsOf(run, layout);

    QCOMPARE(found.groups.size(), std::size_t(made.stages));
    for (std::size_t at = 0; at < run.ranks.size(); ++at)
        QCOMPARE(int(found.groupOf[at]), made.stageOf(int(*run.ranks[at].source.rank)));
    QVERIFY(found.failure.has_value());
    QCOMPARE(*run.ranks[found.failure->rank].source.rank, std::int64_t(made.failing));
    QVERIFY(found.failure->isTimed);
    QCOMPARE(found.failure->failed, std::size_t(3));
    QCOMPARE(found.failure->beside.size(), std::size_t(1));
    QCOMPARE(*run.ranks[found.failure->beside.front()].source.rank, std::int64_t(made.beside));

    QCOMPARE(found.outliers.size(), std::size_t(2)); // of active and of reserved memory
    for (const RankOutlier &outlier : found.outliers)
        QCOMPARE(*run.ranks[outlier.rank].source.rank, std::int64_t(made.failing));
    QCOMPARE(found.outliers[0].figure, RankFigure::PeakActive);
    const Bytes above = found.outliers[0].value - found.outliers[0].median;
    QVERIFY(std::abs(above - test::RankRun::kExtra) < kMiB);

    QCOMPARE(found.contrasts.size(), std::size_t(1));
    const ComparedSite &site = found.contrasts.front().comparison.sites.front();
    QCOMPARE(site.match, SiteMatch::Exact);
    QCOMPARE(site.delta(), test::RankRun::kExtra);
    const FrameId place = run.stacks->stack(site.stackB)[1];
    QCOMPARE(run.stacks->text(run.stacks->frame(place).name), std::string_view("dispatch"));
    QCOMPARE(run.stacks->frame(place).line, test::RankRun::kDispatchLine);
    QCOMPARE(found.explanations.front().name, std::string("pp"));
    QVERIFY(found.explanations.front().share > 0.99);

    const std::string text = runText(studyOf(run, found), 20);
    for (const char *part :
         {"1,023 of 1,024 ranks.", "Rank 77 left no snapshot.",
          "Rank 733 (node0091, device 5) failed first of 3 ranks", "asking for 2.44 GiB",
          "dispatch", "moe.py:88", "Rank 12 failed within the same second"})
        QVERIFY2(text.find(part) != std::string::npos, part);
    for (const QString &line : QString::fromStdString(text).split(u'\n'))
        QVERIFY2(line.size() <= 110, qPrintable(line));
    const QJsonObject json =
        QJsonDocument::fromJson(QByteArray::fromStdString(runJson(studyOf(run, found), 0)))
            .object();
    QCOMPARE(json["first_failure"_L1]["rank"_L1].toInt(), made.failing);
    QCOMPARE(json["per_rank"_L1].toArray().size(), qsizetype(made.ranks - 1));
    for (const QJsonValue value : json["per_rank"_L1].toArray()) {
        const test::RankSnapshot truth = test::rankSnapshot(made, value["rank"_L1].toInt());
        QCOMPARE(Bytes(value["peak_active"_L1].toDouble()), truth.peakActive);
        if (value["rank"_L1].toInt() > 100)
            break; // each is compared with its study elsewhere
    }
}

void TestRunFindings::missingAndSecondRecordingsAreSaid()
{
    const test::RankRun made{.ranks = 64, .failing = 60};
    RunSummary summary = test::summaryOfRanks(made, allRanksBut(made, {5, 6, 9}));
    // Another iteration of rank 3, and a copy of rank 4's under another name.
    for (const SummarizedDevice &device : test::summaryOfRank(made, 3, 1))
        summary.add(device);
    for (SummarizedDevice device : test::summaryOfRank(made, 4)) {
        device.summary.source.path = "copy/" + device.summary.source.path;
        summary.add(device);
    }
    summary.add({unusable(summarySourceOf("node0000_rank5.pickle", {}),
                          {ErrorCode::Truncated, "The file is cut off."}),
                 {}});
    summary.add({unusable(summarySourceOf("notes.txt", {}),
                          {ErrorCode::NotRecognized, "It is no recording."}),
                 {}});
    const RankedRun run = rankedRun(summary, 66);
    QCOMPARE(run.ranks.size(), std::size_t(61));
    QVERIFY(run.missing == (std::vector<RankRange>{{6, 6}, {9, 9}, {64, 65}}));
    QCOMPARE(run.unusable.size(), std::size_t(1));
    QCOMPARE(run.others, std::int64_t(1));
    QCOMPARE(run.earlier.size(), std::size_t(2));
    QVERIFY(run.ranks[3].source.path.starts_with("again/")); // the latest counts
    QCOMPARE(run.problems.size(), std::size_t(1));
    QVERIFY(run.problems.front().starts_with("Rank 4 was recorded twice over the same time"));
    const std::string text = coverageText(run, nullptr);
    for (const char *part : {"61 of 66 ranks.", "Ranks 6, 9, 64 and 65 left no snapshot.",
                             "Rank 5's node0000_rank5.pickle cannot be used. The file is cut off.",
                             "2 further recordings", "1 file in the folder is no recording"})
        QVERIFY2(text.find(part) != std::string::npos, text.c_str());
    // Nobody says how many there were: up to the largest, and that is said.
    const RankedRun open = rankedRun(summary);
    QCOMPARE(open.expected, std::int64_t(64));
    QVERIFY(coverageText(open, nullptr).find("--ranks") != std::string::npos);
    // More than somebody says.
    const std::string more = coverageText(rankedRun(summary, 60), nullptr);
    QVERIFY2(more.starts_with("61 ranks, more than the 60 of the run.\n"), more.c_str());
}

void TestRunFindings::rangesOfMissingRanks()
{
    QVERIFY(missingRanks({}, 0).empty());
    QVERIFY(missingRanks({}, 3) == (std::vector<RankRange>{{0, 2}}));
    QVERIFY(missingRanks({0, 1, 1, 2}, 3).empty());
    QVERIFY(missingRanks({1, 4, 900}, 6) == (std::vector<RankRange>{{0, 0}, {2, 3}, {5, 5}}));
    QCOMPARE(rangesText({{1, 1}}), std::string("1"));
    QCOMPARE(rangesText({{1, 2}}), std::string("1 and 2"));
    QCOMPARE(rangesText({{1, 3}, {7, 8}}), std::string("1 to 3, 7 and 8"));
    std::vector<RankRange> many;
    for (int at = 0; at < 20; ++at)
        many.push_back({3 * at, 3 * at});
    QCOMPARE(rangesText(many), std::string("0, 3, 6, 9, 12, 15, 18, 21 and 12 more"));
}

void TestRunFindings::ranksWithoutNamesAreNumbered()
{
    const auto numbers = [](const std::vector<std::pair<const char *, int>> &sources) {
        RunSummary summary;
        for (const auto &[path, device] : sources) {
            SummarizedDevice one = test::summaryOfRank({.ranks = 64}, 1).front();
            one.summary.source = summarySourceOf(path, {});
            one.summary.device = device;
            summary.add(one);
        }
        const RankedRun run = rankedRun(summary);
        QString text = QString::number(int(run.numberedBy));
        for (const RankSummary &rank : run.ranks)
            text += u' ' + QString::number(*rank.source.rank);
        return text;
    };
    QCOMPARE(numbers({{"rank4.pickle", 0}, {"rank2.pickle", 0}}), u"0 2 4"_s);
    QCOMPARE(numbers({{"all.pickle", 0}, {"all.pickle", 3}}), u"1 0 3"_s);
    QCOMPARE(numbers({{"rank0.pickle", 1}, {"rank0.pickle", 2}}), u"1 1 2"_s);
    QCOMPARE(numbers({{"a.pickle", 0}, {"b.pickle", 0}, {"c.pickle", 0}}), u"2 0 1 2"_s);
}

void TestRunFindings::aStrayDeviceDoesNotCountForItsRank()
{
    const test::RankRun made{.ranks = 64};
    RunSummary summary = test::summaryOfRanks(made, {3, 4, 5});
    SummarizedDevice stray = test::summaryOfRank(made, 4).front();
    stray.summary.device = 0; // a context that rank 4 made there by accident
    stray.summary.figures.events = 2;
    stray.summary.figures.peakActive = 512;
    summary.add(stray);
    const RankedRun run = rankedRun(summary);
    QCOMPARE(run.ranks.size(), std::size_t(3));
    QCOMPARE(run.ranks[1].device, std::int64_t(4));
    QCOMPARE(run.earlier.size(), std::size_t(1));
}

void TestRunFindings::classesAreJoinedAsDescribed()
{
    using Sites = std::vector<std::pair<int, Bytes>>;
    std::vector<Sites> ranks;
    // Six ranks that differ in a small site alone are alike …
    for (int rank = 0; rank < 6; ++rank)
        ranks.push_back(Sites{{1, kGiB}, {2, 100 * kMiB}, {10 + rank % 2, kMiB}});
    // … six others hold something large of their own …
    for (int rank = 0; rank < 6; ++rank)
        ranks.push_back(Sites{{1, kGiB}, {3, 900 * kMiB}});
    // … and two that are like neither share more with these.
    for (int rank = 0; rank < 2; ++rank)
        ranks.push_back(Sites{{1, 2 * kGiB}, {3, 700 * kMiB}, {4, 50 * kMiB}});
    const std::vector<AlikeRanks> groups = alikeRanks(runWithSites(ranks));
    QCOMPARE(groups.size(), std::size_t(2));
    QVERIFY(groups[0].ranks == (std::vector<std::size_t>{0, 1, 2, 3, 4, 5}));
    QVERIFY(groups[1].ranks == (std::vector<std::size_t>{6, 7, 8, 9, 10, 11, 12, 13}));
    QVERIFY(groups[1].typical < 12);
    QCOMPARE(groups[0].alike, std::size_t(6));
    QCOMPARE(groups[1].alike, std::size_t(6));
    // What is no group of similar ranks is not called one.
    RankedRun mixed = runWithSites(ranks);
    mixed.stacks = test::traceOfRank({.ranks = 64}, 0);
    const std::string text = runText(studyOf(mixed, findingsOf(mixed)), 20);
    QVERIFY2(text.find("Group 2: 6 are similar") != std::string::npos, text.c_str());
    QVERIFY(text.find("Group 1:") == std::string::npos);
    RankedRun few = runWithSites({{{1, 5}}, {{2, 5}}, {{3, 5}}});
    few.stacks = mixed.stacks;
    const std::string fewText = runText(studyOf(few, findingsOf(few)), 20);
    QVERIFY2(fewText.find("Group 1: fewer than five similar ranks") != std::string::npos,
             fewText.c_str());
    // By 1 % and more at a large site they are no longer alike, but a small run is one group.
    ranks.assign(4, Sites{{1, kGiB}, {2, kMiB}});
    ranks[3] = Sites{{1, kGiB + kGiB / 50}};
    QCOMPARE(alikeRanks(runWithSites(ranks)).size(), std::size_t(1));
    QVERIFY(alikeRanks({}).empty());
}

void TestRunFindings::theLimitGrowsWithTheRanks()
{
    QCOMPARE(outlierLimit(0), 3.0);
    QCOMPARE(outlierLimit(8), 3.0);
    QVERIFY(std::abs(outlierLimit(10'000) - 4.56) < 0.01);
    // 0.05 expected false alarms in all, by the tail of the normal distribution.
    QVERIFY(std::abs(1000 * std::erfc(outlierLimit(1000) / std::sqrt(2.0)) - 0.05) < 1e-6);
}

void TestRunFindings::layoutsAreReadAndExplain()
{
    const RankLayout layout = rankLayout("tp=2,dp=3,pp=2").value();
    QCOMPARE(layout.place(7, 0), std::int64_t(1));
    QCOMPARE(layout.place(7, 1), std::int64_t(0));
    QCOMPARE(layout.place(7, 2), std::int64_t(1));
    QCOMPARE(layout.place(12, 2), std::int64_t(0));
    for (const char *wrong : {"", "tp", "tp=", "tp=0", "tp=x", "tp=2,tp=3", "=4", "tp=2,,dp=3"})
        QVERIFY2(!rankLayout(wrong).ok(), wrong);
    // Peaks that go by dp alone.
    std::vector<std::vector<std::pair<int, Bytes>>> ranks;
    for (std::int64_t rank = 0; rank < 48; ++rank)
        ranks.push_back({{1, kGiB * (1 + layout.place(rank, 1)) + rank}});
    const RankedRun run = runWithSites(ranks);
    const RunFindings found = findingsOf(run, layout);
    QCOMPARE(found.explanations.front().name, std::string("dp"));
    QVERIFY(found.explanations.front().share > 0.99);
}

void TestRunFindings::theFirstFailureIsTheEarliest()
{
    RankedRun run = runWithSites({{{1, 5}}, {{1, 5}}, {{1, 5}}, {{1, 5}}});
    QVERIFY(!firstFailure(run));
    const auto fail = [&](std::size_t rank, std::optional<std::int64_t> time) {
        run.ranks[rank].failureCount = 1;
        run.ranks[rank].failures = {
            {.event = 1, .time = time, .stack = {}, .cause = {}, .remedy = {}}};
    };
    fail(3, std::nullopt);
    QCOMPARE(firstFailure(run)->rank, std::size_t(3));
    QVERIFY(!firstFailure(run)->isTimed);
    fail(1, 5'000'000);
    fail(2, 4'100'000);
    const auto first = firstFailure(run);
    QCOMPARE(first->rank, std::size_t(2));
    QVERIFY(first->isTimed);
    QVERIFY(first->beside == std::vector<std::size_t>{1});
    QCOMPARE(first->failed, std::size_t(3));
    QCOMPARE(first->untimed, std::size_t(1)); // rank 3
}

void TestRunFindings::growthIsJudgedToo()
{
    RankedRun run = runWithSites(std::vector<std::vector<std::pair<int, Bytes>>>(12, {{1, kGiB}}));
    for (std::size_t rank = 0; rank < run.ranks.size(); ++rank) {
        for (int step = 0; step < 5; ++step)
            run.ranks[rank].steps.rows.push_back(
                {.number = step,
                 .activeBegin = kGiB + (rank == 7 ? step * 50 * kMiB : 0),
                 .activeEnd = kGiB + (rank == 7 ? (step + 1) * 50 * kMiB : 0),
                 .survivors = {}});
    }
    const std::vector<RankOutlier> found = outliers(run, alikeRanks(run));
    QCOMPARE(found.size(), std::size_t(1));
    QCOMPARE(found.front().rank, std::size_t(7));
    QCOMPARE(found.front().figure, RankFigure::Growth);
    QCOMPARE(found.front().value, 200 * kMiB);
}

VRAMSCOPE_TEST(TestRunFindings)
#include "tst_run_findings.moc"
