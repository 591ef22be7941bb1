// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/solver/largest_value.h"
#include "core/solver/sweep.h"
#include "tests/support/random_plans.h"
#include "tests/support/test.h"

#include <algorithm>
#include <cmath>
#include <numeric>

using namespace vramscope;
using test::Random;

namespace {

Plan planToSweep()
{
    Plan plan;
    plan.model.preset = "llama-3-8b";
    plan.hardware.gpu = "h100-sxm-80gb";
    plan.hardware.gpus = 8;
    plan.parallel.strategy = Strategy::Fsdp2;
    plan.parallel.data = 8;
    plan.batch.sequenceLength = 4096;
    return plan;
}

const Field &field(const char *path)
{
    return *findField(path);
}

constexpr std::size_t kMost = 48;

} // namespace

class TestSweep : public test::Test
{
    Q_OBJECT

private Q_SLOTS:
    void eachPointIsTheEstimateOfThePlanWithThatValue();
    void aValueThatTheChecksRefuseSaysWhy();
    void fewWholeNumbersAreAllThere();
    void aWideRangeHasItsPowersOfTwoAndWholeSteps();
    void aShareIsDividedEvenly();
    void everyFieldGetsValuesWithinItsRange();
    void theCrossingIsWhereFittingEnds();
    void theCrossingAgreesWithTheLargestValue();
};

void TestSweep::eachPointIsTheEstimateOfThePlanWithThatValue()
{
    Random random(7);
    int checked = 0;
    for (int trial = 0; trial < 60; ++trial) {
        const Plan plan = test::randomPlan(random);
        for (const Field &one : planFields()) {
            if (!sweepable(one))
                continue;
            const std::vector<double> values =
                sweepValues(one, one.minimum, std::max(one.minimum, 1.0) * 8, 4);
            for (const SweepPoint &point : sweep(plan, one, values)) {
                Plan changed = plan;
                if (!setField(changed, one, numberFor(one, point.value)).ok()) {
                    QVERIFY(!point.refused.empty());
                    continue;
                }
                const Estimate it = estimate(changed);
                QCOMPARE(point.refused.empty(), it.computed);
                if (!it.computed)
                    continue;
                QVERIFY(point.parts == it.byCategory());
                QCOMPARE(point.device, it.peakDevice);
                QCOMPARE(std::accumulate(point.parts.begin(), point.parts.end(), point.outside),
                         it.peakDevice);
                QCOMPARE(point.verdict, verdictOf(it));
                ++checked;
            }
        }
    }
    QVERIFY2(checked > 3000, qPrintable(QString::number(checked)));
}

void TestSweep::aValueThatTheChecksRefuseSaysWhy()
{
    const double values[] = {8, 3};
    const std::vector<SweepPoint> points = sweep(planToSweep(), field("parallel.tensor"), values);
    QVERIFY(!points[0].refused.empty() && !points[1].refused.empty());
    QCOMPARE(points[0].device, Bytes(0));
}

void TestSweep::fewWholeNumbersAreAllThere()
{
    const std::vector<double> values = sweepValues(field("batch.micro_batch"), 2, 6, kMost);
    QVERIFY((values == std::vector<double>{2, 3, 4, 5, 6}));
}

void TestSweep::aWideRangeHasItsPowersOfTwoAndWholeSteps()
{
    const std::vector<double> values =
        sweepValues(field("batch.sequence_length"), 1000, 100'000, kMost, 64);
    QVERIFY(values.size() <= kMost && values.size() > kMost / 2);
    QCOMPARE(values.front(), 1000.0);
    QCOMPARE(values.back(), 100'000.0);
    for (double power = 1024; power < 100'000; power *= 2)
        QVERIFY(std::ranges::count(values, power) == 1);
    for (std::size_t i = 1; i + 1 < values.size(); ++i)
        QVERIFY(std::fmod(values[i], 64) == 0 && values[i] > values[i - 1]);
}

void TestSweep::aShareIsDividedEvenly()
{
    const std::vector<double> values =
        sweepValues(field("inference.gpu_memory_utilization"), 0.5, 1, 6);
    QVERIFY(values.size() == 6);
    QVERIFY(std::abs(values[1] - 0.6) < 1e-12);
}

void TestSweep::everyFieldGetsValuesWithinItsRange()
{
    for (const Field &one : planFields()) {
        if (!sweepable(one))
            continue;
        const std::vector<double> values = sweepValues(one, one.minimum, one.maximum, kMost, 16);
        QVERIFY(!values.empty() && values.size() <= 60 + kMost);
        QVERIFY(values.front() >= one.minimum && values.back() <= one.maximum);
        QVERIFY(std::ranges::is_sorted(values));
    }
}

void TestSweep::theCrossingIsWhereFittingEnds()
{
    std::vector<SweepPoint> points(5);
    for (SweepPoint &point : points)
        point.verdict = Verdict::DoesNotFit;
    QVERIFY(!crossingOf(points));
    points[0].verdict = points[1].verdict = Verdict::Fits;
    points[2].verdict.reset(); // it has no figures
    const std::optional<SweepCrossing> crossing = crossingOf(points);
    QVERIFY(crossing && crossing->better == 1 && crossing->worse == 3);
    points[3].verdict = Verdict::Tight;
    QVERIFY(crossingOf(points) && crossingOf(points)->worse == 3);
    std::ranges::reverse(points); // memory falls with the field
    const std::optional<SweepCrossing> falling = crossingOf(points);
    QVERIFY(falling && falling->better == 3 && falling->worse == 1);
    points[3].verdict = points[4].verdict = Verdict::Tight; // now none fits
    QVERIFY(crossingOf(points) && crossingOf(points)->better == 1 &&
            crossingOf(points)->worse == 0);
}

void TestSweep::theCrossingAgreesWithTheLargestValue()
{
    const Field &length = field("batch.sequence_length");
    const Result<ValueThatFits> largest = largestThatFits(planToSweep(), length);
    QVERIFY(largest.ok() && largest->answer && largest->next);
    const std::vector<SweepPoint> points =
        sweep(planToSweep(), length, sweepValues(length, 128, 1 << 20, kMost, 64));
    const std::optional<SweepCrossing> crossing = crossingOf(points);
    QVERIFY(crossing);
    const auto value = static_cast<double>(largest->answer->value); // it may be tight
    QVERIFY(points[crossing->better].value <= value);
    QCOMPARE(points[crossing->better].verdict, std::optional(Verdict::Fits));
    QVERIFY(points[crossing->worse].value > value ||
            largest->answer->standing->verdict == Verdict::Tight);
}

VRAMSCOPE_TEST(TestSweep)
#include "tst_sweep.moc"
