// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/print/run_report.h"
#include "core/ranks/profile_folder.h"
#include "core/ranks/rank_filter.h"
#include "core/ranks/rank_profiles.h"
#include "core/ranks/run_study.h"
#include "core/ranks/summarize_folder.h"
#include "tests/core/profile/stated_profile.h"
#include "tests/core/ranks/summarized_run.h"
#include "tests/support/test.h"

#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QTemporaryDir>

#include <array>
#include <filesystem>
#include <fstream>
#include <random>

using namespace vramscope;
using namespace Qt::StringLiterals;
using test::StatedProfile;

namespace {

std::filesystem::path profileFolderOf(const QString &name)
{
    return test::projectFile(u"tests/data/profiles/"_s + name).toStdString();
}

void writeProfileFile(const std::filesystem::path &file, const std::string &bytes)
{
    std::filesystem::create_directories(file.parent_path());
    std::ofstream(file, std::ios::binary) << bytes;
}

/// The summaries of a folder in two parts, joined.
CollectedRuns summarizedInParts(const std::filesystem::path &folder,
                                const std::filesystem::path &out, bool isRedacted = false)
{
    for (std::int64_t part = 0; part < 2; ++part) {
        SummaryTask task;
        task.folder = folder;
        task.out = out;
        task.part = {part, 2, {}, isRedacted ? std::string() : folder.string(), isRedacted};
        if (!summarizeFolder(task))
            qFatal("not summarised");
    }
    return collectRuns(std::span(&out, 1)).value();
}

/// Everything that the comparison of ranks says, beside what the profiles themselves say.
void compareToProfiles(const RankedRun &run, const RankProfiles &profiles)
{
    const RunActivity activity = activityOf(run);
    QCOMPARE(activity.ranks.size(), profiles.ranks.size());
    QCOMPARE(activity.comparison.waits, profiles.waits);
    QCOMPARE(activity.comparison.lastCalls, profiles.lastCalls);
    QCOMPARE(activity.comparison.waitedCalls, profiles.waitedCalls);
    QCOMPARE(activity.comparison.straggler, profiles.straggler);
    QCOMPARE(activity.comparison.lead, profiles.lead);
    QCOMPARE(activity.matched, profiles.collectives.size());
    QCOMPARE(activity.comparison.matches.size(), profiles.matches.size());
    for (std::size_t at = 0; at < profiles.matches.size(); ++at) {
        QCOMPARE(activity.comparison.matches[at].group, profiles.matches[at].group);
        QCOMPARE(activity.comparison.matches[at].by, profiles.matches[at].by);
        QCOMPARE(activity.comparison.matches[at].fewest, profiles.matches[at].fewest);
        QCOMPARE(activity.comparison.matches[at].most, profiles.matches[at].most);
    }
    for (std::size_t at = 0; at < profiles.clocks.size(); ++at) {
        QCOMPARE(activity.comparison.clocks[at].offset, profiles.clocks[at].offset);
        QCOMPARE(activity.comparison.clocks[at].spread, profiles.clocks[at].spread);
        QCOMPARE(activity.comparison.clocks[at].calls, profiles.clocks[at].calls);
    }
    const std::vector<RankOutlier> outliers = rankOutliers(profiles);
    const std::vector<RankOutlier> found = findingsOf(run).outliers;
    QCOMPARE(found.size(), outliers.size());
    for (std::size_t at = 0; at < outliers.size(); ++at) {
        QCOMPARE(found[at].rank, activity.ranks[outliers[at].rank]);
        QCOMPARE(found[at].figure, outliers[at].figure);
        QCOMPARE(found[at].difference(), outliers[at].difference());
    }
    for (std::size_t at = 0; at < profiles.ranks.size(); ++at) {
        const RankSummary &rank = run.ranks[activity.ranks[at]];
        const ProfileStudy &study = *profiles.ranks[at].study;
        QCOMPARE(rank.source.rank.value(), profiles.ranks[at].rank);
        QCOMPARE(rank.profile->times.has_value(), !study.devices().empty());
        if (rank.profile->times)
            QCOMPARE(*rank.profile->times, study.devices().front().times);
        const std::vector<ProfileStep> &steps = study.steps().steps;
        QCOMPARE(rank.profile->steps.size(), steps.size());
        for (std::size_t step = 0; step < steps.size(); ++step) {
            const SummaryProfileStep &kept = rank.profile->steps[step];
            QCOMPARE(kept.time, steps[step].time);
            QCOMPARE(kept.work.has_value(), steps[step].device.has_value());
            if (!kept.work)
                continue;
            const TimeBreakdown &times = *steps[step].device;
            const SummaryStepWork expected{times.span,          times.compute,
                                           times.communication, times.exposedCommunication,
                                           times.exposedCopy,   times.idle};
            QCOMPARE(*kept.work, expected);
        }
    }
}

/// A rank of a made-up run: steps with collectives of two groups, now and then one more or less,
/// with or without numbers and sizes.
StatedProfile randomRank(std::mt19937 &random, unsigned pattern, std::int64_t rank)
{
    const auto below = [&](std::uint32_t count) {
        return static_cast<std::int64_t>(random() % count);
    };
    StatedProfile made;
    std::int64_t time = below(1000);
    std::int64_t number = 0;
    for (std::int64_t step = 0; step < 3; ++step) {
        const std::int64_t begun = time;
        std::int64_t correlation = step * 100;
        const std::int64_t calls = 6 + (pattern % 3 == 0 ? 0 : below(2));
        for (std::int64_t at = 0; at < calls; ++at) {
            const std::int64_t start = time + below(200);
            const std::int64_t end = start + 50 + below(400);
            made.collective({.name = at % 3 == 2 ? "sendrecv" : "allreduce",
                             .start = start,
                             .end = end,
                             .elements = pattern % 2 == 0 ? 100 + at : kNotStated,
                             .group = at % 2 == 0 ? "default_pg" : "tp",
                             .number = pattern % 5 == 1 ? number++ : kNotStated});
            made.call("cudaLaunchKernel", time, time + 1, ++correlation);
            made.work({.start = end, .end = end + below(90), .correlation = correlation});
            time = end;
        }
        time += below(500);
        made.range("ProfilerStep#" + std::to_string(step + 10), begun, time);
    }
    made.rank(rank);
    return made;
}

/// A line that holds what a record says, written, read and written again.
RankSummary readBack(const SummarizedDevice &device)
{
    RankSummary read;
    for (const RunRecord &written : recordsOf(device)) {
        const auto record = recordOf(written.line);
        if (!record || record->line != written.line || !readRecord(*record, read))
            qFatal("%s", written.line.c_str());
    }
    return read;
}

SummarySource namedSource(std::int64_t rank)
{
    return summarySourceOf("rank" + std::to_string(rank) + ".json", {5, 6, true, kSummaryAnalysis});
}

} // namespace

class TestProfileSummary : public test::Test
{
    Q_OBJECT

private slots:
    void theUnionSaysWhatTheTracesSay_data();
    void theUnionSaysWhatTheTracesSay();
    void whateverRanksDoTheUnionSaysTheSame();
    void ofMoreCallsTheFirstOnesAreCompared();
    void recordsStaySmall();
    void wrongRecordsAreSentences_data();
    void wrongRecordsAreSentences();
    void aRankWithBothIsOneRank();
    void filtersAskForTheTime();
    void theStoryNamesRankAndFigures();
    void memoryIsShownOfSnapshotsAlone();
    void brokenTracesAreTold();
    void namesAreLeftOut();
    void severalProcessesAreSeveralRanks();
    void whatStoodAsNoRecordingIsReadNow();
};

void TestProfileSummary::theUnionSaysWhatTheTracesSay_data()
{
    QTest::addColumn<QString>("folder");
    QTest::newRow("a late rank") << u"late"_s;
    QTest::newRow("clocks apart") << u"apart"_s;
}

void TestProfileSummary::theUnionSaysWhatTheTracesSay()
{
    QFETCH(QString, folder);
    const QTemporaryDir out;
    const CollectedRuns runs = summarizedInParts(profileFolderOf(folder), out.path().toStdString());
    QVERIFY(runs.troubles.empty());
    const RankedRun run = rankedRun(runs.run);
    const auto profiles = readProfileFolder(profileFolderOf(folder)).value();
    compareToProfiles(run, profiles->ranks);
    const RunActivity activity = activityOf(run);
    QCOMPARE(run.numberedBy, NumberedBy::Names);
    const RankProfiles &ranks = profiles->ranks;
    QCOMPARE(activity.late().has_value(), ranks.straggler.has_value());
    if (ranks.straggler)
        QCOMPARE(lateText(activity.comparison, "rank"), lateText(ranks, "rank"));
    // The same of the folder itself, and of one file of all.
    const auto here = readRunStudy(profileFolderOf(folder)).value();
    QCOMPARE(here->findings.activity.comparison.waits, activity.comparison.waits);
    const std::filesystem::path whole = std::filesystem::path(out.path().toStdString()) / "run";
    writeProfileFile(whole, runFileBytes(runs.run));
    const auto read = readRunStudy(whole).value();
    compareToProfiles(read->run, profiles->ranks);
    QCOMPARE(read->mostTelling(), activity.late().value_or(0));
}

void TestProfileSummary::whateverRanksDoTheUnionSaysTheSame()
{
    for (unsigned pattern = 0; pattern < 40; ++pattern) {
        std::mt19937 random(pattern);
        std::vector<RankProfileFile> files;
        RunSummary summaries;
        const std::int64_t ranks = 2 + pattern % 4;
        for (std::int64_t rank = 0; rank < ranks; ++rank) {
            const auto study = randomRank(random, pattern, rank).study();
            files.push_back({"rank" + std::to_string(rank) + ".json", {}, study});
            SummarizedDevice device = summarize(*study, namedSource(rank), 0);
            const RankSummary read = readBack(device);
            QCOMPARE(recordsOf({read, {}}).back().line, recordsOf(device).back().line);
            summaries.add(device);
        }
        compareToProfiles(rankedRun(summaries), compareRanks(std::move(files)));
    }
}

void TestProfileSummary::ofMoreCallsTheFirstOnesAreCompared()
{
    RunSummary summaries;
    constexpr std::int64_t kCalls = 3000;
    for (std::int64_t rank = 0; rank < 3; ++rank) {
        StatedProfile made;
        for (std::int64_t at = 0; at < kCalls; ++at)
            made.collective({.name = "allreduce",
                             .start = at * 100,
                             .end = at * 100 + 10 + (rank == 1 ? 0 : 7),
                             .elements = 4,
                             .group = "default_pg"});
        for (std::int64_t at = 0; at < 5; ++at)
            made.collective({.name = "allgather", .start = at * 100 + 50, .end = at * 100 + 60});
        const auto study = made.rank(rank).study();
        const ProfileSummary summary = summarize(*study);
        QCOMPARE(summary.callCount, kCalls + 5);
        QVERIFY(!summary.areCallsWhole());
        QCOMPARE(summary.calls.size(), std::size_t(2));
        QCOMPARE(summary.calls[0].calls.size(), std::size_t(5)); // "0" comes before "default_pg"
        QCOMPARE(summary.calls[1].calls.size(), kMostSummaryCalls - 5);
        QCOMPARE(summary.calls[1].count, kCalls);
        summaries.add(summarize(*study, namedSource(rank), 0));
    }
    const RunActivity activity = activityOf(rankedRun(summaries));
    QCOMPARE(activity.cut, std::size_t(3));
    const auto kept = static_cast<std::int64_t>(kMostSummaryCalls);
    QCOMPARE(activity.comparison.waitedCalls, kept);
    QCOMPARE(activity.comparison.waits,
             (std::vector<std::int64_t>{7 * (kept - 5), 0, 7 * (kept - 5)}));
    QCOMPARE(activity.comparison.lastCalls[1], kept - 5);
}

void TestProfileSummary::recordsStaySmall()
{
    // Worst: as many steps and calls as are kept, and nothing about them alike.
    std::mt19937 random(1);
    ProfileSummary profile;
    profile.stepsFrom = "The profiler marked them (ProfilerStep#N).";
    const auto any = [&] { return static_cast<std::int64_t>(random() % 100'000'000); };
    for (std::size_t at = 0; at < kMostSummaryProfileSteps; ++at)
        profile.steps.push_back({static_cast<std::int64_t>(at), any(),
                                 SummaryStepWork{any(), any(), any(), any(), any(), any()}});
    CallRun run{"default_pg", CollectiveKind::AllReduce, 2000, {}};
    for (std::size_t at = 0; at < kMostSummaryCalls; ++at)
        run.calls.push_back({any(), any(), any(), 8, any(), 3});
    profile.calls.push_back(run);
    RunSummary one;
    SummarizedDevice device;
    device.summary.source = namedSource(0);
    device.summary.hasMemory = false;
    device.summary.profile = std::make_shared<const ProfileSummary>(profile);
    one.add(device);
    const auto worst = runFileBytes(one).size();
    QVERIFY2(worst <= 100'000, qPrintable(QString::number(worst)));
    QCOMPARE(recordsOf({readBack(device), {}}).front().line, recordsOf(device).front().line);
}

void TestProfileSummary::wrongRecordsAreSentences_data()
{
    QTest::addColumn<QString>("kind");
    QTest::addColumn<QString>("from");
    QTest::addColumn<QString>("to");
    QTest::newRow("a list that is too short")
        << u"calls"_s << u"\"step\":["_s << u"\"step\":[0,1,"_s;
    QTest::newRow("a repeat without end")
        << u"calls"_s << u"\"step\":["_s << u"\"step\":[0,9000000000000000000,"_s;
    QTest::newRow("no such collective") << u"calls"_s << u"allreduce"_s << u"allreducing"_s;
    QTest::newRow("a list of another kind")
        << u"calls"_s << u"\"runs\":["_s << u"\"runs\":7,\"x\":["_s;
    QTest::newRow("a negative duration")
        << u"calls"_s << u"\"duration_ns\":["_s << u"\"duration_ns\":[-"_s;
    QTest::newRow("steps of another width")
        << u"profile"_s << u"\"steps\":[["_s << u"\"steps\":[[1,"_s;
    QTest::newRow("times that are none")
        << u"profile"_s << u"\"times\":{"_s << u"\"times\":7,\"x\":{"_s;
    QTest::newRow("work of no class") << u"profile"_s << u"\"work\":["_s << u"\"work\":[1,"_s;
    QTest::newRow("no number of calls")
        << u"profile"_s << u"\"call_count\":"_s << u"\"call_count\":-"_s;
}

void TestProfileSummary::wrongRecordsAreSentences()
{
    QFETCH(QString, kind);
    QFETCH(QString, from);
    QFETCH(QString, to);
    std::mt19937 random(0);
    const auto study = randomRank(random, 0, 0).study();
    const auto records = recordsOf(summarize(*study, namedSource(0), 0));
    const auto found = std::ranges::find(records, kind.toStdString(), &RunRecord::kind);
    QVERIFY(found != records.end());
    QString line = QString::fromStdString(found->line);
    QVERIFY(line.contains(from));
    line.replace(line.indexOf(from), from.size(), to);
    const auto record = recordOf(line.toStdString());
    QVERIFY(record);
    RankSummary rank;
    const Result<void> read = readRecord(*record, rank);
    QVERIFY(!read.ok());
    QVERIFY2(read.error().text().starts_with("Its \""), read.error().text().c_str());
    QVERIFY(!rank.profile);
}

void TestProfileSummary::aRankWithBothIsOneRank()
{
    const QTemporaryDir folder;
    const std::filesystem::path root = folder.path().toStdString();
    const test::RankRun made{.ranks = 8, .stages = 2, .failing = 3};
    for (int rank = 0; rank < made.ranks; ++rank)
        writeProfileFile(root / "memory" / "snapshots" / made.fileName(rank),
                         test::rankSnapshot(made, rank).bytes);
    for (int rank = 0; rank < 3; ++rank) {
        const std::string name = "rank" + std::to_string(rank) + ".json.gz";
        std::filesystem::create_directories(root / "memory" / "traces");
        std::filesystem::copy_file(profileFolderOf(u"late"_s) / name,
                                   root / "memory" / "traces" / name);
    }
    const CollectedRuns runs = summarizedInParts(root / "memory", root / "parts");
    const RunStudy study = runStudy(root / "parts", runs);
    QCOMPARE(study.count(), std::size_t(8));
    QVERIFY(study.run.earlier.empty());
    for (std::size_t at = 0; at < study.count(); ++at) {
        QVERIFY(study.rank(at).hasMemory);
        QCOMPARE(study.rank(at).profile != nullptr, at < 3);
        QCOMPARE(study.rank(at).profileSource.has_value(), at < 3);
    }
    QCOMPARE(study.rank(1).profileSource->path, "traces/rank1.json.gz");
    QCOMPARE(recordingOf(study, *study.rank(1).profileSource).value(),
             root / "memory" / "traces" / "rank1.json.gz");
    QCOMPARE(study.findings.activity.ranks, (std::vector<std::size_t>{0, 1, 2}));
    const auto alone = readRunStudy(profileFolderOf(u"late"_s)).value();
    QCOMPARE(study.findings.activity.comparison.waits, alone->findings.activity.comparison.waits);
    // Memory is judged by snapshots alone, and nothing of it is made up for the others.
    for (const RankSummary &rank : alone->run.ranks) {
        for (std::size_t figure = 0; figure < kRankFigureCount; ++figure)
            QVERIFY(!figureOf(rank, static_cast<RankFigure>(figure)));
    }
    for (const RankOutlier &each : alone->findings.outliers)
        QVERIFY(!isOfMemory(each.figure));
    QVERIFY(alone->findings.explanations.empty());
    // Done again, nothing is; and any order of joining gives the same bytes.
    SummaryTask task;
    task.folder = root / "memory";
    task.out = root / "parts";
    task.part = {0, 2, {}, task.folder.string(), false};
    QVERIFY(!summarizeFolder(task).value().isWritten);
    const RunSummary a =
        readRunFile(root / "parts" / partFileName({0, 2, {}, {}, false})).value().run;
    const RunSummary b =
        readRunFile(root / "parts" / partFileName({1, 2, {}, {}, false})).value().run;
    QCOMPARE(runFileBytes(join(a, b)), runFileBytes(join(join(b, a), a)));
}

void TestProfileSummary::filtersAskForTheTime()
{
    const auto study = readRunStudy(profileFolderOf(u"late"_s)).value();
    const auto kept = [&](const char *query) {
        std::vector<std::int64_t> ranks;
        const RankFilter filter = parseRankFilter(query).value();
        for (std::size_t at = 0; at < study->count(); ++at) {
            if (keeps(filter, *study, at))
                ranks.push_back(study->number(at));
        }
        return ranks;
    };
    const std::vector<std::int64_t> all{0, 1, 2};
    QCOMPARE(kept("late"), (std::vector<std::int64_t>{2}));
    QCOMPARE(kept("compute>0%"), all);
    QCOMPARE(kept("idle<=100%"), all);
    QCOMPARE(kept("idle>100%"), std::vector<std::int64_t>());
    QCOMPARE(kept("wait<1ns"), (std::vector<std::int64_t>{2}));
    QCOMPARE(kept("wait>=1ns"), (std::vector<std::int64_t>{0, 1}));
    QCOMPARE(kept("steptime>1ns exposed<100%"), all);
    QCOMPARE(kept("peak>0GiB"), std::vector<std::int64_t>()); // of which nothing is known
    QCOMPARE(kept("distance<1GiB"), std::vector<std::int64_t>());
    QCOMPARE(QString::fromStdString(parseRankFilter("idle>20").error().text()),
             u"\"idle>20\": give a share such as idle>20%"_s);
    QCOMPARE(QString::fromStdString(parseRankFilter("wait:5ms").error().text()),
             u"\"wait:5ms\": give a relation: <, <=, =, >= or >, such as wait>5ms"_s);
}

void TestProfileSummary::theStoryNamesRankAndFigures()
{
    const auto study = readRunStudy(profileFolderOf(u"late"_s)).value();
    const std::string text = runText(*study, 0);
    QVERIFY2(text.find("Rank 2 came last in 6 of 6 collectives") != text.npos, text.c_str());
    QVERIFY2(text.find("The slowest step is step ") != text.npos, text.c_str());
    QVERIFY2(text.find("peak active") == text.npos, text.c_str()); // nothing of memory
    const QJsonObject json =
        QJsonDocument::fromJson(QByteArray::fromStdString(runJson(*study, 0))).object();
    QCOMPARE(json[u"activity"][u"late"].toInt(), 2);
    QCOMPARE(json[u"activity"][u"waited_calls"].toInt(), 6);
    const QJsonObject rank = json[u"per_rank"][1].toObject();
    QVERIFY(rank[u"peak_active"].isNull());
    QVERIFY(json[u"groups"][0][u"peak_active"].isNull());
    QCOMPARE(rank[u"profile"][u"wait"].toInteger(), study->findings.activity.comparison.waits[1]);
    QCOMPARE(rank[u"profile"][u"idle"].toInteger(),
             study->findings.activity.comparison.times[1]->idle);
}

void TestProfileSummary::memoryIsShownOfSnapshotsAlone()
{
    const auto traces = readRunStudy(profileFolderOf(u"late"_s)).value();
    QCOMPARE(ofSnapshots(traces), traces); // of time alone, which is shown
    auto mixed = std::make_shared<RunStudy>(*traces);
    mixed->run.ranks[1].hasMemory = true;
    const auto shown = ofSnapshots(mixed);
    QCOMPARE(shown->count(), std::size_t(1));
    QCOMPARE(shown->number(0), 1);
    QVERIFY(shown->run.problems.back().starts_with("2 ranks left a profiler trace"));
    QCOMPARE(ofSnapshots(shown), shown);
}

void TestProfileSummary::brokenTracesAreTold()
{
    const QTemporaryDir folder;
    const std::filesystem::path root = folder.path().toStdString();
    writeProfileFile(root / "in" / "rank0.json",
                     "{\"traceEvents\": [{\"ph\": \"X\", \"cat\": \"kernel\"");
    std::filesystem::copy_file(profileFolderOf(u"late"_s) / "rank1.json.gz",
                               root / "in" / "rank1.json.gz");
    SummaryTask task;
    task.folder = root / "in";
    task.out = root / "out";
    const SummaryOutcome outcome = summarizeFolder(task).value();
    const RankedRun run = rankedRun(readRunFile(outcome.file).value().run);
    QCOMPARE(outcome.devices + outcome.unread.size(), std::size_t(2));
    QCOMPARE(run.ranks.size() + run.unusable.size(), std::size_t(2));
    QCOMPARE(run.unusable.size(), outcome.unread.size());
    QCOMPARE(*run.ranks.back().source.rank, 1);
}

void TestProfileSummary::namesAreLeftOut()
{
    const QTemporaryDir folder;
    const std::filesystem::path root = folder.path().toStdString();
    writeProfileFile(root / "in" / "alice-cluster7_rank4.json",
                     R"({"distributedInfo": {"rank": 4, "world_size": 8}, "traceEvents": [
{"ph": "X", "cat": "kernel", "name": "ncclDevKernel_AllReduce", "pid": 0, "tid": 7, "ts": 1, "dur": 5,
 "args": {"device": 0, "stream": 7, "Collective name": "allreduce",
          "Process Group Name": "/home/alice/group"}}]})");
    const CollectedRuns plain = summarizedInParts(root / "in", root / "plain");
    const CollectedRuns runs = summarizedInParts(root / "in", root / "out", true);
    QVERIFY(rankedRun(plain.run).ranks.front().profile->calls.front().group.find("alice") !=
            std::string::npos);
    for (const auto &[kind, lines] : runs.run.linesByKind()) {
        for (const std::string_view line : lines)
            QVERIFY2(line.find("alice") == line.npos, std::string(line).c_str());
    }
    const RankSummary rank = rankedRun(runs.run).ranks.front();
    QCOMPARE(rank.source.rank.value(), 4);
    QCOMPARE(rank.profile->ranks.value(), 8);
    // In the process, and taken out of a study.
    const auto study = readRunStudy(root / "in").value();
    Redaction names;
    gatherNames(names, *study);
    const RunStudy without = withoutNames(*study, names);
    QVERIFY(without.rank(0).profile->calls.front().group.find("alice") == std::string::npos);
}

void TestProfileSummary::severalProcessesAreSeveralRanks()
{
    const auto two = [] {
        StatedProfile made;
        made.work({.end = 10, .device = 0, .correlation = 1});
        made.work({.end = 30, .device = 1, .correlation = 2});
        return made;
    };
    // One process that drives two devices is one rank, by its first.
    StatedProfile one = two();
    one.call("cudaLaunchKernel", 0, 1, 1);
    one.call("cudaLaunchKernel", 0, 1, 2);
    const auto rank = summarize(one.done(), namedSource(2));
    QCOMPARE(rank.size(), std::size_t(1));
    QCOMPARE(rank.front().summary.profile->devices, 2);
    QCOMPARE(rank.front().summary.profile->times->span, 10);
    QCOMPARE(rank.front().summary.source.rank.value(), 2);
}

void TestProfileSummary::whatStoodAsNoRecordingIsReadNow()
{
    // Older versions told profiler traces from recordings, or counted active memory otherwise.
    QVERIFY(SourceStamp({1, 2, false, 1}).isOutdated());
    QVERIFY(SourceStamp({1, 2, true, 2}).isOutdated());
    QVERIFY(!SourceStamp({1, 2, true, kSummaryAnalysis}).isOutdated());
    QVERIFY(!SourceStamp({1, 2, false, kSummaryAnalysis}).isOutdated());
}

VRAMSCOPE_TEST(TestProfileSummary)
#include "tst_profile_summary.moc"
