// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/readers/formats.h"
#include "tests/support/series_input.h"
#include "tests/support/test.h"

#include <QDir>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>

#include <algorithm>
#include <map>
#include <random>
#include <set>

using namespace vramscope;

namespace {

/// A memory event as a plain reading of the whole file finds it.
struct MemoryEvent
{
    qint64 time = 0; // nanoseconds, without the base
    qint64 index = 0;
    qint64 bytes = 0;
    qint64 address = 0;
    qint64 allocated = 0;
    qint64 reserved = 0;
    qint64 process = 0;
    qint64 thread = 0;
};

qint64 nanoseconds(const QJsonValue &microseconds)
{
    const double value = microseconds.toDouble();
    const auto whole = static_cast<qint64>(value); // the fraction alone keeps its digits
    return whole * 1000 + qRound64((value - static_cast<double>(whole)) * 1000);
}

/// A trace read as a whole into QJson, to hold the reader to.
struct Reference
{
    QJsonObject top;
    std::map<std::pair<int, int>, std::vector<MemoryEvent>> memory; // by device type and id
    std::vector<QJsonObject> operators;
    std::map<QString, qint64> categories;

    explicit Reference(const QByteArray &text)
        : top(QJsonDocument::fromJson(text).object())
    {
        const QJsonArray events = top.value(QStringLiteral("traceEvents")).toArray();
        for (const QJsonValue &value : events) {
            const QJsonObject event = value.toObject();
            const QJsonObject args = event.value(QStringLiteral("args")).toObject();
            const QString category = event.value(QStringLiteral("cat")).toString();
            ++categories[category];
            if (category == QStringLiteral("cpu_op"))
                operators.push_back(event);
            if (event.value(QStringLiteral("name")) != QStringLiteral("[memory]"))
                continue;
            const auto number = [&](const char *key) {
                return args.value(QLatin1String(key)).toInteger();
            };
            memory[{int(number("Device Type")), int(number("Device Id"))}].push_back(
                {nanoseconds(event.value(QStringLiteral("ts"))), number("Ev Idx"), number("Bytes"),
                 number("Addr"), number("Total Allocated"), number("Total Reserved"),
                 event.value(QStringLiteral("pid")).toInteger(),
                 event.value(QStringLiteral("tid")).toInteger()});
        }
        for (auto &[device, events_] : memory)
            std::ranges::stable_sort(events_, {}, [](const MemoryEvent &event) {
                return std::pair(event.time, event.index);
            });
    }

    [[nodiscard]] qint64 base() const
    {
        return top.value(QStringLiteral("baseTimeNanoseconds")).toInteger();
    }

    /// The operators that are innermost at an event; several where they are the same range.
    [[nodiscard]] std::set<std::string> innermost(const MemoryEvent &event) const
    {
        std::set<std::string> names;
        auto best =
            std::pair(std::numeric_limits<qint64>::min(), std::numeric_limits<qint64>::min());
        for (const QJsonObject &one : operators) {
            const qint64 start = nanoseconds(one.value(QStringLiteral("ts")));
            const qint64 end = start + nanoseconds(one.value(QStringLiteral("dur")));
            if (one.value(QStringLiteral("tid")).toInteger() != event.thread ||
                one.value(QStringLiteral("pid")).toInteger() != event.process ||
                start > event.time || end <= event.time)
                continue;
            const auto rank = std::pair(start, -end);
            if (rank > best)
                names.clear();
            if (rank >= best)
                names.insert(one.value(QStringLiteral("name")).toString().toStdString());
            best = std::max(best, rank);
        }
        return names;
    }
};

int deviceType(const SeriesDevice &device)
{
    switch (device.kind) {
    case DeviceKind::Cpu:
        return 0;
    case DeviceKind::Cuda:
        return 1;
    case DeviceKind::Hip:
        return 6;
    case DeviceKind::Xpu:
        return 12;
    case DeviceKind::Other:
        break;
    }
    return -1;
}

QByteArray memoryEvent(const char *time, const QByteArray &args)
{
    return QByteArray(R"({"ph":"i","cat":"cpu_instant_event","s":"t","name":"[memory]",)") +
           R"("pid":7,"tid":8,"ts":)" + time + ",\"args\":{" + args + "}}";
}

QByteArray operatorEvent(const char *name, const char *time, const char *duration)
{
    return QByteArray(R"({"ph":"X","cat":"cpu_op","name":")") + name +
           R"(","pid":7,"tid":8,"ts":)" + time + ",\"dur\":" + duration + "}";
}

QByteArray cudaMemory(const char *time, const char *bytes, const char *allocated, int index)
{
    return memoryEvent(time,
                       QByteArray(R"("Device Type":1,"Device Id":0,"Addr":4096,"Bytes":)") + bytes +
                           ",\"Total Allocated\":" + allocated +
                           ",\"Total Reserved\":1000000,\"Ev Idx\":" + QByteArray::number(index));
}

QByteArray sampleTrace()
{
    return R"({"schemaVersion": 1, "deviceProperties": [{"id": 0, "name": "Example GPU",
        "totalGlobalMem": 85899345920}], "distributedInfo": {"rank": 3, "world_size": 8},
        "traceEvents": [)" +
           operatorEvent("outer", "100.000", "50") + "," +
           operatorEvent("inner", "110.5", "10.25") + "," + cudaMemory("130.001", "-512", "0", 9) +
           "," + cudaMemory("115.25", "512", "512", 5) + "," +
           cudaMemory("115.25", "1024", "1536", 6) + "," + cudaMemory("200", "-1024", "512", 7) +
           R"(,
        {"ph":"X","cat":"kernel","name":"gemm","pid":0,"tid":7,"ts":120,"dur":3.5,
         "args":{"device":0,"stream":7,"correlation":42,"grid":[1,2,3]}},
        {"ph":"X","cat":"user_annotation","name":"ProfilerStep#1","pid":7,"tid":8,"ts":90,"dur":99},
        {"ph":"i","s":"t","name":"[OutOfMemory]","pid":7,"tid":8,"ts":116,"args":{"Bytes":2048,
         "Device Type":1,"Device Id":0,"Total Allocated":1536,"Total Reserved":1000000}},
        {"ph":"M","name":"process_name","pid":7,"tid":0,"ts":0,"args":{"name":"python"}}
        ], "traceName": "a.json", "baseTimeNanoseconds": 1700000000000000000})";
}

Result<std::shared_ptr<const Profile>> tryReadProfile(const QByteArray &text,
                                                      std::size_t window = ByteWindow::kDefaultSize)
{
    return test::readSeries(
        [](ByteWindow &input, const Progress &progress) {
            return readChromeTrace(input, progress);
        },
        text, window);
}

std::shared_ptr<const Series> read(const QByteArray &text,
                                   std::size_t window = ByteWindow::kDefaultSize)
{
    return tryReadProfile(text, window).value()->curves();
}

} // namespace

class TestChromeTrace : public test::Test
{
    Q_OBJECT

private slots:
    void aRecordedTraceGivesWhatItsWholeTextSays_data();
    void aRecordedTraceGivesWhatItsWholeTextSays();
    void aSampleKeepsTimeOperatorAndDevice();
    void aFailedAllocationIsKept();
    void kernelsAndStepsAreKeptWithTheirLanes();
    void theSizeOfTheWindowChangesNothing();
    void aBareListOfEventsIsATrace();
    void oldTracesWithoutTotalsAreSummed();
    void timesWithoutABaseAreOfTheEpochOnlyWhereTheyAreLarge();
    void everyPrefixGivesAnErrorOrWhatWasComplete();
    void flawedNamesDoNotLoseEvents();
    void anOperatorIsTheInnermostThatContainsTheInstant();
    void textInPlaceOfANumberIsNone();
    void numbersOfAllBitsAreNotNegative();
    void factsAreLimited();
    void labelsOfOddDevicesDiffer();
    void otherJsonIsNotATrace();
    void readingIsCancelledWhenProgressSaysSo();
    void orderingIsCancelledWhenProgressSaysSo();
};

void TestChromeTrace::aRecordedTraceGivesWhatItsWholeTextSays_data()
{
    if (test::corpusFolder().isEmpty())
        QSKIP("The recorded traces are not there (VRAMSCOPE_CORPUS).");
    QTest::addColumn<QString>("file");
    const QDir folder(test::corpusFolder());
    const QStringList files = folder.entryList({QStringLiteral("chrome_*.json.gz")}, QDir::Files);
    QVERIFY(!files.isEmpty());
    for (const QString &file : files)
        QTest::newRow(qPrintable(file)) << folder.filePath(file);
}

void TestChromeTrace::aRecordedTraceGivesWhatItsWholeTextSays()
{
    QFETCH(QString, file);
    const QByteArray text = test::contentOf(file);
    const Reference reference(text);
    QVERIFY(!reference.top.isEmpty());
    const auto series = read(text);
    QVERIFY2(series->problems().empty(),
             series->problems().empty() ? "" : series->problems()[0].kind.c_str());
    QCOMPARE(series->devices().size(), reference.memory.size());
    std::mt19937 random(1);
    for (const SeriesDevice &device : series->devices()) {
        const auto &events = reference.memory.at({deviceType(device), device.ordinal});
        QCOMPARE(device.time.size(), events.size());
        const ByteCurve &allocated = *device.curve(CurveRole::Allocated);
        const ByteCurve &reserved = *device.curve(CurveRole::Reserved);
        for (std::size_t at = 0; at < events.size(); ++at) {
            QCOMPARE(device.time[at], events[at].time + reference.base());
            QCOMPARE(device.change[at], events[at].bytes);
            QCOMPARE(device.address[at], static_cast<std::uint64_t>(events[at].address));
            QCOMPARE(allocated.values[at], events[at].allocated);
            QCOMPARE(reserved.values[at], events[at].reserved);
        }
        for (int sample = 0; sample < 40; ++sample) {
            const std::size_t at = random() % events.size();
            const std::string operation(series->text(device.operation[at]));
            const auto names = reference.innermost(events[at]);
            QVERIFY2(names.empty() ? operation.empty() : names.contains(operation),
                     operation.c_str());
        }
    }
    const auto count = [&](SpanKind kind) {
        return series->spanCounts()[static_cast<std::size_t>(kind)];
    };
    const auto expected = [&](const char *category) {
        const auto found = reference.categories.find(QLatin1String(category));
        return found == reference.categories.end() ? 0 : found->second;
    };
    QCOMPARE(count(SpanKind::Kernel), expected("kernel"));
    QCOMPARE(count(SpanKind::Copy), expected("gpu_memcpy"));
    QCOMPARE(count(SpanKind::Fill), expected("gpu_memset"));
    QCOMPARE(count(SpanKind::Annotation), expected("user_annotation"));
    QCOMPARE(count(SpanKind::DeviceAnnotation), expected("gpu_user_annotation"));
    const QJsonObject info = reference.top.value(QStringLiteral("distributedInfo")).toObject();
    QCOMPARE(series->rank(), info.value(QStringLiteral("rank")).toInt(-1));
    QCOMPARE(series->worldSize(), info.value(QStringLiteral("world_size")).toInt(-1));
}

void TestChromeTrace::aSampleKeepsTimeOperatorAndDevice()
{
    const auto series = read(sampleTrace());
    QCOMPARE(series->clock(), Clock::Epoch);
    QCOMPARE(series->rank(), 3);
    QCOMPARE(series->worldSize(), 8);
    QCOMPARE(series->devices().size(), std::size_t(1));
    const SeriesDevice &device = series->devices()[0];
    QCOMPARE(device.label, std::string("cuda:0"));
    QCOMPARE(device.name, std::string("Example GPU"));
    QCOMPARE(device.total, Bytes(80) * kGiB);
    constexpr std::int64_t kBase = 1700000000000000000;
    QCOMPARE(device.time, (std::vector<std::int64_t>{kBase + 115250, kBase + 115250, kBase + 130001,
                                                     kBase + 200000}));
    QCOMPARE(device.change, (std::vector<Bytes>{512, 1024, -512, -1024}));
    QCOMPARE(device.curve(CurveRole::Allocated)->values, (std::vector<Bytes>{512, 1536, 0, 512}));
    std::string operations;
    for (const StringId operation : device.operation)
        operations += std::string(series->text(operation)) + ";";
    QCOMPARE(operations, std::string("inner;inner;outer;;"));
}

void TestChromeTrace::aFailedAllocationIsKept()
{
    const auto series = read(sampleTrace());
    const std::vector<FailedAllocation> &failed = series->devices()[0].failed;
    QCOMPARE(failed.size(), std::size_t(1));
    QCOMPARE(failed[0].requested, Bytes(2048));
    QCOMPARE(failed[0].allocated, Bytes(1536));
    QCOMPARE(failed[0].time, std::int64_t(1700000000000116000));
    QCOMPARE(std::string(series->text(failed[0].operation)), std::string("inner"));
}

void TestChromeTrace::kernelsAndStepsAreKeptWithTheirLanes()
{
    const auto profile = tryReadProfile(sampleTrace()).value();
    QCOMPARE(profile->eventCount(), std::int64_t(10));
    QCOMPARE(profile->steps().size(), std::size_t(1));
    QCOMPARE(std::string(profile->text(profile->steps()[0].name)), std::string("ProfilerStep#1"));
    const WorkColumns &work = profile->work();
    QCOMPARE(work.count(), std::size_t(1));
    QCOMPARE(std::string(profile->text(work.name[0])), std::string("gemm"));
    QCOMPARE(work.start[0], std::int64_t(120'000));
    QCOMPARE(work.end[0], std::int64_t(123'500));
    QCOMPARE(profile->lanes()[work.lane[0]], (ProfileLane{0, 7}));
    QCOMPARE(profile->launchShapes()[work.shape[0]].grid, (std::array<std::int64_t, 3>{1, 2, 3}));
    QCOMPARE(profile->base(), std::int64_t(1700000000000000000));
}

void TestChromeTrace::theSizeOfTheWindowChangesNothing()
{
    const std::string whole = test::seriesDump(*read(sampleTrace()));
    for (const std::size_t window : std::initializer_list<std::size_t>{16, 100, 2049, 5000})
        QCOMPARE(test::seriesDump(*read(sampleTrace(), window)), whole);
}

void TestChromeTrace::aBareListOfEventsIsATrace()
{
    const auto series =
        read("[" + operatorEvent("op", "10", "10") + "," + cudaMemory("15", "512", "512", 1) + "]");
    QCOMPARE(series->devices().size(), std::size_t(1));
    QCOMPARE(std::string(series->text(series->devices()[0].operation[0])), std::string("op"));
    QCOMPARE(series->clock(), Clock::Relative);
    QVERIFY(series->problems().empty());
}

void TestChromeTrace::oldTracesWithoutTotalsAreSummed()
{
    const auto event = [](const char *time, const char *bytes) {
        return QByteArray(R"({"name":"[memory]","ph":"i","s":"t","pid":1,"tid":"main","ts":)") +
               time + R"(,"args":{"Device Type":1,"Device Id":2,"Bytes":)" + bytes + "}}";
    };
    const auto series =
        read(R"({"traceEvents":[{"ph":"X","cat":"Operator","name":"aten::add","pid":1,)"
             R"("tid":"main","ts":5,"dur":10},)" +
             event("7", "512") + "," + event("9", "2048") + "," + event("20", "-512") + "]}");
    const SeriesDevice &device = series->devices()[0];
    QCOMPARE(device.label, std::string("cuda:2"));
    QCOMPARE(device.curve(CurveRole::Allocated)->values, (std::vector<Bytes>{512, 2560, 2048}));
    QVERIFY(device.curve(CurveRole::Reserved) == nullptr);
    QCOMPARE(std::string(series->text(device.operation[1])), std::string("aten::add"));
    QCOMPARE(test::problemCount(*series, "no totals"), std::int64_t(1));
}

void TestChromeTrace::timesWithoutABaseAreOfTheEpochOnlyWhereTheyAreLarge()
{
    QCOMPARE(read("[" + cudaMemory("1669783687464300", "512", "512", 1) + "]")->clock(),
             Clock::Epoch);
    QCOMPARE(read("[" + cudaMemory("4458676522690.655", "512", "512", 1) + "]")->clock(),
             Clock::Relative);
    QCOMPARE(read("[" + cudaMemory("4458676522690.655", "512", "512", 1) + "]")->devices()[0].time,
             std::vector<std::int64_t>{4458676522690655});
}

void TestChromeTrace::everyPrefixGivesAnErrorOrWhatWasComplete()
{
    const QByteArray whole = sampleTrace();
    std::size_t before = 0;
    for (qsizetype size = 1; size < whole.size(); ++size) {
        const auto profile = tryReadProfile(whole.left(size), 64);
        if (!profile.ok()) {
            QVERIFY(before == 0);
            QVERIFY(profile.error().code == ErrorCode::Truncated);
            continue;
        }
        const Series &series = *(*profile)->curves();
        QCOMPARE(test::problemCount(series, "ends in the middle"), std::int64_t(1));
        std::size_t samples = (*profile)->work().count() + (*profile)->steps().size();
        for (const SeriesDevice &device : series.devices())
            samples += device.time.size() + device.failed.size();
        QVERIFY(samples >= before);
        before = samples;
    }
    QCOMPARE(before, std::size_t(7));
}

void TestChromeTrace::flawedNamesDoNotLoseEvents()
{
    const auto series =
        read("[" + operatorEvent("f(\"a\", C:\\Users\\x)", "10", "10") + "," +
             cudaMemory("15", "512", "512", 1) + "," + cudaMemory("NaN", "512", "512", 2) + "," +
             cudaMemory("16", "-512", "0", 3) + ",]");
    const SeriesDevice &device = series->devices()[0];
    QCOMPARE(device.time.size(), std::size_t(2));
    QCOMPARE(std::string(series->text(device.operation[0])), std::string("f(\"a\", C:\\Users\\x)"));
    QCOMPARE(test::problemCount(*series, "quotation mark"), std::int64_t(2));
    QCOMPARE(test::problemCount(*series, "backslash"), std::int64_t(2));
    QCOMPARE(test::problemCount(*series, "lacks its time"), std::int64_t(1));
}

void TestChromeTrace::anOperatorIsTheInnermostThatContainsTheInstant()
{
    std::mt19937 random(5);
    for (int round = 0; round < 200; ++round) {
        QByteArray text = R"({"traceEvents":[)";
        std::vector<std::pair<int, int>> ranges;
        const auto crosses = [&](int start, int end) {
            return std::ranges::any_of(ranges, [&](const auto &one) {
                return (start < one.first && end > one.first && end < one.second) ||
                       (start > one.first && start < one.second && end > one.second);
            });
        };
        while (ranges.size() < 30) {
            const int start = static_cast<int>(random() % 100);
            const int end = start + 1 + static_cast<int>(random() % 30);
            if (crosses(start, end))
                continue;
            text += operatorEvent(("op" + QByteArray::number(ranges.size())).constData(),
                                  QByteArray::number(start).constData(),
                                  QByteArray::number(end - start).constData()) +
                    ",";
            ranges.emplace_back(start, end);
        }
        for (int i = 0; i < 20; ++i)
            text += (i > 0 ? "," : "") +
                    cudaMemory(QByteArray::number(random() % 120).constData(), "1", "1", i);
        text += "]}";
        const Reference reference(text);
        const auto series = read(text);
        const SeriesDevice &device = series->devices()[0];
        const auto &events = reference.memory.at({1, 0});
        for (std::size_t at = 0; at < events.size(); ++at) {
            const std::string operation(series->text(device.operation[at]));
            const auto names = reference.innermost(events[at]);
            QVERIFY2(names.empty() ? operation.empty() : names.contains(operation), text);
        }
    }
}

void TestChromeTrace::textInPlaceOfANumberIsNone()
{
    const auto series = read("[" + cudaMemory("1", "512", "\"n/a\"", 1) + "," +
                             cudaMemory("2", "512", "\"1024\"", 2) + "," +
                             cudaMemory("3", "\"many\"", "0", 3) + "]");
    QCOMPARE(series->devices()[0].curve(CurveRole::Allocated)->values,
             (std::vector<Bytes>{kNoBytes, 1024}));
    QCOMPARE(test::problemCount(*series, "lacks its time, bytes"), std::int64_t(1));
}

void TestChromeTrace::numbersOfAllBitsAreNotNegative()
{
    QByteArray event = cudaMemory("1", "512", "18446744073709551615", 1);
    event.replace("4096", "18446744073709547520");
    const auto series = read(R"({"id": 18446744073709551615, "traceEvents": [)" + event + "," +
                             cudaMemory("2", "1", "513", 2) + "]}");
    const SeriesDevice &device = series->devices()[0];
    QCOMPARE(device.address[0], std::uint64_t(18446744073709547520U));
    QCOMPARE(device.curve(CurveRole::Allocated)->values, (std::vector<Bytes>{kNoBytes, 513}));
    QCOMPARE(series->facts()[0].value, std::string("18446744073709551615"));
}

void TestChromeTrace::factsAreLimited()
{
    QByteArray text = "{";
    for (int at = 0; at < 1500; ++at)
        text += "\"key " + QByteArray::number(at) + "\": 1, ";
    const auto series = read(text + "\"baseTimeNanoseconds\": 1000, \"traceEvents\": [" +
                             cudaMemory("1", "512", "512", 1) + "]}");
    QCOMPARE(series->facts().size(), std::size_t(1000));
    QCOMPARE(series->facts()[999].name, std::string("key 999"));
    QCOMPARE(test::problemCount(*series, "more than 1,000 keys"), std::int64_t(501));
    QCOMPARE(series->devices()[0].time[0], std::int64_t(2000)); // the base is not lost
}

void TestChromeTrace::labelsOfOddDevicesDiffer()
{
    QByteArray text = "[";
    for (const char *id : {"-1", "-5", "0", "32768", "40000"})
        text += (text.size() > 1 ? "," : "") +
                memoryEvent("1", QByteArray(R"("Device Type":1,"Bytes":8,"Device Id":)") + id);
    std::set<std::string> labels;
    const auto series = read(text + "]");
    for (const SeriesDevice &device : series->devices())
        labels.insert(device.label);
    QCOMPARE(labels,
             (std::set<std::string>{"cuda", "cuda:-5", "cuda:0", "cuda:32768", "cuda:40000"}));
}

void TestChromeTrace::otherJsonIsNotATrace()
{
    for (const char *text : {"{}", R"({"a": [1, 2]})", "12 ", "\"text\"", "null "}) {
        const auto profile = tryReadProfile(text);
        QVERIFY(!profile.ok());
        QCOMPARE(profile.error().code, ErrorCode::NotRecognized);
    }
}

void TestChromeTrace::readingIsCancelledWhenProgressSaysSo()
{
    const QByteArray text = sampleTrace();
    for (int last = 0; last < 3; ++last) {
        const auto source = memorySource(
            std::as_bytes(std::span(text.data(), static_cast<std::size_t>(text.size()))));
        ByteWindow input(*source);
        int calls = 0;
        const auto series = readChromeTrace(
            input, [&](double done) { return done >= 0 && done <= 1 && calls++ < last; });
        QVERIFY(!series.ok());
        QCOMPARE(series.error().code, ErrorCode::Cancelled);
    }
}

void TestChromeTrace::orderingIsCancelledWhenProgressSaysSo()
{
    QByteArray text = R"({"traceEvents":[)";
    for (int at = 0; at < 40'000; ++at)
        text += R"({"ph":"i","cat":"cpu_instant_event","name":"[memory]","pid":1,"tid":1,"ts":)" +
                QByteArray::number(at) +
                R"(,"args":{"Device Type":1,"Device Id":0,"Addr":512,"Bytes":8}},)";
    text.back() = ']';
    text += '}';
    // Two runs to sort and their merger by thread and by device; then operators and columns.
    const auto reader = [](ByteWindow &input, const Progress &progress) {
        return readChromeTrace(input, progress);
    };
    QVERIFY(test::stopsAfterReading(reader, text) >= 2 * 3 + 2 * 2);
}

VRAMSCOPE_TEST(TestChromeTrace)
#include "tst_chrome_trace.moc"
