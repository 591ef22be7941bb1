// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/commands.h"
#include "app/cli/plan_input.h"
#include "app/cli/profile_input.h"
#include "core/print/project_report.h"
#include "core/projection/traced_step.h"
#include "core/solver/plan_evaluator.h"

#include <algorithm>
#include <array>
#include <iostream>

namespace vramscope::cli {

namespace {

constexpr int kMostGpus = 1'000'000;

constexpr auto kProjectOptions = joined(
    kReportOptions,
    std::array{
        Option{"--trace", "FILE", "calibrate by a profiler trace of one rank of the plan's run"},
        Option{"--speed", "TOKENS",
               "calibrate by a run of the plan: its tokens a second on all GPUs"},
        Option{"--gpus", "N,…", "on these numbers of GPUs; left out: powers of two"},
        Option{"--set", "FIELD=VALUE", "set a field of the plan: optimizer.name=lion", true},
    });

/// "1,2,8"
Result<std::vector<std::int64_t>> countsOf(std::string_view list)
{
    std::vector<std::int64_t> counts;
    while (!list.empty()) {
        const std::size_t comma = list.find(',');
        const Result<int> count = wholeNumber(list.substr(0, comma), 1);
        if (!count || *count > kMostGpus)
            return invalid("\"" + std::string(list.substr(0, comma)) +
                           "\" is no number of GPUs; give such as 1,2,8,64");
        counts.push_back(*count);
        list = comma == std::string_view::npos ? std::string_view() : list.substr(comma + 1);
    }
    std::ranges::sort(counts);
    counts.erase(std::unique(counts.begin(), counts.end()), counts.end());
    return counts;
}

Result<std::optional<SpeedCalibration>> calibrationOf(const Plan &plan, const Arguments &arguments)
{
    if (arguments.has("--speed")) {
        const Result<int> speed = wholeNumber(arguments.value("--speed"), 1);
        if (!speed)
            return invalid("\"" + std::string(arguments.value("--speed")) +
                           "\" is no speed; give tokens a second, such as 62000");
        Result<SpeedCalibration> made = calibrateBySpeed(plan, *speed);
        if (!made)
            return made.error();
        return std::optional(std::move(*made));
    }
    if (!arguments.has("--trace"))
        return std::optional<SpeedCalibration>();
    const std::string file(arguments.value("--trace"));
    Result<std::shared_ptr<const Profile>> profile = readProfile(file);
    if (!profile)
        return Error{profile.error().code, file + ": " + profile.error().text()};
    Result<SpeedCalibration> made =
        calibrateBy(ProfileStudy(std::move(*profile)), plan, nameOf(file));
    if (!made)
        return made.error();
    return std::optional(std::move(*made));
}

int runProject(const Arguments &arguments)
{
    const std::vector<std::string> sources = planSources(arguments);
    if (sources.size() > 1)
        return badArguments("project", "one plan is projected; give one");
    if (arguments.has("--speed") && arguments.has("--trace"))
        return badArguments("project", "--speed and --trace both calibrate; give one");
    const Result<std::vector<std::int64_t>> counts = countsOf(arguments.value("--gpus"));
    if (!counts)
        return badArguments("project", "--gpus: " + counts.error().detail);
    Arguments ofPlan = arguments; // its --gpus are numbers to project to
    std::erase_if(ofPlan.options, [](const auto &given) { return given.name == "--gpus"; });
    const Result<PlanInput> input = readPlanInput(sources.front(), ofPlan);
    if (!input)
        return complainOfPlan(sources.front(), input.error());
    if (const Result<void> sound = checkComputed(input->plan); !sound)
        return unusable(input->label, sound.error().detail);
    Result<std::optional<SpeedCalibration>> calibration = calibrationOf(input->plan, arguments);
    if (!calibration)
        return unusable("project", (arguments.has("--speed") ? "--speed: " : "--trace: ") +
                                       calibration.error().detail);
    const Result<ProjectedPlan> projected = projectPlan(
        input->plan, counts->empty() ? usualCounts(input->plan) : *counts, std::move(*calibration));
    if (!projected)
        return unusable(input->label, projected.error().detail);
    const std::vector<ScalePoint> &points = projected->lines.front().weak;
    if (std::ranges::none_of(points, &ScalePoint::known))
        return unusable(input->label, points.front().whyNot);
    std::cout << (arguments.has("--json")
                      ? jsonAnswer(*input, projectJson(*projected, input->label))
                      : textAnswer(*input,
                                   projectText(*projected, input->label, unitOf(arguments))));
    return kSuccess;
}

} // namespace

const Subcommand kProjectCommand{
    {"project", "FILE or WORDS…",
     "Speed, memory and cost over numbers of GPUs, and which strategy to take.", 1, kAnyNumber,
     kProjectOptions},
    runProject};

} // namespace vramscope::cli
