// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/solver/layout_search.h"

#include "core/base/exact.h"
#include "core/settings/degrees.h"

#include <algorithm>
#include <cmath>
#include <tuple>

namespace vramscope {

namespace {

/// Fractions of a step within which two layouts count as equally fast.
constexpr double kSameShare = 0.005;

/// Layouts, a millisecond's work or less.
constexpr std::int64_t kBetweenReports = 1024;

/// Sequences of one step over all GPUs.
std::int64_t sequencesOf(const Plan &plan)
{
    const PlanBatch &batch = plan.batch;
    return (Exact(plan.parallel.data.value_or(1)) * batch.microBatch.value_or(1) *
            batch.accumulationSteps.value_or(1))
        .value();
}

bool trains(const Settings &s)
{
    return s.workload == Workload::Training;
}

std::int64_t sequencesAtOnce(const Settings &s)
{
    return trains(s) ? s.microBatch : s.concurrentSequences;
}

std::int64_t longest(const Settings &s)
{
    return trains(s) ? s.sequenceLength : s.maxModelLen;
}

/// Tokens of a micro-batch, or of the sequences served at once.
std::int64_t tokensOf(const Settings &s)
{
    const bool shorter = !trains(s) && s.meanSequenceLength > 0;
    return (Exact(sequencesAtOnce(s)) * (shorter ? s.meanSequenceLength : longest(s))).value();
}

/// Bytes that a step sends per token: layouts with batches of different size compare by it.
double sentATokenOf(const PeakSummary &it, const Settings &s)
{
    const Exact tokens = Exact(s.data) * s.microBatch * s.accumulationSteps * s.sequenceLength;
    return static_cast<double>(it.communicationBytes) / static_cast<double>(tokens.value());
}

/// The ranking of candidates: cost first, memory last.
auto rankOfLayout(const LayoutSearch::Candidate &it)
{
    return std::tuple(std::llround((it.recompute + it.bubble) / kSameShare), it.sent, -it.tokens,
                      -it.length, -it.cacheTokens, it.device);
}

} // namespace

bool LayoutSearch::Candidate::beats(const Candidate &other) const
{
    return device <= other.device && recompute <= other.recompute && bubble <= other.bubble &&
           sent <= other.sent && sequences >= other.sequences && length >= other.length &&
           cacheTokens >= other.cacheTokens;
}

LayoutSearch::LayoutSearch(PlanEvaluator &trial, std::span<const Dimension> dimensions,
                           std::int64_t gpus, const SpeedCalibration *calibration)
    : m_trial(trial)
    , m_base(trial.plan)
    , m_dimensions(dimensions)
    , m_gpus(gpus)
    , m_calibration(calibration)
    , m_sequences(sequencesOf(trial.plan))
{
}

std::int64_t LayoutSearch::combinations()
{
    std::int64_t count = 0;
    visit(0, [&] { ++count; });
    m_trial.plan = m_base;
    return count;
}

bool LayoutSearch::run(const Progress &progress, const Observer &observer)
{
    const auto all = static_cast<double>(progress ? combinations() : 0);
    std::int64_t done = 0;
    bool goesOn = true;
    visit(0, [&] {
        if (progress && ++done % kBetweenReports == 0)
            goesOn = goesOn && progress(static_cast<double>(done) / all);
        if (goesOn)
            weigh(observer);
    });
    m_trial.plan = m_base;
    return goesOn;
}

template<class Visitor>
void LayoutSearch::visit(std::size_t depth, const Visitor &visitor)
{
    if (depth == m_dimensions.size()) {
        visitor();
        return;
    }
    const Dimension &dimension = m_dimensions[depth];
    Plan &plan = m_trial.plan;
    const FieldValue stated = dimension.field->get(m_base);
    if (!isWorthVarying(dimension)) {
        m_current.at[depth] = -1;
        visit(depth + 1, visitor);
        return;
    }
    for (std::size_t i = 0; i < dimension.values.size(); ++i) {
        dimension.field->set(plan, dimension.values[i]);
        m_trial.take(*dimension.field);
        m_current.at[depth] = static_cast<std::int16_t>(i);
        if (!fillWorld(plan))
            continue;
        m_trial.take(fieldAt("parallel.data"));
        m_trial.take(fieldAt("batch.accumulation_steps"));
        visit(depth + 1, visitor);
    }
    dimension.field->set(plan, stated);
    m_trial.take(*dimension.field);
}

bool LayoutSearch::isWorthVarying(const Dimension &dimension) const
{
    return !dimension.values.empty() && dimension.field->applies(m_trial.settings());
}

bool LayoutSearch::fillWorld(Plan &plan) const
{
    if (!fillGpus(plan.parallel, m_gpus))
        return false;
    const std::int64_t taken = plan.parallel.data.value_or(1) * plan.batch.microBatch.value_or(1);
    if (const auto &stated = m_base.parallel.layersPerStage) // a list for one number of stages only
        plan.parallel.layersPerStage =
            std::ssize(*stated) == plan.parallel.pipeline.value_or(1) ? stated : std::nullopt;
    if (m_trial.settings().workload == Workload::Training)
        plan.batch.accumulationSteps = dividedUp(Exact(m_sequences), taken).value();
    return true;
}

void LayoutSearch::weigh(const Observer &observer)
{
    if (!fillWorld(m_trial.plan))
        return;
    const std::optional<PeakSummary> it = m_trial.weigh();
    if (!it || it->overflowed())
        return;
    m_current.device = it->device;
    m_current.communication = it->communicationBytes;
    m_current.sent = sentATokenOf(*it, m_trial.settings());
    m_current.tokens = tokensOf(m_trial.settings());
    m_current.sequences = sequencesAtOnce(m_trial.settings());
    m_current.length = longest(m_trial.settings());
    m_current.recompute = it->recomputeShare;
    m_current.bubble = it->bubbleShare;
    m_current.cacheTokens =
        it->inference ? (Exact(it->inference->kvTokens) * m_trial.settings().data).value() : 0;
    m_current.tokenSeconds = likelySeconds(m_trial.settings(), it->work, m_calibration);
    if (m_current.tokenSeconds)
        *m_current.tokenSeconds /= std::max(it->work.tokens, 1.0);
    keepIfSmall();
    const bool fits = m_trial.fits(*it);
    if (fits)
        m_fitting.push_back(m_current);
    if (observer)
        observer(m_current, m_trial.settings(), fits);
}

void LayoutSearch::keepIfSmall()
{
    const auto cost = [](const Candidate &it) {
        return std::tuple(it.device, it.recompute + it.bubble, it.sent);
    };
    const auto place =
        std::ranges::lower_bound(m_smallest, m_current.device, {}, &Candidate::device);
    if (place != m_smallest.end() && place->device == m_current.device) {
        if (cost(m_current) < cost(*place)) // of equally large ones the cheapest
            *place = m_current;
        return;
    }
    if (m_smallest.size() == kNearest && place == m_smallest.end())
        return;
    m_smallest.insert(place, m_current);
    if (m_smallest.size() > kNearest)
        m_smallest.pop_back();
}

std::vector<LayoutSearch::Candidate> LayoutSearch::ranked() const
{
    std::vector<Candidate> list = m_dimensions.size() == 1 ? m_fitting : unbeaten();
    std::ranges::stable_sort(list, {}, rankOfLayout);
    return list;
}

std::vector<LayoutSearch::Candidate> LayoutSearch::unbeaten() const
{
    // In this order no later candidate beats an earlier one, unless both are the same.
    std::vector<Candidate> sorted = m_fitting;
    std::ranges::stable_sort(sorted, {}, [](const Candidate &it) {
        return std::tuple(it.device, it.recompute, it.bubble, it.sent, -it.tokens, -it.length,
                          -it.cacheTokens);
    });
    std::vector<Candidate> front;
    for (const Candidate &candidate : sorted) {
        const auto winner = std::ranges::find_if(
            front, [&](const Candidate &other) { return other.beats(candidate); });
        if (winner == front.end())
            front.push_back(candidate);
        else if (winner != front.begin()) // a candidate that beats one often beats the next as well
            std::iter_swap(winner, std::prev(winner));
    }
    return front;
}

Plan LayoutSearch::planOf(const Candidate &candidate) const
{
    Plan plan = m_base;
    for (std::size_t i = 0; i < m_dimensions.size(); ++i)
        if (candidate.at[i] >= 0)
            m_dimensions[i].field->set(
                plan, m_dimensions[i].values[static_cast<std::size_t>(candidate.at[i])]);
    (void)fillWorld(plan);
    return plan;
}

Result<Layout> LayoutSearch::layout(const Candidate &candidate) const
{
    const Plan plan = planOf(candidate);
    Result<FitSummary> standing = knownFitSummary(plan);
    if (!standing)
        return standing.error();
    Layout layout;
    for (std::size_t i = 0; i < m_dimensions.size(); ++i)
        if (candidate.at[i] >= 0)
            layout.fields.push_back(
                {m_dimensions[i].field->path,
                 m_dimensions[i].values[static_cast<std::size_t>(candidate.at[i])]});
    if (plan.parallel.layersPerStage != m_base.parallel.layersPerStage) // of other stages
        layout.fields.push_back({"parallel.layers_per_stage", {}});
    layout.fields.push_back({"parallel.data", plan.parallel.data.value_or(1)});
    if (m_trial.settings().workload == Workload::Training)
        layout.fields.push_back({"batch.accumulation_steps", *plan.batch.accumulationSteps});
    layout.standing = std::move(*standing);
    layout.recomputeShare = candidate.recompute;
    layout.bubbleShare = candidate.bubble;
    layout.communicationBytes = candidate.communication;
    layout.cacheTokens = candidate.cacheTokens;
    layout.tokens = candidate.tokens;
    return layout;
}

} // namespace vramscope
