// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/profile/call_kinds.h"
#include "core/profile/coverage.h"
#include "core/profile/idle.h"
#include "core/profile/launches.h"
#include "tests/core/profile/stated_profile.h"
#include "tests/support/test.h"

#include <map>

using namespace vramscope;
using test::StatedProfile;

class TestLaunches : public test::Test
{
    Q_OBJECT

private Q_SLOTS:
    void delaysRunFromTheEarliestCall();
    void workThatStartsBeforeItsCallIsCounted();
    void workWithoutACallIsUnlinked();
    void kernelsShorterThanTheirCallAreCounted();
    void callsThatHoldUpTheHostAreFound_data();
    void callsThatHoldUpTheHostAreFound();
    void gapsHaveTheirCause();
    void overlappingWorkLeavesNoNegativeGap();
    void aDeviceWaitsForTheHostOnlyWhenNothingIsQueued();
    void theQueueIsWhatWasCalledAndHasNotStarted();
};

void TestLaunches::delaysRunFromTheEarliestCall()
{
    const LaunchSummary launches = summarizeLaunches(*StatedProfile()
                                                          .call("cuLaunchKernel", 12, 14, 1)
                                                          .call("cudaLaunchKernel", 10, 15, 1)
                                                          .call("cudaLaunchKernel", 20, 24, 2)
                                                          .work({"a", 30, 40, 7, 0, 1})
                                                          .work({"b", 40, 50, 7, 0, 2})
                                                          .done());
    QCOMPARE(launches.linked, 2);
    QCOMPARE(launches.fromCallStart->median, 20);
    QCOMPARE(launches.fromCallStart->mean(), 20.0);
    QCOMPARE(launches.afterCallEnd->median, 15);
    QCOMPARE(launches.afterCallEnd->most, 16);
}

void TestLaunches::workThatStartsBeforeItsCallIsCounted()
{
    const LaunchSummary launches = summarizeLaunches(
        *StatedProfile().call("cudaLaunchKernel", 50, 60, 1).work({"a", 30, 40, 7, 0, 1}).done());
    QCOMPARE(launches.negative, 1);
    QCOMPARE(launches.fromCallStart->median, -20);
    QCOMPARE(launches.afterCallEnd->median, 0);
}

void TestLaunches::workWithoutACallIsUnlinked()
{
    const auto study =
        StatedProfile().range("ProfilerStep#1", 0, 100).work({"a", 30, 40, 7, 0, 9}).study();
    QCOMPARE(study->launches().unlinked, 1);
    QVERIFY(!study->launches().fromCallStart);
    QCOMPARE(study->devices()[0].times.compute, 10);
    QCOMPARE(study->steps().steps[0].work, 0);
}

void TestLaunches::kernelsShorterThanTheirCallAreCounted()
{
    const LaunchSummary launches = summarizeLaunches(*StatedProfile()
                                                          .call("cudaLaunchKernel", 0, 6, 1)
                                                          .call("cudaLaunchKernel", 6, 12, 2)
                                                          .work({"a", 30, 34, 7, 0, 1})
                                                          .work({"b", 40, 50, 7, 0, 2})
                                                          .done());
    QCOMPARE(launches.shortWork, 1);
    QCOMPARE(launches.shortWorkTime, 4);
    QCOMPARE(launches.shortCallTime, 6);
}

void TestLaunches::callsThatHoldUpTheHostAreFound_data()
{
    QTest::addColumn<QString>("name");
    QTest::addColumn<bool>("blocks");
    QTest::addColumn<bool>("waits");
    const auto row = [](const char *name, bool blocks, bool waits) {
        QTest::newRow(name) << name << blocks << waits;
    };
    row("cudaDeviceSynchronize", true, true);
    row("hipStreamSynchronize", true, true);
    row("cuEventSynchronize", true, true);
    row("cudaMemcpy", true, true);
    row("hipMemcpyWithStream", true, true);
    row("cudaMemcpyAsync", false, false);
    row("hipMemsetAsync", false, false);
    row("cudaMalloc", true, false);
    row("cuMemAlloc_v2", true, false);
    row("hipFree", true, false);
    row("cudaMallocAsync", false, false);
    row("cudaLaunchKernel", false, false);
    row("cudaStreamWaitEvent", false, false);
}

void TestLaunches::callsThatHoldUpTheHostAreFound()
{
    QFETCH(QString, name);
    QFETCH(bool, blocks);
    QFETCH(bool, waits);
    QCOMPARE(mayBlock(name.toStdString()), blocks);
    QCOMPARE(waitsForDevice(name.toStdString()), waits);
    const LaunchSummary launches = summarizeLaunches(*StatedProfile()
                                                          .call(name.toStdString(), 0, 10, 1)
                                                          .call(name.toStdString(), 10, 40, 2)
                                                          .done());
    QCOMPARE(launches.blockingTime(), blocks ? 40 : 0);
    if (blocks)
        QCOMPARE(launches.blocking[0].longest, 30);
}

void TestLaunches::gapsHaveTheirCause()
{
    const auto profile = StatedProfile()
                             .call("cudaLaunchKernel", 0, 1, 1)
                             .call("cudaLaunchKernel", 2, 3, 2)
                             .call("cudaLaunchKernel", 4, 5, 3)
                             .call("cudaLaunchKernel", 9000, 9001, 4)
                             .work({"a", 100, 1000, 7, 0, 1})
                             .work({"b", 1400, 2000, 7, 0, 2})  // 400: from kernel to kernel
                             .work({"c", 5000, 6000, 7, 0, 3})  // 3000: queued
                             .work({"d", 9500, 9600, 7, 0, 4})  // 3500: called too late
                             .work({"e", 9700, 9800, 7, 0, 99}) // 100: no call
                             .done();
    const std::vector<LaneIdle> lanes = idleByLane(*profile);
    QCOMPARE(lanes.size(), std::size_t(1));
    QCOMPARE(lanes[0].kernelWait, 500);
    QCOMPARE(lanes[0].other, 3000);
    QCOMPARE(lanes[0].hostWait, 3500);
    QCOMPARE(idleByLane(*profile, 4000)[0].kernelWait, 3500);
}

void TestLaunches::overlappingWorkLeavesNoNegativeGap()
{
    const auto profile =
        StatedProfile().work({"a", 0, 5000}).work({"b", 100, 200}).work({"c", 7000, 8000}).done();
    QCOMPARE(idleByLane(*profile)[0].other, 2000);
    QVERIFY(idleByLane(*StatedProfile().work({"a", 0, 10}).done()).empty());
}

void TestLaunches::aDeviceWaitsForTheHostOnlyWhenNothingIsQueued()
{
    const auto profile = StatedProfile()
                             .call("cudaLaunchKernel", 0, 1, 1)
                             .call("cudaLaunchKernel", 2000, 2001, 2)
                             .call("cudaLaunchKernel", 2, 3, 3)
                             .call("cudaLaunchKernel", 9000, 9001, 4)
                             .work({"a", 100, 1000, 7, 0, 1})
                             .work({"b", 3000, 4000, 7, 0, 2}) // the other stream has c queued
                             .work({"c", 5000, 6000, 13, 0, 3})
                             .work({"d", 9500, 9600, 7, 0, 4})
                             .done();
    const std::vector<DeviceIdle> devices = idleByDevice(*profile);
    QCOMPARE(devices.size(), std::size_t(1));
    QCOMPARE(devices[0].idle, 2000 + 1000 + 3500);
    QCOMPARE(devices[0].hostWait, 3500);
    QCOMPARE(devices[0].hostWaits, 1);
    QCOMPARE(devices[0].queued(), 3000);
}

void TestLaunches::theQueueIsWhatWasCalledAndHasNotStarted()
{
    for (unsigned seed = 0; seed < 20; ++seed) {
        const auto profile = test::randomProfile(seed);
        const WorkColumns &work = profile->work();
        for (const std::int64_t device : devicesOf(*profile)) {
            const TimeCurve queue = queueLength(*profile, device, [] { return true; });
            for (std::size_t at = 0; at < queue.times().size(); ++at) {
                const std::int64_t time = queue.times()[at];
                std::int64_t length = 0;
                for (std::size_t row = 0; row < work.count(); ++row) {
                    const std::uint32_t call = work.call[row];
                    length += profile->lanes()[work.lane[row]].device == device && call != kNoRow &&
                                      profile->calls().start[call] <= time && time < work.start[row]
                                  ? 1
                                  : 0;
                }
                QCOMPARE(queue.values()[at], length);
            }
            QVERIFY(queue.empty() || queue.values().back() == 0);
        }
    }
}

VRAMSCOPE_TEST(TestLaunches)
#include "tst_launches.moc"
