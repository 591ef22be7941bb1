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

/// The option of every command that looks at one device of a recording.
inline constexpr Option kDeviceOption{"--device", "D", "only this device of the file"};
/// The option of every command that prints what recordings hold.
inline constexpr Option kRedactOption{
    "--redact", "", "without names of users and machines, home folders and e-mail addresses"};

inline constexpr Option kTopOption{"--top", "N", "at most so many lines of a table; 0: all"};

/// The number that --top names, `otherwise` where it is not given; complains where it is none.
[[nodiscard]] Result<int> topOf(const Arguments &arguments, int otherwise);

/// How what is said of a recording is printed, and under which name.
struct Printing
{
    std::string file; ///< as the user named it
    bool json = false;
    ByteUnit unit = ByteUnit::Binary;
};

/// What a command says of one device: a line of JSON or a text, whose line end may be left out. It
/// is called for several files at once, on threads, so it only returns. An error that is Invalid
/// means wrong arguments and ends the command; any other is one of the file.
/// An empty text prints nothing.
using DevicePrinter = std::function<Result<std::string>(const Study &, const Printing &)>;
using RecordingPrinter = std::function<Result<std::string>(const Recording &, const Printing &)>;
/// Gets one text after the other.
using TextTaker = std::function<void(std::string)>;

/// Opens each file, and each recording in a folder, and prints what `print` says of the device that
/// --device names, or else of each device with events or segments. Files are read on all threads
/// and printed in order. A file that cannot be used is complained about, and the others are still
/// reported; what is no recording in a folder is skipped, in one line. Gives the exit status.
/// `take` gets what was said instead of the output, in the same order.
int reportDevices(std::string_view command, const Arguments &arguments, const DevicePrinter &print,
                  const TextTaker &take = {});

/// The same of each file as a whole, whether it holds a device or not; also of recordings that are
/// curves.
int reportRecordings(std::string_view command, const Arguments &arguments,
                     const RecordingPrinter &print);

/// The device of a file that `wanted` names, or, where that is empty, its only one. The error names
/// the devices that there are.
[[nodiscard]] Result<const DeviceTrace *> deviceOf(const Trace &trace, std::string_view wanted);

/// The event that --at names on this device: a number, or "end"; none for "peak". The error says
/// what may be given.
[[nodiscard]] Result<std::optional<EventIndex>> momentOf(std::string_view at,
                                                         const DeviceTrace &device);

} // namespace vramscope::cli
