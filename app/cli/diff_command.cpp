// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/commands.h"
#include "app/cli/diff.h"
#include "app/cli/trace_input.h"
#include "core/base/path_text.h"
#include "core/plan/plan_json.h"
#include "core/print/plan_diff_report.h"
#include "core/ranks/collect_runs.h"
#include "core/readers/file_kind.h"
#include "core/report/redacted_plan.h"

#include <algorithm>
#include <array>
#include <iostream>

namespace vramscope::cli {

namespace {

bool isPlan(const std::string &file)
{
    return identifyFile(pathOf(file)) == FileKind::Plan;
}

int diffPlans(const Arguments &arguments)
{
    const bool redact = arguments.has("--redact");
    Redaction names; // those of one plan are taken out of both
    std::vector<Plan> read;
    for (const std::string &file : arguments.files) {
        Result<Plan> plan = readPlan(pathOf(file));
        const std::string why = plan.ok() ? whyNotComputed(estimate(*plan)) : plan.error().text();
        if (!why.empty())
            return complainOf(file, why, redact);
        names.gatherFileName(file);
        gatherPlan(names, *plan);
        read.push_back(std::move(plan).value());
    }
    std::array<EstimatedPlan, 2> plans;
    for (std::size_t at = 0; at < plans.size(); ++at) {
        const std::string &file = arguments.files[at];
        Plan plan = redact ? redactedPlan(names, read[at]) : std::move(read[at]);
        Estimate estimated = estimate(plan);
        plans[at] = {redact ? names.fileName(file) : file, std::move(plan), std::move(estimated)};
    }
    std::cout << (arguments.has("--json") ? planDiffJson(plans[0], plans[1]) + '\n'
                                          : planDiffText(plans[0], plans[1], unitOf(arguments)));
    return kSuccess;
}

int runDiff(const Arguments &arguments)
{
    const auto most = topOf(arguments, arguments.has("--json") ? 0 : 20);
    if (!most.ok())
        return badArguments("diff", most.error().text());
    const auto plans = std::ranges::count_if(arguments.files, isPlan);
    if (plans == 1 && arguments.files.size() == 1)
        return badArguments("diff", "this is one plan; name the one to compare it with: "
                                    "vramscope-cli diff PLAN_A PLAN_B");
    if (plans > 0 && (plans != 2 || arguments.files.size() != 2))
        return badArguments("diff", "compares two plans, or recordings; not one with the other");
    if (plans == 2)
        return diffPlans(arguments);

    if (std::ranges::all_of(arguments.files, holdsSummaries))
        return diffRun(arguments, *most);
    int status = kSuccess;
    const std::vector<Source> sources =
        sourcesOf(arguments.files, arguments.has("--redact"), status);
    if (status != kSuccess)
        return status;
    const bool twoFiles = arguments.files.size() == 2 && sources.size() == 2 &&
                          sources[0].folder.empty() && sources[1].folder.empty();
    for (const std::string_view option : {"--ranks", "--layout"}) {
        if (twoFiles && arguments.has(option))
            return badArguments("diff",
                                std::string(option) +
                                    ": it says something of the ranks of a run; name the folder of "
                                    "their recordings, or their summaries");
    }
    if (twoFiles)
        return diffTwo(sources, arguments, *most);
    if (arguments.has("--step"))
        return badArguments("diff", "--step: two profiler traces are compared step by step");
    if (arguments.has("--at"))
        return badArguments("diff", "--at: ranks are compared at the peak of each");
    return diffRecordings(sources, arguments, *most);
}

constexpr std::array kDiffOptions{
    Option{"--device", "D", "only this device; given twice: of A, then of B", true},
    Option{"--at", "EVENT", "peak (default), end, or after this event; twice: of A, of B", true},
    Option{"--step", "STEP", "of profiler traces: median (default), all, or a step's name"},
    Option{"--top", "N", "the sites that differ most; 20 by default, in JSON all; 0: all"},
    Option{"--ranks", "R", "ranks of the run, so that missing ones are named"},
    Option{"--layout", "AXES", "the axes of ranks, the fastest first: tp=8,dp=4,pp=16"},
    Option{"--json", "", "one JSON object"},
    kReportOptions[1],
    kRedactOption,
};

} // namespace

const Subcommand kDiffCommand{
    {"diff", "A B | FOLDER | FILE…",
     "What differs: two recordings, two profiles, two plans, or the ranks of a run.", 1, kAnyNumber,
     kDiffOptions},
    runDiff};

} // namespace vramscope::cli
