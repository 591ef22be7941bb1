// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/commands.h"
#include "app/cli/report_files.h"
#include "app/cli/trace_input.h"
#include "core/print/oom_report.h"

#include <array>

namespace vramscope::cli {

namespace {

int runOom(const Arguments &arguments)
{
    const Result<int> most = topOf(arguments, 10);
    if (!most.ok()) {
        complain("oom", most.error().text());
        return kBadArguments;
    }
    return reportDevices("oom", arguments, [&](const Study &study, const Printing &as) {
        return as.json ? outOfMemoryJson(study, as.file)
                       : outOfMemoryText(study, as.file, static_cast<std::size_t>(*most), as.unit);
    });
}

constexpr std::array kOomOptions{kDeviceOption, kTopOption, kReportOptions[0], kReportOptions[1],
                                 kRedactOption};

} // namespace

const Subcommand kOomCommand{
    {"oom", "FILE|FOLDER…",
     "Why an allocation failed: what was asked, what was free, what would help.", 1, kAnyNumber,
     kOomOptions},
    runOom};

} // namespace vramscope::cli
