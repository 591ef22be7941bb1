// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/readers/read_trace.h"
#include "core/trace/redaction.h"
#include "tests/support/sample_snapshot.h"
#include "tests/support/test.h"
#include "tests/support/trace_text.h"

using namespace vramscope;
using test::Py;

namespace {

std::shared_ptr<const Trace> read(const std::string &bytes)
{
    return readTrace(std::as_bytes(std::span(bytes.data(), bytes.size()))).value();
}

std::shared_ptr<const Trace> readWith(const char *key, Py value)
{
    return read(test::pickled(test::sampleSnapshot().with(key, std::move(value))));
}

/// The trace of a snapshot with one event and one block, both with a key more.
std::shared_ptr<const Trace> readRecordsWith(const char *key, const Py &value)
{
    const Py event = test::sampleEvent("alloc", 4096, 512, 7, Py::list()).with(key, value);
    const Py block = test::sampleBlock(0x7f0000000000, 512, 500, "active_allocated", Py::list())
                         .with(key, value);
    const Py segment = test::sampleSegment(512, Py::list({block})).with(key, value);
    return read(test::pickled(Py::dict(
        {{"segments", Py::list({segment})}, {"device_traces", Py::list({Py::list({event})})}})));
}

const EventContext &contextOf(const Trace &trace, ContextId id)
{
    return trace.contexts()[static_cast<std::size_t>(id)];
}

} // namespace

class TestSnapshotFields : public test::Test
{
    Q_OBJECT

private slots:
    void categoriesOfEventsBlocksAndSegmentsAreKept();
    void forwardFramesAreAStack();
    void unknownKeysOfRecordsAreKeptAsJson();
    void unknownKeysThatHoldAStackAreWrittenOut();
    void keysOfFxGraphsStayWithTheirFrame();
    void unknownKeysOfAnnotationsAreKept();
    void unknownPartsOfTheWholeAreKeptByName();
    void sourceFilesAreKeptByPath();
    void aPoolOfASegmentAndAPoolOfAnEventAreOne();
    void theLastDeviceOfAProfilersSnapshotIsTheHost();
    void extrasSharedByManyRecordsStayCheap();
    void theUsualRecordsHaveNoContext();
    void redactionReachesAllThatIsKept();
};

void TestSnapshotFields::categoriesOfEventsBlocksAndSegmentsAreKept()
{
    const auto trace = readRecordsWith("category", "optimizer_state");
    const DeviceTrace &device = trace->devices()[0];
    for (const ContextId id :
         {device.events.context[0], device.blocks[0].context, device.segments[0].context})
        QCOMPARE(trace->text(contextOf(*trace, id).category), std::string_view("optimizer_state"));
    QVERIFY(trace->problems().empty());
}

void TestSnapshotFields::forwardFramesAreAStack()
{
    const auto trace =
        readRecordsWith("forward_frames", Py::list({"model.py:10 forward", "train.py:2 main"}));
    const DeviceTrace &device = trace->devices()[0];
    for (const ContextId id : {device.events.context[0], device.blocks[0].context}) {
        const auto stack = trace->stack(contextOf(*trace, id).forwardFrames);
        QCOMPARE(stack.size(), std::size_t(2));
        QCOMPARE(trace->text(trace->frame(stack[0]).name), std::string_view("model.py:10 forward"));
    }
    QVERIFY(trace->problems().empty());
}

void TestSnapshotFields::unknownKeysOfRecordsAreKeptAsJson()
{
    const auto trace =
        readRecordsWith("priority", Py::dict({{"class", 3}, {"tags", Py::list({"a", 1.5, true})}}));
    const DeviceTrace &device = trace->devices()[0];
    for (const ContextId id :
         {device.events.context[0], device.blocks[0].context, device.segments[0].context})
        QCOMPARE(trace->text(contextOf(*trace, id).extras),
                 std::string_view(R"({"priority":{"class":3,"tags":["a",1.5,true]}})"));
    QVERIFY(trace->problems().empty());
}

void TestSnapshotFields::unknownKeysThatHoldAStackAreWrittenOut()
{
    const auto trace = readRecordsWith("backward", Py::list({test::sampleFrame("step", 20)}));
    QCOMPARE(trace->text(contextOf(*trace, trace->devices()[0].events.context[0]).extras),
             std::string_view(R"({"backward":[{"name":"step","filename":"train.py","line":20}]})"));
}

void TestSnapshotFields::keysOfFxGraphsStayWithTheirFrame()
{
    const Py traced = test::sampleFrame("forward", 3)
                          .with("fx_node_op", "call_function")
                          .with("fx_original_trace", "line 1\nline 2");
    const auto trace =
        readRecordsWith("frames", Py::list({traced, test::sampleFrame("forward", 3)}));
    const auto stack = trace->stack(trace->devices()[0].events.stack[0]);
    QCOMPARE(stack.size(), std::size_t(2));
    QCOMPARE(
        trace->text(trace->frame(stack[0]).extras),
        std::string_view(R"({"fx_node_op":"call_function","fx_original_trace":"line 1\nline 2"})"));
    QCOMPARE(trace->frame(stack[1]).extras, StringId::Empty);
    QVERIFY(trace->problems().empty());
}

void TestSnapshotFields::unknownKeysOfAnnotationsAreKept()
{
    const auto trace = readWith("external_annotations", Py::list({Py::dict({{"name", "step"},
                                                                            {"stage", "START"},
                                                                            {"device", 0},
                                                                            {"time_us", 5},
                                                                            {"thread", 77}})}));
    QCOMPARE(trace->annotations().size(), std::size_t(1));
    QCOMPARE(trace->text(trace->annotations()[0].extras), std::string_view(R"({"thread":77})"));
}

void TestSnapshotFields::unknownPartsOfTheWholeAreKeptByName()
{
    const auto trace = read(test::pickled(test::sampleSnapshot().with("rank", 3).with(
        "stats", Py::dict({{"peak", 17}, {"name", "H100"}}))));
    QCOMPARE(trace->extras().size(), std::size_t(2));
    QCOMPARE(trace->extras()[0].name, std::string("rank"));
    QCOMPARE(trace->extras()[0].value, std::string("3"));
    QCOMPARE(trace->extras()[1].value, std::string(R"({"peak":17,"name":"H100"})"));
    QVERIFY(trace->problems().empty());
}

void TestSnapshotFields::sourceFilesAreKeptByPath()
{
    const std::string text(300'000, '#');
    const auto trace =
        readWith("source_code", Py::dict({{"/a/train.py", "import torch\n"}, {"/a/b.py", text}}));
    QCOMPARE(trace->sources().size(), std::size_t(2));
    QCOMPARE(trace->text(trace->sources()[0].path), std::string_view("/a/train.py"));
    QCOMPARE(trace->text(trace->sources()[0].text), std::string_view("import torch\n"));
    QCOMPARE(trace->text(trace->sources()[1].text), std::string_view(text));
    QVERIFY(trace->extras().empty());
    QVERIFY(trace->problems().empty());
}

void TestSnapshotFields::aPoolOfASegmentAndAPoolOfAnEventAreOne()
{
    const auto byEvent = readRecordsWith("pool_id", Py::tuple({0, 2}));
    const auto bySegment = readRecordsWith("segment_pool_id", Py::tuple({0, 2}));
    for (const auto &trace : {byEvent, bySegment}) {
        const PoolId pool = trace->devices()[0].events.pool[0];
        QCOMPARE(trace->pools()[static_cast<std::size_t>(pool)], (Pool{0, 2}));
        QCOMPARE(trace->devices()[0].events.context[0], ContextId::None);
    }
    QCOMPARE(bySegment->devices()[0].segments[0].pool, bySegment->devices()[0].events.pool[0]);
}

void TestSnapshotFields::theLastDeviceOfAProfilersSnapshotIsTheHost()
{
    // As torch.profiler makes it: no times, no kinds of segments, one segment a device.
    const auto segment = [](int device) {
        const Py block = Py::dict({{"address", 4096},
                                   {"size", 8},
                                   {"requested_size", 8},
                                   {"state", "active_allocated"},
                                   {"category", "parameter"},
                                   {"frames", Py::list()}});
        return Py::dict({{"device", device},
                         {"address", 4096},
                         {"total_size", 8},
                         {"stream", 0},
                         {"blocks", Py::list({block})}});
    };
    const Py event = Py::dict(
        {{"action", "alloc"},
         {"addr", 4096},
         {"size", 8},
         {"stream", 0},
         {"category", "parameter"},
         {"frames", Py::list({Py::dict({{"filename", "none"}, {"line", 0}, {"name", "none"}})})}});
    const auto trace = read(test::pickled(
        Py::dict({{"segments", Py::list({segment(0), segment(1)})},
                  {"device_traces", Py::list({Py::list({event}), Py::list({event})})}})));
    QCOMPARE(trace->producer(), std::string("PyTorch profiler"));
    QCOMPARE(trace->devices().size(), std::size_t(2));
    QVERIFY(!trace->devices()[0].host);
    QVERIFY(trace->devices()[1].host);
    QVERIFY(trace->problems().empty());
    QVERIFY(!read(test::pickled(test::sampleSnapshot()))->devices()[0].host);
}

void TestSnapshotFields::extrasSharedByManyRecordsStayCheap()
{
    const Py large = std::string(60'000, 'x');
    std::vector<Py> events;
    for (int at = 0; at < 20'000; ++at)
        events.push_back(test::sampleEvent("alloc", at, 1, at, Py::list())
                             .with("same", large)
                             .with("number", at));
    const std::string bytes = test::pickled(
        Py::dict({{"segments", Py::list()}, {"device_traces", Py::list({Py::list(events)})}}));
    const auto trace = read(bytes);
    QCOMPARE(trace->devices()[0].events.count(), 20'000);
    std::size_t total = 0;
    for (const EventContext &context : trace->contexts())
        total += trace->text(context.extras).size();
    QVERIFY(total > 0);
    QVERIFY(total < bytes.size() + (std::size_t(2) << 20));
    QVERIFY(!trace->problems().empty());
}

void TestSnapshotFields::theUsualRecordsHaveNoContext()
{
    const auto trace = read(test::pickled(test::sampleSnapshot()));
    QCOMPARE(trace->contexts().size(), std::size_t(1));
    QVERIFY(trace->extras().empty());
    QVERIFY(trace->sources().empty());
}

void TestSnapshotFields::redactionReachesAllThatIsKept()
{
    const char *const path = "/home/jane/project/train.py";
    const Py event = test::sampleEvent("alloc", 4096, 512, 7,
                                       Py::list({test::sampleFrame("f", 1).with("fx_path", path)}))
                         .with("written_by", path)
                         .with("forward_frames", Py::list({path}));
    const auto trace = read(test::pickled(
        Py::dict({{"segments", Py::list()},
                  {"device_traces", Py::list({Py::list({event})})},
                  {"source_code", Py::dict({{path, "import torch\n"}})},
                  {"started_in", path},
                  {"external_annotations", Py::list({Py::dict({{"name", "step"},
                                                               {"stage", "START"},
                                                               {"device", 0},
                                                               {"time_us", 5},
                                                               {"file", path}})})}})));
    Redaction redaction;
    redaction.gather(*trace);
    QVERIFY(test::traceText(*trace).find("jane") != std::string::npos);
    const std::string text = test::traceText(*redaction.applied(*trace));
    QVERIFY2(text.find("jane") == std::string::npos, text.c_str());
    QCOMPARE(QString::fromStdString(text).count(QStringLiteral("~/project/train.py")), 6);
}

VRAMSCOPE_TEST(TestSnapshotFields)
#include "tst_snapshot_fields.moc"
