// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/commands.h"
#include "app/cli/report_files.h"
#include "app/cli/trace_input.h"
#include "core/print/series_report.h"
#include "core/print/trace_report.h"

#include <array>

namespace vramscope::cli {

namespace {

Result<std::string> print(const TraceInput &input, bool json)
{
    if (json)
        return input.series ? seriesJson(*input.series, input.file)
                            : traceJson(*input.trace, input.file);
    std::string text = input.series ? seriesText(*input.series, input.file, input.unit)
                                    : traceText(*input.trace, input.file, input.unit);
    text.pop_back(); // its line end
    return text;
}

int run(const Arguments &arguments)
{
    return reportRecordings("trace", arguments, print);
}

constexpr std::array kOptions{kReportOptions[0], kReportOptions[1], kRedactOption};

} // namespace

const Subcommand kTraceCommand{{"trace", "FILE|FOLDER…",
                                "The figures of snapshots, profiler traces and nvidia-smi logs.", 1,
                                kAnyNumber, kOptions},
                               run};

} // namespace vramscope::cli
