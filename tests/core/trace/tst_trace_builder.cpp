// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/trace/trace_builder.h"
#include "tests/support/test.h"

#include <random>

using namespace vramscope;

class TestTraceBuilder : public test::Test
{
    Q_OBJECT

private slots:
    void equalStacksHaveOneIdHoweverManyThereAre();
    void framesStreamsPoolsAndContextsAreStoredOnce();
    void devicesAreThoseWithEventsOrSegmentsByOrdinal();
    void blocksFollowEachOtherFromTheSegmentsStart();
    void timesAreEmptyWhereNoEventHasOneAndFilledWhereSomeHave();
    void theTailOfALogMovesWithItsOutOfMemoryEvents();
    void problemsOfAKindAreCountedAndKeepTheFirstOffset();
    void tooManyEventsOfADeviceAreAnError();
    void streamsBeyondTheLimitShareAnIdAndAreAProblem();
};

void TestTraceBuilder::equalStacksHaveOneIdHoweverManyThereAre()
{
    TraceBuilder builder;
    std::mt19937 random(3);
    std::map<std::vector<FrameId>, StackId> known;
    for (int trial = 0; trial < 20'000; ++trial) {
        std::vector<FrameId> frames(random() % 6);
        for (FrameId &frame : frames)
            frame = builder.internFrame("f", "file.py", static_cast<std::int32_t>(random() % 9));
        const StackId id = builder.internStack(frames);
        const auto [entry, isNew] = known.try_emplace(frames, id);
        QCOMPARE(id, entry->second);
    }
    const auto trace = builder.finish().value();
    QCOMPARE(trace->stackCount(), known.size() - 1);
    QCOMPARE(trace->frameCount(), std::size_t(9));
    for (const auto &[frames, id] : known)
        QVERIFY(std::ranges::equal(trace->stack(id), frames));
    QVERIFY(trace->stack(StackId::None).empty());
}

void TestTraceBuilder::framesStreamsPoolsAndContextsAreStoredOnce()
{
    TraceBuilder builder;
    const FrameId frame = builder.internFrame("forward", "model.py", 40);
    QCOMPARE(builder.internFrame("forward", "model.py", 40), frame);
    QVERIFY(builder.internFrame("forward", "model.py", 41) != frame);
    QCOMPARE(builder.internStream(0x75), builder.internStream(0x75));
    QVERIFY(builder.internStream(0) != builder.internStream(0x75));
    QCOMPARE(builder.internPool({0, 0}), PoolId::Default);
    QCOMPARE(builder.internPool({0, 1}), builder.internPool({0, 1}));
    QCOMPARE(builder.internContext({}), ContextId::None);
    const EventContext compiled{builder.internText("Region: 0/0"), StringId::Empty};
    QCOMPARE(builder.internContext(compiled), builder.internContext(compiled));
    const auto trace = builder.finish().value();
    QCOMPARE(trace->text(trace->frame(frame).file), std::string_view("model.py"));
    QCOMPARE(trace->streams().size(), std::size_t(2));
    QCOMPARE(trace->pools()[1], (Pool{0, 1}));
    QCOMPARE(trace->contexts().size(), std::size_t(2));
}

void TestTraceBuilder::devicesAreThoseWithEventsOrSegmentsByOrdinal()
{
    TraceBuilder builder;
    builder.addEvent(3, {Action::Alloc, 512, 100});
    builder.addEvents(1, EventLog());
    builder.addSegment(2, {.address = 1 << 20, .size = kMiB}, {});
    builder.addSegment(2, {.address = 0, .size = kMiB}, {});
    const auto trace = builder.finish().value();
    QCOMPARE(trace->devices().size(), std::size_t(2));
    QCOMPARE(trace->devices()[0].device, 2);
    QCOMPARE(trace->devices()[0].segments[0].address, std::uint64_t(0));
    QCOMPARE(trace->device(3)->events.count(), EventIndex(1));
    QVERIFY(!trace->device(1));
}

void TestTraceBuilder::blocksFollowEachOtherFromTheSegmentsStart()
{
    TraceBuilder builder;
    const FinalBlock blocks[] = {{.size = 512, .state = BlockState::Allocated}, {.size = 1536}};
    builder.addSegment(0, {.address = 4096, .size = 2048}, blocks);
    builder.addSegment(0, {.address = 8192, .size = 2048}, blocks);
    const auto trace = builder.finish().value();
    const DeviceTrace &device = trace->devices()[0];
    QCOMPARE(device.segments[1].firstBlock, 2U);
    QCOMPARE(device.segments[1].blockCount, 2U);
    QCOMPARE(device.blocks[1].address, std::uint64_t(4096 + 512));
    QCOMPARE(device.blocks[2].address, std::uint64_t(8192));
}

void TestTraceBuilder::timesAreEmptyWhereNoEventHasOneAndFilledWhereSomeHave()
{
    TraceBuilder builder;
    builder.addEvent(0, {});
    for (const std::int64_t time : {kNoTime, std::int64_t(5), kNoTime, std::int64_t(9)})
        builder.addEvent(1, {.time = time});
    const auto trace = builder.finish().value();
    QVERIFY(trace->device(0)->events.time.empty());
    QCOMPARE(trace->device(1)->events.time, (std::vector<std::int64_t>{5, 5, 5, 9}));
}

void TestTraceBuilder::theTailOfALogMovesWithItsOutOfMemoryEvents()
{
    EventLog first;
    EventLog second;
    first.append({Action::OutOfMemory, 0, 100, 1});
    first.append({Action::Alloc, 512, 200, 2});
    first.append({.action = Action::OutOfMemory, .size = 300, .deviceFree = 7});
    second.append({Action::Alloc, 1024, 400, 4});
    first.moveTail(1, second);
    QCOMPARE(first.count(), std::size_t(1));
    QCOMPARE(second.count(), std::size_t(3));
    QCOMPARE(second.event(2).deviceFree, Bytes(7));
    QCOMPARE(second.event(1).address, std::uint64_t(512));
    TraceBuilder builder;
    builder.addEvents(0, std::move(first));
    builder.addEvents(0, std::move(second));
    const auto trace = builder.finish().value();
    const auto &outOfMemory = trace->devices()[0].outOfMemory;
    QCOMPARE(outOfMemory.size(), std::size_t(2));
    QCOMPARE(outOfMemory[1].event, EventIndex(3));
    QCOMPARE(outOfMemory[1].requested, Bytes(300));
    QCOMPARE(outOfMemory[0].deviceFree, Bytes(-1));
}

void TestTraceBuilder::problemsOfAKindAreCountedAndKeepTheFirstOffset()
{
    TraceBuilder builder;
    builder.addProblem("A block without a size", 70);
    builder.addProblem("An unknown action", 80);
    builder.addProblem("A block without a size", 90, 2);
    const auto trace = builder.finish().value();
    QCOMPARE(trace->problems().size(), std::size_t(2));
    QCOMPARE(trace->problems()[0].count, std::int64_t(3));
    QCOMPARE(trace->problems()[0].firstOffset, std::int64_t(70));
}

void TestTraceBuilder::tooManyEventsOfADeviceAreAnError()
{
    TraceBuilder builder(2);
    for (int event = 0; event < 3; ++event)
        builder.addEvent(0, {});
    const auto trace = builder.finish();
    QVERIFY(!trace.ok());
    QCOMPARE(trace.error().code, ErrorCode::Unsupported);
}

void TestTraceBuilder::streamsBeyondTheLimitShareAnIdAndAreAProblem()
{
    TraceBuilder builder;
    for (std::int64_t stream = 0; stream < 65'540; ++stream)
        builder.internStream(stream);
    QCOMPARE(static_cast<int>(builder.internStream(65'535)), 65'535);
    QCOMPARE(static_cast<int>(builder.internStream(99'999)), 65'535);
    const auto trace = builder.finish().value();
    QCOMPARE(trace->streams().size(), std::size_t(65'536));
    QCOMPARE(trace->problems().size(), std::size_t(1));
    QCOMPARE(trace->problems()[0].count, std::int64_t(5));
}

VRAMSCOPE_TEST(TestTraceBuilder)
#include "tst_trace_builder.moc"
