// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/json_text.h"
#include "core/describe/ranks_story.h"
#include "core/describe/ranks_tables.h"
#include "core/print/compare_report.h"
#include "core/print/json_parts.h"
#include "core/print/run_report.h"
#include "core/table/json_rows.h"

namespace vramscope {

namespace {

Json rankRangesJson(const std::vector<RankRange> &ranges)
{
    return listJson(ranges, [](const RankRange &range) -> Json {
        return {range.first, range.last};
    });
}

Json firstFailureJson(const RunStudy &study)
{
    if (!study.findings.failure)
        return {};
    const FirstFailure &first = *study.findings.failure;
    const RankSummary &rank = study.rank(first.rank);
    Json json{{"rank", study.number(first.rank)},
              {"node", textOrNull(rank.source.node)},
              {"device", rank.device},
              {"file", rank.source.path}};
    if (!rank.failures.empty()) {
        const SummaryFailure &failure = rank.failures.front();
        json["time_us"] = orNull(failure.time);
        json["requested"] = failure.requested;
        json["device_free"] = orNull(failure.deviceFree >= 0, failure.deviceFree);
        json["cause"] = failure.cause ? Json(outOfMemoryCauseName(*failure.cause)) : Json();
        json["remedy"] = failure.remedy ? Json(remedyName(*failure.remedy)) : Json();
        json["frames"] =
            failure.stack ? framesJson(*study.run.stacks, study.run.stack(*failure.stack)) : Json();
    }
    json["beside"] = listJson(first.beside, [&](std::size_t at) { return study.number(at); });
    json["failed"] = first.failed;
    json["failed_untimed"] = first.untimed;
    return json;
}

Json spreadJson(const RankedRun &run, RankFigure figure)
{
    const auto spread = spreadOf(run, figure);
    return spread ? Json{{"least", spread->least},
                         {"median", spread->median},
                         {"most", spread->most},
                         {"skew", spread->skew}}
                  : Json();
}

const char *numberedByName(NumberedBy by)
{
    return by == NumberedBy::Names ? "names" : by == NumberedBy::Devices ? "devices" : "order";
}

Json highestJson(const RunStudy &study, const std::optional<RunActivity::Highest> &highest)
{
    if (!highest)
        return {};
    Json json{{"rank", study.number(highest->rank)}};
    if (highest->row)
        json["step"] = study.rank(highest->rank).profile->steps[*highest->row].number;
    json["time"] = highest->value;
    json[highest->row ? "median" : "span"] = highest->whole;
    return json;
}

Json activityJson(const RunStudy &study)
{
    const RunActivity &activity = study.findings.activity;
    if (activity.ranks.empty())
        return {};
    const auto late = activity.late();
    Json json{{"ranks", activity.ranks.size()},
              {"common_steps", activity.comparison.commonSteps},
              {"late", late ? Json(study.number(*late)) : Json()},
              {"waited_calls", activity.comparison.waitedCalls},
              {"collectives", activity.matched},
              {"calls_cut", activity.cut},
              {"calls_missing", activity.withoutCalls},
              {"slowest_step", highestJson(study, activity.slowestStep)},
              {"most_idle", highestJson(study, activity.mostIdle)},
              {"most_exposed", highestJson(study, activity.mostExposed)}};
    json["outliers"] =
        listJson(study.findings.outliersByTime(), [&](const RankOutlier &each) -> Json {
            return {{"rank", study.number(each.rank)},
                    {"part", nameOf(each.figure).key},
                    {"difference", each.difference()}};
        });
    json["problems"] = activity.problems;
    return json;
}

Json groupsJson(const RunStudy &study)
{
    return listJson(study.findings.groups, [&](const AlikeRanks &group) -> Json {
        const Json peak{{"least", group.active.least},
                        {"median", group.active.median},
                        {"most", group.active.most}};
        return {{"ranks", rankRangesJson(rankRangesOf(study.run, group.ranks))},
                {"alike", group.alike},
                {"typical", study.number(group.typical)},
                {"peak_active", orNull(study.rank(group.typical).hasMemory, peak)}};
    });
}

Json ranksJson(const RunStudy &study)
{
    Json rows = rowsJson(ranksTable(study, rankRows(study)), {"rank",
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
    Json json{{"problems", run.problems},
              {"ranks", run.ranks.size()},
              {"expected", run.expected},
              {"expected_given", run.isExpectedGiven},
              {"missing", rankRangesJson(run.missing)}};
    json["unusable"] = listJson(run.unusable, [](const RankSummary &rank) -> Json {
        return {
            {"file", rank.source.path}, {"rank", orNull(rank.source.rank)}, {"error", rank.error}};
    });
    json["not_recordings"] = run.others;
    json["earlier"] = run.earlier.size();
    json["numbered_by"] = numberedByName(run.numberedBy);
    json["peak_active"] = spreadJson(run, RankFigure::PeakActive);
    json["peak_reserved"] = spreadJson(run, RankFigure::PeakReserved);
    json["groups"] = groupsJson(study);
    json["explained"] =
        listJson(study.findings.explanations, [](const SpreadExplanation &each) -> Json {
            return {{"by", each.name}, {"values", each.values}, {"share", each.share}};
        });
    json["first_failure"] = firstFailureJson(study);
    json["outliers"] =
        rowsJson(outliersTable(study), {"rank", "figure", "value", "median", "group"});
    json["differences"] = listJson(study.findings.contrasts, [&](const RankContrast &each) -> Json {
        const ShownTrace a{study.rank(each.typical).source.path, run.stacks};
        const ShownTrace b{study.rank(each.rank).source.path, run.stacks};
        return {{"rank", study.number(each.rank)},
                {"typical", study.number(each.typical)},
                {"comparison", parsedJson(compareJson(each.comparison, a, b, most))}};
    });
    json["activity"] = activityJson(study);
    json["per_rank"] = ranksJson(study);
    return jsonText(json);
}

} // namespace vramscope
