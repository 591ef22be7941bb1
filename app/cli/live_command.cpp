// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/commands.h"
#include "core/analysis/usage_curve.h"
#include "core/readers/read_trace.h"
#include "core/report/live_report.h"

#include <array>
#include <iostream>

namespace vramscope::cli {

namespace {

int wrongArgument(std::string_view option, std::string_view text)
{
    complain("live", std::string(option) + ": " + std::string(text));
    return kBadArguments;
}

std::string devicesOf(const Trace &trace)
{
    std::string list;
    for (const DeviceTrace &device : trace.devices())
        list += (list.empty() ? "" : ", ") + std::to_string(device.device);
    return list.empty() ? "none" : list;
}

// The device that is asked for; the first where none is.
const DeviceTrace *deviceOf(const Trace &trace, const Arguments &arguments, int ordinal)
{
    if (arguments.has("--device") || trace.devices().empty())
        return trace.device(ordinal);
    return &trace.devices().front();
}

int run(const Arguments &arguments)
{
    const Result<int> ordinal = wholeNumber(arguments.value("--device", "0"), 0);
    if (!ordinal.ok())
        return wrongArgument("--device", ordinal.error().detail);
    const std::string_view at = arguments.value("--at", "peak");
    const Result<int> event = at == "peak" ? Result<int>(0) : wholeNumber(at, -1);
    if (!event.ok())
        return wrongArgument("--at", event.error().detail + ", nor \"peak\"");

    const std::string &file = arguments.files.front();
    const auto trace = readTrace(file);
    if (!trace.ok()) {
        complain(file, trace.error().text());
        return kUnusableFile;
    }
    const DeviceTrace *device = deviceOf(**trace, arguments, *ordinal);
    if (device == nullptr)
        return wrongArgument("--device", "the file has no device " + std::to_string(*ordinal) +
                                             "; it has: " + devicesOf(**trace));
    if (at != "peak" && *event >= device->events.count())
        return wrongArgument("--at", "the last event of device " + std::to_string(device->device) +
                                         " is " + std::to_string(device->events.count() - 1));

    const Allocations allocations(*device);
    const EventIndex moment =
        at == "peak" ? UsageCurve(*device, allocations).peakActiveEvent() : *event;
    if (arguments.has("--json")) {
        std::cout << liveJson(**trace, *device, allocations, moment, file) << '\n';
    } else {
        const ByteUnit unit = arguments.has("--gb") ? ByteUnit::Decimal : ByteUnit::Binary;
        std::cout << liveText(**trace, *device, allocations, moment, file, unit);
    }
    return kSuccess;
}

constexpr std::array kOptions{
    Option{"--device", "D", "the device's number; the first of the file by default"},
    Option{"--at", "EVENT", "after this event; -1: before the first; peak (default)"},
    Option{"--json", "", "one JSON object, with whole stacks"},
    Option{"--gb", "", "sizes in powers of ten (GB) instead of two (GiB)"},
};

} // namespace

const Command kLiveCommand{
    "live", "FILE", "What is alive at one moment of a recording, by stack.", 1, 1, kOptions, run};

} // namespace vramscope::cli
