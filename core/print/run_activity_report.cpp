// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/print/run_activity_report.h"

#include "core/base/durations.h"
#include "core/base/format.h"
#include "core/base/text.h"
#include "core/print/cells.h"
#include "core/table/text_table.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <array>
#include <set>

namespace vramscope {

namespace {

using ActivityJson = nlohmann::ordered_json;
using Highest = RunActivity::Highest;

constexpr std::size_t kMostActivityRows = 64;
constexpr std::size_t kMostOutliersTold = 3;

std::int64_t activityNumberOf(const RankedRun &run, std::size_t rank)
{
    return run.ranks[rank].source.rank.value_or(-1);
}

/// "rank 1733 (node0216)"
std::string activityTitleOf(const RankedRun &run, std::size_t rank)
{
    const std::string &node = run.ranks[rank].source.node;
    return "rank " + std::to_string(activityNumberOf(run, rank)) +
           (node.empty() ? "" : " (" + printable(node) + ")");
}

const SummarySource &profileSourceOf(const RankSummary &rank)
{
    return rank.profileSource ? *rank.profileSource : rank.source;
}

std::string slowestStepText(const RankedRun &run, const Highest &slowest)
{
    return "The slowest step is " + stepName(*run.ranks[slowest.rank].profile, *slowest.row) +
           " of " + activityTitleOf(run, slowest.rank) + ": " + formatNanoseconds(slowest.value) +
           ", where half of its steps take " + formatNanoseconds(slowest.whole) + " or less.";
}

std::string highestShareText(const RankedRun &run, const Highest &highest, const char *what)
{
    return std::string("Of all ranks ") + activityTitleOf(run, highest.rank) +
           " has the largest share of " + what + ": " + formatNanoseconds(highest.value) + ", " +
           formatTimeShare(highest.value, highest.whole) + " of its time.";
}

std::ptrdiff_t comparedRanks(const RunActivity &activity)
{
    return std::ranges::count(activity.comparison.isCut, false);
}

std::string lateSentence(const RankedRun &run, const RunActivity &activity)
{
    if (activity.ranks.size() < 2)
        return "There is no other profiler trace to compare it with.";
    if (comparedRanks(activity) < 2)
        return "No two ranks have a complete profiler trace: which rank is late is not known.";
    if (const auto late = activity.late())
        return lateText(activity.comparison, activityTitleOf(run, *late));
    if (activity.areWaitsKnown())
        return "No rank is clearly later than the others, by the " +
               counted(activity.comparison.waitedCalls, "collective") + " that all ranks wait for.";
    return "No collective that all ranks wait for was matched on all of them: which rank is late, "
           "and what the others wait for it, is not known.";
}

std::vector<std::size_t> toldRanks(const RunActivity &activity)
{
    if (activity.ranks.size() <= kMostActivityRows)
        return activity.ranks;
    std::set<std::size_t> named;
    if (const auto late = activity.late())
        named.insert(*late);
    for (const auto *highest : {&activity.slowestStep, &activity.mostIdle, &activity.mostExposed}) {
        if (*highest)
            named.insert((*highest)->rank);
    }
    for (const RankOutlier &each : activity.outliers) {
        if (named.size() < kMostActivityRows)
            named.insert(activity.ranks[each.rank]);
    }
    return {named.begin(), named.end()};
}

template<class Value>
ActivityJson activityValue(const std::optional<Value> &value)
{
    return value ? ActivityJson(*value) : ActivityJson();
}

ActivityJson highestFigureJson(const RankedRun &run, const std::optional<Highest> &highest)
{
    if (!highest)
        return {};
    ActivityJson json{{"rank", activityNumberOf(run, highest->rank)}};
    if (highest->row)
        json["step"] = run.ranks[highest->rank].profile->steps[*highest->row].number;
    json["time"] = highest->value;
    json[highest->row ? "median" : "span"] = highest->whole;
    return json;
}

const char *barPartName(RankOutlier::BarPart part)
{
    constexpr std::array<const char *, 4> kNames{"compute", "exposed_communication", "exposed_copy",
                                                 "idle"};
    return kNames[static_cast<std::size_t>(part)];
}

} // namespace

std::string stepName(const ProfileSummary &profile, std::size_t row)
{
    return "step " + std::to_string(profile.steps[row].number);
}

std::vector<std::string> activityStory(const RankedRun &run, const RunActivity &activity)
{
    if (activity.ranks.empty())
        return {};
    std::vector<std::string> story{lateSentence(run, activity)};
    if (activity.slowestStep)
        story.push_back(slowestStepText(run, *activity.slowestStep));
    const bool areSeveral = comparedRanks(activity) > 1;
    if (activity.mostIdle && areSeveral)
        story.push_back(highestShareText(run, *activity.mostIdle, "idle time"));
    if (activity.mostExposed && areSeveral)
        story.push_back(highestShareText(run, *activity.mostExposed,
                                         "communication that nothing hides (exposed)"));
    for (std::size_t at = 0; at < std::min(activity.outliers.size(), kMostOutliersTold); ++at)
        story.push_back(
            outlierText(activity.outliers[at],
                        activityTitleOf(run, activity.ranks[activity.outliers[at].rank])));
    if (activity.outliers.size() > kMostOutliersTold)
        story.push_back(
            counted(static_cast<std::int64_t>(activity.outliers.size() - kMostOutliersTold),
                    "other rank") +
            (activity.outliers.size() == kMostOutliersTold + 1 ? " differs" : " differ") +
            " from the rank in the middle by a part of their time.");
    return story;
}

std::vector<std::string> activityRemarks(const RankedRun &run, const RunActivity &activity)
{
    std::vector<std::string> remarks;
    if (activity.ranks.empty())
        return remarks;
    if (activity.ranks.size() < run.ranks.size())
        remarks.push_back(formatCount(static_cast<std::int64_t>(activity.ranks.size())) + " of " +
                          counted(static_cast<std::int64_t>(run.ranks.size()), "rank") +
                          " left a profiler trace.");
    if (const std::size_t others = activity.matched - activity.shared; others > 0)
        remarks.push_back("Waits in " + counted(static_cast<std::int64_t>(others), "collective") +
                          " that not all ranks take part in, or that do not make all wait, are not "
                          "known.");
    if (activity.cut > 0)
        remarks.push_back("Of " + counted(static_cast<std::int64_t>(activity.cut), "rank") +
                          " the summary keeps the first " +
                          formatCount(static_cast<std::int64_t>(kMostSummaryCalls)) +
                          " calls of collectives: waits are those in them.");
    if (activity.withoutCalls > 0)
        remarks.push_back("Of " +
                          counted(static_cast<std::int64_t>(activity.withoutCalls), "rank") +
                          " the calls of collectives are missing: nothing is known of its waits.");
    remarks.insert(remarks.end(), activity.problems.begin(), activity.problems.end());
    return remarks;
}

std::string activityText(const RankedRun &run, const RunActivity &activity)
{
    if (activity.ranks.empty())
        return {};
    std::string text;
    for (const std::string &each : activityStory(run, activity))
        text += wrapped(each, kTableWidth) + "\n";
    for (const std::string &each : activityRemarks(run, activity))
        text += wrapped(each, kTableWidth) + "\n";
    TextTable table({Align::Right, Align::Right, Align::Right, Align::Right, Align::Right,
                     Align::Right, Align::Right, Align::Right, Align::Left});
    table.addRow({"rank", "span", "compute", "exp. comm.", "exp. copies", "idle", "waited",
                  "came last", "file"});
    const std::vector<std::size_t> shown = toldRanks(activity);
    for (const std::size_t rank : shown) {
        const RankSummary &of = run.ranks[rank];
        const std::size_t place = *activity.placeOf(rank);
        const auto &compared = activity.comparison.times[place];
        const TimeBreakdown times = compared.value_or(TimeBreakdown());
        const auto share = [&](std::int64_t part) {
            return compared ? formatTimeShare(part, times.span) : std::string("?");
        };
        const bool isKnown = activity.areWaitsKnown() && activity.comparison.isCompared(place);
        table.addRow({std::to_string(activityNumberOf(run, rank)),
                      compared ? formatNanoseconds(times.span) : "?", share(times.compute),
                      share(times.exposedCommunication), share(times.exposedCopy),
                      share(times.idle),
                      isKnown ? formatNanoseconds(activity.comparison.waits[place]) : "?",
                      isKnown ? formatCount(activity.comparison.lastCalls[place]) : "?",
                      elided(printable(profileSourceOf(of).path), 40)});
    }
    const bool areAll = shown.size() == activity.ranks.size();
    return text +
           (areAll ? "\nWhere the time of each rank went "
                   : "\nWhere the time of these ranks went (--json lists all) ") +
           comparedText(activity.comparison) + ":\n" + table.text();
}

nlohmann::ordered_json activityJson(const RankedRun &run, const RunActivity &activity)
{
    if (activity.ranks.empty())
        return {};
    const auto late = activity.late();
    ActivityJson json{{"ranks", activity.ranks.size()},
                      {"common_steps", activity.comparison.commonSteps},
                      {"late", late ? ActivityJson(activityNumberOf(run, *late)) : ActivityJson()},
                      {"waited_calls", activity.comparison.waitedCalls},
                      {"collectives", activity.matched},
                      {"calls_cut", activity.cut},
                      {"calls_missing", activity.withoutCalls},
                      {"slowest_step", highestFigureJson(run, activity.slowestStep)},
                      {"most_idle", highestFigureJson(run, activity.mostIdle)},
                      {"most_exposed", highestFigureJson(run, activity.mostExposed)}};
    json["outliers"] = ActivityJson::array();
    for (const RankOutlier &each : activity.outliers)
        json["outliers"].push_back({{"rank", activityNumberOf(run, activity.ranks[each.rank])},
                                    {"part", barPartName(each.part)},
                                    {"difference", each.difference}});
    json["problems"] = activity.problems;
    return json;
}

nlohmann::ordered_json rankActivityJson(const RankedRun &run, const RunActivity &activity,
                                        std::size_t rank)
{
    const auto place = activity.placeOf(rank);
    if (!place)
        return {};
    const RankSummary &of = run.ranks[rank];
    const auto &times = activity.comparison.times[*place];
    const auto time = [&](std::int64_t TimeBreakdown::*member) {
        return times ? ActivityJson((*times).*member) : ActivityJson();
    };
    return {{"file", profileSourceOf(of).path},
            {"device", of.profileSource ? of.profileDevice : of.device},
            {"part", of.profile->part.empty() ? ActivityJson() : ActivityJson(of.profile->part)},
            {"span", time(&TimeBreakdown::span)},
            {"compute", time(&TimeBreakdown::compute)},
            {"communication", time(&TimeBreakdown::communication)},
            {"exposed_communication", time(&TimeBreakdown::exposedCommunication)},
            {"exposed_copy", time(&TimeBreakdown::exposedCopy)},
            {"idle", time(&TimeBreakdown::idle)},
            {"wait", activityValue(timeFigure(run, activity, rank, TimeFigure::Wait))},
            {"last_calls", activity.areWaitsKnown() && activity.comparison.isCompared(*place)
                               ? ActivityJson(activity.comparison.lastCalls[*place])
                               : ActivityJson()},
            {"cut", of.profile->isCut},
            {"steps", of.profile->stepCount},
            {"median_step", activityValue(timeFigure(run, activity, rank, TimeFigure::StepTime))}};
}

} // namespace vramscope
