// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/exact.h"
#include "core/estimate/estimate.h"
#include "core/estimate/peak_summary.h"
#include "core/plan/plan_json.h"
#include "core/settings/settings.h"
#include "tests/support/process.h"
#include "tests/support/random_plans.h"
#include "tests/support/test.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <map>

using namespace vramscope;
using test::Random;

namespace {

constexpr int kPlans = test::kSanitized ? 200 : 1000; // for each of five laws

QByteArray shown(const Plan &plan)
{
    return QByteArray::fromStdString(planJson(plan));
}

/// Bytes of each component of each moment, by "moment: name".
std::map<std::string, Component> componentsOf(const Estimate &result)
{
    std::map<std::string, Component> all;
    for (const Moment &moment : result.moments)
        for (const Component &component : moment.components)
            all.emplace(moment.name + ": " + component.name, component);
    return all;
}

Bytes statesAtRest(const Estimate &result)
{
    Bytes sum = 0;
    for (const Moment &moment : result.moments)
        for (const Component &component : moment.components)
            if (moment.name == "at rest" && (component.category == Category::OptimizerStates ||
                                             component.name.find("eight") != std::string::npos))
                sum += component.bytes;
    return sum;
}

/// A training plan without what makes its states more than the sum of its parameters' states.
Plan plainTrainingPlan(Random &random)
{
    Plan plan = test::randomTrainingPlan(random);
    plan.parallel = {};
    plan.optimizer.offload = false;
    plan.hardware.gpus = std::nullopt;
    plan.adapters = {};
    if (plan.optimizer.name == OptimizerName::Adafactor ||
        plan.optimizer.name == OptimizerName::AdafactorTorch)
        plan.optimizer.name = OptimizerName::AdamW; // whose states go by parameter, not by row
    if (plan.precision.regime == Regime::Fp8 || plan.precision.regime == Regime::FsdpMixedBf16)
        plan.precision.regime = Regime::MegatronBf16;
    return plan;
}

} // namespace

class TestLaws : public test::Test
{
    Q_OBJECT

private slots:
    void whatTheChecksAcceptIsComputedAndAddsUp();
    void theFootprintIsTheEstimateWithoutItsTexts();
    void everyPartIsAffineInTheMicroBatchAndActivationsAreProportional();
    void statesAreDividedByTheShardGroup();
    void theStatesOfTheStagesAddUpToTheModels();
};

void TestLaws::whatTheChecksAcceptIsComputedAndAddsUp()
{
    Random random(1);
    for (int trial = 0; trial < kPlans; ++trial) {
        const Plan plan = test::randomPlan(random);
        const Estimate result = estimate(plan);
        QVERIFY2(result.computed, shown(plan));
        for (const Moment &moment : result.moments) {
            Exact sum;
            for (const Component &component : moment.components) {
                QVERIFY2(component.bytes > 0, shown(plan));
                sum += component.bytes;
            }
            QVERIFY2(sum.value() == moment.allocated && !sum.overflowed(), shown(plan));
            QVERIFY2(moment.allocated <= result.peakAllocated, shown(plan));
        }
        QVERIFY2(result.moments[result.peakMoment].allocated == result.peakAllocated, shown(plan));
        QVERIFY2(result.communicationBytes >= 0 && result.hostBytes >= 0, shown(plan));
        QVERIFY2(result.recomputeShare >= 0 && result.recomputeShare <= 0.34, shown(plan));
        QVERIFY2(result.bubbleShare >= 0 && result.bubbleShare < 1, shown(plan));
        if (!result.stages.empty() && !plan.parallel.stage)
            QVERIFY2(std::ranges::max(result.stages) == result.peakAllocated, shown(plan));
    }
}

void TestLaws::theFootprintIsTheEstimateWithoutItsTexts()
{
    Random random(2);
    for (int trial = 0; trial < kPlans; ++trial) {
        const Plan plan = test::randomPlan(random);
        const Estimate whole = estimate(plan);
        const Settings settings = resolve(plan).settings;
        const auto fast = peakSummary(settings, countParameters(settings.architecture));
        QVERIFY2(fast, shown(plan));
        const auto levels = [](const auto &it) {
            return std::tuple(it.firstStepAllocated, it.atRest, it.hostBytes, it.communicationBytes,
                              it.recomputeShare, it.bubbleShare);
        };
        QVERIFY2(levels(*fast) == levels(whole), shown(plan));
        QVERIFY2(fast->allocated == whole.peakAllocated && fast->reserved == whole.peakReserved &&
                     fast->device == whole.peakDevice,
                 shown(plan));
        QVERIFY2(fast->peakAt() == whole.peakAt && fast->firstStepAt() == whole.firstStepAt,
                 shown(plan));
        QCOMPARE(fast->inference.has_value(), whole.inference.has_value());
        if (fast->inference)
            QVERIFY2(fast->inference->kvTokens == whole.inference->kvTokens &&
                         fast->inference->weights == whole.inference->weights,
                     shown(plan));
    }
}

/// Parts that hold the higher of two instants, of which few tokens have the one and many the other,
/// or a copy that the second sequence makes.
bool isHigherOfTwo(std::string_view name)
{
    constexpr auto kNames = std::to_array<std::string_view>(
        {"Logits and loss", "Gradient of the head, beyond the loss", "Gradients of the whole block",
         "Loss of one chunk", "Loss of the chunks", "Gradients of the chunks' logits",
         "Gradients of the head, chunk by chunk", "Gradient of the hidden states",
         "Gradients of the running experts"});
    return std::ranges::any_of(kNames,
                               [name](std::string_view one) { return name.ends_with(one); });
}

void TestLaws::everyPartIsAffineInTheMicroBatchAndActivationsAreProportional()
{
    Random random(3);
    for (int trial = 0; trial < kPlans; ++trial) {
        Plan plan = test::randomTrainingPlan(random);
        plan.parallel.stage = 0; // the worst stage may be another for another batch
        plan.activations.capacityFactor = plan.activations.loadImbalance = std::nullopt;
        // FlashAttention 2 under Transformer Engine keeps more from the second sequence on.
        plan.activations.attentionBackend = AttentionBackend::Cudnn;
        std::array<std::map<std::string, Component>, 3> parts;
        for (int batch = 1; batch <= 3; ++batch) {
            plan.batch.microBatch = batch;
            parts[static_cast<std::size_t>(batch - 1)] = componentsOf(estimate(plan));
        }
        QVERIFY2(!parts[0].empty(), shown(plan));
        for (const auto &[name, one] : parts[0]) {
            if (isHigherOfTwo(name))
                continue;
            if (!parts[1].contains(name) || !parts[2].contains(name)) {
                // Points within the passes are moments only where the peak stands there.
                // Loading is one where it takes more than what stays at rest.
                QVERIFY2(name.starts_with("backward of block") || name.starts_with("after ") ||
                             name.starts_with("load"),
                         name.c_str());
                continue;
            }
            const Bytes two = parts[1][name].bytes;
            const Bytes three = parts[2][name].bytes;
            const Bytes bend = (three - two) - (two - one.bytes); // roundings to whole bytes
            // The largest layer is another one from some batch on.
            const bool largest = name.ends_with("Quantised operands of a linear layer");
            // What a block's second high is above its first shrinks as activations grow.
            if (name.ends_with("Gradients of the whole block") ||
                name.ends_with("Block gradients and their reduction"))
                continue;
            QVERIFY2(std::abs(bend) <= 2 || (largest && bend > 0),
                     (name + '\n').c_str() + shown(plan));
            QVERIFY2(two >= one.bytes, (name + '\n').c_str() + shown(plan));
            // Tables of positions are those of one sequence.
            if (one.category == Category::Activations && !name.ends_with("Rotary tables"))
                QVERIFY2(two == 2 * one.bytes, (name + '\n').c_str() + shown(plan));
        }
    }
}

void TestLaws::statesAreDividedByTheShardGroup()
{
    Random random(4);
    for (int trial = 0; trial < kPlans; ++trial) {
        Plan plan = plainTrainingPlan(random);
        plan.parallel.strategy = trial % 2 == 0 ? Strategy::Fsdp2 : Strategy::Zero3;
        plan.parallel.bucket.persistence = 0;
        const Bytes whole = statesAtRest(estimate(plan));
        const std::int64_t ranks = std::array<std::int64_t, 4>{2, 7, 8, 512}[random() % 4];
        plan.parallel.data = ranks;
        const Estimate result = estimate(plan);
        QVERIFY2(result.computed && whole > 0, shown(plan));
        const Bytes rounding = ranks * 8 * 4; // each of four kinds of state by one element
        const Bytes back = statesAtRest(result) * ranks;
        QVERIFY2(back >= whole && back < whole + rounding, shown(plan));
    }
}

void TestLaws::theStatesOfTheStagesAddUpToTheModels()
{
    Random random(5);
    for (int trial = 0; trial < kPlans; ++trial) {
        Plan plan = plainTrainingPlan(random);
        plan.parallel.headStage =
            HeadStage::First; // one copy of an embedding that is also the head
        const Estimate whole = estimate(plan);
        QVERIFY2(whole.computed, shown(plan));
        const auto layers = resolve(plan).settings.architecture.layers;
        plan.parallel.pipeline =
            1 + static_cast<std::int64_t>(random()) % std::min<std::int64_t>(layers, 9);
        Bytes states = 0;
        std::int64_t parameters = 0;
        for (std::int64_t stage = 0; stage < *plan.parallel.pipeline; ++stage) {
            plan.parallel.stage = stage;
            const Estimate part = estimate(plan);
            QVERIFY2(part.computed, shown(plan));
            states += statesAtRest(part);
            parameters += part.parametersPerRank;
        }
        QVERIFY2(parameters == whole.parametersTotal, shown(plan));
        QVERIFY2(std::abs(states - statesAtRest(whole)) <= 8 * *plan.parallel.pipeline,
                 shown(plan));
    }
}

VRAMSCOPE_TEST(TestLaws)
#include "tst_laws.moc"
