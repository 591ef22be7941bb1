// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/trace_input.h"

#include "app/cli/report_files.h"
#include "app/cli/trace_sources.h"
#include "core/base/ordered_jobs.h"
#include "core/print/trace_report.h"
#include "core/readers/no_recording.h"
#include "core/readers/read_trace.h"
#include "core/trace/redaction.h"

#include <algorithm>
#include <iostream>
#include <optional>

namespace vramscope::cli {

namespace {

/// What a command has to say of one file.
struct Report
{
    std::vector<std::string> texts;
    std::optional<Error> error;
    bool wrongArguments = false;
};

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

    /// False where the command ends with this report.
    bool print(Report report, const Source &source)
    {
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
            complainOf(source.file, report.error->text(), m_redact);
        m_status = report.wrongArguments ? kBadArguments : kUnusableFile;
        return !report.wrongArguments;
    }

    [[nodiscard]] int finish() { return std::max(m_status, m_skipped.finish()); }

private:
    std::string_view m_command;
    const TextTaker &m_take; // instead of the output, where there is one
    bool m_json;
    std::string_view m_gap;
    bool m_redact;
    SkippedFiles m_skipped;
    int m_status = kSuccess;
};

TraceInput redactedInput(TraceInput input)
{
    Redaction redaction;
    redaction.gatherFileName(input.file);
    if (input.trace) {
        redaction.gather(*input.trace);
        input.trace = redaction.applied(*input.trace);
    } else {
        redaction.gather(*input.series);
        input.series = redaction.applied(*input.series);
    }
    input.file = redaction.fileName(input.file);
    return input;
}

/// What is said of one opened file; `eachDevice` or of the whole.
Report reportOf(const TraceInput &whole, const Arguments &arguments, const DevicePrinter &print,
                bool eachDevice)
{
    Report report;
    const auto fail = [&](const Error &error) {
        report.error = error;
        report.wrongArguments = error.code == ErrorCode::Invalid;
    };
    const auto add = [&](const DeviceTrace *device) {
        TraceInput input = whole;
        input.device = device;
        Result<std::string> text = print(input, arguments.has("--json"));
        if (text.ok())
            report.texts.push_back(std::move(*text));
        else
            fail(text.error());
    };
    if (!eachDevice) {
        add(nullptr);
        return report;
    }
    if (arguments.has("--device") || whole.trace->devices().empty()) {
        const auto device = deviceOf(*whole.trace, arguments.value("--device"));
        if (device.ok())
            add(*device);
        else
            fail(device.error());
        return report;
    }
    for (const DeviceTrace &device : whole.trace->devices()) {
        if (!report.error)
            add(&device);
    }
    return report;
}

/// Opens a recording; commands that look at devices take no curves.
std::optional<Error> open(const std::string &file, bool eachDevice, TraceInput &input)
{
    if (eachDevice) {
        auto trace = readTrace(file);
        if (!trace.ok())
            return trace.error();
        input.trace = std::move(*trace);
        return {};
    }
    auto recording = readRecording(file);
    if (!recording.ok())
        return recording.error();
    if (auto *series = std::get_if<std::shared_ptr<const Series>>(&*recording))
        input.series = std::move(*series);
    else
        input.trace = std::get<std::shared_ptr<const Trace>>(std::move(*recording));
    return {};
}

Report readAndReport(const std::string &file, const Arguments &arguments,
                     const DevicePrinter &print, bool eachDevice)
{
    const bool redact = arguments.has("--redact");
    TraceInput input;
    input.file = file;
    input.unit = unitOf(arguments);
    if (const auto error = open(file, eachDevice, input))
        return {{}, *error, false};
    if (redact)
        input = redactedInput(std::move(input));
    return reportOf(input, arguments, print, eachDevice);
}

int reportFiles(std::string_view command, const Arguments &arguments, const DevicePrinter &print,
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
            reports[at] = readAndReport(sources[at].file, arguments, print, eachDevice);
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

Result<const DeviceTrace *> deviceOf(const Trace &trace, std::string_view wanted)
{
    std::string list;
    for (const DeviceTrace &device : trace.devices())
        list += (list.empty() ? "" : ", ") + std::to_string(device.device);
    if (trace.devices().empty())
        return Error{ErrorCode::Empty, kEmptySnapshot};
    if (wanted.empty()) {
        if (trace.devices().size() > 1)
            return Error{ErrorCode::Invalid,
                         "it has several devices: " + list +
                             "; choose one with --device, or name this file alone to compare them"};
        return &trace.devices().front();
    }
    const Result<int> ordinal = wholeNumber(wanted, 0);
    if (!ordinal.ok())
        return Error{ErrorCode::Invalid, "--device: " + ordinal.error().detail};
    const DeviceTrace *device = trace.device(*ordinal);
    if (device == nullptr)
        return Error{ErrorCode::Invalid, "--device: the file has no device " +
                                             std::to_string(*ordinal) + "; it has: " + list};
    return device;
}

int reportDevices(std::string_view command, const Arguments &arguments, const DevicePrinter &print,
                  const TextTaker &take)
{
    return reportFiles(command, arguments, print, true, take);
}

int reportRecordings(std::string_view command, const Arguments &arguments,
                     const DevicePrinter &print)
{
    return reportFiles(command, arguments, print, false, {});
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
        return Error{ErrorCode::Invalid, beyondTheEnd(at, device)};
    if (!event.ok())
        return Error{ErrorCode::Invalid,
                     "--at: " + event.error().detail + ", nor \"peak\" or \"end\""};
    return std::optional<EventIndex>(*event);
}

} // namespace vramscope::cli
