// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/readers/read_trace.h"
#include "tests/support/json_writer.h"
#include "tests/support/sample_snapshot.h"
#include "tests/support/test.h"
#include "tests/support/trace_text.h"

using namespace vramscope;
using test::Py;

namespace {

/// The trace as text without its first line, which names the protocol; or the error.
std::string readWithoutFormat(const std::string &bytes)
{
    const auto trace = readTrace(test::bytesOf(bytes));
    if (!trace.ok())
        return "error: " + trace.error().text();
    const std::string text = test::traceText(**trace);
    return text.substr(text.find('\n'));
}

std::string eventsOf(const std::string &event)
{
    return R"({"segments": [], "device_traces": [[)" + event + "]]}";
}

} // namespace

class TestJsonSnapshot : public test::Test
{
    Q_OBJECT

private slots:
    void jsonAndPickleGiveTheSameTrace();
    void aBareListOfSegmentsIsASnapshot();
    void aByteOrderMarkIsSkipped();
    void listsLongerThanABatchKeepTheirOrder_data();
    void listsLongerThanABatchKeepTheirOrder();
    void manyPairsNeedNoRoom();
    void numbersAreReadHoweverTheyAreWritten();
    void keysMayStandInAnyOrder();
    void everyPrefixIsTruncated();
    void nestingWithoutEndIsRefused();
    void damagedJsonSaysWhere();
    void bytesBehindTheEndAreAProblem();
    void otherJsonSaysWhatItIs();
    void readingIsCancelledWhenProgressSaysSo();
};

void TestJsonSnapshot::jsonAndPickleGiveTheSameTrace()
{
    const Py odd = test::sampleSnapshot().with(
        "device_traces",
        Py::list({Py::list({test::sampleEvent("oom", 0, 5, 1, Py::list()).with("device_free", 7),
                            test::sampleEvent("alloc", 0, 5, 1, Py::list())
                                .with("pool_id", Py::tuple({0, 3}))
                                .with("mystery", Py::dict({{"a", Py::list({1, "b", Py()})}})),
                            test::sampleEvent("alloc", 0, 5, 1, Py::list())
                                .with("category", "activation")
                                .with("forward_frames", Py::list({"a.py:1 f", "b.py:2 g"}))})}));
    for (const Py &snapshot : {test::sampleSnapshot(), odd})
        QCOMPARE(readWithoutFormat(test::json(snapshot)),
                 readWithoutFormat(test::pickled(snapshot)));
}

void TestJsonSnapshot::aBareListOfSegmentsIsASnapshot()
{
    const Py segments = Py::list({test::sampleSegment(
        512, Py::list({test::sampleBlock(0x7f0000000000, 512, 500, "inactive", Py::list())}))});
    const std::string text = readWithoutFormat(test::json(segments));
    QVERIFY(text.find("segment 139637976727552 size 512") != std::string::npos);
    QCOMPARE(text, readWithoutFormat(test::pickled(segments)));
}

void TestJsonSnapshot::aByteOrderMarkIsSkipped()
{
    const std::string json = test::json(test::sampleSnapshot());
    QCOMPARE(readWithoutFormat("\xef\xbb\xbf \n" + json), readWithoutFormat(json));
}

void TestJsonSnapshot::listsLongerThanABatchKeepTheirOrder_data()
{
    QTest::addColumn<int>("count");
    for (const int count : {1, 2, 999, 1000, 1001, 2000, 2500})
        QTest::addRow("%d", count) << count;
}

void TestJsonSnapshot::listsLongerThanABatchKeepTheirOrder()
{
    QFETCH(int, count);
    std::vector<Py> events;
    std::vector<Py> frames;
    for (int at = 0; at < count; ++at) {
        frames.push_back(test::sampleFrame("f", at));
        events.push_back(test::sampleEvent("alloc", at, at, at, Py::list()));
    }
    events.push_back(test::sampleEvent("alloc", 0, 1, count, Py::list(frames)));
    const Py snapshot =
        Py::dict({{"segments", Py::list()}, {"device_traces", Py::list({Py::list(events)})}});
    const std::string json = test::json(snapshot);
    const auto trace = readTrace(test::bytesOf(json)).value();
    QVERIFY(trace->problems().empty());
    const EventColumns &columns = trace->devices()[0].events;
    QCOMPARE(columns.count(), count + 1);
    QVERIFY(std::ranges::is_sorted(columns.time));
    const auto stack = trace->stack(columns.stack[columns.stack.size() - 1]);
    QCOMPARE(stack.size(), static_cast<std::size_t>(count));
    for (int at = 0; at < count; ++at)
        QCOMPARE(trace->frame(stack[static_cast<std::size_t>(at)]).line, at);
}

void TestJsonSnapshot::manyPairsNeedNoRoom()
{
    // Each pool is a list of its own: kept whole they would be more values than are allowed.
    std::string events;
    constexpr int kCount = 800'000;
    for (int at = 0; at < kCount; ++at)
        events += R"({"action":"alloc","addr":1,"size":1,"stream":0,"pool_id":[0,1]},)";
    events.pop_back();
    const auto trace = readTrace(test::bytesOf(eventsOf(events))).value();
    QVERIFY(trace->problems().empty());
    QCOMPARE(trace->devices()[0].events.count(), kCount);
    QCOMPARE(trace->pools().back().second, std::int64_t(1));
}

void TestJsonSnapshot::numbersAreReadHoweverTheyAreWritten()
{
    const auto text = [](const char *address, const char *size, const char *time) {
        return readWithoutFormat(
            eventsOf(std::string(R"({"action": "alloc", "stream": 0, "addr": )") + address +
                     R"(, "size": )" + size + R"(, "time_us": )" + time + "}"));
    };
    const std::string plain = text("4096", "512", "1700000000000001");
    QVERIFY(plain.find("event alloc 4096 size 512 stream 0 time 1700000000000001\n") !=
            std::string::npos);
    QCOMPARE(text("4096.0", "5.12e2", "1.700000000000001e15"), plain);
    QVERIFY(text("18446744073709547520", "1", "1").find("alloc 18446744073709547520 ") !=
            std::string::npos);
    QVERIFY(text("1", "18446744073709547520", "1").find("A size that no device can have.") !=
            std::string::npos);
    QVERIFY(text("1", "0.5", "1").find("A record without a size.") != std::string::npos);
    QVERIFY(text("1", "1e300", "1").find("A record without a size.") != std::string::npos);
}

void TestJsonSnapshot::keysMayStandInAnyOrder()
{
    const std::string filler = R"("notes": ")" + std::string(100'000, 'x') + R"(", )";
    const std::string rest = R"("device_traces": [[{"stream": 0, "size": 5, "addr": 1,)"
                             R"("action": "alloc"}]], "segments": []})";
    QCOMPARE(readWithoutFormat("{" + filler + rest),
             readWithoutFormat("{" + rest) + "extra notes = null\n");
}

void TestJsonSnapshot::everyPrefixIsTruncated()
{
    const std::string json = test::json(test::sampleSnapshot());
    for (std::size_t size = 20; size < json.size(); ++size) {
        const auto trace = readTrace(test::bytesOf(json.substr(0, size)));
        QVERIFY(!trace.ok());
        QCOMPARE(trace.error().code, ErrorCode::Truncated);
    }
}

void TestJsonSnapshot::nestingWithoutEndIsRefused()
{
    const std::string deep(1'000'000, '[');
    const std::string objects = [] {
        std::string text;
        for (int at = 0; at < 200'000; ++at)
            text += R"({"a":)";
        return text;
    }();
    for (const std::string &nested : {R"({"segments": )" + deep, R"({"segments": )" + objects}) {
        const auto trace = readTrace(test::bytesOf(nested));
        QVERIFY(!trace.ok());
        QCOMPARE(trace.error().code, ErrorCode::Malformed);
        QVERIFY(trace.error().detail.find("nested") != std::string::npos);
    }
}

void TestJsonSnapshot::damagedJsonSaysWhere()
{
    std::string json = test::json(test::sampleSnapshot());
    json[json.size() / 2] = '\x01';
    const auto trace = readTrace(test::bytesOf(json));
    QVERIFY(!trace.ok());
    QCOMPARE(trace.error().code, ErrorCode::Malformed);
    QVERIFY(trace.error().offset > 0);
    QVERIFY(trace.error().offset < static_cast<std::int64_t>(json.size()));
}

void TestJsonSnapshot::bytesBehindTheEndAreAProblem()
{
    const std::string json = test::json(test::sampleSnapshot());
    QCOMPARE(readWithoutFormat(json + " \n\n"), readWithoutFormat(json));
    QCOMPARE(readWithoutFormat(json + " x"),
             readWithoutFormat(json) + "problem 1 x Bytes after the end of the JSON.\n");
}

void TestJsonSnapshot::otherJsonSaysWhatItIs()
{
    const std::string long_ = R"({"weights": [)" + std::string(200'000, ' ') + "1]}";
    const auto trace = readTrace(test::bytesOf(long_));
    QVERIFY(!trace.ok());
    QCOMPARE(trace.error().code, ErrorCode::NotRecognized);
    QVERIFY(trace.error().detail.find("no memory snapshot") != std::string::npos);
}

void TestJsonSnapshot::readingIsCancelledWhenProgressSaysSo()
{
    const std::string json =
        test::json(test::sampleSnapshot().with("notes", std::string(3'000'000, 'x')));
    int calls = 0;
    const auto trace = readTrace(test::bytesOf(json), [&](double) { return ++calls < 3; });
    QVERIFY(!trace.ok());
    QCOMPARE(trace.error().code, ErrorCode::Cancelled);
    QCOMPARE(calls, 3);
}

VRAMSCOPE_TEST(TestJsonSnapshot)
#include "tst_json_snapshot.moc"
