// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/commands.h"
#include "app/cli/report_files.h"
#include "core/planner/plan_json.h"
#include "core/report/lifecycle_report.h"
#include "core/report/plan_report.h"

#include <array>

namespace vramscope::cli {

namespace {

constexpr std::array kOptions{
    kReportOptions[0],
    kReportOptions[1],
    Option{"--lifecycle", "", "instead of the peak, the step block by block"},
};

int run(const Arguments &arguments)
{
    const auto read = [](const std::string &file) { return readPlan(file); };
    if (arguments.has("--lifecycle"))
        return reportFiles(
            arguments, read,
            [](const Plan &plan, const std::string &file) {
                return lifecycleJson(lifecycle(plan), file);
            },
            [](const Plan &plan, const std::string &file, ByteUnit unit) {
                return lifecycleText(lifecycle(plan), file, unit);
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

const Command kPlanCommand{
    "plan",   "FILE…", "What each plan needs on one GPU, and whether it fits.", 1, kAnyNumber,
    kOptions, run};

} // namespace vramscope::cli
