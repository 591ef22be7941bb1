// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/print/plan_report.h"

#include "core/base/counted.h"
#include "core/catalog/links.h"
#include "core/estimate/rollout/rollout_memory.h"
#include "core/estimate/verdict.h"
#include "core/model/missing_parts.h"
#include "core/plan/plan.h"
#include "core/print/plan_tables.h"
#include "core/print/time_report.h"
#include "core/settings/job_text.h"
#include "core/settings/settings.h"

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

TextTable levelsTable(const Estimate &estimate, ByteUnit unit)
{
    TextTable table({Align::Left, Align::Right, Align::Left});
    const auto row = [&](const char *name, Bytes bytes, std::string note) {
        table.addRow({name, formatBytes(bytes, unit), std::move(note)});
    };
    const bool two = estimate.hasRollout();
    row("peak allocated", estimate.peakAllocated,
        (two ? "by trainer and engine together, " : "torch.cuda.max_memory_allocated(), ") +
            momentPhrase(estimate.peakAt));
    row("peak reserved", estimate.peakReserved,
        std::string(two ? "by both" : "torch.cuda.max_memory_reserved()") + "; likely between " +
            formatBytes(estimate.reservedLow, unit) + " and " +
            formatBytes(estimate.reservedHigh, unit));
    if (estimate.settings && !estimate.settings->allocConf.empty())
        table.addRow(
            {"", "", "with PYTORCH_CUDA_ALLOC_CONF=" + printable(estimate.settings->allocConf)});
    row("peak on the device", estimate.peakDevice,
        (estimate.inOneMemory() ? std::string("of the memory that it shares with the host")
                                : std::string("nvidia-smi")) +
            "; likely between " + formatBytes(estimate.uncertaintyLow, unit) + " and " +
            formatBytes(estimate.uncertaintyHigh, unit));
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
            table.addRow({name, formatNumber(100 * part, 3) + " %", note});
    };
    share("recomputed", estimate.recomputeShare, "of the step's arithmetic");
    share("pipeline bubble", estimate.bubbleShare, "of the step's time");
    return table;
}

TextTable componentsTable(const Estimate &estimate, ByteUnit unit)
{
    TextTable table({Align::Left, Align::Left, Align::Right, Align::Right, Align::Left});
    Category last = Category::Framework;
    bool first = true;
    for (const Component &component : estimate.components()) {
        const bool fresh = first || component.category != last;
        table.addRow({fresh ? std::string(categoryName(component.category)) : std::string(),
                      component.name, formatBytes(component.bytes, unit),
                      percent(component.bytes, estimate.peakAllocated), explained(component)});
        last = component.category;
        first = false;
    }
    table.addRow({"Allocated", "", formatBytes(estimate.peakAllocated, unit), "", ""});
    for (const Component &component : estimate.outside)
        table.addRow(
            {"", component.name, formatBytes(component.bytes, unit), "", explained(component)});
    table.addRow({"Device", "", formatBytes(estimate.peakDevice, unit), "", ""});
    return table;
}

TextTable phasesTable(const Estimate &estimate, ByteUnit unit)
{
    TextTable table({Align::Left, Align::Right, Align::Right, Align::Right, Align::Left});
    const std::vector<RolloutPhase> phases = rolloutPhases(estimate);
    const auto worst = std::ranges::max_element(phases, {}, &RolloutPhase::device);
    for (const RolloutPhase &phase : phases) {
        std::string highest = phase.device == worst->device ? "peak" : "";
        if (const std::string &at = estimate.moments[phase.moment].name; at != phase.name)
            highest += (highest.empty() ? "" : ", ") + momentPhrase(at);
        table.addRow({phase.name, formatBytes(phase.trainer, unit), formatBytes(phase.engine, unit),
                      formatBytes(phase.device, unit), highest});
    }
    return table;
}

TextTable momentsTable(const Estimate &estimate, ByteUnit unit)
{
    TextTable table({Align::Left, Align::Right, Align::Left});
    for (std::size_t i = 0; i < estimate.moments.size(); ++i) {
        const Moment &moment = estimate.moments[i];
        table.addRow({moment.name, formatBytes(moment.allocated, unit),
                      i == estimate.peakMoment ? "peak" : ""});
    }
    return table;
}

TextTable stagesTable(const Estimate &estimate, ByteUnit unit)
{
    TextTable table({Align::Left, Align::Right, Align::Left});
    for (std::size_t stage = 0; stage < estimate.stages.size(); ++stage)
        table.addRow(
            {"stage " + std::to_string(stage), formatBytes(estimate.stages[stage], unit),
             static_cast<std::int64_t>(stage) == estimate.stage ? "the figures above" : ""});
    return table;
}

std::string poolRangeText(const InferenceFigures &figures, ByteUnit unit)
{
    if (figures.kvCacheLow == figures.kvCacheHigh)
        return {};
    return "likely between " + formatBytes(figures.kvCacheLow, unit) + " and " +
           formatBytes(figures.kvCacheHigh, unit);
}

TextTable inferenceTable(const Estimate &estimate, ByteUnit unit)
{
    const InferenceFigures &figures = *estimate.inference;
    const Settings &s = *estimate.settings;
    TextTable table({Align::Left, Align::Right, Align::Left});
    const auto row = [&table](std::string name, std::string value, std::string remark = {}) {
        table.addRow({std::move(name), std::move(value), std::move(remark)});
    };
    row("weights", formatBytes(figures.weights, unit));
    row("activation peak", formatBytes(figures.activationPeak, unit));
    row("outside torch", formatBytes(figures.nonTorch, unit));
    row("cache", formatBytes(figures.kvCache, unit), poolRangeText(figures, unit));
    row("cache a token", formatBytes(figures.kvBytesPerToken, unit));
    if (figures.stateBytesPerSequence > 0)
        row("states a sequence", formatBytes(figures.stateBytesPerSequence, unit));
    row("cache blocks", formatCount(figures.kvBlocks));
    row("cache tokens", formatCount(figures.kvTokens));
    if (figures.printedTokens > 0)
        row("printed in the log", formatCount(figures.printedTokens),
            "tokens, by vLLM " + s.engineVersion);
    if (figures.blockWaste > 0)
        row("empty in a last block, at most", formatBytes(figures.blockWaste, unit));
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
    return table;
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
    const auto own = std::ranges::find(kPhrases, moment, &Phrase::moment);
    return own == kPhrases.end() ? "at the " + moment : own->text;
}

namespace {

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

std::string verdictText(const Estimate &estimate, ByteUnit unit)
{
    std::string at = estimate.peakAt.empty() ? "" : ' ' + momentPhrase(estimate.peakAt);
    if (estimate.settings && !estimate.settings->gpuList.empty())
        at += " on " + listedGpuText(*estimate.settings);
    if (!estimate.capacity)
        return formatBytes(estimate.peakDevice, unit) + at;
    const Bytes spare = *estimate.capacity - estimate.peakDevice;
    const Verdict verdict = *verdictOf(estimate);
    const std::string peak = formatPartOf(estimate.peakDevice, *estimate.capacity, unit) + at;
    const std::string word(verdictWord(verdict));
    if (verdict == Verdict::DoesNotFit && spare >= 0 && estimate.inference)
        return word + ", " + peak + "; " + cacheText(estimate, unit);
    if (verdict == Verdict::Tight && spare >= 0 && cacheDecides(estimate))
        return word + ", " + peak + "; " + cacheText(estimate, unit);
    if (verdict == Verdict::Tight)
        return word + ", " + peak +
               (spare < 0 ? "; the tensors fit, the allocator's slack decides"
                          : "; it may reach " + formatBytes(estimate.uncertaintyHigh, unit));
    return word + ", " + peak + ", " + formatBytes(std::abs(spare), unit) +
           (spare >= 0 ? " to spare" : " too much");
}

std::string answerLine(std::string_view job, const Estimate &estimate, ByteUnit unit)
{
    if (!estimate.computed) {
        const std::string reason = whyNotComputed(estimate);
        return reason.empty() ? "No figures" : "No figures: " + reason;
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
        text += '\n' + levelsTable(estimate, unit).text();
        if (estimate.hasRollout())
            text +=
                "\nThe phases at their highest: of the trainer, of the engine, on the device\n" +
                phasesTable(estimate, unit).text();
        text += "\nThe parts " + momentPhrase(estimate.peakAt) + ":\n" +
                componentsTable(estimate, unit).text();
        text +=
            std::string(estimate.ofSteps() ? "\nThe moments of a step:\n" : "\nThe moments:\n") +
            momentsTable(estimate, unit).text();
        if (!estimate.stages.empty())
            text += "\nThe stages of the pipeline:\n" + stagesTable(estimate, unit).text();
        if (estimate.inference)
            text += std::string(estimate.hasRollout() ? "\nGenerating:\n" : "\nServing:\n") +
                    inferenceTable(estimate, unit).text();
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
