// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/ranks/rank_profiles.h"
#include "tests/core/profile/stated_profile.h"
#include "tests/support/naive_profile.h"
#include "tests/support/series_input.h"
#include "tests/support/test.h"

#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>

using namespace vramscope;
using test::StatedProfile;

namespace {

RankProfileFile rankOf(StatedProfile &made, std::int64_t rank)
{
    return {"r" + std::to_string(rank), {}, made.rank(rank).study()};
}

/// The generated ranks of a folder of tests/data/profiles.
RankProfiles generated(const QString &folder)
{
    std::vector<RankProfileFile> files;
    for (int rank = 0; rank < 3; ++rank) {
        const QString file = QStringLiteral("rank%1.json.gz").arg(rank);
        const QByteArray text = test::contentOf(
            test::projectFile(QStringLiteral("tests/data/profiles/%1/%2").arg(folder, file)));
        files.push_back({file.toStdString(),
                         {},
                         std::make_shared<const ProfileStudy>(test::naiveProfile(
                             {text.data(), static_cast<std::size_t>(text.size())}))});
    }
    return compareRanks(std::move(files));
}

QJsonObject truthOf(const QString &folder)
{
    QFile file(test::projectFile(QStringLiteral("tests/data/profiles/%1.truth.json").arg(folder)));
    return file.open(QIODevice::ReadOnly) ? QJsonDocument::fromJson(file.readAll()).object()
                                          : QJsonObject();
}

} // namespace

class TestRankProfiles : public test::Test
{
    Q_OBJECT

private Q_SLOTS:
    void everyStepOfAGeneratedRankIsItsTruth_data();
    void everyStepOfAGeneratedRankIsItsTruth();
    void theLateRankIsFound();
    void clocksApartAreFound();
    void noRankIsLateWhereNoneIs();
    void theRankIsStatedNamedOrItsPlace();
    void twoFilesOfOneRankAreTwoRuns();
    void unequalCountsAreMatchedByNumber();
    void unequalCountsAreMatchedFromTheEnd();
    void whatFitsNowhereIsLeftOutAndSaid();
    void aRankIsAnOutlierByThePartThatDiffers();
    void ranksAreComparedOverTheSameSteps();
    void aCutRankIsNamedAndDoesNotCount();
};

void TestRankProfiles::everyStepOfAGeneratedRankIsItsTruth_data()
{
    QTest::addColumn<QString>("folder");
    QTest::newRow("a late rank") << "late";
    QTest::newRow("clocks apart") << "apart";
}

void TestRankProfiles::everyStepOfAGeneratedRankIsItsTruth()
{
    QFETCH(QString, folder);
    const RankProfiles ranks = generated(folder);
    const QJsonArray truth = truthOf(folder).value(u"ranks").toArray();
    QCOMPARE(truth.size(), qsizetype(ranks.ranks.size()));
    for (qsizetype rank = 0; rank < truth.size(); ++rank) {
        const auto &steps = ranks.ranks[static_cast<std::size_t>(rank)].study->steps().steps;
        const QJsonArray expected = truth[rank].toArray();
        QCOMPARE(qsizetype(steps.size()), expected.size());
        for (qsizetype at = 0; at < expected.size(); ++at) {
            const QJsonObject step = expected[at].toObject();
            const TimeBreakdown &times = *steps[static_cast<std::size_t>(at)].device;
            QCOMPARE(times.span, step.value(u"span").toInteger());
            QCOMPARE(times.compute, step.value(u"compute").toInteger());
            QCOMPARE(times.communication, step.value(u"communication").toInteger());
            QCOMPARE(times.exposedCommunication, step.value(u"exposed_communication").toInteger());
            QCOMPARE(times.idle, step.value(u"idle").toInteger());
        }
    }
}

void TestRankProfiles::theLateRankIsFound()
{
    const RankProfiles ranks = generated(QStringLiteral("late"));
    QVERIFY(ranks.straggler.has_value());
    QCOMPARE(ranks.ranks[*ranks.straggler].rank,
             truthOf(QStringLiteral("late")).value(u"late").toInteger());
    QCOMPARE(ranks.lastCalls[*ranks.straggler], ranks.waitedCalls);
    QVERIFY(lateText(ranks, "rank 2").starts_with("Rank 2 came last in 6 of 6 collectives"));
    QCOMPARE(lateGain(ranks), std::min(ranks.waits[0], ranks.waits[1]));
}

void TestRankProfiles::clocksApartAreFound()
{
    const RankProfiles ranks = generated(QStringLiteral("apart"));
    const QJsonObject offsets = truthOf(QStringLiteral("apart")).value(u"offset_us").toObject();
    for (std::size_t rank = 1; rank < 3; ++rank) {
        const double microseconds = offsets.value(QString::number(rank)).toDouble();
        QCOMPARE(ranks.clocks[rank].offset, std::int64_t(microseconds * 1000));
        QCOMPARE(ranks.clocks[rank].spread, 0);
        QCOMPARE(ranks.clocks[rank].calls, 16);
    }
    QCOMPARE(ranks.clocks[0].offset, 0);
}

void TestRankProfiles::noRankIsLateWhereNoneIs()
{
    const RankProfiles ranks = generated(QStringLiteral("apart"));
    QVERIFY(!ranks.straggler);
    QVERIFY(rankOutliers(ranks).empty());
}

void TestRankProfiles::theRankIsStatedNamedOrItsPlace()
{
    StatedProfile stated;
    std::vector<RankProfileFile> files{{"a", 7, StatedProfile().study()},
                                       {"b", 7, stated.rank(3).study()},
                                       {"c", {}, StatedProfile().study()}};
    const RankProfiles ranks = compareRanks(std::move(files));
    QCOMPARE(ranks.ranks[0].file, std::string("c"));
    QCOMPARE(ranks.ranks[0].rank, 2);
    QVERIFY(!ranks.ranks[0].isStated);
    QCOMPARE(ranks.ranks[1].rank, 3);
    QCOMPARE(ranks.ranks[2].rank, 7);
}

void TestRankProfiles::twoFilesOfOneRankAreTwoRuns()
{
    StatedProfile one;
    StatedProfile other;
    for (StatedProfile *each : {&one, &other})
        each->work({"gemm", 0, 10});
    std::vector<RankProfileFile> files{rankOf(one, 1), rankOf(other, 1)};
    const RankProfiles ranks = compareRanks(std::move(files));
    QCOMPARE(ranks.problems.size(), std::size_t(1));
    QVERIFY(ranks.problems[0].find("both of rank 1") != std::string::npos);
}

void TestRankProfiles::unequalCountsAreMatchedByNumber()
{
    StatedProfile one;
    StatedProfile other;
    for (std::int64_t number = 1; number <= 3; ++number)
        one.collective({"allreduce", number * 100, number * 100 + 10, 8, "0", 2, number});
    for (std::int64_t number = 2; number <= 3; ++number)
        other.collective({"allreduce", number * 100, number * 100 + 20, 8, "0", 2, number});
    const RankProfiles ranks = compareRanks({rankOf(one, 0), rankOf(other, 1)});
    QCOMPARE(ranks.matches[0].by, CollectiveMatch::By::Number);
    QCOMPARE(ranks.collectives.size(), std::size_t(2));
    QCOMPARE(ranks.collectives[0].calls[0].start, 200);
    QCOMPARE(ranks.collectives[0].transfer, 10);
    QCOMPARE(ranks.collectives[0].calls[1].wait, 10);
    QCOMPARE(ranks.collectives[0].last, std::size_t(0));
}

void TestRankProfiles::unequalCountsAreMatchedFromTheEnd()
{
    StatedProfile one;
    StatedProfile other;
    for (std::int64_t at = 1; at <= 3; ++at)
        one.collective({"allreduce", at * 100, at * 100 + 10, at, "0", 2});
    for (std::int64_t at = 2; at <= 3; ++at)
        other.collective({"allreduce", at * 100, at * 100 + 20, at, "0", 2});
    const RankProfiles ranks = compareRanks({rankOf(one, 0), rankOf(other, 1)});
    QCOMPARE(ranks.matches[0].by, CollectiveMatch::By::FromEnd);
    QCOMPARE(ranks.collectives[0].calls[0].start, 200);
    QCOMPARE(ranks.collectives[0].endSpread, 10);
}

void TestRankProfiles::whatFitsNowhereIsLeftOutAndSaid()
{
    StatedProfile one;
    StatedProfile other;
    for (std::int64_t at = 1; at <= 3; ++at)
        one.collective({"allreduce", at * 100, at * 100 + 10, at, "0", 2});
    for (std::int64_t at = 5; at <= 6; ++at)
        other.collective({"allreduce", at * 100, at * 100 + 20, at, "0", 2});
    const RankProfiles ranks = compareRanks({rankOf(one, 0), rankOf(other, 1)});
    QCOMPARE(ranks.matches[0].by, CollectiveMatch::By::Not);
    QVERIFY(ranks.collectives.empty());
    QVERIFY(ranks.problems.at(0).find("left out") != std::string::npos);
    QCOMPARE(matchedInOrder(ranks.ranks).size(), std::size_t(2));
}

void TestRankProfiles::aRankIsAnOutlierByThePartThatDiffers()
{
    std::vector<RankProfileFile> files;
    for (std::int64_t rank = 0; rank < 4; ++rank) {
        StatedProfile made;
        made.work({"gemm", 0, rank == 2 ? 200 : 500});
        made.work({"ncclAllReduce", 500, 1000, 13});
        files.push_back(rankOf(made, rank));
    }
    const RankProfiles ranks = compareRanks(std::move(files));
    const std::vector<RankOutlier> outliers = rankOutliers(ranks);
    QCOMPARE(outliers.size(), std::size_t(1));
    QCOMPARE(outliers[0].rank, std::size_t(2));
    QCOMPARE(outliers[0].figure, RankFigure::Compute);
    QCOMPARE(outliers[0].difference(), -300);
}

/// Four steps with 10 kernels each, behind so many kernels from before the recording.
static StatedProfile stepsBehind(std::int64_t before, std::int64_t firstStep = 0)
{
    StatedProfile made;
    for (std::int64_t at = 0; at < before; ++at)
        made.work({"gemm", at * 100, at * 100 + 95, 7, 0, 1000 + at});
    for (std::int64_t step = firstStep; step < 4; ++step) {
        const std::int64_t from = 10'000 + step * 10'000;
        made.range("ProfilerStep#" + std::to_string(step), from, from + 9'000);
        for (std::int64_t at = 0; at < 10; ++at) {
            const std::int64_t id = step * 10 + at + 1;
            made.call("cudaLaunchKernel", from + at * 500, from + at * 500 + 5, id);
            made.work({"gemm", from + at * 500 + 10, from + at * 500 + 390, 7, 0, id});
        }
    }
    return made;
}

void TestRankProfiles::ranksAreComparedOverTheSameSteps()
{
    std::vector<RankProfileFile> files;
    for (std::int64_t rank = 0; rank < 4; ++rank) {
        StatedProfile made = stepsBehind(rank == 0 ? 0 : 60);
        files.push_back(rankOf(made, rank));
    }
    const RankProfiles ranks = compareRanks(files);
    QCOMPARE(ranks.commonSteps, 4);
    QVERIFY(rankOutliers(ranks).empty());
    for (const auto &times : ranks.times)
        QCOMPARE(times->compute, 4 * 10 * 380);
    QCOMPARE(comparedText(ranks), std::string("in the 4 steps that all ranks recorded"));

    // One more began later: only what it has too is compared.
    StatedProfile late = stepsBehind(0, 2);
    files.push_back(rankOf(late, 4));
    const RankProfiles fewer = compareRanks(files);
    QCOMPARE(fewer.commonSteps, 2);
    for (const auto &times : fewer.times)
        QCOMPARE(times->compute, 2 * 10 * 380);
    QVERIFY(rankOutliers(fewer).empty());

    // None in common.
    StatedProfile other;
    other.range("ProfilerStep#77", 0, 100).call("cudaLaunchKernel", 0, 5, 1);
    other.work({"gemm", 10, 90, 7, 0, 1});
    files.push_back(rankOf(other, 5));
    const RankProfiles none = compareRanks(files);
    QCOMPARE(none.commonSteps, 0);
    QVERIFY(none.problems.back().starts_with("No step was recorded by all ranks"));
}

void TestRankProfiles::aCutRankIsNamedAndDoesNotCount()
{
    const auto rank = [](std::int64_t number, std::int64_t calls, std::int64_t length, bool cut) {
        StatedProfile made;
        for (std::int64_t at = 0; at < calls; ++at)
            made.collective({"allreduce", at * 1000 + 500 - length, at * 1000 + 500, 64});
        if (cut)
            made.cut();
        return rankOf(made, number);
    };
    const auto two = compareRanks({rank(0, 6, 100, false), rank(1, 2, 10, true)});
    QVERIFY(!two.straggler);
    QCOMPARE(two.waitedCalls, 0);
    QVERIFY2(two.problems.front().starts_with("Rank 1 (r1) does not count in waits"),
             two.problems.front().c_str());
    QCOMPARE(two.problems[1], std::string("Rank 1 (r1): The file ends in the middle."));
    QVERIFY(!two.times[1]);

    // The others are compared as if it were not there.
    const auto all = compareRanks({rank(0, 6, 100, false), rank(1, 2, 10, true),
                                   rank(2, 6, 50, false), rank(3, 6, 100, false)});
    QCOMPARE(all.waitedCalls, 6);
    QVERIFY(all.straggler.has_value());
    QCOMPARE(*all.straggler, std::size_t(2));
    QCOMPARE(all.lastCalls[2], 6);
    QCOMPARE(lateGain(all), 6 * 50);
    QVERIFY(all.isCut[1] && !all.isCompared(1));
}

VRAMSCOPE_TEST(TestRankProfiles)
#include "tst_rank_profiles.moc"
