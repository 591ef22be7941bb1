// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/analysis/comparison/compare.h"
#include "core/analysis/comparison/ranks.h"
#include "core/analysis/replayed/usage_curve.h"
#include "core/analysis/study/study.h"
#include "core/readers/read_trace.h"
#include "core/trace/trace_builder.h"
#include "tests/support/test.h"

#include <QDir>

#include <map>
#include <random>
#include <set>

using namespace vramscope;
using namespace Qt::StringLiterals;

namespace {

struct Call
{
    std::string name;
    std::string file;
    int line = 0;
    auto operator<=>(const Call &) const = default;
};
using Calls = std::vector<Call>;

/// What the allocator's smallest blocks take.
constexpr Bytes blocks(Bytes count)
{
    return count * 512;
}

/// A trace whose only device holds one allocation for each entry, with its count of these blocks,
/// and nothing else.
std::shared_ptr<const Trace> traceOf(const std::vector<std::pair<Calls, Bytes>> &allocations)
{
    TraceBuilder builder;
    builder.internStream(0);
    std::uint64_t address = 512;
    for (const auto &[calls, count] : allocations) {
        std::vector<FrameId> frames;
        for (const Call &call : calls)
            frames.push_back(builder.internFrame(call.name, call.file, call.line));
        builder.addEvent(0, {.action = Action::Alloc,
                             .address = address,
                             .size = blocks(count),
                             .stack = builder.internStack(frames)});
        address += 1 << 20;
    }
    return builder.finish().value();
}

Comparison compared(const std::shared_ptr<const Trace> &a, const std::shared_ptr<const Trace> &b)
{
    const Study studyA(a, a->devices()[0]);
    const Study studyB(b, b->devices()[0]);
    return compareTraces(peakMoment(studyA), peakMoment(studyB));
}

Bytes sumOfDeltas(const Comparison &comparison)
{
    Bytes sum = 0;
    for (const ComparedSite &site : comparison.sites)
        sum += site.delta();
    return sum;
}

const Call kMain{"main", "/home/a/train.py", 1};

} // namespace

class TestCompare : public test::Test
{
    Q_OBJECT

private slots:
    void equalStacksAreOneSiteWhateverTheirIds();
    void movedLinesAndFoldersAreFoundByFunction();
    void anotherFrameworkIsFoundByTheUsersCode();
    void exactAgreementIsPreferred();
    void whatNoStackRecordsIsComparedToo();
    void theSitesOfRandomTracesAddUpAndAgreeWithANaiveMatch();
    void recordingsComparedWithThemselvesAreEqual();
    void recordingsAddUpToTheDifferenceOfTheirPeaks();
    void settingsThatDifferAreListed();
    void aRankIsReadFromTheName_data();
    void aRankIsReadFromTheName();
    void equalRanksHaveNoOutlier();
    void theRankThatStandsOutIsNamed();
    void aSpreadDoesNotDependOnTheOrder();
};

void TestCompare::equalStacksAreOneSiteWhateverTheirIds()
{
    const Calls first{{"linear", "/lib/torch/f.py", 9}, kMain};
    const Calls second{{"relu", "/lib/torch/f.py", 12}, kMain};
    const Calls third{{"loss", "/lib/torch/l.py", 3}, kMain};
    const auto a = traceOf({{first, 100}, {second, 50}, {first, 100}});
    const auto b = traceOf({{third, 7}, {second, 80}, {first, 150}});
    const Comparison comparison = compared(a, b);
    QCOMPARE(comparison.sites.size(), std::size_t(3));
    QCOMPARE(comparison.sites[0].delta(), blocks(-50));
    QCOMPARE(comparison.sites[0].countA, 2);
    QCOMPARE(comparison.sites[0].countB, 1);
    QCOMPARE(comparison.sites[0].match, SiteMatch::Exact);
    QCOMPARE(comparison.sites[1].delta(), blocks(30));
    QCOMPARE(comparison.sites[2].match, SiteMatch::None);
    QCOMPARE(comparison.sites[2].countA, 0);
    QCOMPARE(sumOfDeltas(comparison), comparison.b.active - comparison.a.active);
}

void TestCompare::movedLinesAndFoldersAreFoundByFunction()
{
    const auto a = traceOf({{{{"forward", "/home/a/model.py", 40}, kMain}, 100}});
    const auto b =
        traceOf({{{{"forward", "/srv/b/model.py", 47}, {"main", "/srv/b/train.py", 1}}, 160}});
    const Comparison comparison = compared(a, b);
    QCOMPARE(comparison.sites.size(), std::size_t(1));
    QCOMPARE(comparison.sites[0].match, SiteMatch::Function);
    QCOMPARE(comparison.sites[0].delta(), blocks(60));
    // Other functions are other places.
    const auto c = traceOf({{{{"backward", "/srv/b/model.py", 47}, kMain}, 160}});
    QCOMPARE(compared(a, c).sites.size(), std::size_t(2));
}

void TestCompare::anotherFrameworkIsFoundByTheUsersCode()
{
    const Call user{"forward", "/home/a/model.py", 40};
    const Call old{"linear", "/x/site-packages/torch/nn/functional.py", 9};
    const Call fresh{"linear_v2", "/x/site-packages/torch/nn/new.py", 19};
    const auto a = traceOf({{{old, user, kMain}, 100}});
    const auto b = traceOf({{{fresh, user, kMain}, 60}, {{fresh, old, user, kMain}, 70}});
    const Comparison comparison = compared(a, b);
    QCOMPARE(comparison.sites.size(), std::size_t(1));
    QCOMPARE(comparison.sites[0].match, SiteMatch::UserCode);
    QCOMPARE(comparison.sites[0].bytesB, blocks(130));
    QCOMPARE(b->stack(comparison.sites[0].stackB).size(), std::size_t(4)); // the larger one's
    // Two stacks without a frame of the user's have nothing in common.
    QCOMPARE(compared(traceOf({{{old}, 5}}), traceOf({{{fresh}, 5}})).sites.size(), std::size_t(2));
}

void TestCompare::exactAgreementIsPreferred()
{
    const auto at = [](int line) { return Calls{{"forward", "/home/a/model.py", line}, kMain}; };
    const auto a = traceOf({{at(10), 1}, {at(20), 2}});
    const auto b = traceOf({{at(20), 200}, {at(30), 3}});
    const Comparison comparison = compared(a, b);
    QCOMPARE(comparison.sites.size(), std::size_t(2));
    QCOMPARE(comparison.sites[0].match, SiteMatch::Exact);
    QCOMPARE(comparison.sites[0].bytesA, blocks(2));
    QCOMPARE(comparison.sites[0].bytesB, blocks(200));
    QCOMPARE(comparison.sites[1].match, SiteMatch::Function);
}

void TestCompare::whatNoStackRecordsIsComparedToo()
{
    const Comparison comparison = compared(traceOf({{{}, 10}}), traceOf({{{}, 30}, {{}, 5}}));
    QCOMPARE(comparison.sites.size(), std::size_t(1));
    QCOMPARE(comparison.sites[0].match, SiteMatch::Exact);
    QCOMPARE(comparison.sites[0].delta(), blocks(25));
}

void TestCompare::theSitesOfRandomTracesAddUpAndAgreeWithANaiveMatch()
{
    std::mt19937 random(4);
    const auto below = [&random](unsigned bound) { return static_cast<int>(random() % bound); };
    const auto randomTrace = [&] {
        std::vector<std::pair<Calls, Bytes>> allocations;
        for (int count = below(40); count >= 0; --count) {
            Calls calls;
            for (int depth = below(4); depth > 0; --depth)
                calls.push_back({std::string(1, "fgh"[below(3)]),
                                 below(2) == 0 ? "/home/a/m.py" : "/x/site-packages/torch/t.py",
                                 below(3)});
            allocations.emplace_back(calls, 1 + below(1000));
        }
        return allocations;
    };
    for (int trial = 0; trial < 300; ++trial) {
        const auto listA = randomTrace();
        const auto listB = randomTrace();
        const auto a = traceOf(listA);
        const auto b = traceOf(listB);
        const Comparison comparison = compared(a, b);
        QCOMPARE(sumOfDeltas(comparison), comparison.b.active - comparison.a.active);

        std::map<Calls, std::pair<Bytes, Bytes>> byContent;
        for (const auto &[calls, count] : listA)
            byContent[calls].first += blocks(count);
        for (const auto &[calls, count] : listB)
            byContent[calls].second += blocks(count);
        std::multiset<std::pair<Bytes, Bytes>> expected;
        for (const auto &[calls, bytes] : byContent) {
            if (bytes.first > 0 && bytes.second > 0)
                expected.insert(bytes);
        }
        std::multiset<std::pair<Bytes, Bytes>> found;
        for (const ComparedSite &site : comparison.sites) {
            if (site.match == SiteMatch::Exact)
                found.insert({site.bytesA, site.bytesB});
            QCOMPARE(site.match == SiteMatch::None, site.countA == 0 || site.countB == 0);
        }
        QCOMPARE(found, expected);

        const Comparison back = compared(b, a);
        QCOMPARE(back.sites.size(), comparison.sites.size());
        for (std::size_t at = 0; at < back.sites.size(); ++at)
            QVERIFY(at == 0 ||
                    std::abs(back.sites[at - 1].delta()) >= std::abs(back.sites[at].delta()));
        QCOMPARE(sumOfDeltas(back), -sumOfDeltas(comparison));
    }
}

void TestCompare::recordingsComparedWithThemselvesAreEqual()
{
    for (const auto name :
         {"training-out-of-memory.pickle"_L1, "training-expandable-segments.pickle"_L1}) {
        const auto read = [&] {
            return readTrace(std::filesystem::path(
                                 test::projectFile("resources/examples/"_L1 + name).toStdString()))
                .value();
        };
        const Comparison comparison = compared(read(), read());
        QVERIFY(comparison.sites.size() > 3);
        for (const ComparedSite &site : comparison.sites) {
            QCOMPARE(site.match, SiteMatch::Exact);
            QCOMPARE(site.delta(), Bytes(0));
        }
        QVERIFY(comparison.settings.empty());
    }
}

void TestCompare::recordingsAddUpToTheDifferenceOfTheirPeaks()
{
    if (test::corpusFolder().isEmpty())
        QSKIP("The recorded snapshots are not there (VRAMSCOPE_CORPUS).");
    const QDir folder(test::corpusFolder());
    std::shared_ptr<const Trace> former;
    for (const QString &file : folder.entryList({u"*.pickle"_s}, QDir::Files)) {
        const auto trace =
            readTrace(std::filesystem::path(folder.filePath(file).toStdString())).value();
        if (trace->devices().empty())
            continue;
        if (former) {
            const Comparison comparison = compared(former, trace);
            QCOMPARE(sumOfDeltas(comparison),
                     comparison.b.summary.peakActive - comparison.a.summary.peakActive);
        }
        former = trace;
    }
    QVERIFY(former);
}

void TestCompare::settingsThatDifferAreListed()
{
    const auto withSettings = [](std::vector<std::pair<const char *, const char *>> settings) {
        TraceBuilder builder;
        for (const auto &[name, value] : settings)
            builder.addSetting(name, value);
        return builder.finish().value();
    };
    const auto a = withSettings({{"same", "1"}, {"other", "true"}, {"gone", "3"}});
    const auto b = withSettings({{"fresh", "4"}, {"other", "false"}, {"same", "1"}});
    const std::vector<SettingDifference> differences = compareSettings(*a, *b);
    QCOMPARE(differences.size(), std::size_t(3));
    QCOMPARE(differences[0].name, std::string("fresh"));
    QVERIFY(!differences[0].a && differences[0].b == "4");
    QVERIFY(differences[1].a == "3" && !differences[1].b);
    QVERIFY(differences[2].a == "true" && differences[2].b == "false");
}

void TestCompare::aRankIsReadFromTheName_data()
{
    QTest::addColumn<QString>("path");
    QTest::addColumn<int>("rank"); // -1: none
    const auto row = [](const char *path, int rank) { QTest::newRow(path) << path << rank; };
    row("rank0_memory_snapshot.pickle", 0);
    row("fsdp_oom_rank12.pickle", 12);
    row("mem_rank_3.pickle.gz", 3);
    row("rank=7.pkl", 7);
    row("oom_rank-5_snapshot.pickle", 5);
    row("Rank3.pickle", 3);
    row("snap_r12.pickle", 12);
    row("worker3.1623212756351.pt.trace.json.gz", 3);
    row("mem-7.pickle", 7);
    row("step100_local_rank1_rank9.pickle", 9);
    row("step100_local_rank1.pickle", 1);
    row("/out/rank_4/snapshot.pickle", 4);
    row("/out/rank_4/rank2.pickle", 2);
    row("/out/iteration_4/snapshot.pickle", -1);
    row("snapshot.pickle", -1);
    row("snapshot_2025_11_21.pickle", -1);
    row("rank99999999999999999999.pickle", -1);
}

void TestCompare::aRankIsReadFromTheName()
{
    QFETCH(QString, path);
    QFETCH(int, rank);
    QCOMPARE(rankOfName(path.toStdString()).value_or(-1), rank);
}

void TestCompare::equalRanksHaveNoOutlier()
{
    const auto outliers = [](std::vector<Bytes> values) {
        return spreadOf(values).outliers.size();
    };
    QCOMPARE(outliers({}), std::size_t(0));
    QCOMPARE(outliers({kGiB}), std::size_t(0));
    QCOMPARE(outliers(std::vector<Bytes>(64, 70 * kGiB)), std::size_t(0));
    QCOMPARE(outliers({70 * kGiB, 70 * kGiB, 70 * kGiB + 300 * kMiB, 70 * kGiB}), std::size_t(0));
    QCOMPARE(outliers({0, 0, 0, 15 * kMiB}), std::size_t(0));
    QCOMPARE(outliers({kGiB, 9 * kGiB}), std::size_t(0)); // of two neither is the usual one
    const Spread spread = spreadOf(std::vector<Bytes>(8, kGiB));
    QCOMPARE(spread.skew, 0.0);
    QCOMPARE(spread.median, Bytes(kGiB));
}

void TestCompare::theRankThatStandsOutIsNamed()
{
    const std::vector<Bytes> values{70 * kGiB, 71 * kGiB, 78 * kGiB, 70 * kGiB,
                                    70 * kGiB, 30 * kGiB, 70 * kGiB};
    const Spread spread = spreadOf(values);
    QCOMPARE(spread.outliers, (std::vector<std::size_t>{5, 2, 1}));
    QCOMPARE(values[spread.typical], 70 * kGiB);
    QCOMPARE(spread.least, 30 * kGiB);
    QCOMPARE(spread.most, 78 * kGiB);
    QVERIFY(std::abs(spread.skew - 48.0 / 70.0) < 1e-9);
    // Where the ranks differ as much among each other, none stands out.
    QVERIFY(spreadOf(std::vector<Bytes>{60 * kGiB, 64 * kGiB, 68 * kGiB, 72 * kGiB, 76 * kGiB})
                .outliers.empty());
}

void TestCompare::aSpreadDoesNotDependOnTheOrder()
{
    std::mt19937_64 random(8);
    for (int trial = 0; trial < 200; ++trial) {
        std::vector<Bytes> values(2 + random() % 63);
        for (Bytes &value : values)
            value = static_cast<Bytes>(random() % std::uint64_t(100 * kGiB));
        const Spread spread = spreadOf(values);
        std::vector<Bytes> shuffled = values;
        std::ranges::shuffle(shuffled, random);
        const Spread other = spreadOf(shuffled);
        QCOMPARE(other.median, spread.median);
        QCOMPARE(other.outliers.size(), spread.outliers.size());
        QVERIFY(spread.least <= spread.median && spread.median <= spread.most);
        QVERIFY(spread.outliers.size() <= values.size() / 2);
        for (std::size_t at = 0; at < spread.outliers.size(); ++at)
            QCOMPARE(std::abs(values[spread.outliers[at]] - spread.median),
                     std::abs(shuffled[other.outliers[at]] - spread.median));
    }
}

VRAMSCOPE_TEST(TestCompare)
#include "tst_compare.moc"
