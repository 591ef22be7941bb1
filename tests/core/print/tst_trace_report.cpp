// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/analysis/findings/peak.h"
#include "core/analysis/replayed/address_space.h"
#include "core/analysis/replayed/other_keys.h"
#include "core/analysis/replayed/summary.h"
#include "core/analysis/replayed/usage_curve.h"
#include "core/analysis/study/study.h"
#include "core/print/cells.h"
#include "core/print/json_parts.h"
#include "core/print/live_report.h"
#include "core/print/stacks_report.h"
#include "core/print/trace_report.h"
#include "core/readers/read_trace.h"
#include "core/table/text_table.h"
#include "core/trace/trace_builder.h"
#include "tests/support/sample_snapshot.h"
#include "tests/support/test.h"

#include <nlohmann/json.hpp>

using namespace vramscope;
using namespace Qt::StringLiterals;
using test::Py;

namespace {

// Two blocks, one of them freed; one was there before; then nothing fits any more.
std::shared_ptr<const Trace> smallTrace()
{
    TraceBuilder builder;
    builder.setFormat("pytorch-snapshot");
    builder.setProducer("PyTorch 2.9");
    builder.setProtocol(4);
    const std::array frames{builder.internFrame("malloc", "??", 0),
                            builder.internFrame("forward", "model.py", 12)};
    const StackId stack = builder.internStack(frames);
    const StreamId stream = builder.internStream(0);
    const auto add = [&](Action action, std::uint64_t address, Bytes size, std::int64_t time) {
        builder.addEvent(0, {.action = action,
                             .address = address,
                             .size = size,
                             .time = time,
                             .stack = stack,
                             .stream = stream,
                             .deviceFree = action == Action::OutOfMemory ? 4096 : -1});
    };
    add(Action::SegmentAlloc, 0x1000, 2 * kMiB, 1000);
    add(Action::Alloc, 0x1000, 1000, 1010);
    add(Action::Alloc, 0x1400, 3000, 1020);
    add(Action::FreeRequested, 0x1000, 1000, 1030);
    add(Action::FreeCompleted, 0x1000, 1000, 1030);
    add(Action::OutOfMemory, 0, kGiB, 2000);
    const std::array blocks{
        FinalBlock{.size = 1024},
        FinalBlock{.size = 3072, .requested = 3000, .stack = stack, .state = BlockState::Allocated},
        FinalBlock{.size = 2 * kMiB - 4096 - 512},
        FinalBlock{.size = 512, .requested = 500, .state = BlockState::PendingFree}};
    builder.addSegment(0, {.address = 0x1000, .size = 2 * kMiB, .stream = stream}, blocks);
    builder.addAnnotation({.name = builder.internText("step"), .time = 1000});
    builder.addSetting("expandable_segments", "false");
    builder.addSetting("roundup_power2_divisions", R"({"1":0,"2":0})");
    builder.addProblem("A stack frame without a line.", 77);
    return std::move(*builder.finish());
}

} // namespace

class TestTraceReport : public test::Test
{
    Q_OBJECT

private slots:
    void theJsonHasTheFieldsOfTheContract();
    void theTextIsATableThatAPersonReads();
    void activeMemoryHasOneFigure_data();
    void activeMemoryHasOneFigure();
    void anEmptyTraceSaysSo();
    void aHistoryThatBeginsInTheMiddleIsWarnedOf_data();
    void aHistoryThatBeginsInTheMiddleIsWarnedOf();
    void aNarrowCellKeepsTheFunctionAndElidesThePath_data();
    void aNarrowCellKeepsTheFunctionAndElidesThePath();
    void aTreeShowsItsBranches();
    void textThatIsNotUtf8NeverBreaksTheJson();
    void keysWithoutAMeaningAreListedWithAnExample();
    void whatLivesIsListedByStack();
    void aStackIsToldByItsPythonFrameAndThatOfTheProgram_data();
    void aStackIsToldByItsPythonFrameAndThatOfTheProgram();
    void columnsAlignByCharactersNotByBytes();
    void aLongCellIsCutAtACharacter();
    void longNamesOfFramesAreCutInStacks();
};

void TestTraceReport::theJsonHasTheFieldsOfTheContract()
{
    const std::string expected =
        R"({"file":"a.pickle","format":"pytorch-snapshot","producer":"PyTorch 2.9","protocol":4,)"
        R"("devices":[{"device":0,"host":false,"events":6,"segments":1,"blocks":4,"reserved_end":2097152,)"
        R"("allocated_end":3072,"active_end":3584,"requested_end":3500,"baseline":512,"baseline_requested":500,)"
        R"("peak_active":4608,"peak_active_event":2,"peak_requested":4500,)"
        R"("peak_requested_event":2,"peak_reserved":2097152,)"
        R"("actions":{"alloc":2,"free_completed":1,"free_requested":1,"oom":1,"segment_alloc":1},)"
        R"("streams":1,"pools":1,"oom":[{"event":5,"requested":1073741824,"device_free":4096}],)"
        R"("time_span_us":1000,"stacks":1,"frames":2,)"
        R"("bands_at_peak":{"requested":4000,"rounding":96,"pending_free":0,"stranded":2093056,)"
        R"("releasable":0},"most_stranded":{"event":1,"bytes":2096128},)"
        R"("inconsistencies":[{"text":"More bytes are active than reserved: segment events are )"
        R"(missing, or frees were lost.","count":1,"first_event":-1},{"text":"An allocation lies where the allocator held no free memory; )"
        R"(it is left out of the bands.","count":1,"first_event":-1},{"text":"A block is in use at )"
        R"(the end in the events or in the segments, but not in both.","count":1,)"
        R"("first_event":-1}],)"
        R"~("findings":[{"kind":"out_of_memory","bad":true,"text":"Out of memory: asked for 1.00)~"
        R"~( GiB","explanation":"At event 5 the program asked for 1.00 GiB in forward at mod)~"
        R"~(el.py:12, during step. The device had 4.00 KiB left: 1.00 GiB too little. The al)~"
        R"~(locator held 2.00 MiB: 3.00 KiB in use by 2 blocks, and 2.00 MiB free in 2 holes)~"
        R"~(, the largest of them 2.00 MiB. 2.00 MiB could not go back to the device, becaus)~"
        R"~(e blocks in the same segments or pages were in use. Even all of it in one piece )~"
        R"~(would not have been enough: the device is full.","bytes":1073741824,"count":1,"e)~"
        R"~(vent":5},{"kind":"contradictions","bad":false,"text":"Not all events agree","exp)~"
        R"~(lanation":"Events are missing or were filtered when this was recorded: 0 segment)~"
        R"~( events contradict the rest, 1 allocation lies in no memory that was held, 1 blo)~"
        R"~(ck is otherwise at the end than the events say. The address space is right as )~"
        R"~(far as the others go.","bytes":0,"count":2,"event":null},{"kind":"live_before",")~"
        R"~(bad":false,"text":"512 B live before the recording","explanation":"This memory w)~"
        R"~(as allocated before the history begins: its size is known, where it was allocate)~"
        R"~(d often is not.","bytes":512,"count":0,"event":-1},{"kind":"problems","bad":fals)~"
        R"~(e,"text":"1 anomaly","explanation":"The file was read, with these anomalies:\nA)~"
        R"~( stack frame without a line. (at byte 77)","bytes":0,"count":1,"event")~"
        R"~(:null}])~"
        R"(}],"annotations":1,)"
        R"("problems":[{"kind":"A stack frame without a line.","count":1,"first":77}],)"
        R"("other_keys":[],"source_files":0,)"
        R"("settings":{"expandable_segments":false,"roundup_power2_divisions":{"1":0,"2":0}}})";
    QCOMPARE(traceJson(smallTrace(), "a.pickle"), expected);
}

void TestTraceReport::activeMemoryHasOneFigure_data()
{
    QTest::addColumn<bool>("hasHistory");
    QTest::newRow("the state alone") << false;
    QTest::newRow("a history") << true;
}

/// A request of 1 MiB + 1 takes a block with a rest that is too small to split off.
void TestTraceReport::activeMemoryHasOneFigure()
{
    QFETCH(bool, hasHistory);
    constexpr Bytes kRequested = kMiB + 1;
    constexpr Bytes kRest = 300 * kKiB;
    constexpr Bytes kBlock = 20 * kMiB;
    TraceBuilder builder;
    builder.setFormat("pytorch-snapshot");
    const StreamId stream = builder.internStream(0);
    const auto add = [&](Action action, std::uint64_t address, Bytes size, std::int64_t time) {
        builder.addEvent(
            0,
            {.action = action, .address = address, .size = size, .time = time, .stream = stream});
    };
    if (hasHistory) {
        add(Action::SegmentAlloc, 0x1000000, kBlock, 1);
        add(Action::Alloc, 0x1000000, kBlock - kRest, 2);
    }
    const std::array blocks{
        FinalBlock{.size = kBlock, .requested = kBlock - kRest, .state = BlockState::Allocated}};
    builder.addSegment(0, {.address = 0x1000000, .size = kBlock, .stream = stream}, blocks);
    const std::array small{
        FinalBlock{.size = 2 * kMiB, .requested = kRequested, .state = BlockState::Allocated}};
    builder.addSegment(0, {.address = 0x9000000, .size = 2 * kMiB, .stream = stream}, small);
    const auto trace = std::move(*builder.finish());
    const Study study(trace, trace->devices().front());
    const Bytes active = kBlock + 2 * kMiB;
    const Bytes requested = kBlock - kRest + kRequested;
    const DeviceSummary &summary = study.summary();
    QCOMPARE(summary.activeEnd, active);
    QCOMPARE(summary.peakActive, active);
    QCOMPARE(summary.peakRequested, requested);
    QCOMPARE(summary.requestedEnd, requested);
    QCOMPARE(study.peak().active, active);
    QCOMPARE(study.curve().active(study.curve().count() - 1), active);
    Bytes ofStacks = 0;
    for (const LiveGroup &group : study.peak().byStack)
        ofStacks += group.bytes;
    QCOMPARE(ofStacks, active);
    const Bands bands = study.space().bandsAfter(summary.peakActiveEvent);
    QCOMPARE(bands.requested + bands.rounding, active);
    const auto text = QString::fromStdString(traceText(trace, "a.pickle"));
    QVERIFY2(text.contains(u"peak active       22.0 MiB"_s), qPrintable(text));
    const auto json = nlohmann::ordered_json::parse(traceJson(trace, "a.pickle"))["devices"][0];
    QCOMPARE(json["peak_active"].get<Bytes>(), active);
    QCOMPARE(json["peak_requested"].get<Bytes>(), requested);
    QCOMPARE(json["active_end"].get<Bytes>(), active);
}

void TestTraceReport::theTextIsATableThatAPersonReads()
{
    const std::string expected = R"(Problem: A stack frame without a line. (at byte 77)

a.pickle
Peak 4.50 KiB active of 2.00 MiB reserved on device 0, after event 2;
out of memory at event 5: the device was full
Warning: the history begins in the middle, with 512 B already allocated: recording was started late,
or its ring buffer was full and the oldest events were overwritten.
pytorch-snapshot, PyTorch 2.9, pickle protocol 4, 1 annotation mark

Device 0: 6 events in 1.00 ms, 1 segment, 4 blocks, 1 stream, 1 pool, 1 distinct stack
  * Out of memory: asked for 1.00 GiB. At event 5 the program asked for 1.00 GiB in forward at
    model.py:12, during step. The device had 4.00 KiB left: 1.00 GiB too little. The allocator held
    2.00 MiB: 3.00 KiB in use by 2 blocks, and 2.00 MiB free in 2 holes, the largest of them 2.00
    MiB. 2.00 MiB could not go back to the device, because blocks in the same segments or pages were
    in use. Even all of it in one piece would not have been enough: the device is full.
  * Not all events agree. Events are missing or were filtered when this was recorded: 0 segment
    events contradict the rest, 1 allocation lies in no memory that was held, 1 block is otherwise
    at the end than the events say. The address space is right as far as the others go.
  * 512 B live before the recording. This memory was allocated before the history begins: its size
    is known, where it was allocated often is not.
  * 1 anomaly. The file was read, with these anomalies: A stack frame without a line. (at byte 77)
  peak active       4.50 KiB      4,608  after event 2
  peak requested    4.39 KiB      4,500  after event 2
  peak reserved     2.00 MiB  2,097,152
  live before          512 B        512  allocated before the recording
  reserved at end   2.00 MiB  2,097,152
  active at end     3.50 KiB      3,584
  allocated at end  3.00 KiB      3,072
  requested at end  3.42 KiB      3,500
  reserved at the peak of active: 3.91 KiB requested, 2.00 MiB stranded, 96 B rounding
  most stranded: 2.00 MiB after event 1
  2 alloc, 1 free_requested, 1 free_completed, 1 segment_alloc, 1 oom
  out of memory at event 5: 1.00 GiB requested, 4.00 KiB free on the device
  once: More bytes are active than reserved: segment events are missing, or frees were lost.
  once: An allocation lies where the allocator held no free memory; it is left out of the bands.
  once: A block is in use at the end in the events or in the segments, but not in both.

Settings
  expandable_segments       false
  roundup_power2_divisions  0 for each of 2
)";
    QCOMPARE(QString::fromStdString(traceText(smallTrace(), "a.pickle")),
             QString::fromStdString(expected));
    QVERIFY(traceText(smallTrace(), "a.pickle", ByteUnit::Decimal).find("1.07 GB requested") !=
            std::string::npos);
}

void TestTraceReport::anEmptyTraceSaysSo()
{
    TraceBuilder builder;
    const auto trace = std::move(*builder.finish());
    QVERIFY(traceText(trace, "a").find("The snapshot is empty") != std::string::npos);
    QVERIFY(traceJson(trace, "a").find("\"devices\":[]") != std::string::npos);
}

void TestTraceReport::aHistoryThatBeginsInTheMiddleIsWarnedOf_data()
{
    QTest::addColumn<int>("events");
    QTest::addColumn<bool>("before"); // something was allocated earlier
    QTest::addColumn<QString>("says");
    QTest::newRow("ring") << 2000 << true << "its 2,000 events look like a full ring buffer";
    QTest::newRow("power of two") << 4096 << true
                                  << "its 4,096 events look like a full ring buffer";
    QTest::newRow("late") << 1998 << true << "recording was started late, or its ring buffer";
    QTest::newRow("whole") << 2000 << false << "";
    QTest::newRow("state") << 0 << true << "";
}

void TestTraceReport::aHistoryThatBeginsInTheMiddleIsWarnedOf()
{
    QFETCH(int, events);
    QFETCH(bool, before);
    QFETCH(QString, says);
    TraceBuilder builder;
    const StreamId stream = builder.internStream(0);
    for (int at = 0; at < events; ++at)
        builder.addEvent(0, {.action = at % 2 == 0 ? Action::Alloc : Action::FreeCompleted,
                             .address = 0x2000,
                             .size = 512,
                             .stream = stream});
    const std::array blocks{
        FinalBlock{.size = 4096,
                   .requested = 4096,
                   .state = before ? BlockState::Allocated : BlockState::Inactive},
        FinalBlock{.size = 2 * kMiB - 4096}};
    builder.addSegment(0, {.address = 0x1000, .size = 2 * kMiB, .stream = stream}, blocks);
    const auto trace = std::move(*builder.finish());
    const QString text = QString::fromStdString(traceText(trace, "a")).replace(u'\n', u' ');
    QCOMPARE(text.contains("Warning: the history begins in the middle"), !says.isEmpty());
    QVERIFY2(text.contains(says), qPrintable(text));
    if (events == 0)
        QVERIFY2(text.startsWith("a 4.00 KiB active of 2.00 MiB reserved on device 0 when the "
                                 "snapshot was made; no history was recorded"),
                 qPrintable(text));
}

void TestTraceReport::aNarrowCellKeepsTheFunctionAndElidesThePath_data()
{
    QTest::addColumn<QString>("file");
    QTest::addColumn<int>("width");
    QTest::addColumn<QString>("shown");
    const QString package = QStringLiteral(
        "/env/lib/python3.12/site-packages/transformers/models/llama/modeling_llama.py");
    const QString own = QStringLiteral("/home/me/project/src/train.py");
    const auto row = [](const char *name, const QString &file, int width, const char *shown) {
        QTest::newRow(name) << file << width << QString::fromUtf8(shown);
    };
    row("whole", package, 60, "forward  transformers/models/llama/modeling_llama.py:7");
    row("package", package, 50, "forward  transformers/…/llama/modeling_llama.py:7");
    row("name", package, 30, "forward  modeling_llama.py:7");
    row("part of the name", package, 26, "forward  model…_llama.py:7");
    row("function", package, 20, "forward");
    row("folders", own, 32, "forward  …/src/train.py:7");
}

void TestTraceReport::aNarrowCellKeepsTheFunctionAndElidesThePath()
{
    QFETCH(QString, file);
    QFETCH(int, width);
    QFETCH(QString, shown);
    TraceBuilder builder;
    const FrameId frame = builder.internFrame("forward", file.toStdString(), 7);
    const auto trace = std::move(*builder.finish());
    QCOMPARE(QString::fromStdString(frameCell(*trace, frame, static_cast<std::size_t>(width))),
             shown);
}

void TestTraceReport::aTreeShowsItsBranches()
{
    TraceBuilder builder;
    const auto frame = [&](const char *name) { return builder.internFrame(name, "", 0); };
    std::vector<Costs> costs(1);
    const auto add = [&](std::vector<const char *> outermostFirst, Bytes bytes) {
        std::vector<FrameId> frames;
        for (const char *name : outermostFirst)
            frames.insert(frames.begin(), frame(name));
        const StackId stack = builder.internStack(frames);
        costs.resize(std::size_t(stack) + 1);
        costs.back().peak = {bytes, 1};
    };
    add({"main", "step", "forward", "conv"}, 40);
    add({"main", "step", "forward", "relu"}, 20);
    add({"main", "step", "optimizer", "adam"}, 40);
    const auto trace = std::move(*builder.finish());
    const CallTree tree(*trace, costs, CallTree::Direction::TopDown);
    const DeviceTrace device; // a tree needs no events
    const Study study(trace, device);
    const std::string text = treeText({study, tree, "a"});
    QCOMPARE(QString::fromStdString(text.substr(text.find("  total"))),
             QString::fromUtf8("  total    share   own  frame\n"
                               "  100 B  100.0 %        main\n"
                               "  100 B  100.0 %        step\n"
                               "   60 B   60.0 %        ├ forward\n"
                               "   40 B   40.0 %  40 B  │ ├ conv\n"
                               "   20 B   20.0 %  20 B  │ └ relu\n"
                               "   40 B   40.0 %        └ optimizer\n"
                               "   40 B   40.0 %  40 B    adam\n"));
}

void TestTraceReport::keysWithoutAMeaningAreListedWithAnExample()
{
    const Py frames = Py::list({test::sampleFrame("forward", 3)});
    const auto event = [&](int at) {
        return test::sampleEvent("alloc", 4096 * at, 512, at, frames).with("written_by", "me");
    };
    const std::string bytes =
        test::pickled(Py::dict({{"segments", Py::list()},
                                {"device_traces", Py::list({Py::list({event(1), event(2)})})},
                                {"started_in", Py::dict({{"year", 2026}})}}));
    const auto trace = readTrace(std::as_bytes(std::span(bytes))).value();
    const std::vector<OtherKey> keys = otherKeys(*trace);
    QCOMPARE(keys.size(), std::size_t(2));
    QCOMPARE(keys[0].in, std::string("file"));
    QCOMPARE(keys[0].key, std::string("started_in"));
    QCOMPARE(keys[0].example, std::string(R"({"year":2026})"));
    QCOMPARE(keys[1].in, std::string("event"));
    QCOMPARE(keys[1].records, 2);
    QCOMPARE(keys[1].example, std::string("\"me\""));
    QVERIFY(traceText(trace, "a")
                .find("\nOther keys\n  file   started_in  1  {\"year\":2026}\n"
                      "  event  written_by  2  \"me\"\n") != std::string::npos);
    QVERIFY(otherKeys(*smallTrace()).empty());
}

void TestTraceReport::textThatIsNotUtf8NeverBreaksTheJson()
{
    TraceBuilder builder;
    builder.addSetting("conf", "not JSON \xff");
    const auto trace = std::move(*builder.finish());
    const std::string json = traceJson(trace, "odd \xfe name");
    QVERIFY(json.find("\xff") == std::string::npos);
    QVERIFY(json.find("\"conf\":\"not JSON ") != std::string::npos);
}

void TestTraceReport::whatLivesIsListedByStack()
{
    const auto trace = smallTrace();
    const DeviceTrace &device = trace->devices().front();
    const Allocations allocations(device);
    const std::string expected =
        R"({"file":"a","device":0,"event":2,"active":4608,"allocations":3,"groups":[)"
        R"({"bytes":4096,"count":2,"frames":[{"name":"malloc","file":"??","line":0},)"
        R"({"name":"forward","file":"model.py","line":12}],"category":"activations",)"
        R"("guess":null,"probability":0.75,)"
        R"("evidence":"made in forward, alive where the recording ends"},)"
        R"({"bytes":512,"count":1,"frames":[],"category":"parameters","guess":null,)"
        R"("probability":0.6,"evidence":"there from before the recording to its end: weights, or )"
        R"(a cache made earlier"}]})";
    QCOMPARE(QString::fromStdString(liveJson(Study(trace, device), 2, "a")),
             QString::fromStdString(expected));
    QCOMPARE(QString::fromStdString(liveText(Study(trace, device), 2, "a", 30)),
             QStringLiteral("a, device 0, after event 2\n"
                            "4.50 KiB active in 3 allocations from 2 stacks\n\n"
                            "      size   share  blocks  allocated in\n"
                            "  4.00 KiB  88.9 %       2  forward  model.py:12\n"
                            "     512 B  11.1 %       1  (no stack recorded)\n"));
    QCOMPARE(QString::fromStdString(liveText(Study(trace, device), 0, "a", 1)),
             QStringLiteral("a, device 0, after event 0\n"
                            "512 B active in 1 allocation from 1 stack\n\n"
                            "   size    share  blocks  allocated in\n"
                            "  512 B  100.0 %       1  (no stack recorded)\n"));
    const std::string cut = liveText(Study(trace, device), 2, "a", 1);
    QVERIFY(cut.ends_with("\n     512 B  11.1 %       1  (1 other; --top 0 lists it)\n"));
}

void TestTraceReport::aStackIsToldByItsPythonFrameAndThatOfTheProgram_data()
{
    QTest::addColumn<QStringList>("files"); // innermost first
    QTest::addColumn<QString>("place");
    const QString library = QStringLiteral("/opt/lib/python3.12/site-packages/torch/nn/linear.py");
    const QString own = QStringLiteral("/home/me/model.py");
    const QString native = QStringLiteral("??");
    QTest::newRow("native only") << QStringList{native, native} << QStringLiteral("f");
    QTest::newRow("program only") << QStringList{own, own}
                                  << QStringLiteral("f  /home/me/model.py:1");
    QTest::newRow("library called by the program")
        << QStringList{native, library, library, own, own}
        << QStringLiteral("f  torch/nn/linear.py:2  from  f  /home/me/model.py:4");
    QTest::newRow("library only") << QStringList{native, library, library} << QStringLiteral("f");
}

void TestTraceReport::aStackIsToldByItsPythonFrameAndThatOfTheProgram()
{
    QFETCH(QStringList, files);
    QFETCH(QString, place);
    TraceBuilder builder;
    std::vector<FrameId> frames;
    for (int at = 0; at < files.size(); ++at)
        frames.push_back(builder.internFrame("f", files[at].toStdString(), at + 1));
    builder.addEvent(0, {.action = Action::Alloc,
                         .address = 512,
                         .size = 512,
                         .stack = builder.internStack(frames),
                         .stream = builder.internStream(0)});
    const auto trace = std::move(*builder.finish());
    const DeviceTrace &device = trace->devices().front();
    const std::string text = liveText(Study(trace, device), 0, "a", 0);
    const QStringList lines = QString::fromStdString(text).split(QLatin1Char('\n'));
    QVERIFY2(lines[4].endsWith(QStringLiteral("  1  ") + place), qPrintable(lines[4]));
}

void TestTraceReport::columnsAlignByCharactersNotByBytes()
{
    TextTable table({Align::Left, Align::Right, Align::Left});
    table.addRow({"µs", "1", "a"});
    table.addRow({"length", "10", ""});
    QCOMPARE(QString::fromStdString(table.text()),
             QStringLiteral("  µs       1  a\n  length  10\n"));
}

void TestTraceReport::aLongCellIsCutAtACharacter()
{
    const auto textOf = [](int characters) {
        TextTable table({Align::Left, Align::Left});
        table.addRow({QString(characters, u'µ').toStdString(), "a"});
        table.addRow({"short", "b"});
        return QString::fromStdString(table.text());
    };
    const int most = int(TextTable::kWidestCell);
    QVERIFY(textOf(most).contains(QString(most, u'µ')));
    const QStringList lines = textOf(100'000).split(u'\n');
    QCOMPARE(lines[0], QStringLiteral("  %1…  a").arg(QString(most - 1, u'µ')));
    QCOMPARE(lines[1].size(), lines[0].size());
}

void TestTraceReport::longNamesOfFramesAreCutInStacks()
{
    // One byte before characters of two: the limit is within one.
    const std::string name = "n" + QString(50'000, u'µ').toStdString();
    const std::string cutName = name.substr(0, kLongestFrameText - 1);
    const std::string file = std::string(50'000, 'f') + ".py";
    TraceBuilder builder;
    const std::array frames{builder.internFrame(name, file, 3)};
    const StackId stack = builder.internStack(frames);
    builder.addEvent(0, {.action = Action::Alloc, .address = 512, .size = 512, .stack = stack});
    const auto trace = std::move(*builder.finish());
    QCOMPARE(std::string(cutFrameText(name)), cutName);

    std::vector<Costs> costs(std::size_t(stack) + 1);
    costs.back().peak = {512, 1};
    const CallTree tree(*trace, costs, CallTree::Direction::TopDown);
    const Study study(trace, trace->devices().front());
    const PrintedTree printed{study, tree, "a"};
    const std::string cutFile = file.substr(0, kLongestFrameText);
    QCOMPARE(foldedStacks(printed), cutName + " (" + cutFile + ":3) 512\n");
    for (const std::string &json : {treeJson(printed), speedscopeJson(printed)}) {
        QVERIFY(json.find("\"name\":\"" + cutName + "\"") != std::string::npos);
        QVERIFY(json.find("\"file\":\"" + cutFile + "\"") != std::string::npos);
    }
    const std::string live = liveJson(study, 0, "a");
    QVERIFY(live.find("\"name\":\"" + cutName + "\",\"file\":\"" + cutFile + "\"") !=
            std::string::npos);
}

VRAMSCOPE_TEST(TestTraceReport)
#include "tst_trace_report.moc"
