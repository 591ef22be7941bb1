// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/print/growth_report.h"

#include "core/analysis/findings/leaks.h"
#include "core/analysis/findings/peak.h"
#include "core/analysis/steps/steps.h"
#include "core/analysis/study/study.h"
#include "core/base/json_text.h"
#include "core/describe/trace_tables.h"
#include "core/print/json_parts.h"
#include "core/table/json_rows.h"

#include <nlohmann/json.hpp>

#include <array>

namespace vramscope {

namespace {

using Json = nlohmann::ordered_json;

Json timeJson(const DeviceTrace &device, EventIndex event)
{
    const auto &times = device.events.time;
    const auto at = static_cast<std::size_t>(event);
    if (event < 0 || at >= times.size() || times[at] == kNoTime)
        return {};
    return times[at];
}

const char *sourceName(StepSource source)
{
    constexpr std::array kNames{"profiler-step", "optimizer-step", "annotation", "period", "none"};
    return kNames[static_cast<std::size_t>(source)];
}

Json growthJson(const Trace &trace, const Leaks &leaks, const std::vector<Growth> &list)
{
    Json json = Json::array();
    for (const Growth &growth : list)
        json.push_back({{"bytes", growth.grown.bytes},
                        {"count", growth.grown.count},
                        {"bytes_per_step", growth.bytesPerSample},
                        {"count_per_step", growth.countPerSample},
                        {"since", leaks.numbers[growth.firstSample]},
                        {"increases", growth.increases},
                        {"confidence", growth.confidence},
                        {"frames", framesJson(trace, growth.stack)}});
    return json;
}

} // namespace

std::string stepsJson(const Study &study, const std::string &file)
{
    const DeviceTrace &device = study.device();
    const Steps &steps = study.steps();
    Json list = Json::array();
    for (const Step &step : steps.steps)
        list.push_back(
            {{"number", step.number},
             {"first_event", step.first},
             {"last_event", step.last},
             {"start_time", timeJson(device, step.first)},
             {"end_time", timeJson(device, step.last)},
             {"complete", step.complete},
             {"start_known", step.startKnown},
             {"peak_active", step.peakActive},
             {"peak_active_event", step.peakActiveEvent},
             {"peak_reserved", steps.isReservedKnown ? Json(step.peakReserved) : Json()},
             {"peak_reserved_event", steps.isReservedKnown ? Json(step.peakReservedEvent) : Json()},
             {"active_begin", step.activeBegin},
             {"active_end", step.activeEnd},
             {"growth", step.growth},
             {"survivors", step.survivors ? tallyJson(*step.survivors) : Json()},
             {"match", step.match}});
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
                     {"by", leaks.bySteps           ? "steps"
                            : leaks.samples.empty() ? "none"
                                                    : "windows"},
                     {"samples", leaks.samples},
                     {"note", leaks.note},
                     {"leaks", growthJson(trace, leaks, leaks.leaks)},
                     {"warm_up", growthJson(trace, leaks, leaks.warmUp)}});
}

std::string peakJson(const Study &study, const std::string &file)
{
    const Trace &trace = study.trace();
    const Peak &peak = study.peak();
    Json running = Json::array();
    for (const StringId name : peak.running)
        running.push_back(trace.text(name));
    Json stacks = Json::array();
    for (const LiveGroup &group : peak.byStack)
        stacks.push_back({{"bytes", group.bytes},
                          {"count", group.count},
                          {"frames", framesJson(trace, group.stack)}});
    return jsonText({{"file", file},
                     {"device", study.device().device},
                     {"event", peak.event},
                     {"time", timeJson(study.device(), peak.event)},
                     {"active", peak.active},
                     {"reserved", peak.isReservedKnown ? Json(peak.reserved) : Json()},
                     {"allocations", peak.allocations},
                     {"step", peak.step ? Json(study.steps().steps[*peak.step].number) : Json()},
                     {"position", peak.step ? Json(peak.position) : Json()},
                     {"running", std::move(running)},
                     {"stack", framesJson(trace, peak.stack)},
                     {"categories", rowsJson(peakCategoriesTable(peak),
                                             {"category", "bytes", "count", "confidence"})},
                     {"stacks", std::move(stacks)}});
}

} // namespace vramscope
