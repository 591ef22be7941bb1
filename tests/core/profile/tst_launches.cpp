// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/profile/coverage.h"
#include "core/profile/idle.h"
#include "core/profile/launches.h"
#include "core/profile/profile_findings.h"
#include "tests/core/profile/stated_profile.h"
#include "tests/support/test.h"

#include <algorithm>
#include <map>
#include <optional>
#include <vector>

using namespace vramscope;
using test::StatedProfile;

namespace {

/// Nanosecond by nanosecond: those in which the device runs nothing, between its first start and
/// its last end, and some call has begun after which nothing that was launched later has started.
std::int64_t slowIdleBehind(const Profile &profile, std::int64_t device,
                            const std::vector<std::uint32_t> &calls, bool withOwnWork)
{
    const WorkColumns &work = profile.work();
    std::vector<std::size_t> rows;
    for (std::size_t row = 0; row < work.count(); ++row) {
        if (profile.lanes()[work.lane[row]].device == device)
            rows.push_back(row);
    }
    std::int64_t idle = 0;
    for (std::int64_t time = -10; time < 800; ++time) {
        const bool hasBegun =
            std::ranges::any_of(rows, [&](std::size_t row) { return work.start[row] <= time; });
        const bool runs = std::ranges::any_of(
            rows, [&](std::size_t row) { return work.start[row] <= time && time < work.end[row]; });
        const bool isBehind = std::ranges::any_of(calls, [&](std::uint32_t call) {
            const std::int64_t start = profile.calls().start[call];
            std::optional<std::int64_t> next;
            for (const std::size_t row : rows) {
                if (work.call[row] == kNoRow)
                    continue;
                const std::int64_t launched = profile.calls().start[work.call[row]];
                if (launched > start || (withOwnWork && launched == start))
                    next = std::min(next.value_or(work.start[row]), work.start[row]);
            }
            return next && start <= time && time < *next;
        });
        idle += hasBegun && !runs && isBehind ? 1 : 0;
    }
    return idle;
}

} // namespace

class TestLaunches : public test::Test
{
    Q_OBJECT

private Q_SLOTS:
    void delaysRunFromTheEarliestCall();
    void workThatStartsBeforeItsCallIsCounted();
    void workWithoutACallIsUnlinked();
    void kernelsShorterThanTheirCallAreCounted();
    void aCallCountsOnceHoweverManyKernelsItLaunches();
    void aFirstLaunchThatLoadsAModuleIsNamed();
    void theSynchronizationThatEndsARecordingCostsNothing();
    void idleTimeBehindCallsIsThatOfASlowReference();
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
    QCOMPARE(launches.shortLaunches, 1);
    QCOMPARE(launches.shortWorkTime, 4);
    QCOMPARE(launches.shortCallTime, 6);
}

void TestLaunches::aCallCountsOnceHoweverManyKernelsItLaunches()
{
    // Kernels of a graph share their launch, which is what a graph is for.
    for (const char *name : {"cudaGraphLaunch", "hipGraphLaunch", "cuGraphLaunch_ptsz"}) {
        StatedProfile made;
        made.call(name, 0, 150'000, 1);
        for (std::int64_t kernel = 0; kernel < 20; ++kernel)
            made.work({"a", 150'000 + kernel * 10'000, 154'000 + kernel * 10'000, 7, 0, 1});
        const auto study = made.study();
        QCOMPARE(study->launches().shortLaunches, 0);
        for (const Finding &finding : study->findings())
            QVERIFY(finding.kind != kSmallLaunches);
    }
    const LaunchSummary launches = summarizeLaunches(*StatedProfile()
                                                          .call("xLaunch", 0, 100, 1)
                                                          .work({"a", 200, 210, 7, 0, 1})
                                                          .work({"b", 220, 230, 7, 0, 1})
                                                          .done());
    QCOMPARE(launches.shortLaunches, 1);
    QCOMPARE(launches.shortWorkTime, 20);
    QCOMPARE(launches.shortCallTime, 100);
}

void TestLaunches::aFirstLaunchThatLoadsAModuleIsNamed()
{
    StatedProfile made;
    std::int64_t at = 0;
    for (std::int64_t launch = 1; launch <= 40; ++launch) {
        const std::int64_t host = launch == 6 ? 300'000'000 : 6'000;
        made.call("cudaLaunchKernel", at, at + host, launch);
        made.work({"elementwise", at + host + 5'000, at + host + 25'000, 7, 0, launch});
        at += host + 30'000;
    }
    const auto study = made.study();
    QCOMPARE(study->launches().shortLaunches, 0);
    QCOMPARE(study->launches().slowLaunches.size(), std::size_t(1));
    QCOMPARE(study->launches().slowLaunchTime, 300'000'000);
    QCOMPARE(study->launches().medianLaunchTime, 6'000);
    const auto &findings = study->findings();
    const auto slow = std::ranges::find(findings, kSlowLaunches, &Finding::kind);
    QVERIFY(slow != findings.end());
    QVERIFY2(
        slow->sentence.starts_with("1 launch takes 300 ms on the CPU, where the median launch "
                                   "takes 6 µs: the first launch of a kernel loads its module."),
        slow->sentence.c_str());
    QVERIFY(std::ranges::find(findings, kSmallLaunches, &Finding::kind) == findings.end());
    const auto host = std::ranges::find(findings, kHostBound, &Finding::kind);
    QVERIFY(host == findings.end() || host->cost < 10'000'000);
}

void TestLaunches::theSynchronizationThatEndsARecordingCostsNothing()
{
    const auto made = [](bool goesOn) {
        StatedProfile profile;
        for (std::int64_t launch = 1; launch <= 60; ++launch) {
            profile.call("cudaLaunchKernel", launch * 200'000, launch * 200'000 + 6'000, launch);
            profile.work(
                {"gemm", launch * 200'000 + 10'000, launch * 200'000 + 110'000, 7, 0, launch});
        }
        profile.call("cudaDeviceSynchronize", 12'006'000, 21'000'000, 100);
        if (goesOn) {
            profile.call("cudaLaunchKernel", 21'000'000, 21'006'000, 101);
            profile.work({"gemm", 21'010'000, 21'110'000, 7, 0, 101});
        }
        return profile.study();
    };
    const auto gain = [](const ProfileStudy &study) {
        const auto &all = study.findings();
        const auto found = std::ranges::find(all, kBlockingCalls, &Finding::kind);
        return found == all.end() ? std::int64_t(0) : found->cost;
    };
    QCOMPARE(gain(*made(false)), 0);
    // Idle before the last kernel begins, and from its end on.
    QCOMPARE(gain(*made(true)), 4'000 + (21'010'000 - 12'110'000));
}

void TestLaunches::idleTimeBehindCallsIsThatOfASlowReference()
{
    for (unsigned seed = 0; seed < 20; ++seed) {
        const auto profile = test::randomProfile(seed);
        const WorkColumns &work = profile->work();
        std::vector<std::uint32_t> calls;
        for (std::uint32_t call = 0; call < profile->calls().count(); call += 1 + seed % 3) {
            if (profile->text(profile->calls().name[call]) == "cudaMemcpy")
                calls.push_back(call);
        }
        for (const std::int64_t device : devicesOf(*profile)) {
            for (const bool withOwnWork : {false, true})
                QCOMPARE(idleBehindCalls(*profile, device, calls, withOwnWork),
                         slowIdleBehind(*profile, device, calls, withOwnWork));
        }
        QCOMPARE(idleBehindCalls(*profile, 99, calls), 0);
        QVERIFY(work.count() > 0);
    }
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
