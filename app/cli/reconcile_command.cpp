// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/commands.h"
#include "app/cli/other_command.h"
#include "app/cli/trace_input.h"
#include "app/cli/trace_sources.h"
#include "core/base/path_text.h"
#include "core/plan/plan_json.h"
#include "core/print/reconcile_report.h"
#include "core/reconcile/reconcile.h"
#include "core/report/redacted_plan.h"

#include <array>

namespace vramscope::cli {

namespace {

int runReconcile(const Arguments &arguments)
{
    const std::string planFile = arguments.files.front();
    const bool redact = arguments.has("--redact");
    Result<Plan> plan = readPlan(pathOf(planFile));
    if (!plan.ok())
        return complainOf(planFile, withRightCommand(plan.error(), "reconcile", planFile).text(),
                          redact);
    if (redact) {
        Redaction redaction;
        redaction.gatherFileName(planFile);
        gatherPlan(redaction, *plan);
        plan = redactedPlan(redaction, std::move(*plan));
    }
    Arguments traces = arguments;
    traces.files.erase(traces.files.begin());
    return reportDevices("reconcile", traces, [&](const Study &study, const Printing &as) {
        const Reconciliation found = reconcile(*plan, study);
        const ReconcileSubject findings{found, redact ? redactedFile(planFile) : planFile, as.file,
                                        study.device().device};
        return as.json ? reconcileJson(findings) : reconcileText(findings, as.unit);
    });
}

constexpr std::array kReconcileOptions{kDeviceOption, kReportOptions[0], kReportOptions[1],
                                       kRedactOption};

} // namespace

const Subcommand kReconcileCommand{
    {"reconcile", "PLAN FILE|FOLDER…",
     "A plan against recordings of its run: what was predicted beside what was there, and why.", 2,
     kAnyNumber, kReconcileOptions},
    runReconcile};

} // namespace vramscope::cli
