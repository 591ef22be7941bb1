// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/cli/command.h"
#include "core/analysis/study/study.h"
#include "core/base/format.h"
#include "core/readers/read_trace.h"

#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace vramscope::cli {

/// The option of every command that works on one device of a recording.
inline constexpr Option kDeviceOption{"--device", "D", "only this device of the file"};
inline constexpr Option kTopOption{"--top", "N", "at most so many lines of a table; 0: all"};

/// The number given with --top, or `otherwise` without the option.
[[nodiscard]] Result<std::size_t> topOf(const Arguments &arguments, std::size_t otherwise);

/// How to print a report on a recording, and under which name.
struct Printing
{
    std::string file; ///< as the user named it
    bool json = false;
    ByteUnit unit = ByteUnit::Binary;
    Study::Rules rules{}; ///< kept next to the recording; null: the built-in ones
};

/// The report of a command on one device: a line of JSON or a text, whose line end may be left out.
/// It is called on threads for several files at once, so it only returns its result. An error that
/// is Invalid means wrong arguments and ends the command; any other belongs to the file.
/// An empty text prints nothing.
using DevicePrinter = std::function<Result<std::string>(const Study &, const Printing &)>;
using RecordingPrinter = std::function<Result<std::string>(const Recording &, const Printing &)>;
/// Receives one text after the other.
using TextTaker = std::function<void(std::string)>;

/// Opens each file, and each recording in a folder, and prints the result of `print` for the device
/// that --device names, or else for each device with events or segments. Files are read on all
/// threads and printed in order. The command complains about an unusable file and still reports the
/// others; other files in a folder are skipped, in one line. Returns the exit status. If given,
/// `take` receives the reports instead of the output, in the same order.
int reportDevices(std::string_view command, const Arguments &arguments, const DevicePrinter &print,
                  const TextTaker &take = {});

/// The same for each file as a whole, with or without a device; also for recordings that are
/// curves.
int reportRecordings(std::string_view command, const Arguments &arguments,
                     const RecordingPrinter &print);

/// The device of a file that `wanted` names, or, if that is empty, its only one. The error lists
/// the devices.
[[nodiscard]] Result<const DeviceTrace *> deviceOf(const Trace &trace, std::string_view wanted);

/// The event that --at names on this device: a number, or "end"; empty for "peak". The error lists
/// what may be given.
[[nodiscard]] Result<std::optional<EventIndex>> momentOf(std::string_view at,
                                                         const DeviceTrace &device);

} // namespace vramscope::cli
