// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/analysis_input.h"
#include "app/cli/commands.h"
#include "app/cli/report_files.h"
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

// -1 where it is not given.
Result<Bytes> capacityOf(const Arguments &arguments)
{
    if (!arguments.has("--capacity"))
        return Bytes(-1);
    const std::string_view text = arguments.value("--capacity");
    Bytes capacity = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), capacity);
    if (error != std::errc() || end != text.data() + text.size() || capacity <= 0)
        return Error{ErrorCode::Invalid, "--capacity needs a number of bytes above 0, such as "
                                         "85899345920 for 80 GiB; it is '" +
                                             printable(text) + "'."};
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

std::string report(const TraceInput &in, const Arguments &arguments, Bytes capacity, bool json)
{
    const DeviceTrace &device = *in.device;
    const Allocations allocations(device);
    const auto space = AddressSpace::replay(device, allocations, allocatorRules(*in.trace));
    const std::optional<Replay> found = replay(*in.trace, device, allocations, *space);
    const auto configurations =
        configurationsOf(arguments, *in.trace, capacity >= 0 || found->capacity >= 0);
    std::optional<WhatIfs> others;
    const bool asked = !configurations.empty() || capacity >= 0;
    if (asked && found->end != ReplayEnd::NothingRecorded)
        others = whatIf(*in.trace, device, allocations, *found, configurations, capacity);
    if (others && others->lastFailure) {
        const UsageCurve curve(device, allocations);
        const Steps steps = findSteps(*in.trace, device, allocations, curve);
        others->lastFailure->rest =
            restOfStep(device, allocations, curve, steps, device.outOfMemory.back());
    }
    const ReplayFindings findings{device, *found, others ? &*others : nullptr};
    return json ? replayJson(findings, in.file)
                : withoutLineEnd(replayText(findings, in.file, in.unit));
}

int run(const Arguments &arguments)
{
    const Result<Bytes> capacity = capacityOf(arguments);
    if (!capacity.ok()) {
        complain("replay", capacity.error().text());
        return kBadArguments;
    }
    return reportDevices("replay", arguments, [&](const TraceInput &input, bool json) {
        return report(input, arguments, *capacity, json);
    });
}

constexpr std::array kOptions{
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
     kAnyNumber, kOptions},
    run};

} // namespace vramscope::cli
