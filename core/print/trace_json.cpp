// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/print/problems_text.h"
#include "core/print/trace_report.h"

#include "core/analysis/findings/finding.h"
#include "core/analysis/replayed/address_space.h"
#include "core/analysis/replayed/consistency.h"
#include "core/analysis/replayed/other_keys.h"
#include "core/analysis/replayed/summary.h"
#include "core/analysis/study/study.h"
#include "core/base/json_text.h"
#include "core/print/finding_text.h"
#include "core/print/json_parts.h"

#include <nlohmann/json.hpp>

#include <map>

namespace vramscope {

using Json = nlohmann::ordered_json;

namespace {

Json inconsistenciesJson(const std::vector<Inconsistency> &found)
{
    Json json = Json::array();
    for (const Inconsistency &one : found)
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

Json findingsJson(const Study &study)
{
    Json json = Json::array();
    for (const Finding &finding : study.findings())
        json.push_back({{"kind", findingName(finding.kind)},
                        {"bad", finding.isBad()},
                        {"text", findingText(study, finding)},
                        {"explanation", findingExplanation(study, finding)},
                        {"bytes", finding.bytes},
                        {"count", finding.count},
                        {"event", finding.event ? Json(*finding.event) : Json()}});
    return json;
}

Json deviceJson(const Study &study)
{
    const DeviceSummary &summary = study.summary();
    const EventIndex stranded = study.space().mostStranded();
    const auto known = [&](Json value) {
        return summary.isReservedKnown ? std::move(value) : Json();
    };
    return {{"device", summary.device},
            {"host", study.device().host},
            {"events", summary.events},
            {"segments", summary.segments},
            {"blocks", summary.blocks},
            {"reserved_end", known(summary.reservedEnd)},
            {"allocated_end", known(summary.allocatedEnd)},
            {"active_end", known(summary.activeEnd)},
            {"requested_end", known(summary.requestedEnd)},
            {"baseline", summary.baseline},
            {"baseline_requested", summary.baselineRequested},
            {"peak_active", summary.peakActive},
            {"peak_active_event", summary.peakActiveEvent},
            {"peak_requested", summary.peakRequested},
            {"peak_requested_event", summary.peakRequestedEvent},
            {"peak_reserved", known(summary.peakReserved)},
            {"actions", actionsJson(summary)},
            {"streams", summary.streams},
            {"pools", summary.pools},
            {"oom", outOfMemoryJson(summary)},
            {"time_span_us", summary.timeSpan ? Json(*summary.timeSpan) : Json()},
            {"stacks", summary.stacks},
            {"frames", summary.frames},
            {"bands_at_peak", known(bandsJson(study.space().bandsAfter(summary.peakActiveEvent)))},
            {"most_stranded",
             known({{"event", stranded}, {"bytes", study.space().bandsAfter(stranded).stranded}})},
            {"inconsistencies", inconsistenciesJson(inconsistencies(study.space(), study.curve()))},
            {"findings", findingsJson(study)}};
}

} // namespace

std::string traceJson(const std::shared_ptr<const Trace> &trace, const std::string &file)
{
    Json json{{"file", file},
              {"format", trace->format()},
              {"producer", trace->producer()},
              {"protocol", trace->protocol()}};
    json["devices"] = Json::array();
    for (const std::shared_ptr<const Study> &study : reportedStudies(trace))
        json["devices"].push_back(deviceJson(*study));
    json["annotations"] = trace->annotations().size();
    json["problems"] = problemsJson(trace->problems());
    json["other_keys"] = Json::array();
    for (const OtherKey &key : otherKeys(*trace))
        json["other_keys"].push_back({{"in", key.in},
                                      {"key", key.key},
                                      {"records", key.records},
                                      {"example", settingJson({key.key, key.example})}});
    json["source_files"] = trace->sources().size();
    json["settings"] = Json::object();
    for (const Setting &setting : trace->settings())
        json["settings"][setting.name] = settingJson(setting);
    return jsonText(json);
}

} // namespace vramscope
