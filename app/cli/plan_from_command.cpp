// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/commands.h"
#include "app/cli/trace_input.h"
#include "app/cli/trace_sources.h"
#include "core/base/output_file.h"
#include "core/base/path_text.h"
#include "core/plan/plan_json.h"
#include "core/print/recovered_report.h"

#include <array>
#include <filesystem>

namespace vramscope::cli {

namespace {

int runPlanFrom(const Arguments &arguments)
{
    const std::string out(arguments.value("--out"));
    const std::vector<std::filesystem::path> inputs = pathsOf(arguments.files);
    if (out == "-")
        return badArguments("plan-from",
                            "--out takes a file; --json prints the plan with what it is from");
    if (const Result<void> kept = keepInputs(pathOf(out), inputs); !kept.ok())
        return complainOf(out, kept.error().text(), arguments.has("--redact"));
    bool isWritten = false; // the devices of the one file come one after the other
    const DevicePrinter print = [&](const Study &study, const Printing &as) -> Result<std::string> {
        const RecoveredPlan found = planFromRecording(study);
        if (!out.empty() && isWritten)
            return invalid("--out takes the plan of one device; choose it with --device");
        if (!out.empty()) {
            if (const Result<void> done = writePlan(found.plan, pathOf(out)); !done.ok())
                return done.error();
            isWritten = true;
        }
        const int device = study.device().device;
        return as.json ? recoveredJson(found, as.file, device)
                       : recoveredText(found, as.file, device, as.unit);
    };
    return reportDevices("plan-from", arguments, print);
}

constexpr std::array kPlanFromOptions{kDeviceOption,
                                      Option{"--out", "PLAN", "write the plan to this file"},
                                      kReportOptions[0], kReportOptions[1], kRedactOption};

} // namespace

const Subcommand kPlanFromCommand{
    {"plan-from", "FILE",
     "A plan from a recording of its run: what it determines, by what, and what it does not.", 1, 1,
     kPlanFromOptions},
    runPlanFrom};

} // namespace vramscope::cli
