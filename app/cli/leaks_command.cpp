// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/commands.h"
#include "app/cli/report_files.h"
#include "app/cli/trace_input.h"
#include "core/print/growth_report.h"

#include <array>

namespace vramscope::cli {

namespace {

int runLeaks(const Arguments &arguments)
{
    const Result<int> most = topOf(arguments, 20);
    if (!most.ok()) {
        complain("leaks", most.error().text());
        return kBadArguments;
    }
    return reportDevices("leaks", arguments, [&](const Study &study, const Printing &as) {
        return as.json ? leaksJson(study, as.file)
                       : leaksText(study, as.file, static_cast<std::size_t>(*most), as.unit);
    });
}

constexpr std::array kLeaksOptions{kDeviceOption, kTopOption, kReportOptions[0], kReportOptions[1],
                                   kRedactOption};

} // namespace

const Subcommand kLeaksCommand{{"leaks", "FILE|FOLDER…",
                                "What keeps growing from step to step, by stack.", 1, kAnyNumber,
                                kLeaksOptions},
                               runLeaks};

} // namespace vramscope::cli
