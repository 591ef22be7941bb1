// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/analysis/replayed/allocations.h"
#include "core/analysis/replayed/summary.h"
#include "core/analysis/study/study.h"
#include "core/readers/read_trace.h"
#include "tests/support/snapshot_generator.h"
#include "tests/support/test.h"

#include <QFile>

#include <algorithm>

using namespace vramscope;

namespace {

QString pathOf(const test::ExampleSnapshot &example)
{
    return test::projectFile(QStringLiteral("resources/examples/") +
                             QString::fromUtf8(example.name));
}

} // namespace

class TestExamples : public test::Test
{
    Q_OBJECT

private slots:
    void theShippedSnapshotsAreWhatTheGeneratorWrites_data() { addExamples(); }
    void theShippedSnapshotsAreWhatTheGeneratorWrites();
    void theAnalysisFindsWhatTheAllocatorKnew_data() { addExamples(); }
    void theAnalysisFindsWhatTheAllocatorKnew();
    void oneRunsOutOfMemoryAfterReturningItsCache();
    void oneFreesLateAndUnmapsAndHasAPrivatePool();

private:
    static void addExamples();
    static std::shared_ptr<const Trace> read(std::size_t example);
};

void TestExamples::addExamples()
{
    QTest::addColumn<std::size_t>("example");
    std::size_t index = 0;
    for (const test::ExampleSnapshot &example : test::exampleSnapshots())
        QTest::newRow(std::string(example.name).c_str()) << index++;
}

std::shared_ptr<const Trace> TestExamples::read(std::size_t example)
{
    const auto trace = readTrace(pathOf(test::exampleSnapshots()[example]).toStdString());
    return trace.ok() ? *trace : nullptr;
}

void TestExamples::theShippedSnapshotsAreWhatTheGeneratorWrites()
{
    QFETCH(std::size_t, example);
    const test::ExampleSnapshot &snapshot = test::exampleSnapshots()[example];
    const std::string bytes = test::snapshotOf(snapshot.tell());
    QVERIFY(bytes.size() < 450'000);
    QFile file(pathOf(snapshot));
    QVERIFY2(file.open(QIODevice::ReadOnly), qPrintable(file.errorString()));
    QVERIFY2(file.readAll().toStdString() == bytes,
             "run make_example_snapshots resources/examples and look at what changed");
}

void TestExamples::theAnalysisFindsWhatTheAllocatorKnew()
{
    QFETCH(std::size_t, example);
    const test::Story story = test::exampleSnapshots()[example].tell();
    const auto trace = read(example);
    QVERIFY(trace != nullptr);
    QCOMPARE(trace->devices().size(), std::size_t(1));
    QVERIFY(trace->problems().empty());
    const Study study(trace, trace->devices().front());
    const DeviceSummary &summary = study.summary();
    QCOMPARE(summary.events, std::int64_t(story.events.size()));
    QCOMPARE(summary.segments, std::int64_t(story.segments.size()));
    QCOMPARE(summary.baseline, Bytes(0));
    QCOMPARE(summary.peakActive, story.truth.peakActive);
    QCOMPARE(summary.peakActiveEvent, story.truth.peakActiveEvent);
    QCOMPARE(summary.peakReserved, story.truth.peakReserved);
    QCOMPARE(summary.reservedEnd, story.truth.reserved);
    QCOMPARE(summary.activeEnd, story.truth.active);
    QCOMPARE(std::int64_t(trace->annotations().size()), std::int64_t(story.marks.size()));
}

void TestExamples::oneRunsOutOfMemoryAfterReturningItsCache()
{
    const auto trace = read(0);
    QVERIFY(trace != nullptr);
    const DeviceTrace &device = trace->devices().front();
    QCOMPARE(device.outOfMemory.size(), std::size_t(1));
    const OutOfMemoryEvent &oom = device.outOfMemory.front();
    QCOMPARE(oom.event, device.events.count() - 1);
    QVERIFY(oom.deviceFree < oom.requested);
    const auto &actions = device.events.action;
    QVERIFY(std::find(actions.end() - 200, actions.end(), Action::SegmentFree) != actions.end());
}

void TestExamples::oneFreesLateAndUnmapsAndHasAPrivatePool()
{
    const auto trace = read(1);
    QVERIFY(trace != nullptr);
    const DeviceTrace &device = trace->devices().front();
    const Study study(trace, device);
    const DeviceSummary &summary = study.summary();
    QCOMPARE(summary.streams, std::int64_t(2));
    QCOMPARE(summary.pools, std::int64_t(2));
    QVERIFY(summary.actions[static_cast<std::size_t>(Action::SegmentUnmap)] > 0);
    const Allocations allocations(device);
    int late = 0;
    for (AllocationIndex index = 0; index < allocations.count(); ++index)
        late += allocations.death[index] > allocations.freeRequested[index] + 1 ? 1 : 0;
    QVERIFY(late > 20);
}

VRAMSCOPE_TEST(TestExamples)
#include "tst_examples.moc"
