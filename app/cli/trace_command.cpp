// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/commands.h"
#include "app/cli/trace_input.h"
#include "core/print/series_report.h"
#include "core/print/trace_report.h"
#include "core/trace/series.h"

#include <array>

namespace vramscope::cli {

namespace {

Result<std::string> print(const Recording &recording, const Printing &as)
{
    const Series *series = nullptr;
    if (const auto *curves = std::get_if<std::shared_ptr<const Series>>(&recording))
        series = curves->get();
    else if (const auto *profile = std::get_if<std::shared_ptr<const Profile>>(&recording))
        series = (*profile)->curves().get();
    if (series != nullptr)
        return as.json ? seriesJson(*series, as.file) : seriesText(*series, as.file, as.unit);
    const auto &trace = std::get<std::shared_ptr<const Trace>>(recording);
    return as.json ? traceJson(trace, as.file) : traceText(trace, as.file, as.unit);
}

int runTrace(const Arguments &arguments)
{
    return reportRecordings("trace", arguments, print);
}

constexpr std::array kTraceOptions{kReportOptions[0], kReportOptions[1], kRedactOption};

} // namespace

const Subcommand kTraceCommand{{"trace", "FILE|FOLDER…",
                                "What snapshots, profiler traces and nvidia-smi logs hold.", 1,
                                kAnyNumber, kTraceOptions},
                               runTrace};

} // namespace vramscope::cli
