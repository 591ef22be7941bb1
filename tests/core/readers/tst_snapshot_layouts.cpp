// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/readers/byte_source.h"
#include "core/readers/formats.h"
#include "core/readers/read_trace.h"
#include "tests/support/sample_snapshot.h"
#include "tests/support/test.h"
#include "tests/support/trace_text.h"

#include <cstring>

using namespace vramscope;
using test::PickleStyle;
using test::Py;

namespace {

Py snapshotOf(Py segments, Py traces)
{
    return Py::dict({{"segments", std::move(segments)}, {"device_traces", std::move(traces)}});
}

Py tracesOf(Py event)
{
    return Py::list({Py::list({std::move(event)})});
}

/// The text of the one event of a snapshot without segments, problems included.
QString eventText(const Py &event)
{
    const QString text = QString::fromStdString(
        test::readText(test::pickled(snapshotOf(Py::list(), tracesOf(event)))));
    return text.section(u'\n', 2);
}

Py plainEvent()
{
    return test::sampleEvent("alloc", 4096, 512, 7, Py::list());
}

} // namespace

class TestSnapshotLayouts : public test::Test
{
    Q_OBJECT

private slots:
    void aSmallSnapshotIsReadWhole_data();
    void aSmallSnapshotIsReadWhole();
    void theHistoryOfTorch20GivesAddressRequestedSizeAndStack();
    void aBareListOfSegmentsIsASnapshotWithoutEvents();
    void outOfMemoryTellsWhatTheDeviceHadLeft();
    void poolsAreReadFromTuplesAndLists();
    void contextsHoldCompiledRegionsAndMetadata();
    void metadataThatIsADictBecomesJson();
    void addressesAboveTheMiddleKeepTheirLow64Bits();
    void aListLongerThanAWritersBatchKeepsItsOrder_data();
    void aListLongerThanAWritersBatchKeepsItsOrder();
    void eachDeviceGetsItsOwnEvents();
    void anEventListedTwiceIsThereTwice();
    void aRewrittenMemoSlotChangesTheStacksThatReferToIt();
    void theProducerIsToldByTheLayout_data();
    void theProducerIsToldByTheLayout();
    void aRecordingOfAscendIsNoneOfPyTorch_data();
    void aRecordingOfAscendIsNoneOfPyTorch();
    void anOddRecordIsAProblemAndTheRestIsRead_data();
    void anOddRecordIsAProblemAndTheRestIsRead();
    void aPickleThatIsNoSnapshotIsAnError_data();
    void aPickleThatIsNoSnapshotIsAnError();
    void aListSharedByManyRecordsStaysCheap();
    void recordsNamedOftenTakeNoMoreThanTheFileCanHold();
    void sizesNeverAddUpPastWhatANumberHolds();
    void aLongTextInManyPlacesStaysCheap();
    void settingsAreAsManyAsAnyPyTorchHas();
};

void TestSnapshotLayouts::aSmallSnapshotIsReadWhole_data()
{
    QTest::addColumn<int>("protocol");
    QTest::addColumn<bool>("cpp");
    for (const int protocol : {0, 1, 2, 3, 4, 5})
        QTest::addRow("Python, protocol %d", protocol) << protocol << false;
    QTest::newRow("C++") << 2 << true;
}

void TestSnapshotLayouts::aSmallSnapshotIsReadWhole()
{
    QFETCH(int, protocol);
    QFETCH(bool, cpp);
    const std::string pickle = test::pickled(test::sampleSnapshot(), protocol,
                                             cpp ? PickleStyle::Cpp : PickleStyle::Python);
    const std::string expected = "pytorch-snapshot protocol " +
                                 std::to_string(protocol < 2 ? 0 : protocol) +
                                 R"(, PyTorch 2.10 or 2.11
device 0
segment 139637976727552 size 2097152 small stream 0
block 139637976727552 size 1024 requested 1000 allocated < step train.py:20 < main train.py:40
block 139637976728576 size 2096128 requested 0 inactive
event segment_alloc 139637976727552 size 2097152 stream 0 time 1700000000000001 < step train.py:20 < main train.py:40
event alloc 139637976727552 size 1000 stream 0 time 1700000000000001 < step train.py:20 < main train.py:40
event alloc 139637976728576 size 77 stream 0 time 1700000000000005 < forward train.py:30 < main train.py:40
event free_requested 139637976728576 size 77 stream 0 time 1700000000000009 < forward train.py:30 < step train.py:20 < main train.py:40
event free_completed 139637976728576 size 77 stream 0 time 1700000000000009 < forward train.py:30 < step train.py:20 < main train.py:40
annotation ProfilerStep#1 start device 0 time 1700000000000001
annotation ProfilerStep#1 end device 0 time 1700000000000009
setting PYTORCH_CUDA_ALLOC_CONF = "expandable_segments:False"
setting max_split_size = -1
setting garbage_collection_threshold = 0.5
setting expandable_segments = false
setting roundup_power2_divisions = {"1":0,"2":4}
)";
    QCOMPARE(QString::fromStdString(test::readText(pickle)), QString::fromStdString(expected));
    QCOMPARE(test::readText(pickle + std::string(3, '\0')), expected);
    for (const std::size_t window : {1U, 17U, 64U, 300U}) {
        const auto source = memorySource(test::bytesOf(pickle));
        ByteWindow input(*source, window);
        QCOMPARE(test::traceText(*readSnapshot(input, {}).value()), expected);
    }
    const auto source = memorySource(test::bytesOf(pickle));
    ByteWindow input(*source);
    QCOMPARE(test::traceText(*readSnapshotSlowly(input).value()), expected);
}

void TestSnapshotLayouts::theHistoryOfTorch20GivesAddressRequestedSizeAndStack()
{
    const Py frames =
        Py::list({Py::dict({{"filename", "train.py"}, {"name", "step"}, {"line", 20}})});
    const Py history = Py::list({Py::dict({{"addr", 4096}, {"real_size", 600}, {"frames", frames}}),
                                 Py::dict({{"addr", 4608}, {"real_size", 300}})});
    const Py segment = Py::dict(
        {{"device", 1},
         {"address", 4096},
         {"total_size", 2048},
         {"stream", 0},
         {"segment_type", "large"},
         {"blocks",
          Py::list(
              {Py::dict({{"size", 1024}, {"state", "inactive"}}),
               Py::dict({{"size", 1024}, {"state", "active_allocated"}, {"history", history}})})}});
    QCOMPARE(test::readText(test::pickled(snapshotOf(Py::list({segment}), Py::list({Py::list()})))),
             std::string(R"(pytorch-snapshot protocol 4, PyTorch 2.0
device 1
segment 4096 size 2048 large stream 0
block 4096 size 1024 requested 0 inactive
block 5120 size 1024 requested 900 allocated < step train.py:20
)"));
}

void TestSnapshotLayouts::aBareListOfSegmentsIsASnapshotWithoutEvents()
{
    const Py block = test::sampleBlock(0x7f0000000000, 512, 500, "active_pending_free", Py::list());
    QCOMPARE(test::readText(test::pickled(Py::list({test::sampleSegment(512, Py::list({block}))}))),
             std::string(R"(pytorch-snapshot protocol 4, PyTorch 2.1 or later
device 0
segment 139637976727552 size 512 small stream 0
block 139637976727552 size 512 requested 500 pending
)"));
}

void TestSnapshotLayouts::outOfMemoryTellsWhatTheDeviceHadLeft()
{
    const Py event = test::sampleEvent("oom", 0, 4096, 7, Py::list()).without("addr");
    QCOMPARE(eventText(event.with("device_free", 1234)),
             QStringLiteral("event oom 0 size 4096 stream 0 time 7\n"
                            "out of memory at 0 requested 4096 free 1234\n"));
    QCOMPARE(eventText(event), QStringLiteral("event oom 0 size 4096 stream 0 time 7\n"
                                              "out of memory at 0 requested 4096 free -1\n"));
}

void TestSnapshotLayouts::poolsAreReadFromTuplesAndLists()
{
    const QString expected =
        QStringLiteral("event alloc 4096 size 512 stream 0 pool (0, 3) time 7\n");
    QCOMPARE(eventText(plainEvent().with("pool_id", Py::tuple({0, 3}))), expected);
    QCOMPARE(eventText(plainEvent().with("segment_pool_id", Py::list({0, 3}))), expected);
    QCOMPARE(
        eventText(plainEvent().with("pool_id", Py::tuple({-1, std::int64_t(1) << 40}))),
        QStringLiteral("event alloc 4096 size 512 stream 0 pool (-1, 1099511627776) time 7\n"));
}

void TestSnapshotLayouts::contextsHoldCompiledRegionsAndMetadata()
{
    QCOMPARE(eventText(plainEvent()
                           .with("compile_context", "Torch-Compiled Region: 0/0")
                           .with("user_metadata", "epoch 3")),
             QStringLiteral("event alloc 4096 size 512 stream 0 time 7 compiled Torch-Compiled "
                            "Region: 0/0 metadata epoch 3\n"));
}

void TestSnapshotLayouts::metadataThatIsADictBecomesJson()
{
    QCOMPARE(eventText(plainEvent().with("user_metadata",
                                         Py::dict({{"step", 5}, {"at", Py::tuple({1, 2})}}))),
             QStringLiteral("event alloc 4096 size 512 stream 0 time 7 metadata "
                            "{\"step\":5,\"at\":[1,2]}\n"));
}

void TestSnapshotLayouts::addressesAboveTheMiddleKeepTheirLow64Bits()
{
    const auto text = [](Py address) {
        return eventText(plainEvent().without("addr").with("addr", std::move(address)));
    };
    const QString expected =
        QStringLiteral("event alloc 18446744073709547520 size 512 stream 0 time 7\n");
    const std::string word("\x00\xf0\xff\xff\xff\xff\xff\xff", 8);
    QCOMPARE(text(Py::Long{word + '\0'}), expected);
    QCOMPARE(text(std::int64_t(-4096)), expected);
}

void TestSnapshotLayouts::aListLongerThanAWritersBatchKeepsItsOrder_data()
{
    QTest::addColumn<int>("count");
    for (const int count : {1, 2, 999, 1000, 1001, 1002, 2001, 3500})
        QTest::addRow("%d", count) << count;
}

void TestSnapshotLayouts::aListLongerThanAWritersBatchKeepsItsOrder()
{
    QFETCH(int, count);
    std::vector<Py> events;
    std::vector<Py> frames;
    for (int at = 0; at < count; ++at) {
        frames.push_back(test::sampleFrame("f", at));
        events.push_back(test::sampleEvent("alloc", at, at, at, Py::list()));
    }
    const Py stack = Py::list(frames);
    events.push_back(test::sampleEvent("alloc", 0, 1, count, stack));
    events.push_back(test::sampleEvent("alloc", 0, 1, count, stack));
    const Py snapshot = snapshotOf(Py::list(), Py::list({Py::list(events)}));
    for (const PickleStyle style : {PickleStyle::Python, PickleStyle::Cpp}) {
        const std::string pickle = test::pickled(snapshot, 4, style);
        const auto trace = readTrace(test::bytesOf(pickle)).value();
        const EventColumns &columns = trace->devices()[0].events;
        QCOMPARE(columns.count(), count + 2);
        for (int at = 0; at < count; ++at)
            QCOMPARE(columns.address[static_cast<std::size_t>(at)], static_cast<quint64>(at));
        QCOMPARE(columns.stack[static_cast<std::size_t>(count)],
                 columns.stack[columns.stack.size() - 1]);
        const auto read = trace->stack(columns.stack[columns.stack.size() - 1]);
        QCOMPARE(read.size(), static_cast<std::size_t>(count));
        for (int at = 0; at < count; ++at)
            QCOMPARE(trace->frame(read[static_cast<std::size_t>(at)]).line, at);
        QVERIFY(trace->problems().empty());
    }
}

void TestSnapshotLayouts::eachDeviceGetsItsOwnEvents()
{
    std::vector<Py> traces;
    for (const int count : {3, 0, 1500, 1}) {
        std::vector<Py> events;
        for (int at = 0; at < count; ++at)
            events.push_back(test::sampleEvent("alloc", count, 1, at, Py::list()));
        traces.push_back(Py::list(events));
    }
    for (const PickleStyle style : {PickleStyle::Python, PickleStyle::Cpp}) {
        const std::string pickle =
            test::pickled(snapshotOf(Py::list(), Py::list(traces)), 4, style);
        const auto trace = readTrace(test::bytesOf(pickle)).value();
        QCOMPARE(trace->devices().size(), std::size_t(3));
        QVERIFY(!trace->device(1));
        for (const auto &[device, count] : {std::pair(0, 3), std::pair(2, 1500), std::pair(3, 1)}) {
            const EventColumns &events = trace->device(device)->events;
            QCOMPARE(events.count(), count);
            QVERIFY(std::ranges::all_of(events.address, [&, wanted = count](std::uint64_t address) {
                return address == static_cast<std::uint64_t>(wanted);
            }));
        }
    }
}

void TestSnapshotLayouts::anEventListedTwiceIsThereTwice()
{
    const Py event = plainEvent();
    const Py other = test::sampleEvent("alloc", 1, 2, 8, Py::list());
    const Py snapshot =
        snapshotOf(Py::list(), Py::list({Py::list({event, other, event}), Py::list({other})}));
    const std::string text = test::readText(test::pickled(snapshot));
    QCOMPARE(QString::fromStdString(text).count(QStringLiteral("event alloc 4096")), 2);
    QCOMPARE(QString::fromStdString(text).count(QStringLiteral("event alloc 1 ")), 2);
}

void TestSnapshotLayouts::aRewrittenMemoSlotChangesTheStacksThatReferToIt()
{
    // Slot 200 holds one frame, then another; the bytes of both lists are the same.
    const auto list = [](const char *name, const std::string &text) {
        return Py(Py::Raw{"}(X\x04" + std::string(3, '\0') + "nameX\x01" + std::string(3, '\0') +
                          name + "X\x08" + std::string(3, '\0') + "filenameX\x01" +
                          std::string(3, '\0') + "fX\x04" + std::string(3, '\0') +
                          "lineK\x01uq\xc8" + "0" + text});
    };
    const std::string references = "](h\xc8h\xc8"
                                   "e";
    const Py traces =
        Py::list({Py::list({test::sampleEvent("alloc", 1, 1, 1, list("a", references)),
                            test::sampleEvent("alloc", 2, 1, 2, Py::Raw{references}),
                            test::sampleEvent("alloc", 3, 1, 3, list("b", references))})});
    QCOMPARE(test::readText(test::pickled(snapshotOf(Py::list(), traces), 2)),
             std::string(R"(pytorch-snapshot protocol 2, PyTorch 2.2
device 0
event alloc 1 size 1 stream 0 time 1 < a f:1 < a f:1
event alloc 2 size 1 stream 0 time 2 < a f:1 < a f:1
event alloc 3 size 1 stream 0 time 3 < b f:1 < b f:1
)"));
}

void TestSnapshotLayouts::theProducerIsToldByTheLayout_data()
{
    QTest::addColumn<QByteArray>("pickle");
    QTest::addColumn<QString>("producer");
    const auto row = [](const char *producer, const Py &snapshot) {
        QTest::newRow(producer) << QByteArray::fromStdString(test::pickled(snapshot))
                                << QString::fromUtf8(producer);
    };
    const auto withEvent = [](const Py &event) { return snapshotOf(Py::list(), tracesOf(event)); };
    const Py settings = Py::dict({{"max_split_size", -1}});
    const Py compiled = plainEvent().with("compile_context", "N/A");
    row("PyTorch 2.2", withEvent(plainEvent()));
    row("PyTorch 2.3 or 2.4", withEvent(plainEvent()).with("allocator_settings", settings));
    row("PyTorch 2.4", withEvent(test::sampleEvent("user_defined", 0, 0, 7,
                                                   Py::list({test::sampleFrame("START", 0)})))
                           .with("allocator_settings", settings));
    row("PyTorch 2.5 or 2.6", withEvent(plainEvent()).with("external_annotations", Py::list()));
    row("PyTorch 2.7 or 2.8", withEvent(compiled).with("external_annotations", Py::list()));
    row("PyTorch 2.9", withEvent(compiled).with(
                           "allocator_settings",
                           Py::dict({{"graph_capture_record_stream_reuse", false}, {"a", 1}})));
    row("PyTorch 2.10 or 2.11", withEvent(compiled.with("user_metadata", "")));
    row("PyTorch 2.12 or later", withEvent(compiled.with("pool_id", Py::tuple({0, 0}))));
}

void TestSnapshotLayouts::theProducerIsToldByTheLayout()
{
    QFETCH(QByteArray, pickle);
    const auto trace = readTrace(test::bytesOf(pickle)).value();
    QTEST(QString::fromStdString(trace->producer()), "producer");
    QVERIFY(trace->problems().empty());
}

void TestSnapshotLayouts::aRecordingOfAscendIsNoneOfPyTorch_data()
{
    QTest::addColumn<QByteArray>("pickle");
    QTest::addColumn<bool>("ascend");
    const auto row = [](const char *name, std::initializer_list<std::pair<int, int>> sizes,
                        const Py &frames, bool ascend) {
        std::vector<Py> blocks;
        std::int64_t address = 0x7f0000000000;
        int total = 0;
        for (const auto &[size, requested] : sizes) {
            blocks.push_back(
                test::sampleBlock(address, size, requested, "active_allocated", frames));
            address += size;
            total += size;
        }
        const Py snapshot =
            snapshotOf(Py::list({test::sampleSegment(total, Py::list(blocks))}), Py::list());
        QTest::newRow(name) << QByteArray::fromStdString(test::pickled(snapshot)) << ascend;
    };
    const Py none = Py::list();
    row("sizes", {{1024, 512}, {512, 4}, {1536, 1000}}, none, true);
    row("sizes of PyTorch", {{512, 512}, {512, 4}, {1024, 1000}}, none, false);
    row("one odd block among PyTorch's", {{1024, 512}, {1024, 512}, {1024, 1024}}, none, false);
    row("nothing to tell", {{512, 4}, {1536, 1100}}, none, false);
    const auto frame = [](const char *name, const char *file) {
        return Py::list({Py::dict({{"name", name}, {"filename", file}, {"line", 3}})});
    };
    row("Python", {{512, 4}}, frame("f", "/x/site-packages/torch_npu/npu/memory.py"), true);
    row("C++", {{512, 4}}, frame("c10_npu::NPUCachingAllocator::malloc(void**)", "??"), true);
    row("a name", {{512, 4}}, frame("is_torch_npu_available", "/x/import_utils.py"), false);
}

void TestSnapshotLayouts::aRecordingOfAscendIsNoneOfPyTorch()
{
    QFETCH(QByteArray, pickle);
    QFETCH(bool, ascend);
    const auto trace = readTrace(test::bytesOf(pickle)).value();
    QCOMPARE(trace->producer() == "torch_npu (Ascend)", ascend);
    QCOMPARE(trace->problems().size(), std::size_t(ascend ? 1 : 0));
    if (ascend)
        QVERIFY(trace->problems()[0].kind.find("adds 32 bytes") != std::string::npos);
}

void TestSnapshotLayouts::anOddRecordIsAProblemAndTheRestIsRead_data()
{
    QTest::addColumn<QByteArray>("pickle");
    QTest::addColumn<QString>("problem");
    const auto row = [](const char *name, const Py &event, const char *problem) {
        const Py traces = Py::list({Py::list({event, plainEvent()})});
        QTest::newRow(name) << QByteArray::fromStdString(
                                   test::pickled(snapshotOf(Py::list(), traces)))
                            << QString::fromUtf8(problem);
    };
    row("no size", plainEvent().without("size"), "A record without a size.");
    row("size of text", plainEvent().with("size", "512"), "A record without a size.");
    row("negative size", plainEvent().with("size", -1), "A size that no device can have.");
    row("absurd size", plainEvent().with("size", std::int64_t(1) << 60),
        "A size that no device can have.");
    row("no action", plainEvent().without("action"), "An event without an action.");
    row("a new action", plainEvent().with("action", "teleport"),
        "An event with an action that this version does not know.");
    row("no address", plainEvent().without("addr"), "A record without an address.");
    row("no stream", plainEvent().without("stream"), "A record without a stream.");
    row("a time of text", plainEvent().with("time_us", "now"), "A time that is no number.");
    row("frames of a number", plainEvent().with("frames", 3), "A stack that is no list of frames.");
    row("a frame of a number", plainEvent().with("frames", Py::list({3})),
        "A frame that is no record.");
    row("a frame without a line",
        plainEvent().with("frames", Py::list({test::sampleFrame("f", 1).without("line")})),
        "A frame without a name, a file or a line.");
    row("a pool of one", plainEvent().with("pool_id", Py::tuple({1})),
        "A pool that is no pair of numbers.");
    row("no event", Py("event"), "An entry of a trace that is no event.");
    row("metadata of bytes", plainEvent().with("user_metadata", Py::Raw{std::string("C\x01x")}),
        "A text that is no text.");
}

void TestSnapshotLayouts::anOddRecordIsAProblemAndTheRestIsRead()
{
    QFETCH(QByteArray, pickle);
    const auto bytes = test::bytesOf(pickle);
    const auto trace = readTrace(bytes).value();
    QCOMPARE(trace->problems().size(), std::size_t(1));
    QTEST(QString::fromStdString(trace->problems()[0].kind), "problem");
    QCOMPARE(trace->problems()[0].count, std::int64_t(1));
    const EventColumns &events = trace->devices()[0].events;
    QCOMPARE(events.address.back(), std::uint64_t(4096));
    QCOMPARE(events.size.back(), Bytes(512));
    const auto source = memorySource(bytes);
    ByteWindow input(*source);
    QCOMPARE(test::traceText(*readSnapshotSlowly(input).value()), test::traceText(*trace));
}

void TestSnapshotLayouts::aPickleThatIsNoSnapshotIsAnError_data()
{
    QTest::addColumn<QByteArray>("pickle");
    const auto row = [](const char *name, const Py &value) {
        QTest::newRow(name) << QByteArray::fromStdString(test::pickled(value));
    };
    row("a number", 3);
    row("a text", "hello");
    row("an empty dict", Py::dict());
    row("an empty list", Py::list());
    row("another dict", Py::dict({{"state_dict", 1}, {"epoch", 2}}));
    row("a list of numbers", Py::list({1, 2, 3}));
    row("a frame", test::sampleFrame("f", 1));
    row("a tuple", Py::tuple({1, 2}));
}

void TestSnapshotLayouts::aPickleThatIsNoSnapshotIsAnError()
{
    QFETCH(QByteArray, pickle);
    const auto trace = readTrace(test::bytesOf(pickle));
    QVERIFY(!trace.ok());
    QCOMPARE(trace.error().code, ErrorCode::NotRecognized);
    QVERIFY(
        trace.error().detail.starts_with("The file is complete but no memory snapshot: it holds "));
}

void TestSnapshotLayouts::aListSharedByManyRecordsStaysCheap()
{
    // Every level holds the one below twice: two to the fiftieth values, if they were written out.
    Py laughs = Py::list({1});
    for (int level = 0; level < 50; ++level)
        laughs = Py::list({laughs, laughs});
    const Py snapshot = snapshotOf(Py::list(), tracesOf(plainEvent().with("user_metadata", laughs)))
                            .with("allocator_settings", Py::dict({{"a", laughs}, {"b", laughs}}));
    const std::string pickle = test::pickled(snapshot);
    const auto trace = readTrace(test::bytesOf(pickle)).value();
    for (const Setting &setting : trace->settings())
        QVERIFY(setting.value.size() < 10'000);

    // One deep stack, one trace and one list of blocks, named again and again.
    std::vector<Py> frames;
    for (int line = 0; line < 1500; ++line)
        frames.push_back(test::sampleFrame("f", line));
    std::vector<Py> events;
    const Py stack = Py::list(frames);
    for (int at = 0; at < 2000; ++at)
        events.push_back(test::sampleEvent("alloc", at, 1, at, stack));
    const Py blocks =
        Py::list(std::vector<Py>(500, test::sampleBlock(0, 1, 1, "inactive", Py::list())));
    const Py shared = snapshotOf(Py::list(std::vector<Py>(300, test::sampleSegment(500, blocks))),
                                 Py::list(std::vector<Py>(400, Py::list(events))));
    const std::string bytes = test::pickled(shared);
    const auto read = readTrace(test::bytesOf(bytes)).value();
    QCOMPARE(read->stackCount(), std::size_t(1));
    QCOMPARE(read->devices().size(), std::size_t(1));
    QCOMPARE(read->devices()[0].events.count(), 2000);
    QVERIFY(read->devices()[0].blocks.size() <= 500);
    QVERIFY(!read->problems().empty());
}

void TestSnapshotLayouts::recordsNamedOftenTakeNoMoreThanTheFileCanHold()
{
    const Py::Long much{std::string("\0\0\0\0\0\0\x01", 7)}; // 2^48, the most a size may be
    const Py event = plainEvent().with("size", much);
    const Py block = test::sampleBlock(0, 1, 1, "inactive", Py::list()).with("size", much);
    const std::string bytes = test::pickled(
        snapshotOf(Py::list({test::sampleSegment(500, Py::list(std::vector<Py>(40'000, block)))}),
                   Py::list({Py::list(std::vector<Py>(400'000, event))})));
    const auto trace = readTrace(test::bytesOf(bytes)).value();
    QCOMPARE(trace->devices().size(), std::size_t(1));
    const DeviceTrace &device = trace->devices()[0];
    QCOMPARE(device.blocks.size(), std::size_t(1));
    QVERIFY(device.events.count() > 1);
    QVERIFY(device.events.count() < 5000); // or their sizes would add up to more than 64 bits
    QVERIFY(!trace->problems().empty());
}

void TestSnapshotLayouts::sizesNeverAddUpPastWhatANumberHolds()
{
    // Each block's owner had 2^48 bytes, and all of them share the record of that owner.
    const Py::Long much{std::string("\0\0\0\0\0\0\x01", 7)};
    const Py owner = Py::dict({{"real_size", much}, {"addr", 1}});
    std::vector<Py> blocks;
    for (int at = 0; at < 40'000; ++at)
        blocks.push_back(
            Py::dict({{"state", "active_allocated"}, {"size", 1}, {"history", Py::list({owner})}}));
    const std::string bytes = test::pickled(
        snapshotOf(Py::list({test::sampleSegment(40'000, Py::list(blocks))}), Py::list()));
    const auto trace = readTrace(test::bytesOf(bytes)).value();
    std::int64_t sum = 0;
    for (const FinalBlock &block : trace->devices()[0].blocks)
        QVERIFY(!__builtin_add_overflow(sum, block.requested, &sum));
    QVERIFY(!trace->problems().empty());
}

void TestSnapshotLayouts::aLongTextInManyPlacesStaysCheap()
{
    const Py text = std::string(1'000'000, 'x');
    const Py many = Py::list(std::vector<Py>(900, text));
    const std::string bytes = test::pickled(
        snapshotOf(Py::list(), tracesOf(plainEvent().with("user_metadata", many)))
            .with("allocator_settings", Py::dict({{"a", many}, {"b", Py::dict({{text, 1}})}})));
    QVERIFY(bytes.size() < 2'100'000);
    const auto trace = readTrace(test::bytesOf(bytes)).value();
    QCOMPARE(trace->settings().size(), std::size_t(2));
    for (const Setting &setting : trace->settings())
        QVERIFY(setting.value.size() < 100'000);
}

void TestSnapshotLayouts::settingsAreAsManyAsAnyPyTorchHas()
{
    std::vector<std::pair<Py, Py>> settings;
    for (int at = 0; at < 5000; ++at)
        settings.emplace_back("setting " + std::to_string(at), at);
    const std::string bytes = test::pickled(
        snapshotOf(Py::list(), Py::list()).with("allocator_settings", Py::dict(settings)));
    const auto trace = readTrace(test::bytesOf(bytes)).value();
    QCOMPARE(trace->settings().size(), std::size_t(1000));
    QCOMPARE(trace->problems().size(), std::size_t(1));
}

VRAMSCOPE_TEST(TestSnapshotLayouts)
#include "tst_snapshot_layouts.moc"
