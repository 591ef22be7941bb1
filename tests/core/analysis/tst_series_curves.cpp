// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/analysis/curves/device_overlay.h"
#include "core/analysis/curves/sample_curve.h"
#include "core/readers/formats.h"
#include "core/trace/series_builder.h"
#include "tests/support/series_input.h"
#include "tests/support/test.h"

#include <random>

namespace vramscope {

namespace {

constexpr std::int64_t kNoon = 1'700'000'000; // seconds since 1970; 2023-11-14 22:13:20 UTC
constexpr std::int64_t kMicro = 1'000'000;

// A log of one line a second, `seconds` of them from kNoon in UTC, as a machine `minutes` east of
// UTC writes it in local time; MiB in use as `used` gives them.
template<class Used>
std::shared_ptr<const Series> localLog(int seconds, int minutes, Used used)
{
    QByteArray text = "timestamp, index, memory.used [MiB], memory.total [MiB]\n";
    for (int second = 0; second < seconds; ++second) {
        const auto when = QDateTime::fromSecsSinceEpoch(kNoon + second + minutes * 60, Qt::UTC);
        text += when.toString(QStringLiteral("yyyy/MM/dd HH:mm:ss.000")).toLatin1() + ", 0, " +
                QByteArray::number(used(second)) + " MiB, 24576 MiB\n";
    }
    return test::readSeries(readSmiLog, text).value();
}

std::vector<std::int64_t> traceTimes(double from, double to)
{
    std::vector<std::int64_t> times;
    for (int step = 0; step <= 100; ++step)
        times.push_back(kNoon * kMicro +
                        static_cast<std::int64_t>((from + (to - from) * step / 100) * kMicro));
    return times;
}

std::shared_ptr<const Series> seriesAt(std::vector<std::int64_t> times, Clock clock,
                                       CurveRole role = CurveRole::DeviceUsed)
{
    SeriesBuilder builder("nvidia-smi");
    SeriesDevice device;
    device.ordinal = 0;
    device.label = "GPU 0";
    device.bytes.push_back({"memory.used", role, std::vector<Bytes>(times.size(), 100)});
    device.time = std::move(times);
    builder.addDevice(std::move(device));
    builder.setClock(clock);
    return builder.finish();
}

} // namespace

class SeriesCurvesTest : public test::Test
{
    Q_OBJECT

private Q_SLOTS:
    void everyStretchHasItsHighestAndLowestSample()
    {
        std::mt19937 random(7);
        std::vector<Bytes> values(3000);
        for (Bytes &value : values)
            value = random() % 5 == 0 ? kNoBytes : static_cast<Bytes>(random() % 1000);
        const SampleCurve curve(values);
        for (int round = 0; round < 2000; ++round) {
            const std::size_t first = random() % values.size();
            const std::size_t last =
                first + random() % std::min<std::size_t>(values.size() - first, 40);
            std::optional<Bytes> most;
            std::optional<Bytes> least;
            for (std::size_t at = first; at <= last; ++at) {
                if (values[at] == kNoBytes)
                    continue;
                most = std::max(most.value_or(values[at]), values[at]);
                least = std::min(least.value_or(values[at]), values[at]);
            }
            const auto highest = curve.highest(first, last);
            const auto lowest = curve.lowest(first, last);
            QCOMPARE(highest.has_value(), most.has_value());
            QCOMPARE(lowest.has_value(), most.has_value());
            if (most) {
                QCOMPARE(curve.at(*highest), *most);
                QCOMPARE(curve.at(*lowest), *least);
            }
        }
    }

    void aReadingStandsUntilTheNextButNotThroughAPause()
    {
        std::vector<std::int64_t> times;
        for (const std::int64_t second : {0, 1, 2, 3, 60, 61})
            times.push_back(second * 1'000'000'000);
        const auto log = seriesAt(times, Clock::Epoch);
        const SampleTimes samples(log->devices()[0], 0);
        QCOMPARE(samples.at(2.5 * kMicro), std::optional<std::size_t>(2));
        QCOMPARE(samples.at(3.5 * kMicro), std::optional<std::size_t>(3));
        QCOMPARE(samples.at(4.5 * kMicro), std::nullopt);
        QCOMPARE(samples.within(5 * kMicro, 50 * kMicro), std::nullopt);
        QCOMPARE(samples.within(2.2 * kMicro, 2.4 * kMicro), std::optional(SampleSpan{2, 2}));
        QCOMPARE(samples.within(0, 100 * kMicro), std::optional(SampleSpan{0, 5}));
        QCOMPARE(samples.at(70 * kMicro), std::nullopt);
    }

    void whatAnAllocatorReportsStandsUntilItReportsAgain()
    {
        const auto trace =
            seriesAt({0, 1000, 2000, 90'000'000, 90'000'000}, Clock::Epoch, CurveRole::Allocated);
        const SampleTimes samples(trace->devices()[0], 0);
        QCOMPARE(samples.at(50'000), std::optional<std::size_t>(2));
        QCOMPARE(samples.at(1e12), std::optional<std::size_t>(4));
        // Both of an instant are looked at, wherever a column begins.
        QCOMPARE(samples.within(90'000, 90'001), std::optional(SampleSpan{3, 4}));
        QCOMPARE(samples.at(-1), std::nullopt);
    }

    void aLogInLocalTimeFindsItsZone_data()
    {
        QTest::addColumn<int>("minutes");
        for (const int minutes : {0, 540, -480, 345, -210})
            QTest::addRow("%d", minutes) << minutes;
    }

    void aLogInLocalTimeFindsItsZone()
    {
        QFETCH(int, minutes);
        const auto log = localLog(120, minutes, [](int second) { return 1000 + second; });
        QCOMPARE(log->clock(), Clock::LocalTime);
        const auto times = traceTimes(20, 50);
        const auto overlay = deviceOverlay(*log, 0, times);
        QVERIFY(overlay.ok());
        QCOMPARE(overlay->offset, (ClockOffset{minutes, true, 0}));
        // At 20.5 s of the log, half a second after the first event, 1020 MiB were in use.
        QCOMPARE(overlay->usedAt(kMicro / 2), Bytes(1020) << 20);
        QCOMPARE(outsideAllocator(overlay->usedAt(kMicro / 2), Bytes(900) << 20), Bytes(120) << 20);
        QCOMPARE(overlay->usedAt(-21 * kMicro), kNoBytes);
        QCOMPARE(overlay->usedAt(500 * kMicro), kNoBytes);
        QCOMPARE(overlay->highest(0, 30 * kMicro), Bytes(1050) << 20);
    }

    void anAmbiguousZoneIsSaidSo()
    {
        const auto log = localLog(3 * 3600, 60, [](int) { return 1; });
        const auto offset = alignClock(*log, log->devices()[0], traceTimes(3600, 3700));
        QVERIFY(offset.ok());
        QVERIFY(offset->isAssumed);
        QVERIFY(offset->otherFits > 0);
        QCOMPARE(offset->minutes % 60, 0);
        QVERIFY(offsetText(*offset).find("other offsets fit as well") != std::string::npos);
        QCOMPARE(offsetText({-210, true, 0}), std::string("local times taken as UTC-03:30"));
    }

    void whatCannotBeLaidOverIsSaidInOneSentence_data()
    {
        QTest::addColumn<std::shared_ptr<const Series>>("log");
        QTest::addColumn<std::vector<std::int64_t>>("times");
        QTest::addColumn<QString>("word");
        const std::int64_t noon = kNoon * 1'000'000'000;
        const auto times = traceTimes(0, 10);
        QTest::newRow("another day") << localLog(20, 0, [](int) { return 1; })
                                     << traceTimes(300'000, 300'010) << "another time";
        QTest::newRow("another hour in UTC") << seriesAt({noon, noon + 1'000'000'000}, Clock::Epoch)
                                             << traceTimes(3600, 3700) << "another time";
        QTest::newRow("no day") << seriesAt({0, 1000}, Clock::Relative) << times << "day";
        QTest::newRow("no times in the trace")
            << seriesAt({noon}, Clock::Epoch) << std::vector<std::int64_t>{} << "no timestamps";
        QTest::newRow("a trace since boot")
            << seriesAt({noon}, Clock::Epoch) << std::vector<std::int64_t>{5, 6} << "1970";
        QTest::newRow("no memory")
            << seriesAt({noon}, Clock::Epoch, CurveRole::DeviceTotal) << times << "how much memory";
    }

    void whatCannotBeLaidOverIsSaidInOneSentence()
    {
        QFETCH(std::shared_ptr<const Series>, log);
        QFETCH(std::vector<std::int64_t>, times);
        QFETCH(QString, word);
        const auto overlay = deviceOverlay(*log, 0, times);
        QVERIFY(!overlay.ok());
        const QString text = QString::fromStdString(overlay.error().detail);
        QVERIFY2(text.contains(word) && text.endsWith(u'.'), qPrintable(text));
    }

    void aSampleWithoutAValueLeavesAGap()
    {
        const QByteArray text = "timestamp, index, memory.used [MiB]\n"
                                "2023/11/14 22:13:20.000, 0, 10 MiB\n"
                                "2023/11/14 22:13:21.000, 0, [N/A]\n"
                                "2023/11/14 22:13:22.000, 0, 30 MiB\n";
        const auto log = test::readSeries(readSmiLog, text).value();
        const auto overlay = deviceOverlay(*log, 0, traceTimes(0, 2));
        QVERIFY(overlay.ok());
        QCOMPARE(overlay->usedAt(0), Bytes(10) << 20);
        QCOMPARE(overlay->usedAt(1'500'000), kNoBytes);
        QCOMPARE(outsideAllocator(overlay->usedAt(1'500'000), 1), kNoBytes);
        QCOMPARE(overlay->usedAt(2'000'000), Bytes(30) << 20);
    }
};

} // namespace vramscope

VRAMSCOPE_TEST(vramscope::SeriesCurvesTest)
#include "tst_series_curves.moc"
