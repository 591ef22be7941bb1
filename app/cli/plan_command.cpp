// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/commands.h"
#include "app/cli/report_files.h"
#include "core/planner/plan_json.h"
#include "core/print/lifecycle_report.h"
#include "core/print/plan_report.h"
#include "core/print/reserve_report.h"

#include <algorithm>
#include <array>
#include <iterator>

namespace vramscope::cli {

namespace {

constexpr std::array kPlanOptions{
    kReportOptions[0],
    kReportOptions[1],
    Option{"--lifecycle", "", "instead of the peak, the step block by block"},
    Option{"--simulate", "", "instead, what the simulated allocator reserves"},
    Option{"--set", "CONF", "with --simulate: under this PYTORCH_CUDA_ALLOC_CONF too", true},
};

std::vector<PlannedReserve> simulated(const Plan &plan, const Arguments &arguments)
{
    std::vector<std::string> configurations = {"", "expandable_segments:True"};
    std::ranges::move(arguments.values("--set"), std::back_inserter(configurations));
    return plannedReserves(plan, configurations);
}

int runPlan(const Arguments &arguments)
{
    if (arguments.has("--set") && !arguments.has("--simulate")) {
        complain("plan", "--set says under which settings to simulate; give --simulate too.");
        return kBadArguments;
    }
    const auto read = [](const std::string &file) { return readPlan(file); };
    if (arguments.has("--lifecycle"))
        return reportFiles(
            arguments, read,
            [](const Plan &plan, const std::string &file) {
                return lifecycleJson(lifecycle(estimate(plan)), file);
            },
            [](const Plan &plan, const std::string &file, ByteUnit unit) {
                return lifecycleText(lifecycle(estimate(plan)), file, unit);
            });
    if (arguments.has("--simulate"))
        return reportFiles(
            arguments, read,
            [&](const Plan &plan, const std::string &file) {
                return reserveJson(estimate(plan), simulated(plan, arguments), file);
            },
            [&](const Plan &plan, const std::string &file, ByteUnit unit) {
                return reserveText(plan, estimate(plan), simulated(plan, arguments), file, unit);
            });
    return reportFiles(
        arguments, read,
        [](const Plan &plan, const std::string &file) {
            return planEstimateJson(plan, estimate(plan), file);
        },
        [](const Plan &plan, const std::string &file, ByteUnit unit) {
            return planEstimateText(plan, estimate(plan), file, unit);
        });
}

} // namespace

const Subcommand kPlanCommand{{"plan", "FILE…",
                               "What each plan needs on one GPU, and whether it fits.", 1,
                               kAnyNumber, kPlanOptions},
                              runPlan};

} // namespace vramscope::cli
