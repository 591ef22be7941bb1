// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/print/growth_report.h"

#include "core/analysis/findings/leaks.h"
#include "core/analysis/findings/peak.h"
#include "core/analysis/steps/steps.h"
#include "core/analysis/study/study.h"
#include "core/base/counted.h"
#include "core/base/json_text.h"
#include "core/describe/trace_tables.h"
#include "core/print/cells.h"
#include "core/print/json_parts.h"
#include "core/print/verdict.h"
#include "core/table/terminal_table.h"
#include "core/table/text_table.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <unordered_map>

namespace vramscope {

namespace {

constexpr const char *kStepLegend =
    "survivors: made in the step and still alive after the next one; alike: share of its "
    "allocations that the neighbouring step makes too; sure: how far what the steps were found "
    "from "
    "can be trusted";

std::string durationCell(const DeviceTrace &device, const Step &step)
{
    const auto &times = device.events.time;
    if (times.empty())
        return {};
    const std::int64_t begin = times[static_cast<std::size_t>(step.first)];
    const std::int64_t end = times[static_cast<std::size_t>(step.last)];
    if (begin == kNoTime || end == kNoTime || end < begin)
        return {};
    return formatMicroseconds(wrappingDifference(end, begin));
}

void addStep(TextTable &table, const DeviceTrace &device, const Step &step, bool isReservedKnown,
             ByteUnit unit)
{
    std::string number = std::to_string(step.number);
    if (!step.complete)
        number += " part";
    else if (!step.startKnown)
        number += "?";
    table.addRow({number, formatCount(step.first), formatCount(step.last),
                  durationCell(device, step), formatBytes(step.peakActive, unit),
                  formatKnown(step.peakReserved, isReservedKnown, unit),
                  formatBytes(step.activeEnd, unit), formatChange(step.growth, unit),
                  step.survivors ? formatBytes(step.survivors->bytes, unit) : std::string(),
                  formatPercent(step.match)});
}

std::string sinceText(const Leaks &leaks, const Growth &growth)
{
    return std::string(unitName(leaks.unit)) + " " +
           std::to_string(leaks.numbers[growth.firstSample]);
}

// Growth whose stacks read the same, put together.
struct GrowthRow
{
    Growth growth;
    std::int64_t stacks = 0;
    std::string text;
};

std::vector<GrowthRow> rowsOf(const Trace &trace, const std::vector<Growth> &list)
{
    FrameOrigins origins(trace);
    std::vector<GrowthRow> rows;
    std::unordered_map<std::string, std::size_t> places;
    for (const Growth &growth : list) {
        std::string text = stackCell(trace, growth.stack, origins, 44);
        const auto [place, isNew] = places.try_emplace(text, rows.size());
        if (isNew) {
            rows.push_back({growth, 1, std::move(text)});
            continue;
        }
        GrowthRow &row = rows[place->second];
        row.growth.grown += growth.grown;
        row.growth.bytesPerSample += growth.bytesPerSample;
        row.growth.firstSample = std::min(row.growth.firstSample, growth.firstSample);
        row.growth.confidence = std::min(row.growth.confidence, growth.confidence);
        ++row.stacks;
    }
    std::ranges::stable_sort(rows, [](const GrowthRow &a, const GrowthRow &b) {
        return a.growth.grown.bytes > b.growth.grown.bytes;
    });
    return rows;
}

// The rows of a table from the `most` largest growths (0: all) and one for the others.
template<class Cells>
std::string growthTable(const Trace &trace, const std::vector<Growth> &list, TextTable table,
                        std::size_t most, Cells cells)
{
    const std::vector<GrowthRow> rows = rowsOf(trace, list);
    GrowthRow others;
    for (std::size_t at = 0; at < rows.size(); ++at) {
        if (most == 0 || at < most) {
            table.addRow(cells(rows[at]));
            continue;
        }
        others.growth.grown += rows[at].growth.grown;
        others.growth.bytesPerSample += rows[at].growth.bytesPerSample;
        others.stacks += rows[at].stacks;
    }
    if (others.stacks > 0) {
        others.text = othersText(static_cast<std::int64_t>(rows.size() - most));
        table.addRow(cells(others));
    }
    return table.text();
}

std::string leakTable(const Trace &trace, const Leaks &leaks, std::size_t most, ByteUnit unit)
{
    TextTable table({Align::Right, Align::Right, Align::Right, Align::Right, Align::Left,
                     Align::Right, Align::Left});
    table.addRow({"a " + std::string(unitName(leaks.unit)), "grown", "blocks", "stacks", "since",
                  "sure", "allocated in"});
    const auto cells = [&](const GrowthRow &row) -> std::vector<std::string> {
        const Growth &growth = row.growth;
        const bool isOne = growth.increases > 0; // else it stands for the others
        return {formatBytes(static_cast<Bytes>(std::llround(growth.bytesPerSample)), unit),
                formatBytes(growth.grown.bytes, unit),
                formatCount(growth.grown.count),
                formatCount(row.stacks),
                isOne ? sinceText(leaks, growth) : "",
                isOne ? formatPercent(growth.confidence) : "",
                row.text};
    };
    return growthTable(trace, leaks.leaks, std::move(table), most, cells) +
           "sure: how often and how evenly it grew, and how surely the steps were found\n";
}

std::string warmUpTable(const Trace &trace, const Leaks &leaks, std::size_t most, ByteUnit unit)
{
    TextTable table({Align::Right, Align::Right, Align::Right, Align::Left, Align::Left});
    table.addRow({"grown", "blocks", "stacks", "since", "allocated in"});
    const auto cells = [&](const GrowthRow &row) -> std::vector<std::string> {
        const Growth &growth = row.growth;
        return {formatBytes(growth.grown.bytes, unit), formatCount(growth.grown.count),
                formatCount(row.stacks), growth.increases > 0 ? sinceText(leaks, growth) : "",
                row.text};
    };
    return growthTable(trace, leaks.warmUp, std::move(table), most, cells);
}

Tally grownIn(const std::vector<Growth> &list)
{
    Tally sum;
    for (const Growth &growth : list)
        sum += growth.grown;
    return sum;
}

const char *sourceName(StepSource source)
{
    constexpr std::array kNames{"profiler-step", "optimizer-step", "annotation", "period",
                                "optimizer",     "calls",          "none"};
    return kNames[static_cast<std::size_t>(source)];
}

Json growthJson(const Trace &trace, const Leaks &leaks, const std::vector<Growth> &list)
{
    return listJson(list, [&](const Growth &growth) -> Json {
        return {{"bytes", growth.grown.bytes},
                {"count", growth.grown.count},
                {"bytes_per_step", growth.bytesPerSample},
                {"count_per_step", growth.countPerSample},
                {"since", leaks.numbers[growth.firstSample]},
                {"increases", growth.increases},
                {"confidence", growth.confidence},
                {"frames", framesJson(trace, growth.stack)}};
    });
}

} // namespace

std::string stepsText(const Study &study, const std::string &file, std::size_t most, ByteUnit unit)
{
    const Steps &steps = study.steps();
    const auto count = std::ssize(steps.steps);
    std::string text = traceHead(file, study) + ": ";
    if (count == 0)
        return text + "no steps found\n" + steps.how + "\n";
    text += counted(count, "step") + " (" + formatPercent(steps.confidence) + " sure)\n" +
            printable(steps.how) + "\n\n";
    TextTable table({Align::Left, Align::Right, Align::Right, Align::Right, Align::Right,
                     Align::Right, Align::Right, Align::Right, Align::Right, Align::Right});
    table.addRow({"step", "first", "last event", "time", "peak", "reserved", "at end", "growth",
                  "survivors", "alike"});
    const std::size_t half = most / 2;
    const bool isCut = most > 0 && steps.steps.size() > most;
    for (std::size_t at = 0; at < steps.steps.size(); ++at) {
        if (isCut && at == most - half) {
            table.addRow({"…", "", "", "", "", "", "", "", "", ""});
            at = steps.steps.size() - half;
        }
        if (at < steps.steps.size())
            addStep(table, study.device(), steps.steps[at], steps.isReservedKnown, unit);
    }
    text += table.text();
    if (isCut)
        text += "…: " + othersText(count - static_cast<std::int64_t>(most)) + "\n";
    text += paragraph(kStepLegend);
    if (std::ranges::any_of(steps.steps, [](const Step &step) { return !step.complete; }))
        text += "part: cut off by an end of the recording, or not known to be whole\n";
    if (std::ranges::any_of(steps.steps,
                            [](const Step &step) { return step.complete && !step.startKnown; }))
        text += "?: may begin later than its first event\n";
    return text;
}

std::string leaksText(const Study &study, const std::string &file, std::size_t most, ByteUnit unit)
{
    const Trace &trace = study.trace();
    const Leaks &leaks = study.leaks();
    std::string text = traceHead(file, study) + ": ";
    if (leaks.samples.empty())
        return text + "cannot tell\n" + leaks.note + "\n";
    const auto samples = std::ssize(leaks.samples);
    const std::string over = leaks.unit == Leaks::Unit::Step
                                 ? "over " + counted(samples - 1, "complete step")
                                 : "over " + counted(samples, std::string(unitName(leaks.unit)));
    if (leaks.leaks.empty()) {
        text += "nothing keeps growing " + over + "\n";
    } else {
        const Tally sum = grownIn(leaks.leaks);
        text += formatBytes(sum.bytes, unit) + " in " + counted(sum.count, "block") + " from " +
                counted(std::ssize(leaks.leaks), "stack") + " pile up " + over + "\n\n" +
                leakTable(trace, leaks, most, unit);
    }
    if (!leaks.note.empty())
        text += leaks.note + "\n";
    if (!leaks.warmUp.empty()) {
        const Tally sum = grownIn(leaks.warmUp);
        text += "\nGrew and stopped (warm-up: states, caches): " + formatBytes(sum.bytes, unit) +
                " in " + counted(sum.count, "block") + " from " +
                counted(std::ssize(leaks.warmUp), "stack");
        text += ":\n\n" + warmUpTable(trace, leaks, most, unit);
    }
    return text;
}

std::string stepsJson(const Study &study, const std::string &file)
{
    const DeviceTrace &device = study.device();
    const Steps &steps = study.steps();
    Json list = listJson(steps.steps, [&](const Step &step) -> Json {
        return {{"number", step.number},
                {"first_event", step.first},
                {"last_event", step.last},
                {"start_time", timeOf(device, step.first)},
                {"end_time", timeOf(device, step.last)},
                {"complete", step.complete},
                {"start_known", step.startKnown},
                {"peak_active", step.peakActive},
                {"peak_active_event", step.peakActiveEvent},
                {"peak_reserved", orNull(steps.isReservedKnown, step.peakReserved)},
                {"peak_reserved_event", orNull(steps.isReservedKnown, step.peakReservedEvent)},
                {"active_begin", step.activeBegin},
                {"active_end", step.activeEnd},
                {"growth", step.growth},
                {"survivors", step.survivors ? tallyJson(*step.survivors) : Json()},
                {"match", step.match}};
    });
    return jsonText({{"file", file},
                     {"device", device.device},
                     {"source", sourceName(steps.source)},
                     {"how", steps.how},
                     {"confidence", steps.confidence},
                     {"steps", std::move(list)}});
}

std::string leaksJson(const Study &study, const std::string &file)
{
    const Trace &trace = study.trace();
    const Leaks &leaks = study.leaks();
    return jsonText({{"file", file},
                     {"device", study.device().device},
                     {"by", leaks.samples.empty() ? std::string("none")
                                                  : std::string(unitName(leaks.unit)) + "s"},
                     {"samples", leaks.samples},
                     {"note", leaks.note},
                     {"leaks", growthJson(trace, leaks, leaks.leaks)},
                     {"warm_up", growthJson(trace, leaks, leaks.warmUp)}});
}

} // namespace vramscope
