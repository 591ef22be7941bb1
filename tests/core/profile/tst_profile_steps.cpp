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
    void theKernelAfterTheLongestPauseBeginsAPeriod();
    void whatDoesNotRepeatHasNoPeriod_data();
    void whatDoesNotRepeatHasNoPeriod();
    void aKernelDividesARunWithoutMarks();
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

namespace {

/// The letters as texts, each after a pause of as many ns as its place in `pauses` says.
std::optional<PeriodicKernel> periodOf(std::string_view letters, std::string_view pauses)
{
    std::vector<StringId> texts;
    std::vector<std::int64_t> waits;
    for (std::size_t at = 0; at < letters.size(); ++at) {
        texts.push_back(StringId(static_cast<std::uint32_t>(letters[at])));
        waits.push_back(pauses.empty() ? 1 : pauses[at % pauses.size()] - '0');
    }
    return periodicText(texts, waits);
}

} // namespace

void TestProfileSteps::theKernelAfterTheLongestPauseBeginsAPeriod()
{
    // a recurs within the step too; of b, c and d the device waits longest before c.
    const auto found = periodOf("abacdabacdabacdabacd", "11171");
    QVERIFY(found.has_value());
    QCOMPARE(found->name, StringId('c'));
    QCOMPARE(found->count, 4);
}

void TestProfileSteps::whatDoesNotRepeatHasNoPeriod_data()
{
    QTest::addColumn<QByteArray>("letters");
    QTest::newRow("nothing") << QByteArray("");
    QTest::newRow("once each") << QByteArray("abcdefghijkl");
    QTest::newRow("two periods: one distance proves nothing") << QByteArray("abcdeabcde");
    QTest::newRow("a loop of two") << QByteArray("abababababab");
    QTest::newRow("uneven distances") << QByteArray("sabcdsabsabcdefghijklmnsabcsxyz");
    QTest::newRow("even distances, other contents") << QByteArray("sabcdsefghsijklsmnopsqrtu");
    QTest::newRow("a small part of the run") << QByteArray("sabcsabcsabcdefghijklmnopqrtuvwxyz");
}

void TestProfileSteps::whatDoesNotRepeatHasNoPeriod()
{
    QFETCH(const QByteArray, letters);
    QVERIFY(!periodOf({letters.constData(), static_cast<std::size_t>(letters.size())}, {}));
}

void TestProfileSteps::aKernelDividesARunWithoutMarks()
{
    StatedProfile made;
    std::int64_t id = 0;
    for (std::int64_t step = 0; step < 4; ++step) {
        for (const std::string_view name : {"embed", "gemm", "norm", "gemm", "loss", "adam"}) {
            const std::int64_t start = step * 1000 + id % 6 * 100;
            made.call("cudaLaunchKernel", start - 20, start - 15, id);
            made.work({name, start, start + 80, 7, 0, id});
            ++id;
        }
    }
    const auto profile = made.done();
    const auto found = periodicKernel(*profile);
    QVERIFY(found.has_value());
    QCOMPARE(profile->text(found->name), std::string_view("embed"));
    const ProfileSteps steps = profileSteps(*profile, classify(*profile),
                                            {StepMarker::Kind::Kernel, found->name, found->count});
    QCOMPARE(steps.steps.size(), std::size_t(4));
    for (const ProfileStep &step : steps.steps)
        QCOMPARE(step.work, 6);
    QCOMPARE(steps.steps[1].device->compute, 480);
}

VRAMSCOPE_TEST(TestProfileSteps)
#include "tst_profile_steps.moc"
