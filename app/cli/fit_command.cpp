// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/commands.h"
#include "app/cli/plan_input.h"
#include "app/cli/report_files.h"
#include "core/base/format.h"
#include "core/print/asked_report.h"
#include "core/print/fit_report.h"

#include <array>
#include <iostream>

namespace vramscope::cli {

namespace {

/// "a,b" in parts.
std::vector<std::string_view> partsOf(std::string_view list)
{
    std::vector<std::string_view> parts;
    while (!list.empty()) {
        const std::size_t comma = list.find(',');
        parts.push_back(list.substr(0, comma));
        list = comma == std::string_view::npos ? std::string_view() : list.substr(comma + 1);
    }
    return parts;
}

int runFit(const Arguments &arguments)
{
    const Result<int> limit = wholeNumber(arguments.value("--limit", "20"), 1);
    if (!limit) {
        complain("fit", "--limit: " + limit.error().detail);
        return kBadArguments;
    }
    const std::vector<std::string_view> vary = partsOf(arguments.value("--vary"));
    if (vary.empty() && arguments.has("--vary")) {
        complain("fit", "--vary: name a field, such as batch.micro_batch");
        return kBadArguments;
    }
    if (const Result<void> sound = checkVariables(vary); !sound) {
        complain("fit", "--vary: " + sound.error().detail);
        return kBadArguments;
    }
    const std::vector<std::string> sources = planSources(arguments);
    if (sources.size() > 1) {
        complain("fit", "one plan is fitted; give one");
        return kBadArguments;
    }
    const Result<PlanInput> input = readPlanInput(sources.front(), arguments);
    if (!input) {
        complain(sources.front(), input.error().text());
        return input.error().code == ErrorCode::Invalid ? kBadArguments : kUnusableFile;
    }
    const Result<Fit> found = fit(input->plan, vary, static_cast<std::size_t>(*limit));
    if (!found) {
        complain(input->label, found.error().text());
        return kUnusableFile;
    }
    if (arguments.has("--json")) {
        const std::string json = fitJson(input->plan, *found, input->label);
        std::cout << (input->asked ? withAsked(json, *input->asked) : json) << '\n';
    } else {
        std::cout << (input->asked ? askedText(*input->asked) + '\n' : std::string())
                  << fitText(input->plan, *found, input->label, unitOf(arguments));
    }
    return kSuccess;
}

constexpr auto kFitOptions = joined(
    kReportOptions, kAskOptions,
    std::array{
        Option{
            "--vary", "FIELD,…",
            "a number: its largest value; hardware.gpus: the fewest; the share of a serving "
            "engine: "
            "its ends; parallel, activations or several fields: layouts; left out: single changes"},
        Option{"--limit", "N", "show at most N layouts (20)"},
    });

} // namespace

const Subcommand kFitCommand{
    {"fit", "FILE or WORDS…",
     "The largest value, the fewest GPUs, the layouts or the changes that fit.", 1, kAnyNumber,
     kFitOptions},
    runFit};

} // namespace vramscope::cli
