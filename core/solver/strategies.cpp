// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/solver/strategies.h"

#include "core/plan/choices.h"
#include "core/settings/field_conditions.h"
#include "core/settings/settings.h"
#include "core/solver/layout_search.h"
#include "core/solver/strategy_words.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <map>
#include <optional>
#include <set>
#include <span>
#include <tuple>

namespace vramscope {

namespace {

constexpr Bytes kFrontPart = 20;               ///< of its memory that a slower option has to save
constexpr double kSameSpeed = 0.005;           ///< options within this count as equally fast
constexpr std::int64_t kLongSequence = 16'384; ///< from here on dividing sequences is considered
constexpr std::int64_t kMostStages = 32;
constexpr std::int64_t kMostMicroBatch = 64;

/// A kind of data parallelism, and the framework's parallelism with it.
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

/// The plan under another strategy: mixed precision of FSDP becomes autocast without it, and the
/// reverse.
Plan under(const Base &base, Plan plan, const Settings &s)
{
    PlanParallel &parallel = plan.parallel;
    parallel.strategy = s.gpus > 1 ? base.strategy : Strategy::None;
    parallel.sharding = base.sharding;
    parallel.shardGroup = parallel.optimizerInstances = std::nullopt;
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

/// The fields varied under a strategy.
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

/// Steps of half a percent, so that options of the same speed are ranked by simplicity.
auto speedRank(const Found &it)
{
    return std::tuple(std::llround(std::log(*it.candidate.tokenSeconds) / kSameSpeed), it.degrees,
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
        return StrategyKind::Plain;
    return applies::hybrid(s) ? StrategyKind::Hybrid : StrategyKind::Sharded;
}

/// An error where the plan's memory or its time is unknown.
Result<StrategyOption> optionOf(Plan plan, const SpeedCalibration *calibration)
{
    const Estimate it = estimate(plan);
    Result<FitSummary> standing = knownFitSummary(plan);
    if (!standing)
        return standing.error();
    Result<StepTime> time = projectStep(*it.settings, it.work, calibration);
    if (!time)
        return time.error();
    return StrategyOption{.kind = kindOf(*it.settings),
                          .title = strategyTitle(*it.settings),
                          .plan = std::move(plan),
                          .standing = std::move(*standing),
                          .time = std::move(*time)};
}

/// All layouts of a plan under each strategy of its framework.
class Weighing
{
public:
    Weighing(const Plan &plan, const Settings &settings, const SpeedCalibration *calibration)
        : m_plan(plan)
        , m_s(settings)
        , m_calibration(calibration)
    {
    }

    /// Returns false where `progress` cancelled it.
    [[nodiscard]] bool run(const Progress &progress);

    /// Those that fit and have a projected time, with a margin where any does, by rank.
    [[nodiscard]] const std::vector<Found> &found() const { return m_found; }
    [[nodiscard]] const std::map<StrategyKind, Found> &leanest() const { return m_leanest; }
    [[nodiscard]] std::int64_t weighed() const { return m_weighed; }
    [[nodiscard]] std::int64_t fitting() const { return m_fitting; }
    [[nodiscard]] Result<StrategyOption> option(const Found &it) const
    {
        return optionOf(m_searches[it.search].planOf(it.candidate), m_calibration);
    }

private:
    [[nodiscard]] Plan planUnder(const Base &base) const;
    void keepThoseWithMargin();

    const Plan &m_plan;
    const Settings &m_s;
    const SpeedCalibration *m_calibration;
    // Searches refer to their trial and dimensions, which do not move.
    std::vector<PlanEvaluator> m_trials;
    std::vector<std::vector<Dimension>> m_dimensions;
    std::vector<LayoutSearch> m_searches;
    std::vector<Found> m_found;
    std::map<StrategyKind, Found> m_leanest;
    std::int64_t m_weighed = 0;
    std::int64_t m_fitting = 0;
};

/// With the plan's GPUs and sequences of a step, from which the search counts.
Plan Weighing::planUnder(const Base &base) const
{
    Plan other = under(base, m_plan, m_s);
    other.hardware.gpus = m_s.gpus;
    other.parallel.data = m_s.data;
    other.batch.microBatch = m_s.microBatch;
    other.batch.accumulationSteps = m_s.accumulationSteps;
    return other;
}

bool Weighing::run(const Progress &progress)
{
    const std::span<const Base> bases = m_s.gpus > 1 ? basesOf(m_s) : basesOf(m_s).first(1);
    m_trials.reserve(bases.size());
    m_dimensions.reserve(bases.size());
    m_searches.reserve(bases.size());
    for (const Base &base : bases) {
        if (base.sharding == Sharding::HybridShard && m_s.gpus <= m_s.gpusPerNode)
            continue; // one group is no hybrid
        Result<PlanEvaluator> trial = PlanEvaluator::of(planUnder(base));
        if (!trial)
            continue;
        m_trials.push_back(std::move(*trial));
        m_dimensions.push_back(dimensionsUnder(base, m_s));
        m_searches.emplace_back(m_trials.back(), m_dimensions.back(), m_s.gpus, m_calibration);
        const std::size_t at = m_searches.size() - 1;
        const double share = 1.0 / static_cast<double>(bases.size());
        const bool done = m_searches.back().run(
            [&](double part) {
                return !progress || progress((static_cast<double>(at) + part) * share);
            },
            [&](const LayoutSearch::Candidate &candidate, const Settings &settings, bool fits) {
                const Found it{candidate, at, kindOf(settings), degreesOf(settings)};
                const auto [place, isNew] = m_leanest.try_emplace(it.kind, it);
                if (!isNew && candidate.device < place->second.candidate.device)
                    place->second = it;
                if (fits && candidate.tokenSeconds)
                    m_found.push_back(it);
            });
        m_weighed += m_trials.back().weighed();
        if (!done)
            return false;
    }
    m_fitting = std::ssize(m_found);
    keepThoseWithMargin();
    std::ranges::stable_sort(m_found, {}, speedRank);
    return true;
}

void Weighing::keepThoseWithMargin()
{
    const Bytes comfortable = m_s.capacity - m_s.capacity / kMarginPart;
    const auto hasMargin = [&](const Found &it) { return it.candidate.device <= comfortable; };
    if (std::ranges::any_of(m_found, hasMargin))
        std::erase_if(m_found, [&](const Found &it) { return !hasMargin(it); });
}

} // namespace

std::optional<StrategyOption> fastestStrategy(const Plan &plan, const SpeedCalibration *calibration)
{
    const Settings s = resolve(plan).settings;
    Weighing weighing(plan, s, calibration);
    if (!weighing.run({}) || weighing.found().empty())
        return std::nullopt;
    Result<StrategyOption> first = weighing.option(weighing.found().front());
    return first ? std::optional(std::move(*first)) : std::nullopt;
}

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
    else if (std::string why = whyNotProjected(*it.settings, it.work, calibration); !why.empty())
        return Error{ErrorCode::Invalid, std::move(why)};

    Weighing weighing(plan, s, calibration);
    if (!weighing.run(progress))
        return Error{ErrorCode::Cancelled, "The search was stopped."};
    StrategyGuide guide;
    guide.weighed = weighing.weighed();
    guide.fitting = weighing.fitting();
    std::set<StrategyKind> kinds;
    Bytes least = std::numeric_limits<Bytes>::max();
    for (const Found &it : weighing.found()) { // the fastest first
        const bool isOnFront = it.candidate.device <= least - least / kFrontPart;
        if (isOnFront)
            least = it.candidate.device;
        if (!kinds.insert(it.kind).second && !isOnFront)
            continue;
        Result<StrategyOption> option = weighing.option(it);
        if (!option)
            return option.error();
        option->onFront = isOnFront;
        guide.options.push_back(std::move(*option));
    }
    for (const auto &[kind, it] : weighing.leanest()) {
        if (kinds.contains(kind))
            continue;
        Result<StrategyOption> option = weighing.option(it);
        if (!option)
            return option.error();
        guide.tooLarge.push_back(std::move(*option));
    }
    guide.held = strategiesHeld(s, guide);
    guide.reasons = strategyReasons(s, guide);
    guide.changes = strategyChanges(plan, guide, calibration);
    return guide;
}

} // namespace vramscope
