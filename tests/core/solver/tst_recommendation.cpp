// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/plan/plan_json.h"
#include "core/projection/step_time.h"
#include "core/settings/settings.h"
#include "core/solver/recommendation.h"
#include "core/solver/tool_gaps.h"
#include "core/solver/ways_to_fit.h"
#include "tests/core/solver/plan_column.h"
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
    bool atRisk = false;
    Toll toll = Toll::None;
    bool slow = false;
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
    constexpr std::array<double, 7> kPenalties = {0, 20, 100, 1000, 350, 350, 2000}; // thousandths
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
        Weighed one{made,
                    penalty + std::max(std::round(200 * slowdown) * 5, 0.0),
                    chosen.size(),
                    it.headroom.value_or(0),
                    verdictOf(it).value_or(Verdict::DoesNotFit),
                    it.fits.value_or(false),
                    !it.risk.empty()};
        one.slow = slowdown >= 1;
        for (const std::size_t i : chosen) {
            one.toll = std::max(one.toll, changes[i].toll);
            one.slow = one.slow || changes[i].toll == Toll::Slow;
        }
        all.push_back(one);
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
            if (!free || change.simulated || !change.apply(made, settings) ||
                !toolOffers(base, settings, resolve(made).settings))
                continue;
            const double more = penalty + (change.part.empty() ? 10 : 20) +
                                kPenalties[static_cast<std::size_t>(change.toll)];
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

/// The best of those admitted.
template<class Admit, class Rank>
std::optional<Weighed> firstOf(const std::vector<Weighed> &all, Admit admit, Rank rank)
{
    std::optional<Weighed> best;
    for (const Weighed &it : all)
        if (admit(it) && (!best || rank(it) < rank(*best)))
            best = it;
    return best;
}

/// Learning last but for another job, whatever it costs.
int bucketOf(const Weighed &it)
{
    return it.toll == Toll::Job ? 2 : it.toll == Toll::Learning ? 1 : 0;
}

bool isNoDearer(const Weighed &it, const Weighed &than)
{
    return it.toll <= than.toll && it.slow <= than.slow;
}

/// The best of them by the words of recommend(): none where none is likely to fit.
std::optional<Weighed> bestOf(const std::vector<Weighed> &all, Bytes capacity)
{
    const auto hasMargin = [&](const Weighed &it) {
        return it.likely && !it.atRisk &&
               (it.verdict == Verdict::Fits || it.headroom >= capacity / 40);
    };
    const auto isSafe = [](const Weighed &it) { return it.likely && !it.atRisk; };
    const bool anyMargin = std::ranges::any_of(all, hasMargin);
    const bool anySafe = std::ranges::any_of(all, isSafe);
    const auto rank = [&](const Weighed &one) {
        return std::tuple(bucketOf(one), one.price, one.changes, anyMargin ? -one.headroom : 0);
    };
    const std::optional<Weighed> best = firstOf(
        all,
        [&](const Weighed &it) {
            return anyMargin ? hasMargin(it) : anySafe ? isSafe(it) : it.likely;
        },
        rank);
    if (!best || best->verdict == Verdict::Fits)
        return best;
    const std::optional<Weighed> sure = firstOf(
        all,
        [&](const Weighed &it) {
            return isSafe(it) && it.verdict == Verdict::Fits && isNoDearer(it, *best);
        },
        rank);
    return sure ? sure : best;
}

/// A plan with those numbers of another that changes lower, and that are no larger there.
Plan withLoweredNumbersOf(const Plan &other, Plan plan)
{
    for (const Change &change : changesOf(resolve(plan).settings)) {
        if (!change.lowers)
            continue;
        const Field &field = fieldAt(*change.number);
        const FieldValue number = field.get(other);
        const FieldValue own = field.get(plan);
        if (!isStated(number) || !isStated(own) || number == own ||
            std::get<std::int64_t>(number) > std::get<std::int64_t>(own))
            continue;
        field.set(plan, number);
        if (field.path == FieldPath("batch.micro_batch"))
            plan.batch.accumulationSteps = other.batch.accumulationSteps;
    }
    return plan;
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
    void whatFitsSurelyIsRecommendedBeforeWhatIsTight();
    void mastersAreGivenUpLast();
    void adaptersKeepTheirMasters();
    void aShorterSequenceIsNotCalledFaster();
    void aMemorySharedWithTheSystemGetsALowerShare();
    void noPlanAtRiskIsLeftAsItIs_data();
    void noPlanAtRiskIsLeftAsItIs();
    void aLoweredNumberIsTheLargestThatFits();
    void nothingIsRecommendedWithoutFigures();
};

void TestRecommendation::itIsTheBestOfAllSubsets()
{
    Random random(77);
    int held = 0;
    int changed = 0;
    for (int trial = 0; held < 24 && trial < 4000; ++trial) {
        Plan plan = test::randomPlan(random);
        const Estimate it = estimate(plan);
        if (!it.computed || it.peakDevice <= 0)
            continue;
        // Most of them need something: from half of what they take to a little more.
        plan.hardware.capacity = it.peakDevice / 20 * static_cast<Bytes>(10 + random() % 12) + 1;
        const Recommendation found = recommend(plan);
        const std::vector<Weighed> all = allSubsets(plan);
        const std::optional<Weighed> best = bestOf(all, *plan.hardware.capacity);
        const QByteArray json = QByteArray::fromStdString(planJson(plan));
        const Combination *told = optionOf(found, Kind::Recommended);
        QVERIFY2(best.has_value() == (told != nullptr), json);
        ++held;
        if (!told)
            continue;
        const Plan made = withLoweredNumbersOf(best->plan, withFields(plan, told->fields));
        QVERIFY2(told->titles.size() == best->changes, json);
        QVERIFY2(planJson(made) == planJson(best->plan), json);
        changed += told->titles.empty() ? 0 : 1;
    }
    QCOMPARE(held, 24);
    QVERIFY2(changed > 6, QByteArray::number(changed));
}

void TestRecommendation::eachOptionIsThePlanWithItsFields()
{
    Random random(5);
    int options = 0;
    for (int trial = 0; trial < 24; ++trial) {
        Plan plan = test::randomPlan(random);
        plan.hardware.capacity = static_cast<Bytes>(4 + random() % 150) << 30;
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
    QVERIFY(options > 16);
}

void TestRecommendation::aPlanThatFitsIsLeftAsItIs()
{
    Plan plan = firstQuestion();
    plan.model.preset = "qwen3-8b";
    const Recommendation found = recommend(plan);
    const Combination *told = optionOf(found, Kind::Recommended);
    QVERIFY(told && told->titles.empty() && told->fields.empty());
    QCOMPARE(combinedTitle(*told), std::string("No changes"));
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
    plan.hardware.gpu = "rtx-4090";
    plan.hardware.capacity = 12'000'000'000; // for which the base has to be in bf16
    plan.precision.regime = Regime::Fp32;
    plan.batch.sequenceLength = 4096;
    plan.loss = LossKind::LinearFused;
    plan.activations.attention = AttentionKind::Flash;
    plan.activations.checkpointing = Checkpointing::Full;
    plan.activations.activationOffload = true;
    plan.adapters.kind = AdapterKind::Lora;
    plan.adapters.rank = 16;
    plan.adapters.targets = TextList{"all-linear"};
    plan.adapters.baseQuantization = BaseQuantization::Nf4Double;
    bool timed = false;
    for (const auto &option : recommend(plan).options) {
        const Combination &it = option.combination;
        QVERIFY(!it.slowdown);
        timed = timed || it.seconds;
    }
    QVERIFY(timed);
}

/// Of a combination that is no dearer in kind, some plan that may run out is no advice.
void TestRecommendation::whatFitsSurelyIsRecommendedBeforeWhatIsTight()
{
    Random random(46);
    int tight = 0;
    int told = 0;
    for (int trial = 0; told < 32 && trial < 3000; ++trial) {
        Plan plan = test::randomPlan(random);
        const Estimate it = estimate(plan);
        if (!it.computed || it.peakDevice <= 0)
            continue;
        plan.hardware.capacity = it.peakDevice / 40 * static_cast<Bytes>(34 + random() % 10) + 1;
        const Recommendation found = recommend(plan);
        const Combination *best = optionOf(found, Kind::Recommended);
        if (!best)
            continue;
        ++told;
        if (best->standing.verdict == Verdict::Fits)
            continue;
        ++tight;
        const QByteArray json = QByteArray::fromStdString(planJson(plan));
        for (const Weighed &other : allSubsets(plan))
            QVERIFY2(!(other.likely && !other.atRisk && other.verdict == Verdict::Fits &&
                       other.toll <= best->toll && other.slow <= best->slow),
                     json);
        for (const auto &[kind, option] : found.options)
            QVERIFY2(option.standing.verdict != Verdict::Fits || option.toll > best->toll ||
                         option.slow > best->slow || option.gpus != best->gpus,
                     json);
    }
    QVERIFY2(told == 32, QByteArray::number(told));
}

void TestRecommendation::mastersAreGivenUpLast()
{
    int last = 0;
    for (const char *model : {"llama-3.1-70b", "llama-3.1-8b", "qwen3-8b", "qwen3-32b"}) {
        for (const char *gpu : {"h200-sxm-141gb", "h100-sxm-80gb", "rtx-4090"}) {
            for (const std::int64_t gpus : {1, 2, 8}) {
                Plan plan = firstQuestion();
                plan.model.preset = model;
                plan.hardware.gpu = gpu;
                plan.hardware.gpus = plan.parallel.data = gpus;
                if (gpus == 1) {
                    plan.parallel.strategy.reset();
                    plan.precision.regime.reset();
                }
                const Recommendation found = recommend(plan);
                const Combination *told = optionOf(found, Kind::Recommended);
                if (!told || told->toll != Toll::Learning)
                    continue;
                ++last;
                const Bytes margin = *estimate(plan).capacity / 40;
                for (const Weighed &other : allSubsets(plan))
                    QVERIFY2(other.toll >= Toll::Learning || !other.likely ||
                                 (other.verdict != Verdict::Fits && other.headroom < margin),
                             (std::string(model) + ' ' + gpu).c_str());
            }
        }
    }
    Plan plan = firstQuestion(); // the README's
    plan.model.preset = "llama-3.1-70b";
    plan.hardware.gpu = "h200-sxm-141gb";
    const Recommendation recommendation = recommend(plan);
    const Combination *told = optionOf(recommendation, Kind::Recommended);
    QVERIFY(told && told->toll < Toll::Learning);
    for (const Change &change : trainingChanges())
        if (change.title == "All in bf16")
            QVERIFY(change.toll == Toll::Learning &&
                    change.price.find("may stop learning") != std::string_view::npos);
}

void TestRecommendation::adaptersKeepTheirMasters()
{
    Plan plan = firstQuestion();
    plan.model.preset = "llama-3.1-8b";
    plan.hardware.gpu = "rtx-4090";
    plan.hardware.gpus = plan.parallel.data = 1;
    plan.parallel.strategy.reset();
    plan.precision.regime.reset();
    plan.batch.sequenceLength = 2048;
    plan.adapters.kind = AdapterKind::Lora;
    plan.adapters.rank = 16;
    plan.adapters.targets = TextList{"all-linear"};
    const Settings settings = resolve(plan).settings;
    int narrowed = 0;
    for (const Change &change : changesOf(settings)) {
        Plan made = plan;
        if (!change.apply(made, settings))
            continue;
        QVERIFY2(change.toll != Toll::Learning, std::string(change.title).c_str());
        const Settings after = resolve(made).settings;
        if (after.regime == Regime::PureBf16 && settings.regime != Regime::PureBf16) {
            ++narrowed;
            QVERIFY(after.adapters.weightBytes == 4 && after.optimizer.stateBytes == 4);
        }
    }
    QCOMPARE(narrowed, 1);
}

/// Of shorter sequences, or fewer at once, a token is other work.
void TestRecommendation::aShorterSequenceIsNotCalledFaster()
{
    Random random(11);
    int other = 0;
    int same = 0;
    for (int trial = 0; trial < 600 && (same <= 8 || other == 0); ++trial) {
        Plan plan = test::randomPlan(random);
        const Estimate before = estimate(plan);
        if (!before.computed)
            continue;
        plan.hardware.capacity = before.peakDevice / 20 * static_cast<Bytes>(8 + random() % 13) + 1;
        for (const auto &[kind, option] : recommend(plan).options) {
            const Settings a = *before.settings;
            const Settings b = resolve(withFields(plan, option.fields)).settings;
            const bool isSame =
                a.workload == Workload::Training
                    ? a.sequenceLength == b.sequenceLength && a.adapters.kind == b.adapters.kind
                    : a.meanSequenceLength == b.meanSequenceLength &&
                          a.concurrentSequences == b.concurrentSequences;
            (isSame ? same : other) += option.seconds ? 1 : 0;
            const QByteArray json = QByteArray::fromStdString(planJson(plan));
            QVERIFY2(isSame || !option.slowdown, json);
            QVERIFY2(isSame || (kind != Kind::Fastest && kind != Kind::FewerGpus), json);
        }
    }
    QVERIFY2(same > 8 && other > 0, QByteArray::number(other));
}

void TestRecommendation::aMemorySharedWithTheSystemGetsALowerShare()
{
    Plan plan;
    plan.workload = Workload::Inference;
    plan.model.preset = "gpt-oss-120b";
    plan.hardware.gpu = "gb10-128gb";
    plan.inference.engine = Engine::Vllm;
    plan.inference.concurrentSequences = 1;
    QCOMPARE(verdictOf(estimate(plan)), std::optional(Verdict::Tight));
    const Recommendation found = recommend(plan);
    const Combination *told = optionOf(found, Kind::Recommended);
    QVERIFY(told && told->standing.verdict == Verdict::Fits && told->toll == Toll::None);
    const Settings after = resolve(withFields(plan, told->fields)).settings;
    QVERIFY(after.gpuMemoryUtilization < resolve(plan).settings.gpuMemoryUtilization);
    // No larger hundredth is within the memory by its whole range.
    Plan more = withFields(plan, told->fields);
    more.inference.gpuMemoryUtilization = after.gpuMemoryUtilization + 0.01;
    QVERIFY(verdictOf(estimate(more)) != Verdict::Fits);
}

void TestRecommendation::noPlanAtRiskIsLeftAsItIs_data()
{
    QTest::addColumn<Plan>("plan");
    Plan served;
    served.workload = Workload::Inference;
    served.hardware.gpu = "gb10-128gb";
    served.inference.concurrentSequences = 4;
    served.inference.maxModelLen = 8192;
    for (const Engine engine : {Engine::Vllm, Engine::Sglang, Engine::LlamaCpp}) {
        for (const char *model : {"qwen3-32b", "gpt-oss-120b"}) {
            served.model.preset = model;
            served.inference.engine = engine;
            if (engine == Engine::Vllm)
                served.inference.gpuMemoryUtilization = 0.8;
            QTest::addRow("%s, engine %d", model, static_cast<int>(engine)) << served;
        }
    }
    Plan trained;
    trained.model.preset = "llama-3.1-8b";
    trained.hardware.gpu = "h200-sxm-141gb";
    trained.hardware.hostMemory = 16LL << 30;
    trained.activations.checkpointing = Checkpointing::Full;
    trained.precision.regime = Regime::PureBf16;
    trained.parallel.strategy = Strategy::Zero2;
    trained.optimizer.offload = true;
    QTest::newRow("the optimizer on a small host") << trained;
    Plan called;
    called.workload = Workload::Inference;
    called.model.pipeline = "flux.1-dev";
    called.hardware.gpu = "h100-sxm-80gb";
    called.hardware.hostMemory = 16LL << 30;
    called.diffusion.offload = DiffusionOffload::Model;
    QTest::newRow("components on a small host") << called;
}

/// Its figures fit, but a warning states that the run may fail all the same.
void TestRecommendation::noPlanAtRiskIsLeftAsItIs()
{
    QFETCH(Plan, plan);
    const auto warnedOf = [](const Estimate &it) {
        return std::ranges::any_of(it.issues, [](const Issue &issue) {
            return issue.severity == Issue::Severity::Warning &&
                   (issue.field == "hardware.page_cache_bytes" ||
                    issue.field == "hardware.host_memory_bytes");
        });
    };
    const Estimate before = estimate(plan);
    QVERIFY(before.computed && before.fits.value_or(false) && warnedOf(before));
    const Recommendation found = recommend(plan);
    const Combination *told = optionOf(found, Kind::Recommended);
    QVERIFY(told);
    QVERIFY2(!told->fields.empty(), combinedTitle(*told).c_str());
    for (const auto &[kind, option] : found.options) {
        const Estimate after = estimate(withFields(plan, option.fields));
        QVERIFY2(!warnedOf(after) && verdictOf(after) == Verdict::Fits,
                 combinedTitle(option).c_str());
    }
    const std::vector<WayToFit> ways = waysToFit(plan);
    QVERIFY(!ways.empty());
    const Estimate first = estimate(withFields(plan, ways.front().fields));
    QVERIFY2(!warnedOf(first), ways.front().title.c_str());
}

void TestRecommendation::aLoweredNumberIsTheLargestThatFits()
{
    int lowered = 0;
    for (const std::int64_t microBatch : {6, 8, 12, 24}) {
        Plan plan = firstQuestion();
        plan.model.preset = "llama-3.1-8b";
        plan.batch.microBatch = microBatch;
        const Recommendation found = recommend(plan);
        const Combination *told = optionOf(found, Kind::Recommended);
        QVERIFY(told);
        Plan larger = withFields(plan, told->fields);
        const std::int64_t size = larger.batch.microBatch.value_or(1);
        if (size == microBatch)
            continue;
        ++lowered;
        const std::int64_t sequences = size * larger.batch.accumulationSteps.value_or(1);
        std::int64_t next = size + 1;
        while (sequences % next != 0)
            ++next;
        if (next == microBatch) // the plan's own: other changes do not suffice for it
            continue;
        larger.batch.microBatch = next;
        larger.batch.accumulationSteps = sequences / next;
        const Estimate it = estimate(larger);
        QVERIFY2(verdictOf(it) != Verdict::Fits && *it.headroom < *it.capacity / 40,
                 combinedTitle(*told).c_str());
    }
    QVERIFY(lowered > 1);
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
