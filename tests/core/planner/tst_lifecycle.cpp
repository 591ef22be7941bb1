// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/estimate/lifecycle.h"
#include "tests/core/planner/sample_plans.h"
#include "tests/support/random_plans.h"
#include "tests/support/test.h"

#include <algorithm>
#include <numeric>

using namespace vramscope;
using namespace vramscope::test;

namespace {

Bytes highest(const std::vector<LifecyclePoint> &points)
{
    Bytes most = 0;
    for (const LifecyclePoint &point : points)
        most = std::max(most, point.allocated);
    return most;
}

/// Bytes of a category at a point.
Bytes ofCategory(const Lifecycle &step, const LifecyclePoint &point, Category category)
{
    Bytes sum = 0;
    for (std::size_t i = 0; i < point.bytes.size(); ++i)
        if (step.parts[i].category == category)
            sum += point.bytes[i];
    return sum;
}

/// The points at which a block runs or has run, in order of time.
std::vector<LifecyclePoint> passOf(const Lifecycle &step, std::string_view pass, bool after)
{
    std::vector<LifecyclePoint> points;
    for (const LifecyclePoint &point : step.steadyStep)
        if (point.block >= 0 && point.after == after &&
            point.moment.find(pass) != std::string::npos)
            points.push_back(point);
    return points;
}

/// What disagrees between a plan's step and its estimate; nothing where they agree.
QString disagreement(const Plan &plan)
{
    const Estimate result = estimate(plan);
    const Lifecycle step = lifecycle(estimate(plan));
    if (!result.computed)
        return step.steadyStep.empty() ? QString() : QStringLiteral("a step without figures");
    const Bytes peak = std::max(highest(step.steadyStep), highest(step.firstStep));
    if (peak != result.peakAllocated)
        return QStringLiteral("peak %1, not %2, at %3")
            .arg(peak)
            .arg(result.peakAllocated)
            .arg(QString::fromStdString(result.peakAt));
    if (highest(step.firstStep) != result.firstStepAllocated)
        return QStringLiteral("first step's peak %1, not %2")
            .arg(highest(step.firstStep))
            .arg(result.firstStepAllocated);
    for (const LifecyclePoint &point : step.steadyStep) {
        const Bytes sum = std::accumulate(point.bytes.begin(), point.bytes.end(), Bytes(0));
        if (sum != point.allocated || std::ranges::min(point.bytes) < 0)
            return QStringLiteral("parts do not add up at ") + QString::fromStdString(point.moment);
    }
    for (const Moment &moment : result.moments) {
        const auto same = std::ranges::find_if(step.steadyStep, [&](const LifecyclePoint &point) {
            return point.moment == moment.name;
        });
        if (moment.name != "load" &&
            (same == step.steadyStep.end() || same->allocated != moment.allocated))
            return QStringLiteral("differs at ") + QString::fromStdString(moment.name);
    }
    return {};
}

} // namespace

class TestLifecycle : public Test
{
    Q_OBJECT

private slots:
    void agreesWithTheEstimateOfAnyPlan()
    {
        std::mt19937 random(20261121);
        for (int i = 0; i < 2000; ++i) {
            const Plan plan = randomTrainingPlan(random);
            const QString what = disagreement(plan);
            QVERIFY2(what.isEmpty(), qPrintable(QString("plan %1: %2").arg(i).arg(what)));
        }
    }

    void aPeakWithinTheBlocksIsFoundAndNamed()
    {
        // 7 blocks in segments of 3: the ragged segment comes first in backward and takes less
        // than the whole one after it.
        Plan plan = smallPlan();
        plan.model.preset = "llama-3-8b";
        plan.activations.checkpointing = Checkpointing::EveryK;
        plan.activations.every = 31;
        plan.loss = LossKind::LinearFused;
        plan.optimizer.name = OptimizerName::Sgd;
        const Estimate result = estimate(plan);
        QCOMPARE(QString::fromStdString(result.peakAt), QStringLiteral("backward of block 31"));
        QVERIFY(disagreement(plan).isEmpty());
    }

    void activationsComeInForwardAndGoInBackward()
    {
        const Lifecycle step = lifecycle(estimate(smallPlan()));
        const std::vector<LifecyclePoint> forward = passOf(step, "forward", false);
        const std::vector<LifecyclePoint> backward = passOf(step, "backward", true);
        QCOMPARE(forward.size(), std::size_t(32));
        QCOMPARE(backward.size(), std::size_t(32));
        for (std::size_t i = 1; i < forward.size(); ++i) {
            QVERIFY(ofCategory(step, forward[i], Category::Activations) >
                    ofCategory(step, forward[i - 1], Category::Activations));
            QVERIFY(ofCategory(step, backward[i], Category::Activations) <
                    ofCategory(step, backward[i - 1], Category::Activations));
            QVERIFY(ofCategory(step, backward[i], Category::Gradients) >
                    ofCategory(step, backward[i - 1], Category::Gradients));
        }
    }

    void gatheredBlocksAreReleasedWhenTheyHaveRun()
    {
        const Lifecycle step = lifecycle(estimate(shardedPlan(8)));
        for (const std::string_view pass : {"forward", "backward"}) {
            const LifecyclePoint runs = passOf(step, pass, false)[3];
            const LifecyclePoint done = passOf(step, pass, true)[3];
            QVERIFY(ofCategory(step, runs, Category::Communication) >
                    ofCategory(step, done, Category::Communication));
        }
    }

    void theFirstStepLacksTheStatesUntilItsOwnStep()
    {
        const Lifecycle step = lifecycle(estimate(smallPlan()));
        const auto states = [&](const std::vector<LifecyclePoint> &points, std::string_view name) {
            const auto found = std::ranges::find(points, name, &LifecyclePoint::moment);
            return ofCategory(step, *found, Category::OptimizerStates);
        };
        QCOMPARE(states(step.firstStep, "loss"), Bytes(0));
        QCOMPARE(states(step.firstStep, "optimizer step"), states(step.steadyStep, "loss"));
        QVERIFY(states(step.steadyStep, "loss") > 0);
    }
};

VRAMSCOPE_TEST(TestLifecycle)
#include "tst_lifecycle.moc"
