// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/analysis/replayed/summary.h"
#include "core/analysis/study/study.h"
#include "core/analysis/what_if/replay.h"
#include "core/analysis/what_if/what_if.h"
#include "core/print/replay_report.h"
#include "core/readers/read_trace.h"
#include "tests/support/test.h"

#include <nlohmann/json.hpp>

#include <array>
#include <cmath>
#include <fstream>
#include <map>

using namespace vramscope;
using namespace Qt::StringLiterals;

// Recordings of an H200 and an H100 (tests/data/gpu) against what torch.cuda.memory_stats() said at
// their end.

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
    void begunFromNothingItReservesWhatTheDeviceDid_data();
    void begunFromNothingItReservesWhatTheDeviceDid();
    void theOtherOrderOfAddressesIsReported();
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

void TestMeasuredAllocator::begunFromNothingItReservesWhatTheDeviceDid_data()
{
    QTest::addColumn<QString>("run");
    // Of `trainer-lora` the first segments lie where loaded kernels had left addresses.
    QTest::addColumn<double>("tolerance");
    for (const char *run : {"varying", "varying-checkpoint", "resnet", "resnet-8", "moe", "gpt",
                            "gpt-checkpoint", "trainer", "vit", "ddp", "fsdp"})
        QTest::newRow(run) << QString::fromLatin1(run) << 0.0;
    QTest::newRow("trainer-lora") << u"trainer-lora"_s << 0.008;
}

void TestMeasuredAllocator::begunFromNothingItReservesWhatTheDeviceDid()
{
    QFETCH(QString, run);
    QFETCH(double, tolerance);
    const QByteArray name = run.toLatin1();
    const auto trace = measuredRun(name.constData());
    QVERIFY(trace);
    const auto simulated = whatIf(Study(trace, trace->devices().front()), {});
    QVERIFY(simulated);
    const auto measured = double(stated(name, "reserved_bytes.all.peak"));
    const auto found = double(simulated->recorded.result.figures.peakReserved);
    QVERIFY2(std::abs(found - measured) <= tolerance * measured,
             qPrintable(u"%1 simulated"_s.arg(found, 0, 'f', 0)));
    QVERIFY(simulated->addresses == AddressOrder::Falling);
}

void TestMeasuredAllocator::theOtherOrderOfAddressesIsReported()
{
    const auto trace = measuredRun("gpt");
    QVERIFY(trace);
    const Study study(trace, trace->devices().front());
    const auto simulated = whatIf(study, {});
    QVERIFY(simulated);
    QCOMPARE(simulated->peakInOtherOrder, Bytes(10'221'518'848));
    const QString text =
        QString::fromStdString(trustText(study.replay(), *simulated, ByteUnit::Binary));
    QVERIFY2(text.contains(u"at rising addresses, as under Windows, the recorded settings would "
                           "reserve 9.52 GiB at the peak instead of 11.1 GiB"_s),
             qPrintable(text));
    const auto json = nlohmann::json::parse(replayJson(study, &*simulated, "f"));
    QCOMPARE(json.at("addresses").get<std::string>(), "falling");
    QCOMPARE(json.at("peak_reserved_other_order").get<Bytes>(), Bytes(10'221'518'848));
}

void TestMeasuredAllocator::otherSettingsReserveWhatTheyReservedOnTheDevice_data()
{
    QTest::addColumn<QString>("program");
    QTest::addColumn<QString>("configuration");
    QTest::addColumn<QString>("run");
    const std::map<QString, QString> configurations{
        {u"expandable"_s, u"expandable_segments:True"_s},
        {u"roundup"_s, u"roundup_power2_divisions:4"_s},
        {u"split"_s, u"max_split_size_mb:64"_s},
        {u"split-512"_s, u"max_split_size_mb:512"_s}};
    for (const char *program : {"varying", "gpt", "gpt-checkpoint", "vit"}) {
        for (const auto &[name, configuration] : configurations) {
            const QString run = QLatin1String(program) + u'-' + name;
            if (name == u"split-512"_s && qstrcmp(program, "gpt") != 0)
                continue; // not measured
            QTest::newRow(qPrintable(run)) << QString::fromLatin1(program) << configuration << run;
        }
    }
}

void TestMeasuredAllocator::otherSettingsReserveWhatTheyReservedOnTheDevice()
{
    QFETCH(QString, program);
    QFETCH(QString, configuration);
    QFETCH(QString, run);
    const auto trace = measuredRun(program.toLatin1().constData());
    QVERIFY(trace);
    const Study study(trace, trace->devices().front());
    const std::array configurations = {configuration.toStdString()};
    const auto simulated = whatIf(study, configurations);
    QVERIFY(simulated && simulated->others.size() == 1);
    const QByteArray name = run.toLatin1();
    QCOMPARE(simulated->others.front().result.figures.peakReserved,
             stated(name, "reserved_bytes.all.peak"));
}

VRAMSCOPE_TEST(TestMeasuredAllocator)
#include "tst_measured_allocator.moc"
