// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/commands.h"
#include "app/cli/trace_input.h"
#include "core/analysis/replayed/usage_curve.h"
#include "core/print/growth_report.h"
#include "core/print/live_report.h"
#include "core/print/oom_report.h"

#include <array>

// The commands that print one analysis of each device: peak, live, steps, leaks, oom.

namespace vramscope::cli {

namespace {

/// Reports on each device in tables of at most as many lines as --top says; `lines` without it.
template<class Print>
int reportWithTop(std::string_view command, const Arguments &arguments, std::size_t lines,
                  Print print)
{
    const Result<std::size_t> most = topOf(arguments, lines);
    if (!most.ok())
        return badArguments(command, most.error().text());
    return reportDevices(command, arguments, [&](const Study &study, const Printing &as) {
        return Result<std::string>(print(study, as, *most));
    });
}

int runPeak(const Arguments &arguments)
{
    return reportWithTop(
        "peak", arguments, 30, [](const Study &study, const Printing &as, auto most) {
            return as.json ? peakJson(study, as.file) : peakText(study, as.file, most, as.unit);
        });
}

int runLive(const Arguments &arguments)
{
    const auto print = [&](const Study &study, const Printing &as,
                           std::size_t most) -> Result<std::string> {
        const auto named = momentOf(arguments.value("--at", "peak"), study.device());
        if (!named.ok())
            return named.error();
        const EventIndex moment = *named ? **named : study.curve().peakActiveEvent();
        return as.json ? liveJson(study, moment, as.file)
                       : liveText(study, moment, as.file, most, as.unit);
    };
    return reportWithTop("live", arguments, 30, print);
}

int runSteps(const Arguments &arguments)
{
    return reportWithTop(
        "steps", arguments, 40, [](const Study &study, const Printing &as, auto most) {
            return as.json ? stepsJson(study, as.file) : stepsText(study, as.file, most, as.unit);
        });
}

int runLeaks(const Arguments &arguments)
{
    return reportWithTop(
        "leaks", arguments, 20, [](const Study &study, const Printing &as, auto most) {
            return as.json ? leaksJson(study, as.file) : leaksText(study, as.file, most, as.unit);
        });
}

int runOom(const Arguments &arguments)
{
    return reportWithTop("oom", arguments, 10,
                         [](const Study &study, const Printing &as, auto most) {
                             return as.json ? outOfMemoryJson(study, as.file)
                                            : outOfMemoryText(study, as.file, most, as.unit);
                         });
}

constexpr std::array kTableOptions{kDeviceOption, kTopOption, kReportOptions[0], kReportOptions[1],
                                   kRedactOption};

constexpr std::array kLiveOptions{
    kDeviceOption,
    Option{"--at", "EVENT", "after this event; -1: before the first; peak (default), end"},
    kTopOption,
    Option{"--json", "", "one JSON object a device, one line each, with whole stacks"},
    kReportOptions[1],
    kRedactOption,
};

} // namespace

const Subcommand kPeakCommand{{"peak", "FILE|FOLDER…",
                               "The moment of highest usage: what stood there, what was running.",
                               1, kAnyNumber, kTableOptions},
                              runPeak};

const Subcommand kLiveCommand{{"live", "FILE|FOLDER…",
                               "What is alive at one moment of a recording, by stack.", 1,
                               kAnyNumber, kLiveOptions},
                              runLive};

const Subcommand kStepsCommand{
    {"steps", "FILE|FOLDER…",
     "The training steps of recordings: peak, growth and survivors of each.", 1, kAnyNumber,
     kTableOptions},
    runSteps};

const Subcommand kLeaksCommand{{"leaks", "FILE|FOLDER…",
                                "What keeps growing from step to step, by stack.", 1, kAnyNumber,
                                kTableOptions},
                               runLeaks};

const Subcommand kOomCommand{
    {"oom", "FILE|FOLDER…",
     "Why an allocation failed: what was asked, what was free, what would help.", 1, kAnyNumber,
     kTableOptions},
    runOom};

} // namespace vramscope::cli
