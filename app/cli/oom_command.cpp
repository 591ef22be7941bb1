// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/analysis_input.h"
#include "app/cli/commands.h"
#include "app/cli/report_files.h"
#include "app/cli/trace_input.h"
#include "core/print/oom_report.h"

#include <algorithm>
#include <array>

namespace vramscope::cli {

namespace {

std::string report(const TraceInput &input, bool json, std::size_t most)
{
    const DeviceTrace &device = *input.device;
    const Allocations allocations(device);
    const AllocatorRules rules = allocatorRules(*input.trace);
    const auto space = AddressSpace::replay(device, allocations, rules);
    std::vector<OutOfMemoryReport> failures;
    for (std::size_t at = 0; at < std::min(device.outOfMemory.size(), kMostExplained); ++at)
        failures.push_back(explainOutOfMemory(device, at, allocations, *space, rules));
    if (!failures.empty()) {
        const UsageCurve curve(device, allocations);
        const Steps steps = findSteps(*input.trace, device, allocations, curve);
        const Categories categories = categorize(*input.trace, device, allocations, steps);
        adviseOutOfMemory(failures, {*input.trace, device, allocations, curve, steps, categories},
                          *space);
    }
    const OutOfMemoryFindings findings{*input.trace, device, allocations, *space, failures};
    return json ? outOfMemoryJson(findings, input.file)
                : outOfMemoryText(findings, input.file, most, input.unit);
}

int run(const Arguments &arguments)
{
    const Result<int> most = topOf(arguments, 10);
    if (!most.ok()) {
        complain("oom", most.error().text());
        return kBadArguments;
    }
    return reportDevices("oom", arguments, [&](const TraceInput &input, bool json) {
        return report(input, json, static_cast<std::size_t>(*most));
    });
}

constexpr std::array kOptions{kDeviceOption, kTopOption, kReportOptions[0], kReportOptions[1],
                              kRedactOption};

} // namespace

const Subcommand kOomCommand{
    {"oom", "FILE|FOLDER…",
     "Why an allocation failed: what was asked, what was free, what would help.", 1, kAnyNumber,
     kOptions},
    run};

} // namespace vramscope::cli
