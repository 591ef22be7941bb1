// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/bytes.h"
#include "core/base/descriptor.h"

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

// What differs between operating systems, with descriptor.h: platform_posix.cpp and
// platform_windows.cpp implement both. Functions that give an int give 0, or the number of the
// error as errno has it.
namespace vramscope {

/// The sentence part for the number of an error: "No space left on device".
[[nodiscard]] std::string systemErrorText(int number);

/// Writes all of it to a descriptor of the C library.
[[nodiscard]] int writeAll(int descriptor, std::string_view bytes);
/// Writes into a device or a pipe.
[[nodiscard]] int writeInto(const std::filesystem::path &device, std::string_view bytes);
/// Writes and syncs the bytes under a new name, with the owner and the permissions of the file that
/// they replace. While it is written, isAbandoned() is false for it.
[[nodiscard]] int writeNew(const std::filesystem::path &file, const std::optional<FileStatus> &old,
                           std::string_view bytes);
/// Gives a file another name, and removes the file that has it.
[[nodiscard]] int renameOver(const std::filesystem::path &file,
                             const std::filesystem::path &target);
/// Removes a file if there is one.
void removeFile(const std::filesystem::path &file);
/// Syncs the name itself to the disk, if the file system supports that.
void syncFolder(const std::filesystem::path &file);
/// The file to which a name leads, through links, whether it exists or not.
[[nodiscard]] std::filesystem::path targetOf(std::filesystem::path file);

/// The name of this machine in its network; empty if unknown.
[[nodiscard]] std::string hostName();
[[nodiscard]] std::int64_t processNumber();
/// Whether no process of this host, and not `writer`, still writes the file.
[[nodiscard]] bool isAbandoned(const std::filesystem::path &file, std::int64_t writer);

/// Memory that this program may take without swapping; nothing if unknown.
[[nodiscard]] std::optional<Bytes> systemFreeMemory();
/// The limit on the address space of this program, from `ulimit -v`.
[[nodiscard]] std::optional<Bytes> addressLimit();

/// Whether text for standard error reaches a terminal that can clear a line.
[[nodiscard]] bool standardErrorIsTerminal();
/// The arguments behind the program's name in UTF-8, with standard streams that carry bytes as
/// they are: to be called once, before any output.
[[nodiscard]] std::vector<std::string> programArguments(int argc, char *argv[]);

} // namespace vramscope
