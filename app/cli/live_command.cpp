// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/commands.h"
#include "app/cli/report_files.h"
#include "app/cli/trace_input.h"
#include "core/analysis/usage_curve.h"
#include "core/report/live_report.h"

#include <array>

namespace vramscope::cli {

namespace {

int run(const Arguments &arguments)
{
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
            std::string text =
                liveText(*input.trace, *input.device, allocations, moment, input.file, input.unit);
            text.pop_back(); // its line end
            return text;
        });
}

constexpr std::array kOptions{
    kDeviceOption,
    Option{"--at", "EVENT", "after this event; -1: before the first; peak (default), end"},
    Option{"--json", "", "one JSON object a device, one line each, with whole stacks"},
    kReportOptions[1],
    kRedactOption,
};

} // namespace

const Command kLiveCommand{
    "live", "FILE|FOLDER…", "What is alive at one moment of a recording, by stack.",
    1,      kAnyNumber,     kOptions,
    run};

} // namespace vramscope::cli
