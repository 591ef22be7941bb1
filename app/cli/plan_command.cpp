// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/commands.h"
#include "core/planner/plan_json.h"
#include "core/report/plan_report.h"

#include <array>
#include <iostream>

namespace vramscope::cli {

namespace {

int run(const Arguments &arguments)
{
    const ByteUnit unit = arguments.has("--gb") ? ByteUnit::Decimal : ByteUnit::Binary;
    int status = kSuccess;
    std::string_view gap;
    for (const std::string &file : arguments.files) {
        const auto plan = readPlan(file);
        if (!plan.ok()) {
            complain(file, plan.error().text());
            status = kUnusableFile;
        } else if (arguments.has("--json")) {
            std::cout << planEstimateJson(*plan, estimate(*plan), file) << '\n' << std::flush;
        } else {
            std::cout << gap << planEstimateText(*plan, estimate(*plan), file, unit) << std::flush;
            gap = "\n";
        }
    }
    return status;
}

constexpr std::array kOptions{
    Option{"--json", "", "one JSON object a file, one line each"},
    Option{"--gb", "", "sizes in powers of ten (GB) instead of two (GiB)"},
};

} // namespace

const Command kPlanCommand{
    "plan",   "FILE…", "What each plan needs on one GPU, and whether it fits.", 1, kAnyNumber,
    kOptions, run};

} // namespace vramscope::cli
