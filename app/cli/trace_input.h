// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/cli/command.h"
#include "core/base/format.h"
#include "core/trace/series.h"
#include "core/trace/trace.h"

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace vramscope::cli {

/// The option of every command that looks at one device of a recording.
inline constexpr Option kDeviceOption{"--device", "D", "only this device of the file"};
/// The option of every command that prints what recordings hold.
inline constexpr Option kRedactOption{
    "--redact", "", "without names of users and machines, home folders and e-mail addresses"};

/// One device of a recording that was opened for a command; with --redact everything in it is
/// rewritten.
struct TraceInput
{
    std::shared_ptr<const Trace> trace;
    std::shared_ptr<const Series> series; ///< instead of a trace; only reportRecordings() gives it
    const DeviceTrace *device = nullptr;  ///< none where a command looks at all of them
    std::string file;                     ///< as the user named it
    ByteUnit unit = ByteUnit::Binary;
};

/// What a command says of one device: a line of JSON or a text, both without a line end. It is
/// called for several files at once, on threads, so it only returns. An error that is Invalid means
/// wrong arguments and ends the command; any other is one of the file.
/// An empty text prints nothing.
using DevicePrinter = std::function<Result<std::string>(const TraceInput &, bool json)>;
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
                     const DevicePrinter &print);

/// The device of a file that `wanted` names, or, where that is empty, its only one. The error names
/// the devices that there are.
[[nodiscard]] Result<const DeviceTrace *> deviceOf(const Trace &trace, std::string_view wanted);

/// The event that --at names on this device: a number, or "end"; none for "peak". The error says
/// what may be given.
[[nodiscard]] Result<std::optional<EventIndex>> momentOf(std::string_view at,
                                                         const DeviceTrace &device);

} // namespace vramscope::cli
