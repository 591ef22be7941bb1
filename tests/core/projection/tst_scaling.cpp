// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/estimate/estimate.h"
#include "core/projection/scaling.h"
#include "core/settings/settings.h"
#include "core/validation/throughput.h"
#include "tests/support/test.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <vector>

using namespace vramscope;

namespace {

/// The runs of the published families that differ in their GPUs alone, the fewest first.
std::vector<std::vector<ThroughputRow>> weakFamilies()
{
    const std::vector<ThroughputRow> rows = shippedThroughput();
    std::vector<std::vector<ThroughputRow>> families;
    for (const SpeedFamily &family : validateSpeeds(rows).families) {
        if (family.kind != FamilyKind::Weak)
            continue;
        std::vector<ThroughputRow> &runs = families.emplace_back();
        for (const ThroughputRow &row : rows)
            if (row.family == family.name)
                runs.push_back(row);
        std::ranges::sort(runs, {},
                          [](const ThroughputRow &row) { return *row.plan.hardware.gpus; });
    }
    return families;
}

} // namespace

class TestScaling : public test::Test
{
    Q_OBJECT

private slots:
    void theLargestRunOfAFamilyFollowsFromItsSmallest_data();
    void theLargestRunOfAFamilyFollowsFromItsSmallest();
    void strongScalingKeepsTheSequencesOfAStep();
    void thereIsAlwaysANumberOfGpus();
};

void TestScaling::theLargestRunOfAFamilyFollowsFromItsSmallest_data()
{
    QTest::addColumn<int>("at");
    const auto families = weakFamilies();
    for (std::size_t at = 0; at < families.size(); ++at)
        QTest::newRow(families[at].front().family.c_str()) << static_cast<int>(at);
    QVERIFY(families.size() >= 11);
}

void TestScaling::theLargestRunOfAFamilyFollowsFromItsSmallest()
{
    QFETCH(int, at);
    const std::vector<ThroughputRow> runs = weakFamilies()[static_cast<std::size_t>(at)];
    const ThroughputRow &fewest = runs.front();
    const ThroughputRow &most = runs.back();
    const Estimate first = estimate(fewest.plan);
    QVERIFY2(first.computed, whyNotComputed(first).c_str());
    const auto gpus = static_cast<double>(first.settings->gpus);
    const auto calibration = calibrate(
        *first.settings, first.work,
        {.seconds = first.work.tokens / (fewest.tokensPerGpu * gpus), .source = fewest.source});
    QVERIFY2(calibration, calibration ? "" : calibration.error().detail.c_str());
    const std::array counts = {*fewest.plan.hardware.gpus, *most.plan.hardware.gpus};
    const auto points = scalePoints(fewest.plan, counts, Scaling::Weak, &*calibration);
    QVERIFY2(points[1].known(), points[1].whyNot.c_str());
    const double speed = points[1].time.tokensPerSecond().likely / static_cast<double>(counts[1]);
    const QByteArray told =
        "share " + QByteArray::number(calibration->fits.front().arithmeticShare) + ", predicted " +
        QByteArray::number(speed) + ", published " + QByteArray::number(most.tokensPerGpu) +
        ", off by " + QByteArray::number(100 * (speed / most.tokensPerGpu - 1)) + " %";
    qInfo("%s", told.constData());
    QVERIFY2(std::abs(speed / most.tokensPerGpu - 1) < 0.05, told);
}

// A plan for one GPU states no replicas.
void TestScaling::strongScalingKeepsTheSequencesOfAStep()
{
    Plan plan;
    plan.model.preset = "gpt2";
    plan.hardware.gpu = "h100-sxm-80gb";
    plan.hardware.gpus = 1;
    plan.parallel.strategy = Strategy::None;
    plan.batch.microBatch = 8;
    for (const std::int64_t gpus : {1, 2, 8}) {
        const Result<Plan> other = planOn(plan, gpus, Scaling::Strong);
        QVERIFY2(other, other ? "" : other.error().detail.c_str());
        const Settings s = resolve(*other).settings;
        QCOMPARE(s.gpus, gpus);
        QCOMPARE(s.microBatch * s.accumulationSteps * s.data, 8);
    }
    const Result<Plan> tooMany = planOn(plan, 16, Scaling::Strong);
    QVERIFY(!tooMany);
    QCOMPARE(tooMany.error().detail, "8 sequences a step do not divide over 16 replicas.");
}

// Whatever the degrees of a plan are, one replica has a number of GPUs.
void TestScaling::thereIsAlwaysANumberOfGpus()
{
    Plan plan;
    plan.workload = Workload::Inference;
    plan.model.preset = "llama-3.1-70b";
    plan.hardware.gpus = 2;
    for (const std::int64_t degree : std::initializer_list<std::int64_t>{1, 3, 4096, 1'000'000}) {
        plan.parallel.tensor = plan.parallel.pipeline = plan.parallel.context = degree;
        const std::vector<std::int64_t> counts = usualCounts(plan);
        QVERIFY(!counts.empty());
        QCOMPARE(counts.front(), degree * degree * degree);
        QVERIFY(std::ranges::is_sorted(counts));
    }
}

VRAMSCOPE_TEST(TestScaling)
#include "tst_scaling.moc"
