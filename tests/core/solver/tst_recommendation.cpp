// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/planner/plan_json.h"
#include "core/projection/step_time.h"
#include "core/solver/recommendation.h"
#include "tests/support/random_plans.h"
#include "tests/support/test.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <tuple>

using namespace vramscope;
using test::Random;

namespace {

using Kind = Recommendation::Kind;

/// A subset of the changes, made in the order of the table, weighed by estimate() alone.
struct Weighed
{
    Plan plan;
    double price = 0;
    std::size_t changes = 0;
    Bytes headroom = 0;
    Verdict verdict = Verdict::DoesNotFit;
    bool likely = false;
};

/// Of a token: how long it takes, where that is known, and what is computed for it.
struct Cost
{
    std::optional<double> seconds;
    double work = 0;
};

Cost costOf(const Estimate &it)
{
    const StepWork &work = it.work;
    const double waits = work.hostLinkBytes + work.hostStateBytes > 0 ? 2 : 1;
    Cost cost{{}, work.flops * waits / std::max(work.tokens * (1 - work.bubbleShare), 1.0)};
    if (const Result<StepTime> time = projectStep(*it.settings, it.work))
        cost.seconds = time->seconds.likely / time->tokens;
    return cost;
}

double slowdownOf(const Cost &it, const Cost &other)
{
    return it.seconds && other.seconds ? *it.seconds / *other.seconds - 1
                                       : it.work / other.work - 1;
}

/// Every subset of at most four changes, one after the other, told by its bits: the slow way.
std::vector<Weighed> allSubsets(const Plan &plan)
{
    constexpr std::array<double, 6> kPenalties = {0, 20, 100, 1000, 350, 2000}; // thousandths
    const Estimate before = estimate(plan);
    const std::span<const Change> changes = changesOf(*before.settings);
    const Cost reference = costOf(before);
    std::vector<Weighed> all;
    std::vector<std::size_t> chosen;
    const auto weigh = [&](const Plan &made, double penalty) {
        const Estimate it = estimate(made);
        if (!it.computed || it.settings->gpus > before.settings->gpus)
            return false;
        const double slowdown = slowdownOf(costOf(it), reference);
        all.push_back({made, penalty + std::max(std::round(200 * slowdown) * 5, 0.0), chosen.size(),
                       it.headroom.value_or(0), verdictOf(it).value_or(Verdict::DoesNotFit),
                       it.fits.value_or(false)});
        return true;
    };
    const auto extend = [&](const auto &self, const Plan &base, double penalty) -> void {
        if (chosen.size() == kMostChanges)
            return;
        const Settings settings = resolve(base).settings;
        for (std::size_t i = chosen.empty() ? 0 : chosen.back() + 1; i < changes.size(); ++i) {
            const Change &change = changes[i];
            Plan made = base;
            const bool free = std::ranges::none_of(
                chosen, [&](std::size_t other) { return change.excludes(changes[other]); });
            if (!free || change.simulated || !change.apply(made, settings))
                continue;
            const double more = penalty + 10 + kPenalties[static_cast<std::size_t>(change.toll)];
            chosen.push_back(i);
            if (weigh(made, more))
                self(self, made, more);
            chosen.pop_back();
        }
    };
    weigh(plan, 0);
    extend(extend, plan, 0);
    return all;
}

/// The best of them by the words of recommend(): none where none is likely to fit.
std::optional<Weighed> bestOf(const std::vector<Weighed> &all, Bytes capacity)
{
    const auto hasMargin = [&](const Weighed &it) {
        return it.likely && (it.verdict == Verdict::Fits || it.headroom >= capacity / 40);
    };
    const bool anyMargin = std::ranges::any_of(all, hasMargin);
    std::optional<Weighed> best;
    for (const Weighed &it : all) {
        if (anyMargin ? !hasMargin(it) : !it.likely)
            continue;
        const auto rank = [&](const Weighed &one) {
            return std::tuple(one.price, one.changes, anyMargin ? -one.headroom : 0);
        };
        if (!best || rank(it) < rank(*best))
            best = it;
    }
    return best;
}

const Combination *optionOf(const Recommendation &found, Kind kind)
{
    const auto at = std::ranges::find(found.options, kind, &Recommendation::Option::kind);
    return at == found.options.end() ? nullptr : &at->combination;
}

/// Qwen3 32B in full on eight H100s, as one who asks for the first time has it.
Plan firstQuestion()
{
    Plan plan;
    plan.model.preset = "qwen3-32b";
    plan.hardware.gpu = "h100-sxm-80gb";
    plan.hardware.gpus = 8;
    plan.parallel.data = 8;
    plan.parallel.strategy = Strategy::Fsdp2;
    plan.precision.regime = Regime::FsdpMixedBf16;
    plan.batch.sequenceLength = 8192;
    plan.activations.checkpointing = Checkpointing::Full;
    return plan;
}

} // namespace

class TestRecommendation : public test::Test
{
    Q_OBJECT

private slots:
    void itIsTheBestOfAllSubsets();
    void eachOptionIsThePlanWithItsFields();
    void aPlanThatFitsIsLeftAsItIs();
    void aQuestionLeadsToADecision();
    void aLargeModelOnOneCardGetsAnotherNumberOfThem();
    void whatIsManyTimesSlowerComesAfterRounding();
    void aTimeIsNotComparedWithOneThatNobodyKnows();
    void nothingIsRecommendedWithoutFigures();
};

void TestRecommendation::itIsTheBestOfAllSubsets()
{
    Random random(77);
    int held = 0;
    int changed = 0;
    for (int trial = 0; held < 60 && trial < 4000; ++trial) {
        Plan plan = test::randomPlan(random);
        const Estimate it = estimate(plan);
        if (!it.computed || it.peakDevice <= 0)
            continue;
        // Most of them need something: from half of what they take to a little more.
        plan.hardware.capacityBytes =
            it.peakDevice / 20 * static_cast<Bytes>(10 + random() % 12) + 1;
        const Recommendation found = recommend(plan);
        const std::vector<Weighed> all = allSubsets(plan);
        const std::optional<Weighed> best = bestOf(all, *plan.hardware.capacityBytes);
        const QByteArray json = QByteArray::fromStdString(planJson(plan));
        const Combination *told = optionOf(found, Kind::Recommended);
        QVERIFY2(best.has_value() == (told != nullptr), json);
        ++held;
        if (!told)
            continue;
        const Plan made = withFields(plan, told->fields);
        QVERIFY2(told->titles.size() == best->changes, json);
        QVERIFY2(planJson(made) == planJson(best->plan), json);
        changed += told->titles.empty() ? 0 : 1;
    }
    QCOMPARE(held, 60);
    QVERIFY2(changed > 15, QByteArray::number(changed));
}

void TestRecommendation::eachOptionIsThePlanWithItsFields()
{
    Random random(5);
    int options = 0;
    for (int trial = 0; trial < 60; ++trial) {
        Plan plan = test::randomPlan(random);
        plan.hardware.capacityBytes = static_cast<Bytes>(4 + random() % 150) << 30;
        const Recommendation found = recommend(plan);
        QVERIFY(found.options.size() <= 3);
        for (const auto &[kind, option] : found.options) {
            const Estimate it = estimate(withFields(plan, option.fields));
            const QByteArray json = QByteArray::fromStdString(planJson(plan));
            QVERIFY2(it.computed && it.fits.value_or(false), json);
            QVERIFY2(it.peakDevice == option.standing.device, json);
            QVERIFY2(verdictOf(it) == option.standing.verdict, json);
            QVERIFY2(it.settings->gpus == option.gpus, json);
            QVERIFY2(it.hostBytes == option.hostBytes, json);
            QVERIFY2(option.titles.size() == option.prices.size(), json);
            const std::int64_t gpus = estimate(plan).settings->gpus;
            QVERIFY2(kind == Kind::MoreGpus    ? option.gpus > gpus
                     : kind == Kind::FewerGpus ? option.gpus < gpus
                                               : option.gpus <= gpus,
                     json);
            ++options;
        }
    }
    QVERIFY(options > 40);
}

void TestRecommendation::aPlanThatFitsIsLeftAsItIs()
{
    Plan plan = firstQuestion();
    plan.model.preset = "qwen3-8b";
    const Recommendation found = recommend(plan);
    const Combination *told = optionOf(found, Kind::Recommended);
    QVERIFY(told && told->titles.empty() && told->fields.empty());
    QCOMPARE(combinedTitle(*told), std::string("As it is"));
    const Combination *fewer = optionOf(found, Kind::FewerGpus);
    QVERIFY(fewer && fewer->gpus < 8 && fewer->standing.fits);
}

void TestRecommendation::aQuestionLeadsToADecision()
{
    const Recommendation found = recommend(firstQuestion());
    const Combination *told = optionOf(found, Kind::Recommended);
    QVERIFY(told && told->standing.headroom >= *estimate(firstQuestion()).capacity / 40);
    QVERIFY(!told->titles.empty() && told->gpus == 8 && told->toll < Toll::Results);
    QVERIFY(told->seconds && told->slowdown);
}

void TestRecommendation::aLargeModelOnOneCardGetsAnotherNumberOfThem()
{
    Plan plan;
    plan.workload = Workload::Inference;
    plan.model.preset = "llama-3.1-70b";
    plan.hardware.gpu = "h100-sxm-80gb";
    plan.inference.engine = Engine::Vllm;
    plan.inference.maxModelLen = 8192;
    const Combination *more = nullptr;
    const Recommendation found = recommend(plan);
    more = optionOf(found, Kind::MoreGpus);
    QVERIFY(more && more->gpus > 1 && more->gpus <= 8);
    QVERIFY(more->standing.fits);
    // On the one card it has to be rounded.
    const Combination *told = optionOf(found, Kind::Recommended);
    QVERIFY(told && told->toll == Toll::Results);
}

void TestRecommendation::whatIsManyTimesSlowerComesAfterRounding()
{
    Plan plan; // of a pipeline no time is projected
    plan.workload = Workload::Inference;
    plan.model.pipeline = "flux.1-dev";
    plan.hardware.gpu = "rtx-4090";
    const Recommendation found = recommend(plan);
    const Combination *told = optionOf(found, Kind::Recommended);
    QVERIFY(told && !told->titles.empty() && told->standing.fits);
    QVERIFY2(std::ranges::find(told->titles, "Offload layer by layer") == told->titles.end(),
             combinedTitle(*told).c_str());
    QVERIFY(!optionOf(found, Kind::MoreGpus) &&
            !optionOf(found, Kind::FewerGpus)); // it runs on one
}

/// The catalogue has no rates for arithmetic in fp32: how much faster bf16 is, is not known.
void TestRecommendation::aTimeIsNotComparedWithOneThatNobodyKnows()
{
    Plan plan;
    plan.workload = Workload::Training;
    plan.model.preset = "llama-3-8b";
    plan.hardware.gpu = "h200-sxm-141gb";
    plan.precision.regime = Regime::Fp32;
    plan.batch.sequenceLength = 4096;
    bool timed = false;
    for (const auto &option : recommend(plan).options) {
        const Combination &it = option.combination;
        QVERIFY(!it.slowdown);
        timed = timed || it.seconds;
    }
    QVERIFY(timed);
}

void TestRecommendation::nothingIsRecommendedWithoutFigures()
{
    QVERIFY(recommend(Plan()).options.empty());
    Plan plan = firstQuestion();
    plan.hardware.gpu = std::nullopt; // no capacity
    QVERIFY(recommend(plan).options.empty());
}

VRAMSCOPE_TEST(TestRecommendation)
#include "tst_recommendation.moc"
