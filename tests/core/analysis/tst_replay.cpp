// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/analysis/replayed/recorded_settings.h"
#include "core/analysis/replayed/usage_curve.h"
#include "core/analysis/study/study.h"
#include "core/analysis/what_if/recorded_requests.h"
#include "core/analysis/what_if/replay.h"
#include "core/analysis/what_if/what_if.h"
#include "core/print/replay_report.h"
#include "core/readers/read_trace.h"
#include "core/simulator/recommendation.h"
#include "core/trace/trace_builder.h"
#include "tests/core/analysis/built_trace.h"
#include "tests/core/analysis/random_trace.h"
#include "tests/core/analysis/recorded_program.h"
#include "tests/support/test.h"

#include <QDir>

#include <algorithm>
#include <limits>

using namespace vramscope;
using namespace Qt::StringLiterals;
using test::RecordedProgram;

namespace {

Replay replayed(const Trace &trace, const DeviceTrace &device)
{
    const Allocations allocations(device);
    const auto space = AddressSpace::replay(device, allocations, allocatorRules(trace));
    return *replay(trace, device, allocations, *space);
}

Replay replayed(const Trace &trace)
{
    return replayed(trace, trace.devices().front());
}

QString textOf(const Replay &replay)
{
    return QString("event %1 of %2: %3; %4")
        .arg(replay.exactEvents)
        .arg(replay.events)
        .arg(QString::fromStdString(replay.reason), QString::fromStdString(replay.difference));
}

QString folder()
{
    return test::corpusFolder();
}

std::shared_ptr<const Trace> recording(const QString &name)
{
    auto read = readTrace(QDir(folder()).filePath(name).toStdString());
    return read.ok() ? *read : nullptr;
}

} // namespace

class TestReplay : public test::Test
{
    Q_OBJECT

private Q_SLOTS:
    void recordingsAreReplayedToTheLastBlock_data();
    void recordingsAreReplayedToTheLastBlock();
    void whatNoAllocatorDidIsNotExact();
    void aFailureTellsWhatTheDeviceHad();
    void programsAreReplayedAsTheyWereRecorded_data();
    void programsAreReplayedAsTheyWereRecorded();
    void aReplayLeavesTheRecordingWhereItWasChanged();
    void garbageIsCollectedAsRecorded();
    void shippedExamplesAreExact();
    void aSwitchedSettingIsNamed();
    void aSwitchedSettingIsNamedOnlyWhereItExplainsMost();
    void aPageWithoutAddressesIsNotCompared();
    void ofAscendTheRoundingIsKnownAndTheRestIsSaidNotToBe();
    void otherSettingsAreSimulatedFromNothing();
    void releasedPoolsGiveBackWhatTheyDidInTheRecording_data();
    void releasedPoolsGiveBackWhatTheyDidInTheRecording();
    void whatIsOddAboutTheRecordedSettingsIsNamed();
    void whatIsReservedIsToldFromEventToEvent();
    void theLeastReservedIsRecommended();
    void arbitraryEventsAreReplayedWithoutHarm();
    void aReplayCanBeCancelled();
};

void TestReplay::recordingsAreReplayedToTheLastBlock_data()
{
    QTest::addColumn<QString>("name");
    QTest::addColumn<bool>("complete");
    QTest::addColumn<int>("otherBlocks");
    QTest::newRow("from the start") << "decomfl_windows_py_23k.pickle" << true << 0;
    QTest::newRow("cut down at the end") << "mini_nightly_depth259.pickle" << true << 31;
    QTest::newRow("expandable, out of memory") << "oom_expandable_3of4gpus.pickle" << true << 0;
    QTest::newRow("a private pool") << "slime_pool01_8slots_a.pickle" << true << 0;
    QTest::newRow("two streams, a retry") << "fsdp_oom_rank0.pickle" << false << 0;
    QTest::newRow("large") << "big_27k_entries.pickle" << false << 0;
    QTest::newRow("expandable, mid-run") << "torch211_expandable_xl.pickle" << false << 0;
    QTest::newRow("orphans") << "torch211_train_orphans.pickle" << false << 0;
    QTest::newRow("PyTorch 2.1") << "torch21_qlora_notebook.pickle" << false << 0;
    QTest::newRow("PyTorch 2.3 or 2.4") << "torch24_train_3797.pickle" << false << 0;
    QTest::newRow("with a snapshot") << "notebook_snapshot_action.pickle" << false << 0;
    QTest::newRow("PyTorch 2.9") << "torch29_19681.pickle" << false << 0;
}

void TestReplay::recordingsAreReplayedToTheLastBlock()
{
    if (folder().isEmpty())
        QSKIP("The recordings are not there (VRAMSCOPE_CORPUS).");
    QFETCH(QString, name);
    QFETCH(bool, complete);
    QFETCH(int, otherBlocks);
    const auto trace = recording(name);
    QVERIFY(trace != nullptr);
    int devices = 0;
    for (const DeviceTrace &device : trace->devices()) {
        if (device.events.count() == 0)
            continue;
        ++devices;
        const Replay found = replayed(*trace, device);
        QVERIFY2(found.exact(), qPrintable(textOf(found)));
        QCOMPARE(found.exactEvents, device.events.count());
        QCOMPARE(found.fromStart, complete);
        QCOMPARE(found.otherBlocks, otherBlocks);
    }
    QVERIFY(devices > 0);
}

void TestReplay::whatNoAllocatorDidIsNotExact()
{
    if (folder().isEmpty())
        QSKIP("The recordings are not there (VRAMSCOPE_CORPUS).");
    const Replay synthetic = replayed(*recording("synthetic_mosaic.pickle"));
    QVERIFY(synthetic.end == ReplayEnd::Contradiction);
    QCOMPARE(synthetic.exactEvents, 0);
    QVERIFY(replayed(*recording("torch20_history_13b.pickle")).end == ReplayEnd::NothingRecorded);
}

void TestReplay::aFailureTellsWhatTheDeviceHad()
{
    if (folder().isEmpty())
        QSKIP("The recordings are not there (VRAMSCOPE_CORPUS).");
    const Replay found = replayed(*recording("fsdp_oom_rank0.pickle"));
    QCOMPARE(found.capacity, Bytes(41'102'213'120));
    QCOMPARE(found.figures.retries, 1);
    QCOMPARE(found.figures.outOfMemory, 1);
}

void TestReplay::programsAreReplayedAsTheyWereRecorded_data()
{
    QTest::addColumn<QString>("configuration");
    for (const char *configuration :
         {"", "expandable_segments:True", "max_split_size_mb:24,max_non_split_rounding_mb:24",
          "roundup_power2_divisions:[1:4,8:2,>:8]", "large_segment_size_mb:32",
          "expandable_segments:True,large_segment_size_mb:12",
          "expandable_segments:True,max_split_size_mb:24",
          "garbage_collection_threshold:0.4,per_process_memory_fraction:0.7,max_split_size_mb:24",
          "garbage_collection_threshold:0.4,per_process_memory_fraction:0.7,"
          "expandable_segments:True"})
        QTest::newRow(configuration) << QString(configuration);
}

/// Whatever the allocator recorded, from the first event on or after any that were lost, as long as
/// the sizes of blocks from before are those that the rules give.
void TestReplay::programsAreReplayedAsTheyWereRecorded()
{
    QFETCH(QString, configuration);
    int exact = 0;
    for (unsigned seed = 0; seed < 60; ++seed) {
        RecordedProgram program(configuration.toStdString(), seed);
        const auto whole = program.trace(0);
        const Replay all = replayed(*whole);
        QVERIFY2(all.exact(), qPrintable(QString("seed %1, ").arg(seed) + textOf(all)));
        QCOMPARE(all.otherBlocks, 0);
        AllocatorFigures figures = all.figures;
        // An empty_cache() that finds nothing leaves no trace, and events do not tell a retry from
        // giving back only what is large.
        figures.synchronizations = program.figures().synchronizations;
        if (configuration.contains(u"max_split"_s))
            figures.retries = program.figures().retries;
        QVERIFY(figures == program.figures());

        const auto later = program.trace(program.eventCount() / 2);
        const Replay rest = replayed(*later);
        // Since when memory is free, by which garbage is collected, is lost too; and where one
        // expandable segment ends and the next begins.
        const bool named =
            rest.end == ReplayEnd::UnknownSizes ||
            (rest.end == ReplayEnd::UnknownReach && configuration.contains(u"expandable"_s)) ||
            (rest.end == ReplayEnd::OtherSettings &&
             configuration.contains(u"garbage_collection"_s));
        QVERIFY2(rest.exact() || named,
                 qPrintable(QString("seed %1, half, ").arg(seed) + textOf(rest)));
        exact += rest.exact() ? 1 : 0;
    }
    QVERIFY2(exact > 30, qPrintable(QString::number(exact)));
}

void TestReplay::aReplayLeavesTheRecordingWhereItWasChanged()
{
    RecordedProgram program("", 3);
    const auto whole = program.trace(0);
    const EventColumns &events = whole->devices().front().events;
    auto place = events.action.begin();
    for (int allocation = 0; allocation < 10; ++allocation)
        place = std::find(place + 1, events.action.end(), Action::Alloc);
    const auto at = static_cast<std::size_t>(place - events.action.begin());
    const Replay found = replayed(*program.traceWith(at, events.size[at] + 100 * kMiB));
    QVERIFY(!found.exact());
    // Nothing differs before the memory that was asked for it.
    QVERIFY(found.exactEvents >= EventIndex(at) - 1);
    QVERIFY(!found.reason.empty());
    QVERIFY(!found.difference.empty());
}

void TestReplay::garbageIsCollectedAsRecorded()
{
    int collected = 0;
    for (unsigned seed = 0; seed < 60; ++seed) {
        RecordedProgram program("garbage_collection_threshold:0.4,per_process_memory_fraction:0.7",
                                seed);
        // The fraction was set by a call: the file does not hold it.
        const Replay found = replayed(*program.trace(0, "garbage_collection_threshold:0.4"));
        QVERIFY2(found.exact(), qPrintable(QString("seed %1, ").arg(seed) + textOf(found)));
        collected += program.figures().driverFrees > 0 ? 1 : 0;
        // Nor may it have been set.
        RecordedProgram without("", seed);
        const Replay other = replayed(*without.trace(0, "garbage_collection_threshold:0.4"));
        QVERIFY2(other.exact() || other.reason.find("no memory fraction") != std::string::npos,
                 qPrintable(QString("seed %1, ").arg(seed) + textOf(other)));
    }
    QVERIFY(collected > 20);
}

void TestReplay::shippedExamplesAreExact()
{
    for (const char *name : {"training-out-of-memory", "training-expandable-segments"}) {
        const QString file = test::projectFile(QString("resources/examples/%1.pickle").arg(name));
        const auto read = readTrace(file.toStdString());
        QVERIFY(read.ok());
        const Replay found = replayed(**read);
        QVERIFY2(found.exact(), qPrintable(textOf(found)));
        QVERIFY(found.fromStart);
        QCOMPARE(found.otherBlocks, 0);
    }
}

void TestReplay::aSwitchedSettingIsNamed()
{
    RecordedProgram program("expandable_segments:True", 1);
    const Replay found = replayed(*program.trace(0, "expandable_segments:False"));
    QVERIFY(found.end == ReplayEnd::OtherSettings);
    QVERIFY(found.reason.find("expandable_segments") != std::string::npos);
}

void TestReplay::aSwitchedSettingIsNamedOnlyWhereItExplainsMost()
{
    RecordedProgram program("expandable_segments:True", 1);
    const auto whole = program.trace(0);
    const EventColumns &events = whole->devices().front().events;
    // Only half of what was asked for, once near the beginning or near the end.
    const auto changedNear = [&](double share) {
        auto at = static_cast<std::size_t>(share * static_cast<double>(events.count()));
        while (events.action[at] != Action::Alloc)
            ++at;
        const auto trace = program.traceWith(at, events.size[at] / 2, "expandable_segments:False");
        return replayed(*trace);
    };
    const Replay early = changedNear(0.1);
    QVERIFY2(early.end != ReplayEnd::OtherSettings, qPrintable(textOf(early)));
    QVERIFY(early.reason.find("expandable_segments") == std::string::npos);
    const Replay late = changedNear(0.9);
    QVERIFY2(late.end == ReplayEnd::OtherSettings, qPrintable(textOf(late)));
    QVERIFY(late.reason.find("exact up to event") != std::string::npos);
}

void TestReplay::aPageWithoutAddressesIsNotCompared()
{
    if (folder().isEmpty())
        QSKIP("The recordings are not there (VRAMSCOPE_CORPUS).");
    for (const char *name : {"memviz_2022_trace.html", "memviz_2022_cudagraph.html"}) {
        const auto trace = recording(name);
        QVERIFY(trace != nullptr);
        const Replay found = replayed(*trace);
        QVERIFY2(found.end == ReplayEnd::NoAddresses, qPrintable(textOf(found)));
        QVERIFY(found.reason.find("neither addresses nor segments") != std::string::npos);
        QVERIFY(found.difference.empty());
        const Study study(trace, trace->devices().front());
        const std::string text = replayVerdict(study, "page.html");
        QVERIFY(text.starts_with("page.html, device 0: nothing can be compared, because "));
        // The order of the requests is known all the same.
        const auto others = whatIf(study, {});
        QVERIFY(others->recorded.result.figures.peakReserved > 0);
        QVERIFY(trustText(found, *others, ByteUnit::Binary).find("event 0") == std::string::npos);
    }
}

void TestReplay::ofAscendTheRoundingIsKnownAndTheRestIsSaidNotToBe()
{
    TraceBuilder builder;
    builder.setProducer("torch_npu (Ascend)");
    builder.internStream(0);
    const std::uint64_t base = 0x7f0000000000;
    const auto add = [&](Action action, std::uint64_t address, Bytes size) {
        builder.addEvent(0, {.action = action, .address = base + address, .size = size});
    };
    add(Action::SegmentAlloc, 0, 2 * kMiB);
    add(Action::Alloc, 0, 512); // takes 1024
    add(Action::Alloc, 1024, 480);
    const auto follow = [&](std::uint64_t address) {
        add(Action::Alloc, address, 100);
        return std::move(*builder.finish());
    };
    const auto trace = follow(1536);
    QCOMPARE(allocatorRules(*trace).rounded(512), Bytes(1024));
    QCOMPARE(allocatorRules(*trace).rounded(480), Bytes(512));
    const Replay found = replayed(*trace);
    QVERIFY2(found.exactEvents >= 4, qPrintable(textOf(found)));
    const auto others = whatIf(Study(trace, trace->devices().front()), {});
    QCOMPARE(others->recorded.issues.size(), std::size_t(1));
    QVERIFY(others->recorded.issues[0].text.find("PYTORCH_NPU_ALLOC_CONF") != std::string::npos);

    builder = TraceBuilder();
    builder.setProducer("torch_npu (Ascend)");
    builder.internStream(0);
    add(Action::SegmentAlloc, 0, 2 * kMiB);
    add(Action::Alloc, 0, 512);
    const auto other = follow(4096); // as no rule of PyTorch says
    const Replay left = replayed(*other);
    QVERIFY2(left.end == ReplayEnd::OtherAllocator, qPrintable(textOf(left)));
    QVERIFY(left.reason.find("torch_npu on Ascend") != std::string::npos);
}

void TestReplay::otherSettingsAreSimulatedFromNothing()
{
    RecordedProgram program("", 5);
    const auto trace = program.trace(0);
    const Replay found = replayed(*trace);
    const std::vector<std::string> configurations{"", "backend:cudaMallocAsync", "max_split:1"};
    const auto others =
        whatIf(Study(trace, trace->devices().front()), configurations, RecordedProgram::kCapacity);
    QVERIFY(others.has_value());
    // With all its history and the same device the program comes to the same.
    QCOMPARE(others->recorded.result.figures.peakReserved, found.figures.peakReserved);
    QCOMPARE(others->recorded.result.figures.retries, found.figures.retries);
    QVERIFY(others->others[0].result.figures == others->recorded.result.figures);
    QVERIFY(!others->others[1].simulated);
    QCOMPARE(others->others[2].issues.size(), std::size_t(1));
    QVERIFY(!others->best);
}

void TestReplay::releasedPoolsGiveBackWhatTheyDidInTheRecording_data()
{
    QTest::addColumn<QString>("configuration");
    for (const char *configuration : {"", "expandable_segments:True", "max_split_size_mb:24"})
        QTest::newRow(configuration) << QString(configuration);
}

void TestReplay::releasedPoolsGiveBackWhatTheyDidInTheRecording()
{
    QFETCH(QString, configuration);
    int released = 0;
    for (unsigned seed = 0; seed < 60; ++seed) {
        RecordedProgram program(configuration.toStdString(), seed);
        const auto trace = program.trace(0);
        const DeviceTrace &device = trace->devices().front();
        const Allocations allocations(device);
        const auto asked = recordedRequests(*trace, device, allocations, true).requests;
        const auto holds = [&](AllocatorRequest::Kind kind) {
            return std::ranges::find(asked, kind, &AllocatorRequest::kind) != asked.end();
        };
        // Whether frees were waited for or noticed before the request is not known.
        if (holds(AllocatorRequest::Kind::AwaitedFree))
            continue;
        released += holds(AllocatorRequest::Kind::AbandonPool) ? 1 : 0;
        const auto others = whatIf(Study(trace, device), {}, RecordedProgram::kCapacity);
        QVERIFY(others.has_value());
        AllocatorFigures figures = others->recorded.result.figures;
        // An empty_cache() that finds nothing leaves no trace.
        figures.synchronizations = program.figures().synchronizations;
        QVERIFY2(figures == program.figures(),
                 qPrintable(QString("seed %1: %2 reserved instead of %3")
                                .arg(seed)
                                .arg(figures.reserved)
                                .arg(program.figures().reserved)));
    }
    QVERIFY2(released > 10, qPrintable(QString::number(released)));
}

void TestReplay::whatIsOddAboutTheRecordedSettingsIsNamed()
{
    RecordedProgram program("", 5);
    const auto trace = program.trace(0, "max_split:1,per_process_memory_fraction:0.5");
    const Study study(trace, trace->devices().front());
    const auto others = whatIf(study, {}, kUnknownCapacity);
    QVERIFY(others.has_value());
    const std::string text = replayText(study, &*others, "a.pickle");
    QVERIFY2(text.find("As recorded: 'max_split'") != std::string::npos, text.c_str());
    QVERIFY2(text.find("per_process_memory_fraction limits") != std::string::npos, text.c_str());
    // More is reserved because nothing fails any more, not because of an empty beginning.
    QVERIFY2(text.find("begun so") == std::string::npos, text.c_str());
}

void TestReplay::whatIsReservedIsToldFromEventToEvent()
{
    const QString file = test::projectFile("resources/examples/training-out-of-memory.pickle");
    const auto trace = *readTrace(file.toStdString());
    const DeviceTrace &device = trace->devices().front();
    const Allocations allocations(device);
    const auto others = whatIf(Study(trace, device), usualConfigurations(true));
    QVERIFY(others.has_value());
    const SimulationResult &recorded = others->recorded.result;
    const UsageCurve curve(device, allocations);
    // As recorded, where the request is an allocation: its segments stand before it.
    for (const ReservedFrom &from : recorded.reserved) {
        if (device.events.action[std::size_t(from.event)] == Action::Alloc)
            QCOMPARE(from.bytes, curve.reserved(from.event));
    }
    for (const WhatIf &asked : others->others) {
        const std::vector<ReservedFrom> &reserved = asked.result.reserved;
        QVERIFY(std::ranges::is_sorted(reserved, std::less_equal<>(), &ReservedFrom::event));
        const Bytes most = std::ranges::max(reserved, {}, &ReservedFrom::bytes).bytes;
        QCOMPARE(most, asked.result.figures.peakReserved);
        QCOMPARE(reserved.back().bytes, asked.result.figures.reserved);
    }
}

void TestReplay::theLeastReservedIsRecommended()
{
    const auto result = [](Bytes reserved, int event, std::int64_t failed) {
        SimulationResult made;
        made.figures.peakReserved = reserved;
        if (event >= 0)
            made.outOfMemoryEvent = event;
        made.failed = failed;
        return made;
    };
    const SimulationResult now = result(1000, -1, 0);
    const std::vector results{result(100, 7, 0), result(900, -1, 0), result(995, -1, 0),
                              result(50, -1, 1)};
    QVERIFY(ranked(results) == (std::vector<std::size_t>{1, 2, 3, 0}));
    QVERIFY(recommended(now, results) == std::optional(std::size_t(1)));
    // Less than a hundredth is not worth a change …
    QVERIFY(!recommended(now, std::span(results).subspan(2, 1)));
    // … unless the program fails as it is.
    QVERIFY(recommended(result(1000, -1, 2), std::span(results).subspan(2, 1)) ==
            std::optional(std::size_t(0)));
    QVERIFY(!recommended(now, std::span(results).subspan(0, 1)));
    QVERIFY(!recommended(now, {}));
}

void TestReplay::arbitraryEventsAreReplayedWithoutHarm()
{
    for (unsigned seed = 0; seed < 300; ++seed) {
        test::RandomTraceOptions options;
        options.addresses = 5 + int(seed % 40);
        options.completions = seed % 3 != 0;
        options.requests = seed % 5 != 0;
        options.finalState = seed % 2 == 0;
        DeviceTrace random = test::randomTrace(seed, options);
        if (seed % 7 == 0) // sizes that no device has
            random.events.size[seed % random.events.size.size()] =
                std::numeric_limits<Bytes>::max();
        if (seed % 11 == 0)
            random.events.size[seed % random.events.size.size()] =
                std::numeric_limits<Bytes>::min();
        const auto trace = test::traceOf(random);
        const DeviceTrace &device = trace->devices().front();
        const Allocations allocations(device);
        const auto space = AddressSpace::replay(device, allocations, allocatorRules(*trace));
        const auto found = replay(*trace, device, allocations, *space);
        QVERIFY(found.has_value());
        QVERIFY(found->exactEvents <= device.events.count());
        QVERIFY(found->exact() == found->reason.empty());
        const auto others = whatIf(Study(trace, device), usualConfigurations(true));
        QVERIFY(others.has_value());
    }
}

void TestReplay::aReplayCanBeCancelled()
{
    RecordedProgram program("", 1);
    const auto trace = program.trace(0);
    const DeviceTrace &device = trace->devices().front();
    const Allocations allocations(device);
    const auto space = AddressSpace::replay(device, allocations, {});
    QVERIFY(!replay(*trace, device, allocations, *space, [](double) { return false; }));
}

VRAMSCOPE_TEST(TestReplay)
#include "tst_replay.moc"
