// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/commands.h"
#include "app/cli/report_files.h"
#include "core/planner/plan_json.h"
#include "core/report/plan_report.h"

namespace vramscope::cli {

namespace {

int run(const Arguments &arguments)
{
    return reportFiles(
        arguments, [](const std::string &file) { return readPlan(file); },
        [](const Plan &plan, const std::string &file) {
            return planEstimateJson(plan, estimate(plan), file);
        },
        [](const Plan &plan, const std::string &file, ByteUnit unit) {
            return planEstimateText(plan, estimate(plan), file, unit);
        });
}

} // namespace

const Command kPlanCommand{
    "plan",         "FILE…", "What each plan needs on one GPU, and whether it fits.", 1, kAnyNumber,
    kReportOptions, run};

} // namespace vramscope::cli
