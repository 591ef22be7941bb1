// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/print/project_report.h"

#include "core/base/counted.h"
#include "core/base/durations.h"
#include "core/describe/projection_tables.h"
#include "core/estimate/verdict.h"
#include "core/print/cells.h"
#include "core/print/fit_parts.h"
#include "core/print/json_parts.h"
#include "core/print/time_report.h"
#include "core/settings/job_text.h"
#include "core/table/terminal_table.h"

#include <algorithm>
#include <cmath>

namespace vramscope {

namespace {

constexpr std::size_t kWidth = 96;

/// "Not on 128, 256 and 512 GPUs: 64 sequences a step …": the sentence of the first.
std::string unknownText(const std::vector<const ScalePoint *> &points)
{
    std::string counts;
    for (std::size_t i = 0; i < points.size(); ++i)
        counts += (i == 0                   ? ""
                   : i + 1 == points.size() ? " and "
                                            : ", ") +
                  formatCount(points[i]->gpus);
    return "Not on " + counts +
           (points.size() == 1 && points.front()->gpus == 1 ? " GPU" : " GPUs") + ": " +
           points.front()->whyNot;
}

void addPoints(std::string &text, const std::vector<ScalePoint> &points, ByteUnit unit)
{
    text += terminalText(scalePointsTable(points, false), unit);
    std::vector<const ScalePoint *> unknown;
    for (const ScalePoint &point : points)
        if (!point.known())
            unknown.push_back(&point);
    if (!unknown.empty())
        text += paragraph(unknownText(unknown), kWidth);
    // Each sentence once, with the first number of GPUs that it is said of.
    std::vector<std::string> told;
    for (const ScalePoint &point : points)
        for (const std::string &sentence : point.beyond)
            if (std::ranges::find(told, sentence) == told.end()) {
                told.push_back(sentence);
                text +=
                    paragraph("From " + counted(point.gpus, "GPU") + " on: " + sentence, kWidth);
            }
}

Json termsJson(const StepTime &time)
{
    return listJson(time.terms, [](const TimeTerm &term) {
        Json json = termJson(term);
        json["recorded"] = term.recorded;
        return json;
    });
}

void addTime(Json &json, const StepTime &time)
{
    json["step_seconds"] = bandJson(time.seconds);
    json["tokens_per_second"] = bandJson(time.tokensPerSecond());
    json["communication_seconds"] = time.communication;
    json["idle_seconds"] = time.idle;
    json["terms"] = termsJson(time);
}

Json pointJson(const ScalePoint &point)
{
    Json json = {{"gpus", point.gpus}};
    if (!point.known()) {
        json["why_not"] = point.whyNot;
        return json;
    }
    const std::optional<Verdict> verdict = verdictOf(point.estimate);
    json["device_bytes"] = point.estimate.peakDevice;
    json["verdict"] = verdict ? Json(verdictKey(*verdict)) : Json();
    json["speedup"] = point.speedup;
    json["efficiency"] = point.efficiency;
    json["gpu_hours"] = bandJson(point.time.gpuHours(tokensOfRun(*point.estimate.settings)));
    addTime(json, point.time);
    json["beyond"] = point.beyond;
    return json;
}

Json optionJson(const StrategyOption &option, const Plan &plan)
{
    Json json = {{"kind", kindTitle(option.kind)},
                 {"title", option.title},
                 {"pareto", option.onFront},
                 {"fields", fieldsJson(changedFields(plan, option.plan))}};
    addFitSummary(json, option.standing);
    addTime(json, option.time);
    return json;
}

Json guideJson(const ProjectedPlan &projected)
{
    if (!projected.guide)
        return {{"why_not", projected.guide.error().detail}};
    const StrategyGuide &guide = *projected.guide;
    const auto toJson = [&](const StrategyOption &option) {
        return optionJson(option, projected.plan);
    };
    return {{"weighed", guide.weighed},
            {"fitting", guide.fitting},
            {"options", listJson(guide.options, toJson)},
            {"too_large", listJson(guide.tooLarge, toJson)},
            {"reasons", guide.reasons},
            {"would_change", guide.changes},
            {"held", guide.held}};
}

void addGuide(std::string &text, const StrategyGuide &guide, ByteUnit unit)
{
    if (!guide.options.empty())
        text += terminalText(
            pickedColumns(strategiesTable(guide.options),
                          {"speed", "range", "communication", "idle", "device", "strategy"}),
            unit);
    for (const std::string &reason : guide.reasons)
        text += paragraph(reason, kWidth);
    if (!guide.changes.empty())
        text += "What would change the choice:\n";
    for (const std::string &change : guide.changes)
        text += paragraph(change, kWidth);
    text += paragraph(guide.held, kWidth);
}

} // namespace

std::string calibrationText(const SpeedCalibration *calibration)
{
    if (!calibration)
        return "From the catalogue's rates alone, so the range is wide; a trace of a step narrows "
               "it.";
    return "Calibrated by " + calibration->source + ", whose step on " +
           counted(calibration->gpus, "GPU") + " takes " + formatSeconds(calibration->seconds) +
           '.';
}

std::string projectJson(const ProjectedPlan &projected, const std::string &file)
{
    Json json = {{"file", file}};
    const SpeedCalibration *by = projected.calibration ? &*projected.calibration : nullptr;
    json["calibration"] = by ? Json({{"source", by->source},
                                     {"gpus", by->gpus},
                                     {"step_seconds", by->seconds},
                                     {"arithmetic_share", by->fits.front().arithmeticShare},
                                     {"idle_share", by->fits.front().idleShare},
                                     {"ring_bytes_per_second", orNull(by->bytesPerSecond)}})
                             : Json();
    json["weak"] = listJson(projected.lines.front().weak, pointJson);
    json["strong"] = listJson(projected.lines.front().strong, pointJson);
    json["strategies"] = guideJson(projected);
    return json.dump(-1, ' ', false, Json::error_handler_t::replace);
}

std::string projectText(const ProjectedPlan &projected, const std::string &file, ByteUnit unit)
{
    const ScaleLine &line = projected.lines.front();
    const Settings s = resolve(projected.plan).settings;
    std::string text =
        file + ": " + planTitle(projected.plan, s) + '\n' +
        paragraph(calibrationText(projected.calibration ? &*projected.calibration : nullptr),
                  kWidth);
    text += "GPU hours are those of " + counted(std::llround(tokensOfRun(s)), "token") + ".\n";
    Settings replica = s;
    replica.data = 1;
    text += s.workload == Workload::Training
                ? "\nWeak scaling: each GPU keeps its batch.\n"
                : "\nMore replicas, each serving " + loadText(replica) + ".\n";
    addPoints(text, line.weak, unit);
    if (!line.strong.empty()) {
        text += "\nStrong scaling: the step keeps its sequences.\n";
        addPoints(text, line.strong, unit);
    }
    if (projected.guide) {
        text +=
            "\nWhich strategy on " + formatCount(s.gpus) + (s.gpus == 1 ? " GPU?\n" : " GPUs?\n");
        addGuide(text, *projected.guide, unit);
    } else {
        text += '\n' + paragraph(projected.guide.error().detail, kWidth);
    }
    return text;
}

} // namespace vramscope
