// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/profile/breakdown.h"
#include "core/profile/intervals.h"
#include "tests/core/profile/stated_profile.h"
#include "tests/support/test.h"

#include <set>

using namespace vramscope;
using test::StatedProfile;

namespace {

/// What happens on devices at a nanosecond.
struct Moment
{
    bool compute = false;
    bool communication = false;
    bool memory = false;
};

/// The same figures by painting each nanosecond.
TimeBreakdown painted(const Profile &profile, const WorkClasses &classes,
                      const std::vector<std::uint32_t> &rows)
{
    const WorkColumns &work = profile.work();
    std::map<std::int64_t, Moment> moments;
    TimeBreakdown all;
    std::int64_t last = std::numeric_limits<std::int64_t>::min();
    all.start = std::numeric_limits<std::int64_t>::max();
    for (const std::uint32_t row : rows) {
        ++all.counts[static_cast<std::size_t>(classes.workClass[row])];
        all.start = std::min(all.start, work.start[row]);
        last = std::max(last, work.end[row]);
        for (std::int64_t time = work.start[row]; time < work.end[row]; ++time) {
            Moment &at = moments[time];
            at.compute = at.compute || classes.workClass[row] == WorkClass::Compute;
            at.communication =
                at.communication || classes.workClass[row] == WorkClass::Communication;
            at.memory = at.memory || classes.workClass[row] == WorkClass::Copy ||
                        classes.workClass[row] == WorkClass::Fill;
        }
    }
    all.span = last - all.start;
    for (const auto &[time, at] : moments) {
        ++all.busy;
        all.compute += at.compute ? 1 : 0;
        all.communication += at.communication ? 1 : 0;
        all.memory += at.memory ? 1 : 0;
        all.overlappedCommunication += at.communication && at.compute ? 1 : 0;
        all.exposedCommunication += at.communication && !at.compute ? 1 : 0;
        all.exposedCopy += at.memory && !at.compute && !at.communication ? 1 : 0;
    }
    all.idle = all.span - all.busy;
    return all;
}

std::vector<std::uint32_t> rowsOf(const Profile &profile, auto fits)
{
    std::vector<std::uint32_t> rows;
    for (std::uint32_t row = 0; row < profile.work().count(); ++row) {
        if (fits(row))
            rows.push_back(row);
    }
    return rows;
}

} // namespace

class TestBreakdown : public test::Test
{
    Q_OBJECT

private Q_SLOTS:
    void intervalsThatTouchBecomeOne();
    void whatTwoUnionsShareIsCounted();
    void partsAddUpToTheSpan();
    void devicesAreNeverMerged();
    void whatRunsAtOnceCountsOnce();
    void everyBreakdownIsWhatItsNanosecondsSay();
    void exposedTimeIsWhatNothingHides();
    void htaCountsWaitsAsWork();
    void htaRoundsStartsUpAndEndsDown();
    void htaLeavesOutTheLastStep();
};

void TestBreakdown::intervalsThatTouchBecomeOne()
{
    const std::vector<TimeInterval> expected{{0, 4}, {6, 9}};
    QVERIFY(merged({{2, 4}, {0, 2}, {6, 9}, {7, 8}}) == expected);
    QCOMPARE(lengthOf(expected), 7);
    QVERIFY(merged({}).empty());
}

void TestBreakdown::whatTwoUnionsShareIsCounted()
{
    const std::vector<TimeInterval> one{{0, 4}, {6, 9}, {20, 30}};
    const std::vector<TimeInterval> other{{3, 7}, {8, 25}};
    QCOMPARE(commonLength(one, other), 1 + 1 + 1 + 5);
    QCOMPARE(commonLength(other, one), 8);
    const IntervalCoverage coverage(one);
    QCOMPARE(coverage.covered(3, 7), 2);
    QCOMPARE(coverage.covered(-5, 100), 17);
    QCOMPARE(coverage.covered(10, 15), 0);
    QCOMPARE(coverage.covered(5, 5), 0);
}

void TestBreakdown::partsAddUpToTheSpan()
{
    const auto study = StatedProfile()
                           .work({"gemm", 0, 100})
                           .work({"ncclAllReduce", 60, 150, 13})
                           .work({"Memcpy HtoD", 140, 200, 9, 0, kNotStated, WorkKind::Copy})
                           .work({"gemm", 250, 300})
                           .study();
    QCOMPARE(study->devices().size(), std::size_t(1));
    const TimeBreakdown &times = study->devices()[0].times;
    QCOMPARE(times.span, 300);
    QCOMPARE(times.compute, 150);
    QCOMPARE(times.communication, 90);
    QCOMPARE(times.overlappedCommunication, 40);
    QCOMPARE(times.exposedCommunication, 50);
    QCOMPARE(times.exposedCopy, 50);
    QCOMPARE(times.idle, 50);
    QCOMPARE(times.compute + times.exposedCommunication + times.exposedCopy + times.idle,
             times.span);
    QCOMPARE(times.overlap().value(), 40.0 / 90);
    QCOMPARE(times.computeEfficiency().value(), 0.5);
    QCOMPARE(study->lanes().size(), std::size_t(3));
    QCOMPARE(study->lanes()[2].times.exposedCommunication, 90);
}

void TestBreakdown::devicesAreNeverMerged()
{
    const auto study =
        StatedProfile().work({"gemm", 0, 100, 7, 0}).work({"ncclAllReduce", 0, 100, 7, 1}).study();
    QCOMPARE(study->devices().size(), std::size_t(2));
    QCOMPARE(study->devices()[1].device, 1);
    QCOMPARE(study->devices()[1].times.exposedCommunication, 100);
    QCOMPARE(study->exposed()[0] + study->exposed()[1], 200);
}

void TestBreakdown::whatRunsAtOnceCountsOnce()
{
    const auto study = StatedProfile().work({"gemm", 0, 100, 7}).work({"gemm", 50, 120, 8}).study();
    QCOMPARE(study->devices()[0].times.compute, 120);
    QVERIFY(!study->devices()[0].times.overlap());
}

void TestBreakdown::everyBreakdownIsWhatItsNanosecondsSay()
{
    for (unsigned seed = 0; seed < 60; ++seed) {
        const auto profile = test::randomProfile(seed);
        const ProfileStudy study(profile);
        const WorkColumns &work = profile->work();
        for (const DeviceBreakdown &device : study.devices())
            QCOMPARE(device.times,
                     painted(*profile, study.classes(), rowsOf(*profile, [&](auto row) {
                         return profile->lanes()[work.lane[row]].device == device.device;
                     })));
        for (const LaneBreakdown &lane : study.lanes())
            QCOMPARE(lane.times, painted(*profile, study.classes(), rowsOf(*profile, [&](auto row) {
                         return work.lane[row] == lane.lane;
                     })));
        for (const ProfileStep &step : study.steps().steps) {
            const auto rows = rowsOf(*profile, [&](auto row) {
                if (work.call[row] == kNoRow)
                    return false;
                const std::int64_t called = profile->calls().start[work.call[row]];
                return step.start <= called && called < step.end;
            });
            QVERIFY(step.device.has_value());
            QCOMPARE(*step.device, painted(*profile, study.classes(), rows));
            QVERIFY(rows == workOfStep(*profile, profile->text(step.name)));
        }
    }
}

void TestBreakdown::exposedTimeIsWhatNothingHides()
{
    for (unsigned seed = 100; seed < 130; ++seed) {
        const auto profile = test::randomProfile(seed);
        const ProfileStudy study(profile);
        const WorkColumns &work = profile->work();
        const auto hides = [&](std::uint32_t other, std::uint32_t row) {
            const WorkClass by = study.classes().workClass[other];
            const WorkClass of = study.classes().workClass[row];
            return profile->lanes()[work.lane[other]].device ==
                       profile->lanes()[work.lane[row]].device &&
                   of != WorkClass::Compute &&
                   (by == WorkClass::Compute ||
                    (by == WorkClass::Communication && of != WorkClass::Communication));
        };
        for (std::uint32_t row = 0; row < work.count(); ++row) {
            std::set<std::int64_t> left;
            for (std::int64_t time = work.start[row]; time < work.end[row]; ++time)
                left.insert(time);
            for (std::uint32_t other = 0; other < work.count(); ++other) {
                if (hides(other, row))
                    left.erase(left.lower_bound(work.start[other]),
                               left.lower_bound(work.end[other]));
            }
            QCOMPARE(study.exposed()[row], std::int64_t(left.size()));
        }
    }
}

void TestBreakdown::htaCountsWaitsAsWork()
{
    ProfileBuilder builder;
    ProfileEvent event;
    event.kind = ProfileEventKind::Work;
    event.name = builder.internText("gemm");
    event.start = 0;
    event.end = 1000;
    event.device = 0;
    event.stream = 7;
    builder.add(event);
    event.kind = ProfileEventKind::Range;
    event.range = RangeKind::Sync;
    event.name = builder.internText("Stream Sync");
    event.start = 3000;
    event.end = 5000;
    builder.add(event);
    const ProfileStudy study(builder.finish([] { return true; }));
    QCOMPARE(study.devices()[0].times.span, 1000);
    QCOMPARE(study.hta()->kernelTime, 5000);
    QCOMPARE(study.hta()->idle, 2000);
    QCOMPARE(study.hta()->compute, 1000);
    QCOMPARE(study.hta()->nonCompute, 2000);
}

void TestBreakdown::htaRoundsStartsUpAndEndsDown()
{
    const auto study = StatedProfile().work({"a", 1, 3001}).work({"b", 3100, 3900}).study();
    QCOMPARE(study->hta()->compute, 2000 - 1000); // the second one ends before it begins
    QVERIFY(!StatedProfile().study()->hta());
}

void TestBreakdown::htaLeavesOutTheLastStep()
{
    const auto study = StatedProfile()
                           .range("ProfilerStep#1", 0, 100'000)
                           .range("ProfilerStep#2", 100'000, 200'000)
                           .call("cudaLaunchKernel", 1000, 2000, 1)
                           .call("cudaLaunchKernel", 150'000, 151'000, 2)
                           .work({"a", 5000, 9000, 7, 0, 1})
                           .work({"b", 160'000, 170'000, 7, 0, 2})
                           .study();
    QCOMPARE(study->hta()->kernelTime, 4000);
}

VRAMSCOPE_TEST(TestBreakdown)
#include "tst_breakdown.moc"
