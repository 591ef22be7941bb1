// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/commands.h"
#include "app/cli/follow_serving_log.h"
#include "app/cli/other_command.h"
#include "app/cli/trace_input.h"
#include "app/cli/trace_sources.h"
#include "core/base/output_file.h"
#include "core/base/path_text.h"
#include "core/plan/plan_json.h"
#include "core/print/serving_log_report.h"
#include "core/report/redacted_plan.h"
#include "core/serving_logs/log_redaction.h"
#include "core/serving_logs/log_verdict.h"
#include "core/serving_logs/read_serving_log.h"

#include <array>
#include <filesystem>
#include <iostream>
#include <optional>

namespace vramscope::cli {

namespace {

/// The exit status of a log that was read as it came, where the start failed.
constexpr int kStartFailed = 3;

/// A log, and the plan that it was compared with.
struct ComparedLog
{
    ServingLog log;
    std::optional<LogAgainstPlan> against;
};

ComparedLog withoutNames(const ComparedLog &it, std::string &file)
{
    Redaction names;
    names.gatherFileName(file);
    gatherNames(names, it.log);
    if (it.against)
        gatherPlan(names, it.against->plan.plan);
    ComparedLog made{redacted(it.log, names), it.against};
    if (made.against)
        made.against = redactedAgainst(names, *std::move(made.against));
    file = names.fileName(file);
    return made;
}

int runServingLog(const Arguments &arguments)
{
    const std::string planFile(arguments.value("--plan"));
    const std::string out(arguments.value("--take-over"));
    const bool redact = arguments.has("--redact");
    if (!out.empty() && arguments.files.size() > 1)
        return badArguments("serving-log", "--take-over takes the constants of one log");
    std::vector<std::filesystem::path> inputs = pathsOf(arguments.files);
    inputs.emplace_back(planFile);
    if (const Result<void> kept = keepInputs(pathOf(out), inputs); !kept.ok())
        return complainOf(out, kept.error().text(), redact);
    Plan given;
    if (!planFile.empty()) {
        Result<Plan> plan = readPlan(pathOf(planFile));
        if (!plan.ok())
            return complainOf(planFile, plan.error().text(), redact);
        given = std::move(*plan);
    }
    const bool follow = arguments.has("--follow");
    if (follow && arguments.files.size() > 1)
        return badArguments("serving-log", "--follow follows one log");
    const auto read = [&](const std::string &file) -> Result<ComparedLog> {
        Result<ServingLog> log = follow                       ? followServingLog(file)
                                 : file == kStandardInputName ? readInput()
                                                              : readServingLog(pathOf(file));
        if (!log.ok())
            return withRightCommand(log.error(), "serving-log", file);
        ComparedLog compared{std::move(*log), {}};
        LogPlan plan = planOfServingLog(compared.log, given);
        if (!out.empty() && !plan.hasModel)
            return invalid("--take-over needs a plan that names the model, for this log names none "
                           "of the catalogue; give it with --plan");
        if (!plan.hasModel && planFile.empty())
            return compared;
        LogComparison comparison = compareWithLog(plan.plan, compared.log);
        compared.against = {std::move(plan), std::move(comparison), {}};
        if (out.empty())
            return compared;
        compared.against->takeOver = takeOverLog(compared.against->plan.plan, compared.log);
        if (const Result<void> done = writePlan(compared.against->takeOver->plan, pathOf(out));
            !done.ok())
            return done.error();
        return compared;
    };
    int status = kSuccess;
    std::string_view gap;
    for (std::string file : arguments.files) {
        Result<ComparedLog> log = read(file);
        if (!log.ok()) {
            status = complainOf(file, log.error().text(), redact);
            continue;
        }
        if (redact)
            log = withoutNames(*log, file);
        if ((follow || file == kStandardInputName) && startFailed(log->log))
            status = kStartFailed;
        const LogAgainstPlan *against = log->against ? &*log->against : nullptr;
        if (arguments.has("--json")) {
            std::cout << servingLogJson(log->log, file, against) << '\n' << std::flush;
            continue;
        }
        const ByteUnit unit = unitOf(arguments);
        std::cout << gap << servingLogText(log->log, file, unit)
                  << (against ? "\n" + logAgainstPlanText(*against, unit) : std::string())
                  << std::flush;
        gap = "\n";
    }
    return status;
}

constexpr std::array kServingLogOptions{
    Option{"--follow", "",
           "read a log that is being written, or - (standard input): state each stage as it ends, "
           "and stop when the server is ready or its start has failed (exit status 3)"},
    Option{"--plan", "PLAN", "compare the log with this plan, which names the model"},
    Option{"--take-over", "OUT", "write the plan with what the log measured to this file"},
    kRedactOption,
    kReportOptions[0],
    kReportOptions[1],
};

} // namespace

const Subcommand kServingLogCommand{
    {"serving-log", "FILE…",
     "What a serving engine logged while it started: weights, activations, cache, refusals.", 1,
     kAnyNumber, kServingLogOptions,
     "With FILE -, standard input is read to its end, or with --follow until the start is "
     "decided:\n"
     "  vllm serve MODEL 2>&1 | tee start.log | vramscope-cli serving-log -\n",
     ", 3 of a log read with --follow or from -: the start failed"},
    runServingLog};

} // namespace vramscope::cli
