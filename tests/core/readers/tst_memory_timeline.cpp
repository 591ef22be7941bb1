// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/readers/formats.h"
#include "tests/support/series_input.h"
#include "tests/support/test.h"

#include <QJsonArray>
#include <QJsonDocument>

#include <array>
#include <map>
#include <random>

using namespace vramscope;

namespace {

constexpr const char *kCategories[] = {"parameter",       "optimizer_state", "input",
                                       "temporary",       "activation",      "gradient",
                                       "autograd_detail", "unknown"};

Result<std::shared_ptr<const Series>> tryRead(const QByteArray &text, std::size_t window = 64)
{
    return test::readSeries(readMemoryTimeline, text, window);
}

/// The bytes of each category after all events up to each time, straight from the list.
std::map<qint64, std::array<qint64, 8>> replayed(const QJsonArray &events)
{
    qint64 begin = std::numeric_limits<qint64>::max();
    for (const QJsonValue &event : events) {
        if (event.toArray()[0].toInteger() >= 0)
            begin = std::min(begin, event.toArray()[0].toInteger());
    }
    std::map<qint64, std::array<qint64, 8>> changes;
    for (const QJsonValue &value : events) {
        const QJsonArray event = value.toArray();
        const qint64 time = event[0].toInteger() < 0 ? begin : event[0].toInteger();
        changes[time][std::size_t(event[3].toInt())] += event[2].toInteger();
    }
    std::array<qint64, 8> sums{};
    for (auto &[time, sizes] : changes) {
        for (std::size_t at = 0; at < 8; ++at)
            sums[at] += sizes[at];
        sizes = sums;
    }
    return changes;
}

} // namespace

class TestMemoryTimeline : public test::Test
{
    Q_OBJECT

private slots:
    void aRecordedListReplaysToWhatItsEventsAddUpTo();
    void aRandomListReplaysToWhatItsEventsAddUpTo();
    void aTableHasACurveForEachCategory();
    void bytesThatChangeTheirCategoryDoNotChangeTheTotal();
    void whatIsOddIsCountedAndTheRestRead();
    void anUnfinishedFileGivesItsCompleteSamples_data();
    void anUnfinishedFileGivesItsCompleteSamples();
    void orderingIsCancelledWhenProgressSaysSo();
    void otherListsAreRefused_data();
    void otherListsAreRefused();

private:
    static void compare(const QByteArray &text);
};

void TestMemoryTimeline::compare(const QByteArray &text)
{
    const auto expected = replayed(QJsonDocument::fromJson(text).array());
    const auto series = tryRead(text).value();
    QVERIFY(series->problems().empty());
    QCOMPARE(series->devices().size(), std::size_t(1));
    const SeriesDevice &device = series->devices()[0];
    QCOMPARE(device.time.size(), expected.size());
    std::size_t at = 0;
    for (const auto &[time, sizes] : expected) {
        QCOMPARE(device.time[at], time);
        Bytes total = 0;
        for (std::size_t category = 0; category < 8; ++category) {
            QCOMPARE(test::curveOf(device, kCategories[category])->values[at], sizes[category]);
            total += sizes[category];
        }
        QCOMPARE(device.curve(CurveRole::Allocated)->values[at], total);
        ++at;
    }
}

void TestMemoryTimeline::aRecordedListReplaysToWhatItsEventsAddUpTo()
{
    if (test::corpusFolder().isEmpty())
        QSKIP("The recorded timeline is not there (VRAMSCOPE_CORPUS).");
    const QByteArray text =
        test::contentOf(test::corpusFolder() + QStringLiteral("/memory_timeline.raw.json.gz"));
    QVERIFY(text.size() > 600000);
    compare(text);
    QCOMPARE(tryRead(text).value()->clock(), Clock::Epoch);
}

void TestMemoryTimeline::aRandomListReplaysToWhatItsEventsAddUpTo()
{
    std::mt19937 random(1);
    for (int round = 0; round < 200; ++round) {
        QJsonArray events;
        qint64 time = 1000;
        for (auto i = random() % 20; i > 0; --i)
            events.append(QJsonArray{-1, 1, qint64(random() % 4096), int(random() % 8)});
        for (auto i = 1 + random() % 40; i > 0; --i) {
            time += qint64(random() % 3);
            events.append(QJsonArray{time, 2 + int(random() % 3), qint64(random()) - 2147483648,
                                     int(random() % 8)});
        }
        compare(QJsonDocument(events).toJson());
    }
}

void TestMemoryTimeline::aTableHasACurveForEachCategory()
{
    const auto series = tryRead("[[10, 20, 35],\n [[0, 1, 2, 3, 4, 5, 6, 7, 8], "
                                "[0, 8, 7, 6, 5, 4, 3, 2, 1], [0, 0, 0, 0, 0, 0, 0, 0, 5]]]")
                            .value();
    QVERIFY(series->problems().empty());
    const SeriesDevice &device = series->devices()[0];
    QCOMPARE(device.time, (std::vector<std::int64_t>{10000, 20000, 35000}));
    QCOMPARE(test::curveOf(device, "parameter")->values, (std::vector<Bytes>{1, 8, 0}));
    QCOMPARE(test::curveOf(device, "activation")->values, (std::vector<Bytes>{5, 4, 0}));
    QCOMPARE(test::curveOf(device, "unknown")->values, (std::vector<Bytes>{8, 1, 5}));
    QCOMPARE(test::curveOf(device, "total")->values, (std::vector<Bytes>{36, 36, 5}));
    QCOMPARE(series->clock(), Clock::Relative);
}

void TestMemoryTimeline::bytesThatChangeTheirCategoryDoNotChangeTheTotal()
{
    const auto series =
        tryRead("[[-1, 1, 100, 7], [50, 3, -100, 7], [50, 3, 100, 0], [60, 4, -100, 0]]").value();
    const SeriesDevice &device = series->devices()[0];
    QCOMPARE(device.time, (std::vector<std::int64_t>{50, 60}));
    QCOMPARE(test::curveOf(device, "total")->values, (std::vector<Bytes>{100, 0}));
    QCOMPARE(test::curveOf(device, "parameter")->values, (std::vector<Bytes>{100, 0}));
    QCOMPARE(test::curveOf(device, "unknown")->values, (std::vector<Bytes>{0, 0}));
}

void TestMemoryTimeline::whatIsOddIsCountedAndTheRestRead()
{
    const auto list = tryRead("[[5, 2, 10, 4], [6, 2, 10], [7, 2, 10, 12], [8, 2, 10, 4]]").value();
    QCOMPARE(test::problemCount(*list, "other than four numbers"), std::int64_t(1));
    QCOMPARE(test::problemCount(*list, "unknown category"), std::int64_t(1));
    QCOMPARE(test::curveOf(list->devices()[0], "total")->values.back(), Bytes(30));
    const auto table =
        tryRead("[[10, 20, 30], [[0, 1, 0, 0, 0, 0, 0, 0, 0], [0, 2, 0, 0]]]").value();
    QCOMPARE(test::problemCount(*table, "other than nine numbers"), std::int64_t(1));
    QCOMPARE(test::problemCount(*table, "as many times"), std::int64_t(1));
    QCOMPARE(test::curveOf(table->devices()[0], "total")->values, (std::vector<Bytes>{1, 1}));
}

void TestMemoryTimeline::anUnfinishedFileGivesItsCompleteSamples_data()
{
    QTest::addColumn<QByteArray>("whole");
    QTest::addColumn<int>("samples");
    QTest::newRow("list") << QByteArray("[[5, 2, 10, 4], [6, 2, 10, 4], [7, 2, 10, 4]]") << 3;
    QTest::newRow("table") << QByteArray("[[5, 6], [[0, 1, 0, 0, 0, 0, 0, 0, 0], "
                                         "[0, 2, 0, 0, 0, 0, 0, 0, 0]]]")
                           << 2;
}

void TestMemoryTimeline::anUnfinishedFileGivesItsCompleteSamples()
{
    QFETCH(QByteArray, whole);
    QFETCH(int, samples);
    std::size_t before = 0;
    for (qsizetype size = 0; size < whole.size(); ++size) {
        const auto series = tryRead(whole.left(size));
        if (!series.ok()) {
            QVERIFY(before == 0);
            continue;
        }
        QCOMPARE(test::problemCount(**series, "ends in the middle"), std::int64_t(1));
        const std::size_t count = (*series)->devices()[0].time.size();
        QVERIFY(count >= before);
        before = count;
    }
    QCOMPARE(before, std::size_t(samples));
}

void TestMemoryTimeline::orderingIsCancelledWhenProgressSaysSo()
{
    QByteArray events = "[";
    QByteArray times = "[[";
    QByteArray rows = "[";
    for (int at = 0; at < 40'000; ++at) {
        events += "[" + QByteArray::number(at) + ",1,8,3],";
        times += QByteArray::number(at) + ",";
        rows += "[0,1,2,3,4,5,6,7,8],";
    }
    events.back() = ']';
    times.back() = ']';
    rows.back() = ']';
    // Two runs to sort and their merger; then rows and columns.
    QVERIFY(test::stopsAfterReading(readMemoryTimeline, events) >= 3 + 2 * 2);
    QVERIFY(test::stopsAfterReading(readMemoryTimeline, times + "," + rows + "]") >= 3 + 2 * 2);
}

void TestMemoryTimeline::otherListsAreRefused_data()
{
    QTest::addColumn<QByteArray>("text");
    for (const char *text :
         {"[]", "[[]]", "[[], []]", "{}", "[1, 2]", "[{}]", "[[1, {}]]", "[\"a\"]",
          "[[1, 2], [3, [4]]]", "[[1], [[2]], [[3]]]", "[[[[1]]]]", "[[1,2,3,4,5],[6,7,8,9,10]]"})
        QTest::newRow(QByteArray(text).toPercentEncoding(" ,[]{}#").constData())
            << QByteArray(text);
}

void TestMemoryTimeline::otherListsAreRefused()
{
    QFETCH(QByteArray, text);
    const auto series = tryRead(text);
    QVERIFY(!series.ok());
    QVERIFY(!series.error().detail.empty());
}

VRAMSCOPE_TEST(TestMemoryTimeline)
#include "tst_memory_timeline.moc"
