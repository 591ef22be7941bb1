// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/commands.h"
#include "app/cli/report_files.h"
#include "core/base/format.h"
#include "core/planner/plan_json.h"
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
    const std::string &file = arguments.files.front();
    const Result<Plan> plan = readPlan(file);
    if (!plan) {
        complain(file, plan.error().text());
        return kUnusableFile;
    }
    const Result<Fit> found = fit(*plan, vary, static_cast<std::size_t>(*limit));
    if (!found) {
        complain(file, found.error().text());
        return kUnusableFile;
    }
    const ByteUnit unit = unitOf(arguments);
    std::cout << (arguments.has("--json") ? fitJson(*plan, *found, file) + '\n'
                                          : fitText(*plan, *found, file, unit));
    return kSuccess;
}

constexpr std::array kFitOptions{
    Option{"--vary", "FIELD,…",
           "a number: its largest value; hardware.gpus: the fewest; parallel, activations or "
           "several fields: layouts; left out: single changes"},
    Option{"--limit", "N", "show at most N layouts (20)"},
    Option{"--json", "", "one JSON object"},
    Option{"--gb", "", "sizes in powers of ten (GB) instead of two (GiB)"},
};

} // namespace

const Subcommand kFitCommand{
    {"fit", "FILE", "The largest value, the fewest GPUs, the layouts or the changes that fit.", 1,
     1, kFitOptions},
    runFit};

} // namespace vramscope::cli
