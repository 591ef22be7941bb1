// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/other_command.h"

#include "core/base/path_text.h"
#include "core/checkpoint/checkpoint_files.h"
#include "core/exchange/import.h"
#include "core/ranks/run_file.h"
#include "core/readers/file_kind.h"
#include "core/readers/read_trace.h"

#include <algorithm>
#include <array>
#include <filesystem>
#include <optional>

namespace vramscope::cli {

namespace {

/// What a file is, and the commands that read it: first the one to name.
struct ReadBy
{
    std::string_view what; ///< "This is a …"
    std::array<std::string_view, 14> commands;
};

constexpr ReadBy kPlanFile{"This is a VRAMscope plan",
                           {"plan", "fit", "project", "export", "diff", "reconcile"}};
constexpr ReadBy kServingLog{"This is what a serving engine logged", {"serving-log"}};
constexpr ReadBy kSnapshot{"This is a memory snapshot of PyTorch",
                           {"trace", "live", "peak", "stacks", "steps", "leaks", "oom", "replay",
                            "reconcile", "plan-from", "diff", "summarize"}};
constexpr ReadBy kProfile{"This is a profiler trace",
                          {"profile", "trace", "diff", "summarize", "reconcile", "project"}};
constexpr ReadBy kTimeline{"This is a memory timeline of torch.profiler", {"trace"}};
constexpr ReadBy kGpuLog{"This is a log of GPU memory", {"trace"}};
constexpr ReadBy kTable{"This is a table of a profiler", {"profile"}};
constexpr ReadBy kSummaries{"These are summaries of the ranks of a run", {"diff", "collect"}};
constexpr ReadBy kWeights{"These are a model's weights", {"weights", "import", "plan"}};
constexpr ReadBy kConfig{"This is a config of another tool", {"import", "plan", "fit", "project"}};

std::optional<ReadBy> ofFormat(TraceFormat format)
{
    switch (format) {
    case TraceFormat::SnapshotPickle:
    case TraceFormat::SnapshotJson:
    case TraceFormat::AllocationPlot:
        return kSnapshot;
    case TraceFormat::ChromeTrace:
    case TraceFormat::NsightExport:
        return kProfile;
    case TraceFormat::MemoryTimeline:
    case TraceFormat::RawMemoryTimeline:
        return kTimeline;
    case TraceFormat::SmiLog:
        return kGpuLog;
    case TraceFormat::ProfilerTable:
        return kTable;
    case TraceFormat::Gzip:
    case TraceFormat::Zstandard:
    case TraceFormat::Zip:
    case TraceFormat::HtmlPage:
        break;
    }
    return {};
}

std::optional<ReadBy> kindOf(const std::string &file)
{
    switch (identifyFile(pathOf(file))) {
    case FileKind::Plan:
        return kPlanFile;
    case FileKind::ServingLog:
        return kServingLog;
    case FileKind::Session:
    case FileKind::Report:
        return {};
    default:
        break;
    }
    if (isRunFile(pathOf(file)))
        return kSummaries;
    if (readWeights(pathOf(file)).ok())
        return kWeights;
    // By their keys many JSON files may be snapshots: a file that reads as a config is one.
    if (importFile({}, pathOf(file)).ok())
        return kConfig;
    const Result<TraceFormat> format = formatOf(pathOf(file));
    return format.ok() ? ofFormat(*format) : std::nullopt;
}

} // namespace

Error withRightCommand(Error error, std::string_view command, const std::string &file)
{
    constexpr std::array kOfContent{ErrorCode::NotRecognized, ErrorCode::OtherContent,
                                    ErrorCode::Malformed,     ErrorCode::Refused,
                                    ErrorCode::Unsupported,   ErrorCode::Invalid};
    if (std::ranges::find(kOfContent, error.code) == kOfContent.end())
        return error;
    const std::optional<ReadBy> kind = kindOf(file);
    if (!kind || std::ranges::find(kind->commands, command) != kind->commands.end())
        return error;
    const std::string reader = "vramscope-cli " + std::string(kind->commands.front());
    if (error.text().find(reader + " ") != std::string::npos)
        return error;
    return {ErrorCode::OtherContent,
            std::string(kind->what) + "; " + reader +
                (kind->what.starts_with("These") ? " reads them." : " reads it.")};
}

} // namespace vramscope::cli
