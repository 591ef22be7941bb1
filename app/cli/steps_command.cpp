// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/commands.h"
#include "app/cli/report_files.h"
#include "app/cli/trace_input.h"
#include "core/print/growth_report.h"

#include <array>

namespace vramscope::cli {

namespace {

int runSteps(const Arguments &arguments)
{
    const Result<int> most = topOf(arguments, 40);
    if (!most.ok()) {
        complain("steps", most.error().text());
        return kBadArguments;
    }
    return reportDevices("steps", arguments, [&](const Study &study, const Printing &as) {
        return as.json ? stepsJson(study, as.file)
                       : stepsText(study, as.file, static_cast<std::size_t>(*most), as.unit);
    });
}

constexpr std::array kStepsOptions{kDeviceOption, kTopOption, kReportOptions[0], kReportOptions[1],
                                   kRedactOption};

} // namespace

const Subcommand kStepsCommand{
    {"steps", "FILE|FOLDER…",
     "The training steps of recordings: peak, growth and survivors of each.", 1, kAnyNumber,
     kStepsOptions},
    runSteps};

} // namespace vramscope::cli
