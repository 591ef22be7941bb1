// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/print/trace_report.h"

#include "core/analysis/costs/frame_text.h"
#include "core/analysis/replayed/address_space.h"
#include "core/analysis/replayed/other_keys.h"
#include "core/analysis/replayed/summary.h"
#include "core/analysis/study/study.h"
#include "core/base/counted.h"
#include "core/base/json_text.h"
#include "core/base/ordered_jobs.h"
#include "core/base/text.h"
#include "core/describe/trace_tables.h"
#include "core/print/cells.h"
#include "core/print/json_parts.h"
#include "core/print/problems_text.h"
#include "core/print/trace_findings.h"
#include "core/print/verdict.h"
#include "core/table/terminal_table.h"

#include <algorithm>
#include <array>
#include <map>

namespace vramscope {

namespace {

std::string joinedByCommas(const std::vector<std::string> &parts)
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
    return joinedByCommas(parts);
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
    return joinedByCommas(texts);
}

void addInconsistencies(std::string &text, const std::vector<Inconsistency> &found)
{
    for (const Inconsistency &one : found) {
        text += "  " + (one.count == 1 ? "once" : counted(one.count, "time")) + ": " + one.text;
        if (one.first >= 0)
            text += " (the first at event " + formatCount(one.first) + ")";
        text += '\n';
    }
}

void addFindings(std::string &text, const Study &study, ByteUnit unit)
{
    constexpr std::size_t kMargin = 4;
    for (const Finding &finding : findingsOf(study, unit)) {
        std::string told = finding.title + ". " + finding.sentence;
        std::ranges::replace(told, '\n', ' ');
        std::string lines = wrapped(told, kTableWidth - kMargin);
        for (std::size_t at = lines.find('\n'); at != lines.npos; at = lines.find('\n', at + 1))
            lines.insert(at + 1, kMargin, ' ');
        text += "  * " + lines + "\n";
    }
}

void addDevice(std::string &text, const Study &study, ByteUnit unit)
{
    const DeviceSummary &summary = study.summary();
    text += "\nDevice " + std::to_string(summary.device) +
            (study.device().host ? " (memory of the host)" : "") + ": " + deviceFacts(summary) +
            "\n";
    addFindings(text, study, unit);

    text += textRows(summaryTable(summary), unit).text();

    if (summary.isReservedKnown)
        text += "  reserved at the peak of active: " +
                bandsText(study.space().bandsAfter(summary.peakActiveEvent), unit) + "\n";
    const Bytes stranded = study.space().bandsAfter(study.space().mostStranded()).stranded;
    if (summary.isReservedKnown && stranded > 0)
        text += "  most stranded: " + formatBytes(stranded, unit) + " " +
                eventPlace(study.space().mostStranded()) + "\n";
    if (summary.events > 0)
        text += "  " + actionsText(summary) + "\n";
    addOutOfMemory(text, summary.outOfMemory, unit);
    addInconsistencies(text, inconsistencies(study.space(), study.curve()));
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
        text += "\nSource code of " + counted(std::ssize(trace.sources()), "file") +
                " is in the recording.\n";
}

Json inconsistencyJson(const Inconsistency &one)
{
    return {{"text", one.text}, {"count", one.count}, {"first_event", one.first}};
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

Json failedEventJson(const OutOfMemoryEvent &oom)
{
    return {{"event", oom.event},
            {"requested", oom.requested},
            {"device_free", orNull(oom.deviceFree >= 0, oom.deviceFree)}};
}

Json findingsJson(const Study &study)
{
    return listJson(findingsOf(study), [](const Finding &finding) -> Json {
        return {{"kind", finding.kind},          {"bad", finding.isBad()},
                {"text", finding.title},         {"explanation", finding.sentence},
                {"bytes", finding.cost},         {"count", finding.count},
                {"event", orNull(finding.event)}};
    });
}

Json deviceJson(const Study &study)
{
    const DeviceSummary &summary = study.summary();
    const EventIndex stranded = study.space().mostStranded();
    const auto known = [&](Json value) {
        return orNull(summary.isReservedKnown, std::move(value));
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
            {"oom", listJson(summary.outOfMemory, failedEventJson)},
            {"time_span_us", orNull(summary.timeSpan)},
            {"stacks", summary.stacks},
            {"frames", summary.frames},
            {"bands_at_peak", known(bandsJson(study.space().bandsAfter(summary.peakActiveEvent)))},
            {"most_stranded",
             known({{"event", stranded}, {"bytes", study.space().bandsAfter(stranded).stranded}})},
            {"inconsistencies",
             listJson(inconsistencies(study.space(), study.curve()), inconsistencyJson)},
            {"findings", findingsJson(study)}};
}

} // namespace

std::string deviceFacts(const DeviceSummary &summary)
{
    return counted(summary.events, "event") +
           (summary.timeSpan ? " in " + formatMicroseconds(*summary.timeSpan) : std::string()) +
           ", " + counted(summary.segments, "segment") + ", " + counted(summary.blocks, "block") +
           ", " + counted(summary.streams, "stream") + ", " + counted(summary.pools, "pool") +
           ", " + counted(summary.stacks, "distinct stack");
}

std::vector<std::shared_ptr<const Study>> reportedStudies(const std::shared_ptr<const Trace> &trace)
{
    using Part = Study::Part;
    std::vector<std::shared_ptr<const Study>> studies = studiesOf(trace);
    for (const std::shared_ptr<const Study> &study : studies) {
        static_cast<void>(study->allocations()); // which all of them need
        // What stands on another goes last: it would wait for it.
        const auto one = [&study](std::size_t job) {
            constexpr std::array kParts{Part::Leaks, Part::Summary, Part::Failures};
            study->make({kParts[job]});
        };
        constexpr std::size_t kJobs = 3;
        runInOrder(kJobs, one, [](std::size_t) { return true; });
    }
    return studies;
}

std::string traceText(const std::shared_ptr<const Trace> &trace, const std::string &file,
                      ByteUnit unit)
{
    std::vector<std::string> facts{trace->format()};
    if (!trace->producer().empty())
        facts.push_back(trace->producer());
    if (trace->protocol() > 0)
        facts.push_back("pickle protocol " + std::to_string(trace->protocol()));
    if (!trace->annotations().empty())
        facts.push_back(counted(std::ssize(trace->annotations()), "annotation mark"));
    const std::vector<std::shared_ptr<const Study>> studies = reportedStudies(trace);
    std::string text = problemsText(trace->problems()) + printable(file) + "\n";
    for (const std::shared_ptr<const Study> &study : studies)
        text += verdictText(*study, unit);
    if (studies.empty())
        text += paragraph(kEmptySnapshot);
    text += joinedByCommas(facts) + "\n";
    for (const std::shared_ptr<const Study> &study : studies)
        addDevice(text, *study, unit);
    addSettings(text, *trace);
    addOtherKeys(text, *trace);
    return text;
}

std::string traceJson(const std::shared_ptr<const Trace> &trace, const std::string &file)
{
    Json json{{"file", file},
              {"format", trace->format()},
              {"producer", trace->producer()},
              {"protocol", trace->protocol()}};
    json["devices"] =
        listJson(reportedStudies(trace), [](const auto &study) { return deviceJson(*study); });
    json["annotations"] = trace->annotations().size();
    json["problems"] = problemsJson(trace->problems());
    json["other_keys"] = listJson(otherKeys(*trace), [](const OtherKey &key) -> Json {
        return {{"in", key.in},
                {"key", key.key},
                {"records", key.records},
                {"example", settingJson({key.key, key.example})}};
    });
    json["source_files"] = trace->sources().size();
    json["settings"] = Json::object();
    for (const Setting &setting : trace->settings())
        json["settings"][setting.name] = settingJson(setting);
    return jsonText(json);
}

} // namespace vramscope
