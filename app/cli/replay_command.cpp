// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/commands.h"
#include "app/cli/trace_input.h"
#include "core/analysis/replayed/recorded_settings.h"
#include "core/print/replay_report.h"
#include "core/simulator/recommendation.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <iterator>

namespace vramscope::cli {

namespace {

// -1 without the option.
Result<Bytes> capacityOf(const Arguments &arguments)
{
    if (!arguments.has("--capacity"))
        return Bytes(-1);
    const std::string_view text = arguments.value("--capacity");
    Bytes capacity = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), capacity);
    if (error != std::errc() || end != text.data() + text.size() || capacity <= 0)
        return invalid("--capacity needs a number of bytes above 0, such as "
                       "85899345920 for 80 GiB; it is '" +
                       printable(text) + "'.");
    return capacity;
}

std::vector<std::string> configurationsOf(const Arguments &arguments, const Trace &trace,
                                          bool capacityKnown)
{
    std::vector<std::string> configurations;
    if (arguments.has("--usual"))
        configurations = usualConfigurations(capacityKnown, newestVersion(trace));
    std::ranges::move(arguments.values("--set"), std::back_inserter(configurations));
    return configurations;
}

std::string report(const Study &study, const Arguments &arguments, Bytes capacity,
                   const Printing &as)
{
    const auto configurations =
        configurationsOf(arguments, study.trace(), capacity >= 0 || study.replay().capacity >= 0);
    std::optional<WhatIfs> others;
    const bool asked = !configurations.empty() || capacity >= 0;
    if (asked && study.replay().end != ReplayEnd::NothingRecorded)
        others = whatIf(study, configurations, capacity);
    const WhatIfs *whatIfs = others ? &*others : nullptr;
    return as.json ? replayJson(study, whatIfs, as.file)
                   : replayText(study, whatIfs, as.file, as.unit);
}

int runReplay(const Arguments &arguments)
{
    const Result<Bytes> capacity = capacityOf(arguments);
    if (!capacity.ok())
        return badArguments("replay", capacity.error().text());
    return reportDevices("replay", arguments, [&](const Study &study, const Printing &as) {
        return report(study, arguments, *capacity, as);
    });
}

constexpr std::array kReplayOptions{
    kDeviceOption,
    Option{"--set", "CONF", "simulate this PYTORCH_CUDA_ALLOC_CONF too", true},
    Option{"--usual", "", "simulate the settings that people try"},
    Option{"--capacity", "BYTES",
           "simulate on a device with so much for the allocator; default: from a failure"},
    Option{"--json", "", "one JSON object a device, one line each"},
    kReportOptions[1],
    kRedactOption,
};

} // namespace

const Subcommand kReplayCommand{
    {"replay", "FILE|FOLDER…",
     "The recorded requests on a simulated allocator: as recorded, and under other settings.", 1,
     kAnyNumber, kReplayOptions},
    runReplay};

} // namespace vramscope::cli
