// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/ranks/run_findings.h"

#include "core/base/median.h"

#include <algorithm>
#include <utility>

namespace vramscope {

namespace {

std::int64_t medianStep(const ProfileSummary &profile)
{
    std::vector<std::int64_t> times;
    for (const SummaryProfileStep &step : profile.steps)
        times.push_back(step.time);
    return lowerMedian(std::move(times));
}

/// Whether a/b is more than c/d, of parts of spans, which are not negative.
bool isLargerShare(const RunActivity::Highest &a, const RunActivity::Highest &b)
{
    return static_cast<double>(a.value) * static_cast<double>(b.whole) >
           static_cast<double>(b.value) * static_cast<double>(a.whole);
}

void findHighest(const RankedRun &run, RunActivity &activity)
{
    for (std::size_t place = 0; place < activity.ranks.size(); ++place) {
        if (!activity.comparison.isCompared(place))
            continue;
        const std::size_t rank = activity.ranks[place];
        const ProfileSummary &profile = *run.ranks[rank].profile;
        if (const auto &times = activity.comparison.times[place]; times && times->span > 0) {
            const std::int64_t span = times->span;
            const RunActivity::Highest idle{rank, {}, times->idle, span};
            const RunActivity::Highest exposed{rank, {}, times->exposedCommunication, span};
            if (idle.value > 0 && (!activity.mostIdle || isLargerShare(idle, *activity.mostIdle)))
                activity.mostIdle = idle;
            if (exposed.value > 0 &&
                (!activity.mostExposed || isLargerShare(exposed, *activity.mostExposed)))
                activity.mostExposed = exposed;
        }
        if (profile.steps.size() < 2)
            continue; // one step is none among others
        const std::int64_t median = medianStep(profile);
        for (std::size_t row = 0; row < profile.steps.size(); ++row) {
            const std::int64_t time = profile.steps[row].time;
            if (!activity.slowestStep || time > activity.slowestStep->value)
                activity.slowestStep = RunActivity::Highest{rank, row, time, median};
        }
    }
}

void addComparison(const RankedRun &run, RunActivity &activity, RankComparison compared)
{
    activity.comparison = std::move(compared);
    activity.matched = activity.comparison.collectives.size();
    activity.shared = static_cast<std::size_t>(
        std::ranges::count_if(activity.comparison.collectives, &MatchedCollective::allWait));
    activity.comparison.collectives = {};
    std::vector<std::pair<std::int64_t, std::size_t>> spans;
    for (std::size_t place = 0; place < activity.ranks.size(); ++place) {
        const auto &times = activity.comparison.times[place];
        if (!run.ranks[activity.ranks[place]].hasMemory)
            spans.emplace_back(times ? times->span : 0, activity.ranks[place]);
    }
    std::ranges::sort(spans);
    if (!spans.empty())
        activity.middle = spans[(spans.size() - 1) / 2].second;
    findHighest(run, activity);
}

} // namespace

std::optional<std::size_t> RunActivity::placeOf(std::size_t rank) const
{
    const auto found = std::ranges::lower_bound(ranks, rank);
    return found != ranks.end() && *found == rank
               ? std::optional(static_cast<std::size_t>(found - ranks.begin()))
               : std::nullopt;
}

std::optional<std::size_t> RunActivity::late() const
{
    return comparison.straggler ? std::optional(ranks[*comparison.straggler]) : std::nullopt;
}

RunActivity activityOf(const RankedRun &run)
{
    RunActivity activity;
    std::vector<ComparedRank> compared;
    for (std::size_t at = 0; at < run.ranks.size(); ++at) {
        const auto &profile = run.ranks[at].profile;
        if (!profile)
            continue;
        activity.ranks.push_back(at);
        compared.push_back({run.ranks[at].source.rank.value_or(-1), profile->times, profile->calls,
                            profile->comparedSteps(), profile->isCut});
        if (!profile->areCallsWhole())
            ++(profile->calls.empty() ? activity.withoutCalls : activity.cut);
    }
    if (activity.ranks.empty())
        return activity;
    addComparison(run, activity, comparison(compared));
    for (const CollectiveMatch &match : activity.comparison.matches) {
        if (std::string text = matchText(match); !text.empty())
            activity.problems.push_back(std::move(text));
    }
    if (std::string text = stepsProblem(activity.comparison); !text.empty())
        activity.problems.push_back(std::move(text));
    return activity;
}

RunActivity activityOf(const RankedRun &run, RankComparison compared)
{
    RunActivity activity;
    for (std::size_t at = 0; at < run.ranks.size(); ++at)
        activity.ranks.push_back(at);
    addComparison(run, activity, std::move(compared));
    return activity;
}

std::optional<std::int64_t> timeFigure(const RankedRun &run, const RunActivity &activity,
                                       std::size_t rank, RankFigure figure)
{
    const auto &profile = run.ranks[rank].profile;
    if (!profile)
        return {};
    const auto place = activity.placeOf(rank);
    const auto ofTimes = [&](std::int64_t TimeBreakdown::*member) {
        const auto times = place ? activity.comparison.times[*place] : std::nullopt;
        return times ? std::optional((*times).*member) : std::nullopt;
    };
    switch (figure) {
    case RankFigure::StepTime:
        return profile->steps.empty() ? std::nullopt : std::optional(medianStep(*profile));
    case RankFigure::Compute:
        return ofTimes(&TimeBreakdown::compute);
    case RankFigure::ExposedCommunication:
        return ofTimes(&TimeBreakdown::exposedCommunication);
    case RankFigure::ExposedCopy:
        return ofTimes(&TimeBreakdown::exposedCopy);
    case RankFigure::Idle:
        return ofTimes(&TimeBreakdown::idle);
    case RankFigure::Wait:
        break;
    default:
        return {};
    }
    return place && activity.areWaitsKnown() && activity.comparison.isCompared(*place)
               ? std::optional(activity.comparison.waits[*place])
               : std::nullopt;
}

} // namespace vramscope
