// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/commands.h"
#include "app/cli/plan_input.h"
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
    if (!limit)
        return badArguments("fit", "--limit: " + limit.error().detail);
    const std::vector<std::string_view> vary = partsOf(arguments.value("--vary"));
    if (vary.empty() && arguments.has("--vary"))
        return badArguments("fit", "--vary: name a field, such as batch.micro_batch");
    if (const Result<void> sound = checkVariables(vary); !sound)
        return badArguments("fit", "--vary: " + sound.error().detail);
    const std::vector<std::string> sources = planSources(arguments);
    if (sources.size() > 1)
        return badArguments("fit", "one plan is fitted; give one");
    const Result<PlanInput> input = readPlanInput(sources.front(), arguments);
    if (!input)
        return complainOfPlan(sources.front(), input.error());
    const Result<Fit> found = fit(input->plan, vary, static_cast<std::size_t>(*limit));
    if (!found)
        return unusable(input->label, found.error().text());
    std::cout << (arguments.has("--json")
                      ? jsonAnswer(*input, fitJson(input->plan, *found, input->label))
                      : textAnswer(*input,
                                   fitText(input->plan, *found, input->label, unitOf(arguments))));
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
