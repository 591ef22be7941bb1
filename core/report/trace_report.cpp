// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/report/trace_report.h"

#include "core/analysis/consistency.h"
#include "core/analysis/fragmentation.h"
#include "core/analysis/frame_text.h"
#include "core/analysis/other_keys.h"
#include "core/analysis/summary.h"
#include "core/base/ordered_jobs.h"
#include "core/report/text_table.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <map>

namespace vramscope {

namespace {

using Json = nlohmann::ordered_json;

/// One device with all that is printed of it.
struct DeviceFigures
{
    DeviceFigures(const Trace &trace, const DeviceTrace &device)
    {
        isHost = device.host;
        const Allocations allocations(device);
        const UsageCurve curve(device, allocations);
        std::unique_ptr<const AddressSpace> space;
        const auto either = [&](std::size_t job) {
            if (job == 0)
                space = AddressSpace::replay(device, allocations, allocatorRules(trace));
            else
                summary = summarize(trace, device, curve);
        };
        runInOrder(2, either, [](std::size_t) { return true; });
        atPeak = space->bandsAfter(summary.peakActiveEvent);
        strandedEvent = mostStranded(*space);
        stranded = space->bandsAfter(strandedEvent).stranded;
        odd = inconsistencies(*space, curve);
    }

    DeviceSummary summary;
    bool isHost = false; ///< the CPU, in snapshots made from a profiler
    Bands atPeak;        ///< of the active bytes
    Bytes stranded = 0;
    EventIndex strandedEvent = -1;
    std::vector<Inconsistency> odd;
};

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

Json deviceJson(const DeviceFigures &figures)
{
    const DeviceSummary &summary = figures.summary;
    const Bands &bands = figures.atPeak;
    return {{"device", summary.device},
            {"host", figures.isHost},
            {"events", summary.events},
            {"segments", summary.segments},
            {"blocks", summary.blocks},
            {"reserved_end", summary.reservedEnd},
            {"allocated_end", summary.allocatedEnd},
            {"active_end", summary.activeEnd},
            {"requested_end", summary.requestedEnd},
            {"baseline", summary.baseline},
            {"peak_active", summary.peakActive},
            {"peak_active_event", summary.peakActiveEvent},
            {"peak_reserved", summary.peakReserved},
            {"actions", actionsJson(summary)},
            {"streams", summary.streams},
            {"pools", summary.pools},
            {"oom", outOfMemoryJson(summary)},
            {"time_span_us", summary.timeSpan ? Json(*summary.timeSpan) : Json()},
            {"stacks", summary.stacks},
            {"frames", summary.frames},
            {"bands_at_peak",
             {{"requested", bands.requested},
              {"rounding", bands.rounding},
              {"pending_free", bands.pendingFree},
              {"stranded", bands.stranded},
              {"releasable", bands.releasable}}},
            {"most_stranded", {{"event", figures.strandedEvent}, {"bytes", figures.stranded}}},
            {"inconsistencies", inconsistenciesJson(figures.odd)}};
}

// Settings are JSON text; what is none is passed on as a string.
Json settingJson(const Setting &setting)
{
    Json value = Json::parse(setting.value, nullptr, false);
    return value.is_discarded() ? Json(setting.value) : value;
}

std::string eventPlace(EventIndex event)
{
    return event < 0 ? "before the first event" : "after event " + formatCount(event);
}

std::string plural(std::int64_t count, const std::string &thing)
{
    return formatCount(count) + " " + thing + (count == 1 ? "" : "s");
}

std::string joined(const std::vector<std::string> &parts)
{
    std::string line;
    for (const std::string &part : parts)
        line += (line.empty() ? "" : ", ") + part;
    return line;
}

std::string actionsText(const DeviceSummary &summary)
{
    std::vector<std::string> parts;
    for (std::size_t at = 0; at < kActionCount; ++at) {
        if (summary.actions[at] > 0)
            parts.push_back(formatCount(summary.actions[at]) + " " +
                            std::string(actionName(static_cast<Action>(at))));
    }
    return joined(parts);
}

void addOutOfMemory(std::string &text, std::span<const OutOfMemoryEvent> events, ByteUnit unit)
{
    constexpr std::size_t kShown = 10;
    for (const OutOfMemoryEvent &oom : events.first(std::min(events.size(), kShown))) {
        text += "  out of memory at event " + formatCount(oom.event) + ": " +
                formatBytes(oom.requested, unit) + " requested";
        if (oom.deviceFree >= 0)
            text += ", " + formatBytes(oom.deviceFree, unit) + " free on the device";
        text += "\n";
    }
    if (events.size() > kShown)
        text += "  and " + formatCount(static_cast<std::int64_t>(events.size() - kShown)) +
                " more times\n";
}

// The parts of the reserved bytes that someone might miss, the largest first.
std::string bandsText(const Bands &bands, ByteUnit unit)
{
    std::vector<std::pair<Bytes, const char *>> parts{{bands.rounding, "rounding"},
                                                      {bands.pendingFree, "pending free"},
                                                      {bands.stranded, "stranded"},
                                                      {bands.releasable, "releasable"}};
    std::ranges::stable_sort(parts, std::greater<>{}, [](const auto &part) { return part.first; });
    std::vector<std::string> texts{formatBytes(bands.requested, unit) + " requested"};
    for (const auto &[bytes, name] : parts) {
        if (bytes > 0)
            texts.push_back(formatBytes(bytes, unit) + " " + name);
    }
    return joined(texts);
}

void addInconsistencies(std::string &text, const std::vector<Inconsistency> &odd)
{
    for (const Inconsistency &one : odd) {
        text +=
            "  " + (one.count == 1 ? "once" : formatCount(one.count) + " times") + ": " + one.text;
        if (one.first >= 0)
            text += " (the first at event " + formatCount(one.first) + ")";
        text += '\n';
    }
}

void addDevice(std::string &text, const DeviceFigures &figures, ByteUnit unit)
{
    const DeviceSummary &summary = figures.summary;
    std::vector<std::string> facts{plural(summary.events, "event")};
    if (summary.timeSpan)
        facts.back() += " in " + formatMicroseconds(*summary.timeSpan);
    facts.push_back(plural(summary.segments, "segment"));
    facts.push_back(plural(summary.blocks, "block"));
    facts.push_back(plural(summary.streams, "stream"));
    facts.push_back(plural(summary.pools, "pool"));
    facts.push_back(plural(summary.stacks, "distinct stack"));
    text += "\nDevice " + std::to_string(summary.device) +
            (figures.isHost ? " (memory of the host)" : "") + ": " + joined(facts) + "\n";

    TextTable table({Align::Left, Align::Right, Align::Right, Align::Left});
    const auto add = [&](const char *name, Bytes bytes, std::string note = {}) {
        table.addRow({name, formatBytes(bytes, unit), formatCount(bytes), std::move(note)});
    };
    add("peak active", summary.peakActive, eventPlace(summary.peakActiveEvent));
    add("peak reserved", summary.peakReserved);
    add("live before", summary.baseline,
        summary.baseline == 0 ? "" : "allocated before the recording");
    add("reserved at end", summary.reservedEnd);
    add("active at end", summary.activeEnd);
    add("allocated at end", summary.allocatedEnd);
    add("requested at end", summary.requestedEnd);
    text += table.text();

    text += "  reserved at the peak of active: " + bandsText(figures.atPeak, unit) + "\n";
    if (figures.stranded > 0)
        text += "  most stranded: " + formatBytes(figures.stranded, unit) + " " +
                eventPlace(figures.strandedEvent) + "\n";
    if (summary.events > 0)
        text += "  " + actionsText(summary) + "\n";
    addOutOfMemory(text, summary.outOfMemory, unit);
    addInconsistencies(text, figures.odd);
}

// A table with the same value for every size says so once.
std::string settingText(const Setting &setting)
{
    const Json value = settingJson(setting);
    if (!value.is_object() || value.size() < 2)
        return setting.value;
    for (const Json &one : value) {
        if (one != *value.begin())
            return setting.value;
    }
    return value.begin()->dump() + " for each of " + std::to_string(value.size());
}

void addSettings(std::string &text, const Trace &trace)
{
    if (trace.settings().empty())
        return;
    text += "\nSettings\n";
    TextTable table({Align::Left, Align::Left});
    for (const Setting &setting : trace.settings())
        table.addRow({setting.name, settingText(setting)});
    text += table.text();
}

// What a file holds beyond what has a meaning here.
void addOtherKeys(std::string &text, const Trace &trace)
{
    constexpr std::size_t kExampleWidth = 50;
    const std::vector<OtherKey> keys = otherKeys(trace);
    if (!keys.empty()) {
        text += "\nOther keys\n";
        TextTable table({Align::Left, Align::Left, Align::Right, Align::Left});
        for (const OtherKey &key : keys)
            table.addRow(
                {key.in, key.key, formatCount(key.records), elided(key.example, kExampleWidth)});
        text += table.text();
    }
    if (!trace.sources().empty())
        text += "\nSource code of " +
                plural(static_cast<std::int64_t>(trace.sources().size()), "file") +
                " is in the recording.\n";
}

void addProblems(std::string &text, const Trace &trace)
{
    if (trace.problems().empty())
        return;
    text += "\nProblems\n";
    TextTable table({Align::Right, Align::Left});
    for (const Problem &problem : trace.problems()) {
        std::string what = problem.kind;
        if (problem.firstOffset >= 0)
            what += " (the first at byte " + formatCount(problem.firstOffset) + ")";
        table.addRow({formatCount(problem.count), what});
    }
    text += table.text();
}

} // namespace

std::string traceJson(const Trace &trace, const std::string &file)
{
    Json json{{"file", file},
              {"format", trace.format()},
              {"producer", trace.producer()},
              {"protocol", trace.protocol()}};
    json["devices"] = Json::array();
    for (const DeviceTrace &device : trace.devices())
        json["devices"].push_back(deviceJson(DeviceFigures(trace, device)));
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
    return json.dump(-1, ' ', false, Json::error_handler_t::replace);
}

std::string traceText(const Trace &trace, const std::string &file, ByteUnit unit)
{
    std::vector<std::string> facts{trace.format()};
    if (!trace.producer().empty())
        facts.push_back(trace.producer());
    if (trace.protocol() > 0)
        facts.push_back("pickle protocol " + std::to_string(trace.protocol()));
    if (!trace.annotations().empty())
        facts.push_back(
            plural(static_cast<std::int64_t>(trace.annotations().size()), "annotation mark"));
    std::string text = printable(file) + "\n" + joined(facts) + "\n";
    for (const DeviceTrace &device : trace.devices())
        addDevice(text, DeviceFigures(trace, device), unit);
    if (trace.devices().empty())
        text += "\nNo device has segments or events: the snapshot is empty.\n";
    addSettings(text, trace);
    addOtherKeys(text, trace);
    addProblems(text, trace);
    return text;
}

} // namespace vramscope
