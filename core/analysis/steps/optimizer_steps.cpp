// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/analysis/steps/optimizer_steps.h"

#include "core/analysis/costs/frame_rules.h"

#include <algorithm>
#include <map>
#include <optional>
#include <unordered_map>

namespace vramscope {

namespace {

using Runs = std::vector<Phases::Run>;

// With several optimizers, the runs of the one that runs most often; of equals the last one, which
// ends the step.
Runs runsOfOne(const Trace &trace, const Runs &all)
{
    std::map<FrameId, std::size_t> counts;
    const auto callerOf = [&](const Phases::Run &run) {
        return bestFrame(trace, run.stack).value_or(FrameId{});
    };
    for (const Phases::Run &run : all)
        ++counts[callerOf(run)];
    std::optional<FrameId> chosen;
    for (const Phases::Run &run : all) {
        if (!chosen || counts[callerOf(run)] >= counts[*chosen])
            chosen = callerOf(run);
    }
    Runs runs;
    std::ranges::copy_if(all, std::back_inserter(runs),
                         [&](const Phases::Run &run) { return callerOf(run) == *chosen; });
    return runs;
}

// The allocations between the runs of an optimizer.
class Intervals
{
public:
    Intervals(const Allocations &allocations, const Phases &phases, const Runs &runs, double recurs)
        : m_allocations(allocations)
        , m_phases(phases)
        , m_runs(runs)
        , m_leastCount(recurs * static_cast<double>(runs.size() - 1))
    {
        std::unordered_map<StackId, std::size_t> last;
        for (std::size_t interval = 1; interval < runs.size(); ++interval) {
            forEach(interval, [&](StackId stack, EventIndex) {
                std::size_t &seen = last[stack];
                m_counts[stack] += seen == interval ? 0U : 1U;
                seen = interval;
                return false;
            });
        }
    }

    /// The first allocation of interval `at` whose stack recurs.
    [[nodiscard]] std::optional<std::pair<StackId, EventIndex>> firstOf(std::size_t at) const
    {
        std::optional<std::pair<StackId, EventIndex>> first;
        forEach(at, [&](StackId stack, EventIndex birth) {
            const auto count = m_counts.find(stack);
            if (count != m_counts.end() && static_cast<double>(count->second) >= m_leastCount)
                first.emplace(stack, birth);
            return first.has_value();
        });
        return first;
    }
    [[nodiscard]] std::optional<EventIndex> firstOf(std::size_t at, StackId wanted) const
    {
        std::optional<EventIndex> first;
        forEach(at, [&](StackId stack, EventIndex birth) {
            if (stack == wanted)
                first = birth;
            return first.has_value();
        });
        return first;
    }

private:
    // Calls visit(stack, birth) for the allocations before run `at` and after the one before it,
    // until it returns true.
    template<class Visit>
    void forEach(std::size_t at, Visit visit) const
    {
        AllocationIndex index = m_allocations.firstBornAfter(at == 0 ? -1 : m_runs[at - 1].last);
        const EventIndex end =
            at < m_runs.size() ? m_runs[at].first : std::numeric_limits<EventIndex>::max();
        for (; index < m_allocations.count(); ++index) {
            const auto place = static_cast<std::size_t>(index);
            const Phase phase = m_phases.madeIn(index);
            if (m_allocations.birth[place] >= end)
                return;
            if (phase != Phase::Backward && phase != Phase::Optimizer &&
                visit(m_allocations.stack[place], m_allocations.birth[place]))
                return;
        }
    }

    const Allocations &m_allocations;
    const Phases &m_phases;
    const Runs &m_runs;
    double m_leastCount; ///< of intervals, for an allocation that recurs
    std::unordered_map<StackId, std::size_t> m_counts; ///< of the intervals that have it
};

} // namespace

OptimizerSteps stepsOfOptimizer(const Trace &trace, const Allocations &allocations,
                                const Phases &phases, const StepThresholds &thresholds)
{
    OptimizerSteps found;
    const Runs runs = runsOfOne(trace, phases.optimizerRuns());
    if (runs.size() < thresholds.leastRuns)
        return found;
    const Intervals intervals(allocations, phases, runs, thresholds.recurs);
    std::map<StackId, std::size_t> votes;
    for (std::size_t at = 1; at < runs.size(); ++at) {
        const auto first = intervals.firstOf(at);
        if (first)
            ++votes[first->first];
        found.starts.push_back(first ? first->second : runs[at - 1].last + 1);
    }
    const auto usual =
        std::ranges::max_element(votes, {}, [](const auto &vote) { return vote.second; });
    if (usual == votes.end())
        return {};
    found.alike = static_cast<double>(usual->second) / static_cast<double>(runs.size() - 1);
    const auto first = intervals.firstOf(0, usual->first);
    found.firstKnown = first.has_value();
    found.starts.insert(found.starts.begin(), first.value_or(0));
    if (const auto next = intervals.firstOf(runs.size(), usual->first)) {
        found.starts.push_back(*next);
        found.lastComplete = false;
    }
    return found;
}

} // namespace vramscope
