// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/estimate/estimate.h"
#include "core/settings/settings.h"
#include "core/solver/projected_plan.h"
#include "core/solver/strategies.h"
#include "tests/support/test.h"

#include <algorithm>
#include <string>

using namespace vramscope;

namespace {

Plan planOf(const char *model, const char *gpu, std::int64_t gpus)
{
    Plan plan;
    plan.model.preset = model;
    plan.hardware.gpu = gpu;
    plan.hardware.gpus = gpus;
    plan.parallel.data = gpus;
    plan.parallel.strategy = Strategy::Fsdp2;
    plan.precision.regime = Regime::FsdpMixedBf16;
    plan.batch.sequenceLength = 4096;
    plan.batch.accumulationSteps = 4;
    return plan;
}

double speedOf(const StrategyOption &option)
{
    return option.time.tokensPerSecond().likely;
}

} // namespace

class TestStrategies : public test::Test
{
    Q_OBJECT

private slots:
    void optionsAreWhatThePlannerAndTheProjectionSay_data();
    void optionsAreWhatThePlannerAndTheProjectionSay();
    void theFrontGivesUpSpeedForMemory();
    void plainDataParallelismIsTooLargeForALargeModel();
    void aModelOfExpertsCanSpreadThem();
    void aSlowNetworkIsWhatWouldChangeTheChoice();
    void oneGpuHasNothingToDivide();
    void whatCannotBeComparedSaysWhy();
    void aPlanWithoutFiguresIsNotProjected_data();
    void aPlanWithoutFiguresIsNotProjected();
};

void TestStrategies::optionsAreWhatThePlannerAndTheProjectionSay_data()
{
    QTest::addColumn<QByteArray>("model");
    QTest::addColumn<int>("gpus");
    QTest::newRow("8B on 8") << QByteArray("llama-3.1-8b") << 8;
    QTest::newRow("70B on 64") << QByteArray("llama-3.1-70b") << 64;
    QTest::newRow("experts on 64") << QByteArray("qwen3-30b-a3b") << 64;
}

void TestStrategies::optionsAreWhatThePlannerAndTheProjectionSay()
{
    QFETCH(QByteArray, model);
    QFETCH(int, gpus);
    const Plan plan = planOf(model.constData(), "h100-sxm-80gb", gpus);
    const auto guide = strategyGuide(plan);
    QVERIFY2(guide, guide ? "" : guide.error().detail.c_str());
    QVERIFY(!guide->options.empty());
    const double sequences = 4.0 * gpus;
    for (const StrategyOption &option : guide->options) {
        const Estimate it = estimate(option.plan);
        QVERIFY2(it.computed, option.title.c_str());
        QCOMPARE(option.standing.device, it.peakDevice);
        QVERIFY2(it.peakDevice <= *it.capacity, option.title.c_str());
        const auto time = projectStep(*it.settings, it.work);
        QVERIFY(time);
        QCOMPARE(option.time.seconds.likely, time->seconds.likely);
        QCOMPARE(it.settings->gpus, std::int64_t(gpus));
        QVERIFY2(option.time.tokens >= sequences * 4096, option.title.c_str());
    }
    // Each reason that compares names the figures of its option.
    QVERIFY(guide->reasons.size() > 1);
    for (const std::string &reason : guide->reasons)
        QVERIFY2(reason.find("GiB") != reason.npos, reason.c_str());
    QVERIFY(guide->fitting <= guide->weighed);
}

void TestStrategies::theFrontGivesUpSpeedForMemory()
{
    const auto guide = strategyGuide(planOf("llama-3.1-8b", "h100-sxm-80gb", 8));
    QVERIFY(guide);
    const StrategyOption *before = nullptr;
    int onFront = 0;
    for (const StrategyOption &option : guide->options) {
        if (before)
            QVERIFY(speedOf(option) <= speedOf(*before) * 1.006);
        if (!option.onFront)
            continue;
        ++onFront;
        if (before && before->onFront)
            QVERIFY(option.standing.device < before->standing.device);
        before = &option;
    }
    QVERIFY(guide->options.front().onFront);
    QVERIFY(onFront > 1);
}

void TestStrategies::plainDataParallelismIsTooLargeForALargeModel()
{
    const auto guide = strategyGuide(planOf("llama-3.1-70b", "h100-sxm-80gb", 64));
    QVERIFY(guide);
    const auto plain =
        std::ranges::find(guide->tooLarge, StrategyKind::Plain, &StrategyOption::kind);
    QVERIFY(plain != guide->tooLarge.end());
    QVERIFY(plain->standing.headroom < 0);
    QVERIFY(std::ranges::any_of(guide->reasons, [](const std::string &reason) {
        return reason.starts_with("Plain data parallelism does not fit");
    }));
    QVERIFY(std::ranges::any_of(guide->options, [](const StrategyOption &option) {
        return option.kind == StrategyKind::Sharded;
    }));
}

void TestStrategies::aModelOfExpertsCanSpreadThem()
{
    const auto guide = strategyGuide(planOf("qwen3-30b-a3b", "h100-sxm-80gb", 64));
    QVERIFY(guide);
    const auto spread = [](const StrategyOption &option) {
        const Settings s = resolve(option.plan).settings;
        return option.kind == StrategyKind::Experts && s.expert > 1 &&
               std::ranges::any_of(option.time.terms, [](const TimeTerm &term) {
                   return term.name == "Exchange with the experts" && term.seconds > 0;
               });
    };
    QVERIFY(std::ranges::any_of(guide->options, spread) ||
            std::ranges::any_of(guide->tooLarge, spread));
}

void TestStrategies::aSlowNetworkIsWhatWouldChangeTheChoice()
{
    Plan plan = planOf("qwen3-30b-a3b", "h100-sxm-80gb", 128);
    const auto guide = strategyGuide(plan);
    QVERIFY(guide);
    const std::string start = "With a network of ";
    const auto said = std::ranges::find_if(
        guide->changes, [&](const std::string &each) { return each.starts_with(start); });
    QVERIFY(said != guide->changes.end());
    // What is said is what a plan with that network gets.
    plan.hardware.networkGigabits = std::stoll(said->substr(start.size()));
    const auto slow = strategyGuide(plan);
    QVERIFY(slow);
    QVERIFY2(said->find(slow->options.front().title) != said->npos, said->c_str());
    QVERIFY(slow->options.front().title != guide->options.front().title);
    QVERIFY(speedOf(slow->options.front()) < speedOf(guide->options.front()));
}

void TestStrategies::oneGpuHasNothingToDivide()
{
    const auto guide = strategyGuide(planOf("qwen2.5-0.5b", "h100-sxm-80gb", 1));
    QVERIFY2(guide, guide ? "" : guide.error().detail.c_str());
    for (const StrategyOption &option : guide->options)
        QCOMPARE(option.kind, StrategyKind::OneGpu);
}

void TestStrategies::whatCannotBeComparedSaysWhy()
{
    Plan plan = planOf("llama-3.1-8b", "h100-sxm-80gb", 8);
    plan.workload = Workload::Inference;
    const auto served = strategyGuide(plan);
    QVERIFY(!served);
    QVERIFY(served.error().detail.starts_with("Strategies are compared for the training"));
    Plan fp32 = planOf("llama-3.1-8b", "h100-sxm-80gb", 8);
    fp32.precision.regime = Regime::Fp32;
    const auto unknown = strategyGuide(fp32);
    QVERIFY(!unknown);
    QVERIFY(unknown.error().detail.find("fp32") != std::string::npos);
}

void TestStrategies::aPlanWithoutFiguresIsNotProjected_data()
{
    QTest::addColumn<int>("tensor");
    QTest::addColumn<int>("pipeline");
    QTest::addColumn<int>("context");
    QTest::addColumn<bool>("trains");
    int row = 0;
    for (const bool trains : {false, true})
        for (const auto &[tensor, pipeline, context] :
             {std::tuple(4096, 1, 1), std::tuple(3, 1, 1), std::tuple(1, 5000, 1),
              std::tuple(1, 1, 100'000), std::tuple(1'000'000, 1'000'000, 1'000'000)})
            QTest::addRow("%d", row++) << tensor << pipeline << context << trains;
}

void TestStrategies::aPlanWithoutFiguresIsNotProjected()
{
    QFETCH(const int, tensor);
    QFETCH(const int, pipeline);
    QFETCH(const int, context);
    QFETCH(const bool, trains);
    Plan plan = planOf("llama-3.1-70b", "h200-sxm-141gb", 2);
    plan.workload = trains ? Workload::Training : Workload::Inference;
    plan.parallel.data.reset();
    plan.parallel.tensor = tensor;
    plan.parallel.pipeline = pipeline;
    plan.parallel.context = context;
    const Estimate stated = estimate(plan);
    QVERIFY(!stated.computed);
    const auto projected = projectPlan(plan, usualCounts(plan), {});
    QVERIFY(!projected);
    for (const Issue &issue : stated.issues)
        QVERIFY2(issue.severity != Issue::Severity::Blocking ||
                     projected.error().detail.find(issue.text) != std::string::npos,
                 projected.error().detail.c_str());
}

VRAMSCOPE_TEST(TestStrategies)
#include "tst_strategies.moc"
