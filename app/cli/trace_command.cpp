// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/commands.h"
#include "app/cli/report_files.h"
#include "core/readers/read_trace.h"
#include "core/report/trace_report.h"

namespace vramscope::cli {

namespace {

using TracePointer = std::shared_ptr<const Trace>;

int run(const Arguments &arguments)
{
    return reportFiles(
        arguments, [](const std::string &file) { return readTrace(file); },
        [](const TracePointer &trace, const std::string &file) { return traceJson(*trace, file); },
        [](const TracePointer &trace, const std::string &file, ByteUnit unit) {
            return traceText(*trace, file, unit);
        });
}

} // namespace

const Command kTraceCommand{"trace", "FILE…",    "The figures of recorded memory snapshots.",
                            1,       kAnyNumber, kReportOptions,
                            run};

} // namespace vramscope::cli
