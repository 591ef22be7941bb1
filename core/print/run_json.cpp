// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/json_text.h"
#include "core/describe/ranks_story.h"
#include "core/describe/ranks_tables.h"
#include "core/print/compare_report.h"
#include "core/print/json_parts.h"
#include "core/print/run_report.h"
#include "core/table/json_rows.h"

#include <nlohmann/json.hpp>

namespace vramscope {

namespace {

using RunJson = nlohmann::ordered_json;

RunJson rankRangesJson(const std::vector<RankRange> &ranges)
{
    RunJson json = RunJson::array();
    for (const RankRange &range : ranges)
        json.push_back({range.first, range.last});
    return json;
}

template<class T>
RunJson valueOrNull(const std::optional<T> &value)
{
    return value ? RunJson(*value) : RunJson();
}

RunJson firstFailureJson(const RunStudy &study)
{
    if (!study.findings.failure)
        return {};
    const FirstFailure &first = *study.findings.failure;
    const RankSummary &rank = study.rank(first.rank);
    RunJson json{{"rank", study.number(first.rank)},
                 {"node", rank.source.node.empty() ? RunJson() : RunJson(rank.source.node)},
                 {"device", rank.device},
                 {"file", rank.source.path}};
    if (!rank.failures.empty()) {
        const SummaryFailure &failure = rank.failures.front();
        json["time_us"] = valueOrNull(failure.time);
        json["requested"] = failure.requested;
        json["device_free"] = failure.deviceFree < 0 ? RunJson() : RunJson(failure.deviceFree);
        json["cause"] = failure.cause ? RunJson(outOfMemoryCauseName(*failure.cause)) : RunJson();
        json["remedy"] = failure.remedy ? RunJson(remedyName(*failure.remedy)) : RunJson();
        json["frames"] = failure.stack
                             ? framesJson(*study.run.stacks, study.run.stack(*failure.stack))
                             : RunJson();
    }
    json["beside"] = RunJson::array();
    for (const std::size_t at : first.beside)
        json["beside"].push_back(study.number(at));
    json["failed"] = first.failed;
    json["failed_untimed"] = first.untimed;
    return json;
}

RunJson spreadJson(const RankedRun &run, RankFigure figure)
{
    const auto spread = spreadOf(run, figure);
    return spread ? RunJson{{"least", spread->least},
                            {"median", spread->median},
                            {"most", spread->most},
                            {"skew", spread->skew}}
                  : RunJson();
}

const char *numberedByName(NumberedBy by)
{
    return by == NumberedBy::Names ? "names" : by == NumberedBy::Devices ? "devices" : "order";
}

RunJson highestJson(const RunStudy &study, const std::optional<RunActivity::Highest> &highest)
{
    if (!highest)
        return {};
    RunJson json{{"rank", study.number(highest->rank)}};
    if (highest->row)
        json["step"] = study.rank(highest->rank).profile->steps[*highest->row].number;
    json["time"] = highest->value;
    json[highest->row ? "median" : "span"] = highest->whole;
    return json;
}

RunJson activityJson(const RunStudy &study)
{
    const RunActivity &activity = study.findings.activity;
    if (activity.ranks.empty())
        return {};
    const auto late = activity.late();
    RunJson json{{"ranks", activity.ranks.size()},
                 {"common_steps", activity.comparison.commonSteps},
                 {"late", late ? RunJson(study.number(*late)) : RunJson()},
                 {"waited_calls", activity.comparison.waitedCalls},
                 {"collectives", activity.matched},
                 {"calls_cut", activity.cut},
                 {"calls_missing", activity.withoutCalls},
                 {"slowest_step", highestJson(study, activity.slowestStep)},
                 {"most_idle", highestJson(study, activity.mostIdle)},
                 {"most_exposed", highestJson(study, activity.mostExposed)}};
    json["outliers"] = RunJson::array();
    for (const RankOutlier &each : study.findings.outliersByTime())
        json["outliers"].push_back({{"rank", study.number(each.rank)},
                                    {"part", nameOf(each.figure).key},
                                    {"difference", each.difference()}});
    json["problems"] = activity.problems;
    return json;
}

RunJson groupsJson(const RunStudy &study)
{
    RunJson json = RunJson::array();
    for (const AlikeRanks &group : study.findings.groups)
        json.push_back({{"ranks", rankRangesJson(rankRangesOf(study.run, group.ranks))},
                        {"alike", group.alike},
                        {"typical", study.number(group.typical)},
                        {"peak_active", study.rank(group.typical).hasMemory
                                            ? RunJson{{"least", group.active.least},
                                                      {"median", group.active.median},
                                                      {"most", group.active.most}}
                                            : RunJson()}});
    return json;
}

RunJson ranksJson(const RunStudy &study)
{
    RunJson rows = rowsJson(ranksTable(study, rankRows(study)), {"rank",
                                                                 "file",
                                                                 "device",
                                                                 "node",
                                                                 "group",
                                                                 "peak_active",
                                                                 "peak_active_event",
                                                                 "peak_reserved",
                                                                 "reserved_end",
                                                                 "failures",
                                                                 "profile.file",
                                                                 "profile.device",
                                                                 "profile.part",
                                                                 "profile.span",
                                                                 "profile.compute",
                                                                 "profile.communication",
                                                                 "profile.exposed_communication",
                                                                 "profile.exposed_copy",
                                                                 "profile.idle",
                                                                 "profile.wait",
                                                                 "profile.last_calls",
                                                                 "profile.cut",
                                                                 "profile.steps",
                                                                 "profile.median_step"});
    for (std::size_t rank = 0; rank < study.count(); ++rank) {
        if (const auto &profile = study.rank(rank).profile)
            rows[rank]["profile"]["cut"] = profile->isCut;
        else
            rows[rank]["profile"] = nullptr;
    }
    return rows;
}

} // namespace

std::string runJson(const RunStudy &study, std::size_t most)
{
    const RankedRun &run = study.run;
    RunJson json{{"problems", run.problems},
                 {"ranks", run.ranks.size()},
                 {"expected", run.expected},
                 {"expected_given", run.isExpectedGiven},
                 {"missing", rankRangesJson(run.missing)}};
    json["unusable"] = RunJson::array();
    for (const RankSummary &rank : run.unusable)
        json["unusable"].push_back({{"file", rank.source.path},
                                    {"rank", valueOrNull(rank.source.rank)},
                                    {"error", rank.error}});
    json["not_recordings"] = run.others;
    json["earlier"] = run.earlier.size();
    json["numbered_by"] = numberedByName(run.numberedBy);
    json["peak_active"] = spreadJson(run, RankFigure::PeakActive);
    json["peak_reserved"] = spreadJson(run, RankFigure::PeakReserved);
    json["groups"] = groupsJson(study);
    json["explained"] = RunJson::array();
    for (const SpreadExplanation &each : study.findings.explanations)
        json["explained"].push_back(
            {{"by", each.name}, {"values", each.values}, {"share", each.share}});
    json["first_failure"] = firstFailureJson(study);
    json["outliers"] =
        rowsJson(outliersTable(study), {"rank", "figure", "value", "median", "group"});
    json["differences"] = RunJson::array();
    for (const RankContrast &each : study.findings.contrasts)
        json["differences"].push_back(
            {{"rank", study.number(each.rank)},
             {"typical", study.number(each.typical)},
             {"comparison", parsedJson(compareJson(
                                each.comparison, {study.rank(each.typical).source.path, run.stacks},
                                {study.rank(each.rank).source.path, run.stacks}, most))}});
    json["activity"] = activityJson(study);
    json["per_rank"] = ranksJson(study);
    return jsonText(json);
}

} // namespace vramscope
