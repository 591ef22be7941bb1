// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/solver/strategies.h"

#include "core/planner/choices.h"
#include "core/planner/field_conditions.h"
#include "core/planner/settings.h"
#include "core/solver/layout_search.h"
#include "core/solver/strategy_words.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <map>
#include <optional>
#include <span>
#include <tuple>

namespace vramscope {

namespace {

constexpr double kSameSpeed = 0.005;           ///< within which options count as equally fast
constexpr std::int64_t kLongSequence = 16'384; ///< from which on dividing sequences is weighed
constexpr std::int64_t kMostStages = 32;
constexpr std::int64_t kMostMicroBatch = 64;

/// A way of data parallelism, and what else a framework does with it.
struct Base
{
    Strategy strategy;
    std::optional<Sharding> sharding;
    bool dividesModels = false; ///< tensor, pipeline, context and expert parallelism go with it
};

constexpr std::array kTorch = {Base{Strategy::Ddp, {}},
                               Base{Strategy::Fsdp2, Sharding::FullShard, true},
                               Base{Strategy::Fsdp2, Sharding::ShardGradOp, true},
                               Base{Strategy::Fsdp2, Sharding::HybridShard, true}};
constexpr std::array kDeepSpeed = {Base{Strategy::Zero1, {}}, Base{Strategy::Zero2, {}},
                                   Base{Strategy::Zero3, {}}};
constexpr std::array kMegatron = {Base{Strategy::Megatron, {}, true},
                                  Base{Strategy::MegatronDistributedOptimizer, {}, true}};

/// The strategies of the framework that a plan runs under.
std::span<const Base> basesOf(const Settings &s)
{
    switch (s.strategy) {
    case Strategy::Zero1:
    case Strategy::Zero2:
    case Strategy::Zero3:
        return kDeepSpeed;
    case Strategy::Megatron:
    case Strategy::MegatronDistributedOptimizer:
        return kMegatron;
    default:
        return kTorch;
    }
}

/// The plan under another strategy: mixed precision that belongs to FSDP becomes autocast without
/// it, and the other way round.
Plan under(const Base &base, Plan plan, const Settings &s)
{
    PlanParallel &parallel = plan.parallel;
    parallel.strategy = s.gpus > 1 ? base.strategy : Strategy::None;
    parallel.sharding = base.sharding;
    parallel.shardGroup = std::nullopt;
    parallel.data = parallel.tensor = parallel.pipeline = parallel.context = parallel.expert = 1;
    parallel.virtualStages = std::nullopt;
    parallel.layersPerStage = std::nullopt;
    const bool fsdp = *parallel.strategy == Strategy::Fsdp2;
    if (!fsdp) {
        parallel.sharding = std::nullopt;
        parallel.cpuOffload = std::nullopt;
    }
    if (!fsdp && s.regime == Regime::FsdpMixedBf16)
        plan.precision.regime = Regime::AutocastBf16;
    if (fsdp && s.regime == Regime::AutocastBf16)
        plan.precision.regime = Regime::FsdpMixedBf16;
    if (*parallel.strategy != Strategy::Ddp)
        parallel.gradientAsBucketView = std::nullopt;
    return plan;
}

std::vector<FieldValue> counts(std::int64_t last, auto admits)
{
    std::vector<FieldValue> values;
    for (std::int64_t i = 1; i <= last; ++i)
        if (admits(i))
            values.emplace_back(i);
    return values;
}

/// What is varied under a strategy.
std::vector<Dimension> dimensionsUnder(const Base &base, const Settings &s)
{
    const bool divides = base.dividesModels && s.gpus > 1;
    const auto ofGpus = [&](std::int64_t i) { return s.gpus % i == 0; };
    const auto powers = [](std::int64_t i) { return (i & (i - 1)) == 0; };
    const Architecture &a = s.architecture;
    std::vector<Dimension> dimensions;
    const auto vary = [&](FieldPath path, std::vector<FieldValue> values) {
        if (values.size() > 1)
            dimensions.push_back({&fieldAt(path), std::move(values)});
    };
    if (divides) {
        vary("parallel.tensor", counts(std::min(s.gpus, s.gpusPerNode), ofGpus));
        vary("parallel.pipeline", counts(std::min({s.gpus, a.layers, kMostStages}), ofGpus));
        if (s.sequenceLength >= kLongSequence)
            vary("parallel.context", counts(std::min<std::int64_t>(s.gpus, 64), ofGpus));
        if (a.experts > 1)
            vary("parallel.expert", counts(std::min(s.gpus, a.experts), [&](std::int64_t i) {
                     return ofGpus(i) && a.experts % i == 0;
                 }));
    }
    vary("batch.micro_batch", counts(kMostMicroBatch, powers));
    std::vector<FieldValue> policies = {std::string("none"), std::string("selective-op"),
                                        std::string("full")};
    if (const FieldValue stated = std::string(choiceText(s.checkpointing));
        std::ranges::find(policies, stated) == policies.end())
        policies.push_back(stated);
    vary("activations.checkpointing", std::move(policies));
    return dimensions;
}

/// A candidate that belongs to the search of its base.
struct Found
{
    LayoutSearch::Candidate candidate;
    std::size_t search = 0;
    StrategyKind kind = StrategyKind::OneGpu;
    std::int64_t degrees = 0;
};

/// Steps of half a percent, so that options of the same speed are ranked by what is simpler.
auto speedRank(const Found &it)
{
    return std::tuple(std::llround(std::log(it.candidate.tokenSeconds) / kSameSpeed), it.degrees,
                      -it.candidate.tokens, it.candidate.device);
}

std::int64_t degreesOf(const Settings &s)
{
    return (s.tensor > 1) + (s.pipeline > 1) + (s.context > 1) + (s.expert > 1);
}

StrategyKind kindOf(const Settings &s)
{
    if (s.gpus == 1)
        return StrategyKind::OneGpu;
    if (degreesOf(s) > 1)
        return StrategyKind::Mixed;
    if (s.tensor > 1)
        return StrategyKind::Tensor;
    if (s.pipeline > 1)
        return StrategyKind::Pipeline;
    if (s.context > 1)
        return StrategyKind::Context;
    if (s.expert > 1)
        return StrategyKind::Experts;
    if (s.strategy == Strategy::Ddp || s.strategy == Strategy::Megatron)
        return StrategyKind::Replicas;
    return applies::hybrid(s) ? StrategyKind::Hybrid : StrategyKind::Sharded;
}

StrategyOption optionOf(Plan plan, const SpeedCalibration *calibration)
{
    StrategyOption option;
    const Estimate it = estimate(plan);
    option.kind = kindOf(*it.settings);
    option.title = strategyTitle(*it.settings);
    option.standing = fitSummary(plan).value_or(FitSummary{});
    if (Result<StepTime> time = projectStep(*it.settings, it.work, calibration))
        option.time = std::move(*time);
    option.plan = std::move(plan);
    return option;
}

/// Marks the options that no other one beats in memory and speed.
void markFront(std::vector<Found> &sorted, std::vector<bool> &front)
{
    front.assign(sorted.size(), false);
    Bytes least = std::numeric_limits<Bytes>::max();
    for (std::size_t i = 0; i < sorted.size(); ++i) { // the fastest first
        if (sorted[i].candidate.device >= least)
            continue;
        least = sorted[i].candidate.device;
        front[i] = true;
    }
}

} // namespace

Result<StrategyGuide> strategyGuide(const Plan &plan, const SpeedCalibration *calibration,
                                    const Progress &progress)
{
    Result<PlanEvaluator> stated = PlanEvaluator::of(plan);
    if (!stated)
        return stated.error();
    const Settings s = stated->settings();
    if (s.workload != Workload::Training || s.diffusion)
        return Error{ErrorCode::Invalid,
                     "Strategies are compared for the training of language models; the layouts of "
                     "this plan are compared by `vramscope-cli fit --vary parallel`."};
    if (const Estimate it = estimate(plan); !it.computed)
        return Error{ErrorCode::Invalid, whyNotComputed(it)};
    else if (std::string why = whyNotProjected(*it.settings, it.work); !why.empty())
        return Error{ErrorCode::Invalid, std::move(why)};

    StrategyGuide guide;
    const std::span<const Base> bases = s.gpus > 1 ? basesOf(s) : basesOf(s).first(1);
    std::vector<PlanEvaluator> trials;
    std::vector<std::vector<Dimension>> dimensions;
    std::vector<LayoutSearch> searches;
    trials.reserve(bases.size()); // searches hold on to them
    dimensions.reserve(bases.size());
    std::vector<Found> found;
    std::map<StrategyKind, Found> leanest;
    for (const Base &base : bases) {
        Plan other = under(base, plan, s);
        other.hardware.gpus = s.gpus;
        // The sequences of a step are counted from the plan as it stands.
        other.parallel.data = s.data;
        other.batch.microBatch = s.microBatch;
        other.batch.accumulationSteps = s.accumulationSteps;
        Result<PlanEvaluator> trial = PlanEvaluator::of(other);
        if (!trial)
            continue;
        trials.push_back(std::move(*trial));
        dimensions.push_back(dimensionsUnder(base, s));
        LayoutSearch &search =
            searches.emplace_back(trials.back(), dimensions.back(), s.gpus, calibration);
        const std::size_t at = searches.size() - 1;
        const double share = 1.0 / static_cast<double>(bases.size());
        const bool done = search.run(
            [&](double part) {
                return !progress || progress((static_cast<double>(at) + part) * share);
            },
            [&](const LayoutSearch::Candidate &candidate, const Settings &settings, bool fits) {
                const Found it{candidate, at, kindOf(settings), degreesOf(settings)};
                const auto [place, isNew] = leanest.try_emplace(it.kind, it);
                if (!isNew && candidate.device < place->second.candidate.device)
                    place->second = it;
                if (fits)
                    found.push_back(it);
            });
        guide.weighed += trials.back().weighed();
        if (!done)
            return Error{ErrorCode::Cancelled, "The search was stopped."};
    }
    guide.fitting = std::ssize(found);
    const Bytes comfortable = s.capacity - s.capacity / kMarginPart;
    const auto hasMargin = [&](const Found &it) { return it.candidate.device <= comfortable; };
    if (std::ranges::any_of(found, hasMargin))
        std::erase_if(found, [&](const Found &it) { return !hasMargin(it); });
    std::ranges::stable_sort(found, {}, speedRank);
    std::vector<bool> front;
    markFront(found, front);
    std::map<StrategyKind, bool> hasKind;
    const auto planOf = [&](const Found &it) {
        const LayoutSearch &search = searches[it.search];
        return search.planOf(it.candidate);
    };
    for (std::size_t i = 0; i < found.size(); ++i) {
        const bool isBest = !std::exchange(hasKind[found[i].kind], true);
        if (!isBest && !front[i])
            continue;
        guide.options.push_back(optionOf(planOf(found[i]), calibration));
        guide.options.back().onFront = front[i];
    }
    for (const auto &[kind, it] : leanest)
        if (!hasKind.contains(kind))
            guide.tooLarge.push_back(optionOf(planOf(it), calibration));
    guide.held = strategiesHeld(s, guide);
    guide.reasons = strategyReasons(s, guide);
    guide.changes = strategyChanges(guide, calibration);
    return guide;
}

} // namespace vramscope
