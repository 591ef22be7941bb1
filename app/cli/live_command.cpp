// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/analysis_input.h"
#include "app/cli/commands.h"
#include "app/cli/report_files.h"
#include "app/cli/trace_input.h"
#include "core/analysis/replayed/usage_curve.h"
#include "core/print/live_report.h"

#include <array>

namespace vramscope::cli {

namespace {

int run(const Arguments &arguments)
{
    const Result<int> most = topOf(arguments, 30);
    if (!most.ok()) {
        complain("live", most.error().text());
        return kBadArguments;
    }
    return reportDevices(
        "live", arguments, [&](const TraceInput &input, bool json) -> Result<std::string> {
            const auto named = momentOf(arguments.value("--at", "peak"), *input.device);
            if (!named.ok())
                return named.error();
            const Allocations allocations(*input.device);
            const EventIndex moment =
                *named ? **named : UsageCurve(*input.device, allocations).peakActiveEvent();
            if (json)
                return liveJson(*input.trace, *input.device, allocations, moment, input.file);
            return withoutLineEnd(liveText(*input.trace, *input.device, allocations, moment,
                                           input.file, static_cast<std::size_t>(*most),
                                           input.unit));
        });
}

constexpr std::array kOptions{
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
                               kAnyNumber, kOptions},
                              run};

} // namespace vramscope::cli
