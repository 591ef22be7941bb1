// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/commands.h"
#include "app/cli/report_files.h"
#include "app/cli/trace_input.h"
#include "core/analysis/replayed/usage_curve.h"
#include "core/print/live_report.h"

#include <array>

namespace vramscope::cli {

namespace {

int runLive(const Arguments &arguments)
{
    const Result<int> most = topOf(arguments, 30);
    if (!most.ok()) {
        complain("live", most.error().text());
        return kBadArguments;
    }
    return reportDevices(
        "live", arguments, [&](const Study &study, const Printing &as) -> Result<std::string> {
            const auto named = momentOf(arguments.value("--at", "peak"), study.device());
            if (!named.ok())
                return named.error();
            const EventIndex moment = *named ? **named : study.curve().peakActiveEvent();
            return as.json
                       ? liveJson(study, moment, as.file)
                       : liveText(study, moment, as.file, static_cast<std::size_t>(*most), as.unit);
        });
}

constexpr std::array kLiveOptions{
    kDeviceOption,
    Option{"--at", "EVENT", "after this event; -1: before the first; peak (default), end"},
    kTopOption,
    Option{"--json", "", "one JSON object a device, one line each, with whole stacks"},
    kReportOptions[1],
    kRedactOption,
};

} // namespace

const Subcommand kLiveCommand{{"live", "FILE|FOLDER…",
                               "What is alive at one moment of a recording, by stack.", 1,
                               kAnyNumber, kLiveOptions},
                              runLive};

} // namespace vramscope::cli
