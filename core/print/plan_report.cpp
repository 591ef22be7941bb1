// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/print/plan_report.h"

#include "core/base/counted.h"
#include "core/base/parts.h"
#include "core/base/text.h"
#include "core/catalog/links.h"
#include "core/estimate/formulas/measured_bands.h"
#include "core/estimate/rollout/rollout_memory.h"
#include "core/estimate/verdict.h"
#include "core/model/checkpoint/placed_checkpoint.h"
#include "core/model/missing_parts.h"
#include "core/plan/plan.h"
#include "core/print/cells.h"
#include "core/print/time_report.h"
#include "core/settings/job_text.h"
#include "core/settings/settings.h"
#include "core/table/terminal_table.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace vramscope {

namespace {

/// "17.6 GiB down and 17.6 GiB up: 1.5 s over PCIe 4.0 x16, …".
std::string linkNote(const Estimate &estimate, ByteUnit unit)
{
    std::string note = formatBytes(estimate.toHostBytes, unit) + " down and " +
                       formatBytes(estimate.toDeviceBytes, unit) + " up in a step";
    if (estimate.inOneMemory())
        return note + ", within one memory";
    std::string_view gap = ": ";
    for (const HostLink &link : kHostLinks) {
        const double seconds = link.seconds(estimate.toHostBytes, estimate.toDeviceBytes);
        note.append(gap).append(formatNumber(seconds, 2)).append(" s over ").append(link.title);
        gap = ", ";
    }
    return note;
}

std::string_view severityName(Issue::Severity severity)
{
    switch (severity) {
    case Issue::Severity::Note:
        return "note";
    case Issue::Severity::Warning:
        return "warning";
    case Issue::Severity::Blocking:
        return "error";
    }
    return {};
}

std::string percent(Bytes part, Bytes whole)
{
    if (whole <= 0)
        return {};
    const double tenths =
        std::round(1000.0 * static_cast<double>(part) / static_cast<double>(whole));
    return tenths < 1 ? "< 0.1 %" : formatNumber(tenths / 10, 3) + " %";
}

/// The formula, and the recording that a constant was taken over from.
std::string explained(const Component &component)
{
    const bool calibrated = component.source.starts_with("calibrated from ");
    return calibrated ? component.formula + ", " + component.source : component.formula;
}

} // namespace

std::string parametersText(const Estimate &estimate)
{
    std::string line = "Parameters: " + formatCount(estimate.parametersTotal);
    if (estimate.parametersActive < estimate.parametersTotal)
        line += ", " + formatCount(estimate.parametersActive) + " active";
    if (estimate.parametersPerRank != estimate.parametersTotal)
        line += ", " + formatCount(estimate.parametersPerRank) + " on one GPU before sharding";
    return line;
}

DataTable levelsTable(const Estimate &estimate, ByteUnit unit)
{
    RowTable table("The levels",
                   {{"name", ""}, {"size", "Size", DataTable::Kind::Size}, {"note", ""}});
    const auto row = [&table](const char *name, DataTable::Cell size, std::string note) {
        table.add({name, std::move(size), std::move(note)});
    };
    const bool two = estimate.hasRollout();
    const auto likely = [unit](Bytes low, Bytes high) {
        return "; likely between " + formatBytes(low, unit) + " and " + formatBytes(high, unit);
    };
    row("peak allocated", estimate.peakAllocated,
        (two ? "by trainer and engine together, " : "torch.cuda.max_memory_allocated(), ") +
            momentPhrase(estimate.peakAt));
    row("peak reserved", estimate.peakReserved,
        (two ? "by both" : "torch.cuda.max_memory_reserved()") +
            likely(estimate.reservedLow, estimate.reservedHigh));
    if (estimate.settings && !estimate.settings->allocConf.empty())
        row("", "", "with PYTORCH_CUDA_ALLOC_CONF=" + printable(estimate.settings->allocConf));
    row("peak on the device", estimate.peakDevice,
        (estimate.inOneMemory() ? "of the memory that it shares with the host" : "nvidia-smi") +
            likely(estimate.uncertaintyLow, estimate.uncertaintyHigh));
    if (!estimate.firstStepAt.empty() && estimate.ofSteps())
        row("first step's peak", estimate.firstStepAllocated,
            "allocated, " + momentPhrase(estimate.firstStepAt));
    row("at rest", estimate.atRest,
        estimate.ofSteps()   ? "allocated between steps"
        : estimate.inference ? "allocated between requests"
                             : "allocated between calls");
    if (estimate.hostBytes > 0)
        row("on the host", estimate.hostBytes,
            "for each GPU" +
                (estimate.ofSteps() && estimate.toHostBytes + estimate.toDeviceBytes > 0
                     ? "; " + linkNote(estimate, unit)
                     : std::string()));
    if (estimate.communicationBytes > 0)
        row("sent", estimate.communicationBytes, "by each GPU in a step");
    const auto share = [&](const char *name, double part, const char *note) {
        if (part > 0)
            row(name, formatNumber(100 * part, 3) + " %", note);
    };
    share("recomputed", estimate.recomputeShare, "of the step's arithmetic");
    share("pipeline bubble", estimate.bubbleShare, "of the step's time");
    return std::move(table).table();
}

DataTable componentsTable(const Estimate &estimate)
{
    RowTable table({}, {{"category", "Category"},
                        {"part", "Part"},
                        {"size", "Size", DataTable::Kind::Size},
                        {"share", "Share", DataTable::Kind::Share},
                        {"formula", ""}});
    std::string_view last;
    for (const Component &component : estimate.components()) {
        const std::string_view category = categoryName(component.category);
        table.add({category == last ? "" : category, component.name, component.bytes,
                   percent(component.bytes, estimate.peakAllocated), explained(component)});
        last = category;
    }
    table.add({"Allocated", "", estimate.peakAllocated, "", ""});
    for (const Component &component : estimate.outside)
        table.add({"", component.name, component.bytes, "", explained(component)});
    table.add({"Device", "", estimate.peakDevice, "", ""});
    return std::move(table).table();
}

DataTable phasesTable(const Estimate &estimate)
{
    RowTable table("The phases at their highest",
                   {{"phase", "Phase"},
                    {"trainer", "Trainer", DataTable::Kind::Size},
                    {"engine", "Engine", DataTable::Kind::Size},
                    {"device", "On the device", DataTable::Kind::Size},
                    {"when", ""}});
    const std::vector<RolloutPhase> phases = rolloutPhases(estimate);
    const auto worst = std::ranges::max_element(phases, {}, &RolloutPhase::device);
    for (const RolloutPhase &phase : phases) {
        std::string highest = phase.device == worst->device ? "peak" : "";
        if (const std::string &at = estimate.moments[phase.moment].name; at != phase.name)
            highest += (highest.empty() ? "" : ", ") + momentPhrase(at);
        table.add({phase.name, phase.trainer, phase.engine, phase.device, highest});
    }
    return std::move(table).table();
}

DataTable momentsTable(const Estimate &estimate)
{
    RowTable table(
        estimate.ofSteps() ? "The moments of a step" : "The moments",
        {{"moment", "Moment"}, {"allocated", "Allocated", DataTable::Kind::Size}, {"peak", ""}});
    for (const Moment &moment : estimate.moments)
        table.add({moment.name, moment.allocated,
                   &moment == &estimate.moments[estimate.peakMoment] ? "peak" : ""});
    return std::move(table).table();
}

DataTable stagesTable(const Estimate &estimate)
{
    RowTable table("The stages of the pipeline",
                   {{"stage", ""}, {"peak", "Peak", DataTable::Kind::Size}, {"which", ""}});
    for (std::size_t stage = 0; stage < estimate.stages.size(); ++stage)
        table.add({"stage " + std::to_string(stage), estimate.stages[stage],
                   static_cast<std::int64_t>(stage) == estimate.stage ? "the figures above" : ""});
    return std::move(table).table();
}

std::string poolRangeText(const InferenceFigures &figures, ByteUnit unit)
{
    if (figures.kvCacheLow == figures.kvCacheHigh)
        return {};
    return "likely between " + formatBytes(figures.kvCacheLow, unit) + " and " +
           formatBytes(figures.kvCacheHigh, unit);
}

DataTable inferenceTable(const Estimate &estimate, ByteUnit unit)
{
    const InferenceFigures &figures = *estimate.inference;
    const Settings &s = *estimate.settings;
    RowTable table(estimate.hasRollout() ? "Generating" : "Serving",
                   {{"name", ""}, {"value", "", DataTable::Kind::Size}, {"remark", ""}});
    const auto row = [&table](const char *name, DataTable::Cell value, std::string remark = {}) {
        table.add({name, std::move(value), std::move(remark)});
    };
    row("weights", figures.weights);
    row("activation peak", figures.activationPeak);
    row("outside torch", figures.nonTorch);
    if (figures.keepsCache()) {
        row("cache", figures.kvCache, poolRangeText(figures, unit));
        row("cache a token", figures.kvBytesPerToken);
        if (figures.stateBytesPerSequence > 0)
            row("states a sequence", figures.stateBytesPerSequence);
        row("cache blocks", formatCount(figures.kvBlocks));
        row("cache tokens", formatCount(figures.kvTokens));
    }
    if (figures.printedTokens > 0)
        row("printed in the log", formatCount(figures.printedTokens),
            "tokens, by vLLM " + s.engineVersion);
    if (figures.blockWaste > 0)
        row("empty in a last block, at most", figures.blockWaste);
    if (figures.maxConcurrency > 0)
        row("sequences at once",
            figures.maxConcurrency < 1000 ? formatNumber(figures.maxConcurrency, 4)
                                          : formatCount(std::llround(figures.maxConcurrency)),
            "of " +
                counted(s.engine == Engine::Vllm ? s.maxModelLen : s.meanSequenceLength, "token") +
                " each");
    if (figures.maxContext > 0) {
        const std::int64_t trained = s.architecture.maxPositions;
        row("longest sequence with room", formatCount(figures.maxContext),
            trained > 0 && trained < figures.maxContext
                ? "tokens; the model's own limit is " + formatCount(trained)
                : "tokens");
    }
    return std::move(table).table();
}

std::string momentPhrase(const std::string &moment)
{
    struct Phrase
    {
        std::string_view moment;
        const char *text;
    };
    constexpr std::array<Phrase, 11> kPhrases = {
        {{"load", "while loading"},
         {"encode", "while it encodes the prompt"},
         {"denoise", "while it denoises"},
         {"decode", "while the VAE decodes"},
         {"forward", "in the forward pass"},
         {"backward", "in the backward pass"},
         {"profile run", "in the profile run"},
         {"serving", "while serving"},
         {"generation", "while the engine generates"},
         {"log-probabilities", "while it computes log-probabilities"},
         {"weight sync", "in the weight sync"}}};
    if (moment.empty() || moment.starts_with("at "))
        return moment;
    if (moment.starts_with("after "))
        return "after the " + moment.substr(6);
    if (moment.starts_with("forward of "))
        return "in the forward pass of " + moment.substr(11);
    const auto own = std::ranges::find(kPhrases, moment, &Phrase::moment);
    return own == kPhrases.end() ? "at the " + moment : own->text;
}

namespace {

/// A class of measured runs, "training, dense, fsdp1", as a sentence says it: "training dense
/// models under FSDP1".
std::string bandClassText(std::string_view name)
{
    constexpr std::array<std::pair<std::string_view, std::string_view>, 8> kWords{{
        {"dense", " dense models"},
        {"experts", " MoE models"},
        {"whole copies", " with all weights on each GPU"},
        {"zero", " under ZeRO"},
        {"fsdp1", " under FSDP1"},
        {"fsdp2", " under FSDP2"},
        {"megatron", " under Megatron"},
        {"no measured shape", " of shapes that were not measured"},
    }};
    std::string text;
    for (const std::string_view part : partsOf(name, ',')) {
        const std::string_view word = trimmed(part);
        const auto found =
            std::ranges::find(kWords, word, [](const auto &row) { return row.first; });
        if (found != kWords.end())
            text += found->second;
        else
            text += (text.empty() ? "" : ", ") + std::string(word);
    }
    return text;
}

/// Why a plan does not fit, or is tight, although there is memory left.
std::string cacheText(const Estimate &estimate, ByteUnit unit)
{
    const InferenceFigures &figures = *estimate.inference;
    if (cacheDecides(estimate))
        return "the load needs " + formatBytes(figures.kvCacheNeeded, unit) + " of a cache of " +
               formatBytes(figures.kvCacheLow, unit) + " to " +
               formatBytes(figures.kvCacheHigh, unit);
    if (figures.startsServing)
        return "the cache has too little room for the sequences asked for";
    return "the cache has room for a sequence of " + counted(figures.maxContext, "token") +
           ", too few";
}

} // namespace

std::string verdictText(const Estimate &estimate, ByteUnit unit, bool hasMoment)
{
    std::string at =
        estimate.peakAt.empty() || !hasMoment ? "" : ' ' + momentPhrase(estimate.peakAt);
    if (estimate.settings && !estimate.settings->gpuList.empty())
        at += " on " + listedGpuText(*estimate.settings);
    if (!estimate.capacity)
        return formatBytes(estimate.peakDevice, unit) + at;
    const Bytes spare = *estimate.capacity - estimate.peakDevice;
    const Verdict verdict = *verdictOf(estimate);
    const std::string peak = formatPartOf(estimate.peakDevice, *estimate.capacity, unit) + at;
    const std::string word = verdictWord(estimate);
    if (verdict == Verdict::DoesNotFit && spare >= 0 && estimate.inference)
        return word + ", " + peak + "; " + cacheText(estimate, unit);
    if (verdict == Verdict::Tight && cacheDecides(estimate))
        return word + ", " + peak + "; " + cacheText(estimate, unit);
    if (verdict == Verdict::Tight)
        return word + ", " + peak + "; it may reach " + formatBytes(estimate.uncertaintyHigh, unit);
    return word + ", " + peak + ", " + formatBytes(std::abs(spare), unit) +
           (spare >= 0 ? " to spare" : " too much");
}

std::string likelyText(const Estimate &estimate, ByteUnit unit)
{
    std::string low = formatBytes(estimate.uncertaintyLow, unit);
    const std::string high = formatBytes(estimate.uncertaintyHigh, unit);
    const std::string of = high.substr(high.rfind(' '));
    if (low == high)
        return {};
    if (low.ends_with(of))
        low.resize(low.size() - of.size());
    return "likely " + low + " to " + high;
}

std::string rangeSourceText(const Estimate &estimate)
{
    if (!estimate.computed)
        return {};
    const MeasuredBand *const band = measuredBand(estimate.bandClass);
    if (!band)
        return "Range: the spreads of its parts; no total of a comparable run has been measured.";
    std::string text = "Range: 95 % of " + counted(band->basis, "public figure") + " for " +
                       bandClassText(band->from) + " lay in it when they were first predicted.";
    if (!estimate.bandWidenedBy.empty())
        text += " It is that of all training because " + estimate.bandWidenedBy + '.';
    else if (band->name != estimate.bandClass)
        text += " None of them is for " + bandClassText(estimate.bandClass) + '.';
    else if (band->from != estimate.bandClass)
        text += " Only " + formatCount(band->rows) + " of them are for " +
                bandClassText(estimate.bandClass) + ", too few for a range of their own.";
    return text;
}

std::string weightsAloneText(const Estimate &estimate, ByteUnit unit)
{
    if (!estimate.settings || !estimate.settings->checkpoint ||
        estimate.settings->architecture.layers > 0)
        return {};
    const Settings &s = *estimate.settings;
    const Bytes weights = s.checkpoint->table.bytes();
    std::string text =
        "The weights take " + formatBytes(weights, unit) + ", by the tensors of the checkpoint";
    if (s.capacity > 0 && weights > s.capacity)
        text += ", more than the " + formatBytes(s.capacity, unit) + " of one GPU";
    return text + "; cache and activations are not known. ";
}

std::string answerLine(std::string_view job, const Estimate &estimate, ByteUnit unit)
{
    if (!estimate.computed) {
        const std::string reason = whyNotComputed(estimate);
        const std::string known = weightsAloneText(estimate, unit);
        return known + (reason.empty() ? "No figures" : "No figures: " + reason);
    }
    std::string answer = std::string(job) + ": " + verdictText(estimate, unit) + '.';
    for (const std::string_view sentence : notCounted(estimate.issues))
        answer.append(" ").append(sentence);
    return answer;
}

std::string answerLine(const Plan &plan, const Estimate &estimate, ByteUnit unit)
{
    return answerLine(estimate.settings ? jobText(plan, *estimate.settings) : "A plan", estimate,
                      unit);
}

std::string planEstimateText(const Plan &plan, const Estimate &estimate, const std::string &file,
                             ByteUnit unit)
{
    // A name that says what is run on what is said by the answer.
    const bool named =
        plan.name && !(estimate.settings && *plan.name == jobText(plan, *estimate.settings));
    std::string text = (named ? printable(*plan.name + " (" + file + ")") : printable(file)) + '\n';
    text += answerLine(plan, estimate, unit) + '\n';
    if (estimate.parametersTotal > 0)
        text += parametersText(estimate) + '\n';
    if (estimate.computed) {
        text += '\n' + textRows(levelsTable(estimate, unit), unit).text() +
                paragraph(rangeSourceText(estimate));
        const auto add = [&](const std::string &title, const DataTable &table) {
            text += '\n' + title + '\n' + textRows(table, unit).text();
        };
        if (estimate.hasRollout())
            add("The phases at their highest: of the trainer, of the engine, on the device",
                phasesTable(estimate));
        add("The parts " + momentPhrase(estimate.peakAt) + ':', componentsTable(estimate));
        const DataTable moments = momentsTable(estimate);
        add(moments.title + ':', moments);
        if (!estimate.stages.empty())
            add("The stages of the pipeline:", stagesTable(estimate));
        if (estimate.inference) {
            const DataTable serving = inferenceTable(estimate, unit);
            add(serving.title + ':', serving);
        }
    }
    if (estimate.computed)
        text += '\n' + timeText(estimate);
    if (!estimate.issues.empty())
        text += '\n';
    for (const Issue &issue : estimate.issues)
        text += std::string(severityName(issue.severity)) + ": " + placed(issue) + '\n';
    return text;
}

} // namespace vramscope
