// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/print/time_report.h"

#include "core/base/counted.h"
#include "core/base/durations.h"
#include "core/base/exact.h"
#include "core/base/format.h"
#include "core/estimate/formulas/measured_bands.h"
#include "core/print/cells.h"
#include "core/print/json_parts.h"
#include "core/table/text_table.h"

#include <cmath>

namespace vramscope {

namespace {

std::string rangeText(const Projected &band)
{
    return '(' + formatRounded(band.low) + " to " + formatRounded(band.high) + ')';
}

Projected times(const Projected &band, double factor)
{
    return {factor * band.likely, factor * band.low, factor * band.high};
}

} // namespace

std::string contextText(std::int64_t tokens)
{
    return counted(tokens, "token") + " of context";
}

std::string sequencesText(const Settings &s)
{
    return counted((Exact(s.concurrentSequences) * s.data).value(), "sequence") + " at a time";
}

std::string loadText(const Settings &s)
{
    return sequencesText(s) + ", with " + contextText(s.meanSequenceLength);
}

std::string tokensOfRunText(const Settings &s)
{
    return counted(std::llround(tokensOfRun(s)), "token") +
           (s.workload == Workload::Inference ? ", " + loadText(s) : std::string());
}

std::string speedText(const Settings &s, const StepTime &time)
{
    const Projected speed = time.tokensPerSecond();
    return "about " + formatSeconds(time.seconds.likely) +
           (s.rollout ? " an update, "
            : s.workload == Workload::Training
                ? " a step, "
                : " a token at " + contextText(s.meanSequenceLength) + ", ") +
           formatRounded(speed.likely) + " tokens/s " + rangeText(speed);
}

std::string shortSpeedText(const Settings &s, const StepTime &time)
{
    return formatSeconds(time.seconds.likely) +
           (s.rollout                          ? " an update · "
            : s.workload == Workload::Training ? " a step · "
                                               : " a token · ") +
           formatRounded(time.tokensPerSecond().likely) + " tokens/s";
}

std::string runText(const Settings &s, const StepTime &time)
{
    const double tokens = tokensOfRun(s);
    const Projected hours = time.gpuHours(tokens);
    std::string text = tokensOfRunText(s) + ": " +
                       countedAs(formatRounded(hours.likely), "GPU hour") +
                       (s.rollout ? " of updates " : " ") + rangeText(hours);
    if (time.gpus > 1)
        text += ", " + formatSeconds(3600 * hours.likely / static_cast<double>(time.gpus)) +
                " on " + counted(time.gpus, "GPU");
    if (s.run.gpuHourPrice > 0) {
        const Projected cost = times(hours, s.run.gpuHourPrice);
        text += "; " + formatRounded(cost.likely) + " at " + formatNumber(s.run.gpuHourPrice) +
                " a GPU hour " + rangeText(cost);
    }
    return text;
}

std::string_view projectionRemark()
{
    return "A rough projection: arithmetic and traffic over the catalogue's rates, at the shares "
           "of them that published runs reached.";
}

std::string speedRangeText(const StepTime &time)
{
    const MeasuredBand *const band = measuredBand(time.speedClass);
    if (!band)
        return "Range: the ranges of the rates; no published speed of such a run has been "
               "compared.";
    constexpr std::string_view kPrefix = "speed, ";
    return "Range: 95 % of " + counted(band->basis, "published speed") + " were in it; " +
           formatCount(band->rows) + " are of the class " + time.speedClass.substr(kPrefix.size()) +
           '.';
}

std::string timeText(const Estimate &estimate)
{
    if (!estimate.settings)
        return {};
    const Settings &s = *estimate.settings;
    const Result<StepTime> time = projectStep(s, estimate.work);
    if (!time)
        return time.error().detail + '\n';
    std::string text = "Time: " + speedText(s, *time) + '\n' + runText(s, *time) + '\n';
    TextTable table({Align::Left, Align::Right, Align::Left});
    for (const TimeTerm &term : time->terms)
        table.addRow({std::string(term.name), formatSeconds(term.seconds), term.rate});
    text += table.text() + std::string(projectionRemark()) + '\n';
    return s.workload == Workload::Training ? text + paragraph(speedRangeText(*time)) : text;
}

Json bandJson(const Projected &band)
{
    return {{"likely", band.likely}, {"low", band.low}, {"high", band.high}};
}

Json termJson(const TimeTerm &term)
{
    return {{"name", term.name},
            {"seconds", term.seconds},
            {"rate", term.rate},
            {"source", term.source}};
}

Json timeJson(const Estimate &estimate)
{
    if (!estimate.computed || !estimate.settings)
        return nullptr;
    const Settings &s = *estimate.settings;
    const Result<StepTime> time = projectStep(s, estimate.work);
    if (!time)
        return {{"why_not", time.error().detail}};
    const Projected hours = time->gpuHours(tokensOfRun(s));
    Json json = {{"step_seconds", bandJson(time->seconds)},
                 {"tokens_per_step", time->tokens},
                 {"tokens_per_second", bandJson(time->tokensPerSecond())},
                 {"range", speedRangeText(*time)},
                 {"run", {{"tokens", tokensOfRun(s)}, {"gpu_hours", bandJson(hours)}}},
                 {"terms", listJson(time->terms, termJson)}};
    if (s.workload == Workload::Inference)
        json["run"]["load"] = {{"sequences", (Exact(s.concurrentSequences) * s.data).value()},
                               {"context_tokens", s.meanSequenceLength}};
    if (s.run.gpuHourPrice > 0)
        json["run"]["cost"] = bandJson(times(hours, s.run.gpuHourPrice));
    return json;
}

} // namespace vramscope
