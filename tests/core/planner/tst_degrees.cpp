// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/estimate/estimate.h"
#include "core/settings/degrees.h"
#include "core/settings/settings.h"
#include "tests/core/planner/sample_plans.h"
#include "tests/support/test.h"

#include <limits>

using namespace vramscope;
using namespace vramscope::test;

namespace {

using Count = std::optional<std::int64_t>;

/// A plan of eight GPUs in data parallel, stated or not, after tensor parallelism was set.
Plan splitBy(std::int64_t tensor, bool stated = true)
{
    Plan before = shardedPlan(8);
    if (stated)
        before.hardware.gpus = 8;
    Plan plan = before;
    plan.parallel.tensor = tensor;
    keepGpus(plan, before);
    return plan;
}

} // namespace

class TestDegrees : public Test
{
    Q_OBJECT

private slots:
    void aDegreeTakesItsGpusFromDataParallelism()
    {
        for (const std::int64_t tensor : {2, 4, 8}) {
            const Plan plan = splitBy(tensor);
            QCOMPARE(plan.parallel.data, Count(8 / tensor));
            QCOMPARE(plan.hardware.gpus, Count(8));
            QVERIFY(estimate(plan).computed);
        }
    }

    void whatItGaveUpComesBack()
    {
        Plan plan = splitBy(8);
        const Plan before = plan;
        plan.parallel.tensor = 2;
        keepGpus(plan, before);
        QCOMPARE(plan.parallel.data, Count(4));
    }

    void degreesThatDoNotDivideTheGpusAreRefusedAndNothingGrows()
    {
        for (const std::int64_t tensor : {16, 32}) {
            const Plan plan = splitBy(tensor);
            QCOMPARE(plan.hardware.gpus, Count(8));
            QCOMPARE(plan.parallel.data, Count(8));
            const Estimate result = estimate(plan);
            QVERIFY(!result.computed);
            QCOMPARE(whyNotComputed(result),
                     "hardware.gpus: The 8 GPUs do not divide by tensor × pipeline × context = " +
                         std::to_string(tensor) + '.');
        }
    }

    void gpusThatNobodyStatedGrowByWhatDataParallelismLacks()
    {
        QCOMPARE(splitBy(8, false).parallel.data.value_or(1), std::int64_t(1));
        const Plan grown = splitBy(32, false);
        QVERIFY(!grown.hardware.gpus);
        QCOMPARE(grown.parallel.data.value_or(1), std::int64_t(1));
        QCOMPARE(resolve(grown).settings.gpus, std::int64_t(32));
    }

    void whereNothingIsReplicatedThoseGpusShrinkAgain()
    {
        Plan before = smallPlan();
        before.parallel.tensor = 8;
        Plan plan = before;
        plan.parallel.tensor = 2;
        keepGpus(plan, before);
        QVERIFY(!plan.parallel.data && estimate(plan).computed);
        QCOMPARE(resolve(plan).settings.gpus, std::int64_t(2));
    }

    void theFewestGpusThatReplicasFillAreAMultipleOfThoseGiven()
    {
        PlanParallel parallel;
        parallel.tensor = 4;
        parallel.context = 3;
        QCOMPARE(replicaGpus(parallel), Count(12));
        QCOMPARE(fewestFilled(parallel, 8), Count(24));
        QCOMPARE(fewestFilled(parallel, 24), Count(24));
        QVERIFY(fillGpus(parallel, 24) && parallel.data == 2);
        QVERIFY(!fillGpus(parallel, 8) && parallel.data == 2);
    }

    void degreesBeyondCountingAreRefusedCalmly()
    {
        PlanParallel parallel;
        parallel.tensor = std::numeric_limits<std::int64_t>::max();
        parallel.pipeline = 2;
        QVERIFY(!replicaGpus(parallel) && !fillGpus(parallel, 8) && !fewestFilled(parallel, 8));
        parallel.pipeline = 0;
        QVERIFY(!replicaGpus(parallel) && !fillGpus(parallel, 8));
        parallel.pipeline = 1;
        QVERIFY(!fewestFilled(parallel, 8));
        Plan plan;
        plan.parallel = parallel;
        plan.parallel.data = parallel.tensor;
        keepGpus(plan, plan);
    }
};

VRAMSCOPE_TEST(TestDegrees)
#include "tst_degrees.moc"
