// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/print/trace_report.h"

#include "core/analysis/replayed/other_keys.h"
#include "core/base/json_text.h"
#include "core/print/device_metrics.h"
#include "core/print/json_parts.h"

#include <nlohmann/json.hpp>

#include <map>

namespace vramscope {

using Json = nlohmann::ordered_json;

namespace {

Json inconsistenciesJson(const std::vector<Inconsistency> &odd)
{
    Json json = Json::array();
    for (const Inconsistency &one : odd)
        json.push_back({{"text", one.text}, {"count", one.count}, {"first_event", one.first}});
    return json;
}

Json actionsJson(const DeviceSummary &summary)
{
    std::map<std::string_view, std::int64_t>
        byName; // in alphabetical order, as the contract has it
    for (std::size_t at = 0; at < kActionCount; ++at) {
        if (summary.actions[at] > 0)
            byName[actionName(static_cast<Action>(at))] = summary.actions[at];
    }
    Json json = Json::object();
    for (const auto &[name, count] : byName)
        json[std::string(name)] = count;
    return json;
}

Json outOfMemoryJson(const DeviceSummary &summary)
{
    Json json = Json::array();
    for (const OutOfMemoryEvent &oom : summary.outOfMemory)
        json.push_back({{"event", oom.event},
                        {"requested", oom.requested},
                        {"device_free", oom.deviceFree < 0 ? Json() : Json(oom.deviceFree)}});
    return json;
}

Json deviceJson(const DeviceMetrics &figures)
{
    const DeviceSummary &summary = figures.summary;
    const auto known = [&](Json value) {
        return summary.isReservedKnown ? std::move(value) : Json();
    };
    return {
        {"device", summary.device},
        {"host", figures.isHost},
        {"events", summary.events},
        {"segments", summary.segments},
        {"blocks", summary.blocks},
        {"reserved_end", known(summary.reservedEnd)},
        {"allocated_end", known(summary.allocatedEnd)},
        {"active_end", known(summary.activeEnd)},
        {"requested_end", known(summary.requestedEnd)},
        {"baseline", summary.baseline},
        {"peak_active", summary.peakActive},
        {"peak_active_event", summary.peakActiveEvent},
        {"peak_reserved", known(summary.peakReserved)},
        {"actions", actionsJson(summary)},
        {"streams", summary.streams},
        {"pools", summary.pools},
        {"oom", outOfMemoryJson(summary)},
        {"time_span_us", summary.timeSpan ? Json(*summary.timeSpan) : Json()},
        {"stacks", summary.stacks},
        {"frames", summary.frames},
        {"bands_at_peak", known(bandsJson(figures.atPeak))},
        {"most_stranded", known({{"event", figures.strandedEvent}, {"bytes", figures.stranded}})},
        {"inconsistencies", inconsistenciesJson(figures.odd)}};
}

} // namespace

Json settingJson(const Setting &setting)
{
    Json value = parsedJson(setting.value);
    return value.is_discarded() ? Json(setting.value) : value;
}

std::string traceJson(const Trace &trace, const std::string &file)
{
    Json json{{"file", file},
              {"format", trace.format()},
              {"producer", trace.producer()},
              {"protocol", trace.protocol()}};
    json["devices"] = Json::array();
    for (const DeviceTrace &device : trace.devices())
        json["devices"].push_back(deviceJson(DeviceMetrics(trace, device)));
    json["annotations"] = trace.annotations().size();
    json["problems"] = Json::array();
    for (const Problem &problem : trace.problems())
        json["problems"].push_back(
            {{"kind", problem.kind},
             {"count", problem.count},
             {"first", problem.firstOffset < 0 ? Json() : Json(problem.firstOffset)}});
    json["other_keys"] = Json::array();
    for (const OtherKey &key : otherKeys(trace))
        json["other_keys"].push_back({{"in", key.in},
                                      {"key", key.key},
                                      {"records", key.records},
                                      {"example", settingJson({key.key, key.example})}});
    json["source_files"] = trace.sources().size();
    json["settings"] = Json::object();
    for (const Setting &setting : trace.settings())
        json["settings"][setting.name] = settingJson(setting);
    return jsonText(json);
}

} // namespace vramscope
