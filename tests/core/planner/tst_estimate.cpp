// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/estimate/estimate.h"
#include "core/plan/field.h"
#include "core/settings/settings.h"
#include "tests/core/planner/sample_plans.h"
#include "tests/support/random_plans.h"
#include "tests/support/test.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <set>

using namespace vramscope;
using test::shardedPlan;
using test::smallPlan;

namespace {

/// The value of a formula's right-hand side: numbers with commas, + - × /, parentheses and ⌈ ⌉.
class Arithmetic
{
public:
    explicit Arithmetic(const std::string &formula)
        : m_text(formula.substr(formula.rfind(" = ") + 3))
    {
    }

    [[nodiscard]] double value()
    {
        const double result = sum();
        skip();
        return m_at == m_text.size() ? result : std::numeric_limits<double>::quiet_NaN();
    }

private:
    void skip()
    {
        while (m_at < m_text.size() && m_text[m_at] == ' ')
            ++m_at;
    }
    bool take(std::string_view token)
    {
        skip();
        if (m_text.compare(m_at, token.size(), token) != 0)
            return false;
        m_at += token.size();
        return true;
    }
    double sum()
    {
        double result = product();
        for (;;) {
            if (take("+"))
                result += product();
            else if (take("-"))
                result -= product();
            else
                return result;
        }
    }
    double product()
    {
        double result = factor();
        for (;;) {
            if (take("×"))
                result *= factor();
            else if (take("/"))
                result /= factor();
            else
                return result;
        }
    }
    double factor()
    {
        if (take("(")) {
            const double result = sum();
            return take(")") ? result : std::numeric_limits<double>::quiet_NaN();
        }
        if (take("⌈")) {
            const double result = sum();
            return take("⌉") ? std::ceil(result) : std::numeric_limits<double>::quiet_NaN();
        }
        std::string digits;
        skip();
        while (m_at < m_text.size() && (std::isdigit(static_cast<unsigned char>(m_text[m_at])) ||
                                        m_text[m_at] == ',' || m_text[m_at] == '.')) {
            if (m_text[m_at] != ',')
                digits += m_text[m_at];
            ++m_at;
        }
        return digits.empty() ? std::numeric_limits<double>::quiet_NaN() : std::stod(digits);
    }

    std::string m_text;
    std::size_t m_at = 0;
};

Bytes ofCategory(const Moment &moment, Category category)
{
    Bytes sum = 0;
    for (const Component &component : moment.components)
        if (component.category == category)
            sum += component.bytes;
    return sum;
}

const Moment &momentOf(const Estimate &result, std::string_view name)
{
    const auto found = std::ranges::find(result.moments, name, &Moment::name);
    return found != result.moments.end() ? *found : result.moments.front();
}

Bytes named(const Estimate &result, std::string_view moment, std::string_view name)
{
    for (const Component &component : momentOf(result, moment).components)
        if (component.name == name)
            return component.bytes;
    return 0;
}

/// What holds for every computed plan; the text says what does not.
QString broken(const Estimate &result)
{
    Bytes highest = 0;
    for (const Moment &moment : result.moments) {
        Bytes sum = 0;
        std::set<std::string> names;
        for (const Component &component : moment.components) {
            sum += component.bytes;
            const QString where = QString::fromStdString(moment.name + ": " + component.name +
                                                         ": " + component.formula);
            if (!names.insert(component.name).second)
                return QStringLiteral("twice at ") + where;
            if (component.bytes <= 0 || component.source.empty())
                return QStringLiteral("empty part at ") + where;
            const double value = Arithmetic(component.formula).value();
            const double tolerance = 2 + 1e-9 * std::abs(value);
            if (!(std::abs(value - static_cast<double>(component.bytes)) <= tolerance))
                return QStringLiteral("formula gives %1, not %2, at ")
                           .arg(value, 0, 'f', 1)
                           .arg(component.bytes) +
                       where;
        }
        if (sum != moment.allocated)
            return QStringLiteral("parts do not add up at ") + QString::fromStdString(moment.name);
        highest = std::max(highest, moment.allocated);
    }
    if (highest != result.peakAllocated || result.moments[result.peakMoment].allocated != highest)
        return QStringLiteral("the peak is not the highest moment");
    if (result.firstStepAllocated > highest)
        return QStringLiteral("the first step is above the steady peak");
    if (result.peakReserved < highest || result.peakDevice < result.peakReserved)
        return QStringLiteral("a level is below the one it contains");
    if (result.uncertaintyLow > result.peakDevice || result.uncertaintyHigh < result.peakDevice)
        return QStringLiteral("the band does not hold the figure");
    if (result.reservedLow > result.peakReserved || result.reservedHigh < result.peakReserved)
        return QStringLiteral("the reserved level's band does not hold the figure");
    return {};
}

Bytes peakWith(Plan plan, const std::function<void(Plan &)> &change)
{
    change(plan);
    return estimate(plan).peakAllocated;
}

} // namespace

class TestEstimate : public test::Test
{
    Q_OBJECT

private Q_SLOTS:
    void partsOfAnyPlanAddUpAndTheirFormulasGiveTheirBytes();
    void partsOfAnyServingPlanAddUpAndTheirFormulasGiveTheirBytes();
    void everyPipelineStageIsShownAndTheWorstAnswers();
    void firstPipelineStageKeepsTheMostMicroBatches();
    void tensorParallelismDividesAttentionMlpAndVocabulary();
    void vllmFillsItsShareOfTheGpuWithTheCache();
    void slidingLayersCacheTheirWindowOnly();
    void doublingTheMicroBatchDoublesActivationsAndLoss();
    void shardedStatesTimesTheirRanksAreTheUnshardedOnes();
    void fusedOptimizersNeverTakeMoreThanForeach();
    void checkpointingNeverTakesMoreThanKeepingEverything();
    void memoryGrowsWithBatchAndSequence();
    void noSyncNeverTakesLess();
    void firstStepLacksTheOptimizerStatesUntilItsOwnStep();
    void gradientsPersistAtRestWhereTheLoopDoesNotDropThem();
    void resultsAreTheSameEveryTime();
    void sizesBeyond64BitsAreRefused();
    void everyFieldAtItsEndsGivesFiguresOrAReason_data();
    void everyFieldAtItsEndsGivesFiguresOrAReason();
    void fitsComparesTheDeviceLevelWithTheCapacity();
    void statedOverheadsNarrowTheBand();
    void weightsGatheredOnOtherStreamsReserveMore();
    void theReservedFactorFollowsTheAllocatorsSettings_data();
    void theReservedFactorFollowsTheAllocatorsSettings();
    void sequencesBeyondTheLearnedPositionsAreWarnedOf();
    void contradictionsGiveIssuesAndNoFigures();
};

void TestEstimate::partsOfAnyPlanAddUpAndTheirFormulasGiveTheirBytes()
{
    std::mt19937 random(7);
    int computed = 0;
    for (int i = 0; i < 3000; ++i) {
        const Plan plan = test::randomTrainingPlan(random);
        const Estimate result = estimate(plan);
        if (!result.computed)
            continue;
        ++computed;
        const QString what = broken(result);
        QVERIFY2(what.isEmpty(), qPrintable(what));
    }
    QVERIFY2(computed > 1500, qPrintable(QString::number(computed)));
}

void TestEstimate::partsOfAnyServingPlanAddUpAndTheirFormulasGiveTheirBytes()
{
    std::mt19937 random(3);
    int computed = 0;
    for (int i = 0; i < 2000; ++i) {
        const Estimate result = estimate(test::randomServingPlan(random));
        if (!result.computed)
            continue;
        ++computed;
        QVERIFY(result.inference.has_value());
        const QString what = broken(result);
        QVERIFY2(what.isEmpty(), qPrintable(what));
    }
    QVERIFY2(computed > 1500, qPrintable(QString::number(computed)));
}

void TestEstimate::everyPipelineStageIsShownAndTheWorstAnswers()
{
    Plan plan = smallPlan();
    plan.parallel.pipeline = 4;
    plan.batch.accumulationSteps = 8;
    const Estimate result = estimate(plan);
    QVERIFY(result.computed);
    QCOMPARE(result.stages.size(), std::size_t(4));
    QCOMPARE(result.peakAllocated, *std::ranges::max_element(result.stages));
    plan.parallel.stage = 2;
    QCOMPARE(estimate(plan).peakAllocated, result.stages[2]);
    QVERIFY(estimate(plan).parametersPerRank < result.parametersTotal / 3);
}

void TestEstimate::firstPipelineStageKeepsTheMostMicroBatches()
{
    Plan plan = smallPlan();
    plan.parallel.pipeline = 4;
    plan.batch.accumulationSteps = 8;
    const auto kept = [&](std::int64_t stage) {
        plan.parallel.stage = stage;
        return named(estimate(plan), "loss", "Saved activations");
    };
    const Bytes last = kept(3);
    QVERIFY(last > 0);
    QCOMPARE(kept(0), 4 * last);
    QCOMPARE(kept(2), 2 * last);
}

void TestEstimate::tensorParallelismDividesAttentionMlpAndVocabulary()
{
    Plan plan = smallPlan();
    const Estimate whole = estimate(plan);
    plan.parallel.tensor = 4;
    const Estimate quarter = estimate(plan);
    const std::int64_t norms = (2 * 32 + 1) * 4096;
    QCOMPARE(quarter.parametersPerRank, (whole.parametersTotal - norms) / 4 + norms);
    const Bytes before = named(whole, "loss", "Saved activations");
    const Bytes replicated = named(quarter, "loss", "Saved activations");
    plan.parallel.sequenceParallel = true;
    const Bytes divided = named(estimate(plan), "loss", "Saved activations");
    QVERIFY(replicated < before && divided < replicated);
    // DTensor saves the gathered outputs of both norms, Megatron's layers gather anew.
    const Bytes tokens = plan.batch.microBatch.value_or(1) * plan.batch.sequenceLength.value_or(0);
    QCOMPARE(4 * divided, before + 3 * 32 * 2 * 2 * 4096 * tokens);
    plan.parallel.strategy = Strategy::Megatron;
    plan.activations.kernels = Kernels::Fused;
    plan.parallel.tensor = 1;
    const Bytes fused = named(estimate(plan), "loss", "Saved activations");
    plan.parallel.tensor = 4;
    QCOMPARE(4 * named(estimate(plan), "loss", "Saved activations"), fused);
}

void TestEstimate::vllmFillsItsShareOfTheGpuWithTheCache()
{
    Plan plan;
    plan.workload = Workload::Inference;
    plan.model.preset = "llama-3.1-8b";
    plan.hardware.gpu = "h100-sxm-80gb";
    plan.inference.engine = Engine::Vllm;
    plan.inference.maxModelLen = 8192;
    plan.inference.cudaGraphBytes = 0; // they are taken beside the share
    const Estimate result = estimate(plan);
    QVERIFY(result.computed);
    // The context is there before vLLM looks at what is free, and so lies beside its share.
    const double share = 0.92 * static_cast<double>(*result.capacity);
    const auto beside = static_cast<double>(result.settings->contextBytes);
    QVERIFY(std::abs(static_cast<double>(result.peakDevice) - share - beside) < 2);
    QCOMPARE(result.inference->kvBytesPerToken, Bytes(131072));
    QCOMPARE(result.inference->kvTokens, result.inference->kvBlocks * 16);
    QVERIFY(result.inference->kvTokens * 131072 <= result.inference->kvCache);
    plan.parallel.tensor = 16; // more ranks than the 8 key-value heads: they are replicated
    QCOMPARE(estimate(plan).inference->kvBytesPerToken, Bytes(131072 / 8));
    plan.hardware.gpu.reset();
    QVERIFY(!estimate(plan).computed);
}

void TestEstimate::slidingLayersCacheTheirWindowOnly()
{
    Plan plan;
    plan.workload = Workload::Inference;
    plan.model.preset = "gpt-oss-20b";
    plan.inference.concurrentSequences = 1;
    plan.inference.meanSequenceLength = 100'000;
    const Estimate result = estimate(plan);
    QCOMPARE(result.inference->kvBytesPerToken, Bytes(24576));
    QCOMPARE(result.inference->kvCache, Bytes(24576) * 100'000 + Bytes(24576) * 128);
    plan.model.preset = "deepseek-v3";
    QCOMPARE(estimate(plan).inference->kvBytesPerToken, Bytes(70272));
}

void TestEstimate::doublingTheMicroBatchDoublesActivationsAndLoss()
{
    Plan plan = smallPlan();
    const Estimate once = estimate(plan);
    plan.batch.microBatch = 4;
    const Estimate twice = estimate(plan);
    // The rotary tables are those of one sequence, however many there are.
    const Bytes tables = named(once, "loss", "Rotary tables");
    for (const Category category : {Category::Activations, Category::LossAndLogits}) {
        const Bytes fixed = category == Category::Activations ? tables : 0;
        const Bytes before = ofCategory(momentOf(once, "loss"), category) - fixed;
        QVERIFY(before > 0);
        QCOMPARE(ofCategory(momentOf(twice, "loss"), category) - fixed, 2 * before);
    }
    QCOMPARE(ofCategory(momentOf(twice, "loss"), Category::Parameters),
             ofCategory(momentOf(once, "loss"), Category::Parameters));
}

void TestEstimate::shardedStatesTimesTheirRanksAreTheUnshardedOnes()
{
    const Estimate whole = estimate(smallPlan());
    for (const std::int64_t gpus : {2, 4, 8, 64}) {
        const Estimate shard = estimate(shardedPlan(gpus));
        QVERIFY(shard.computed);
        const auto times = [&](std::initializer_list<const char *> parts, const char *unsharded) {
            Bytes all = 0;
            for (const char *part : parts)
                all += gpus * named(shard, "optimizer step", part);
            const Bytes one = named(whole, "optimizer step", unsharded);
            QVERIFY(one > 0);
            QVERIFY(all >= one);
            QVERIFY(all - one < 8 * gpus);
        };
        times({"Weight shards"}, "Weights");
        times({"Gradient shards of earlier units", "Gradient shards of the last unit"},
              "Gradients");
        times({"Adam first moment shards"}, "Adam first moment");
        times({"Adam second moment shards"}, "Adam second moment");
    }
}

void TestEstimate::fusedOptimizersNeverTakeMoreThanForeach()
{
    std::mt19937 random(11);
    for (int i = 0; i < 300; ++i) {
        Plan plan = test::randomTrainingPlan(random);
        plan.optimizer.implementation = OptimizerImplementation::Foreach;
        const Bytes foreach = estimate(plan).peakAllocated;
        plan.optimizer.implementation = OptimizerImplementation::Fused;
        QVERIFY(estimate(plan).peakAllocated <= foreach);
    }
}

void TestEstimate::checkpointingNeverTakesMoreThanKeepingEverything()
{
    for (const char *preset : {"llama-3-8b", "gpt2", "mixtral-8x7b", "deepseek-v2-lite"}) {
        for (const Kernels kernels : {Kernels::Eager, Kernels::Fused}) {
            Plan plan = smallPlan();
            plan.model.preset = preset;
            plan.activations.kernels = kernels;
            plan.batch.microBatch = 16;
            const Bytes all = estimate(plan).peakAllocated;
            for (const Checkpointing policy :
                 {Checkpointing::Full, Checkpointing::EveryK, Checkpointing::SelectiveAttention,
                  Checkpointing::SelectiveOp, Checkpointing::KeepMatmuls, Checkpointing::Block}) {
                plan.activations.checkpointing = policy;
                QVERIFY2(estimate(plan).peakAllocated <= all, choiceText(policy).data());
            }
        }
    }
}

void TestEstimate::memoryGrowsWithBatchAndSequence()
{
    std::mt19937 random(5);
    for (int i = 0; i < 300; ++i) {
        Plan plan = test::randomTrainingPlan(random);
        plan.batch.microBatch = 1;
        plan.batch.sequenceLength = 64;
        const Bytes small = estimate(plan).peakAllocated;
        const Bytes longer = peakWith(plan, [](Plan &it) { it.batch.sequenceLength = 4096; });
        const Bytes wider = peakWith(plan, [](Plan &it) { it.batch.microBatch = 64; });
        QVERIFY(longer >= small);
        QVERIFY(wider >= small);
    }
}

void TestEstimate::noSyncNeverTakesLess()
{
    for (const Strategy strategy :
         {Strategy::Fsdp1, Strategy::Fsdp2, Strategy::Ddp, Strategy::Zero2, Strategy::Zero3}) {
        for (const Regime regime : {Regime::PureBf16, Regime::AutocastBf16}) {
            Plan plan = shardedPlan(4, strategy);
            plan.precision.regime = regime;
            plan.batch.accumulationSteps = 4;
            const Bytes synced = estimate(plan).peakAllocated;
            plan.batch.noSync = true;
            QVERIFY(synced > 0);
            QVERIFY(estimate(plan).peakAllocated >= synced);
        }
    }
}

void TestEstimate::firstStepLacksTheOptimizerStatesUntilItsOwnStep()
{
    Plan plan = smallPlan();
    plan.optimizer.implementation = OptimizerImplementation::Fused;
    plan.batch.microBatch = 8;
    const Estimate result = estimate(plan);
    QCOMPARE(result.peakAt, std::string("loss"));
    const Bytes states = ofCategory(momentOf(result, "loss"), Category::OptimizerStates);
    QVERIFY(states > 0);
    const Bytes atLoss = result.peakAllocated - states;
    QCOMPARE(result.firstStepAllocated,
             std::max(atLoss, momentOf(result, "optimizer step").allocated));
}

void TestEstimate::gradientsPersistAtRestWhereTheLoopDoesNotDropThem()
{
    Plan plan = smallPlan();
    const Bytes dropped = estimate(plan).atRest;
    plan.optimizer.zeroGrad = ZeroGrad::BeforeForward;
    const Estimate kept = estimate(plan);
    QCOMPARE(kept.atRest - dropped, 2 * kept.parametersTotal);
    QCOMPARE(named(kept, "loss", "Gradients"), Bytes(0));
    plan.optimizer.zeroGrad = ZeroGrad::Never;
    QCOMPARE(named(estimate(plan), "loss", "Gradients"), 2 * kept.parametersTotal);
}

void TestEstimate::resultsAreTheSameEveryTime()
{
    const Estimate first = estimate(shardedPlan(8));
    const Estimate second = estimate(shardedPlan(8));
    QCOMPARE(first.peakAllocated, second.peakAllocated);
    QCOMPARE(first.components().size(), second.components().size());
    for (std::size_t i = 0; i < first.components().size(); ++i)
        QCOMPARE(first.components()[i].formula, second.components()[i].formula);
}

void TestEstimate::sizesBeyond64BitsAreRefused()
{
    Plan plan = smallPlan();
    plan.batch.microBatch = std::int64_t(1) << 40;
    plan.batch.sequenceLength = std::int64_t(1) << 40;
    const Estimate result = estimate(plan);
    QVERIFY(!result.computed);
    QVERIFY(!result.issues.empty());

    Plan wide = smallPlan();
    wide.model.preset.reset();
    wide.model.config = R"({"model_type":"llama","hidden_size":1000000,"num_hidden_layers":100000,
        "num_attention_heads":1000000,"num_key_value_heads":1000000,"head_dim":1000000,
        "intermediate_size":1000000000,"vocab_size":1000000000})";
    const Estimate huge = estimate(wide);
    QVERIFY(!huge.computed);
    QVERIFY(!huge.issues.empty());
}

void TestEstimate::everyFieldAtItsEndsGivesFiguresOrAReason_data()
{
    QTest::addColumn<int>("base");
    for (int base = 0; base < 4; ++base)
        QTest::addRow("plan %d", base) << base;
}

void TestEstimate::everyFieldAtItsEndsGivesFiguresOrAReason()
{
    QFETCH(int, base);
    std::mt19937 random(static_cast<unsigned>(base));
    const auto start = [&] {
        return base % 2 == 0 ? test::randomTrainingPlan(random) : test::randomServingPlan(random);
    };
    const auto put = [](Plan &plan, const Field &field, bool maximum) {
        const double end = maximum ? field.maximum : field.minimum;
        const FieldValue value =
            field.kind == FieldKind::Number
                ? FieldValue(end)
                : FieldValue(static_cast<std::int64_t>(std::min(end, 9223372036854774784.0)));
        QVERIFY2(setField(plan, field, value).ok(), field.path.text().data());
    };
    const auto check = [](const Plan &plan, std::string_view what) {
        const Estimate result = estimate(plan);
        const bool levels = result.peakAllocated >= 0 && result.peakDevice >= result.peakAllocated;
        QVERIFY2(result.computed ? levels : !result.issues.empty(), what.data());
    };
    std::vector<const Field *> numbers;
    for (const Field &field : planFields())
        if (field.kind == FieldKind::Count || field.kind == FieldKind::Size ||
            field.kind == FieldKind::Number)
            numbers.push_back(&field);
    for (const Field *field : numbers) {
        for (const bool maximum : {false, true}) {
            Plan plan = start();
            put(plan, *field, maximum);
            check(plan, field->path);
        }
    }
    for (int i = 0; i < 1000; ++i) {
        Plan plan = start();
        for (int changes = 0; changes < 4; ++changes)
            put(plan, *numbers[random() % numbers.size()], random() % 4 > 0);
        check(plan, "several fields at their ends");
    }
}

void TestEstimate::fitsComparesTheDeviceLevelWithTheCapacity()
{
    Plan plan = smallPlan();
    const Estimate large = estimate(plan);
    QVERIFY(large.capacity.has_value());
    QCOMPARE(*large.headroom, *large.capacity - large.peakDevice);
    QCOMPARE(*large.fits, false); // 10 N alone are 80.3 GB
    plan.hardware.capacity = large.peakDevice;
    QCOMPARE(*estimate(plan).fits, true);
    plan.hardware.capacity = large.peakDevice - 1;
    QCOMPARE(*estimate(plan).fits, false);
    plan.hardware.capacity.reset();
    plan.hardware.gpu.reset();
    QVERIFY(!estimate(plan).fits.has_value());
}

void TestEstimate::statedOverheadsNarrowTheBand()
{
    // Of a serving plan: that of a training plan is measured, whatever its overheads.
    Plan plan = smallPlan();
    plan.workload = Workload::Inference;
    const Estimate open = estimate(plan);
    plan.overheads.reservedFactor = 1.0;
    plan.overheads.contextBytes = 0;
    const Estimate stated = estimate(plan);
    QCOMPARE(stated.peakDevice, stated.peakAllocated);
    QVERIFY(stated.uncertaintyHigh - stated.uncertaintyLow <
            open.uncertaintyHigh - open.uncertaintyLow);
    QVERIFY2(stated.reservedHigh > stated.peakReserved,
             "a stated factor is rounded, and so are the allocator's segments");
    QCOMPARE(stated.reservedLow, stated.peakAllocated);
    Bytes outside = 0;
    for (const Component &component : open.outside)
        outside += component.bytes;
    QCOMPARE(outside, open.peakDevice - open.peakAllocated);
}

void TestEstimate::weightsGatheredOnOtherStreamsReserveMore()
{
    Plan plan = smallPlan();
    plan.parallel.data = 2;
    plan.parallel.strategy = Strategy::Fsdp2;
    const auto factor = [&] {
        const Estimate result = estimate(plan);
        return static_cast<double>(result.peakReserved) / static_cast<double>(result.peakAllocated);
    };
    QVERIFY(factor() > 1.10);
    plan.parallel.strategy = Strategy::Fsdp1;
    QVERIFY(factor() > 1.15);
    plan.parallel.sharding = Sharding::NoShard;
    QVERIFY(std::abs(factor() - 1.075) < 1e-6);
    plan.overheads.reservedFactor = 1.5;
    QVERIFY(std::abs(factor() - 1.5) < 1e-6);
}

void TestEstimate::theReservedFactorFollowsTheAllocatorsSettings_data()
{
    QTest::addColumn<QByteArray>("conf");
    QTest::addColumn<double>("factor"); // of weights gathered on other streams
    QTest::newRow("none") << QByteArray() << 1.18;
    QTest::newRow("on") << QByteArray("expandable_segments:True") << 1.075;
    QTest::newRow("with others") << QByteArray("max_split_size_mb:512, expandable_segments:True")
                                 << 1.075;
    QTest::newRow("off") << QByteArray("expandable_segments:False") << 1.18;
    QTest::newRow("off again") << QByteArray("expandable_segments:True,expandable_segments:False")
                               << 1.18;
    QTest::newRow("another key") << QByteArray("expandable_segments_reserve:True") << 1.18;
}

void TestEstimate::theReservedFactorFollowsTheAllocatorsSettings()
{
    QFETCH(QByteArray, conf);
    QFETCH(double, factor);
    Plan plan = smallPlan();
    plan.parallel.data = 2;
    plan.parallel.strategy = Strategy::Fsdp1;
    plan.overheads.allocConf = conf.toStdString();
    const Estimate result = estimate(plan);
    QVERIFY(result.computed);
    QCOMPARE(result.settings->reservedFactor, factor);
    plan.overheads.reservedFactor = 1.5; // which is stated
    QCOMPARE(estimate(plan).settings->reservedFactor, 1.5);
    plan.overheads.allocConf = conf.toStdString() + "; rm -r .";
    const Estimate refused = estimate(plan);
    QVERIFY(!refused.computed);
    QCOMPARE(refused.issues.front().field, std::string("overheads.alloc_conf"));
}

void TestEstimate::sequencesBeyondTheLearnedPositionsAreWarnedOf()
{
    Plan plan = smallPlan();
    plan.model.preset = "gpt2";
    plan.batch.sequenceLength = 1024;
    QVERIFY(estimate(plan).issues.empty());
    plan.batch.sequenceLength = 1025;
    const Estimate result = estimate(plan);
    QVERIFY(result.computed);
    QCOMPARE(result.issues.front().field, std::string("batch.sequence_length"));
    QCOMPARE(result.issues.front().severity, Issue::Severity::Warning);
}

void TestEstimate::contradictionsGiveIssuesAndNoFigures()
{
    Plan plan = smallPlan();
    plan.parallel.data = 2;
    const Estimate result = estimate(plan);
    QVERIFY(!result.computed);
    QCOMPARE(result.peakAllocated, Bytes(0));
    QVERIFY(result.components().empty());
    QCOMPARE(result.parametersTotal, std::int64_t(8030261248));
}

VRAMSCOPE_TEST(TestEstimate)
#include "tst_estimate.moc"
