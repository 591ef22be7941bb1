// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/analysis_input.h"
#include "app/cli/commands.h"
#include "app/cli/report_files.h"
#include "app/cli/trace_input.h"
#include "core/analysis/findings/peak.h"
#include "core/print/growth_report.h"
#include "core/print/verdict.h"

#include <array>

namespace vramscope::cli {

namespace {

std::string verdict(const TraceInput &in, const AnalysisInput &analysis)
{
    std::optional<OutOfMemoryCause> failure;
    if (!in.device->outOfMemory.empty()) {
        const AllocatorRules rules = allocatorRules(*in.trace);
        const auto space = AddressSpace::replay(*in.device, analysis.allocations, rules);
        failure = firstFailure(*in.device, analysis.allocations, *space, rules);
    }
    return verdictText(*in.device, analysis.curve, failure, in.unit);
}

int run(const Arguments &arguments)
{
    const Result<int> most = topOf(arguments, 30);
    if (!most.ok()) {
        complain("peak", most.error().text());
        return kBadArguments;
    }
    return reportDevices("peak", arguments, [&](const TraceInput &in, bool json) {
        const AnalysisInput analysis(in);
        const Categories categories =
            categorize(*in.trace, *in.device, analysis.allocations, analysis.steps);
        const Peak peak = findPeak(*in.trace, *in.device, analysis.allocations, analysis.curve,
                                   analysis.steps, categories);
        if (json)
            return peakJson(*in.trace, *in.device, peak, analysis.steps, in.file);
        return withoutLineEnd(peakText(*in.trace, *in.device, peak, analysis.steps,
                                       verdict(in, analysis), in.file,
                                       static_cast<std::size_t>(*most), in.unit));
    });
}

constexpr std::array kOptions{kDeviceOption, kTopOption, kReportOptions[0], kReportOptions[1],
                              kRedactOption};

} // namespace

const Subcommand kPeakCommand{{"peak", "FILE|FOLDER…",
                               "The moment of highest usage: what stood there, what was running.",
                               1, kAnyNumber, kOptions},
                              run};

} // namespace vramscope::cli
