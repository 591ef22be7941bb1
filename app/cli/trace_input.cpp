// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/trace_input.h"

#include "app/cli/other_command.h"
#include "app/cli/trace_sources.h"
#include "core/analysis/categories/kept_rules.h"
#include "core/base/json_text.h"
#include "core/base/ordered_jobs.h"
#include "core/base/path_text.h"
#include "core/print/problems_text.h"
#include "core/print/trace_findings.h"
#include "core/print/trace_report.h"
#include "core/profile/profile_redaction.h"
#include "core/readers/file_kind.h"
#include "core/table/text_table.h"
#include "core/trace/redaction.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <iostream>
#include <optional>

namespace vramscope::cli {

namespace {

/// The report of a command on one file.
struct Report
{
    std::vector<std::string> texts;
    std::string remark; ///< sentences about the recording: before the first text
    std::optional<Error> error;
    bool wrongArguments = false;
};

/// Removes the line end of a report, since the output adds one anyway.
std::string withoutLineEnd(std::string text)
{
    if (text.ends_with('\n'))
        text.pop_back();
    return text;
}

/// Prints one report after the other.
class Printer
{
public:
    Printer(std::string_view command, const Arguments &arguments, const TextTaker &take)
        : m_command(command)
        , m_take(take)
        , m_json(arguments.has("--json"))
        , m_redact(arguments.has("--redact"))
        , m_skipped(m_redact)
    {
    }

    /// Returns false if this report ends the command.
    bool print(Report report, const Source &source)
    {
        if (!report.remark.empty() && !report.texts.empty()) {
            if (m_take) { // a text for other programs
                std::ranges::replace(report.remark, '\n', ' ');
                complainOf(source.file, report.remark, m_redact);
            } else {
                report.texts.front().insert(0, wrapped(report.remark, 100) + "\n");
            }
        }
        for (std::string &text : report.texts) {
            if (text.empty())
                continue;
            if (m_take) {
                m_take(std::move(text));
                continue;
            }
            std::cout << (m_json ? "" : m_gap) << text << '\n' << std::flush;
            m_gap = "\n";
        }
        const bool skipped = report.error && !source.folder.empty() && report.texts.empty() &&
                             isNoRecording(source.file, *report.error);
        m_skipped.count(source, skipped);
        if (!report.error || skipped)
            return true;
        if (report.wrongArguments)
            complain(m_command, report.error->text());
        else
            complainOf(source.file, withRightCommand(*report.error, m_command, source.file).text(),
                       m_redact);
        m_status = report.wrongArguments ? kBadArguments : kUnusableFile;
        return !report.wrongArguments;
    }

    [[nodiscard]] int finish() { return std::max(m_status, m_skipped.finish()); }

private:
    std::string_view m_command;
    const TextTaker &m_take; // instead of the output, if set
    bool m_json;
    std::string_view m_gap;
    bool m_redact;
    SkippedFiles m_skipped;
    int m_status = kSuccess;
};

Recording redacted(const Recording &recording, Redaction &redaction)
{
    if (const auto *profile = std::get_if<std::shared_ptr<const Profile>>(&recording)) {
        gatherNames(redaction, **profile);
        return redacted(**profile, redaction);
    }
    if (const auto *series = std::get_if<std::shared_ptr<const Series>>(&recording)) {
        redaction.gather(**series);
        return redaction.applied(**series);
    }
    const auto &trace = std::get<std::shared_ptr<const Trace>>(recording);
    redaction.gather(*trace);
    return redaction.applied(*trace);
}

/// Adds the result of `print` to a report, or why it failed.
void add(Report &report, Result<std::string> text)
{
    if (text.ok()) {
        report.texts.push_back(withoutLineEnd(std::move(*text)));
        return;
    }
    report.error = text.error();
    report.wrongArguments = text.error().code == ErrorCode::Invalid;
}

/// Adds the reports on the devices of a trace.
void addDevices(Report &report, const std::shared_ptr<const Trace> &trace,
                const Arguments &arguments, const DevicePrinter &print, const Printing &as)
{
    if (arguments.has("--device") || trace->devices().empty()) {
        const auto device = deviceOf(*trace, arguments.value("--device"));
        if (device.ok())
            add(report, print(Study(trace, **device, {}, as.rules), as));
        else
            add(report, device.error());
        return;
    }
    for (const DeviceTrace &device : trace->devices()) {
        if (!report.error)
            add(report, print(Study(trace, device, {}, as.rules), as));
    }
}

/// Opens a recording; commands that work on devices reject curves.
Result<Recording> open(const std::string &file, bool eachDevice)
{
    if (!eachDevice) {
        auto recording = readRecording(pathOf(file));
        if (recording.ok() &&
            std::holds_alternative<std::shared_ptr<const ProfilerTables>>(*recording))
            return Error{ErrorCode::OtherContent, "This is a table of a profiler, which holds no "
                                                  "memory; vramscope-cli profile shows it."};
        return recording;
    }
    auto trace = readTrace(pathOf(file));
    if (!trace.ok())
        return trace.error();
    return Recording(std::move(*trace));
}

/// Adds the report on a recording.
using Teller = std::function<void(Report &, const Recording &, const Printing &)>;

/// Puts a field at the front of each JSON object of a report.
void addField(Report &report, std::string_view key, const nlohmann::ordered_json &value)
{
    for (std::string &text : report.texts) {
        if (text.starts_with('{'))
            text.insert(1, jsonText(key) + ":" + jsonText(value) + ",");
    }
}

/// Notes that a rehearsed recording is not from a GPU, and lists the problems of a file: in each
/// JSON object, and before the first text; omitted if the report of the whole recording includes
/// them.
void sayOfRecording(Report &report, const Trace &trace, const Printing &as, bool ofDevices)
{
    const auto rehearsal = rehearsalOf(trace);
    const std::string sentences = rehearsal ? rehearsalText(*rehearsal, as.unit) : std::string();
    if (as.json && rehearsal)
        addField(report, "rehearsed", sentences);
    if (!ofDevices)
        return;
    if (as.json) {
        if (!trace.problems().empty())
            addField(report, "problems", problemsJson(trace.problems()));
        return;
    }
    if (rehearsal)
        report.remark = "Rehearsed, not recorded. " + sentences;
    for (const Problem &problem : trace.problems())
        report.remark +=
            (report.remark.empty() ? "Problem: " : "\nProblem: ") + problemText(problem);
}

Report readAndReport(const std::string &file, const Arguments &arguments, const Teller &tell,
                     bool eachDevice)
{
    Report report;
    auto recording = open(file, eachDevice);
    if (!recording.ok()) {
        report.error = recording.error();
        return report;
    }
    Printing as{file, arguments.has("--json"), unitOf(arguments)};
    if (arguments.has("--redact")) {
        Redaction redaction;
        redaction.gatherFileName(file);
        recording = redacted(*recording, redaction);
        as.file = redaction.fileName(file);
    }
    const RulesInUse kept =
        eachDevice ? rulesInUse(keptRules(pathOf(file)), arguments.has("--redact")) : RulesInUse();
    as.rules = kept.rules;
    tell(report, *recording, as);
    if (const auto *trace = std::get_if<std::shared_ptr<const Trace>>(&*recording))
        sayOfRecording(report, **trace, as, eachDevice);
    if (!kept.problem.empty() && as.json)
        addField(report, "rules_problem", kept.problem);
    else if (!kept.problem.empty())
        report.remark += (report.remark.empty() ? "" : "\n") + kept.problem;
    return report;
}

int reportFiles(std::string_view command, const Arguments &arguments, const Teller &tell,
                bool eachDevice, const TextTaker &take)
{
    int status = kSuccess;
    const std::vector<Source> sources =
        sourcesOf(arguments.files, arguments.has("--redact"), status);
    std::vector<Report> reports(sources.size());
    Printer printer(command, arguments, take);
    runInOrder(
        sources.size(),
        [&](std::size_t at) {
            reports[at] = readAndReport(sources[at].file, arguments, tell, eachDevice);
        },
        [&](std::size_t at) { return printer.print(std::exchange(reports[at], {}), sources[at]); });
    return std::max(status, printer.finish());
}

std::string beyondTheEnd(std::string_view at, const DeviceTrace &device)
{
    const std::string name = "device " + std::to_string(device.device);
    const EventIndex count = device.events.count();
    return "--at: there is no event " + std::string(at) + ": " + name +
           (count == 0 ? " has no events; give -1 (before the first), peak or end"
                       : " has events 0 to " + std::to_string(count - 1) +
                             "; give one of them, -1 (before the first), peak or end");
}

} // namespace

Result<std::size_t> topOf(const Arguments &arguments, std::size_t otherwise)
{
    const Result<std::optional<int>> most = numberOption(arguments, "--top", 0);
    if (!most.ok())
        return most.error();
    return *most ? static_cast<std::size_t>(**most) : otherwise;
}

Result<const DeviceTrace *> deviceOf(const Trace &trace, std::string_view wanted)
{
    std::string list;
    for (const DeviceTrace &device : trace.devices())
        list += (list.empty() ? "" : ", ") + std::to_string(device.device);
    if (trace.devices().empty())
        return Error{ErrorCode::Empty, kEmptySnapshot};
    if (wanted.empty()) {
        const auto isGpu = [](const DeviceTrace &device) { return !device.host; };
        const auto gpus = std::ranges::count_if(trace.devices(), isGpu);
        if (gpus == 1)
            return &*std::ranges::find_if(trace.devices(), isGpu);
        if (trace.devices().size() > 1)
            return invalid("it has several devices: " + list +
                           "; choose one with --device, or name this file alone to compare them");
        return &trace.devices().front();
    }
    const Result<int> ordinal = wholeNumber(wanted, 0);
    if (!ordinal.ok())
        return invalid("--device: " + ordinal.error().detail);
    const DeviceTrace *device = trace.device(*ordinal);
    if (device == nullptr)
        return invalid("--device: the file has no device " + std::to_string(*ordinal) +
                       "; it has: " + list);
    return device;
}

int reportDevices(std::string_view command, const Arguments &arguments, const DevicePrinter &print,
                  const TextTaker &take)
{
    const Teller tell = [&](Report &report, const Recording &recording, const Printing &as) {
        addDevices(report, std::get<std::shared_ptr<const Trace>>(recording), arguments, print, as);
    };
    return reportFiles(command, arguments, tell, true, take);
}

int reportRecordings(std::string_view command, const Arguments &arguments,
                     const RecordingPrinter &print)
{
    const Teller tell = [&](Report &report, const Recording &recording, const Printing &as) {
        add(report, print(recording, as));
    };
    return reportFiles(command, arguments, tell, false, {});
}

Result<std::optional<EventIndex>> momentOf(std::string_view at, const DeviceTrace &device)
{
    if (at == "peak")
        return std::optional<EventIndex>();
    if (at == "end")
        return std::optional<EventIndex>(device.events.count() - 1);
    const bool isNumber = !at.empty() && at.find_first_not_of("0123456789") == at.npos;
    const Result<int> event = wholeNumber(at, -1);
    if (isNumber && (!event.ok() || *event >= device.events.count()))
        return invalid(beyondTheEnd(at, device));
    if (!event.ok())
        return invalid("--at: " + event.error().detail + ", nor \"peak\" or \"end\"");
    return std::optional<EventIndex>(*event);
}

} // namespace vramscope::cli
