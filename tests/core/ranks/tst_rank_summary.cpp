// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/analysis/findings/peak.h"
#include "core/analysis/replayed/usage_curve.h"
#include "core/analysis/steps/steps.h"
#include "core/analysis/study/study.h"
#include "core/base/text_hash.h"
#include "core/trace/trace_builder.h"
#include "tests/core/ranks/summarized_run.h"
#include "tests/support/test.h"

#include <algorithm>

using namespace vramscope;

class TestRankSummary : public test::Test
{
    Q_OBJECT

private slots:
    void figuresAreThoseOfTheStudyAndOfTheTruth();
    void columnsMissNoValueOfTheCurves();
    void whatIsListedAndTheRestAddUp();
    void theSitesBeyondTheMostAreOneLine();
    void aFailureIsTakenOver();
    void placesAreTheSameWhereverTheyAreInstalled();
    void aStackOfAnyTextHasOneSite();
    void theHashIsTheOneThatIsDescribed();
    void pathsTellRankAndNode();
};

void TestRankSummary::figuresAreThoseOfTheStudyAndOfTheTruth()
{
    const test::RankRun run{.ranks = 64};
    for (const int rank : {0, 13, 63}) {
        const auto trace = test::traceOfRank(run, rank);
        const test::RankSnapshot truth = test::rankSnapshot(run, rank);
        const Study study(trace, trace->devices().front());
        const auto summaries = test::summaryOfRank(run, rank);
        QCOMPARE(summaries.size(), std::size_t(1));
        const RankSummary &summary = summaries.front().summary;
        QCOMPARE(summary.source.rank, std::optional<std::int64_t>(rank));
        QCOMPARE(summary.device, std::int64_t(rank % test::RankRun::kDevices));
        QCOMPARE(summary.figures.peakActive, truth.peakActive);
        QCOMPARE(summary.figures.peakReserved, truth.peakReserved);
        QCOMPARE(summary.figures.events, truth.events);
        QCOMPARE(summary.atPeak.active, truth.peakActive);
        QCOMPARE(summary.atPeak.event, study.summary().peakActiveEvent);
        QCOMPARE(summary.steps.count, std::int64_t(study.steps().steps.size()));
        QCOMPARE(summary.steps.count, std::int64_t(4));
        for (std::size_t at = 0; at < summary.steps.rows.size(); ++at) {
            const Step &step = study.steps().steps[at];
            const SummaryStep &row = summary.steps.rows[at];
            QCOMPARE(row.peakActive, step.peakActive);
            QCOMPARE(row.activeEnd, step.activeEnd);
            QCOMPARE(row.number, step.number);
        }
    }
}

void TestRankSummary::columnsMissNoValueOfTheCurves()
{
    const test::RankRun run{.ranks = 64};
    const auto trace = test::traceOfRank(run, 5);
    const Study study(trace, trace->devices().front());
    const RankSummary summary = test::summaryOfRank(run, 5).front().summary;
    const auto check = [](const CurveOutline &outline, const EventCurve &curve) {
        const std::int64_t states = curve.count() + 1;
        const auto columns = static_cast<std::int64_t>(outline.lowest.size());
        QCOMPARE(columns, std::min<std::int64_t>(states, kSummaryColumns));
        for (std::int64_t column = 0; column < columns; ++column) {
            // Each state of the curve, one by one.
            Bytes lowest = std::numeric_limits<Bytes>::max();
            Bytes highest = std::numeric_limits<Bytes>::min();
            for (std::int64_t state = column * states / columns;
                 state < (column + 1) * states / columns; ++state) {
                const Bytes bytes = curve.at(static_cast<EventIndex>(state - 1));
                lowest = std::min(lowest, bytes);
                highest = std::max(highest, bytes);
            }
            QCOMPARE(outline.lowest[std::size_t(column)], lowest);
            QCOMPARE(outline.highest[std::size_t(column)], highest);
        }
    };
    check(summary.active, study.curve().active());
    check(summary.reserved, study.curve().reserved());
    QCOMPARE(summary.begins.size(), summary.active.lowest.size());
    QCOMPARE(summary.begins.front(), std::int64_t(0));
    QVERIFY(std::ranges::is_sorted(summary.begins));
    QVERIFY(summary.begins.back() <= *summary.lastTime - *summary.firstTime);
}

void TestRankSummary::whatIsListedAndTheRestAddUp()
{
    const test::RankRun run{.ranks = 64};
    const SummarizedDevice device = test::summaryOfRank(run, 9).front();
    Bytes sum = device.summary.atPeak.restBytes;
    for (const SummarySite &site : device.summary.atPeak.sites) {
        sum += site.bytes;
        QVERIFY(device.stacks.contains(site.site)); // each is named
    }
    QCOMPARE(sum, device.summary.figures.peakActive);
    Bytes categories = 0;
    for (const SummaryPeak::Share &share : device.summary.peak.categories)
        categories += share.tally.bytes;
    QCOMPARE(categories, device.summary.figures.peakActive);
}

void TestRankSummary::theSitesBeyondTheMostAreOneLine()
{
    TraceBuilder builder;
    builder.internStream(0);
    constexpr int kSites = 700;
    std::uint64_t address = 0x7f0000000000U;
    Bytes whole = 0;
    for (int site = 0; site < kSites; ++site) {
        const FrameId frame = builder.internFrame("place", "/home/me/x/model.py", site);
        const Bytes size = 512 * (Bytes(site) + 2);
        builder.addEvent(0, {.action = Action::Alloc,
                             .address = address,
                             .size = size,
                             .stack = builder.internStack(std::span(&frame, 1))});
        address += 1 << 20;
        whole += size;
    }
    const std::shared_ptr<const Trace> trace = builder.finish().value();
    const auto devices = summarize(trace, summarySourceOf("rank3.pickle", {})).value();
    const SummaryMoment &moment = devices.front().summary.atPeak;
    QCOMPARE(moment.active, whole);
    QCOMPARE(moment.sites.size(), kMostSummarySites);
    QCOMPARE(moment.sites.front().bytes, 512 * Bytes(kSites + 1)); // the largest ones
    QCOMPARE(moment.restSites, std::int64_t(kSites - kMostSummarySites));
    Bytes rest = 0;
    for (std::int64_t site = 0; site < moment.restSites; ++site)
        rest += 512 * (site + 2);
    QCOMPARE(moment.restBytes, rest);
    QCOMPARE(moment.restAllocations, moment.restSites);
}

void TestRankSummary::aFailureIsTakenOver()
{
    const test::RankRun run{.ranks = 64, .failing = 33};
    const SummarizedDevice device = test::summaryOfRank(run, 33).front();
    const test::RankSnapshot truth = test::rankSnapshot(run, 33);
    QCOMPARE(device.summary.failureCount, std::int64_t(1));
    const SummaryFailure &failure = device.summary.failures.front();
    QCOMPARE(failure.time, std::optional(truth.failureTime));
    QCOMPARE(failure.requested, test::RankRun::kRequested);
    QCOMPARE(failure.deviceFree, kGiB);
    QCOMPARE(failure.active, truth.peakActive);
    QVERIFY(failure.cause.has_value());
    QVERIFY(device.summary.atFailure.has_value());
    QCOMPARE(device.summary.atFailure->active, failure.active);
    const auto frames = device.stacks.find(*failure.stack);
    QVERIFY(frames != device.stacks.end());
    QCOMPARE(frames->second[1], (SiteFrame{"dispatch", "project/moe.py", 88}));
}

void TestRankSummary::placesAreTheSameWhereverTheyAreInstalled()
{
    QCOMPARE(siteFile("/tmp/env_3/lib/python3.12/site-packages/torch/nn/functional.py"),
             std::string("site-packages/torch/nn/functional.py"));
    QCOMPARE(siteFile("/usr/lib/python3/dist-packages/torch/nn/functional.py"),
             std::string("site-packages/torch/nn/functional.py"));
    QCOMPARE(siteFile("C:\\env\\Lib\\site-packages\\torch\\_ops.py"),
             std::string("site-packages/torch/_ops.py"));
    QCOMPARE(siteFile("/opt/conda/lib/python3.11/threading.py"),
             std::string("lib/python/threading.py"));
    QCOMPARE(siteFile("/home/a/work/project/model.py"), std::string("project/model.py"));
    QCOMPARE(siteFile("model.py"), std::string("model.py"));
    QCOMPARE(siteFile("/model.py"), std::string("model.py"));
    QCOMPARE(siteFile("/build/pytorch/aten/src/ATen/native/x.cpp"),
             std::string("aten/src/ATen/native/x.cpp"));
    QCOMPARE(siteFile("/tmp/torchinductor_me/ab/cab3xyz.py"),
             std::string("torchinductor/compiled.py"));
    QCOMPARE(siteFile("<eval_with_key>.17"), std::string("<eval_with_key>"));
    QCOMPARE(siteFile("<frozen importlib._bootstrap>"),
             std::string("<frozen importlib._bootstrap>"));
    QCOMPARE(siteFile(""), std::string());
    QCOMPARE(siteName("f(0x7ffe12ab, 3)"), std::string("f(0x, 3)"));
    QCOMPARE(siteName("<eval_with_key>.4"), std::string("<eval_with_key>"));
    // Two nodes with environments of their own: one place.
    const test::RankRun run{.ranks = 64};
    const auto siteOf = [&](int rank) {
        const SummarizedDevice device = test::summaryOfRank(run, rank).front();
        return device.summary.atPeak.sites.front().site;
    };
    QVERIFY(siteOf(8) != siteOf(63));
    QCOMPARE(siteOf(16).text(), siteOf(23).text());
}

void TestRankSummary::aStackOfAnyTextHasOneSite()
{
    const std::string broken = "caf\xc3 \x01\xff";
    const std::string file = siteFile("/a/b/" + broken);
    const std::string name = siteName(broken + std::string(10'000, 'x'));
    QVERIFY(name.size() <= 3 * kLongestSiteText);
    const std::vector<SiteFrame> frames{{name, file, -3}};
    SummarizedDevice device = test::summaryOfRank({.ranks = 64}, 1).front();
    device.stacks.emplace(siteIdOf(frames), frames);
    RunSummary run;
    run.add(device);
    std::vector<std::string> problems;
    const auto read = test::readBytes(runFileBytes(run))->run.devices(problems);
    QVERIFY2(problems.empty(), problems.empty() ? "" : problems.front().c_str());
    QVERIFY(read.stacks.contains(siteIdOf(frames)));
    QCOMPARE(read.stacks.find(siteIdOf(frames))->second, frames);
}

void TestRankSummary::theHashIsTheOneThatIsDescribed()
{
    // FNV-1a of nothing is its offset basis; of "a" the published value.
    QCOMPARE(siteIdOf({}).text(), std::string("6c62272e07bb014262b821756295c58d"));
    QCOMPARE(textHash("a"), std::uint64_t(0xaf63dc4c8601ec8cU));
    // As ten lines of Python compute it from the description.
    const std::vector<SiteFrame> frames{{"forward", "project/model.py", 60}};
    QCOMPARE(siteIdOf(frames).text(), std::string("e4ea9afb97cd3bb66478a596f790c99f"));
    QVERIFY(SiteId::fromText(siteIdOf(frames).text()) == siteIdOf(frames));
    QVERIFY(!SiteId::fromText("6c62272e07bb014262b821756295c58"));
    QVERIFY(!SiteId::fromText("6C62272e07bb014262b821756295c58d"));
}

void TestRankSummary::pathsTellRankAndNode()
{
    const auto told = [](const char *path) {
        const SummarySource source = summarySourceOf(path, {});
        return QStringLiteral("%1 %2 %3 %4")
            .arg(source.rank ? QString::number(*source.rank) : QStringLiteral("-"))
            .arg(int(source.rankBy))
            .arg(QString::fromStdString(source.node))
            .arg(int(source.nodeBy));
    };
    QCOMPARE(told("rank7.pickle"), QStringLiteral("7 1  0"));
    QCOMPARE(told("node0216_rank1733.pickle"), QStringLiteral("1733 1 node0216 1"));
    QCOMPARE(told("node0216/rank5.pickle"), QStringLiteral("5 1 node0216 2"));
    QCOMPARE(told("node0216.pickle"), QStringLiteral("- 0 node0216 1"));
    QCOMPARE(told("rank12/memory.pickle"), QStringLiteral("12 2  0"));
    QCOMPARE(told("nid001734/mem-3.pickle"), QStringLiteral("3 1 nid001734 2"));
    QCOMPARE(told("memory.pickle"), QStringLiteral("- 0  0"));
}

VRAMSCOPE_TEST(TestRankSummary)
#include "tst_rank_summary.moc"
