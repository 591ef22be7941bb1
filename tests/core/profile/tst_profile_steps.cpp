// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/profile/profile_steps.h"
#include "tests/core/profile/stated_profile.h"
#include "tests/support/test.h"

using namespace vramscope;
using test::StatedProfile;

class TestProfileSteps : public test::Test
{
    Q_OBJECT

private Q_SLOTS:
    void workBelongsToTheStepThatCalledIt();
    void aStepLastsToTheStartOfTheNext();
    void theFirstSlowStepIsAnOutlier();
    void theMedianStepIsTheLowerOneByDeviceSpan();
    void whatRepeatsMayMarkSteps();
    void marksOfTheOptimizerBeginSteps();
};

void TestProfileSteps::workBelongsToTheStepThatCalledIt()
{
    const auto study = StatedProfile()
                           .range("ProfilerStep#1", 0, 100)
                           .range("ProfilerStep#2", 100, 200)
                           .call("cudaLaunchKernel", 99, 101, 1)
                           .call("cudaLaunchKernel", 100, 102, 2)
                           .work({"a", 150, 160, 7, 0, 1})
                           .work({"b", 300, 340, 7, 0, 2})
                           .study();
    const std::vector<ProfileStep> &steps = study->steps().steps;
    QCOMPARE(steps.size(), std::size_t(2));
    QCOMPARE(steps[0].device->start, 150);
    QCOMPARE(steps[0].device->compute, 10);
    QCOMPARE(steps[1].device->compute, 40);
    QCOMPARE(steps[1].work, 1);
}

void TestProfileSteps::aStepLastsToTheStartOfTheNext()
{
    const auto study =
        StatedProfile().range("ProfilerStep#1", 0, 80).range("ProfilerStep#2", 100, 190).study();
    QCOMPARE(study->steps().steps[0].time, 100);
    QCOMPARE(study->steps().steps[1].time, 90);
    QCOMPARE(study->steps().medianTime, 90);
    QVERIFY(!study->steps().hasMedian); // no work
}

void TestProfileSteps::theFirstSlowStepIsAnOutlier()
{
    StatedProfile made;
    std::int64_t start = 0;
    for (const std::int64_t time : {900, 100, 101, 99, 102}) {
        made.range("ProfilerStep#" + std::to_string(start), start, start + time);
        start += time;
    }
    const auto study = made.study();
    QVERIFY(study->steps().steps[0].isOutlier);
    for (std::size_t at = 1; at < 5; ++at)
        QVERIFY(!study->steps().steps[at].isOutlier);
}

void TestProfileSteps::theMedianStepIsTheLowerOneByDeviceSpan()
{
    StatedProfile made;
    std::int64_t at = 0;
    for (const std::int64_t span : {70, 30, 50, 40}) {
        made.range("ProfilerStep#" + std::to_string(at), at * 100, at * 100 + 100);
        made.call("cudaLaunchKernel", at * 100, at * 100 + 1, at);
        made.work({"a", at * 100 + 5, at * 100 + 5 + span, 7, 0, at});
        ++at;
    }
    const auto study = made.study();
    QVERIFY(study->steps().hasMedian);
    QCOMPARE(study->steps().median, std::size_t(3));
}

void TestProfileSteps::whatRepeatsMayMarkSteps()
{
    const auto study = StatedProfile()
                           .range("ProfilerStep#1", 0, 100)
                           .range("Optimizer.step#Adam.step", 80, 90)
                           .range("Optimizer.step#Adam.step", 180, 190)
                           .range("enumerate(DataLoader)#_Iter.__next__", 0, 5)
                           .range("enumerate(DataLoader)#_Iter.__next__", 100, 105)
                           .range("micro batch", 0, 5)
                           .range("micro batch", 5, 9)
                           .range("once", 0, 5)
                           .study();
    const std::vector<StepMarker> &markers = study->markers();
    QCOMPARE(markers.size(), std::size_t(4));
    QCOMPARE(markers[0].kind, StepMarker::Kind::ProfilerStep);
    QCOMPARE(markers[1].kind, StepMarker::Kind::Optimizer);
    QCOMPARE(markers[2].kind, StepMarker::Kind::DataLoader);
    QCOMPARE(study->profile().text(markers[3].name), std::string_view("micro batch"));
}

void TestProfileSteps::marksOfTheOptimizerBeginSteps()
{
    const auto profile = StatedProfile()
                             .range("Optimizer.step#Adam.step", 80, 90)
                             .range("Optimizer.step#Adam.step", 180, 190)
                             .call("cudaLaunchKernel", 150, 151, 1)
                             .work({"a", 400, 410, 7, 0, 1})
                             .done();
    const ProfileSteps steps =
        profileSteps(*profile, classify(*profile), stepMarkers(*profile).front());
    QCOMPARE(steps.steps.size(), std::size_t(2));
    QCOMPARE(steps.steps[0].end, 180);
    QCOMPARE(steps.steps[0].work, 1);
    QCOMPARE(steps.steps[1].time, 10);
}

VRAMSCOPE_TEST(TestProfileSteps)
#include "tst_profile_steps.moc"
