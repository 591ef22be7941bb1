// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/analysis/replayed/summary.h"
#include "core/analysis/study/study.h"
#include "core/analysis/what_if/replay.h"
#include "core/analysis/what_if/what_if.h"
#include "core/readers/read_trace.h"
#include "tests/support/test.h"

#include <nlohmann/json.hpp>

#include <array>
#include <cmath>
#include <fstream>

using namespace vramscope;
using namespace Qt::StringLiterals;

// Recordings of an H200 (tests/data/gpu) against what torch.cuda.memory_stats() said at their end.

namespace {

std::string fileOf(const char *name, const char *ending)
{
    return test::projectFile(u"tests/data/gpu/"_s + QLatin1String(name) + QLatin1String(ending))
        .toStdString();
}

/// A figure of memory_stats(); figures of 0 are not in the file.
std::int64_t stated(const char *run, const char *key)
{
    const auto document = nlohmann::json::parse(std::ifstream(fileOf(run, ".json")));
    return document.at("memory_stats").value(key, std::int64_t(0));
}

std::shared_ptr<const Trace> measuredRun(const char *name)
{
    auto read = readTrace(fileOf(name, ".pickle.gz"));
    return read.ok() ? *read : nullptr;
}

} // namespace

class TestMeasuredAllocator : public test::Test
{
    Q_OBJECT

private Q_SLOTS:
    void aReplayEndsWithTheStatisticsOfTheRun_data();
    void aReplayEndsWithTheStatisticsOfTheRun();
    void otherSettingsReserveWhatTheyReservedOnTheDevice_data();
    void otherSettingsReserveWhatTheyReservedOnTheDevice();
};

void TestMeasuredAllocator::aReplayEndsWithTheStatisticsOfTheRun_data()
{
    QTest::addColumn<QString>("run");
    for (const char *run : {"varying", "trainer-lora", "resnet", "moe", "gpt-oom"})
        QTest::newRow(run) << QString::fromLatin1(run);
}

void TestMeasuredAllocator::aReplayEndsWithTheStatisticsOfTheRun()
{
    QFETCH(QString, run);
    const QByteArray name = run.toLatin1();
    const auto trace = measuredRun(name.constData());
    QVERIFY(trace);
    const Study study(trace, trace->devices().front());
    const Replay &replay = study.replay();
    QVERIFY2(replay.exact(), replay.reason.c_str());
    QCOMPARE(replay.otherBlocks, 0);
    const AllocatorFigures &figures = replay.figures;
    QCOMPARE(figures.peakAllocated, stated(name, "allocated_bytes.all.peak"));
    QCOMPARE(figures.peakActive, stated(name, "active_bytes.all.peak"));
    QCOMPARE(figures.peakReserved, stated(name, "reserved_bytes.all.peak"));
    QCOMPARE(figures.allocated, stated(name, "allocated_bytes.all.current"));
    QCOMPARE(figures.requested, stated(name, "requested_bytes.all.current"));
    QCOMPARE(figures.reserved, stated(name, "reserved_bytes.all.current"));
    QCOMPARE(figures.inactiveSplit, stated(name, "inactive_split_bytes.all.current"));
    QCOMPARE(figures.driverAllocations, stated(name, "num_device_alloc"));
    QCOMPARE(figures.driverFrees, stated(name, "num_device_free"));
    QCOMPARE(figures.retries, stated(name, "num_alloc_retries"));
    QCOMPARE(figures.outOfMemory, stated(name, "num_ooms"));
}

void TestMeasuredAllocator::otherSettingsReserveWhatTheyReservedOnTheDevice_data()
{
    QTest::addColumn<QString>("configuration");
    QTest::addColumn<QString>("run");
    // Free blocks of one size are taken in the order of their addresses, which the driver gave.
    QTest::addColumn<double>("tolerance");
    QTest::newRow("expandable") << u"expandable_segments:True"_s << u"varying-expandable"_s << 0.0;
    QTest::newRow("rounded") << u"roundup_power2_divisions:4"_s << u"varying-roundup"_s << 0.0;
    QTest::newRow("not split") << u"max_split_size_mb:64"_s << u"varying-split"_s << 0.002;
}

void TestMeasuredAllocator::otherSettingsReserveWhatTheyReservedOnTheDevice()
{
    QFETCH(QString, configuration);
    QFETCH(QString, run);
    QFETCH(double, tolerance);
    const auto trace = measuredRun("varying");
    QVERIFY(trace);
    const Study study(trace, trace->devices().front());
    const std::array configurations = {configuration.toStdString()};
    const auto simulated = whatIf(study, configurations);
    QVERIFY(simulated && simulated->others.size() == 1);
    const QByteArray name = run.toLatin1();
    const auto measured = double(stated(name, "reserved_bytes.all.peak"));
    const auto predicted = double(simulated->others.front().result.figures.peakReserved);
    QVERIFY2(
        std::abs(predicted - measured) <= tolerance * measured,
        qPrintable(
            u"%1 predicted, %2 measured"_s.arg(predicted, 0, 'f', 0).arg(measured, 0, 'f', 0)));
    const std::int64_t ofDefault = stated("varying", "reserved_bytes.all.peak");
    QCOMPARE(simulated->recorded.result.figures.peakReserved, ofDefault);
}

VRAMSCOPE_TEST(TestMeasuredAllocator)
#include "tst_measured_allocator.moc"
