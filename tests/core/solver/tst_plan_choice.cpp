// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/estimate/verdict.h"
#include "core/plan/plan_json.h"
#include "core/print/plan_choice_report.h"
#include "core/print/plan_diff_report.h"
#include "core/projection/step_time.h"
#include "core/settings/settings.h"
#include "core/solver/plan_choice.h"
#include "tests/support/random_plans.h"
#include "tests/support/test.h"

#include <algorithm>
#include <array>
#include <numeric>
#include <vector>

using namespace vramscope;
using test::Random;

namespace {

using Reason = PlanChoice::Reason;

/// Llama 3.1 70B with LoRA, on eight H100 or four H200.
Plan lora(const char *gpu, std::int64_t gpus, std::int64_t microBatch)
{
    Plan plan;
    plan.model.preset = "llama-3.1-70b";
    plan.hardware.gpu = gpu;
    plan.hardware.gpus = plan.parallel.data = gpus;
    plan.parallel.strategy = Strategy::Fsdp2;
    plan.precision.regime = Regime::PureBf16;
    plan.batch.sequenceLength = 4096;
    plan.batch.microBatch = microBatch;
    plan.activations.checkpointing = Checkpointing::Full;
    plan.adapters.kind = AdapterKind::Lora;
    plan.adapters.rank = 16;
    plan.adapters.targets = TextList{"all-linear"};
    return plan;
}

/// Plans with their estimates, to be chosen among.
struct Plans
{
    explicit Plans(std::vector<Plan> all)
        : plans(std::move(all))
    {
        for (const Plan &plan : plans)
            estimates.push_back(estimate(plan));
    }
    [[nodiscard]] std::vector<PlanToChoose> toChoose() const
    {
        std::vector<PlanToChoose> result;
        for (std::size_t at = 0; at < plans.size(); ++at)
            result.push_back({&plans[at], &estimates[at]});
        return result;
    }
    [[nodiscard]] PlanChoice choice() const { return choosePlan(toChoose()); }

    std::vector<Plan> plans;
    std::vector<Estimate> estimates;
};

QString figureOf(const Plans &plans, CostFigure::Kind kind, std::size_t plan)
{
    for (const CostFigure &figure : costFigures(plans.toChoose()))
        if (figure.kind == kind)
            return QString::fromStdString(figure.name + ": " + figure.values[plan]);
    return {};
}

} // namespace

class TestPlanChoice : public test::Test
{
    Q_OBJECT

private slots:
    void theOrderOfThePlansDecidesNothing();
    void whatFitsComesFirstThenThePriceThenTheGpuHours();
    void stepsOfDifferentBatchesHaveTheirTokens();
    void aServedPlanStatesItsLoad();
    void theComparisonOfTwoFilesSaysWhatItRecommends();
    void plansOfUnknownCostDoNotCostTheSame();
};

void TestPlanChoice::theOrderOfThePlansDecidesNothing()
{
    Random random(3);
    for (int trial = 0; trial < 200; ++trial) {
        std::vector<Plan> plans;
        for (int each = 0; each < 4; ++each) {
            plans.push_back(test::randomPlan(random));
            if (random() % 2 == 0)
                plans.back().run.gpuHourPrice = 1 + static_cast<double>(random() % 5);
        }
        const std::string chosen = planJson(plans[Plans(plans).choice().plan]);
        std::vector<std::size_t> order{0, 1, 2, 3};
        while (std::ranges::next_permutation(order).found) {
            std::vector<Plan> permuted;
            for (const std::size_t at : order)
                permuted.push_back(plans[at]);
            QCOMPARE(planJson(permuted[Plans(permuted).choice().plan]), chosen);
        }
    }
}

void TestPlanChoice::whatFitsComesFirstThenThePriceThenTheGpuHours()
{
    const Plan h100 = lora("h100-sxm-80gb", 8, 1);
    const Plan h200 = lora("h200-sxm-141gb", 4, 1);
    const Plan tooLarge = lora("rtx-4090", 1, 1);
    const Plans fits({tooLarge, h200});
    QCOMPARE(fits.choice().plan, std::size_t(1));
    QVERIFY(fits.choice().reason == Reason::Fits);

    const Plans both({h100, h200});
    const auto hours = [&](std::size_t at) {
        return projectStep(*both.estimates[at].settings, both.estimates[at].work)
            ->gpuHours(1)
            .likely;
    };
    QVERIFY(both.choice().reason == Reason::GpuHours);
    const std::size_t fewer = hours(0) < hours(1) ? 0 : 1;
    QCOMPARE(both.choice().plan, fewer);

    // The hours of the one that takes fewer are made dear.
    std::vector<Plan> priced = both.plans;
    priced[fewer].run.gpuHourPrice = 10;
    QVERIFY(Plans(priced).choice().reason == Reason::GpuHours); // the other states no price
    priced[1 - fewer].run.gpuHourPrice = 1;
    const Plans dear(priced);
    QVERIFY(dear.choice().reason == Reason::Price);
    QCOMPARE(dear.choice().plan, 1 - fewer);
    const std::array<std::string, 2> names{"A", "B"};
    const QString why = QString::fromStdString(
        choiceSentence(dear.choice(), dear.toChoose(), names, ByteUnit::Binary));
    QVERIFY2(why.contains(u" costs ") && why.contains(u"for 1,000,000,000 tokens"),
             qPrintable(why));
    QVERIFY(figureOf(dear, CostFigure::Kind::Price, fewer).contains(u"at 10 a GPU hour"));
    QCOMPARE(figureOf(both, CostFigure::Kind::Price, 0), QString());
}

void TestPlanChoice::stepsOfDifferentBatchesHaveTheirTokens()
{
    const Plans plans({lora("h100-sxm-80gb", 8, 1), lora("h200-sxm-141gb", 4, 1)});
    using Kind = CostFigure::Kind;
    QVERIFY(figureOf(plans, Kind::Step, 0).endsWith(u" for 32,768 tokens"));
    QVERIFY(figureOf(plans, Kind::Step, 1).endsWith(u" for 16,384 tokens"));
    QVERIFY(figureOf(plans, Kind::Speed, 0).endsWith(u" tokens/s"));
    QVERIFY(figureOf(plans, Kind::GpuHours, 1).startsWith(u"GPU hours for 1,000,000,000 tokens: "));
    QCOMPARE(figureOf(plans, Kind::Load, 0), QString());
}

void TestPlanChoice::aServedPlanStatesItsLoad()
{
    Plan plan;
    plan.workload = Workload::Inference;
    plan.model.preset = "llama-3.1-8b";
    plan.hardware.gpu = "h100-sxm-80gb";
    plan.inference.engine = Engine::Vllm;
    plan.inference.maxModelLen = 16'384;
    plan.inference.concurrentSequences = 4;
    const Plans plans({plan});
    using Kind = CostFigure::Kind;
    QVERIFY(figureOf(plans, Kind::Speed, 0).endsWith(u" tokens/s at 16,384 tokens of context"));
    QCOMPARE(figureOf(plans, Kind::Load, 0), u"Load: 4 sequences at a time");
}

void TestPlanChoice::theComparisonOfTwoFilesSaysWhatItRecommends()
{
    const Plan a = lora("h100-sxm-80gb", 8, 1);
    const Plan b = lora("h200-sxm-141gb", 4, 1);
    const EstimatedPlan first{"a.vramplan", a, estimate(a)};
    const EstimatedPlan second{"b.vramplan", b, estimate(b)};
    const QString ab = QString::fromStdString(planDiffText(first, second));
    const QString ba = QString::fromStdString(planDiffText(second, first));
    for (const QString &text : {ab, ba}) {
        QVERIFY(text.contains(u"Llama 3.1 70B, LoRA on 8 × H100"));
        QVERIFY(text.contains(u"Llama 3.1 70B, LoRA on 4 × H200"));
        QVERIFY2(text.contains(u"tokens/s") && text.contains(u"GPU hours for"), qPrintable(text));
    }
    QCOMPARE(ab.contains(u"A takes "), ba.contains(u"B takes "));
}

/// No GPU is named, so neither the time nor what stays free is known.
void TestPlanChoice::plansOfUnknownCostDoNotCostTheSame()
{
    Plan a = lora("h100-sxm-80gb", 8, 1);
    a.hardware.gpu.reset();
    Plan b = a;
    b.model.preset = "llama-3.1-8b";
    const QString text = QString::fromStdString(
        planDiffText({"a.vramplan", a, estimate(a)}, {"b.vramplan", b, estimate(b)}));
    QVERIFY2(!text.contains(u"cost the same"), qPrintable(text));
    QVERIFY2(text.contains(u"A and B cannot be compared by cost"), qPrintable(text));
    QCOMPARE(Plans({a, b}).choice().reason, Reason::Unknown);
    QCOMPARE(Plans({a, a}).choice().reason, Reason::Alike); // the same plan
}

VRAMSCOPE_TEST(TestPlanChoice)
#include "tst_plan_choice.moc"
