// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/commands.h"
#include "core/readers/read_trace.h"
#include "core/report/trace_report.h"

#include <array>
#include <iostream>

namespace vramscope::cli {

namespace {

int run(const Arguments &arguments)
{
    const ByteUnit unit = arguments.has("--gb") ? ByteUnit::Decimal : ByteUnit::Binary;
    int status = kSuccess;
    std::string_view gap;
    for (const std::string &file : arguments.files) {
        const auto trace = readTrace(file);
        if (!trace.ok()) {
            complain(file, trace.error().text());
            status = kUnusableFile;
        } else if (arguments.has("--json")) {
            std::cout << traceJson(**trace, file) << '\n' << std::flush;
        } else {
            std::cout << gap << traceText(**trace, file, unit) << std::flush;
            gap = "\n";
        }
    }
    return status;
}

constexpr std::array kOptions{
    Option{"--json", "", "one JSON object a file, one line each"},
    Option{"--gb", "", "sizes in powers of ten (GB) instead of two (GiB)"},
};

} // namespace

const Command kTraceCommand{
    "trace", "FILE…", "The figures of recorded memory snapshots.", 1, kAnyNumber, kOptions, run};

} // namespace vramscope::cli
