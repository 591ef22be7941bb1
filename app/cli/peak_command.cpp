// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/commands.h"
#include "app/cli/report_files.h"
#include "app/cli/trace_input.h"
#include "core/print/growth_report.h"

#include <array>

namespace vramscope::cli {

namespace {

int runPeak(const Arguments &arguments)
{
    const Result<int> most = topOf(arguments, 30);
    if (!most.ok()) {
        complain("peak", most.error().text());
        return kBadArguments;
    }
    return reportDevices("peak", arguments, [&](const Study &study, const Printing &as) {
        return as.json ? peakJson(study, as.file)
                       : peakText(study, as.file, static_cast<std::size_t>(*most), as.unit);
    });
}

constexpr std::array kPeakOptions{kDeviceOption, kTopOption, kReportOptions[0], kReportOptions[1],
                                  kRedactOption};

} // namespace

const Subcommand kPeakCommand{{"peak", "FILE|FOLDER…",
                               "The moment of highest usage: what stood there, what was running.",
                               1, kAnyNumber, kPeakOptions},
                              runPeak};

} // namespace vramscope::cli
