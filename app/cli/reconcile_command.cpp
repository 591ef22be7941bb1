// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/analysis_input.h"
#include "app/cli/commands.h"
#include "app/cli/report_files.h"
#include "app/cli/trace_input.h"
#include "app/cli/trace_sources.h"
#include "core/planner/plan_json.h"
#include "core/print/reconcile_report.h"
#include "core/reconcile/reconcile.h"
#include "core/report/redacted_plan.h"

#include <array>

namespace vramscope::cli {

namespace {

Reconciliation reconciled(const Plan &plan, const TraceInput &in)
{
    const AnalysisInput analysis(in);
    const Categories categories =
        categorize(*in.trace, *in.device, analysis.allocations, analysis.steps);
    return reconcile(plan, {*in.trace, *in.device, analysis.allocations, analysis.curve,
                            analysis.steps, categories});
}

int run(const Arguments &arguments)
{
    const std::string planFile = arguments.files.front();
    const bool redact = arguments.has("--redact");
    Result<Plan> plan = readPlan(planFile);
    if (!plan.ok()) {
        complainOf(planFile, plan.error().text(), redact);
        return kUnusableFile;
    }
    if (redact) {
        Redaction redaction;
        gatherPlan(redaction, *plan);
        plan = redactedPlan(redaction, std::move(*plan));
    }
    Arguments traces = arguments;
    traces.files.erase(traces.files.begin());
    return reportDevices("reconcile", traces, [&](const TraceInput &in, bool json) {
        const Reconciliation found = reconciled(*plan, in);
        const ReconcileFindings findings{found, redact ? redactedFile(planFile) : planFile, in.file,
                                         in.device->device};
        return json ? reconcileJson(findings) : withoutLineEnd(reconcileText(findings, in.unit));
    });
}

constexpr std::array kOptions{kDeviceOption, kReportOptions[0], kReportOptions[1], kRedactOption};

} // namespace

const Subcommand kReconcileCommand{
    {"reconcile", "PLAN FILE|FOLDER…",
     "A plan against recordings of its run: what was predicted beside what was there, and why.", 2,
     kAnyNumber, kOptions},
    run};

} // namespace vramscope::cli
