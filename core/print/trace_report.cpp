// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/print/trace_report.h"
#include "core/describe/trace_tables.h"

#include "core/analysis/costs/frame_text.h"
#include "core/analysis/findings/finding.h"
#include "core/analysis/replayed/address_space.h"
#include "core/analysis/replayed/consistency.h"
#include "core/analysis/replayed/other_keys.h"
#include "core/analysis/replayed/summary.h"
#include "core/analysis/study/study.h"
#include "core/base/counted.h"
#include "core/base/ordered_jobs.h"
#include "core/base/text.h"
#include "core/print/cells.h"
#include "core/print/finding_text.h"
#include "core/print/json_parts.h"
#include "core/print/problems_text.h"
#include "core/print/verdict.h"
#include "core/table/terminal_table.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <array>

namespace vramscope {

namespace {

using Json = nlohmann::ordered_json;

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
    for (const Finding &finding : study.findings()) {
        std::string told =
            findingText(study, finding, unit) + ". " + findingExplanation(study, finding, unit);
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
    std::vector<std::string> facts{counted(summary.events, "event")};
    if (summary.timeSpan)
        facts.back() += " in " + formatMicroseconds(*summary.timeSpan);
    facts.push_back(counted(summary.segments, "segment"));
    facts.push_back(counted(summary.blocks, "block"));
    facts.push_back(counted(summary.streams, "stream"));
    facts.push_back(counted(summary.pools, "pool"));
    facts.push_back(counted(summary.stacks, "distinct stack"));
    text += "\nDevice " + std::to_string(summary.device) +
            (study.device().host ? " (memory of the host)" : "") + ": " + joinedByCommas(facts) +
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
        text += "\nSource code of " +
                counted(static_cast<std::int64_t>(trace.sources().size()), "file") +
                " is in the recording.\n";
}

} // namespace

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
        static_cast<void>(study->findings());
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
        text += wrapped(kEmptySnapshot, kTableWidth) + "\n";
    text += joinedByCommas(facts) + "\n";
    for (const std::shared_ptr<const Study> &study : studies)
        addDevice(text, *study, unit);
    addSettings(text, *trace);
    addOtherKeys(text, *trace);
    return text;
}

} // namespace vramscope
